import type { GraphView, NodeHandle } from '../../code/graph/graphView';

/** A file with its symbols, a container with its members: who uses a member depends on the whole. */
export function withMembers(graph: GraphView, node: NodeHandle): NodeHandle[] {
  const file = graph.fileNodeOf(node);
  if (file === undefined) return [node];
  const symbols = graph.symbolsOf(file);
  if (file === node) return [node, ...symbols];
  // One pass: containers stand before their members.
  const all = new Set([node]);
  for (let at = symbols.indexOf(node) + 1; at < symbols.length; at++) {
    const symbol = symbols[at] ?? node;
    const parent = graph.parentOf(symbol);
    if (parent !== undefined && all.has(parent)) all.add(symbol);
  }
  return [...all];
}

/** What a test framework runs by itself: a test, or a class with tests. A function that tests call is none, nor is one in which they stand as callbacks. */
export function isRunnable(graph: GraphView, node: NodeHandle): boolean {
  if (graph.kindOf(node) === 'class') return graph.childrenOf(node).some(member => graph.runsAsTest(member));
  return graph.runsAsTest(node);
}
