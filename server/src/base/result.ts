/** Outcome of an operation that can fail for a reason the caller is expected to handle. */
export type Result<T, E extends Failure = Failure> = Ok<T> | Err<E>;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Err<E extends Failure> {
  readonly ok: false;
  readonly error: E;
}

/** `code` is stable and tested; `message` is for people and says what to do next. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A result that succeeded. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** A result that failed, with the code and the text of the failure. */
export function err<E extends Failure>(error: E): Err<E> {
  return { ok: false, error };
}

/** Thrown when Lattice itself is wrong; never for bad input. */
export class InvariantViolated extends Error {
  constructor(message: string) {
    super(`Lattice is in a state that should be impossible: ${message}`);
    this.name = 'InvariantViolated';
  }
}

/** Throws `InvariantViolated` when the condition does not hold: a mistake of ours, never of a user. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (condition === false || condition === null || condition === undefined) throw new InvariantViolated(message);
}

/** Marks a branch that the types rule out. */
export function assertNever(value: never): never {
  throw new InvariantViolated(`unexpected value ${String(value)}`);
}
