import { z } from 'zod';
import { ok } from '../../../base/result';
import { findPath as find } from '../../../features/query/findPath';
import { relationsOf } from '../../../features/shared/params';
import { joinHints, paramRef, phrase } from '../../../model/hints';
import { defineTool } from '../../tool';
import { candidateHint, count, failure, rowsIn, unknownRelation } from '../outcome';
import { linkRow, linkText } from './edgeText';

export const findPath = defineTool({
  name: 'find_path',
  title: 'Find path',
  description:
    'Find the shortest path from one node to another. Use to see how two parts of the code are connected, such as how a route reaches the database; not for all dependents of a node (impact_analyze). Returns the nodes and the link of each step, or null if there is no path.',
  group: 'search',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { from: 'source', to: 'target', relations: 'relationship_types' },
  input: z.object({
    source: z.string().min(1).describe('ID, path or unique name'),
    target: z.string().min(1).describe('ID, path or unique name'),
    undirected: z.boolean().default(false).describe('true: also follow links backwards'),
    relationship_types: z.array(z.string()).optional().describe('Only these relations: calls, imports…'),
    min_confidence: z.number().min(0).max(1).default(0),
  }),
  fields: [
    { key: 'path', priority: 'required', description: 'IDs from source to target; null if there is no path' },
    { key: 'length', priority: 'high', description: 'Number of links' },
    { key: 'edges', priority: 'high', description: 'The link of each step' },
    { key: 'confidence', priority: 'medium', description: 'Product of the confidences of all links' },
  ],

  check: input => unknownRelation('relationship_types', input.relationship_types),

  async handle(context, input, token) {
    const relations = relationsOf(input.relationship_types ?? []) ?? [];
    const { source, target, undirected, min_confidence: minConfidence } = input;
    const found = await find(context.workspace, { from: source, to: target, undirected, relations, minConfidence }, token);
    if (!found.ok) return failure(found.error);
    const { from, to, nodes, edges, confidence, candidates, guessed, stamp } = found.value;
    const offset = context.cursor?.offset ?? 0;
    const hints = [
      nodes.length === 0 && !undirected ? phrase`Use ${paramRef('undirected', true)}, or swap ${paramRef('source')} and ${paramRef('target')}.` : undefined,
      candidateHint(guessed, from.id, candidates),
    ].filter(text => text !== undefined);
    const path = nodes.slice(offset).map(node => node.id);
    return ok({
      summary:
        nodes.length === 0
          ? `No path found from ${from.id} to ${to.id}.`
          : edges.length === 0
            ? `source and target are the same node: ${from.id}.`
            : `${from.id} reaches ${to.id} through ${count(edges.length, 'link')}${offset > 0 ? `; starting at node ${offset + 1}` : ''}.`,
      data: { path: nodes.length === 0 ? null : path, length: edges.length, edges: edges.slice(offset).map(linkRow), confidence },
      stamp,
      page: { key: 'path', offset, total: nodes.length, count: path.length },
      ...(hints.length === 0 ? {} : { hint: joinHints(hints) }),
    });
  },

  render(data) {
    const edges = rowsIn(data, 'edges').map(linkText);
    const path = data['path'];
    return edges.length > 0 ? edges.join('\n') : Array.isArray(path) ? path.join('\n') : '';
  },
});
