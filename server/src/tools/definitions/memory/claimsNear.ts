import { claimsOfOthers } from '../../../features/memory/claims';
import type { ClaimRow } from '../../../features/memory/shapes';
import type { FieldRule, ToolContext } from '../../tool';
import { count } from '../outcome';

/** Most claims told beside an answer about code. */
const MAX_CLAIMS = 10;

export const CLAIMS_FIELD: FieldRule = {
  key: 'activeClaims',
  priority: 'high',
  description: 'Claims of other agents on this code: claimId, agentId, targetId, intent, since',
};

/** Who else is at work on the code of an answer; nothing when nobody is. */
export function claimsNear(context: ToolContext, ids: readonly string[]): { readonly activeClaims?: readonly Readonly<Record<string, unknown>>[] } {
  const claims = claimsOfOthers(context.workspace, ids, context.agentId).slice(0, MAX_CLAIMS);
  if (claims.length === 0) return {};
  return { activeClaims: claims.map(shortClaim) };
}

/** ` Claimed by ada: a.ts.` for the summary of an answer about code, so that it is read whatever the budget leaves out; `''` when nobody else is at work there. */
export function claimedBy(context: ToolContext, ids: readonly string[]): string {
  const [first, ...more] = claimsOfOthers(context.workspace, ids, context.agentId);
  if (first === undefined) return '';
  return ` Claimed by ${first.agentId}: ${first.targetId}${more.length === 0 ? '' : ` (${count(more.length, 'more claim')})`}.`;
}

/** What others need to know of a claim. */
export function shortClaim({ agentId, id, intent, targetId, validFrom }: ClaimRow): Readonly<Record<string, unknown>> {
  return { claimId: id, agentId, targetId, intent, since: validFrom };
}
