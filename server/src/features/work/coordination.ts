import { claimsAround } from '../../memory/claims';
import { closeTask, editedFiles, type TaskClosing } from '../../memory/closing';
import type { HashOf } from '../../memory/episodes';
import { MemoryView } from '../../memory/view';
import { SEPARATOR } from '../../model/ids';
import type { Author, Records } from '../../model/records';
import type { Container } from '../../work/entities';
import type { Workspace } from '../../workspace/snapshot';
import { entityId } from '../memory/writing';

/** An active claim: somebody works on the target. */
export interface ClaimHeld {
  readonly claimId: string;
  readonly agentId: string;
  readonly intent: string;
  readonly targetId: string;
  /** ISO-8601. */
  readonly since: string;
}

export interface FailedTest {
  readonly taskId: string;
  readonly testFiles: readonly string[];
  readonly failed: number;
}

/** What the work features ask of claims and episodes. */
export interface Coordination {
  /** Tasks and features on which other agents than this one work. */
  claimedByOthers(agentId: string | undefined): readonly string[];
  /** Active claims on any of the targets (tasks, features, files, symbols) or on what is inside them. */
  claimsOn(targetIds: readonly string[]): readonly ClaimHeld[];
  /** Files that the EDIT episodes of the tasks name. */
  editedFiles(taskIds: readonly string[]): readonly string[];
  /** The last test run of each task, where something failed. */
  failedTests(taskIds: readonly string[]): readonly FailedTest[];
}

export function coordinationOf(workspace: Workspace): Coordination {
  const view = new MemoryView(workspace.records);
  return {
    claimedByOthers: agentId =>
      view
        .activeClaims()
        .flatMap(claim => (claim.agentId !== agentId && (claim.claimType === 'task' || claim.claimType === 'feature') ? [claim.targetId] : [])),
    claimsOn: targetIds =>
      claimsAround(
        view,
        targetIds.map(id => entityId(workspace, id)),
      ).map(({ agentId, id, intent, targetId, validFrom }) => ({ claimId: id, agentId, intent, targetId, since: new Date(validFrom).toISOString() })),
    editedFiles: taskIds => editedFiles(view, taskIds),
    failedTests: taskIds => taskIds.flatMap(taskId => failedTest(view, taskId) ?? []),
  };
}

function failedTest(view: MemoryView, taskId: string): FailedTest | undefined {
  const [last] = view.episodes({ taskId, types: ['TEST_RESULT'] }, 1);
  const failed = Number(last?.metadata['failed'] ?? 0);
  const testFiles = last?.metadata['testFiles'];
  return failed > 0 ? { taskId, failed, testFiles: Array.isArray(testFiles) ? testFiles.map(String) : [] } : undefined;
}

/** What closing a task sets off in memory, for the write that closes it. */
export function taskClosing(records: Records, author: Author, container: Container, reason: string | undefined, hashOf: HashOf): TaskClosing {
  const { id, name, outcome, summary } = container;
  return closeTask(records, author, { id, name, summary, outcome, reason }, hashOf);
}

/** Code that the episodes of a task name: what a closing takes the hashes of. */
export function codeOfTask({ records }: Pick<Workspace, 'records'>, taskId: string): readonly string[] {
  const named = new MemoryView(records).episodes({ taskId }, 100).flatMap(({ entities }) => entities);
  return [...new Set(named.map(id => id.split(SEPARATOR, 1)[0] ?? id))];
}
