import { ok, type Result } from '../../base/result';
import type { Author } from '../../model/records';
import type { Container } from '../../work/entities';
import { type Moved, makeTransition, type TaskUpdate, type TransitionRequest, updateTask } from '../../work/moves';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { coordinationOf } from './coordination';
import { changeWork } from './writing';

/** A nudge for whoever closed a task; never a gate. */
export interface GraphHints {
  readonly message: string;
  readonly suggestedActions: readonly string[];
}

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
    'Update the affected atoms: query_graph context with the changed files, then manage_graph update.',
    'Update the patterns of atoms for moved or new folders: manage_graph update with paths.',
    'Add changelog entries for significant changes: manage_changelog append.',
  ],
};

export async function moveWork(workspace: Workspace, author: Author, request: TransitionRequest): Promise<Result<MoveAnswer, FeatureFailure>> {
  return afterMove(workspace, await changeWork(workspace, author, (records, who) => makeTransition(records, who, request)));
}

export async function changeTask(workspace: Workspace, author: Author, request: TaskUpdate): Promise<Result<MoveAnswer, FeatureFailure>> {
  return afterMove(workspace, await changeWork(workspace, author, (records, who) => updateTask(records, who, request)));
}

async function afterMove(workspace: Workspace, written: Result<Moved, FeatureFailure>): Promise<Result<MoveAnswer, FeatureFailure>> {
  if (!written.ok) return written;
  const { closed, container } = written.value;
  if (!closed || container.type !== 'task') return ok({ container });
  const { releasedClaims, reflectionId, problem } = await coordinationOf(workspace).taskClosed(container, container.outcome);
  return ok({
    container,
    graphHints: GRAPH_HINTS,
    releasedClaims,
    ...(reflectionId === null ? {} : { reflectionId }),
    ...(problem === undefined ? {} : { problem }),
  });
}
