import type { Failure } from '../base/result';
import { type Hint, paramRef, phrase, toolRef } from '../model/hints';
import type { Container, Status } from './entities';

/** Why a change of work is refused; nothing was written. `hint` is one concrete next action. */
export interface WorkFailure extends Failure {
  readonly code: 'VALIDATION_ERROR' | 'NOT_FOUND' | 'CONFLICT' | 'INVARIANT_VIOLATION';
  readonly hint: Hint;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Issue {
  readonly field: string;
  readonly message: string;
}

/** `issues` has at least one. */
export function invalidFields(issues: readonly Issue[]): WorkFailure {
  const first = issues[0] ?? { field: 'input', message: 'is not valid' };
  return {
    code: 'VALIDATION_ERROR',
    message: `${first.field} ${first.message}.`,
    hint: phrase`Call again with a valid ${paramRef(first.field)}.`,
    data: { field: first.field, issues },
  };
}

/** NOT_FOUND for an item of work. */
export function missing(kind: string, id: string, hint: Hint = phrase`Use ${toolRef('query_container')} to list features and tasks.`): WorkFailure {
  return { code: 'NOT_FOUND', message: `The ${kind} ${id} does not exist in this project.`, hint, data: { suggestions: [] } };
}

export function conflict(id: string, given: number, currentVersion: number): WorkFailure {
  return {
    code: 'CONFLICT',
    message: `${id} has version ${currentVersion}, not ${given}. It was changed by someone else.`,
    hint: phrase`Read it again, merge your change, and try again with ${paramRef('version', currentVersion)}.`,
    data: { currentVersion },
  };
}

export function broken(message: string, hint: Hint, data: Readonly<Record<string, unknown>> = {}): WorkFailure {
  return { code: 'INVARIANT_VIOLATION', message, hint, data };
}

export function illegalMove(container: Container, verb: string, hint: Hint): WorkFailure {
  return broken(`${container.id} is ${container.status} and cannot ${verb}.`, hint, { status: container.status });
}

/** Something that keeps a task from moving forward. */
export interface Blocker {
  /** `open` and `terminated` tell the state of a blocking task; `manual` is a block with a reason. */
  readonly kind: 'open' | 'terminated' | 'manual';
  /** The blocking task; the blocked one itself for `manual`. */
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  readonly reason: string;
}

export function isBlockedBy(container: Container, blockers: readonly Blocker[]): WorkFailure {
  const first = blockers[0];
  const hint =
    first?.kind === 'manual'
      ? phrase`First use ${toolRef('unblock', { id: container.id })}.`
      : phrase`Complete ${first?.id ?? 'its blockers'} first, or use ${toolRef('manage_dependency', { operation: 'remove' })}.`;
  return broken(`${container.id} is blocked: ${blockers.map(blocker => blocker.reason).join('; ')}.`, hint, { blockers });
}
