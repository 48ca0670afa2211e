import { hashText } from '../base/hash';

/** Cursors are stateless: the rank to go on from and a fingerprint of the question, so that one question's cursor is not taken by another. */
export function encodeCursor(question: string, offset: number): string {
  return `${hashText(question)}${offset.toString(36)}`;
}

const FINGERPRINT_LENGTH = 14;

/** Rank to go on from; `undefined` for a cursor of another question or of no question. */
export function decodeCursor(question: string, cursor: string): number | undefined {
  if (cursor.slice(0, FINGERPRINT_LENGTH) !== hashText(question)) return undefined;
  const rank = cursor.slice(FINGERPRINT_LENGTH);
  return /^[0-9a-z]{1,7}$/.test(rank) ? Number.parseInt(rank, 36) : undefined;
}

/** What makes two calls the same question: the tool and its own parameters, in a fixed order. */
export function questionOf(toolName: string, input: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([toolName, entries]);
}
