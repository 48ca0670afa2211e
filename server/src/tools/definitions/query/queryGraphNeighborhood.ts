import { z } from 'zod';
import { ok } from '../../../base/result';
import { type NeighborhoodNode, neighborhood } from '../../../features/query/neighborhood';
import { relationsOf } from '../../../features/shared/params';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { block, candidateHint, count, failure, rowsIn, staleMark, textIn, unknownKind, unknownRelation } from '../outcome';
import { linkRow, linkText } from './edgeText';

/** Shares of the budget. */
const NODES_SHARE = 0.4;
const EDGES_SHARE = 0.3;

export const queryGraphNeighborhood = defineTool({
  name: 'query_graph_neighborhood',
  title: 'Show graph neighborhood',
  description:
    'Show the nodes and links around a node, nearest and most central first. Use to see how a part of the code is connected. For what a change breaks use impact_analyze.',
  group: 'search',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { target: 'node_id', symbol: 'node_id', depth: 'radius', relations: 'filter_edge_types' },
  input: z.object({
    node_id: z.string().min(1).describe('ID, path or unique name'),
    radius: z.number().int().min(1).max(4).default(2),
    undirected: z.boolean().default(true).describe('false: only outgoing links'),
    filter_node_types: z.array(z.string()).optional().describe('file, function, CLASS…'),
    filter_edge_types: z.array(z.string()).optional().describe('calls, imports…'),
    max_nodes: z.number().int().min(1).max(200).default(50),
  }),
  fields: [
    { key: 'center_node', priority: 'required', description: 'ID of the center node' },
    { key: 'nodes', priority: 'required', description: 'By distance, then centrality; paged by cursor' },
    { key: 'edges', priority: 'required', description: 'Links between these nodes' },
    { key: 'total_nodes_in_neighborhood', priority: 'high', description: 'Number of nodes before any limit' },
    { key: 'truncated', priority: 'high', description: 'True if nodes or links were omitted' },
  ],

  check: input => unknownRelation('filter_edge_types', input.filter_edge_types) ?? unknownKind('filter_node_types', input.filter_node_types),

  async handle(context, input, token) {
    const relations = relationsOf(input.filter_edge_types ?? []) ?? [];
    const found = await neighborhood(
      context.workspace,
      {
        target: input.node_id,
        radius: input.radius,
        undirected: input.undirected,
        nodeTypes: input.filter_node_types ?? [],
        relations,
        maxNodes: input.max_nodes,
      },
      token,
    );
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const offset = context.cursor?.offset ?? 0;
    const rest = answer.nodes.slice(offset);
    const shown = fillSlot(rest, node => estimateTokens(nodeRow(node)), context.maxTokens * NODES_SHARE).selected;
    const nodes = shown.length === 0 ? rest.slice(0, 1) : shown;
    const seen = new Set(answer.nodes.slice(0, offset + nodes.length).map(node => node.id));
    const fresh = new Set(nodes.map(node => node.id));
    const related = answer.edges.filter(edge => seen.has(edge.source) && seen.has(edge.target) && (fresh.has(edge.source) || fresh.has(edge.target)));
    const edges = fillSlot(related, edge => estimateTokens(linkRow(edge)), context.maxTokens * EDGES_SHARE).selected;
    const isCut = answer.truncated || nodes.length < rest.length || edges.length < related.length;
    const hint = candidateHint(answer.guessed, answer.center.id, answer.candidates);
    return ok({
      summary: `${answer.center.id} has ${count(answer.totalNodes - 1, 'node')} within ${count(input.radius, 'hop')}; ${offset > 0 ? `${offset}–${offset + nodes.length - 1}` : nodes.length - 1} shown.`,
      data: {
        center_node: answer.center.id,
        nodes: nodes.map(nodeRow),
        edges: edges.map(linkRow),
        total_nodes_in_neighborhood: answer.totalNodes,
        ...(isCut ? { truncated: true } : {}),
      },
      stamp: answer.stamp,
      page: { key: 'nodes', offset, total: answer.nodes.length, count: nodes.length },
      ...(hint === undefined ? {} : { hint }),
    });
  },

  render(data) {
    const node = (row: Readonly<Record<string, unknown>>): string =>
      `${textIn(row, 'distance')} ${textIn(row, 'kind')} ${textIn(row, 'id')}${row['line'] === undefined ? '' : `:${textIn(row, 'line')}`}`;
    return [...block('Nodes', rowsIn(data, 'nodes').map(node)), ...block('Links', rowsIn(data, 'edges').map(linkText))].join('\n');
  },
});

function nodeRow(node: NeighborhoodNode): Record<string, unknown> {
  return { id: node.id, kind: node.kind, ...(node.startLine > 1 ? { line: node.startLine } : {}), distance: node.distance, ...staleMark(node) };
}
