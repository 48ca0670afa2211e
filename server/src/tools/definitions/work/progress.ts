import { z } from 'zod';
import { ok } from '../../../base/result';
import { stampOf } from '../../../features/shared/fresh';
import { blockingIssues, featureStatus } from '../../../features/work/featureStatus';
import { STATUSES } from '../../../work/entities';
import { listWork, type StatusCounts } from '../../../work/lists';
import { defineTool } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';
import { containerType, limit, offset } from './inputs';
import { itemRow, lineOf } from './rows';

export const progressQuery = defineTool({
  name: 'progress_query',
  title: 'Show progress',
  description:
    'List tasks or features with their status, and count all matches by status. Use to see what is assigned to an agent, what is blocked, or the progress of a feature. For a single item use query_container get. Returns items, counts and total.',
  group: 'work',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { containerType: 'type' },
  input: z.object({
    type: containerType.default('task'),
    status: z.array(z.enum(STATUSES)).optional().describe('Any of these'),
    featureId: z.string().optional(),
    agentId: z.string().optional().describe('Tasks assigned to this agent'),
    blockedOnly: z.boolean().default(false).describe('Blocked manually or by an unfinished task'),
    query: z.string().optional().describe('Keywords that all occur in the name or summary'),
    limit,
    offset,
  }),
  fields: [
    { key: 'items', priority: 'required', description: 'By priority, order and age: id, name, status, priority, version, blockedBy' },
    { key: 'counts', priority: 'required', description: 'Number of matches per status' },
    { key: 'total', priority: 'high', description: 'Number of matches' },
  ],

  async handle(context, asked) {
    const first = context.cursor?.offset ?? asked.offset;
    const { agentId, blockedOnly, featureId, query, status, type } = asked;
    const filter = { type, blockedOnly, ...given({ status, featureId, agentId, query }) };
    const { counts, items, total } = listWork(context.workspace.records, filter, { limit: asked.limit, offset: first });
    return ok({
      summary: `${count(total, type)}${total === 0 ? '' : `: ${countsSentence(counts)}`}.`,
      stamp: stampOf(context.workspace),
      data: { items: items.map(itemRow), counts, total },
      page: { key: 'items', offset: first, total, count: items.length },
    });
  },

  render: data => rowsIn(data, 'items').map(lineOf).join('\n'),
});

export const featureStatusTool = defineTool({
  name: 'feature_status',
  title: 'Show feature status',
  description:
    'Show the status of a feature: tasks by status, percent complete, blockers, who is working on it, and how much of the code named in its tasks is indexed, tested and covered by knowledge. Returns numbers; to list the tasks use progress_query.',
  group: 'work',
  effect: 'read',
  defaultProfile: 'compact',
  aliases: { id: 'featureId' },
  input: z.object({ featureId: z.string() }),
  fields: [
    { key: 'counts', priority: 'required', description: 'Tasks per status' },
    { key: 'percentComplete', priority: 'required', description: 'completed / (total − terminated), whole percent' },
    { key: 'blockers', priority: 'high', description: 'Blocked tasks with their reasons' },
    { key: 'activeClaims', priority: 'high', description: 'Active claims on the feature, its tasks or their files' },
    { key: 'codeCoverage', priority: 'high', description: 'Indexed nodes named in its tasks: implementing; of these tested, withAtoms' },
    { key: 'feature', priority: 'medium', description: 'id, name, status' },
  ],

  async handle(context, { featureId }, token) {
    const answer = await featureStatus(context.workspace, featureId, token);
    if (!answer.ok) return failure(answer.error);
    const { stamp, ...data } = answer.value;
    const { blockers, counts, feature, percentComplete } = data;
    const blocked = blockers.length === 0 ? '' : `; ${count(blockers.length, 'task')} blocked`;
    return ok({
      summary: `${feature.name.replace(/\s+/g, ' ').slice(0, 80)} is ${feature.status}, ${percentComplete}% complete: ${countsSentence(counts)}${blocked}.`,
      stamp,
      data,
    });
  },

  render(data) {
    const { codeCoverage } = data as { readonly codeCoverage?: Readonly<Record<string, number>> };
    return [
      ...block('Blocked', blockedLines(rowsIn(data, 'blockers'))),
      ...(codeCoverage === undefined
        ? []
        : [
            `Code: ${Object.entries(codeCoverage)
              .map(([key, value]) => `${key} ${value}`)
              .join(', ')}`,
          ]),
      ...block(
        'Claims',
        rowsIn(data, 'activeClaims').map(row => `${textIn(row, 'agentId')}: ${textIn(row, 'targetId')} ${textIn(row, 'intent')}`),
      ),
    ].join('\n');
  },
});

export const blockingIssuesTool = defineTool({
  name: 'blocking_issues',
  title: 'Show blocking issues',
  description:
    'List what is blocking work: tasks blocked manually or by open or terminated tasks, claims of other agents on open tasks or their files, and failed tests. Use when get_next_task returns nothing. Returns blocked tasks with reasons, claimConflicts and failedTests.',
  group: 'work',
  effect: 'read',
  defaultProfile: 'compact',
  input: z.object({ featureId: z.string().optional().describe('Only tasks of this feature') }),
  fields: [
    { key: 'blocked', priority: 'required', description: 'task (id, name, status) with reasons (kind open, terminated or manual, id, name, status, reason)' },
    { key: 'claimConflicts', priority: 'required', description: 'Claims of other agents on open tasks or their Context Files' },
    { key: 'failedTests', priority: 'required', description: 'Of open tasks' },
  ],

  async handle(context, { featureId }) {
    const answer = blockingIssues(context.workspace, { featureId, agentId: context.agentId });
    if (!answer.ok) return failure(answer.error);
    const { blocked, claimConflicts, failedTests } = answer.value;
    return ok({
      summary: `${count(blocked.length, 'blocked task')}, ${count(claimConflicts.length, 'claim conflict')}, ${count(failedTests.length, 'failed test run')}.`,
      stamp: stampOf(context.workspace),
      data: { blocked, claimConflicts, failedTests },
    });
  },

  render: data =>
    [
      ...blockedLines(rowsIn(data, 'blocked')),
      ...block(
        'Claims',
        rowsIn(data, 'claimConflicts').map(row => `${textIn(row, 'agentId')}: ${textIn(row, 'targetId')} ${textIn(row, 'intent')}`),
      ),
      ...block(
        'Failed tests',
        rowsIn(data, 'failedTests').map(row => `${textIn(row, 'taskId')}: ${textIn(row, 'failed')}`),
      ),
    ].join('\n'),
});

function countsSentence(counts: StatusCounts): string {
  return STATUSES.filter(status => counts[status] > 0)
    .map(status => `${counts[status]} ${status}`)
    .join(', ');
}

function blockedLines(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return rows.map(row => {
    const task = row['task'] as Readonly<Record<string, unknown>>;
    return `${textIn(task, 'id')} ${textIn(task, 'name')}: ${rowsIn(row, 'reasons')
      .map(reason => textIn(reason, 'reason'))
      .join('; ')}`;
  });
}
