import { z } from 'zod';
import { kindsOf } from '../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE } from '../../model/ids';
import { kindRow } from '../../model/kinds';
import { RELATIONS, type Relation, relationCode } from '../../model/relations';
import { kindShape, object, relationShape, type Shaped, shape } from '../shared/shape';

/** Something above the code that bears on a change. */
export const knowledgeRowShape = shape(() =>
  object({
    id: z.string(),
    kind: kindShape(),
    name: z.string(),
    /** How it is linked to `of`. */
    relation: relationShape(),
    /** What of the change, or of what is listed before, it is linked to. */
    of: z.string(),
  }),
);
type KnowledgeRow = Shaped<typeof knowledgeRowShape>;

/** Links from above into the code, but for bookkeeping. */
const INTO_CODE: readonly Relation[] = RELATIONS.flatMap(row => (row.layer !== 'code' && row.rank > 0 ? [row.name] : []));
const WHOLES: readonly Relation[] = ['IN_MOLECULE', 'PART_OF'];
const CONTAINED: readonly Relation[] = ['IN_MOLECULE', 'PART_OF', 'BELONGS_TO'];
const CONTENTS: readonly Relation[] = ['COVERS', 'TOUCHES', 'AFFECTS'];

/** Tasks that touch some nodes, features and molecules that those and the atoms over them are part of, and tasks that wait; changed code first. Atoms are told apart. */
export function knowledgeAround(graph: GraphView, nodes: Iterable<NodeHandle>): readonly KnowledgeRow[] {
  const { backward, live } = graph.walk(kinds(INTO_CODE));
  if (backward.length === 1) return [];
  const rows = new Map<NodeHandle, KnowledgeRow>();
  const add = (node: NodeHandle, relation: Relation, of: NodeHandle): void => {
    if (!rows.has(node)) rows.set(node, { id: graph.idOf(node), kind: graph.kindOf(node), name: graph.node(node).name, relation, of: graph.idOf(of) });
  };
  for (const node of nodes) {
    // The first half is the code's, and holds none of these.
    for (const half of backward.slice(1)) {
      for (let link = half.starts[node] ?? 0; link < (half.ends[node] ?? 0); link++) {
        const relation = RELATIONS[half.relations[link] ?? 0];
        const other = half.targets[link] ?? NO_NODE;
        if (relation !== undefined && INTO_CODE.includes(relation.name) && live[other] === 1) add(other, relation.name, node);
      }
    }
  }
  const found = [...rows.keys()];
  for (const node of found) {
    for (const { relation, target } of graph.out(node, undefined, kinds(WHOLES))) add(target, relation, node);
    for (const { relation, source } of graph.in(node, undefined, kinds(['DEPENDS_ON']))) add(source, relation, node);
  }
  return [...rows.values()].filter(({ kind }) => kind !== 'atom');
}

/** The code that something above it is about: what an atom covers and a task touches, and all of that of what is part of it. Code is about itself. */
export function codeOf(graph: GraphView, node: NodeHandle): readonly NodeHandle[] {
  if (kindRow(graph.kindOf(node)).layer === 'code') return [node];
  const parts = new Set([node]);
  const found = new Set<NodeHandle>();
  for (const part of parts) {
    for (const { source } of graph.in(part, undefined, kinds(CONTAINED))) parts.add(source);
    if (kindRow(graph.kindOf(part)).layer === 'code') found.add(part);
    else for (const { target } of graph.out(part, undefined, kinds(CONTENTS))) parts.add(target);
  }
  return [...found].sort((a, b) => graph.orderOf(a) - graph.orderOf(b));
}

function kinds(relations: readonly Relation[]): Uint8Array {
  return kindsOf(relations.map(relation => relationCode[relation]));
}
