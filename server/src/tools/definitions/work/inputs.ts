import { z } from 'zod';
import type { Outcome, Status } from '../../../work/entities';
import { CONTAINER_TYPES, OUTCOMES, PRIORITIES, STATUSES } from '../../../work/entities';

/** Parameters that several work tools take. */

export const containerType = z.enum(CONTAINER_TYPES);
export const priority = z.enum(PRIORITIES);
export const outcome = z.enum(OUTCOMES);
export const version = z.number().int().min(1).describe('Version you read. If it is not the latest, the call fails with CONFLICT');
export const tags = z.array(z.string()).describe('At most 50 names of at most 64 characters; missing tags are created');
export const limit = z.number().int().min(1).max(100).default(20);
export const offset = z.number().int().min(0).default(0);

/** Words that other work trackers use for `terminated`. */
const ENDINGS = { failed: 'failure', cancelled: null } as const;
const endings = Object.keys(ENDINGS) as [keyof typeof ENDINGS, ...(keyof typeof ENDINGS)[]];

export const ending = z.enum(endings);
export const statusOrEnding = z.enum([...STATUSES, ...endings]);

/** The status meant, and the outcome that the word implies. */
export function statusAndOutcomeOf(word: z.output<typeof statusOrEnding>): { readonly status: Status; readonly outcome: Outcome | null | undefined } {
  if (word === 'failed' || word === 'cancelled') return { status: 'terminated', outcome: ENDINGS[word] };
  return { status: word, outcome: undefined };
}
