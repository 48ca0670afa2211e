import { z } from 'zod';
import { ok } from '../../../base/result';
import { knowledgeChangelog } from '../../../features/knowledge/answers';
import { logKnowledge } from '../../../features/knowledge/edits';
import { defineTool } from '../../tool';
import { count, failure, missingFields, present, rowsIn, textIn } from '../outcome';

export const manageChangelog = defineTool({
  name: 'manage_changelog',
  title: 'Read or extend the changelog',
  description:
    'Add an entry to the changelog of an atom or molecule (what changed in its area, and why), or list entries, newest first. Use after significant changes. Entries cannot be changed. query_graph also returns the latest entries.',
  group: 'knowledge',
  effect: 'write',
  defaultProfile: 'balanced',
  paged: true,
  input: z.object({
    operation: z.enum(['append', 'search']),
    parentType: z.enum(['atom', 'molecule']),
    parentId: z.string(),
    taskId: z.string().optional().describe("append: task ID, or 'manual'"),
    summary: z.string().optional().describe('append: what changed and why'),
    limit: z.number().int().min(1).max(100).default(20),
    offset: z.number().int().min(0).default(0),
  }),
  fields: [
    { key: 'id', priority: 'required', description: 'append: ID of the entry' },
    { key: 'parentId', priority: 'required', description: 'append: ID of the atom or molecule' },
    { key: 'entries', priority: 'required', description: 'search: entries, newest first' },
    { key: 'total', priority: 'required', description: 'search: total number of entries' },
    { key: 'createdAt', priority: 'medium', description: 'append: time' },
    { key: 'parentType', priority: 'low', description: 'append: atom or molecule' },
    { key: 'taskId', priority: 'low', description: 'append: as stored' },
    { key: 'limit', priority: 'low', description: 'search: as requested' },
    { key: 'offset', priority: 'low', description: 'search: as requested' },
    { key: 'summary', priority: 'low', description: 'append: as stored' },
  ],

  check: asked => (asked.operation === 'append' ? missingFields(asked, ['summary', 'taskId']) : undefined),

  async handle(context, { operation, parentType, parentId, taskId, summary, limit, offset }, token) {
    const { workspace, agentId, sessionId, idempotencyKey } = context;
    if (operation === 'search') {
      const found = await knowledgeChangelog(workspace, { parentType, parentId, limit, offset: context.cursor?.offset ?? offset }, token);
      if (!found.ok) return failure(found.error);
      const { stamp, ...data } = found.value;
      const page = { key: 'entries', offset: data.offset, total: data.total, count: data.entries.length };
      return ok({ summary: `${count(data.total, 'entry', 'entries')}.`, data, stamp, page });
    }
    const entry = { parentType, parentId, taskId: present(taskId), summary: present(summary) };
    const logged = await logKnowledge(workspace, { agentId, sessionId, key: idempotencyKey }, entry);
    if (!logged.ok) return failure(logged.error);
    return ok({ summary: `Entry added to the ${parentType}.`, data: { ...logged.value.entry }, stamp: logged.value.stamp });
  },

  render(data) {
    if (!Array.isArray(data['entries'])) return textIn(data, 'id');
    return rowsIn(data, 'entries')
      .map(entry => `${textIn(entry, 'createdAt')} ${textIn(entry, 'summary')} (${textIn(entry, 'taskId')})`)
      .join('\n');
  },
});
