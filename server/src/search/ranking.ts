import { best, Scratch, type WorkPart } from './candidates';
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
