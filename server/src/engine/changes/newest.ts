import type { GraphTx } from '../../store/transactions';
import type { VersionFailure } from '../../workspace/changes';

/** Transactions that are offered instead of an unknown one. */
const OFFERED = 5;

/** The failure for a version that is not known, with the newest transactions as what could be asked for instead. */
export function unknownVersion(
  {
    root,
    transactions,
  }: { readonly root: string; readonly transactions: { list(filter: { readonly limit: number; readonly checkout?: string }): readonly GraphTx[] } },
  message: string,
): VersionFailure {
  const newest = transactions
    .list({ limit: 50, checkout: root })
    .filter(tx => tx.status === 'committed')
    .slice(0, OFFERED)
    .map(({ agentId, gitCommit, id, timestamp }) => {
      const details = [new Date(timestamp).toISOString(), ...(gitCommit === null ? [] : [gitCommit.slice(0, 7)]), ...(agentId === null ? [] : [agentId])];
      return `tx::${id} (${details.join(', ')})`;
    });
  const words = 'Use a commit, tag or branch such as HEAD~1 or main, a range A..B, a time (2026-01-31), or a transaction ID.';
  return { code: 'NOT_FOUND', message, hint: newest.length === 0 ? words : `${words} Newest transactions: ${newest.join(', ')}.` };
}
