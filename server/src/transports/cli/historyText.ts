import type { EngineHealth } from '../../workspace/snapshot';
import { bytes, plural } from './terminal';

/** `12 transactions since 2026-01-31 10:00 UTC, 48.0 KB, compacted 2026-02-01 09:12 UTC`: earlier states that are kept beside the commits of Git. */
export function historyText({ bytes: size, compactedAt, horizon, transactions }: NonNullable<EngineHealth['history']>): string {
  const since = horizon === 0 ? 'no recorded states' : `${plural(transactions, 'transaction')} since ${whenText(horizon)}`;
  return `${since}, ${bytes(size)}${compactedAt === 0 ? '' : `, compacted ${whenText(compactedAt)}`}`;
}

function whenText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
