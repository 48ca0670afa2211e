import type { ParseAnswer } from './parsing';

/** An answer as it crosses threads: the facts are packed only. */
export type PackedAnswer = Omit<ParseAnswer, 'facts'>;

/** Of a file that nothing is known of yet. */
export const UNREAD: PackedAnswer = {
  contentHash: '',
  sizeBytes: 0,
  isBinary: false,
  isGenerated: false,
  isMinified: false,
  packed: undefined,
  problem: undefined,
};

/** The answer for a file that a worker did not survive, or that its caller gave up on. */
export function failedAnswer(code: 'parse_failed' | 'parse_timeout', message: string): PackedAnswer {
  return { ...UNREAD, problem: { code, message } };
}
