import { shownText } from '../../protocol/shownText';
import { type Hint, type HintPart, hintForAgents } from '../model/hints';
import type { Stamp } from '../workspace/snapshot';

/** How much an answer may say. */
export const PROFILES = { compact: 300, balanced: 1200, debug: Number.POSITIVE_INFINITY } as const;
export type Profile = keyof typeof PROFILES;

/** Every code an answer can carry; append only. */
export const ERROR_CODES = [
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'CONFLICT',
  'INVARIANT_VIOLATION',
  'HISTORY_PRUNED',
  'BUDGET_EXCEEDED',
  'NOT_READY',
  'FORBIDDEN',
  'READ_ONLY',
  'TIMEOUT',
  'UNAVAILABLE',
  'INTERNAL',
] as const;
/** Codes of errors that clients can act on; docs/mcp.md explains them. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The answer of every tool through every door. */
export interface Envelope {
  readonly ok: boolean;
  readonly summary: string;
  readonly profile: Profile;
  readonly _tokenEstimate: number;
  readonly stamp?: Stamp;
  readonly data?: Readonly<Record<string, unknown>>;
  /** In words for agents. */
  readonly hint?: string;
  /** The hint where it mentions tools or parameters, for doors that call them something else; agents are not sent it. */
  readonly hintParts?: readonly HintPart[];
  /** As `hintParts`, of the summary of a refusal. */
  readonly summaryParts?: readonly HintPart[];
  readonly errorCode?: ErrorCode;
}

/** A hint as an envelope carries it. */
export function hintFields(hint: Hint): { readonly hint: string; readonly hintParts?: readonly HintPart[] } {
  const text = shownText(hintForAgents(hint));
  return typeof hint === 'string' ? { hint: text } : { hint: text, hintParts: hint };
}

/** What programs read of an envelope: without what only other doors need. */
export function forPrograms({ hintParts: _hintParts, summaryParts: _summaryParts, ...rest }: Envelope): Omit<Envelope, 'hintParts' | 'summaryParts'> {
  return rest;
}
