import { err, ok, type Result } from '../base/result';
import { type Hint, phrase, toolRef } from '../model/hints';
import { type Container, isTerminal, type Outcome, type Status } from './entities';
import { illegalMove, invalidFields, type WorkFailure } from './failures';

/** The status flow of features and tasks. What the view must say (blockers, versions) is asked elsewhere. */

export const VERBS = ['advance', 'revert', 'block', 'unblock', 'terminate'] as const;
/** A relative move of a task or feature between statuses. */
export type Verb = (typeof VERBS)[number];

/** What a move sets beside the status. */
export interface Move {
  readonly verb: Verb;
  readonly to: Status;
  readonly reason: string | undefined;
  /** Overrides what a terminal status implies. */
  readonly outcome: Outcome | null | undefined;
}

const FORWARD: Readonly<Partial<Record<Status, Status>>> = { pending: 'in_progress', in_progress: 'in_review', in_review: 'completed' };
const BACK: Readonly<Partial<Record<Status, Status>>> = {
  in_progress: 'pending',
  in_review: 'in_progress',
  completed: 'in_progress',
  terminated: 'in_progress',
};

/** One relative move, as `advance`, `revert` and the rest make it. */
export function moveOf(container: Container, verb: Verb, reason: string | undefined, outcome: Outcome | null | undefined): Result<Move, WorkFailure> {
  const needsReason = verb === 'block' || verb === 'terminate';
  if (needsReason && (reason ?? '').trim() === '') return err(invalidFields([{ field: 'reason', message: `is required to ${verb}` }]));
  const to = TARGETS[verb](container);
  return to === undefined ? err(illegalMove(container, verb, hintFor(container))) : ok({ verb, to, reason, outcome });
}

/** The move that brings about a status asked for by name; `undefined` when it is already so. Any open status may be completed or terminated. */
export function moveTo(
  container: Container,
  status: Status,
  reason: string | undefined,
  outcome: Outcome | null | undefined,
): Result<Move | undefined, WorkFailure> {
  const from = container.status;
  if (status === from) return ok(undefined);
  if (status === 'blocked') return moveOf(container, 'block', reason, outcome);
  if (from === 'blocked') return err(illegalMove(container, `become ${status}`, hintFor(container)));
  if (status === 'completed' || status === 'terminated') {
    if (isTerminal(from)) return err(illegalMove(container, `become ${status}`, hintFor(container)));
    return ok({ verb: status === 'completed' ? 'advance' : 'terminate', to: status, reason, outcome });
  }
  if (FORWARD[from] === status) return ok({ verb: 'advance', to: status, reason, outcome });
  if (BACK[from] === status) return ok({ verb: 'revert', to: status, reason, outcome });
  return err(illegalMove(container, `become ${status} in one step`, hintFor(container)));
}

/** The fields after a move. `latestTxId` is the newest transaction of the project, `agentId` who moves. */
export function moved(
  container: Container,
  move: Move,
  now: { readonly at: string; readonly latestTxId: string | null; readonly agentId: string | null },
): Container {
  const { to } = move;
  const isTask = container.type === 'task';
  const begins = to === 'in_progress' && (container.status === 'pending' || isTerminal(container.status) || container.startTxId === null);
  return {
    ...container,
    status: to,
    statusBeforeBlock: to === 'blocked' ? container.status : null,
    blockedReason: to === 'blocked' ? (move.reason ?? '').trim() : null,
    startTxId: isTask && begins ? now.latestTxId : container.startTxId,
    assignedAgentId: isTask && to === 'in_progress' && begins ? (now.agentId ?? container.assignedAgentId) : container.assignedAgentId,
    closedAt: isTerminal(to) ? now.at : null,
    outcome: isTask && isTerminal(to) ? outcomeOf(move) : null,
  };
}

function outcomeOf(move: Move): Outcome | null {
  if (move.outcome !== undefined) return move.outcome;
  return move.to === 'completed' ? 'success' : 'failure';
}

/** Leads on to the next stage or to the end: what a blocked task cannot do. */
export function isForward(move: Move): boolean {
  return move.verb === 'advance';
}

const TARGETS: Readonly<Record<Verb, (container: Container) => Status | undefined>> = {
  advance: ({ status }) => FORWARD[status],
  revert: ({ status }) => BACK[status],
  block: ({ status }) => (isTerminal(status) || status === 'blocked' ? undefined : 'blocked'),
  unblock: ({ status, statusBeforeBlock }) => (status === 'blocked' ? (statusBeforeBlock ?? 'pending') : undefined),
  terminate: ({ status }) => (isTerminal(status) ? undefined : 'terminated'),
};

function hintFor(container: Container): Hint {
  if (container.status === 'blocked') return phrase`First use ${toolRef('unblock', { id: container.id })}.`;
  if (isTerminal(container.status)) return phrase`Use ${toolRef('revert', { id: container.id })} to reopen it.`;
  const next = FORWARD[container.status];
  return next === undefined ? `Get ${container.id} to see its status.` : phrase`Use ${toolRef('advance')} to move from ${container.status} to ${next}.`;
}
