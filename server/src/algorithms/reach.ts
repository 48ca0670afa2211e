import type { ColumnOf } from '../base/branded';
import { accepts, type LinkFilter, type Rows } from './rows';

/** `Node` is the kind of number that nodes are. */
export interface Reach<Node extends number = number> {
  /** Nodes in breadth-first order, seeds first. */
  readonly nodes: ColumnOf<Node>;
  /** Hops from the nearest seed by node; -1 when not reached. */
  readonly depths: Int32Array;
  /** False when a bound ended the walk. */
  readonly complete: boolean;
}

/** Where a walk ends although there is more: by nodes reached, and by links looked at. */
export interface Bounds {
  readonly nodes: number;
  readonly links: number;
}

/** Breadth-first walk from all seeds at once, over every given half of the graph (forward, backward or both), at most `maxDepth` hops; seeds always count. */
export function reach<Node extends number>(
  halves: readonly Rows[],
  live: Uint8Array,
  seeds: Iterable<Node>,
  maxDepth: number,
  filter: LinkFilter,
  { nodes: maxNodes, links: maxLinks }: Bounds = UNBOUNDED,
): Reach<Node> {
  const depths = new Int32Array(live.length).fill(-1);
  const queue: number[] = [];
  for (const seed of seeds) {
    if (live[seed] !== 1 || depths[seed] !== -1) continue;
    depths[seed] = 0;
    queue.push(seed);
  }
  let links = maxLinks;
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] ?? 0;
    const depth = depths[node] ?? 0;
    if (depth >= maxDepth) break;
    for (const rows of halves) {
      const end = rows.ends[node] ?? 0;
      for (let link = rows.starts[node] ?? 0; link < end; link++) {
        if (links-- <= 0) return { nodes: Int32Array.from(queue) as ColumnOf<Node>, depths, complete: false };
        const next = rows.targets[link] ?? 0;
        if (depths[next] !== -1 || live[next] !== 1 || !accepts(rows, link, filter)) continue;
        if (queue.length >= maxNodes) return { nodes: Int32Array.from(queue) as ColumnOf<Node>, depths, complete: false };
        depths[next] = depth + 1;
        queue.push(next);
      }
    }
  }
  return { nodes: Int32Array.from(queue) as ColumnOf<Node>, depths, complete: true };
}

const UNBOUNDED: Bounds = { nodes: Number.POSITIVE_INFINITY, links: Number.POSITIVE_INFINITY };

/** Fewest-hops path from `from` to `to` along the given halves; `undefined` when there is none. Of equally short paths the first found in row order. */
export function shortestPath<Node extends number>(halves: readonly Rows[], live: Uint8Array, from: Node, to: Node, filter: LinkFilter): Node[] | undefined {
  if (live[from] !== 1 || live[to] !== 1) return undefined;
  const parents = new Int32Array(live.length).fill(-1);
  parents[from] = from;
  const queue: number[] = [from];
  for (let head = 0; head < queue.length && parents[to] === -1; head++) {
    const node = queue[head] ?? 0;
    for (const rows of halves) {
      const end = rows.ends[node] ?? 0;
      for (let link = rows.starts[node] ?? 0; link < end; link++) {
        const next = rows.targets[link] ?? 0;
        if (parents[next] !== -1 || live[next] !== 1 || !accepts(rows, link, filter)) continue;
        parents[next] = node;
        queue.push(next);
      }
    }
  }
  if (parents[to] === -1) return undefined;
  const path = [to];
  for (let node = to; node !== from; ) {
    node = (parents[node] ?? from) as Node;
    path.push(node);
  }
  return path.reverse();
}
