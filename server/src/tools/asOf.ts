import { err, ok, type Result } from '../base/result';
import type { Tool, ToolFailure } from './tool';

/** Tools that speak of the present only. */
const PRESENT_ONLY: ReadonlySet<string> = new Set(['semantic_slice', 'context_pack']);
const TRANSACTION = /^(?:tx::)?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * `asOf` asks for the graph as it was. The graph holds the present only, so the question is refused in words:
 * answering with today's code instead would be wrong without saying so.
 */
export function checkAsOf(tool: Tool, asOf: string | undefined): Result<void, ToolFailure> {
  if (asOf === undefined) return ok(undefined);
  const refused = (message: string, hint: string): ToolFailure => ({
    code: 'VALIDATION_ERROR',
    message,
    hint,
    data: { field: 'asOf', issues: [{ field: 'asOf', message }] },
  });
  if (tool.effect !== 'read') return err(refused(`${tool.name} does not support asOf.`, 'Omit asOf.'));
  if (PRESENT_ONLY.has(tool.name)) return err(refused(`${tool.name} only supports the current code.`, 'Omit asOf. Use code_explain to learn about a symbol.'));
  if (!TRANSACTION.test(asOf) && (!TIME.test(asOf) || Number.isNaN(Date.parse(asOf)))) {
    return err(refused(`asOf must be a time such as 2026-11-22T10:00:00Z or a transaction ID, not ${asOf}.`, 'Call again with a valid asOf.'));
  }
  return err({
    code: 'UNAVAILABLE',
    message: 'Past states of the graph are not stored, so this cannot be answered for an earlier time.',
    hint: 'Omit asOf for the current state. To see what changed since a time or transaction, use impact_analyze or test_select with since.',
  });
}
