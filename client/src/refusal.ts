import type { AnswerDto } from '../../server/protocol/requests';

/** A request that cannot be carried out for a reason the user can act on; shown as it is, without the log. */
export class Refusal extends Error {
  constructor(
    message: string,
    /** Of the failure; `refusedFor` reads it. */
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** What the server refuses with a code of its own, but for its own faults: the user can act on it, and the log has nothing to add. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('data' in error) || typeof error.data !== 'object' || error.data === null || !('code' in error.data)) return undefined;
  return error.data.code === 'INTERNAL' ? undefined : new Refusal(error.message, 'data' in error.data ? error.data.data : undefined);
}

/** Codes of calls that were asked wrongly or too early: their hints tell the caller what to call next, which says nothing to a person. */
const HINTS_FOR_CALLERS: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'NOT_FOUND', 'NOT_READY', 'INTERNAL']);

/** Why a call was refused, and what to do about it where a person can do it. */
export function refusedText({ summary, hint, errorCode }: Pick<AnswerDto['envelope'], 'summary' | 'hint' | 'errorCode'>): string {
  return hint === undefined || errorCode === undefined || HINTS_FOR_CALLERS.has(errorCode) ? summary : `${summary} ${hint}`;
}
