import { type LouvainOptions, louvainSteps } from '../../algorithms/louvain';
import { simpleGraphSteps } from '../../algorithms/simpleGraph';
import { hashNumber } from '../../base/hash';
import type { Steps } from '../../base/steps';
import { NO_NODE, type NodeColumn, nodeColumn } from '../../model/ids';
import { RELATIONS, type Relation, relationCode } from '../../model/relations';
import { communityNames } from './communityNames';
import type { Adjacency, GraphView, NodeHandle } from './graphView';
import type { Community, Membership } from './metricTypes';

/** Which links join communities, and how large those become. */
export interface ClusterOptions {
  /** Below 1 gives larger communities, above 1 smaller ones. */
  readonly resolution: number;
  /** Relations that hold communities together; empty for all that have a weight. */
  readonly relations: readonly Relation[];
}

/** The options that all communities but those of a special question are made with. */
export const CLUSTERING: ClusterOptions = { resolution: 1, relations: [] };

/** Nodes between two steps. */
const NODES_PER_STEP = 2048;
/** Links weigh whole thousandths, so that sums do not depend on their order. */
const UNIT = 1000;

function weightsOf(relations: readonly Relation[]): Float64Array {
  const wanted = new Set(relations.map(relation => relationCode[relation]));
  return Float64Array.from({ length: 256 }, (_, code) => (wanted.size === 0 || wanted.has(code) ? (RELATIONS[code]?.rank ?? 0) : 0));
}

/**
 * Clusters all nodes, given in an order that is the same on every machine. The result is a function of nodes and links alone: no revision, process
 * or order of reading shows in it. Nodes are visited by a hash of their ids, so that an edit moves few others, and a community takes its number from
 * its hub (the member with the strongest links inside), so that it keeps it as long as the hub stays.
 */
export function* clusterSteps(
  view: Pick<GraphView, 'adjacency' | 'idOf' | 'revision' | 'fileNodeOf'>,
  nodes: NodeColumn,
  { resolution, relations }: ClusterOptions,
): Steps<Membership> {
  const { forward, backward, size } = view.adjacency;
  const graph = yield* simpleGraphSteps([forward, backward], nodes, size, weightsOf(relations));
  const priorities = new Float64Array(nodes.length);
  for (let place = 0; place < nodes.length; place++) {
    priorities[place] = hashNumber(view.idOf(nodes[place] ?? NO_NODE));
    if (place % NODES_PER_STEP === 0) yield;
  }
  const options: LouvainOptions = { resolution, priorities };
  const { of, count } = yield* louvainSteps(graph, options);
  const membership = new Int32Array(size).fill(-1);
  yield;
  for (let place = 0; place < nodes.length; place++) membership[nodes[place] ?? NO_NODE] = of[place] ?? -1;
  const strengths = yield* strengthSteps(view.adjacency, nodes, membership, relations);
  const hubs = nodeColumn(new Int32Array(count).fill(-1));
  for (let place = 0; place < nodes.length; place++) {
    if (place % NODES_PER_STEP === NODES_PER_STEP - 1) yield;
    const node = nodes[place] ?? NO_NODE;
    const group = of[place] ?? 0;
    const hub = hubs[group] ?? NO_NODE;
    if (hub === -1 || isStronger(view, strengths, node, hub)) hubs[group] = node;
  }
  yield;
  const numbers = numbersOf([...hubs].map(hub => view.idOf(hub)));
  yield;
  for (let place = 0; place < nodes.length; place++) membership[nodes[place] ?? NO_NODE] = numbers[of[place] ?? 0] ?? -1;
  return { of: membership, revision: view.revision };
}

/** Symbols before files, files before what is outside the workspace; of several that are equal the first in the order of nodes. */
function isStronger(view: Pick<GraphView, 'fileNodeOf'>, strengths: Float64Array, node: NodeHandle, than: NodeHandle): boolean {
  const classOf = (one: NodeHandle): number => {
    const file = view.fileNodeOf(one);
    return file === undefined ? 0 : file === one ? 1 : 2;
  };
  const lead = classOf(node) - classOf(than);
  return lead === 0 ? (strengths[node] ?? 0) > (strengths[than] ?? 0) : lead > 0;
}

/** A positive 31-bit number for each hub; of two that hash alike the second in code-point order takes the next free one. */
function numbersOf(hubs: readonly string[]): Int32Array {
  const numbers = new Int32Array(hubs.length);
  const taken = new Set<number>();
  for (const at of hubs.map((_, index) => index).sort((a, b) => ((hubs[a] ?? '') < (hubs[b] ?? '') ? -1 : 1))) {
    let number = hashNumber(hubs[at] ?? '') >>> 1;
    while (taken.has(number)) number = (number + 1) & 0x7fffffff;
    taken.add(number);
    numbers[at] = number;
  }
  return numbers;
}

/** Weight of the links of each node inside its community, by handle, in thousandths. */
export function* strengthSteps({ forward, live, size }: Adjacency, nodes: NodeColumn, of: Int32Array, relations: readonly Relation[]): Steps<Float64Array> {
  const weights = weightsOf(relations).map(weight => Math.round(weight * UNIT));
  const strengths = new Float64Array(size);
  for (let place = 0; place < nodes.length; place++) {
    if (place % NODES_PER_STEP === 0) yield;
    const node = nodes[place] ?? NO_NODE;
    for (let link = forward.starts[node] ?? 0; link < (forward.ends[node] ?? 0); link++) {
      const target = forward.targets[link] ?? NO_NODE;
      if (target === node || live[target] !== 1 || of[target] !== of[node]) continue;
      const weight = weights[forward.relations[link] ?? 0] ?? 0;
      strengths[node] = (strengths[node] ?? 0) + weight;
      strengths[target] = (strengths[target] ?? 0) + weight;
    }
  }
  return strengths;
}

/** For a view that nobody keeps: new nodes join the community that most of their neighbors are in, else they are alone. */
export function adopted(earlier: Membership, view: Pick<GraphView, 'adjacency' | 'idOf'>, nodes: Iterable<NodeHandle>): Membership {
  const { adjacency } = view;
  const of = new Int32Array(adjacency.size).fill(-1);
  const added: NodeHandle[] = [];
  for (const node of nodes) {
    const known = earlier.of[node] ?? -1;
    if (known === -1) added.push(node);
    else of[node] = known;
  }
  let waiting = added;
  for (let before = -1; waiting.length > 0 && waiting.length !== before; ) {
    before = waiting.length;
    const found = waiting.map(node => majority(adjacency, node, of));
    waiting.forEach((node, at) => {
      of[node] = found[at] ?? -1;
    });
    waiting = waiting.filter(node => of[node] === -1);
  }
  for (const node of waiting) of[node] = hashNumber(view.idOf(node)) >>> 1;
  return { of, revision: earlier.revision };
}

/** The community most links of a node lead to, the lowest of several; -1 when there is none. */
function majority({ forward, backward }: Adjacency, node: NodeHandle, of: Int32Array): number {
  const votes = new Map<number, number>();
  for (const { starts, ends, targets } of [forward, backward]) {
    for (let link = starts[node] ?? 0; link < (ends[node] ?? 0); link++) {
      const community = of[targets[link] ?? NO_NODE] ?? -1;
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
export function* describeSteps(view: GraphView, membership: Membership, nodes: NodeColumn, { relations }: ClusterOptions): Steps<readonly Community[]> {
  const strengths = yield* strengthSteps(view.adjacency, nodes, membership.of, relations);
  yield;
  const members = [...membersByCommunity(membership, nodes)].sort(([a, x], [b, y]) => y.length - x.length || a - b);
  yield;
  const names = yield* communityNames(
    view,
    members.map(([id, list]) => ({ id, members: list })),
    strengths,
  );
  const described: Community[] = [];
  let done = 0;
  for (const [id, list] of members) {
    described.push({ ...describe(view, membership, strengths, id, list), label: names.get(id) ?? '' });
    done += list.length;
    if (done < NODES_PER_STEP) continue;
    done = 0;
    yield;
  }
  return described;
}

const KEY_FILES = 3;
const MAIN_RELATIONS = 3;

function describe(
  view: GraphView,
  { of }: Membership,
  strengths: Float64Array,
  id: number,
  members: readonly NodeHandle[],
): Pick<Community, 'id' | 'summary' | 'memberCount' | 'centralNode'> {
  const files = new Map<NodeHandle, number>();
  const uses = new Map<number, number>();
  const { forward, live } = view.adjacency;
  let centralNode = members[0] ?? NO_NODE;
  for (const node of members) {
    if (isStronger(view, strengths, node, centralNode)) centralNode = node;
    const file = view.fileNodeOf(node);
    if (file !== undefined) files.set(file, (files.get(file) ?? 0) + (strengths[node] ?? 0));
    for (let link = forward.starts[node] ?? 0; link < (forward.ends[node] ?? 0); link++) {
      const target = forward.targets[link] ?? NO_NODE;
      const code = forward.relations[link] ?? 0;
      if (live[target] === 1 && of[target] === id && RELATIONS[code]?.dependency === true) uses.set(code, (uses.get(code) ?? 0) + 1);
    }
  }
  const keyFiles = [...files].sort(([a, x], [b, y]) => y - x || view.orderOf(a) - view.orderOf(b)).slice(0, KEY_FILES);
  const relations = [...uses].sort(([a, x], [b, y]) => y - x || a - b).slice(0, MAIN_RELATIONS);
  const summary = [
    `${counted(members.length, 'member')} in ${counted(files.size, 'file')}`,
    keyFiles.length === 0 ? '' : `, mainly ${keyFiles.map(([file]) => view.idOf(file)).join(', ')}`,
    relations.length === 0
      ? '.'
      : `; connected by ${relations.map(([code, count]) => `${RELATIONS[code]?.name.toLowerCase().replaceAll('_', ' ') ?? ''} (${count})`).join(', ')}.`,
    members.length > 1 ? ` Most central: ${nameWithin(view, centralNode)}.` : '',
  ].join('');
  return { id, summary, memberCount: members.length, centralNode };
}

/** With the type that it is a member of: `__init__` alone says nothing. */
function nameWithin(view: GraphView, node: NodeHandle): string {
  const { name } = view.node(node);
  const holder = view.parentOf(node);
  return holder === undefined || view.kindOf(holder) === 'file' ? name : `${view.node(holder).name}.${name}`;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
