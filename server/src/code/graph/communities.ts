import { type LouvainOptions, louvainSteps } from '../../algorithms/louvain';
import { simpleGraphSteps } from '../../algorithms/simpleGraph';
import { RELATIONS, type Relation, relationCode } from '../../model/relations';
import type { Adjacency, GraphView, NodeHandle } from './graphView';
import type { Community, Membership } from './metricTypes';

export interface ClusterOptions {
  /** Below 1 gives larger communities, above 1 smaller ones. */
  readonly resolution: number;
  /** Relations that hold communities together; empty for all that have a weight. */
  readonly relations: readonly Relation[];
}

export const CLUSTERING: ClusterOptions = { resolution: 1, relations: [] };

const SEED = 42;

/** Clusters all nodes, given in an order that is the same on every machine (graph spec section 7). */
export function* clusterSteps(
  adjacency: Adjacency,
  nodes: Int32Array,
  revision: number,
  { resolution, relations }: ClusterOptions,
): Generator<undefined, Membership, undefined> {
  const { forward, backward, size } = adjacency;
  const wanted = new Set(relations.map(relation => relationCode[relation]));
  const weights = Float64Array.from({ length: 256 }, (_, code) => (wanted.size === 0 || wanted.has(code) ? (RELATIONS[code]?.rank ?? 0) : 0));
  const graph = yield* simpleGraphSteps([forward, backward], nodes, size, weights);
  const options: LouvainOptions = { resolution, seed: SEED };
  const { of, count } = yield* louvainSteps(graph, options);
  const membership = new Int32Array(size).fill(-1);
  for (let place = 0; place < nodes.length; place++) membership[nodes[place] ?? 0] = of[place] ?? -1;
  return { of: membership, limit: count, revision };
}

/** The membership of an earlier revision in this one: a new node joins the community that most of its neighbours are in, else it is alone. */
export function adopted(earlier: Membership, adjacency: Adjacency, nodes: Iterable<NodeHandle>): Membership {
  const of = new Int32Array(adjacency.size).fill(-1);
  const added: NodeHandle[] = [];
  for (const node of nodes) {
    const known = earlier.of[node] ?? -1;
    if (known === -1) added.push(node);
    else of[node] = known;
  }
  let limit = earlier.limit;
  let waiting = added;
  for (let before = -1; waiting.length > 0 && waiting.length !== before; ) {
    before = waiting.length;
    const found = waiting.map(node => majority(adjacency, node, of));
    waiting.forEach((node, at) => {
      of[node] = found[at] ?? -1;
    });
    waiting = waiting.filter(node => of[node] === -1);
  }
  for (const node of waiting) of[node] = limit++;
  return { of, limit, revision: earlier.revision };
}

/** The community most links of a node lead to, the lowest of several; -1 when there is none. */
function majority({ forward, backward }: Adjacency, node: NodeHandle, of: Int32Array): number {
  const votes = new Map<number, number>();
  for (const { starts, ends, targets } of [forward, backward]) {
    for (let link = starts[node] ?? 0; link < (ends[node] ?? 0); link++) {
      const community = of[targets[link] ?? 0] ?? -1;
      if (community !== -1) votes.set(community, (votes.get(community) ?? 0) + 1);
    }
  }
  const [best] = [...votes].sort(([a, x], [b, y]) => y - x || a - b);
  return best?.[0] ?? -1;
}

/** Members of every community in the order of `nodes()`, by community. */
export function membersByCommunity({ of }: Membership, nodes: Iterable<NodeHandle>): ReadonlyMap<number, readonly NodeHandle[]> {
  const members = new Map<number, NodeHandle[]>();
  for (const node of nodes) {
    const community = of[node] ?? -1;
    const known = members.get(community);
    if (known === undefined) members.set(community, [node]);
    else known.push(node);
  }
  return members;
}

/** Communities in words, largest first, then by number. */
export function describeCommunities(view: GraphView, membership: Membership, members: ReadonlyMap<number, readonly NodeHandle[]>): Community[] {
  const ranks = view.pageRank();
  return [...members].map(([id, nodes]) => describe(view, membership, ranks, id, nodes)).sort((a, b) => b.memberCount - a.memberCount || a.id - b.id);
}

const KEY_FILES = 3;
const MAIN_RELATIONS = 3;

function describe(view: GraphView, { of }: Membership, ranks: Float64Array, id: number, members: readonly NodeHandle[]): Community {
  const files = new Map<NodeHandle, number>();
  const uses = new Map<number, number>();
  const { forward, live } = view.adjacency;
  let centralNode = members[0] ?? 0;
  for (const node of members) {
    if ((ranks[node] ?? 0) > (ranks[centralNode] ?? 0)) centralNode = node;
    const file = view.fileNodeOf(node);
    if (file !== undefined) files.set(file, (files.get(file) ?? 0) + (ranks[node] ?? 0));
    for (let link = forward.starts[node] ?? 0; link < (forward.ends[node] ?? 0); link++) {
      const target = forward.targets[link] ?? 0;
      const code = forward.relations[link] ?? 0;
      if (live[target] === 1 && of[target] === id && RELATIONS[code]?.dependency === true) uses.set(code, (uses.get(code) ?? 0) + 1);
    }
  }
  const keyFiles = [...files].sort(([a, x], [b, y]) => y - x || view.orderOf(a) - view.orderOf(b)).slice(0, KEY_FILES);
  const relations = [...uses].sort(([a, x], [b, y]) => y - x || a - b).slice(0, MAIN_RELATIONS);
  const summary = [
    `${counted(members.length, 'member')} in ${counted(files.size, 'file')}`,
    keyFiles.length === 0 ? '' : `, mainly ${keyFiles.map(([file]) => view.idOf(file)).join(', ')}`,
    relations.length === 0 ? '.' : `; joined by ${relations.map(([code, count]) => `${RELATIONS[code]?.name.toLowerCase() ?? ''} (${count})`).join(', ')}.`,
    members.length > 1 ? ` Most central: ${view.node(centralNode).name}.` : '',
  ].join('');
  return { id, label: labelOf(view, members), summary, memberCount: members.length, centralNode };
}

/** Segments that say nothing about what is in them. */
const EMPTY_SEGMENTS: ReadonlySet<string> = new Set(['src', 'lib', 'dist', 'build', 'node_modules', '.', '']);

/** The folder name that most members share; of several the deeper, then the first by code points. `misc` without any. */
export function labelOf(view: GraphView, members: Iterable<NodeHandle>): string {
  const membersIn = new Map<NodeHandle, number>();
  for (const node of members) {
    const file = view.fileNodeOf(node);
    if (file !== undefined) membersIn.set(file, (membersIn.get(file) ?? 0) + 1);
  }
  const segments = new Map<string, { count: number; depth: number }>();
  for (const [file, count] of membersIn) {
    const folders = view.idOf(file).split('/').slice(0, -1);
    for (const name of new Set(folders)) {
      if (EMPTY_SEGMENTS.has(name)) continue;
      const known = segments.get(name) ?? { count: 0, depth: 0 };
      segments.set(name, { count: known.count + count, depth: Math.max(known.depth, folders.lastIndexOf(name)) });
    }
  }
  const [best] = [...segments].sort(([a, x], [b, y]) => y.count - x.count || y.depth - x.depth || (a < b ? -1 : 1));
  return best?.[0] ?? 'misc';
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
