import type { FileNumbers } from './filePlaces';
import { SEARCH_FIELDS, type SearchField, type SearchHit, type SearchPage, type SearchQuery } from './searchView';
import { BESIDE_BIT, type LiveSegment } from './segment';
import type { SearchSettings } from './settings';
import { fuseLinear, fuseReciprocalRanks } from './vectors/fusion';
import type { VectorRanking } from './vectors/vectorRanking';
import { QueryCoverage } from './words/queryCoverage';

/** One segment and its sums for the query at hand. */
export interface WorkPart {
  readonly live: LiveSegment;
  readonly scratch: Scratch;
  readonly files: FileNumbers;
}

/** What documents of one segment scored in one group of fields. */
export class ScoreAccumulator {
  readonly scores: Float64Array;
  /** Bit per matched term. */
  readonly terms: Int32Array;

  constructor(size: number) {
    this.scores = new Float64Array(size);
    this.terms = new Int32Array(size);
  }

  add(document: number, score: number, bit: number): void {
    this.scores[document] = (this.scores[document] as number) + score;
    this.terms[document] = (this.terms[document] as number) | bit;
  }

  /** The sum times what the number of its terms counts, one at least. */
  total(document: number, worth: Float64Array): number {
    const score = this.scores[document] as number;
    if (score === 0) return 0;
    const matched = bitCount(this.terms[document] as number);
    return score * (worth[matched === 0 ? 1 : matched] as number);
  }
}

/** In the place of a field: near in meaning. */
export const MEANING = SEARCH_FIELDS.length;

/** Sums of one segment; used again for every query. */
export class Scratch {
  readonly own: ScoreAccumulator;
  readonly file: ScoreAccumulator;
  /** Boosted frequency of one term over the document's own fields; zero between terms. */
  readonly frequencies: Float64Array;
  /** Bit per matched field, and `MEANING`. */
  readonly fields: Uint16Array;
  readonly tiers: Uint8Array;
  readonly coverage: QueryCoverage;
  /** Nearness in meaning, of the last query that asked for it, and what it is made of. */
  readonly meaning: Float32Array;
  readonly products: Int32Array;
  /** Documents with a matched field: the first `touchedCount`, in the order of being touched. */
  readonly touched: Int32Array;
  touchedCount = 0;

  constructor(size: number) {
    this.own = new ScoreAccumulator(size);
    this.file = new ScoreAccumulator(size);
    this.frequencies = new Float64Array(size);
    this.fields = new Uint16Array(size);
    this.tiers = new Uint8Array(size);
    this.coverage = new QueryCoverage(size);
    this.meaning = new Float32Array(size);
    this.products = new Int32Array(size);
    this.touched = new Int32Array(size);
  }

  touch(document: number, field: number): void {
    const before = this.fields[document] as number;
    if (before === 0) this.touched[this.touchedCount++] = document;
    this.fields[document] = before | (1 << field);
  }

  clear(): void {
    const { fields, file, own, coverage, tiers, touched } = this;
    for (let at = 0; at < this.touchedCount; at++) {
      const document = touched[at] as number;
      own.scores[document] = 0;
      own.terms[document] = 0;
      file.scores[document] = 0;
      file.terms[document] = 0;
      fields[document] = 0;
      tiers[document] = 0;
      coverage.names[document] = 0;
      coverage.comments[document] = 0;
    }
    this.touchedCount = 0;
  }
}

/** How sums become one score. */
export interface ScoreFusion {
  readonly termCount: number;
  /** Sum of the inverse document frequencies of the terms. */
  readonly queryWeight: number;
  readonly fileCount: number;
  readonly settings: SearchSettings;
  /** The query asks for tests or the like. */
  readonly asksBeside: boolean;
  /** Nearness in meaning; its best documents have been touched. */
  readonly byMeaning: VectorRanking | undefined;
}

/** The page that was asked for, best first; equal scores in order of ids. */
export function best(work: readonly WorkPart[], blend: ScoreFusion, query: SearchQuery): SearchPage {
  const candidates = candidatesOf(work, blend);
  const wanted = Math.max(0, Math.floor(query.offset)) + Math.max(0, Math.floor(query.limit));
  const { first, total } = candidates.firstOf(wanted, query.accept);
  return { hits: first.map(at => candidates.hit(at)), total };
}

/**
 * A document's own score and that of its file, each over the best of its kind, in the shares of the settings; on the scale of the own scores.
 * Then come the tiers: each outranks every score below it.
 */
function candidatesOf(work: readonly WorkPart[], blend: ScoreFusion): Candidates {
  const candidates = new Candidates(work);
  const { scores } = candidates;
  lexicalScores(work, blend, scores);
  if (blend.byMeaning !== undefined) fuse(candidates, work, blend.byMeaning, blend.settings);
  const step = highest(scores) || 1;
  let at = 0;
  for (const { scratch } of work) {
    const { tiers, touched, touchedCount } = scratch;
    for (let place = 0; place < touchedCount; place++, at++) {
      const tier = tiers[touched[place] as number] as number;
      if (tier > 0) scores[at] = (scores[at] as number) + tier * step;
    }
  }
  return candidates;
}

function lexicalScores(work: readonly WorkPart[], blend: ScoreFusion, scores: Float64Array): void {
  const { asksBeside, settings } = blend;
  const { besideWeight, fileShare } = settings;
  const files = fileScores(work, blend);
  const bestFile = highest(files);
  ownScores(work, blend, scores);
  const bestOwn = highest(scores);
  const fileFactor = bestFile === 0 ? 0 : bestOwn === 0 ? 1 : (fileShare * bestOwn) / bestFile;
  const ownFactor = bestFile === 0 ? 1 : 1 - fileShare;
  let at = 0;
  for (const { files: places, live, scratch } of work) {
    const { numbers, rowOf } = places;
    const { weights } = live.segment;
    const { touched, touchedCount } = scratch;
    for (let place = 0; place < touchedCount; place++, at++) {
      const document = touched[place] as number;
      const score = ownFactor * (scores[at] as number) + fileFactor * (files[numbers[rowOf[document] as number] as number] as number);
      scores[at] = !asksBeside && ((weights[document] as number) & BESIDE_BIT) !== 0 ? score * besideWeight : score;
    }
  }
}

/** Words and meaning together; where one of them says nothing the other decides alone. */
function fuse(candidates: Candidates, work: readonly WorkPart[], byMeaning: VectorRanking, settings: SearchSettings): void {
  const { scores } = candidates;
  const near = new Float64Array(scores.length);
  let at = 0;
  for (const [part, { scratch }] of work.entries()) {
    const meaning = byMeaning.scores[part] as Float32Array;
    const { touched, touchedCount } = scratch;
    for (let place = 0; place < touchedCount; place++) near[at++] = meaning[touched[place] as number] as number;
  }
  if (settings.fusion === 'linear') fuseLinear(scores, near, settings.vectorShare);
  else fuseReciprocalRanks(scores, near, (a, b) => candidates.idOf(a) < candidates.idOf(b), settings);
}

function ownScores(work: readonly WorkPart[], { settings, termCount, queryWeight }: ScoreFusion, into: Float64Array): void {
  const worth = worthOf(termCount, settings.ownCoordination);
  let at = 0;
  for (const { live, scratch } of work) {
    const { own, coverage, touched, touchedCount } = scratch;
    const { lengths, weights } = live.segment;
    for (let place = 0; place < touchedCount; place++) {
      const document = touched[place] as number;
      const score = own.total(document, worth) * (((weights[document] as number) & (BESIDE_BIT - 1)) / 100);
      into[at++] = score === 0 ? 0 : score * coverage.worth(document, lengths, queryWeight, settings);
    }
  }
}

function fileScores(work: readonly WorkPart[], { fileCount, settings, termCount }: ScoreFusion): Float64Array {
  const files = new Float64Array(fileCount);
  const worth = worthOf(termCount, settings.fileCoordination);
  for (const { files: places, scratch } of work) {
    const { numbers, rowOf } = places;
    const { file, touched, touchedCount } = scratch;
    for (let place = 0; place < touchedCount; place++) {
      const document = touched[place] as number;
      if (file.terms[document] !== 0) files[numbers[rowOf[document] as number] as number] = file.total(document, worth);
    }
  }
  return files;
}

/** What each number of matched terms counts: a power of its share. */
function worthOf(termCount: number, exponent: number): Float64Array {
  return Float64Array.from({ length: termCount + 1 }, (_, matched) => (matched / termCount) ** exponent);
}

function highest(scores: Float64Array): number {
  let most = 0;
  for (let at = 0; at < scores.length; at++) if ((scores[at] as number) > most) most = scores[at] as number;
  return most;
}

/** All documents that matched, numbered in the order of segments and of being touched. */
class Candidates {
  readonly size: number;
  readonly scores: Float64Array;
  readonly #work: readonly WorkPart[];

  constructor(work: readonly WorkPart[]) {
    this.#work = work;
    this.size = work.reduce((sum, { scratch }) => sum + scratch.touchedCount, 0);
    this.scores = new Float64Array(this.size);
  }

  idOf(candidate: number): string {
    const { part, document } = this.#place(candidate);
    return part.live.segment.ids[document] as string;
  }

  hit(candidate: number): SearchHit {
    const { part, document } = this.#place(candidate);
    const fields = part.scratch.fields[document] as number;
    return { id: part.live.segment.ids[document] as string, score: this.scores[candidate] as number, fields: fieldNames(fields) };
  }

  /** Higher score first, then lower id. */
  isBefore(a: number, b: number): boolean {
    const difference = (this.scores[a] as number) - (this.scores[b] as number);
    return difference !== 0 ? difference > 0 : this.idOf(a) < this.idOf(b);
  }

  /** The best `count` of those that are accepted, in order, without ordering the rest; and how many are accepted. */
  firstOf(count: number, accept: SearchQuery['accept']): { readonly first: readonly number[]; readonly total: number } {
    const most = Math.min(count, this.size);
    const kept: number[] = [];
    let worst = Number.NEGATIVE_INFINITY;
    let total = 0;
    for (let candidate = 0; candidate < this.size; candidate++) {
      if (accept !== undefined && !accept(this.idOf(candidate))) continue;
      total++;
      const score = this.scores[candidate] as number;
      if (most === 0 || (kept.length === most && (score < worst || !this.isBefore(candidate, kept[most - 1] as number)))) continue;
      insertSorted(kept, candidate, (a, b) => this.isBefore(a, b));
      if (kept.length > most) kept.pop();
      if (kept.length === most) worst = this.scores[kept[most - 1] as number] as number;
    }
    return { first: kept, total };
  }

  #place(candidate: number): { readonly part: WorkPart; readonly document: number } {
    let rest = candidate;
    for (const part of this.#work) {
      if (rest < part.scratch.touchedCount) return { part, document: part.scratch.touched[rest] as number };
      rest -= part.scratch.touchedCount;
    }
    throw new RangeError(`no candidate has the number ${candidate}`);
  }
}

function insertSorted(sorted: number[], item: number, isBefore: (a: number, b: number) => boolean): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(item, sorted[middle] as number)) high = middle;
    else low = middle + 1;
  }
  sorted.splice(low, 0, item);
}

/** Number of ones among 32 bits (Warren, Hacker's Delight, section 5-1). */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function fieldNames(bits: number): readonly SearchField[] {
  return SEARCH_FIELDS.filter((_, field) => (bits & (1 << field)) !== 0);
}
