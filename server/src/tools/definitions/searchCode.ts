import { z } from 'zod';
import { ok } from '../../base/result';
import { type SearchAnswer, type SearchRow, searchCode as search } from '../../features/search/searchCode';
import type { Subgraph } from '../../features/search/subgraph';
import { joinHints, paramRef, phrase } from '../../model/hints';
import type { Workspace } from '../../workspace/snapshot';
import { PROFILES, type Profile } from '../envelope';
import { estimateTokens, fillSlot } from '../shaping';
import { defineTool } from '../tool';
import { count, failure, rowsIn, staleMark, textIn, unknownKind } from './outcome';
import { strip, tabulate } from './outputFormat';
import { fitSubgraph } from './subgraphBudget';

const FORMATS = ['compact', 'verbose', 'ultra'] as const;

/** 2500 tokens for up to five results and 500 for each beyond. */
const BALANCED_TOKENS = 2500;
const TOKENS_PER_RESULT = 500;
/** Tokens of an answer beside query and data, with a hint. */
const OVERHEAD = 125;

export const searchCode = defineTool({
  name: 'search_code',
  title: 'Search code',
  description:
    'Search for functions, classes and files by name or purpose, ranked, with their relations. Use when you do not know the name or location; not for exact text (grep) or a symbol you can name (code_explain). Returns file, lines, kind, chunk_id (node ID for other tools) and relations.',
  group: 'core',
  effect: 'read',
  defaultProfile: 'balanced',
  paged: true,
  aliases: { limit: 'k', n_results: 'k' },
  input: z.object({
    query: z.string().trim().min(1).describe('Keywords or identifiers'),
    k: z.number().int().min(1).max(50).default(5).describe('Results per page'),
    chunk_type: z.array(z.string()).optional().describe('Only these kinds: function, method, class… or FILE, FUNCTION, CLASS'),
    ego_graph_enabled: z.boolean().default(false).describe('Add graph neighbors of the results'),
    ego_graph_k_hops: z.number().int().min(1).max(3).default(2),
    centrality_reranking: z.boolean().optional().describe('Default: from settings (on)'),
    output_format: z.enum(FORMATS).default('compact'),
  }),
  fields: [
    { key: 'query', priority: 'required', description: 'The query' },
    { key: 'results', priority: 'required', description: 'Results, best first' },
    { key: 'subgraph_edges', priority: 'high', description: 'Links between the results, and from them' },
    { key: 'subgraph_nodes', priority: 'medium', description: 'Nodes of those links' },
    { key: 'subgraph_order', priority: 'medium', description: 'IDs, dependencies first' },
    { key: 'subgraph_communities', priority: 'low', description: 'Communities of those nodes by number' },
    { key: 'degraded', priority: 'low', description: 'Parts that failed or are still being computed' },
  ],
  budgetTokens: (profile: Profile, input) =>
    profile === 'balanced' ? BALANCED_TOKENS + TOKENS_PER_RESULT * Math.max(0, Number(input['k'] ?? 5) - 5) : PROFILES[profile],

  check: input => unknownKind('chunk_type', input.chunk_type),

  async handle(context, input, token) {
    const offset = context.cursor?.offset ?? 0;
    const found = await search(
      context.workspace,
      {
        query: input.query,
        limit: input.k,
        offset,
        kinds: input.chunk_type ?? [],
        ...(input.centrality_reranking === undefined ? {} : { rerank: input.centrality_reranking }),
        subgraph: { egoHops: input.ego_graph_enabled ? input.ego_graph_k_hops : 0, boundary: true },
      },
      token,
    );
    if (!found.ok) return failure(found.error);
    const { hits, total, subgraph, stamp } = found.value;
    const verbose = input.output_format === 'verbose';
    // A compact answer has room for hits alone.
    const isCompact = context.maxTokens <= PROFILES.compact;
    const room = context.maxTokens - OVERHEAD - 2 * estimateTokens(input.query);
    const fitting = Math.max(1, fillSlot(hits, hit => estimateTokens(resultRow(hit, found.value, false)), room).selected.length);
    const rows = hits.slice(0, fitting).map(hit => resultRow(hit, found.value, !isCompact));
    const neighbors = neighborRows(found.value);
    const parts = { rows, neighbors, subgraph: subgraphFields(subgraph, verbose) };
    const isBare = isCompact && estimateTokens([rows, neighbors, parts.subgraph]) > room;
    const fitted = isBare ? { results: rows, subgraph: {}, isCut: false } : fitSubgraph(parts, context.maxTokens);
    const whole = { query: input.query, results: fitted.results, ...fitted.subgraph };
    const hints = [
      ...(total === 0 ? ['Try fewer or different keywords, or names as they appear in the code.', ...unsearched(context.workspace)] : []),
      ...(isBare && total > 0 ? [phrase`Use ${paramRef('profile', 'balanced')} to see how they are related.`] : []),
      ...(fitted.isCut ? [phrase`Only part of the subgraph is shown. Use ${paramRef('profile', 'debug')} for all of it.`] : []),
    ];
    return ok({
      summary: summaryOf(input.query, hits.slice(0, rows.length), total, offset),
      data: verbose ? whole : (strip(whole) as Record<string, unknown>),
      keepsEmpty: verbose,
      stamp,
      ...(hints.length === 0 ? {} : { hint: joinHints(hints) }),
      page: { key: 'results', offset, total, count: rows.length },
    });
  },

  render(data, input) {
    if (input.output_format === 'verbose') return JSON.stringify(data);
    return input.output_format === 'ultra' ? tabulate(withoutFile(data)).join('\n') : rowsIn(data, 'results').map(renderRow).join('\n');
  },
});

/** What of the workspace is found by path and past commits only. */
function unsearched(workspace: Workspace): string[] {
  const languages = workspace.current()?.graph.tally().languages ?? [];
  const files = languages.find(row => row.language === 'other')?.files ?? 0;
  return files === 0 ? [] : [`The contents of ${count(files, 'file')} in other formats (Markdown, JSON, …) are not searched. Use grep for those.`];
}

function summaryOf(query: string, hits: readonly SearchRow[], total: number, offset: number): string {
  const [first] = hits;
  if (first === undefined) return offset > 0 ? `No more results for "${query}".` : `No results for "${query}".`;
  const more = total > hits.length ? `, ${offset + 1}–${offset + hits.length} shown` : '';
  return `${count(total, 'result')} for "${query}"${more}; ${offset > 0 ? 'next' : 'best'}: ${first.kind} ${first.name} (${first.path}${first.startLine > 0 ? `:${first.startLine}` : ''}).`;
}

function resultRow(hit: SearchRow, { annotated, reranked, subgraph }: SearchAnswer, related: boolean): Record<string, unknown> {
  const graph = related ? subgraph?.relations.get(hit.id) : undefined;
  return {
    file: hit.path,
    ...(hit.startLine > 0 ? { lines: `${hit.startLine}-${hit.endLine}` } : {}),
    kind: hit.kind,
    score: hit.score,
    chunk_id: hit.id,
    ...staleMark(hit),
    ...(annotated ? { centrality: hit.centrality } : {}),
    ...(reranked ? { blended_score: hit.blendedScore } : {}),
    ...(hit.complexity > 0 ? { complexity_score: hit.complexity } : {}),
    ...(graph === undefined || Object.keys(graph).length === 0 ? {} : { graph }),
  };
}

/** Neighbors come after the hits, without scores of their own; hits are not repeated. */
function neighborRows({ subgraph }: SearchAnswer): Record<string, unknown>[] {
  return (subgraph?.neighbors ?? []).map(node => ({
    file: node.path,
    ...(node.startLine > 0 ? { lines: `${node.startLine}-${node.endLine}` } : {}),
    kind: node.kind,
    chunk_id: node.id,
    centrality: node.centrality,
    source: 'ego_graph',
  }));
}

function subgraphFields(subgraph: Subgraph | undefined, verbose: boolean): Record<string, unknown> {
  if (subgraph === undefined) return {};
  const degraded = subgraph.degraded.length > 0 ? { degraded: subgraph.degraded } : {};
  if (subgraph.nodes.length === 0) return degraded;
  const nodes = subgraph.nodes.map(node => ({
    id: node.id,
    name: node.name,
    kind: node.kind,
    ...(verbose ? { file: node.path, is_search_result: node.isResult } : {}),
    ...(node.community === undefined ? {} : { community: node.community }),
    ...(node.centrality > 0 ? { centrality: node.centrality } : {}),
    ...(node.isResult ? {} : { source: 'ego_graph' }),
  }));
  const edges = subgraph.edges.map(edge => ({
    src: edge.source,
    tgt: edge.target,
    rel: edge.relation,
    ...(edge.line > 0 ? { line: edge.line } : {}),
    ...(edge.boundary ? { boundary: true } : {}),
  }));
  return {
    subgraph_nodes: nodes,
    subgraph_edges: edges,
    ...(subgraph.order.length > 0 ? { subgraph_order: subgraph.order } : {}),
    ...(Object.keys(subgraph.communities).length > 0 ? { subgraph_communities: subgraph.communities } : {}),
    ...degraded,
  };
}

function withoutFile(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const results = rowsIn(data, 'results').map(row => Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'file')));
  return { ...data, results };
}

function renderRow(row: Readonly<Record<string, unknown>>): string {
  const id = textIn(row, 'chunk_id');
  const at = id.indexOf('::');
  const name = at < 0 ? '' : ` ${id.slice(at + 2)}`;
  const place = row['lines'] === undefined ? textIn(row, 'file') : `${textIn(row, 'file')}:${textIn(row, 'lines')}`;
  const callers = (row['graph'] as Readonly<Record<string, readonly string[]>> | undefined)?.['called_by'] ?? [];
  const related = callers.length === 0 ? '' : `  ← ${callers.join(', ')}`;
  return `${place} ${textIn(row, 'kind') || 'neighbor'}${name}${related}`;
}
