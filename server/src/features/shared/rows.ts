import { z } from 'zod';
import type { GraphNode, GraphView, NodeHandle } from '../../code/graph/graphView';
import { firstSentence } from '../../code/graph/summary';
import { type Kind } from '../../model/kinds';
import { kindShape, object, optional, type Shaped, shape } from './shape';

/** A node as answers show it. Lines are 1-based, the column 0-based in UTF-16 code units. */
export const symbolRowShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    kind: kindShape(),
    path: z.string(),
    startLine: z.number(),
    endLine: z.number(),
    nameLine: z.number(),
    nameColumn: z.number(),
    /** Its file is being typed and has syntax errors: what is said of it may be of an earlier text. */
    stale: optional(z.literal(true)),
  }),
);
export type SymbolRow = Shaped<typeof symbolRowShape>;

/** Kind of a node: files and externals have that of their type. */
export function kindOf({ kind, nodeType }: Pick<GraphNode, 'kind' | 'nodeType'>): Kind {
  return kind ?? (nodeType === 'symbol' ? 'variable' : nodeType);
}

/** What lists show of a node. */
export function rowOf(node: GraphNode): SymbolRow {
  const { id, name, path, startLine, endLine, nameLine, nameColumn } = node;
  return { id, name, kind: kindOf(node), path, startLine, endLine, nameLine, nameColumn, ...(node.isStale ? { stale: true } : {}) };
}

/** What a node says of itself in prose; `''` for a symbol whose doc comment has no sentence: its stored summary is then a line of code. */
export function sentenceOf(node: GraphNode): string {
  if (node.nodeType !== 'symbol') return node.summary;
  return firstSentence(node.doc)
    .replace(JSDOC_TAG, (_, label: string | undefined, target: string) => `\`${label ?? target}\``)
    .replace(RST_ROLE, (_, label: string | undefined, target: string) => `\`${label ?? target.replace(/^(?:[~!](?:.*\.)?|\.)/, '')}\``);
}

/** `{@link Cart.add the sum}` of JSDoc: what is shown in place of the target, and the target. */
const JSDOC_TAG = /\{@\w+\s+(?=[^{}`|\s]+(?:\s*\|\s*|\s+)([^{}`|]*[^{}`|\s])\s*\}|)([^{}`]*)\}/g;
/** `` :ref:`the sum <sums>` `` and `` :meth:`~Cart.add` `` of reStructuredText, the same. */
const RST_ROLE = /:\w+(?::\w+)?:`(?=([^`<]*[^`<\s])\s*<[^`]*>`|)([^`]*)`/g;

/** Most central first, then in the order of `nodes()`. */
export function byRank(graph: GraphView): (a: NodeHandle, b: NodeHandle) => number {
  const ranks = graph.pageRank();
  return (a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || graph.orderOf(a) - graph.orderOf(b);
}

/** PageRank over its maximum. */
export function centralityOf(graph: GraphView, handle: number): number {
  const top = graph.maxPageRank();
  return top === 0 ? 0 : (graph.pageRank()[handle] ?? 0) / top;
}

/** The first `count` items in the order of `compare`, without sorting the others. */
export function firstBy<T>(items: Iterable<T> & { readonly length: number }, count: number, compare: (a: T, b: T) => number): T[] {
  if (items.length <= count * 4) return [...items].sort(compare).slice(0, count);
  let best: T[] = [];
  let limit: T | undefined;
  for (const item of items) {
    if (limit !== undefined && compare(item, limit) >= 0) continue;
    if (best.push(item) < count * 2) continue;
    best = best.sort(compare).slice(0, count);
    limit = best[count - 1];
  }
  return best.sort(compare).slice(0, count);
}
