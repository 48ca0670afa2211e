import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { err, ok, type Result } from '../../../base/result';
import { type ContextAnswer, knowledgeContext } from '../../../features/knowledge/answers';
import { stampOf } from '../../../features/shared/fresh';
import { type ContainerAnswer, getContainer } from '../../../features/work/reading';
import { contextFiles } from '../../../work/contextFiles';
import { STATUSES } from '../../../work/entities';
import { listWork, overview } from '../../../work/lists';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { fitContext } from '../knowledge/fit';
import { renderKnowledge } from '../knowledge/render';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';
import { containerType, limit, offset } from './inputs';
import { lacking } from './manageContainer';
import { dependencyLines } from './manageDependency';
import { entityLines, fitted, fittedSections, itemRow, lineOf, OUTLINE_HINT, sectionLines } from './rows';

const input = z.object({
  operation: z.enum(['get', 'search', 'overview']),
  containerType: containerType.optional().describe('get finds out by itself; search takes task when not given'),
  id: z.string().optional().describe('For get'),
  query: z.string().optional().describe('Words that all occur in name or summary'),
  status: z.array(z.enum(STATUSES)).optional().describe('Any of them'),
  tags: z.array(z.string()).optional().describe('All of them'),
  featureId: z.string().optional().describe('Only tasks of this feature'),
  includeGraphContext: z.boolean().default(false).describe('get of a task: what is known about its Context Files'),
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
    'Reads work: get one feature or task with its sections and dependencies (with includeGraphContext also what is known about its files), search by words, status and tags, or overview: features with their tasks counted. Use get before you begin a task; get_next_task finds one.',
  group: 'work',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { parentId: 'featureId' },
  input,
  fields: [
    { key: 'task', priority: 'required', description: 'get: the task' },
    { key: 'feature', priority: 'required', description: 'get: the feature' },
    { key: 'sections', priority: 'required', description: 'get: in reading order, with their text as far as it fits' },
    { key: 'dependencies', priority: 'required', description: 'get of a task: fromId blocks toId, with names and statuses' },
    { key: 'tasks', priority: 'required', description: 'get of a feature: its tasks' },
    { key: 'graphContext', priority: 'required', description: 'molecules, orphanAtoms, unmatchedPaths of the Context Files' },
    { key: 'items', priority: 'required', description: 'search: name hits first, then by priority, order and age' },
    { key: 'features', priority: 'required', description: 'overview: id, name, status, counts per status, total, percentComplete' },
    { key: 'withoutFeature', priority: 'high', description: 'overview: counts of tasks without a feature' },
    { key: 'total', priority: 'high', description: 'How many there are' },
    { key: 'history', priority: 'high', description: 'get: version, changedFields, agentId, txId, at, reason' },
    { key: 'limit', priority: 'low', description: 'As asked' },
    { key: 'offset', priority: 'low', description: 'As asked' },
  ],

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
      ...(typeof graphContext === 'object' && graphContext !== null ? block('Knowledge', renderKnowledge({ ...graphContext }).split('\n')) : []),
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

/** Shares of the budget: of the sections, and of what is known about the files. */
const SECTIONS_SHARE = 0.4;
const SECTIONS_BESIDE_KNOWLEDGE = 0.15;
const KNOWLEDGE_SHARE = 0.5;

async function get(context: ToolContext, asked: Input, token: CancellationToken): Answer {
  const { workspace } = context;
  if (asked.id === undefined) return err(lacking('id'));
  const found = getContainer(workspace, { id: asked.id, type: asked.containerType, history: asked.history });
  if (!found.ok) return failure(found.error);
  const { container, dependencies, history, sections, tasks } = found.value;
  const wantsKnowledge = asked.includeGraphContext && container.type === 'task';
  const known = wantsKnowledge ? await knowledgeContext(workspace, { paths: contextFiles(sections) }, token) : undefined;
  if (known?.ok === false) return failure(known.error);
  const { isOutline, rows } = fittedSections(context, sections, wantsKnowledge ? SECTIONS_BESIDE_KNOWLEDGE : SECTIONS_SHARE);
  const knowledge = known === undefined ? undefined : graphContext(context, known.value);
  return ok({
    summary: getSummary(found.value),
    stamp: known === undefined ? stampOf(workspace) : known.value.stamp,
    data: {
      [container.type]: fitted(context, container),
      sections: rows,
      ...(container.type === 'task' ? { dependencies } : { tasks: tasks.map(itemRow) }),
      ...(knowledge === undefined ? {} : { graphContext: knowledge.data }),
      ...(history === undefined ? {} : { history }),
    },
    ...given({ hint: [isOutline ? OUTLINE_HINT : '', knowledge?.hint ?? ''].filter(text => text !== '').join(' ') || undefined }),
  });
}

function graphContext(context: ToolContext, answer: ContextAnswer): { readonly data: unknown; readonly hint: string } {
  const { data, heldBack } = fitContext(answer, context.maxTokens * KNOWLEDGE_SHARE, 0);
  return { data, hint: heldBack === 0 ? '' : 'query_graph context with the Context Files gives the knowledge that was held back.' };
}

function getSummary({ container, dependencies, sections, tasks }: ContainerAnswer): string {
  const { name, status, type, version } = container;
  const open = dependencies.filter(row => row.toId === container.id && row.fromStatus !== 'completed').length;
  const blocked = open > 0 ? `, blocked by ${count(open, 'task')}` : '';
  const parts = [`${count(sections.length, 'section')}`, ...(type === 'feature' ? [count(tasks.length, 'task')] : [])];
  return `${type === 'task' ? 'Task' : 'Feature'} ${name.replace(/\s+/g, ' ').slice(0, 80)} is ${status}${blocked} (version ${version}, ${parts.join(', ')}).`;
}
