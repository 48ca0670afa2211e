import type { StableId } from '../model/ids';

/** What the memory room keeps, in words and bounds. Times are epoch milliseconds. */

/** What agents and people may record. */
export const RECORDED_TYPES = ['OBSERVATION', 'DECISION', 'EDIT', 'TEST_RESULT', 'ERROR'] as const;
/** `REFLECTION` is written by `reflect` alone. */
export const EPISODE_TYPES = [...RECORDED_TYPES, 'REFLECTION'] as const;
/** What an episode tells of. */
export type EpisodeType = (typeof EPISODE_TYPES)[number];

/** How what an episode tells of ended. */
export const EPISODE_OUTCOMES = ['success', 'failure', 'partial'] as const;
/** How it ended. */
export type EpisodeOutcome = (typeof EPISODE_OUTCOMES)[number];

/** Code that an episode or a learning names, and the hash of its content then. */
export interface CodeAnchor {
  readonly ref: StableId;
  readonly hash: string;
}

/** Plain JSON that an agent adds; kept as it is. */
export type Metadata = Readonly<Record<string, unknown>>;

/** One thing that an agent did, decided or met. */
export interface Episode {
  /** `episode::uuid`. */
  readonly id: string;
  readonly projectId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly taskId: string | null;
  readonly type: EpisodeType;
  readonly content: string;
  /** Node ids, in the order given; those that no graph has are kept and may be there later. */
  readonly entities: readonly StableId[];
  readonly outcome: EpisodeOutcome | null;
  readonly metadata: Metadata;
  readonly sensitive: boolean;
  readonly timestamp: number;
  /** The episode before it of the same agent and session. */
  readonly prevEpisodeId: string | null;
  readonly anchors: readonly CodeAnchor[];
}

/** What reflections look for. */
export const PATTERN_KINDS = ['hotspot', 'decision_failure', 'repeated_observation'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** A durable pattern, derived from episodes. */
export interface Learning {
  /** `learning::uuid`. */
  readonly id: string;
  readonly projectId: string;
  readonly agentId: string;
  readonly taskId: string | null;
  readonly kind: PatternKind;
  readonly content: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly entities: readonly StableId[];
  readonly anchors: readonly CodeAnchor[];
  /** The reflection that it comes from. */
  readonly reflectionId: string;
  readonly extractedAt: number;
  /** The learning that took its place. */
  readonly supersededBy: string | null;
}

/** What can be claimed. */
export const CLAIM_TYPES = ['task', 'file', 'function', 'feature'] as const;
/** What a claim is on. */
export type ClaimType = (typeof CLAIM_TYPES)[number];

/** `expired` is set by a person only: time ends no claim. */
export const CLAIM_ENDINGS = ['released', 'code_changed', 'task_completed', 'expired'] as const;
export type ClaimEnding = (typeof CLAIM_ENDINGS)[number];

/** "I am working on this, for this reason." */
export interface Claim {
  /** `claim::uuid`. */
  readonly id: string;
  readonly projectId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly taskId: string | null;
  readonly claimType: ClaimType;
  /** A file, a symbol, a task or a feature. */
  readonly targetId: StableId;
  readonly intent: string;
  readonly validFrom: number;
  /** Null while it is active. */
  readonly validTo: number | null;
  /** Content hash of code; `v` and the version of tasks and features. */
  readonly targetVersionSHA: string;
  /** What the code had become when `code_changed` ended the claim; `''` when it was gone. */
  readonly endedVersionSHA: string | null;
  readonly invalidationReason: ClaimEnding | null;
  /** Root of the checkout that the claim was made in: changes in others do not end it. */
  readonly checkout: string;
}

/** Bounds; bytes are UTF-8. */
export const MAX_SIZES = {
  contentBytes: 8_192,
  metadataBytes: 8_192,
  entities: 50,
  entityCharacters: 1_024,
  intentBytes: 1_024,
} as const;

/** Who writes when nobody says who: a person at the command line or in the editor. */
export const PERSON = 'person';
