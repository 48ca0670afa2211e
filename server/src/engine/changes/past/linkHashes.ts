import { candidateCount, type FileLinks } from '../../../code/graph/graphColumns';
import type { NodeHandle, NodeIds } from '../../../model/ids';
import type { SiteTable } from '../../../model/resolution';

/** Two sums of 32 bits that are mixed differently. */
interface Sums {
  low: number;
  high: number;
}

const SITE_NUMBERS = ['relation', 'line', 'column', 'length', 'candidateStart', 'candidateCount'] as const;
const CANDIDATE_NUMBERS = ['confidence', 'source'] as const;

/** Hashes of where the references of files lead: equal in every process where the ids of the nodes and all that is known of the references are equal. */
export class LinkHashes {
  /** By handle. */
  #low = new Int32Array(0);
  #high = new Int32Array(0);
  #hashed = 0;
  /** References never change; another resolution has others. */
  readonly #known = new WeakMap<SiteTable, string>();

  constructor(private readonly ids: NodeIds) {}

  /** 16 hexadecimal digits. */
  of(links: FileLinks): string {
    const known = this.#known.get(links.sites);
    if (known !== undefined) return known;
    this.#hashIds();
    const { sites } = links;
    const sums: Sums = { low: 17, high: 71 };
    this.#nodes(sums, [links.file], 1);
    this.#nodes(sums, links.nodes, links.nodes.length);
    this.#nodes(sums, sites.from, sites.count);
    for (const field of SITE_NUMBERS) numbers(sums, sites[field], sites.count);
    const candidates = candidateCount(sites);
    this.#nodes(sums, sites.target, candidates);
    for (const field of CANDIDATE_NUMBERS) numbers(sums, sites[field], candidates);
    numbers(sums, links.unresolved, links.unresolved.length);
    numbers(sums, links.external, links.external.length);
    const hash = `${hexOf(sums.low)}${hexOf(sums.high)}`;
    this.#known.set(links.sites, hash);
    return hash;
  }

  #nodes(sums: Sums, handles: ArrayLike<NodeHandle>, count: number): void {
    for (let at = 0; at < count; at++) {
      const handle = handles[at] ?? -1;
      mix(sums, this.#low[handle] ?? 0, this.#high[handle] ?? 0);
    }
    mix(sums, count, count);
  }

  /** Of the ids that came since the last time. */
  #hashIds(): void {
    const { size } = this.ids;
    if (size > this.#low.length) {
      const [low, high] = [new Int32Array(size * 2), new Int32Array(size * 2)];
      low.set(this.#low);
      high.set(this.#high);
      [this.#low, this.#high] = [low, high];
    }
    for (; this.#hashed < size; this.#hashed++) {
      const text = this.ids.text(this.#hashed as NodeHandle);
      const sums: Sums = { low: text.length, high: ~text.length };
      for (let at = 0; at < text.length; at++) mix(sums, text.charCodeAt(at), text.charCodeAt(at));
      this.#low[this.#hashed] = finished(sums.low);
      this.#high[this.#hashed] = finished(sums.high);
    }
  }
}

function numbers(sums: Sums, column: ArrayLike<number>, count: number): void {
  for (let at = 0; at < count; at++) mix(sums, column[at] ?? 0, column[at] ?? 0);
  mix(sums, count, count);
}

function mix(sums: Sums, low: number, high: number): void {
  sums.low = Math.imul(turned(sums.low ^ turned(Math.imul(low, 0xcc9e2d51), 15), 13), 5) + 0x3c6ef372;
  sums.high = Math.imul(turned(sums.high ^ turned(Math.imul(high, 0x1b873593), 16), 11), 9) + 0x26543210;
}

function turned(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Every bit of the sum counts for every bit of the result. */
function finished(sum: number): number {
  let value = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}

function hexOf(sum: number): string {
  return (finished(sum) >>> 0).toString(16).padStart(8, '0');
}
