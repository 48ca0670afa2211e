import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { TaskClosing } from '../../memory/closing';
import type { Author, Decision, Records } from '../../model/records';
import type { Container } from '../../work/entities';
import type { WorkFailure } from '../../work/failures';
import { type Moved, makeTransition, type TaskUpdate, type TransitionRequest, updateTask } from '../../work/moves';
import { WorkView } from '../../work/view';
import type { Workspace } from '../../workspace/snapshot';
import { currentCodeAt } from '../memory/writing';
import type { FeatureFailure } from '../shared/failure';
import { codeOfTask, taskClosing } from './coordination';
import { changeWork } from './writing';

/** A reminder after a task was closed; it is never required. */
export interface GraphHints {
  readonly message: string;
  readonly suggestedActions: readonly string[];
}

/** A container after a move. */
export interface MoveAnswer {
  readonly container: Container;
  /** Present when the move brought a task to a terminal status. */
  readonly graphHints?: GraphHints;
  readonly releasedClaims?: readonly string[];
  readonly reflectionId?: string;
  readonly problem?: string;
}

const GRAPH_HINTS: GraphHints = {
  message: 'Task closed. Check whether the knowledge about its code is still correct.',
  suggestedActions: [
    'Update the atoms that cover the changed files.',
    'Update the patterns of atoms for moved or new folders.',
    'Add changelog entries for significant changes.',
  ],
};

/** Moves a feature or task to a status, with what the index knows of the code that a closed task names. */
export async function moveWork(
  workspace: Workspace,
  author: Author,
  request: TransitionRequest,
  token: CancellationToken,
): Promise<Result<MoveAnswer, FeatureFailure>> {
  return move(workspace, author, request.id, request.reason, (records, who) => makeTransition(records, who, request), token);
}

/** Changes fields of a task; a new status is a move. */
export async function changeTask(
  workspace: Workspace,
  author: Author,
  request: TaskUpdate,
  token: CancellationToken,
): Promise<Result<MoveAnswer, FeatureFailure>> {
  return move(workspace, author, request.taskId, request.reason, (records, who) => updateTask(records, who, request), token);
}

interface MovedAndClosed extends Moved {
  readonly closing?: Pick<TaskClosing, 'releasedClaims' | 'reflectionId' | 'problem'>;
}

/** The move, and in the same write what closing a task sets off: both are there after a crash, or neither. */
async function move(
  workspace: Workspace,
  author: Author,
  id: string,
  reason: string | undefined,
  decide: (records: Records, author: Author) => Result<Decision<Moved>, WorkFailure>,
  token: CancellationToken,
): Promise<Result<MoveAnswer, FeatureFailure>> {
  const task = new WorkView(workspace.records).container(id, 'task');
  const { hashOf } = await currentCodeAt(workspace, task === undefined ? [] : codeOfTask(workspace, task.id), token);
  const written = await changeWork<MovedAndClosed>(workspace, author, (records, who) => {
    const decided = decide(records, who);
    if (!decided.ok || !decided.value.result.closed || decided.value.result.container.type !== 'task') return decided;
    const { records: drafts, result } = decided.value;
    const { records: more, ...closing } = taskClosing(records, who, result.container, reason, hashOf);
    return ok({ records: [...drafts, ...more], result: { ...result, closing } });
  });
  if (!written.ok) return written;
  const { closing, container } = written.value;
  if (closing === undefined) return ok({ container });
  const { problem, reflectionId, releasedClaims } = closing;
  return ok({
    container,
    graphHints: GRAPH_HINTS,
    releasedClaims,
    ...(reflectionId === null ? {} : { reflectionId }),
    ...(problem === undefined ? {} : { problem }),
  });
}
