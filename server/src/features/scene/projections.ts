import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { withMembers } from '../shared/members';
import type { SceneFilter } from './sceneFilter';

/** Which node is shown for a node, and what a shown node stands for. */
export interface Projection {
  /** Nodes that the scene begins with. */
  readonly starts: readonly NodeHandle[];
  shownFor(node: NodeHandle): NodeHandle;
  standsFor(node: NodeHandle): readonly NodeHandle[];
}

/** Symbols by themselves; the starts stand for their members too. */
export function symbolProjection(graph: GraphView, starts: readonly NodeHandle[]): Projection {
  const wholes = new Map(starts.map(start => [start, graph.fileNodeOf(start) === start ? [start] : withMembers(graph, start)]));
  const owners = new Map<NodeHandle, NodeHandle>();
  for (const [start, whole] of wholes) for (const part of whole) if (!wholes.has(part)) owners.set(part, start);
  return {
    starts,
    shownFor: node => owners.get(node) ?? node,
    standsFor: node => wholes.get(node) ?? [node],
  };
}

/** A start and its members: what stands in the middle of a focus. */
export interface ContainedNodes {
  /** Members that are shown, in the order of the source. */
  readonly members: readonly NodeHandle[];
  /** Members that are not. */
  readonly rest: number;
  /** The start, then the members that are shown. */
  readonly parts: readonly NodeHandle[];
  isInside(node: NodeHandle): boolean;
  /** The shown member that holds a node, else the start; nodes outside stand for themselves. */
  shownFor(node: NodeHandle): NodeHandle;
  standsFor(node: NodeHandle): readonly NodeHandle[];
}

/** Up to `most` members, those first that most of the outside is linked with. */
export function containedNodes(graph: GraphView, start: NodeHandle, filter: SceneFilter, most: number): ContainedNodes {
  const whole = withMembers(graph, start);
  const inside = new Set(whole);
  const memberOf = new Map<NodeHandle, NodeHandle>();
  for (const part of whole) {
    let at = part;
    for (let parent = graph.parentOf(at); parent !== undefined && parent !== start && inside.has(parent); parent = graph.parentOf(at)) at = parent;
    if (at !== start) memberOf.set(part, at);
  }
  const uses = new Map([...memberOf.values()].map(member => [member, 0]));
  for (const [part, member] of memberOf) {
    for (const edge of [...graph.in(part), ...graph.out(part)])
      if (filter.edge(edge) && !(inside.has(edge.source) && inside.has(edge.target))) uses.set(member, (uses.get(member) ?? 0) + edge.count);
  }
  const ranked = [...uses].sort(([a, left], [b, right]) => right - left || graph.orderOf(a) - graph.orderOf(b)).map(([member]) => member);
  const members = ranked.slice(0, most).sort((a, b) => graph.orderOf(a) - graph.orderOf(b));
  const shown = new Set(members);
  const holderOf = (node: NodeHandle): NodeHandle => {
    const member = memberOf.get(node);
    return member !== undefined && shown.has(member) ? member : start;
  };
  const parts = new Map<NodeHandle, NodeHandle[]>([[start, []], ...members.map((member): [NodeHandle, NodeHandle[]] => [member, []])]);
  for (const part of whole) parts.get(holderOf(part))?.push(part);
  return {
    members,
    rest: ranked.length - members.length,
    parts: [start, ...members],
    isInside: node => inside.has(node),
    shownFor: node => (inside.has(node) ? holderOf(node) : node),
    standsFor: node => parts.get(node) ?? [node],
  };
}
