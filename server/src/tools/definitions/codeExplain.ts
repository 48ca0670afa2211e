import { z } from 'zod';
import { ok } from '../../base/result';
import { endpointFlow } from '../../features/architecture/services/endpointFlow';
import { type ExplainAnswer, explain, type Neighbor } from '../../features/explain/explain';
import { FACT_CONFIDENCE } from '../../model/evidence';
import type { Profile } from '../envelope';
import { estimateTokens, fillSlot } from '../shaping';
import { defineTool } from '../tool';
import { block, candidateHint, count, failure, rowsIn, staleMark, textIn } from './outcome';

/** Most neighbors per side. */
const NEIGHBORS: Readonly<Record<Profile, number>> = { compact: 5, balanced: 10, debug: 50 };
/** Commits of a history. */
const DEFAULT_VERSIONS = 10;
/** Steps of the flow of an endpoint. */
const MAX_STEPS = 40;
/** Share of the budget for each side: who uses it matters more than what it uses. */
const SHARES = { dependents: 0.28, dependencies: 0.18, links: 0.18 } as const;

export const codeExplain = defineTool({
  name: 'code_explain',
  title: 'Explain symbol or file',
  description:
    'Explain a symbol or file: what it is, its dependencies, dependents and tests. Use before reading or changing code you can name. For source use semantic_slice; for the effects of a change, impact_analyze. Confidence < 0.8 means possible, not certain.',
  group: 'core',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { element: 'target', symbol: 'target', node_id: 'target' },
  input: z.object({
    target: z.string().min(1).describe('ID, path, path#symbol, Class.method, unique name'),
    depth: z.number().int().min(1).max(3).default(1),
    history: z.boolean().default(false).describe('Add its commits'),
    historyLimit: z.number().int().min(1).max(100).optional().describe('Maximum number of commits'),
    includeSlices: z.boolean().default(true).describe('Add signatures of neighbors'),
  }),
  fields: [
    { key: 'id', priority: 'required', description: 'ID of the symbol or file' },
    {
      key: 'type',
      priority: 'required',
      description: 'FILE, FUNCTION, CLASS, VALUE or EXTERNAL, or the kind of a node that is not code: ATOM, TASK, COMMUNITY',
    },
    { key: 'attributes', priority: 'high', description: 'For a node that is not code: status, priority, tags, dates' },
    {
      key: 'flow',
      priority: 'high',
      description: 'For an endpoint: what a request triggers, in order: handlers and the functions on the way to endpoints of other services, events, stores',
    },
    { key: 'links', priority: 'high', description: 'Links to knowledge, work and communities, and from those to code: rel, id, name, kind' },
    { key: 'dependents', priority: 'high', description: 'Dependents; paged by cursor' },
    { key: 'dependencies', priority: 'high', description: 'What it uses' },
    { key: 'lineRange', priority: 'medium', description: 'Where it is' },
    { key: 'signature', priority: 'medium', description: 'Declaration' },
    { key: 'stale', priority: 'high', description: 'True if its file is being edited and the answer may describe an earlier version' },
    { key: 'atoms', priority: 'medium', description: 'Atoms that cover its file: id, name. Read them with query_graph' },
    { key: 'tests', priority: 'medium', description: 'Tests' },
    { key: 'members', priority: 'medium', description: 'Members' },
    { key: 'community', priority: 'medium', description: 'Community: id, label' },
    { key: 'counts', priority: 'medium', description: 'Totals, and number of resolved, unresolved and external references' },
    { key: 'history', priority: 'high', description: 'With history: versions by commit, newest first, and their total' },
    {
      key: 'recorded',
      priority: 'medium',
      description:
        'With history: versions that the index recorded between commits, newest first: versionId, txId, validFrom, validTo, createdAt, supersedes, renamedFrom, agentId',
    },
    {
      key: 'recordedEdges',
      priority: 'low',
      description:
        'With history: versions of its edges that the index recorded, newest first: relation, target, validFrom, validTo, txId, endedTxId; without validFrom the edge is older',
    },
    { key: 'episodes', priority: 'medium', description: 'With history: decisions and edits that name it or its file, newest first' },
    { key: 'validFrom', priority: 'medium', description: 'Start of its current version, in epoch ms, if recorded (balanced, debug)' },
    { key: 'raw', priority: 'low', description: 'Doc comment, modifiers, complexity' },
  ],

  async handle(context, input, token) {
    const offset = context.cursor?.offset ?? 0;
    const limit = offset + NEIGHBORS[context.profile];
    const flow = await endpointFlow(context.workspace, input.target, MAX_STEPS, token);
    const found = await explain(
      context.workspace,
      {
        target: flow?.id ?? input.target,
        depth: input.depth,
        limit,
        history: input.history && context.cursor === undefined,
        validity: context.profile !== 'compact' && context.cursor === undefined,
        historyLimit: input.historyLimit ?? DEFAULT_VERSIONS,
      },
      token,
    );
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const row = (neighbor: Neighbor): Record<string, unknown> => neighborRow(neighbor, input);
    const dependents = answer.dependents.slice(offset).map(row);
    const page = { key: 'dependents', offset, total: answer.counts.dependents, count: dependents.length };
    const hint = candidateHint(answer.guessed, answer.symbol.id, answer.candidates);
    const common = { summary: summaryOf(answer), stamp: answer.stamp, ...(hint === undefined ? {} : { hint }) };
    const { id } = answer.symbol;
    if (context.cursor !== undefined) return ok({ ...common, data: { id, type: answer.type, dependents }, page });
    const fill = (rows: readonly Record<string, unknown>[], share: number): readonly Record<string, unknown>[] =>
      fillSlot(rows, estimateTokens, context.maxTokens * share).selected;
    const shownDependents = fill(dependents, SHARES.dependents);
    const data = {
      id,
      type: answer.type,
      dependents: shownDependents,
      dependencies: fill(answer.dependencies.map(row), SHARES.dependencies),
      attributes: answer.attributes,
      flow: flow?.steps,
      links: answer.links.length === 0 ? undefined : fill(answer.links, SHARES.links),
      lineRange: answer.symbol.startLine > 0 ? { startLine: answer.symbol.startLine, endLine: answer.symbol.endLine } : undefined,
      signature: answer.signature,
      atoms: answer.atoms,
      ...staleMark(answer.symbol),
      tests: answer.tests.slice(0, NEIGHBORS[context.profile]),
      members: answer.members.map(member => `${member.kind} ${member.name}:${member.startLine}`),
      community: answer.community,
      counts: answer.counts,
      ...historyData(answer, input.history),
      ...(input.history && answer.recorded !== undefined ? { recorded: answer.recorded } : {}),
      ...(input.history && answer.recordedEdges !== undefined ? { recordedEdges: answer.recordedEdges } : {}),
      ...(input.history && answer.episodes !== undefined ? { episodes: answer.episodes } : {}),
      ...(context.profile !== 'compact' && answer.recorded?.[0] !== undefined ? { validFrom: answer.recorded[0].validFrom } : {}),
      raw: { doc: answer.doc, modifiers: answer.modifiers, complexity: answer.complexity },
    };
    return ok({ ...common, data, page: { ...page, count: shownDependents.length } });
  },

  render(data) {
    const line = (row: Readonly<Record<string, unknown>>): string => {
      const confidence = row['confidence'] === undefined ? '' : ` possible ${textIn(row, 'confidence')}`;
      return `${textIn(row, 'rel')} ${textIn(row, 'id')}${row['line'] === undefined ? '' : ` line ${textIn(row, 'line')}`}${confidence}`;
    };
    const list = (key: string): string[] => (Array.isArray(data[key]) ? (data[key] as readonly unknown[]).map(String) : []);
    return [
      ...(typeof data['signature'] === 'string' ? [data['signature']] : []),
      ...attributeLines(data['attributes']),
      ...block('Flow', rowsIn(data, 'flow').map(stepLine)),
      ...block(
        'Links',
        rowsIn(data, 'links').map(row => `${textIn(row, 'rel')} ${textIn(row, 'kind')} ${textIn(row, 'name')} (${textIn(row, 'id')})`),
      ),
      ...block('Used by', rowsIn(data, 'dependents').map(line)),
      ...block('Uses', rowsIn(data, 'dependencies').map(line)),
      ...block(
        'Knowledge about this file',
        rowsIn(data, 'atoms').map(row => `${textIn(row, 'name')} (${textIn(row, 'id')})`),
      ),
      ...block('History', historyLines(data)),
      ...block(
        'Recorded versions',
        rowsIn(data, 'recorded').map(
          row =>
            `${new Date(Number(row['validFrom'])).toISOString()} tx::${textIn(row, 'txId')}${row['agentId'] === undefined ? '' : ` (${textIn(row, 'agentId')})`}`,
        ),
      ),
      ...block('Recorded edges', rowsIn(data, 'recordedEdges').map(edgeLine)),
      ...block(
        'Decisions and edits',
        rowsIn(data, 'episodes').map(
          row => `${new Date(Number(row['at'])).toISOString().slice(0, 10)} ${textIn(row, 'type')} ${textIn(row, 'title')} (${textIn(row, 'agentId')})`,
        ),
      ),
      ...block('Tests', list('tests')),
      ...block('Members', list('members')),
    ].join('\n');
  },
});

/** `+ CALLS target`, `- CALLS target`, with the time of it. */
function edgeLine(row: Readonly<Record<string, unknown>>): string {
  const isGone = row['validTo'] !== undefined;
  return `${new Date(Number(row[isGone ? 'validTo' : 'validFrom'])).toISOString()} ${isGone ? '-' : '+'} ${textIn(row, 'relation')} ${textIn(row, 'target')}`;
}

function historyData({ history, symbol }: ExplainAnswer, isAsked: boolean): Record<string, unknown> {
  if (!isAsked) return {};
  if (history === undefined)
    return { history: [], historyNote: `Past commits of ${symbol.name} are not known: they are still being read, or there is no Git history.` };
  return { history: history.versions.map(({ commit, ...version }) => ({ gitCommit: commit, ...version })), historyTotal: history.total };
}

function historyLines(data: Readonly<Record<string, unknown>>): string[] {
  const day = (at: unknown): string => (typeof at === 'number' ? new Date(at).toISOString().slice(0, 10) : '');
  const rows = rowsIn(data, 'history').map(row => {
    const author = typeof row['author'] === 'string' ? ` (${row['author']})` : '';
    return `${textIn(row, 'gitCommit').slice(0, 10)} ${day(row['validFrom'])} ${textIn(row, 'subject')}${author}`;
  });
  const rest = Number(data['historyTotal'] ?? 0) - rows.length;
  return [...rows, ...(rest > 0 ? [`… and ${rest} more`] : []), ...(typeof data['historyNote'] === 'string' ? [data['historyNote']] : [])];
}

function attributeLines(attributes: unknown): string[] {
  if (typeof attributes !== 'object' || attributes === null) return [];
  return Object.entries(attributes).map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`);
}

/** A step below what set it off. */
function stepLine(step: Readonly<Record<string, unknown>>): string {
  const file = textIn(step, 'file');
  const place = file === '' ? '' : ` ${file}${Number(step['line']) > 0 ? `:${textIn(step, 'line')}` : ''}`;
  const possible = step['possible'] === true ? 'possible ' : '';
  return `${'  '.repeat(Number(step['depth']))}${possible}${textIn(step, 'kind')} ${textIn(step, 'name')} (${textIn(step, 'service')})${place}`;
}

const SIGNATURE_LENGTH = 80;

function neighborRow(neighbor: Neighbor, input: { readonly includeSlices: boolean; readonly depth: number }): Record<string, unknown> {
  const { id, name, rel, line, confidence, depth, pprScore, signature } = neighbor;
  return {
    id,
    name,
    rel,
    ...(line > 0 ? { line } : {}),
    pprScore,
    ...(confidence < FACT_CONFIDENCE ? { confidence } : {}),
    ...(input.depth > 1 ? { depth } : {}),
    ...(input.includeSlices && signature !== '' && signature.length <= SIGNATURE_LENGTH ? { slice: signature } : {}),
  };
}

function testsOf({ tests }: ExplainAnswer['counts']): string {
  return tests > 0 ? count(tests, 'test') : 'no tests';
}

/** Of a node above the code: its status, and how many it is tied to by which relation. */
function summaryAbove({ attributes, links, counts, sentence, symbol }: ExplainAnswer): string {
  const status = attributes?.['status'];
  const state = typeof status === 'string' ? ` (${status.replaceAll('_', ' ')})` : '';
  const lead = sentence === '' || sentence === status ? '' : `: ${sentence}`;
  const rels = [...new Set(links.map(({ rel }) => rel))].map(rel => `${rel.replaceAll('_', ' ')} ${links.filter(link => link.rel === rel).length}`);
  const more = counts.links > links.length ? `, ${counts.links} links in total` : '';
  const subject = `${symbol.kind} ${symbol.name}${state}${lead}`;
  return `${subject}${/[.!?…]$/.test(subject) ? '' : '.'} ${rels.length === 0 ? 'No links' : `${rels.join(', ')}${more}`}.`;
}

function summaryOf(answer: ExplainAnswer): string {
  if (answer.attributes !== undefined) return summaryAbove(answer);
  const { symbol, sentence, counts } = answer;
  const place = symbol.path === '' ? '' : symbol.kind === 'file' ? '' : ` in ${symbol.path}`;
  const uses = `${count(counts.users, 'user')} (${count(counts.callers, 'caller')}), uses ${counts.uses}, ${testsOf(counts)}`;
  const maybe = counts.maybe > 0 ? `; ${counts.maybe} more possible` : '';
  const lead = sentence === '' ? `${symbol.kind} ${symbol.name}${place}` : `${symbol.name}${place}: ${sentence}`;
  return `${lead}${/[.!?…]$/.test(lead) ? '' : '.'} ${uses}${maybe}.`;
}
