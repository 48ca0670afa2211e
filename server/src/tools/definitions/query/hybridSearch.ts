import { z } from 'zod';
import { ok } from '../../../base/result';
import { HYBRID_MODES, type HybridRow, hybridSearch as search } from '../../../features/search/hybridSearch';
import { paramRef, phrase } from '../../../model/hints';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { count, failure, rowsIn, staleMark, textIn, unknownKind } from '../outcome';

/** Share of the budget for the list. */
const LIST_SHARE = 0.8;

export const hybridSearch = defineTool({
  name: 'hybrid_search',
  title: 'Search near a node',
  description:
    'Search code, services (endpoints, events, entities…) and memory (episodes, learnings), ranked by relevance and by distance to an anchor node in the graph (without an anchor: by centrality). Use when you know roughly where to look; otherwise use search_code, which also shows how the results are related. Returns ID, type, location and both scores of each result.',
  group: 'search',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { k: 'n_results', limit: 'n_results', near: 'anchor_node_id' },
  input: z.object({
    query: z.string().trim().min(1).describe('Keywords or identifiers'),
    n_results: z.number().int().min(1).max(50).default(10).describe('Results per page'),
    node_types: z.array(z.string()).optional().describe('Only these: file, function, CLASS, endpoint, event, episode, learning…'),
    service_name: z.string().optional().describe('Only this service (a folder in services, apps or packages)'),
    mode: z
      .enum(HYBRID_MODES)
      .optional()
      .describe('hybrid: keywords and meaning; bm25: keywords; vector: meaning; graph: around the best matches. Default: from settings'),
    anchor_node_id: z.string().optional().describe('ID, path or unique name of the anchor'),
    semantic_weight: z.number().min(0).max(1).default(0.6),
    graph_weight: z.number().min(0).max(1).default(0.4),
  }),
  fields: [
    {
      key: 'results',
      priority: 'required',
      description: 'Best first: node_id, node_type, score, semantic_score, graph_score, distance (-1 without anchor); says: summary of an episode or learning',
    },
    { key: 'query', priority: 'required', description: 'The query' },
    { key: 'anchor_node_id', priority: 'required', description: 'ID of the anchor' },
  ],

  check: input => unknownKind('node_types', input.node_types),

  async handle(context, input, token) {
    const offset = context.cursor?.offset ?? 0;
    const found = await search(
      context.workspace,
      {
        query: input.query,
        limit: input.n_results,
        offset,
        kinds: input.node_types ?? [],
        ...(input.mode === undefined ? {} : { mode: input.mode }),
        ...(input.anchor_node_id === undefined || input.anchor_node_id === '' ? {} : { anchor: input.anchor_node_id }),
        ...(input.service_name === undefined || input.service_name === '' ? {} : { service: input.service_name }),
        semanticWeight: input.semantic_weight,
        graphWeight: input.graph_weight,
      },
      token,
    );
    if (!found.ok) return failure(found.error);
    const { hits, total, anchor, stamp } = found.value;
    const rows = hits.map(hitRow);
    const fitting = fillSlot(rows, estimateTokens, context.maxTokens * LIST_SHARE).selected;
    const shown = fitting.length === 0 ? rows.slice(0, 1) : fitting;
    const near = anchor === undefined ? '' : ` near ${anchor}`;
    const [first] = hits;
    return ok({
      summary:
        first === undefined
          ? `No ${offset > 0 ? 'more ' : ''}results for "${input.query}"${near}.`
          : `${count(total, 'result')} for "${input.query}"${near}; ${offset > 0 ? 'next' : 'best'}: ${first.kind} ${first.name} (${first.path === '' ? first.id : `${first.path}:${first.startLine}`}).`,
      data: { results: shown, query: input.query, ...(anchor === undefined ? {} : { anchor_node_id: anchor }) },
      stamp,
      page: { key: 'results', offset, total, count: shown.length },
      ...(total > 0
        ? {}
        : {
            hint: phrase`Try different keywords${input.service_name === undefined ? '' : phrase`, or omit ${paramRef('service_name')}`}${input.node_types === undefined ? '' : phrase`, or omit ${paramRef('node_types')}`}.`,
          }),
    });
  },

  render: data =>
    rowsIn(data, 'results')
      .map(
        row =>
          `${textIn(row, 'node_id')}${row['lines'] === undefined ? '' : `:${textIn(row, 'lines')}`} ${textIn(row, 'node_type')} ${textIn(row, 'score')}${row['says'] === undefined ? '' : ` ${textIn(row, 'says')}`}`,
      )
      .join('\n'),
});

function hitRow(hit: HybridRow): Record<string, unknown> {
  return {
    node_id: hit.id,
    node_type: hit.kind,
    ...(hit.startLine > 0 ? { lines: `${hit.startLine}-${hit.endLine}` } : {}),
    ...(hit.path === '' ? { says: hit.name } : {}),
    score: hit.score,
    semantic_score: hit.semanticScore,
    graph_score: hit.graphScore,
    distance: hit.distance,
    ...staleMark(hit),
  };
}
