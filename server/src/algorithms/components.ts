import { accepts, type LinkFilter, type Rows } from './rows';

export interface Components {
  /** Component of each node, -1 for dead ones. Numbered so that a component comes after every component it links to. */
  readonly of: Int32Array;
  readonly count: number;
}

/** Strongly connected components: Tarjan 1972, with an explicit stack. */
export function stronglyConnected(rows: Rows, live: Uint8Array, filter: LinkFilter): Components {
  const size = live.length;
  const of = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const next = new Int32Array(size);
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;
  let count = 0;

  const enter = (node: number): void => {
    order[node] = low[node] = visited++;
    next[node] = rows.starts[node] ?? 0;
    open.push(node);
    path.push(node);
  };
  const close = (node: number): void => {
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      of[member] = count;
      if (member === node) break;
    }
    count++;
  };

  for (let root = 0; root < size; root++) {
    if (live[root] !== 1 || order[root] !== -1) continue;
    enter(root);
    while (path.length > 0) {
      const node = path[path.length - 1] ?? 0;
      const link = next[node] ?? 0;
      if (link < (rows.ends[node] ?? 0)) {
        next[node] = link + 1;
        const target = rows.targets[link] ?? 0;
        if (live[target] !== 1 || !accepts(rows, link, filter)) continue;
        if (order[target] === -1) enter(target);
        else if (of[target] === -1) low[node] = Math.min(low[node] ?? 0, order[target] ?? 0);
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
      if (low[node] === order[node]) close(node);
    }
  }
  return { of, count };
}

/** Components of more than one node. Members ascend; groups by first member. */
export function cycles(components: Components): number[][] {
  const groups = new Map<number, number[]>();
  for (let node = 0; node < components.of.length; node++) {
    const component = components.of[node] ?? -1;
    if (component === -1) continue;
    const group = groups.get(component);
    if (group === undefined) groups.set(component, [node]);
    else group.push(node);
  }
  return [...groups.values()].filter(group => group.length > 1);
}

/**
 * Orders `nodes` so that what a node links to comes before it. A cycle counts as one vertex and is laid out by `compare`.
 * Of what may come first, the smallest by `compare` does.
 */
export function dependenciesFirst<Node extends number>(rows: Rows, nodes: readonly Node[], filter: LinkFilter, compare: (a: Node, b: Node) => number): Node[] {
  const sorted = [...nodes].sort(compare);
  const part = within(rows, sorted, filter);
  const { of } = stronglyConnected(part, new Uint8Array(sorted.length).fill(1), filter);
  const groups = new Map<number, number[]>();
  for (let place = 0; place < sorted.length; place++) {
    const component = of[place] ?? -1;
    const group = groups.get(component);
    if (group === undefined) groups.set(component, [place]);
    else group.push(place);
  }
  const waiting = new Map<number, number>();
  const dependents = new Map<number, number[]>();
  for (const [component, group] of groups) {
    const targets = new Set(group.flatMap(place => Array.from(part.targets.subarray(part.starts[place], part.ends[place]), target => of[target] ?? -1)));
    targets.delete(component);
    waiting.set(component, targets.size);
    for (const target of targets) dependents.set(target, [...(dependents.get(target) ?? []), component]);
  }
  const first = (component: number): number => groups.get(component)?.[0] ?? 0;
  const ready = [...groups.keys()].filter(component => waiting.get(component) === 0);
  const result: Node[] = [];
  while (ready.length > 0) {
    ready.sort((a, b) => first(a) - first(b));
    const component = ready.shift() ?? -1;
    for (const place of groups.get(component) ?? []) result.push(sorted[place] as Node);
    for (const dependent of dependents.get(component) ?? []) {
      const left = (waiting.get(dependent) ?? 0) - 1;
      waiting.set(dependent, left);
      if (left === 0) ready.push(dependent);
    }
  }
  return result;
}

/** The links among some nodes that the filter lets through, as a graph of its own: nodes are their places in the list. */
function within(rows: Rows, nodes: readonly number[], filter: LinkFilter): Rows {
  const places = new Map(nodes.map((node, place) => [node, place]));
  const starts = new Int32Array(nodes.length);
  const ends = new Int32Array(nodes.length);
  const links: { readonly link: number; readonly target: number }[] = [];
  for (const [place, node] of nodes.entries()) {
    starts[place] = links.length;
    const end = rows.ends[node] ?? 0;
    for (let link = rows.starts[node] ?? 0; link < end; link++) {
      const target = accepts(rows, link, filter) ? places.get(rows.targets[link] ?? 0) : undefined;
      if (target !== undefined) links.push({ link, target });
    }
    ends[place] = links.length;
  }
  return {
    starts,
    ends,
    targets: Int32Array.from(links, ({ target }) => target),
    relations: Uint8Array.from(links, ({ link }) => rows.relations[link] ?? 0),
    confidences: Uint8Array.from(links, ({ link }) => rows.confidences[link] ?? 0),
  };
}
