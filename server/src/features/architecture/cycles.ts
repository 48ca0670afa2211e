import { cycles, stronglyConnected } from '../../algorithms/components';
import { kindsOf } from '../../algorithms/rows';
import { eachInSteps, type Steps } from '../../base/steps';
import type { NodeHandle } from '../../code/graph/graphView';
import { serviceOf } from '../shared/services';
import type { CodeMap, Link } from './codeMap';
import type { Scope } from './rules';

/** Units that depend on each other in a cycle. */
export interface Cycle {
  /** Names of all units of the cycle, in order. */
  readonly members: readonly string[];
  /** A shortest way round, the first unit again at its end. */
  readonly way: readonly string[];
  /** The link from the first unit of the way to the second. */
  readonly link: Link;
  /** Every link inside the cycle. */
  readonly links: readonly Link[];
}

/** Cycles among files, layers or services. `first` names units that the way round should begin at when they are in the cycle. */
export function* cyclesAmong(map: CodeMap, links: readonly Link[], scope: Scope, first: (unit: string) => boolean): Steps<Cycle[]> {
  const units = new Units(map, scope);
  yield* eachInSteps(map.graph.files(), file => units.of(file));
  const next = Array.from({ length: units.count }, () => new Map<number, Link>());
  const inner: { readonly link: Link; readonly from: number; readonly to: number }[] = [];
  yield* eachInSteps(links, link => {
    const from = units.of(link.sourceFile);
    const to = link.targetFile === undefined ? -1 : units.of(link.targetFile);
    if (from < 0 || to < 0 || from === to) return;
    inner.push({ link, from, to });
    if (next[from]?.has(to) === false) next[from]?.set(to, link);
  });
  const { of } = stronglyConnected(rowsOf(next), new Uint8Array(units.count).fill(1), { kinds: kindsOf([0]), minConfidence: 0 });
  yield undefined;
  const linksOf = new Map<number, Link[]>();
  yield* eachInSteps(inner, ({ from, link, to }) => {
    const component = of[from] ?? -1;
    if (component !== of[to]) return;
    const own = linksOf.get(component);
    if (own === undefined) linksOf.set(component, [link]);
    else own.push(link);
  });
  const found: Cycle[] = [];
  yield* eachInSteps(cycles({ of, count: units.count }), members => {
    const names = members.map(member => units.nameOf(member));
    const start = members.find(member => first(units.nameOf(member))) ?? lowest(members, member => units.nameOf(member));
    const way = shortestCycle(next, of, start);
    const link = next[way[0] ?? 0]?.get(way[1] ?? 0);
    if (link === undefined) throw new Error('a strongly connected component has a cycle');
    found.push({ members: names.sort(), way: way.map(unit => units.nameOf(unit)), link, links: linksOf.get(of[start] ?? -1) ?? [] });
  });
  return found;
}

function lowest(members: readonly number[], nameOf: (member: number) => string): number {
  return members.reduce((best, member) => (nameOf(member) < nameOf(best) ? member : best), members[0] ?? 0);
}

/** Files, layers or services as small numbers. */
class Units {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #byFile = new Map<NodeHandle, number>();

  constructor(
    private readonly map: CodeMap,
    private readonly scope: Scope,
  ) {}

  get count(): number {
    return this.#names.length;
  }

  /** -1 for a file that is in none. */
  of(file: NodeHandle): number {
    let unit = this.#byFile.get(file);
    if (unit === undefined) this.#byFile.set(file, (unit = this.#numberOf(this.#unitName(file))));
    return unit;
  }

  nameOf(unit: number): string {
    return this.#names[unit] ?? '';
  }

  #unitName(file: NodeHandle): string {
    if (this.scope === 'file') return this.map.graph.idOf(file);
    return this.scope === 'layer' ? (this.map.layerOf(file)?.id ?? '') : serviceOf(this.map.graph.idOf(file));
  }

  #numberOf(name: string): number {
    if (name === '') return -1;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }
}

function rowsOf(next: readonly ReadonlyMap<number, Link>[]) {
  const total = next.reduce((sum, targets) => sum + targets.size, 0);
  const starts = new Int32Array(next.length);
  const ends = new Int32Array(next.length);
  const targets = new Int32Array(total);
  let at = 0;
  next.forEach((row, unit) => {
    starts[unit] = at;
    for (const target of row.keys()) targets[at++] = target;
    ends[unit] = at;
  });
  return { starts, ends, targets, relations: new Uint8Array(total), confidences: new Uint8Array(total) };
}

/** A shortest way from a unit back to itself inside the cycle: breadth-first, neighbors in the order of their links. */
function shortestCycle(next: readonly ReadonlyMap<number, Link>[], of: Int32Array, start: number): number[] {
  const before = new Map<number, number>();
  const queue = [start];
  for (let at = 0; at < queue.length; at++) {
    const unit = queue[at] ?? start;
    for (const target of next[unit]?.keys() ?? []) {
      if (of[target] !== of[start] || (before.has(target) && target !== start)) continue;
      if (target === start) return pathBack(before, start, unit);
      before.set(target, unit);
      queue.push(target);
    }
  }
  return [start];
}

function pathBack(before: ReadonlyMap<number, number>, start: number, last: number): number[] {
  const way = [start];
  for (let unit: number | undefined = last; unit !== undefined && unit !== start; unit = before.get(unit)) way.push(unit);
  return [...way, start].reverse();
}
