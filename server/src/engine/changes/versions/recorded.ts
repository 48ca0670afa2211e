import type { WorkspacePath } from '../../../base/path';
import type { StableId } from '../../../model/ids';
import type { GraphTx } from '../../../store/transactions';
import type { RecordedVersion } from '../../../workspace/recordedVersions';
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
