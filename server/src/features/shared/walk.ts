import { type Reach, reach } from '../../algorithms/reach';
import { accepts, kindsOf, type LinkFilter } from '../../algorithms/rows';
import type { GraphView, HalfAdjacency, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE, type NodeColumn, nodeColumn } from '../../model/ids';
import { RELATIONS, type Relation, relationCode } from '../../model/relations';

/** Where a walk along dependencies leads: `dependents` of the seeds, or their `dependencies`. */
export type Direction = 'dependents' | 'dependencies';

/** A walk with, for each node reached, the surest link one hop nearer to the seeds. Columns are by node handle. */
export interface Walk {
  readonly nodes: NodeColumn;
  /** -1 when not reached. */
  readonly depths: Int32Array;
  /** The node one hop nearer. */
  readonly towards: NodeColumn;
  /** Relation code of the link to it. */
  readonly relations: Uint8Array;
  /** Confidence of that link, 0 to 200. */
  readonly links: Uint8Array;
  /** Product of the confidences back to the seeds, 0 to 1. */
  readonly confidences: Float64Array;
}

/** What a walk takes: links of some kinds, and with `withNamers` files that only name a seed (`namersOf`). */
export type WalkFilter = LinkFilter & { readonly withNamers?: boolean };

/** Walks breadth-first from all seeds. Of several links one hop nearer the surest counts, then the most telling relation, then the first by order of the other end. */
export function walkFrom(graph: GraphView, seeds: Iterable<NodeHandle>, direction: Direction, maxDepth: number, filter: WalkFilter): Walk {
  const { forward, backward, live } = graph.walk(filter.kinds);
  const [out, back] = direction === 'dependents' ? [backward, forward] : [forward, backward];
  const reached = reach(out, live, seeds, maxDepth, filter);
  const size = live.length;
  const walk: Walk = {
    ...reached,
    towards: nodeColumn(new Int32Array(size).fill(-1)),
    relations: new Uint8Array(size),
    links: new Uint8Array(size),
    confidences: new Float64Array(size).fill(1),
  };
  for (const node of reached.nodes) if ((reached.depths[node] ?? 0) > 0) pickStep(graph, walk, reached, back, node, filter);
  return direction === 'dependents' && filter.withNamers === true && maxDepth > 0 ? withNamers(graph, walk, filter.minConfidence) : walk;
}

/** Adds the files that only name a seed, after all others. */
function withNamers(graph: GraphView, walk: Walk, minConfidence: number): Walk {
  const added: NodeHandle[] = [];
  // A use that is only possible does not stand for an import that is certain.
  const isCertain = (node: NodeHandle): boolean => (walk.links[node] ?? 0) >= FACT;
  for (const { file, symbol, relation, confidence } of referrersOf(graph, walk, minConfidence, isCertain)) {
    if (walk.depths[file] === -1) added.push(file);
    walk.depths[file] = 1;
    walk.towards[file] = symbol;
    walk.relations[file] = relation;
    walk.links[file] = confidence;
    walk.confidences[file] = confidence / FULL;
  }
  return added.length === 0 ? walk : { ...walk, nodes: nodeColumn(Int32Array.from([...walk.nodes, ...added])) };
}

/** A file that names a symbol in a list of imports or exports. */
interface Namer {
  readonly file: NodeHandle;
  readonly symbol: NodeHandle;
  /** Code of IMPORTS or RE_EXPORTS: what the file does with the name. */
  readonly relation: number;
  /** Stored confidence, 0 to 200. */
  readonly confidence: number;
}

/**
 * Files that depend on what changed because they import or re-export it by name, and do nothing else with it: the users of an import stand for it.
 * They hand nothing on. `depths` is that of a walk from what changed; `isUser` tells which nodes one step away stand for the imports of their files.
 */
export function referrersOf(
  graph: GraphView,
  { nodes, depths }: Reached,
  minConfidence: number,
  isUser: (node: NodeHandle) => boolean = () => true,
): readonly Namer[] {
  const filter = { kinds: NAMES, minConfidence };
  const { backward, live } = graph.adjacency;
  const users = new Set<NodeHandle>();
  const found = new Map<NodeHandle, Namer>();
  for (const node of nodes) {
    const depth = depths[node] ?? -1;
    if (depth < 0 || depth > 1) continue;
    const own = graph.fileNodeOf(node);
    if (own !== undefined && (depth === 0 || isUser(node))) users.add(own);
    if (depth > 0) continue;
    const end = backward.ends[node] ?? 0;
    for (let link = backward.starts[node] ?? 0; link < end; link++) {
      const file = backward.targets[link] ?? NO_NODE;
      if (live[file] !== 1 || !accepts(backward, link, filter)) continue;
      const confidence = backward.confidences[link] ?? 0;
      const known = found.get(file);
      const isReexport = backward.relations[link] === relationCode.RE_EXPORTS;
      if (known === undefined || known.confidence < confidence || isReexport)
        found.set(file, { file, symbol: node, relation: isReexport ? relationCode.RE_EXPORTS : relationCode.IMPORTS, confidence });
    }
  }
  return [...found.values()].filter(({ file }) => !users.has(file) && (depths[file] ?? -1) !== 0);
}

interface Reached {
  readonly nodes: Iterable<NodeHandle>;
  readonly depths: Int32Array;
}

const NAMES = kindsOf([relationCode.NAMES, relationCode.RE_EXPORTS]);

function pickStep(graph: GraphView, walk: Walk, reached: Reach, halves: readonly HalfAdjacency[], node: NodeHandle, filter: LinkFilter): void {
  const wanted = (reached.depths[node] ?? 0) - 1;
  let back: HalfAdjacency | undefined;
  let best = -1;
  for (const rows of halves) {
    const end = rows.ends[node] ?? 0;
    for (let link = rows.starts[node] ?? 0; link < end; link++) {
      if (reached.depths[rows.targets[link] ?? NO_NODE] !== wanted || !accepts(rows, link, filter)) continue;
      if (back !== undefined && !isBetter(graph, rows, link, back, best)) continue;
      back = rows;
      best = link;
    }
  }
  if (back === undefined) return;
  const towards = back.targets[best] ?? NO_NODE;
  const confidence = back.confidences[best] ?? 0;
  walk.towards[node] = towards;
  walk.relations[node] = back.relations[best] ?? 0;
  walk.links[node] = confidence;
  walk.confidences[node] = (walk.confidences[towards] ?? 1) * (confidence / FULL);
}

const FACT = encodeConfidence(FACT_CONFIDENCE);
/** Stored confidence of 1. */
const FULL = 200;

function isBetter(graph: GraphView, rows: HalfAdjacency, link: number, others: HalfAdjacency, than: number): boolean {
  const surer = (rows.confidences[link] ?? 0) - (others.confidences[than] ?? 0);
  if (surer !== 0) return surer > 0;
  const clearer = (PRECEDENCE[others.relations[than] ?? 0] ?? 0) - (PRECEDENCE[rows.relations[link] ?? 0] ?? 0);
  if (clearer !== 0) return clearer > 0;
  return graph.orderOf(rows.targets[link] ?? NO_NODE) < graph.orderOf(others.targets[than] ?? NO_NODE);
}

/** Relations that say most about a dependency, first; the others follow in the order of their table. */
const TELLING: readonly Relation[] = ['CALLS', 'INSTANTIATES', 'INHERITS', 'IMPLEMENTS', 'OVERRIDES', 'DECORATES'];
const PRECEDENCE: readonly number[] = RELATIONS.map((row, code) => {
  const place = TELLING.indexOf(row.name);
  return place < 0 ? TELLING.length + code : place;
});

/** Relation by which a walk reached a node. */
export function relationOf(walk: Walk, node: NodeHandle): Relation {
  return RELATIONS[walk.relations[node] ?? 0]?.name ?? 'CALLS';
}

/** Relation codes of every link that leads from `node` one hop nearer to the seeds; `relationOf` is the most telling of them. */
export function relationCodesOf(graph: GraphView, walk: Walk, node: NodeHandle, direction: Direction, filter: LinkFilter): ReadonlySet<number> {
  const { forward, backward } = graph.walk(filter.kinds);
  const wanted = (walk.depths[node] ?? 0) - 1;
  const codes = new Set<number>(wanted < 0 ? [] : [walk.relations[node] ?? 0]);
  for (const back of direction === 'dependents' ? forward : backward) {
    const end = back.ends[node] ?? 0;
    for (let link = back.starts[node] ?? 0; link < end; link++) {
      if (walk.depths[back.targets[link] ?? NO_NODE] === wanted && accepts(back, link, filter)) codes.add(back.relations[link] ?? 0);
    }
  }
  return codes;
}

/** Nodes from the seed to `node`. */
export function pathTo(walk: Walk, node: NodeHandle): NodeHandle[] {
  const path = [node];
  for (let at = walk.towards[node] ?? NO_NODE; at !== -1; at = walk.towards[at] ?? NO_NODE) path.push(at);
  return path.reverse();
}

/** First line of the use that links `node` to the node one hop nearer; 0 when unknown. It is in the file of whichever of the two depends on the other. */
export function lineOf(graph: GraphView, walk: Walk, node: NodeHandle, direction: Direction): number {
  const towards = walk.towards[node] ?? NO_NODE;
  const relation = relationOf(walk, node);
  const user = direction === 'dependents' ? node : towards;
  const used = direction === 'dependents' ? towards : node;
  const edge = relation === 'DECORATES' ? graph.edge(used, relation, user) : graph.edge(user, relation, used);
  // A file that only imports a name does so where it names it.
  const named = edge ?? graph.edge(user, 'NAMES', used);
  return named?.lines[0] ?? 0;
}
