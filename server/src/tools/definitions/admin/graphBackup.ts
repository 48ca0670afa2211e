import { z } from 'zod';
import { ok } from '../../../base/result';
import { backup } from '../../../features/administration/backup';
import { defineTool } from '../../tool';
import { failure, textIn } from '../outcome';
import { stampOf } from './stampOf';

export const graphBackup = defineTool({
  name: 'graph_backup',
  title: 'Back up knowledge and work',
  description:
    'Keeps a copy of everything that people and agents wrote in this project (knowledge, work, transactions), read back and compared before it counts. One is made daily by itself; use this before a risky change. The index is not in it: it can be rebuilt.',
  group: 'admin',
  effect: 'write',
  defaultProfile: 'compact',
  input: z.object({ label: z.string().max(200).optional().describe('Why it was made') }),
  fields: [
    { key: 'backupId', priority: 'required', description: 'What graph_restore takes' },
    { key: 'counts', priority: 'high', description: 'Rows by table' },
    { key: 'sha256', priority: 'high', description: 'Of the file' },
    { key: 'createdAt', priority: 'medium', description: 'Time' },
    { key: 'sizeBytes', priority: 'low', description: 'Of the file' },
    { key: 'label', priority: 'low', description: 'As given' },
  ],

  async handle({ workspace }, { label }) {
    const made = await backup(workspace, label);
    if (!made.ok) return failure(made.error);
    const rows = Object.values(made.value.counts).reduce((sum, count) => sum + count, 0);
    return ok({ summary: `Backed up ${rows} rows as ${made.value.backupId}.`, data: { ...made.value }, stamp: stampOf(workspace) });
  },

  render: data => `${textIn(data, 'backupId')} sha256 ${textIn(data, 'sha256')}`,
});
