import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { GraphEdge, GraphView, NodeHandle } from '../../code/graph/graphView';
import type { StableId } from '../../model/ids';
import { type Relation, relationCode } from '../../model/relations';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../failure';
import { answerFresh, type Stamped } from '../fresh';
import { type EdgeRow, edgesWithin, kindsWanted } from '../neighborhood';
import { kindOf, rowOf, type SymbolRow } from '../rows';
import { pathOfTarget, resolveTarget } from '../target';
import { edgeRowOf } from './findPath';

export const DIRECTIONS = ['both', 'out', 'in'] as const;
export type TraverseDirection = (typeof DIRECTIONS)[number];

export interface TraverseParams {
  /** Where the walk begins; what is not found is named in `missing`. */
  readonly entries: readonly string[];
  /** 1 to 4. */
  readonly maxHops?: number;
  readonly relations?: readonly Relation[];
  /** Node types, kinds, or the groups FILE, FUNCTION, CLASS: what is listed; the walk goes through others too. */
  readonly nodeTypes?: readonly string[];
  /** Links less sure than this are not taken; 0 to 1. */
  readonly minConfidence?: number;
  /** 1 to 200. */
  readonly maxResults?: number;
  readonly direction?: TraverseDirection;
}

export interface TraversedNode extends SymbolRow {
  readonly hops: number;
  /** 0 to 1. */
  readonly centrality: number;
  /** Links from an entry to here. */
  readonly steps: readonly EdgeRow[];
  /** Product of the confidences of the steps. */
  readonly confidence: number;
}

export interface TraverseAnswer {
  readonly entries: readonly StableId[];
  /** Surest path first, then fewest hops, then by place. */
  readonly nodes: readonly TraversedNode[];
  /** Links among the entries and the nodes. */
  readonly edges: readonly EdgeRow[];
  readonly depthReached: number;
  readonly explored: number;
  /** More was found than is listed. */
  readonly truncated: boolean;
  readonly missing: readonly string[];
}

/** Walks from several nodes along the surest paths first (graph spec section 9). */
export async function traverse(
  workspace: Workspace,
  params: TraverseParams,
  token: CancellationToken,
): Promise<Result<Stamped<TraverseAnswer>, FeatureFailure>> {
  const known = params.entries.map(entry => pathOfTarget(workspace, entry)).filter(path => path !== undefined);
  return answerFresh(workspace, known, token, snapshot => {
    const found = params.entries.map(entry => ({ entry, target: resolveTarget(snapshot, workspace, entry) }));
    const entries = found.flatMap(({ target }) => (target.ok ? [target.value.node] : []));
    const failed = found.map(({ target }) => target).find(target => !target.ok);
    if (entries.length === 0 && failed?.ok === false) return failed;
    const missing = found.flatMap(({ entry, target }) => (target.ok ? [] : [entry]));
    const value = { ...walkFromEntries(snapshot.graph, [...new Set(entries)], params), missing };
    return ok({ value, touched: value.nodes.map(node => node.path) });
  });
}

interface Reached {
  readonly node: NodeHandle;
  readonly hops: number;
  readonly confidence: number;
  readonly before: Reached | undefined;
  readonly step: GraphEdge | undefined;
  readonly order: number;
}

/** Nodes looked at, at most: a bound on the time of one answer. */
const MAX_EXPLORED = 5_000;

export function walkFromEntries(graph: GraphView, entries: readonly NodeHandle[], params: TraverseParams): Omit<TraverseAnswer, 'missing'> {
  const maxHops = params.maxHops ?? 2;
  const maxResults = params.maxResults ?? 50;
  const wanted = kindsWanted(params.nodeTypes ?? []);
  const heap = new SurestFirst();
  for (const node of entries) heap.push({ node, hops: 0, confidence: 1, before: undefined, step: undefined, order: graph.orderOf(node) });
  const seen = new Set<NodeHandle>();
  const shown: Reached[] = [];
  let truncated = false;
  let depthReached = 0;
  for (let at = heap.pop(); at !== undefined; at = heap.pop()) {
    if (seen.has(at.node)) continue;
    if (seen.size >= MAX_EXPLORED) truncated = true;
    if (truncated) break;
    seen.add(at.node);
    if (at.hops > 0 && (wanted.size === 0 || isWanted(graph, at.node, wanted))) {
      if (shown.length === maxResults) truncated = true;
      else shown.push(at);
    }
    depthReached = Math.max(depthReached, at.hops);
    if (at.hops === maxHops) continue;
    for (const { edge, other } of stepsFrom(graph, at.node, params)) {
      if (seen.has(other)) continue;
      heap.push({ node: other, hops: at.hops + 1, confidence: at.confidence * edge.confidence, before: at, step: edge, order: graph.orderOf(other) });
    }
  }
  const kept = [...entries, ...shown.map(reached => reached.node)];
  const ranks = graph.pageRank();
  const top = graph.maxPageRank();
  return {
    entries: entries.map(node => graph.idOf(node)),
    nodes: shown.map(reached => ({
      ...rowOf(graph.node(reached.node)),
      hops: reached.hops,
      centrality: round(top === 0 ? 0 : (ranks[reached.node] ?? 0) / top),
      steps: stepsTo(reached).map(edge => edgeRowOf(graph, edge)),
      confidence: round(reached.confidence),
    })),
    edges: edgesWithin(graph, kept, params.relations).filter(edge => edge.confidence >= (params.minConfidence ?? DEFAULT_CONFIDENCE)),
    depthReached,
    explored: seen.size,
    truncated,
  };
}

export const DEFAULT_CONFIDENCE = 0.5;

function stepsFrom(graph: GraphView, node: NodeHandle, params: TraverseParams): { readonly edge: GraphEdge; readonly other: NodeHandle }[] {
  const { direction = 'both', relations = [], minConfidence = DEFAULT_CONFIDENCE } = params;
  const codes = new Set(relations.map(relation => relationCode[relation]));
  const takes = (edge: GraphEdge): boolean => edge.confidence >= minConfidence && (codes.size === 0 || codes.has(relationCode[edge.relation]));
  const out = direction === 'in' ? [] : graph.out(node).filter(takes);
  const back = direction === 'out' ? [] : graph.in(node).filter(takes);
  return [...out.map(edge => ({ edge, other: edge.target })), ...back.map(edge => ({ edge, other: edge.source }))];
}

function stepsTo(reached: Reached): GraphEdge[] {
  const steps: GraphEdge[] = [];
  for (let at: Reached | undefined = reached; at?.step !== undefined; at = at.before) steps.push(at.step);
  return steps.reverse();
}

function isWanted(graph: GraphView, handle: NodeHandle, wanted: ReadonlySet<string>): boolean {
  const node = graph.node(handle);
  return wanted.has(node.nodeType) || wanted.has(kindOf(node));
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** A binary heap: surest first, then fewest hops, then by place. */
class SurestFirst {
  readonly #items: Reached[] = [];

  push(item: Reached): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !comesBefore(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Reached | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = items[2 * at + 1];
      const right = items[2 * at + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && comesBefore(right, left);
      const child = isRight ? right : left;
      if (!comesBefore(child, last)) break;
      items[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    items[at] = last;
    return first;
  }
}

function comesBefore(a: Reached, b: Reached): boolean {
  return (b.confidence - a.confidence || a.hops - b.hops || a.order - b.order) < 0;
}
