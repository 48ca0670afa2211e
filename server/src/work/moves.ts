import { err, ok, type Result } from '../base/result';
import type { Author, Decision, Records } from '../model/records';
import { bytesIssues } from './checks';
import { type ContainerFields, withFields } from './containers';
import { checkVersion, Edit } from './edits';
import { type Container, isTerminal, MAX_SIZES, type Outcome, type Status } from './entities';
import { broken, invalidFields, isBlockedBy, missing, type WorkFailure } from './failures';
import { isForward, type Move, moved, moveOf, moveTo, type Verb } from './flow';

/** A container after a move. */
export interface Moved {
  readonly container: Container;
  /** The move brought it to a terminal status. */
  readonly closed: boolean;
}

/** One move of a task or feature, based on the version that was read. */
export interface TransitionRequest {
  /** Task or feature. */
  readonly id: string;
  readonly verb: Verb;
  readonly version: number;
  readonly reason?: string;
  readonly outcome?: Outcome | null;
}

/** One transition, decided against the view as it is. */
export function makeTransition(records: Records, author: Author, request: TransitionRequest): Result<Decision<Moved>, WorkFailure> {
  const edit = new Edit(records, author.agentId);
  const found = edit.view.container(request.id);
  if (found === undefined) return err(missing('task or feature', request.id));
  const checked = checkVersion(found, request.version);
  if (!checked.ok) return checked;
  const move = moveOf(found, request.verb, request.reason, request.outcome);
  return move.ok ? carryOut(edit, found, found, move.value) : blockedFirst(edit, found, request.verb, move.error);
}

/** A change of a task's status, its fields, or both, in one version. `version` is checked if given. */
export interface TaskUpdate {
  readonly taskId: string;
  readonly version?: number;
  readonly status?: Status;
  readonly transition?: Verb;
  readonly fields?: ContainerFields;
  readonly reason?: string;
  readonly outcome?: Outcome | null;
  /** Writes the fields of that version as a new one; the status stays, since it moves by transitions only. */
  readonly restoreVersion?: number;
}

/** Fields and status of a task in one write and one version. */
export function updateTask(records: Records, author: Author, request: TaskUpdate): Result<Decision<Moved>, WorkFailure> {
  const edit = new Edit(records, author.agentId);
  const { taskId, version, status, transition, fields, reason, outcome, restoreVersion } = request;
  const found = edit.view.container(taskId, 'task');
  if (found === undefined) return err(missing('task', taskId));
  const checked = checkVersion(found, version);
  if (!checked.ok) return checked;
  const asked = [status ?? transition, fields, restoreVersion].filter(part => part !== undefined);
  if (asked.length === 0) return err(invalidFields([{ field: 'status', message: 'is required, unless transition, fields or restoreVersion is given' }]));
  if (status !== undefined && transition !== undefined) return err(invalidFields([{ field: 'transition', message: 'cannot be combined with status' }]));
  if (restoreVersion !== undefined && asked.length > 1)
    return err(invalidFields([{ field: 'restoreVersion', message: 'cannot be combined with other fields' }]));
  if (restoreVersion !== undefined) return restore(edit, found, restoreVersion);
  const filled = withFields(edit, found, fields ?? {});
  if (!filled.ok) return filled;
  const move =
    transition !== undefined
      ? moveOf(found, transition, reason, outcome)
      : status !== undefined
        ? moveTo(found, status, reason, outcome)
        : ok<Move | undefined>(undefined);
  if (!move.ok) return blockedFirst(edit, found, transition ?? (status === 'terminated' ? 'terminate' : 'advance'), move.error);
  if (move.value !== undefined) return carryOut(edit, found, filled.value, move.value);
  if (fields === undefined) return ok({ records: [], result: { container: found, closed: false } });
  const container = edit.revise(found, filled.value, reason);
  return ok({ records: edit.drafts, result: { container, closed: false } });
}

function restore(edit: Edit, found: Container, version: number): Result<Decision<Moved>, WorkFailure> {
  const old = edit.view.containerAt(found.id, version);
  if (old === undefined) {
    const versions = edit.view.versions(found.id).map(row => row.version);
    return err({
      ...missing('version', `${version} of ${found.id}`, `Use one of ${versions.slice(0, 5).join(', ')}.`),
      data: { suggestions: versions.slice(0, 5) },
    });
  }
  const { name, summary, priority, order, tags, featureId, assignedAgentId } = old;
  const isThere = featureId !== null && edit.view.container(featureId, 'feature') !== undefined;
  const filled = withFields(edit, found, { name, summary, priority, order, tags, assignedAgentId, featureId: isThere ? featureId : null });
  if (!filled.ok) return filled;
  const container = edit.revise(found, filled.value, `restored version ${version}`);
  return ok({ records: edit.drafts, result: { container, closed: false } });
}

/** `found` is what stands in the view, `filled` the same with new fields. */
function carryOut(edit: Edit, found: Container, filled: Container, move: Move): Result<Decision<Moved>, WorkFailure> {
  const issues = bytesIssues('reason', move.reason ?? '', MAX_SIZES.reasonBytes);
  if (issues.length > 0) return err(invalidFields(issues));
  if (isForward(move)) {
    const blockers = edit.view.blockers(found);
    if (blockers.length > 0) return err(isBlockedBy(found, blockers));
  }
  const now = { at: edit.at, latestTxId: edit.view.latestTxId(), agentId: edit.agentId ?? null };
  const container = edit.revise(found, moved(filled, move, now), move.reason);
  if (container.status === 'in_progress' && container.featureId !== null) startFeature(edit, container.featureId, now);
  return ok({ records: edit.drafts, result: { container, closed: isTerminal(container.status) } });
}

function startFeature(edit: Edit, featureId: string, now: { readonly at: string; readonly latestTxId: string | null; readonly agentId: string | null }): void {
  const feature = edit.view.container(featureId, 'feature');
  if (feature?.status !== 'pending') return;
  edit.revise(feature, moved(feature, { verb: 'advance', to: 'in_progress', reason: undefined, outcome: undefined }, now));
}

/** A blocked task that was to move forward is told what blocks it, whatever else is wrong with the move. */
function blockedFirst(edit: Edit, found: Container, verb: Verb, failure: WorkFailure): Result<never, WorkFailure> {
  if (failure.code !== 'INVARIANT_VIOLATION' || found.status !== 'blocked') return err(failure);
  const blockers = edit.view.blockers(found);
  return err(verb === 'advance' ? isBlockedBy(found, blockers) : broken(failure.message, failure.hint, { ...failure.data, blockers }));
}
