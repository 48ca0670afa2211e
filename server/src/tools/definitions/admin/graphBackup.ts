import { z } from 'zod';
import { ok } from '../../../base/result';
import { backup } from '../../../features/administration/backup';
import { defineTool } from '../../tool';
import { count, failure, textIn } from '../outcome';
import { stampOf } from './stampOf';

export const graphBackup = defineTool({
  name: 'graph_backup',
  title: 'Back up knowledge and work',
  description:
    'Back up everything that people and agents have written in this project (knowledge, work, transactions), and verify the copy. A backup is also created daily. Use before a risky change. Does not include the index, which can be rebuilt.',
  group: 'admin',
  effect: 'write',
  defaultProfile: 'compact',
  input: z.object({ label: z.string().max(200).optional().describe('Reason for the backup') }),
  fields: [
    { key: 'backupId', priority: 'required', description: 'ID for graph_restore' },
    { key: 'counts', priority: 'high', description: 'Number of rows by table' },
    { key: 'sha256', priority: 'high', description: 'Of the backup file' },
    { key: 'createdAt', priority: 'medium', description: 'Time' },
    { key: 'sizeBytes', priority: 'low', description: 'Of the backup file' },
    { key: 'label', priority: 'low', description: 'Reason' },
  ],

  async handle({ workspace }, { label }) {
    const made = await backup(workspace, label);
    if (!made.ok) return failure(made.error);
    const rows = Object.values(made.value.counts).reduce((sum, each) => sum + each, 0);
    return ok({ summary: `Backed up ${count(rows, 'row')} as ${made.value.backupId}.`, data: { ...made.value }, stamp: stampOf(workspace) });
  },

  render: data => `${textIn(data, 'backupId')} sha256 ${textIn(data, 'sha256')}`,
});
