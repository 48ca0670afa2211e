import { z } from 'zod';
import { ok } from '../../../base/result';
import { DEFAULT_CONFIDENCE, DIRECTIONS, type TraversedNode, traverse } from '../../../features/query/traverse';
import { relationsOf } from '../../../features/shared/params';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, staleMark, textIn, unknownKind, unknownRelation } from '../outcome';
import { linkRow, linkText } from './edgeText';

/** Shares of the budget. */
const ENTITIES_SHARE = 0.45;
const LINKS_SHARE = 0.25;

export const graphTraverse = defineTool({
  name: 'graph_traverse',
  title: 'Traverse the graph',
  description:
    'Traverse the graph from one or more nodes along selected relations, most certain paths first. Use for multi-hop questions with known starting points; for a single center use query_graph_neighborhood, for the effects of a change impact_analyze. Returns entities with path and confidence, the links between them, and how much was explored.',
  group: 'search',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { start: 'entry_entity_ids', node_ids: 'entry_entity_ids', depth: 'max_hops', relations: 'relationship_types' },
  input: z.object({
    entry_entity_ids: z.array(z.string().min(1)).min(1).describe('IDs (also of atoms, tasks and communities), paths or unique names'),
    max_hops: z.number().int().min(1).max(4).default(2),
    relationship_types: z
      .array(z.string())
      .optional()
      .describe('calls, imports, covers, touches…; default: those of the code and of the layers of the entries'),
    entity_types: z.array(z.string()).optional().describe('Only list these: file, function, CLASS, task, KNOWLEDGE…'),
    direction: z.enum(DIRECTIONS).default('both').describe('out: outgoing links; in: incoming links'),
    min_confidence: z.number().min(0).max(1).default(DEFAULT_CONFIDENCE),
    max_results: z.number().int().min(1).max(200).default(50),
    include_paths: z.boolean().default(true),
  }),
  fields: [
    { key: 'entities', priority: 'required', description: 'Most certain first; paged by cursor' },
    { key: 'relationships', priority: 'required', description: 'Links between these entities and the entries' },
    { key: 'paths', priority: 'high', description: 'From an entry to each entity: nodes, edges, total_confidence' },
    { key: 'missing', priority: 'high', description: 'Entries that were not found' },
    { key: 'truncated', priority: 'medium', description: 'True if more was found than listed' },
    { key: 'traversal_depth_reached', priority: 'medium', description: 'Hops' },
    { key: 'nodes_explored', priority: 'medium', description: 'Visited nodes' },
  ],

  check: input => unknownRelation('relationship_types', input.relationship_types) ?? unknownKind('entity_types', input.entity_types),

  async handle(context, input, token) {
    const relations = relationsOf(input.relationship_types ?? []) ?? [];
    const found = await traverse(
      context.workspace,
      {
        entries: input.entry_entity_ids,
        maxHops: input.max_hops,
        relations,
        nodeTypes: input.entity_types ?? [],
        minConfidence: input.min_confidence,
        maxResults: input.max_results,
        direction: input.direction,
      },
      token,
    );
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const offset = context.cursor?.offset ?? 0;
    const rest = answer.nodes.slice(offset);
    const fitting = fillSlot(rest, node => estimateTokens(entityRow(node)), context.maxTokens * ENTITIES_SHARE).selected;
    const nodes = fitting.length === 0 ? rest.slice(0, 1) : fitting;
    const fresh = new Set(nodes.map(node => node.id));
    const seen = new Set([...answer.entries, ...answer.nodes.slice(0, offset + nodes.length).map(node => node.id)]);
    const isNew = offset === 0 ? seen : fresh;
    const related = answer.edges.filter(edge => seen.has(edge.source) && seen.has(edge.target) && (isNew.has(edge.source) || isNew.has(edge.target)));
    const links = fillSlot(related, edge => estimateTokens(linkRow(edge)), context.maxTokens * LINKS_SHARE).selected;
    const isCut = answer.truncated || links.length < related.length;
    return ok({
      summary: `${count(answer.nodes.length, 'node')} within ${count(input.max_hops, 'hop')} of ${answer.entries.join(', ')}${nodes.length < answer.nodes.length ? `; ${offset + 1}–${offset + nodes.length} shown` : ''}.`,
      data: {
        entities: nodes.map(entityRow),
        relationships: links.map(linkRow),
        ...(input.include_paths ? { paths: nodes.map(pathRow) } : {}),
        missing: answer.missing,
        ...(isCut ? { truncated: true } : {}),
        traversal_depth_reached: answer.depthReached,
        nodes_explored: answer.explored,
      },
      stamp: answer.stamp,
      page: { key: 'entities', offset, total: answer.nodes.length, count: nodes.length },
      ...(answer.missing.length === 0 ? {} : { hint: `Not found: ${answer.missing.join(', ')}.` }),
    });
  },

  render(data) {
    const entity = (row: Readonly<Record<string, unknown>>): string => `${textIn(row, 'hops')} ${textIn(row, 'type')} ${textIn(row, 'id')}`;
    return [...block('Entities', rowsIn(data, 'entities').map(entity)), ...block('Links', rowsIn(data, 'relationships').map(linkText))].join('\n');
  },
});

function entityRow(node: TraversedNode): Record<string, unknown> {
  return {
    id: node.id,
    type: node.kind,
    name: node.name,
    hops: node.hops,
    ...(node.startLine > 1 ? { line: node.startLine } : {}),
    centrality_score: node.centrality,
    ...staleMark(node),
  };
}

/** Nodes from the entry on, the way each link was taken. */
function pathRow(node: TraversedNode): Record<string, unknown> {
  const nodes = [node.id];
  for (const step of [...node.steps].reverse()) {
    const last = nodes[0];
    nodes.unshift(step.source === last ? step.target : step.source);
  }
  return { nodes, edges: node.steps.map(step => step.relation.toLowerCase()), total_confidence: node.confidence };
}
