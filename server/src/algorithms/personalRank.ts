import type { ColumnOf } from '../base/branded';
import type { Steps } from '../base/steps';
import type { Rows } from './rows';

export interface PersonalRankOptions {
  /** Weight of a step by the kind of link (indexed by code); 0 leaves it out. Parallel links add up. */
  readonly weights: Readonly<Float64Array>;
  readonly damping: number;
  readonly iterations: number;
  /** Share of the highest score below which nodes are left out. */
  readonly cut: number;
  readonly limit: number;
}

/** Damping as in Page and Brin; what scores below a hundredth of the best says nothing of the node asked about. */
export const PERSONAL_RANK = { damping: 0.85, iterations: 20, cut: 0.01, limit: 50 } as const;

export interface PersonalRank<Node extends number = number> {
  /** Highest score first, then by `compare`. */
  readonly nodes: ColumnOf<Node>;
  readonly scores: Float64Array;
}

/** Scores are told in steps of this fraction, so that the order in which sums were made does not decide. */
const STEPS = 1e9;
/**
 * Rank is passed on where a node has more than this for each of its links, and waits there until it has.
 * What waits is far below the cut; a hub, whose many links each would get next to nothing, is passed over but for what lies near it.
 */
const TOO_LITTLE = 5e-6;
/** Links passed over between two pauses: about a millisecond. */
const LINKS_PER_STEP = 20_000;

/**
 * Personalized PageRank (Page et al. 1999) along all given halves, restarting uniformly on the seeds; dead ends return to them.
 * Rank is pushed forward from the seeds (Andersen, Chung and Lang 2006), in rounds: without `TOO_LITTLE`, as many rounds give what as many steps of
 * power iteration give. At most 1 / (`TOO_LITTLE` × (1 - damping)) links are passed over, however large the graph is; usually a tenth of that.
 */
export function personalRank<Node extends number>(
  halves: readonly Rows[],
  live: Uint8Array,
  seeds: Iterable<Node>,
  options: PersonalRankOptions,
  compare: (a: Node, b: Node) => number,
): PersonalRank<Node> {
  const steps = personalRankSteps(halves, live, seeds, options, compare);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** `personalRank` in steps of about a millisecond, for callers that must yield in between. */
export function* personalRankSteps<Node extends number>(
  halves: readonly Rows[],
  live: Uint8Array,
  seeds: Iterable<Node>,
  options: PersonalRankOptions,
  compare: (a: Node, b: Node) => number,
): Steps<PersonalRank<Node>> {
  const restart = [...new Set(seeds)].filter(seed => live[seed] === 1);
  if (restart.length === 0) return { nodes: new Int32Array(0) as ColumnOf<Node>, scores: new Float64Array(0) };
  const push = new ForwardPush(halves, live, options);
  push.give(restart, 1);
  for (let round = 0, passed = 0; round < options.iterations; round++) {
    const due = push.take();
    if (due.places.length === 0) break;
    let dead = 0;
    for (let at = 0; at < due.places.length; at++) {
      const rank = due.ranks[at] as number;
      const links = push.passOn(due.places[at] as number, rank);
      if (links === 0) dead += rank;
      passed += links;
      if (passed < LINKS_PER_STEP) continue;
      passed = 0;
      yield;
    }
    if (dead > 0) push.give(restart, dead);
  }
  return push.best(compare);
}

/**
 * What has come to stay and what is still on its way. Nodes that rank reaches are numbered as they come (their place), so that what is read and written
 * for each link lies close together. What a round adds waits for the next, so the order of nodes does not matter.
 */
class ForwardPush {
  /** By node; 0 as long as rank has not reached it. */
  readonly #places: Int32Array;
  // By place; what comes to place 0 is lost.
  readonly #nodes = [-1];
  readonly #stayed = [0.5];
  readonly #waiting = [0.5];
  /** What a node may have before it is due; no bound when it is due already. */
  readonly #limits = [Number.POSITIVE_INFINITY];
  /** Sums of the weights of nodes' links, -1 as long as they are not known. */
  readonly #strengths = [-0.5];
  #due: number[] = [];

  constructor(
    private readonly halves: readonly Rows[],
    private readonly live: Uint8Array,
    private readonly options: PersonalRankOptions,
  ) {
    this.#places = new Int32Array(live.length);
  }

  /** Spreads rank evenly over some nodes. */
  give(nodes: readonly number[], rank: number): void {
    for (const node of nodes) this.#add(this.#placeOf(node), rank / nodes.length);
  }

  /** Places that are due, and what each passes on; the rest of what it had stays with it. */
  take(): { readonly places: readonly number[]; readonly ranks: Float64Array } {
    const { damping } = this.options;
    const places = this.#due;
    const ranks = new Float64Array(places.length);
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      const had = this.#waiting[place] as number;
      this.#waiting[place] = 0;
      this.#limits[place] = this.#limitOf(place);
      this.#stayed[place] = (this.#stayed[place] as number) + (1 - damping) * had;
      ranks[at] = damping * had;
    }
    this.#due = [];
    return { places, ranks };
  }

  /** Number of links in the rows of the node; 0 when rank cannot leave it. */
  passOn(place: number, rank: number): number {
    const total = this.#strengthOf(place);
    if (total === 0) return 0;
    let links = 0;
    for (const rows of this.halves) links += this.#along(rows, this.#nodes[place] as number, rank / total);
    return links;
  }

  best<Node extends number>(compare: (a: Node, b: Node) => number): PersonalRank<Node> {
    const { cut, damping, limit } = this.options;
    const waiting = this.#waiting;
    const scores = this.#stayed;
    let top = 0;
    for (let place = 1; place < scores.length; place++) {
      const isDue = this.#limits[place] === Number.POSITIVE_INFINITY;
      const score = (scores[place] as number) + (isDue ? 1 : 1 - damping) * (waiting[place] as number);
      scores[place] = score;
      if (score > top) top = score;
    }
    const best: { readonly node: Node; readonly score: number }[] = [];
    const least = rounded(top) * cut;
    for (let place = 1; place < scores.length; place++) {
      const score = rounded(scores[place] as number);
      if (score >= least) best.push({ node: this.#nodes[place] as Node, score });
    }
    best.sort((a, b) => b.score - a.score || compare(a.node, b.node));
    best.length = Math.min(best.length, limit);
    return { nodes: Int32Array.from(best, ({ node }) => node) as ColumnOf<Node>, scores: Float64Array.from(best, ({ score }) => score) };
  }

  #along({ ends, relations, starts, targets }: Rows, node: number, share: number): number {
    const places = this.#places;
    const { weights } = this.options;
    const start = starts[node] as number;
    const end = ends[node] as number;
    for (let link = start; link < end; link++) {
      const target = targets[link] as number;
      const part = share * (weights[relations[link] as number] as number);
      if (part === 0) continue;
      const place = places[target] as number;
      this.#add(place === 0 ? this.#placeOf(target) : place, part);
    }
    return end - start;
  }

  #add(place: number, rank: number): void {
    const now = (this.#waiting[place] as number) + rank;
    this.#waiting[place] = now;
    if (now <= (this.#limits[place] as number)) return;
    this.#limits[place] = Number.POSITIVE_INFINITY;
    this.#due.push(place);
  }

  /** 0 for dead nodes. */
  #placeOf(node: number): number {
    const known = this.#places[node] as number;
    if (known > 0 || this.live[node] !== 1) return known;
    const place = this.#nodes.push(node) - 1;
    this.#places[node] = place;
    this.#stayed.push(0);
    this.#waiting.push(0);
    this.#strengths.push(-1);
    this.#limits.push(this.#limitOf(place));
    return place;
  }

  /** Links that do not count are counted too: to tell them apart costs more than it saves. */
  #limitOf(place: number): number {
    const node = this.#nodes[place] as number;
    let links = 0;
    for (const { ends, starts } of this.halves) links += (ends[node] as number) - (starts[node] as number);
    return TOO_LITTLE * Math.max(1, links);
  }

  #strengthOf(place: number): number {
    const known = this.#strengths[place] as number;
    if (known >= 0) return known;
    const node = this.#nodes[place] as number;
    const { weights } = this.options;
    let total = 0;
    for (const { ends, relations, starts, targets } of this.halves) {
      const end = ends[node] as number;
      for (let link = starts[node] as number; link < end; link++) {
        if (this.live[targets[link] as number] === 1) total += weights[relations[link] as number] as number;
      }
    }
    this.#strengths[place] = total;
    return total;
  }
}

function rounded(score: number): number {
  return Math.round(score * STEPS) / STEPS;
}
