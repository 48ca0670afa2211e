import { z } from 'zod';
import { ok } from '../../../base/result';
import { stampOf } from '../../../features/shared/fresh';
import { dependenciesOf } from '../../../features/work/reading';
import { changeWork } from '../../../features/work/writing';
import { addDependency, removeDependency } from '../../../work/dependencies';
import { defineTool } from '../../tool';
import { failure, rowsIn, textIn } from '../outcome';
import { authorOf } from './rows';

export const manageDependency = defineTool({
  name: 'manage_dependency',
  title: 'Edit dependencies between tasks',
  description:
    'Add or remove a dependency: one task blocks another until it is completed. Cycles are refused. Use to order tasks; for reasons outside the project use block. Returns the dependencies of the blocked task.',
  group: 'work',
  effect: 'destroy',
  defaultProfile: 'compact',
  aliases: { blockerTaskId: 'fromId', blockedTaskId: 'toId' },
  input: z.object({
    operation: z.enum(['add', 'remove']),
    fromId: z.string().describe('The task that blocks'),
    toId: z.string().describe('The task that is blocked'),
  }),
  fields: [{ key: 'dependencies', priority: 'required', description: 'fromId, fromName, fromStatus, toId, toName, toStatus; the changed one first' }],

  async handle(context, { fromId, operation, toId }) {
    const { workspace } = context;
    const decide = operation === 'add' ? addDependency : removeDependency;
    const written = await changeWork(workspace, authorOf(context), (records, who) => decide(records, who, { fromId, toId }));
    if (!written.ok) return failure(written.error);
    const { changed, ...ends } = written.value;
    const verb = operation === 'remove' ? 'no longer blocks' : changed ? 'now blocks' : 'already blocks';
    const isAsked = (row: { readonly fromId: string }): number => (row.fromId === ends.fromId ? 0 : 1);
    const dependencies = [...dependenciesOf(workspace, ends.toId)].sort((a, b) => isAsked(a) - isAsked(b));
    return ok({ summary: `${ends.fromId} ${verb} ${ends.toId}.`, stamp: stampOf(workspace), data: { dependencies } });
  },

  render: data => dependencyLines(rowsIn(data, 'dependencies')).join('\n'),
});

export function dependencyLines(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return rows.map(row => `${textIn(row, 'fromId')} (${textIn(row, 'fromStatus')}) blocks ${textIn(row, 'toId')} (${textIn(row, 'toStatus')})`);
}
