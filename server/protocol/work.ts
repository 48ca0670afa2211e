/** Work in the editor: what the tree "Work" shows. Answer of the feature `workTree`. */

export type WorkStatusDto = 'pending' | 'in_progress' | 'in_review' | 'completed' | 'blocked' | 'terminated';

export interface WorkBlockerDto {
  readonly kind: 'open' | 'terminated' | 'manual';
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

interface WorkItemDto {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly status: WorkStatusDto;
  readonly priority: 'critical' | 'high' | 'medium' | 'low';
  readonly tags: readonly string[];
  /** For the next change. */
  readonly version: number;
  /** What keeps it from moving forward; empty when nothing does. */
  readonly blockers: readonly WorkBlockerDto[];
  /** Agents that claim it. */
  readonly claimedBy: readonly string[];
}

export interface WorkTaskDto extends WorkItemDto {
  readonly assignedAgentId: string | null;
}

export interface WorkFeatureDto extends WorkItemDto {
  /** Whole percent. */
  readonly percentComplete: number;
  /** In order, at most `MOST_TASKS`. */
  readonly tasks: readonly WorkTaskDto[];
  readonly taskCount: number;
}

export interface WorkTreeDto {
  readonly features: readonly WorkFeatureDto[];
  /** Tasks without a feature, in order, at most `MOST_TASKS`. */
  readonly tasks: readonly WorkTaskDto[];
  readonly taskCount: number;
  /** What `get_next_task` answers. */
  readonly nextTaskId: string | null;
}
