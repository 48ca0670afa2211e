/** What the work room keeps, in words and bounds. Times are ISO-8601 UTC with milliseconds. */

export const CONTAINER_TYPES = ['feature', 'task'] as const;
/** A feature of work, or a task. */
export type ContainerType = (typeof CONTAINER_TYPES)[number];

/** In the order of the flow; `completed` and `terminated` are terminal. */
export const STATUSES = ['pending', 'in_progress', 'in_review', 'completed', 'blocked', 'terminated'] as const;
/** Where a container stands; `lifecycle` says which moves are allowed. */
export type Status = (typeof STATUSES)[number];

/** Most urgent first. */
export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How a task ended. */
export const OUTCOMES = ['success', 'failure', 'partial'] as const;
/** How a task ended. */
export type Outcome = (typeof OUTCOMES)[number];

/** A feature or a task: both go through one flow. `featureId`, `assignedAgentId`, `startTxId` and `outcome` are null for features. */
export interface Container {
  /** `feature::uuid` or `task::uuid`. */
  readonly id: string;
  readonly projectId: string;
  readonly type: ContainerType;
  readonly featureId: string | null;
  readonly name: string;
  readonly summary: string;
  readonly status: Status;
  readonly priority: Priority;
  /** Names as their tags spell them. */
  readonly tags: readonly string[];
  /** Lower comes first. */
  readonly order: number;
  readonly outcome: Outcome | null;
  readonly blockedReason: string | null;
  readonly statusBeforeBlock: Status | null;
  readonly assignedAgentId: string | null;
  /** The latest transaction when the task began: what changed since is one question. */
  readonly startTxId: string | null;
  readonly closedAt: string | null;
  /** From 1 without a gap. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Markdown with a title, in a task or feature. */
export interface Section {
  /** `section::uuid`. */
  readonly id: string;
  readonly projectId: string;
  readonly containerId: string;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  /** From 0, in reading order. */
  readonly ordinal: number;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `fromId` blocks `toId`; both are tasks. */
export interface Dependency {
  readonly fromId: string;
  readonly toId: string;
  readonly projectId: string;
  readonly createdAt: string;
}

export interface TemplateSection {
  readonly title: string;
  readonly content: string;
  readonly ordinal: number;
}

export interface Template {
  /** `template::uuid`. */
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly containerType: ContainerType;
  readonly sections: readonly TemplateSection[];
}

export interface Tag {
  /** `tag::uuid`. */
  readonly id: string;
  readonly projectId: string;
  /** Unique in the project whatever its case. */
  readonly name: string;
}

/** Bounds; characters are UTF-16 units, bytes are UTF-8. */
export const MAX_SIZES = {
  nameCharacters: 255,
  summaryBytes: 4_096,
  reasonBytes: 4_096,
  contentBytes: 32_768,
  tagCharacters: 64,
  tags: 50,
  templateSections: 50,
} as const;

export function isTerminal(status: Status): boolean {
  return status === 'completed' || status === 'terminated';
}

/** `task::uuid` from either spelling. */
export function idWithPrefix(kind: ContainerType | 'section' | 'template' | 'tag', id: string): string {
  const bare = id.trim();
  return bare.startsWith(`${kind}::`) ? bare : `${kind}::${bare}`;
}
