import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import { type ContextAnswer, type GetAnswer, knowledgeContext, knowledgeEntity, knowledgeSearch } from '../../../features/knowledge/answers';
import { paramRef, phrase, toolRef } from '../../../model/hints';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { count, failure, given, missingFields, present } from '../outcome';
import { type Fitted, fitContext, fitEntity, fitHistory, fitSearch } from './fit';
import { renderKnowledge } from './render';

const input = z.object({
  operation: z.enum(['get', 'search', 'context']),
  entityType: z.enum(['atom', 'molecule']).optional().describe('get, search'),
  id: z.string().optional().describe('get'),
  paths: z.array(z.string()).optional().describe('context: files'),
  query: z.string().optional().describe('search: keywords'),
  moleculeId: z.string().optional(),
  orphansOnly: z.boolean().default(false),
  includeChangelog: z.boolean().default(true),
  changelogLimit: z.number().int().min(0).max(100).default(5),
  history: z.boolean().default(false).describe('get: its versions'),
  version: z.number().int().min(1).optional().describe('get: this version'),
  limit: z.number().int().min(1).max(100).default(20),
  offset: z.number().int().min(0).default(0),
});

type Input = z.output<typeof input>;

export const queryGraph = defineTool({
  name: 'query_graph',
  title: 'Read knowledge',
  description:
    'Read what people and agents recorded about the code: rules, constraints, pitfalls. context = all knowledge about files; call it before editing them. Atoms cover files by glob, molecules group atoms; anchors show whether the referenced code has changed since. Not for code itself (graph_query).',
  group: 'knowledge',
  effect: 'read',
  defaultProfile: 'balanced',
  paged: true,
  input,
  foreign: {
    language: phrase`${toolRef('graph_query')} queries the code graph; ${toolRef('query_graph')} reads knowledge.`,
    mode: phrase`${toolRef('graph_query')} queries the code graph; ${toolRef('query_graph')} reads knowledge.`,
    types: phrase`${toolRef('graph_query')} queries the code graph; ${toolRef('query_graph')} reads knowledge.`,
  },
  fields: [
    { key: 'molecules', priority: 'required', description: 'context: molecules with their matching atoms' },
    { key: 'orphanAtoms', priority: 'required', description: 'context: matching atoms without a molecule' },
    { key: 'unmatchedPaths', priority: 'required', description: 'context: files that are not covered' },
    { key: 'atom', priority: 'required', description: 'get: the atom' },
    { key: 'molecule', priority: 'required', description: 'get: the molecule, with the names of its atoms' },
    { key: 'items', priority: 'required', description: 'search: results, name matches first' },
    { key: 'total', priority: 'required', description: 'search, history: total number' },
    { key: 'history', priority: 'required', description: 'get: version, changedFields, taskId, agentId, txId, at' },
    { key: 'deletedAt', priority: 'required', description: 'get: time of deletion, if deleted' },
    { key: 'knowledge', priority: 'high', description: 'Pages: omitted paragraphs, with the ID they belong to' },
    { key: 'limit', priority: 'low', description: 'search: as requested' },
    { key: 'offset', priority: 'low', description: 'search: as requested' },
  ],

  check: asked => missingFields(asked, NEEDS[asked.operation]),

  handle: (context, asked, token) => OPERATIONS[asked.operation](context, asked, token),

  render: renderKnowledge,
});

type Answer = Promise<Result<ToolSuccess, ToolFailure>>;

const NEEDS: Readonly<Record<Input['operation'], readonly (keyof Input)[]>> = { context: ['paths'], get: ['entityType', 'id'], search: ['entityType'] };

const OPERATIONS: Readonly<Record<Input['operation'], (context: ToolContext, asked: Input, token: CancellationToken) => Answer>> = {
  context: contextAnswer,
  get: getAnswer,
  search: searchAnswer,
};

async function contextAnswer(context: ToolContext, { paths, includeChangelog, changelogLimit }: Input, token: CancellationToken): Answer {
  const answer = await knowledgeContext(context.workspace, { paths: present(paths), includeChangelog, changelogLimit }, token);
  if (!answer.ok) return failure(answer.error);
  const fitted = fitContext(answer.value, context.maxTokens, context.cursor?.offset ?? 0);
  return ok({ summary: contextSummary(answer.value), stamp: answer.value.stamp, ...parts(fitted) });
}

async function getAnswer(context: ToolContext, asked: Input, token: CancellationToken): Answer {
  const { includeChangelog, changelogLimit, history, version, limit, offset } = asked;
  const named = { entityType: present(asked.entityType), id: present(asked.id) };
  const answer = await knowledgeEntity(context.workspace, given({ ...named, includeChangelog, changelogLimit, history, version }), token);
  if (!answer.ok) return failure(answer.error);
  const from = context.cursor?.offset ?? (history ? offset : 0);
  const fitted = history ? fitHistory(answer.value, context.maxTokens, { limit, offset: from }) : fitEntity(answer.value, context.maxTokens, from);
  return ok({ summary: getSummary(answer.value), stamp: answer.value.stamp, ...parts(fitted) });
}

async function searchAnswer(context: ToolContext, asked: Input, token: CancellationToken): Answer {
  const { query, moleculeId, orphansOnly, limit } = asked;
  const entityType = present(asked.entityType);
  const params = given({ entityType, query, moleculeId, orphansOnly, limit, offset: context.cursor?.offset ?? asked.offset });
  const answer = await knowledgeSearch(context.workspace, params, token);
  if (!answer.ok) return failure(answer.error);
  const { total, stamp } = answer.value;
  const about = query === undefined ? '' : ` for "${query.slice(0, 60)}"`;
  return ok({ summary: `${count(total, entityType)} found${about}.`, stamp, ...parts(fitSearch(answer.value, context.maxTokens)) });
}

function parts({ data, page, heldBack }: Fitted): Pick<ToolSuccess, 'data' | 'page' | 'hint'> {
  const way = page?.key === 'history' ? phrase`omit ${paramRef('history')}` : phrase`use ${paramRef('cursor')}`;
  const hint = heldBack === 0 ? {} : { hint: phrase`Text of ${count(heldBack, 'item')} omitted. To read it, ${way}, or use ${paramRef('profile', 'debug')}.` };
  return { data, ...(page === undefined ? {} : { page }), ...hint };
}

function contextSummary({ molecules, orphanAtoms, unmatchedPaths }: ContextAnswer): string {
  const atoms = [...molecules.flatMap(molecule => molecule.atoms), ...orphanAtoms];
  const moved = atoms.filter(atom => atom.anchors?.changed !== undefined || atom.anchors?.gone !== undefined).length;
  const parts = [
    atoms.length === 0
      ? 'There is no knowledge about these files'
      : `${count(atoms.length, 'atom')} in ${count(molecules.length, 'molecule')} ${atoms.length === 1 ? 'covers' : 'cover'} these files`,
    ...(unmatchedPaths.length === 0 ? [] : [`${count(unmatchedPaths.length, 'path')} not covered`]),
    ...(moved === 0 ? [] : [`the code of ${count(moved, 'atom')} has changed since`]),
  ];
  return `${parts.join('; ')}.`;
}

function getSummary(answer: GetAnswer): string {
  const entity = 'atom' in answer ? answer.atom : answer.molecule;
  const scope = 'atom' in answer ? `${count(answer.atom.paths.length, 'pattern')}` : `${count(answer.molecule.atoms.length, 'atom')}`;
  const name = `${'atom' in answer ? 'Atom' : 'Molecule'} ${entity.name.replace(/\s+/g, ' ').slice(0, 80)}`;
  const versions = answer.history === undefined ? '' : `, ${count(answer.history.length, 'version')} in its history`;
  return `${name}, version ${entity.version}, ${scope}${versions}.${answer.deletedAt === undefined ? '' : ` It was deleted at ${answer.deletedAt}.`}`;
}
