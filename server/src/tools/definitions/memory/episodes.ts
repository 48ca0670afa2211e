import { z } from 'zod';
import { err, ok, type Result } from '../../../base/result';
import { type RecallAnswer, recall, recallDecisions } from '../../../features/memory/recall';
import { reflectOn, remember } from '../../../features/memory/remember';
import { stampOf } from '../../../features/shared/fresh';
import { open, type Shaped, shape } from '../../../features/shared/shape';
import { EPISODE_OUTCOMES, EPISODE_TYPES, RECORDED_TYPES } from '../../../memory/entities';
import { MIN_SOURCES } from '../../../memory/reflection';
import { paramRef, phrase, toolRef } from '../../../model/hints';
import { defineTool, type FieldRule, type Tool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';
import { authorOf } from '../work/rows';
import { limit, memoryLine, shortRows } from './rows';

const episodeAdd = defineTool({
  name: 'episode_add',
  title: 'Record an episode',
  description:
    'Record what you did, decided or ran into, so that later sessions and other agents know. DECISION: a choice others must respect (metadata title, rationale, tradeoffs[], affectedFiles[]). EDIT: after changing a file (file, diffSummary, linesBefore, linesAfter, reason). TEST_RESULT (passed, failed, testFiles[]); test_run records its own. ERROR (errorType, stackSummary). OBSERVATION: something worth knowing. Facts about an area of the code belong in manage_graph. Credentials are masked. Returns episodeId.',
  group: 'memory',
  effect: 'write',
  defaultProfile: 'compact',
  input: z.object({
    type: z.enum(RECORDED_TYPES),
    content: z.string().describe('What happened, at most 8 KB'),
    entities: z.array(z.string()).optional().describe('Files and symbols involved: IDs, paths, path#symbol; at most 50'),
    taskId: z.string().optional(),
    outcome: z.enum(EPISODE_OUTCOMES).optional(),
    metadata: z.record(z.string(), z.unknown()).optional().describe('Required fields depend on the type'),
    sensitive: z.boolean().default(false).describe('Hide it from all results'),
  }),
  fields: [
    { key: 'episodeId', priority: 'required', description: 'ID of the episode' },
    { key: 'masked', priority: 'high', description: 'true: something looked like a credential; it was masked and the episode is sensitive' },
  ],

  async handle(context, input, token) {
    const { content, type } = input;
    const { entities, metadata, outcome, sensitive, taskId } = input;
    const added = await remember(context.workspace, authorOf(context), { type, content, sensitive, ...given({ entities, metadata, outcome, taskId }) }, token);
    if (!added.ok) return failure(added.error);
    const { episode, masked } = added.value;
    return ok({
      summary: `${type} recorded.`,
      stamp: stampOf(context.workspace),
      data: { episodeId: episode.id, ...(masked ? { masked } : {}) },
      ...(masked ? { hint: 'Something in it looked like a credential. It was masked, and the episode does not appear in results.' } : {}),
    });
  },

  render: data => textIn(data, 'episodeId'),
});

const recalledShape = shape(() =>
  open({
    /** How many match. */
    count: z.number(),
  }),
);

/** A query that asks for what there is, not for what is about something. */
const ANYTHING = '*';

const RECALLED: readonly FieldRule[] = [
  {
    key: 'episodes',
    priority: 'required',
    description: 'Best first: id, type, content, agentId, timestamp, entities, anchors (current, changed, gone), score',
  },
  { key: 'count', priority: 'high', description: 'Number of matches' },
];

const episodeRecall = defineTool({
  name: 'episode_recall',
  title: 'Recall episodes',
  description:
    'Find what agents did, decided, tried and learned before, by words, recency and closeness to the code you name. Use before you start and before you decide something again. For decisions about files use decision_query; for facts about an area use query_graph. Returns episodes with score and whether their code has changed; LEARNING in types adds what was derived.',
  group: 'memory',
  effect: 'read',
  defaultProfile: 'compact',
  paged: false,
  input: z.object({
    query: z.string(),
    agentId: z.string().optional().describe('Only episodes of this agent'),
    taskId: z.string().optional(),
    types: z.array(z.enum([...EPISODE_TYPES, 'LEARNING'])).optional(),
    entities: z.array(z.string()).optional().describe('Files and symbols you are working on'),
    limit,
    since: z.string().optional().describe('ISO-8601'),
    includeSensitive: z.boolean().default(false).describe('Needs the admin tools'),
  }),
  fields: RECALLED,

  async handle(context, input, token) {
    const { includeSensitive, query } = input;
    if (includeSensitive && !context.isAdmin) return err(needsAdmin());
    const { agentId, entities, since, taskId, types } = input;
    const asked = { query, limit: input.limit, includeSensitive, ...given({ agentId, entities, since, taskId, types }) };
    return recalled(context, query, await recall(context.workspace, asked, token));
  },

  render: renderEpisodes,
});

function needsAdmin(): ToolFailure {
  return {
    code: 'FORBIDDEN',
    message: 'Sensitive episodes are only shown where the admin tools are enabled.',
    hint: phrase`Omit ${paramRef('includeSensitive')}. The user can start the server with --tools full,admin.`,
  };
}

const decisionQuery = defineTool({
  name: 'decision_query',
  title: 'Find decisions',
  description:
    'Find decisions that were made, those about the given files first. Use before you change how something works. Returns episodes of type DECISION with title, rationale and tradeoffs in metadata, and whether their code has changed since.',
  group: 'memory',
  effect: 'read',
  defaultProfile: 'compact',
  input: z.object({
    query: z.string(),
    affectedFiles: z.array(z.string()).optional().describe('Files in question'),
    limit,
  }),
  fields: RECALLED,
  answer: recalledShape,
  handle: async (context, { affectedFiles, limit: most, query }, token) =>
    recalled(context, query, await recallDecisions(context.workspace, { query, limit: most, ...given({ affectedFiles }) }, token)),
  render: renderEpisodes,
});

function recalled(
  context: ToolContext,
  query: string,
  answer: Awaited<ReturnType<typeof recall>>,
): Result<ToolSuccess<Shaped<typeof recalledShape>>, ToolFailure> {
  if (!answer.ok) return failure(answer.error);
  const { count: total, episodes, stamp }: RecallAnswer = answer.value;
  const sized = fittedRows(episodes, context);
  return ok({ summary: recalledSummary(query, answer.value), stamp, data: { episodes: sized, count: total }, keepsEmpty: true });
}

function recalledSummary(query: string, { count: total, episodes }: RecallAnswer): string {
  const [best] = episodes;
  const isListing = query.trim() === ANYTHING;
  if (best === undefined) return isListing ? 'Nothing has been recorded.' : 'Nothing was recorded about that.';
  if (isListing) return total > episodes.length ? `The latest ${episodes.length} of ${total} records.` : `${count(total, 'record')}.`;
  return `${count(total, 'match', 'matches')}. Best: ${best.type} of ${best.timestamp.slice(0, 10)} by ${best.agentId}.`;
}

/** Whole rows where there is room for them, else the short ones. */
function fittedRows(episodes: RecallAnswer['episodes'], { maxTokens, profile }: ToolContext): readonly Readonly<Record<string, unknown>>[] {
  const isSmall = profile === 'compact' || JSON.stringify(episodes).length / 4 > maxTokens;
  return shortRows(episodes, isSmall);
}

function renderEpisodes(data: Readonly<Record<string, unknown>>): string {
  return rowsIn(data, 'episodes').map(memoryLine).join('\n');
}

const reflectTool = defineTool({
  name: 'reflect',
  title: 'Reflect on episodes',
  description:
    'Look for patterns in the latest episodes of a task or agent: files edited again and again, decisions followed by failures, the same looked up repeatedly. Stores a reflection, and a learning for each pattern with enough confidence. Runs automatically when a task is closed. Returns reflectionId (null below 3 episodes) and learningsCreated.',
  group: 'memory',
  effect: 'write',
  defaultProfile: 'compact',
  input: z.object({
    taskId: z.string().optional(),
    agentId: z.string().optional().describe('Episodes of this agent'),
    limit: z.number().int().min(3).max(200).default(20),
  }),
  fields: [
    { key: 'reflectionId', priority: 'required', description: 'ID of the reflection; null if there were too few episodes' },
    { key: 'learningsCreated', priority: 'required', description: 'Number of new or renewed learnings' },
    { key: 'insight', priority: 'high', description: 'Summary of what was found' },
    { key: 'patterns', priority: 'medium', description: 'kind, entities, count, confidence, text' },
  ],

  async handle(context, { agentId, limit: most, taskId }, token) {
    const answer = await reflectOn(context.workspace, authorOf(context), { limit: most, ...given({ agentId, taskId }) }, token);
    if (!answer.ok) return failure(answer.error);
    const { insight, learningsCreated, patterns, reflectionId, sources } = answer.value;
    const isEmpty = reflectionId === null;
    return ok({
      summary: isEmpty
        ? `Nothing to reflect on: ${count(sources, 'episode')}.`
        : `${count(patterns.length, 'pattern')}, ${count(learningsCreated, 'learning')} created from ${count(sources, 'episode')}.`,
      stamp: stampOf(context.workspace),
      data: { reflectionId, learningsCreated, insight, patterns },
      keepsEmpty: true,
      ...(isEmpty ? { hint: phrase`At least ${MIN_SOURCES} episodes are needed. Record more with ${toolRef('episode_add')}.` } : {}),
    });
  },

  render: data =>
    [
      textIn(data, 'insight'),
      ...block(
        'Patterns',
        rowsIn(data, 'patterns').map(row => `${textIn(row, 'confidence')} ${textIn(row, 'text')}`),
      ),
    ].join('\n'),
});

export const EPISODE_TOOLS: readonly Tool[] = [episodeAdd, episodeRecall, decisionQuery, reflectTool];
