import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { decodeConfidence, SHOWN_CONFIDENCE } from '../../model/evidence';
import { NO_NODE } from '../../model/ids';
import { RELATIONS, relationCode } from '../../model/relations';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped } from '../shared/fresh';
import { linksAround } from '../shared/links';
import { choice, integer, number, relations, texts } from '../shared/params';
import { kindOf, rowOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { pathOfTarget, resolveTarget } from '../shared/target';
import { type EdgeRow, edgeRowOf, edgeRowShape, edgesWithin, kindsWanted } from './edgeRows';

/** Along edges (`out`), against them (`in`), or both. */
export const DIRECTIONS = ['both', 'out', 'in'] as const;
export type TraverseDirection = (typeof DIRECTIONS)[number];

export const traverseParams = shape(() =>
  object({
    /** Where the walk begins; what is not found is named in `missing`. */
    entries: texts(),
    /** 1 to 4. */
    maxHops: optional(integer()),
    relations: optional(relations()),
    /** Node types, kinds, or the groups FILE, FUNCTION, CLASS: what is listed; the walk goes through others too. */
    nodeTypes: optional(texts()),
    /** Links less sure than this are not taken; 0 to 1. */
    minConfidence: optional(number()),
    /** 1 to 200. */
    maxResults: optional(integer()),
    direction: optional(choice(DIRECTIONS)),
  }),
);
export type TraverseParams = Shaped<typeof traverseParams>;

export const traversedNodeShape = shape(() =>
  object({
    ...symbolRowShape().shape,
    hops: z.number(),
    /** 0 to 1. */
    centrality: z.number(),
    /** Links from an entry to here. */
    steps: z.array(edgeRowShape()),
    /** Product of the confidences of the steps. */
    confidence: z.number(),
  }),
);
export type TraversedNode = Shaped<typeof traversedNodeShape>;

export const traverseAnswerShape = shape(() =>
  object({
    entries: z.array(z.string()),
    /** Surest path first, then fewest hops, then by place. */
    nodes: z.array(traversedNodeShape()),
    /** Links among the entries and the nodes. */
    edges: z.array(edgeRowShape()),
    depthReached: z.number(),
    explored: z.number(),
    /** More was found than is listed. */
    truncated: z.boolean(),
    missing: z.array(z.string()),
  }),
);
export type TraverseAnswer = Shaped<typeof traverseAnswerShape>;

/** Walks from several nodes along the surest paths first. */
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

/** A node with the surest way to it found so far. */
interface Reached {
  readonly node: NodeHandle;
  readonly hops: number;
  readonly confidence: number;
  readonly before: Reached | undefined;
  /** Code of the link from `before`, and whether it points this way. */
  readonly relation: number;
  readonly isOut: boolean;
  readonly order: number;
}

/** Which links are taken. */
interface StepRules {
  /** By relation code. */
  readonly kinds: Uint8Array;
  readonly direction: TraverseDirection;
  readonly minConfidence: number;
}

/** Nodes looked at, at most: a bound on the time of one answer. */
const MAX_EXPLORED = 5_000;

export function walkFromEntries(graph: GraphView, entries: readonly NodeHandle[], params: TraverseParams): Omit<TraverseAnswer, 'missing'> {
  const maxHops = params.maxHops ?? 2;
  const maxResults = params.maxResults ?? 50;
  const wanted = kindsWanted(params.nodeTypes ?? []);
  const { direction = 'both', minConfidence = DEFAULT_CONFIDENCE } = params;
  const rules: StepRules = { kinds: linksAround(graph, entries, params.relations, wanted).kinds, direction, minConfidence };
  const frontier = new Frontier();
  for (const node of entries)
    frontier.offer({ node, hops: 0, confidence: SHOWN_CONFIDENCE.certain, before: undefined, relation: 0, isOut: true, order: graph.orderOf(node) });
  const shown: Reached[] = [];
  let truncated = false;
  let depthReached = 0;
  let explored = 0;
  for (let at = frontier.take(); at !== undefined; at = frontier.take()) {
    if (explored >= MAX_EXPLORED) truncated = true;
    if (truncated) break;
    explored++;
    if (at.hops > 0 && (wanted.size === 0 || isWanted(graph, at.node, wanted))) {
      if (shown.length === maxResults) truncated = true;
      else shown.push(at);
    }
    depthReached = Math.max(depthReached, at.hops);
    if (at.hops < maxHops) offerSteps(graph, at, rules, frontier);
  }
  const kept = [...entries, ...shown.map(reached => reached.node)];
  const ranks = graph.pageRank();
  const top = graph.maxPageRank();
  const steps = new Map<Reached, EdgeRow>();
  return {
    entries: entries.map(node => graph.idOf(node)),
    nodes: shown.map(reached => ({
      ...rowOf(graph.node(reached.node)),
      hops: reached.hops,
      centrality: round(top === 0 ? 0 : (ranks[reached.node] ?? 0) / top),
      steps: stepsTo(graph, reached, steps),
      confidence: round(reached.confidence),
    })),
    edges: edgesWithin(graph, kept, rules.kinds).filter(edge => edge.confidence >= minConfidence),
    depthReached,
    explored,
    truncated,
  };
}

/** Edges below this confidence are not followed unless asked for. */
export const DEFAULT_CONFIDENCE = 0.5;

/** Reads the rows of the adjacency: an edge of its own for every link of a hub would cost more than the walk. */
function offerSteps(graph: GraphView, at: Reached, { kinds, direction, minConfidence }: StepRules, frontier: Frontier): void {
  const { forward, backward, live } = graph.walk(kinds);
  for (const rows of [...forward, ...backward]) {
    const end = rows.ends[at.node] ?? 0;
    for (let link = rows.starts[at.node] ?? 0; link < end; link++) {
      const relation = rows.relations[link] ?? 0;
      const node = rows.targets[link] ?? NO_NODE;
      const isOut = forward.includes(rows) !== (relation === relationCode.DECORATES);
      if (kinds[relation] !== 1 || live[node] !== 1 || (direction !== 'both' && isOut !== (direction === 'out'))) continue;
      const confidence = decodeConfidence(rows.confidences[link] ?? 0);
      if (confidence < minConfidence) continue;
      frontier.offer({ node, hops: at.hops + 1, confidence: at.confidence * confidence, before: at, relation, isOut, order: graph.orderOf(node) });
    }
  }
}

/** Links from an entry on. Ways share their beginnings: `known` keeps what was looked up. */
function stepsTo(graph: GraphView, reached: Reached, known: Map<Reached, EdgeRow>): EdgeRow[] {
  const steps: EdgeRow[] = [];
  for (let at = reached; at.before !== undefined; at = at.before) {
    const step = known.get(at) ?? stepRow(graph, at, at.before);
    if (step === undefined) continue;
    known.set(at, step);
    steps.push(step);
  }
  return steps.reverse();
}

function stepRow(graph: GraphView, at: Reached, before: Reached): EdgeRow | undefined {
  const relation = RELATIONS[at.relation]?.name ?? 'CALLS';
  const edge = at.isOut ? graph.edge(before.node, relation, at.node) : graph.edge(at.node, relation, before.node);
  return edge === undefined ? undefined : edgeRowOf(graph, edge);
}

function isWanted(graph: GraphView, handle: NodeHandle, wanted: ReadonlySet<string>): boolean {
  const node = graph.node(handle);
  return wanted.has(node.nodeType) || wanted.has(kindOf(node));
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** What is reached and not yet looked at, in a binary heap. Of several ways to a node only the first in order is given out. */
class Frontier {
  readonly #items: Reached[] = [];
  readonly #best = new Map<NodeHandle, Reached>();

  offer(item: Reached): void {
    const known = this.#best.get(item.node);
    if (known !== undefined && !comesBefore(item, known)) return;
    this.#best.set(item.node, item);
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

  take(): Reached | undefined {
    let first = this.#pop();
    while (first !== undefined && this.#best.get(first.node) !== first) first = this.#pop();
    return first;
  }

  #pop(): Reached | undefined {
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

/** Surest first, then fewest hops, then by place; of ways to one node that are alike the one of the first relation, then along the link, then from the first place. */
function comesBefore(a: Reached, b: Reached): boolean {
  const order = b.confidence - a.confidence || a.hops - b.hops || a.order - b.order || a.relation - b.relation;
  return (order || Number(b.isOut) - Number(a.isOut) || (a.before?.order ?? 0) - (b.before?.order ?? 0)) < 0;
}

export const traverseFeature = feature({
  name: 'traverse',
  about: 'Nodes reachable from start nodes along relations.',
  params: traverseParams,
  answer: stamped(traverseAnswerShape),
  run: traverse,
});
