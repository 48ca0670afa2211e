import { type ParsedQuery, parseQuery, type QueryTerm } from './queryTerms';
import { SEARCH_FIELDS, type SearchField, type SearchHit, type SearchQuery } from './searchView';
import { FIELD_COUNT, type LiveSegment, lowerBound, positionOf, prefixEnd, type Segment } from './segment';
import type { SearchSettings } from './settings';

/** What ranking needs of one revision. */
export interface RankedIndex {
  readonly segments: readonly LiveSegment[];
  readonly documentCount: number;
  /** Sum of field lengths over live documents, by field. */
  readonly totalLengths: readonly number[];
}

/** A term stands for at most this many longer ones. */
const MOST_EXPANSIONS = 64;

/** How the name itself fits the query; each step outranks every score below it. */
const ID_TIER = 3;
const NAME_TIER = 2;
const PREFIX_TIER = 1;

/**
 * Ranks documents for one query: per field BM25 with true term frequencies, summed with boosts, times the share of the query's terms that matched;
 * before them names that begin with the query, before those names that equal it, before all ids that the query spells out.
 * Holds working memory of 14 bytes per document that is used again; not re-entrant.
 */
export class Ranker {
  readonly #scratches = new WeakMap<Segment, Scratch>();

  rank(index: RankedIndex, settings: SearchSettings, query: SearchQuery): { readonly hits: readonly SearchHit[]; readonly total: number } {
    const parsed = parseQuery(query.text);
    const work = index.segments.map(live => ({ live, scratch: this.#scratchOf(live.segment) }));
    try {
      for (const [bit, term] of parsed.terms.entries()) scoreTerm(index, work, settings, term, 1 << bit);
      for (const part of work) markNames(part, parsed);
      return best(work, parsed.terms.length, query);
    } finally {
      for (const { scratch } of work) scratch.clear();
    }
  }

  #scratchOf(segment: Segment): Scratch {
    let scratch = this.#scratches.get(segment);
    if (scratch === undefined) {
      scratch = new Scratch(segment.ids.length);
      this.#scratches.set(segment, scratch);
    }
    return scratch;
  }
}

interface WorkPart {
  readonly live: LiveSegment;
  readonly scratch: Scratch;
}

/** Sums of one segment for the query at hand. */
class Scratch {
  readonly scores: Float64Array;
  /** Bit per matched term. */
  readonly terms: Int32Array;
  /** Bit per matched field. */
  readonly fields: Uint8Array;
  readonly tiers: Uint8Array;
  readonly touched: number[] = [];

  constructor(size: number) {
    this.scores = new Float64Array(size);
    this.terms = new Int32Array(size);
    this.fields = new Uint8Array(size);
    this.tiers = new Uint8Array(size);
  }

  touch(document: number): void {
    if (this.fields[document] === 0) this.touched.push(document);
  }

  clear(): void {
    for (const document of this.touched) {
      this.scores[document] = 0;
      this.terms[document] = 0;
      this.fields[document] = 0;
      this.tiers[document] = 0;
    }
    this.touched.length = 0;
  }
}

function scoreTerm(index: RankedIndex, work: readonly WorkPart[], settings: SearchSettings, term: QueryTerm, bit: number): void {
  if (scoreToken(index, work, settings, term.token, bit, 1)) return;
  for (const token of expansionsOf(work, term)) scoreToken(index, work, settings, token, bit, settings.prefixWeight);
}

/** False when no live document has the token. */
function scoreToken(index: RankedIndex, work: readonly WorkPart[], settings: SearchSettings, token: string, bit: number, weight: number): boolean {
  const rows = work.map(({ live }) => positionOf(live.segment.terms, token));
  let found = false;
  for (let field = 0; field < FIELD_COUNT; field++) {
    const frequency = documentFrequency(work, rows, field);
    if (frequency === 0) continue;
    found = true;
    const idf = Math.log(1 + (index.documentCount - frequency + 0.5) / (frequency + 0.5));
    const boost = settings.boosts[SEARCH_FIELDS[field] as SearchField];
    const average = (index.totalLengths[field] ?? 0) / index.documentCount;
    for (const [at, part] of work.entries()) {
      const row = rows[at] as number;
      if (row >= 0) addScores(part, row, field, settings, bit, weight * boost * idf, average);
    }
  }
  return found;
}

function documentFrequency(work: readonly WorkPart[], rows: readonly number[], field: number): number {
  let frequency = 0;
  for (const [at, { live }] of work.entries()) {
    const row = rows[at] as number;
    const postings = live.segment.postings[field];
    if (row < 0 || postings === undefined) continue;
    const start = postings.offsets[row] as number;
    const end = postings.offsets[row + 1] as number;
    frequency += end - start;
    if (live.dead === undefined) continue;
    for (let entry = start; entry < end; entry++) frequency -= live.dead[postings.documents[entry] as number] as number;
  }
  return frequency;
}

function addScores(part: WorkPart, row: number, field: number, settings: SearchSettings, bit: number, factor: number, average: number): void {
  const { segment, dead } = part.live;
  const { scratch } = part;
  const { k1, b, delta } = settings;
  const postings = segment.postings[field];
  if (postings === undefined) return;
  const { documents, counts, offsets } = postings;
  const end = offsets[row + 1] as number;
  for (let entry = offsets[row] as number; entry < end; entry++) {
    const document = documents[entry] as number;
    if (dead !== undefined && dead[document] === 1) continue;
    const count = counts[entry] as number;
    const length = segment.lengths[document * FIELD_COUNT + field] as number;
    const norm = k1 * (1 - b + (b * length) / average);
    scratch.touch(document);
    scratch.scores[document] = (scratch.scores[document] as number) + factor * (delta + (count * (k1 + 1)) / (count + norm));
    scratch.terms[document] = (scratch.terms[document] as number) | bit;
    scratch.fields[document] = (scratch.fields[document] as number) | (1 << field);
  }
}

/** Terms that begin with the word, in alphabetical order, whatever segments they are in; first the unstemmed word is tried, then its stem. */
function expansionsOf(work: readonly WorkPart[], term: QueryTerm): readonly string[] {
  for (const prefix of new Set([term.prefix, term.token])) {
    if (prefix.length < 2) continue;
    const found = new Set<string>();
    for (const { live } of work) {
      const { terms } = live.segment;
      const start = lowerBound(terms, prefix);
      const end = prefixEnd(terms, start, prefix);
      let taken = 0;
      for (let row = start; row < end && taken < MOST_EXPANSIONS; row++) {
        if (live.dead !== undefined && !isLiveRow(live, row)) continue;
        found.add(terms[row] as string);
        taken++;
      }
    }
    if (found.size > 0) return [...found].sort().slice(0, MOST_EXPANSIONS);
  }
  return [];
}

function isLiveRow(live: LiveSegment, row: number): boolean {
  return live.segment.postings.some(({ offsets, documents }) => {
    for (let entry = offsets[row] as number; entry < (offsets[row + 1] as number); entry++) if (live.dead?.[documents[entry] as number] !== 1) return true;
    return false;
  });
}

function markNames(part: WorkPart, query: ParsedQuery): void {
  const { names } = part.live.segment;
  if (query.nameKey !== '') {
    const start = lowerBound(names, query.nameKey);
    const end = prefixEnd(names, start, query.nameKey);
    for (let name = start; name < end; name++) markName(part, name, names[name] === query.nameKey ? NAME_TIER : PREFIX_TIER, undefined);
  }
  for (const key of query.lastNameKeys) {
    const name = positionOf(names, key);
    if (name >= 0) markName(part, name, ID_TIER, query.idEndings);
  }
}

/** `idEndings` limits the mark to documents whose id is one of them or ends in one at a separator. */
function markName(part: WorkPart, name: number, tier: number, idEndings: readonly string[] | undefined): void {
  const { segment, dead } = part.live;
  const { scratch } = part;
  for (let entry = segment.nameOffsets[name] as number; entry < (segment.nameOffsets[name + 1] as number); entry++) {
    const document = segment.nameDocuments[entry] as number;
    if (dead !== undefined && dead[document] === 1) continue;
    if (idEndings !== undefined && !isSpelledOut(segment.ids[document] as string, idEndings)) continue;
    scratch.touch(document);
    scratch.fields[document] = (scratch.fields[document] as number) | 1;
    scratch.tiers[document] = Math.max(scratch.tiers[document] as number, tier);
  }
}

/** A bare name spells out no id: `save` is the name of many. */
function isSpelledOut(id: string, endings: readonly string[]): boolean {
  return endings.some(ending => id === ending || (/::|\//.test(ending) && (id.endsWith(`::${ending}`) || id.endsWith(`/${ending}`))));
}

function best(work: readonly WorkPart[], termCount: number, query: SearchQuery): { readonly hits: readonly SearchHit[]; readonly total: number } {
  const candidates = candidatesOf(work, termCount);
  const wanted = Math.max(0, Math.floor(query.offset)) + Math.max(0, Math.floor(query.limit));
  const { accept } = query;
  if (accept === undefined) return { hits: candidates.firstOf(wanted).map(at => candidates.hit(at)), total: candidates.size };
  const heap = new CandidateHeap(candidates, candidates.size);
  const hits: SearchHit[] = [];
  while (hits.length < wanted && heap.size > 0) {
    const at = heap.pop();
    if (accept(candidates.idOf(at))) hits.push(candidates.hit(at));
  }
  let total = hits.length;
  for (const at of heap.rest()) if (accept(candidates.idOf(at))) total++;
  return { hits, total };
}

function candidatesOf(work: readonly WorkPart[], termCount: number): Candidates {
  const candidates = new Candidates(work);
  const { scores } = candidates;
  let highest = 0;
  let at = 0;
  for (const { scratch } of work) {
    for (const document of scratch.touched) {
      const score = termCount === 0 ? 0 : ((scratch.scores[document] as number) * bitCount(scratch.terms[document] as number)) / termCount;
      if (score > highest) highest = score;
      scores[at++] = score;
    }
  }
  const step = highest > 0 ? highest : 1;
  at = 0;
  for (const { scratch } of work) {
    for (const document of scratch.touched) {
      scores[at] = (scores[at] as number) + (scratch.tiers[document] as number) * step;
      at++;
    }
  }
  return candidates;
}

/** All documents that matched, numbered in the order of segments and of being touched. */
class Candidates {
  readonly size: number;
  readonly scores: Float64Array;
  readonly #work: readonly WorkPart[];

  constructor(work: readonly WorkPart[]) {
    this.#work = work;
    this.size = work.reduce((sum, { scratch }) => sum + scratch.touched.length, 0);
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

  /** The best `count` in order, without ordering the rest. */
  firstOf(count: number): readonly number[] {
    if (count <= 0) return [];
    const most = Math.min(count, this.size);
    const kept: number[] = [];
    let worst = Number.NEGATIVE_INFINITY;
    for (let candidate = 0; candidate < this.size; candidate++) {
      const score = this.scores[candidate] as number;
      if (kept.length === most && (score < worst || !this.isBefore(candidate, kept[most - 1] as number))) continue;
      insertSorted(kept, candidate, (a, b) => this.isBefore(a, b));
      if (kept.length > most) kept.pop();
      if (kept.length === most) worst = this.scores[kept[most - 1] as number] as number;
    }
    return kept;
  }

  #place(candidate: number): { readonly part: WorkPart; readonly document: number } {
    let rest = candidate;
    for (const part of this.#work) {
      if (rest < part.scratch.touched.length) return { part, document: part.scratch.touched[rest] as number };
      rest -= part.scratch.touched.length;
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

/** Binary heap of candidates, best first. */
class CandidateHeap {
  readonly #candidates: Candidates;
  readonly #items: Int32Array;
  size: number;

  constructor(candidates: Candidates, size: number) {
    this.#candidates = candidates;
    this.size = size;
    this.#items = Int32Array.from({ length: size }, (_, at) => at);
    for (let at = (size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** Only while `size` is above 0. */
  pop(): number {
    const top = this.#items[0] as number;
    this.size--;
    this.#items[0] = this.#items[this.size] as number;
    this.#sink(0);
    return top;
  }

  /** What was not popped, in no particular order. */
  rest(): Int32Array {
    return this.#items.subarray(0, this.size);
  }

  #sink(from: number): void {
    const items = this.#items;
    const item = items[from] as number;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.#candidates.isBefore(items[child + 1] as number, items[child] as number)) child++;
      if (!this.#candidates.isBefore(items[child] as number, item)) break;
      items[at] = items[child] as number;
      at = child;
    }
    items[at] = item;
  }
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function fieldNames(bits: number): readonly SearchField[] {
  return SEARCH_FIELDS.filter((_, field) => (bits & (1 << field)) !== 0);
}
