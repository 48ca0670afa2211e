import { z } from 'zod';
import { ok } from '../../../base/result';
import { restore } from '../../../features/administration/backup';
import type { RestoreReport } from '../../../model/backups';
import { paramRef, phrase } from '../../../model/hints';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, textIn } from '../outcome';
import { stampOf } from './stampOf';

export const graphRestore = defineTool({
  name: 'graph_restore',
  title: 'Restore a backup',
  description:
    'Verify a backup (checksums, counts, structure) and show which later changes a restore would undo. With verifyOnly: false, restore it, after backing up the current state (previousBackupId, to undo the restore). Ask the user first.',
  group: 'admin',
  effect: 'destroy',
  defaultProfile: 'compact',
  input: z.object({
    backupId: z.string().describe('Backup ID from graph_backup'),
    verifyOnly: z.boolean().default(true).describe('false: restore the backup'),
  }),
  fields: [
    { key: 'isRestored', priority: 'required', description: 'False if the backup was only verified' },
    { key: 'transactionsSince', priority: 'required', description: 'Number of transactions since the backup' },
    { key: 'previousBackupId', priority: 'required', description: 'Backup of the state before the restore' },
    { key: 'differences', priority: 'high', description: 'Tables that differ: rows added, changed and removed since' },
    { key: 'backup', priority: 'medium', description: 'The backup with its counts' },
    { key: 'recent', priority: 'medium', description: 'Latest of these transactions, at most 20' },
  ],

  async handle({ agentId, idempotencyKey, sessionId, workspace }, input) {
    const restored = await restore(workspace, input, { agentId, sessionId, key: idempotencyKey });
    if (!restored.ok) return failure(restored.error);
    const { value } = restored;
    const hint = value.isRestored ? undefined : phrase`Call again with ${paramRef('verifyOnly', false)} to restore it.`;
    return ok({ summary: summaryOf(value), data: { ...value }, stamp: stampOf(workspace), ...(hint === undefined ? {} : { hint }) });
  },

  render(data) {
    const differences = rowsIn(data, 'differences').map(
      row => `${textIn(row, 'table')} +${textIn(row, 'added')} ~${textIn(row, 'changed')} -${textIn(row, 'removed')}`,
    );
    const recent = rowsIn(data, 'recent').map(row => `${textIn(row, 'at')} ${textIn(row, 'txId')} ${textIn(row, 'agentId')}`.trimEnd());
    return [...block('Since the backup:', differences), ...block('Written since:', recent)].join('\n');
  },
});

function summaryOf({ backup, differences, isRestored, previousBackupId, transactionsSince }: RestoreReport): string {
  const since = `${count(transactionsSince, 'transaction')} since then`;
  if (isRestored)
    return `Restored ${backup.backupId}; ${since} undone in ${count(differences.length, 'table')}. The previous state is saved as ${previousBackupId ?? ''}.`;
  return `The backup ${backup.backupId} is valid. Restoring it would undo ${since}, in ${count(differences.length, 'table')}.`;
}
