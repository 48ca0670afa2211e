import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { withMembers } from '../shared/members';
import type { Expansions } from './expansions';

/** Which node is shown for a node, and what a shown node stands for. */
export interface Projection {
  /** Nodes that the scene begins with. */
  readonly starts: readonly NodeHandle[];
  shownFor(node: NodeHandle): NodeHandle;
  standsFor(node: NodeHandle): readonly NodeHandle[];
  /** The opened file around a node. */
  frameOf(node: NodeHandle): NodeHandle | undefined;
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
    frameOf: () => undefined,
  };
}

/** Files for all that is in them; an opened file is a frame around its top-level symbols. */
export function fileProjection(graph: GraphView, start: NodeHandle, expansions: Expansions): Projection {
  const opened = (file: NodeHandle): boolean => expansions.isOpen(graph.idOf(file));
  const top = (symbol: NodeHandle): NodeHandle => {
    let at = symbol;
    for (let parent = graph.parentOf(at); parent !== undefined && graph.node(parent).nodeType === 'symbol'; parent = graph.parentOf(at)) at = parent;
    return at;
  };
  return {
    starts: opened(start) && graph.symbolsOf(start).length > 0 ? graph.childrenOf(start) : [start],
    shownFor: node => {
      const file = graph.fileNodeOf(node);
      if (file === undefined || file === node) return node;
      return opened(file) ? top(node) : file;
    },
    standsFor: node => {
      const file = graph.fileNodeOf(node);
      if (file === node) return opened(node) ? [node] : [node, ...graph.symbolsOf(node)];
      return withMembers(graph, node);
    },
    frameOf: node => {
      const file = graph.fileNodeOf(node);
      return file !== undefined && file !== node && opened(file) ? file : undefined;
    },
  };
}
