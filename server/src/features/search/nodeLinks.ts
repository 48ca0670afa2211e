import type { GraphView, HalfAdjacency, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE } from '../../model/ids';
import { RELATIONS, type Relation, relationCode } from '../../model/relations';

/** A link of a node: code of its relation, and its other end. */
export interface NodeLink {
  readonly relation: number;
  readonly other: NodeHandle;
}

/** The edges of a node that leave or arrive, as `graph.out` and `graph.in` show them, but as numbers and in no particular order: what a hub can afford. */
export function linksOf(graph: GraphView, node: NodeHandle, direction: 'out' | 'in'): NodeLink[] {
  const { backward, forward, live } = graph.walk(SHOWN);
  const links: NodeLink[] = [];
  const [straight, turned] = direction === 'out' ? [forward, backward] : [backward, forward];
  for (const rows of straight) collect(rows, live, node, false, links);
  for (const rows of turned) collect(rows, live, node, true, links);
  return links;
}

/** All but bookkeeping. */
const SHOWN = Uint8Array.from({ length: 256 }, (_, code) => ((RELATIONS[code]?.rank ?? 0) > 0 ? 1 : 0));

/** Decorations are stored the other way round than they are shown. */
function collect({ ends, relations, starts, targets }: HalfAdjacency, live: Uint8Array, node: NodeHandle, isTurned: boolean, into: NodeLink[]): void {
  const end = ends[node] ?? 0;
  for (let link = starts[node] ?? 0; link < end; link++) {
    const other = targets[link] ?? NO_NODE;
    const relation = relations[link] ?? 0;
    if ((relation === relationCode.DECORATES) === isTurned && live[other] === 1) into.push({ relation, other });
  }
}

export function relationOf({ relation }: Pick<NodeLink, 'relation'>): Relation {
  return RELATIONS[relation]?.name ?? 'CALLS';
}
