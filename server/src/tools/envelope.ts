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
  readonly hint?: string;
  readonly errorCode?: ErrorCode;
}
