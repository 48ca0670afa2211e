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

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function err<E extends Failure>(error: E): Err<E> {
  return { ok: false, error };
}
