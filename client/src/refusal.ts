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

/** Why a call was refused, and what to do about it; not where that is to call a tool or to give a parameter, which a person in the editor cannot. */
export function refusalText({ summary, hint, hintParts }: Pick<AnswerDto['envelope'], 'summary' | 'hint' | 'hintParts'>): string {
  return hint === undefined || hintParts !== undefined ? summary : `${summary} ${hint}`;
}
