import type { WorkspacePath } from '../../../base/path';
import type { StableId } from '../../../model/ids';
import type { GraphTx } from '../../../store/transactions';
import type { RecordedEdge, RecordedVersion } from '../../../workspace/recordedVersions';
import type { VersionLog } from './versionLog';

/** Versions of a node with the times of their transactions, newest first. */
export async function recordedVersions(
  log: Pick<VersionLog, 'versionsOf'>,
  transactions: { find(id: string): GraphTx | undefined },
  id: StableId,
  path: WorkspacePath,
): Promise<readonly RecordedVersion[]> {
  const versions: RecordedVersion[] = [];
  for (const { endedBy, renamedFrom, supersedes, txId } of await log.versionsOf(id, path)) {
    const tx = transactions.find(txId);
    if (tx === undefined) continue;
    const end = endedBy === undefined ? undefined : transactions.find(endedBy);
    const before = versions.at(-1);
    versions.push({
      versionId: `${id}#${txId}`,
      txId,
      validFrom: tx.timestamp,
      ...(end === undefined ? {} : { validTo: end.timestamp }),
      createdAt: tx.timestamp,
      ...(supersedes && before !== undefined ? { supersedes: before.versionId } : {}),
      ...(renamedFrom === undefined ? {} : { renamedFrom }),
      ...(tx.agentId === null ? {} : { agentId: tx.agentId }),
    });
  }
  return versions.reverse();
}

/** Versions of the edges that start at a node with the times of their transactions, newest first. */
export async function recordedEdges(
  log: Pick<VersionLog, 'edgeChangesOf'>,
  transactions: { find(id: string): GraphTx | undefined },
  id: StableId,
): Promise<readonly RecordedEdge[]> {
  const versions: RecordedEdge[] = [];
  const current = new Map<string, number>();
  for (const { ended, started, txId } of await log.edgeChangesOf(id)) {
    const at = transactions.find(txId)?.timestamp;
    if (at === undefined) continue;
    for (const [, relation, target] of ended) {
      const known = current.get(`${relation} ${target}`);
      const version = known === undefined ? undefined : versions[known];
      const end = { relation, target, ...version, validTo: at, endedTxId: txId };
      if (known === undefined || version === undefined) versions.push(end);
      else versions[known] = end;
      current.delete(`${relation} ${target}`);
    }
    for (const [, relation, target] of started) {
      current.set(`${relation} ${target}`, versions.length);
      versions.push({ relation, target, validFrom: at, txId });
    }
  }
  const newest = ({ validFrom = 0, validTo = 0 }: RecordedEdge): number => Math.max(validFrom, validTo);
  return versions.sort((a, b) => newest(b) - newest(a));
}
