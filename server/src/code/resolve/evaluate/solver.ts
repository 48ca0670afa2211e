import { NOTHING, SET_UNKNOWN, type ValueSet, type Values } from '../values';
import type { Evaluator } from './evaluator';

const FRESH = -1;
/** In progress: `ACTIVE - depth`. Finished inside a cycle that is not: `TENTATIVE - index`. */
const ACTIVE = -2;
const TENTATIVE = -1_000_000;
const MAX_DEPTH = 160;
const MAX_ROUNDS = 12;
/** From this round on answers only grow, which ends cycles that would swing. */
const WIDENED_AFTER = 5;
/** What `peek` gives for a slot that must be computed. */
const UNANSWERED = -1 as ValueSet;
/** `low` while nothing unfinished was met. */
export const SETTLED = 2_000_000_000;

/**
 * Memo of queries that may depend on each other in cycles.
 *
 * A query is a slot. When a query meets itself, it gets what is known so far (first nothing) and the outermost query of the cycle is repeated until
 * nothing changes, so every member ends at the least fixed point: the same answer whichever was asked first. Answers are sets of `Values`.
 */
export class Solver {
  #memo = new Int32Array(65536).fill(FRESH);
  #used = 0;
  /** Per active frame. */
  #slots: number[] = [];
  #known: ValueSet[] = [];
  #asked: boolean[] = [];
  /** Finished inside an unfinished cycle: slot, answer, and the lowest frame it rests on. */
  #tentativeSlots: number[] = [];
  #tentativeAnswers: ValueSet[] = [];
  #tentativeLows: number[] = [];
  readonly #seeds = new Map<number, ValueSet>();
  #changed = false;
  /** Whether the last finished query was where a cycle began. */
  closedCircle = false;
  /** Lowest unfinished frame that what is being computed rests on. */
  low = SETTLED;

  constructor(private readonly values: Values) {}

  get depth(): number {
    return this.#slots.length;
  }

  /** `count` slots in a row; returns the first. */
  allocate(count: number): number {
    const start = this.#used;
    this.#used += count;
    if (this.#used > this.#memo.length) {
      const memo = new Int32Array(Math.max(this.#used, this.#memo.length * 2)).fill(FRESH);
      memo.set(this.#memo);
      this.#memo = memo;
    }
    return start;
  }

  clear(): void {
    if (this.#memo.length > 1 << 20) this.#memo = new Int32Array(65536).fill(FRESH);
    else this.#memo.fill(FRESH, 0, this.#used);
    this.#used = 0;
    this.#slots = [];
    this.#known = [];
    this.#asked = [];
    this.#tentativeSlots = [];
    this.#tentativeAnswers = [];
    this.#tentativeLows = [];
    this.#seeds.clear();
    this.#changed = false;
    this.low = SETTLED;
  }

  /** Answer of a slot that is finished or being worked on; `-1` when it must be computed with `solve`. */
  peek(slot: number): ValueSet {
    const state = this.#memo[slot] ?? FRESH;
    if (state >= 0) return state as ValueSet;
    if (state === FRESH) return UNANSWERED;
    if (state <= TENTATIVE) {
      const index = TENTATIVE - state;
      this.low = Math.min(this.low, this.#tentativeLows[index] ?? 0);
      return this.#tentativeAnswers[index] ?? NOTHING;
    }
    const depth = ACTIVE - state;
    this.#asked[depth] = true;
    this.low = Math.min(this.low, depth);
    return this.#known[depth] ?? NOTHING;
  }

  /** Drops a finished answer, so that it is computed anew when asked again; unfinished ones stay. */
  forget(slot: number): void {
    if ((this.#memo[slot] ?? FRESH) >= 0) this.#memo[slot] = FRESH;
  }

  /** Answers a slot by its rule, which gets the rest as it is: no closure is made for a query. */
  solve<Subject, Row, Mode>(
    slot: number,
    rule: (ev: Evaluator, subject: Subject, row: Row, mode: Mode) => ValueSet,
    ev: Evaluator,
    subject: Subject,
    row: Row,
    mode: Mode,
  ): ValueSet {
    const depth = this.#slots.length;
    if (depth >= MAX_DEPTH) return SET_UNKNOWN;
    const outerLow = this.low;
    const outerChanged = this.#changed;
    const firstTentative = this.#tentativeSlots.length;
    let known = this.#seeds.get(slot) ?? NOTHING;
    for (let round = 0; ; round++) {
      this.#memo[slot] = ACTIVE - depth;
      this.#slots.push(slot);
      this.#known.push(known);
      this.#asked.push(false);
      this.low = SETTLED;
      this.#changed = false;
      const computed = rule(ev, subject, row, mode);
      const answer = round < WIDENED_AFTER ? computed : this.values.union(known, computed);
      const asked = this.#asked.pop() === true;
      this.#slots.pop();
      this.#known.pop();
      if (asked && answer !== known) {
        this.#changed = true;
        this.#seeds.set(slot, answer);
      }
      if (this.low < depth) {
        this.#keep(slot, answer, this.low);
        this.low = Math.min(outerLow, this.low);
        this.#changed ||= outerChanged;
        this.closedCircle = false;
        return answer;
      }
      this.closedCircle = this.#tentativeSlots.length > firstTentative || asked;
      if (this.closedCircle) {
        if (this.#changed && round < MAX_ROUNDS) {
          known = this.#seeds.get(slot) ?? answer;
          this.#restart(firstTentative);
          continue;
        }
        this.#settle(firstTentative);
        this.#seeds.delete(slot);
      }
      this.#changed = outerChanged;
      this.#memo[slot] = answer;
      this.low = outerLow;
      return answer;
    }
  }

  #keep(slot: number, answer: ValueSet, low: number): void {
    this.#memo[slot] = TENTATIVE - this.#tentativeSlots.length;
    this.#tentativeSlots.push(slot);
    this.#tentativeAnswers.push(answer);
    this.#tentativeLows.push(low);
  }

  #restart(from: number): void {
    for (let index = from; index < this.#tentativeSlots.length; index++) this.#memo[this.#tentativeSlots[index] ?? 0] = FRESH;
    this.#truncate(from);
  }

  #settle(from: number): void {
    for (let index = from; index < this.#tentativeSlots.length; index++) {
      const slot = this.#tentativeSlots[index] ?? 0;
      this.#memo[slot] = this.#tentativeAnswers[index] ?? NOTHING;
      this.#seeds.delete(slot);
    }
    this.#truncate(from);
  }

  #truncate(length: number): void {
    this.#tentativeSlots.length = length;
    this.#tentativeAnswers.length = length;
    this.#tentativeLows.length = length;
  }
}
