import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import { knowledgeContext } from '../../../features/knowledge/answers';
import { stampOf } from '../../../features/shared/fresh';
import { type ContainerAnswer, getContainer } from '../../../features/work/reading';
import { contextFiles } from '../../../work/contextFiles';
import { STATUSES } from '../../../work/entities';
import { listWork, overview } from '../../../work/lists';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { renderKnowledge } from '../knowledge/render';
import { block, count, failure, given, missingFields, present, rowsIn, textIn } from '../outcome';
import { containerType, limit, offset } from './inputs';
import { itemAnswer } from './itemAnswer';
import { dependencyLines } from './manageDependency';
import { entityLines, itemRow, lineOf, sectionLines } from './rows';

const input = z.object({
  operation: z.enum(['get', 'search', 'overview']),
  containerType: containerType.optional().describe('Detected for get. Default for search: task'),
  id: z.string().optional().describe('get: ID'),
  query: z.string().optional().describe('Keywords that all occur in the name or summary'),
  status: z.array(z.enum(STATUSES)).optional().describe('Any of these'),
  tags: z.array(z.string()).optional().describe('All of these'),
  featureId: z.string().optional().describe('Only tasks of this feature'),
  includeGraphContext: z.boolean().default(false).describe('get of a task: knowledge about its Context Files'),
  history: z.boolean().default(false).describe('get: its versions, newest first'),
  limit,
  offset,
});
type Input = z.output<typeof input>;
type Answer = Promise<Result<ToolSuccess, ToolFailure>>;

export const queryContainer = defineTool({
  name: 'query_container',
  title: 'Read features and tasks',
  description:
    'Read work: get one feature or task with its sections and dependencies (with includeGraphContext, also the knowledge about its files), search by keywords, status and tags, or overview: features with task counts. Use get before you start a task. To find one use get_next_task.',
  group: 'work',
  effect: 'read',
  defaultProfile: 'balanced',
  paged: true,
  aliases: { parentId: 'featureId' },
  input,
  fields: [
    { key: 'task', priority: 'required', description: 'get: the task' },
    { key: 'feature', priority: 'required', description: 'get: the feature' },
    { key: 'sections', priority: 'high', description: 'get: in reading order, with their text if it fits' },
    { key: 'dependencies', priority: 'high', description: 'get of a task: fromId blocks toId, with names and statuses' },
    { key: 'tasks', priority: 'high', description: 'get of a feature: its tasks' },
    { key: 'graphContext', priority: 'high', description: 'molecules, orphanAtoms, unmatchedPaths of the Context Files' },
    { key: 'items', priority: 'required', description: 'search: name matches first, then by priority, order and age' },
    { key: 'features', priority: 'required', description: 'overview: id, name, status, counts per status, total, percentComplete' },
    { key: 'withoutFeature', priority: 'high', description: 'overview: counts of tasks without a feature' },
    { key: 'total', priority: 'high', description: 'Total number' },
    { key: 'history', priority: 'low', description: 'get: version, changedFields, agentId, txId, at, reason' },
    { key: 'limit', priority: 'low', description: 'As requested' },
    { key: 'offset', priority: 'low', description: 'As requested' },
  ],

  check: asked => (asked.operation === 'get' ? missingFields(asked, ['id']) : undefined),

  handle: (context, asked, token) => OPERATIONS[asked.operation](context, asked, token),

  render(data) {
    const graphContext = data['graphContext'];
    return [
      ...entityLines(data['task'] ?? data['feature']),
      ...sectionLines(rowsIn(data, 'sections')),
      ...block('Dependencies', dependencyLines(rowsIn(data, 'dependencies'))),
      ...rowsIn(data, 'tasks').map(lineOf),
      ...rowsIn(data, 'items').map(lineOf),
      ...rowsIn(data, 'features').map(row => `${textIn(row, 'id')} ${textIn(row, 'status')} ${textIn(row, 'percentComplete')}% ${textIn(row, 'name')}`),
      ...block(
        'History',
        rowsIn(data, 'history').map(
          row => `v${textIn(row, 'version')} ${textIn(row, 'at')} ${textIn(row, 'agentId')} ${(row['changedFields'] as readonly string[]).join(', ')}`,
        ),
      ),
      ...(typeof graphContext === 'object' && graphContext !== null
        ? block(
            'Knowledge',
            renderKnowledge({ ...graphContext })
              .split('\n')
              .filter(line => line !== ''),
          )
        : []),
    ].join('\n');
  },
});

const OPERATIONS: Readonly<Record<Input['operation'], (context: ToolContext, asked: Input, token: CancellationToken) => Answer>> = {
  get,
  search: async (context, asked) => {
    const { workspace } = context;
    const first = context.cursor?.offset ?? asked.offset;
    const filter = given({ status: asked.status, tags: asked.tags, featureId: asked.featureId, query: asked.query });
    const { items, total } = listWork(workspace.records, { type: asked.containerType ?? 'task', ...filter }, { limit: asked.limit, offset: first });
    return ok({
      summary: `${count(total, asked.containerType ?? 'task')} found.`,
      stamp: stampOf(workspace),
      data: { items: items.map(itemRow), total, limit: asked.limit, offset: first },
      page: { key: 'items', offset: first, total, count: items.length },
    });
  },
  overview: async (context, asked) => {
    const all = overview(context.workspace.records);
    const first = context.cursor?.offset ?? asked.offset;
    const features = all.features.slice(first, first + asked.limit).map(({ feature, counts, percentComplete, total }) => {
      const { id, name, priority, status } = feature;
      return { id, name, status, priority, counts, total, percentComplete };
    });
    const open = all.features.filter(({ feature }) => feature.status !== 'completed' && feature.status !== 'terminated').length;
    return ok({
      summary: `${count(all.features.length, 'feature')}, ${open} open.`,
      stamp: stampOf(context.workspace),
      data: { features, withoutFeature: all.withoutFeature, total: all.features.length },
      page: { key: 'features', offset: first, total: all.features.length, count: features.length },
    });
  },
};

async function get(context: ToolContext, asked: Input, token: CancellationToken): Answer {
  const { workspace } = context;
  const found = getContainer(workspace, { id: present(asked.id), type: asked.containerType, history: asked.history });
  if (!found.ok) return failure(found.error);
  const { container, sections } = found.value;
  const wantsKnowledge = asked.includeGraphContext && container.type === 'task';
  const known = wantsKnowledge ? await knowledgeContext(workspace, { paths: contextFiles(sections) }, token) : undefined;
  if (known?.ok === false) return failure(known.error);
  const { data, hint } = itemAnswer(context, found.value, known?.value);
  const stamp = known === undefined ? stampOf(workspace) : known.value.stamp;
  return ok({ summary: getSummary(found.value), stamp, data, keepsEmpty: true, ...(hint === '' ? {} : { hint }) });
}

function getSummary({ container, dependencies, sections, tasks }: ContainerAnswer): string {
  const { name, status, type, version } = container;
  const open = dependencies.filter(row => row.toId === container.id && row.fromStatus !== 'completed').length;
  const blocked = open > 0 ? `, blocked by ${count(open, 'task')}` : '';
  const parts = [`${count(sections.length, 'section')}`, ...(type === 'feature' ? [count(tasks.length, 'task')] : [])];
  return `${type === 'task' ? 'Task' : 'Feature'} ${name.replace(/\s+/g, ' ').slice(0, 80)} is ${status}${blocked} (version ${version}, ${parts.join(', ')}).`;
}
