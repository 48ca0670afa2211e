import type { Container, Outcome } from '../../work/entities';
import type { Workspace } from '../../workspace/snapshot';

/** An active claim: somebody works on the target. */
export interface ClaimHeld {
  readonly claimId: string;
  readonly agentId: string;
  readonly intent: string;
  readonly targetId: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface FailedTest {
  readonly taskId: string;
  readonly testFiles: readonly string[];
  readonly failed: number;
}

/** What closing a task set off beside the status. */
export interface Closed {
  readonly releasedClaims: readonly string[];
  readonly reflectionId: string | null;
  /** What did not succeed, for the hint; the status stands all the same. */
  readonly problem?: string;
}

/** What the work tools ask of claims and episodes. */
export interface Coordination {
  /** Tasks and features on which other agents than this one work. */
  claimedByOthers(agentId: string | undefined): readonly string[];
  /** Active claims on any of the targets: tasks, features, files, symbols. */
  claimsOn(targetIds: readonly string[]): readonly ClaimHeld[];
  /** Files that the EDIT episodes of the tasks name. */
  editedFiles(taskIds: readonly string[]): readonly string[];
  /** The last test run of each task, where something failed. */
  failedTests(taskIds: readonly string[]): readonly FailedTest[];
  taskClosed(task: Container, outcome: Outcome | null): Promise<Closed>;
}

const NOBODY: Coordination = {
  claimedByOthers: () => [],
  claimsOn: () => [],
  editedFiles: () => [],
  failedTests: () => [],
  taskClosed: async () => ({ releasedClaims: [], reflectionId: null }),
};

/** Nobody claims anything and nothing is remembered yet. */
export function coordinationOf(_workspace: Workspace): Coordination {
  return NOBODY;
}
