import { best, NEAR, Scratch, type WorkPart } from './candidates';
import { type FileNumbers, FilePlaces } from './filePlaces';
import { OWN_FIELDS, SEARCH_FIELDS, type SearchField, type SearchHit, type SearchQuery } from './searchView';
import { FIELD_COUNT, type LiveSegment, lowerBound, OWN_FIELD_COUNT, positionOf, prefixEnd, type Segment } from './segment';
import type { SearchSettings } from './settings';
import { type TermModel, vectorOfTerms } from './termModel';
import { DotProducts } from './vectors/dotProducts';
import { unit } from './vectors/segmentVectors';
import { type VectorLeg, vectorLeg } from './vectors/vectorLeg';
import { type ParsedQuery, parseQuery, type QueryTerm, type RelatedTerm } from './words/queryTerms';

/** What ranking needs of one revision. */
export interface RankedIndex {
  readonly segments: readonly LiveSegment[];
  readonly documentCount: number;
  /** Over live documents, by field the sum of lengths, then by field the number of documents that have it. */
  readonly totals: readonly number[];
  readonly meaning: Meaning | undefined;
}

/** What the vectors of an index are of. */
export interface Meaning {
  readonly model: string;
  readonly dimension: number;
  /** Absent when vectors come from elsewhere: then a query brings its own. */
  readonly words: TermModel | undefined;
}

/** A term stands for at most this many longer ones. */
const MOST_EXPANSIONS = 64;

/** How the name itself fits the query; each step outranks every score below it. */
const ID_TIER = 3;
const NAME_TIER = 2;
const PREFIX_TIER = 1;

/**
 * Ranks documents for one query. Own fields by BM25F (frequencies are added up with their boosts before repetition is discounted), fields of the file
 * by BM25 each; both times a power of the share of the query's terms that matched; then both together (`candidates.ts`).
 * Names that say a word of the query in another way count as well (`words/relatedWords.ts`).
 * Before them names that begin with the query, before those names that equal it, before all ids that the query spells out.
 * Where there are vectors, nearness in meaning counts as well (`vectors/`).
 * Holds working memory of 43 bytes per document that is used again; not re-entrant.
 */
export class Ranker {
  readonly #scratches = new WeakMap<Segment, Scratch>();
  readonly #places = new FilePlaces();
  readonly #products = new DotProducts();

  rank(index: RankedIndex, settings: SearchSettings, query: SearchQuery): { readonly hits: readonly SearchHit[]; readonly total: number } {
    const parsed = parseQuery(query.text);
    const files = this.#places.of(index.segments);
    const work = index.segments.map((live, at): WorkPart => {
      const part = files.parts[at] as FileNumbers;
      const fileOf = (document: number): number => part.numbers[part.rowOf[document] as number] as number;
      return { live, scratch: this.#scratchOf(live.segment), fileOf, files: part };
    });
    const asked = { ...settings, ...(query.fusion === undefined ? {} : { fusion: query.fusion }) };
    const mode = query.mode ?? settings.mode;
    const { asksBeside } = parsed;
    const vector = mode === 'lexical' ? undefined : vectorOf(index.meaning, parsed, query.vector);
    try {
      const leg =
        vector === undefined || index.meaning === undefined
          ? undefined
          : vectorLeg(work, { model: index.meaning.model, query: vector, fileCount: files.count, asksBeside, settings: asked, products: this.#products });
      if (mode !== 'vector' || leg === undefined) {
        const group = { index, work, settings: asked };
        for (const [bit, term] of parsed.terms.entries()) scoreTerm(group, term, 1 << bit);
        for (const related of parsed.related) scoreRelated(group, related);
        for (const part of work) markNames(part, parsed);
      }
      if (leg !== undefined) touchNearest(work, leg);
      return best(work, { termCount: parsed.terms.length, fileCount: files.count, settings: asked, asksBeside, leg }, query);
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

/** The query as a vector of the index; `undefined` when nothing of it can be compared. */
function vectorOf(meaning: Meaning | undefined, { terms }: ParsedQuery, given: Readonly<Float32Array> | undefined): Float32Array | undefined {
  if (meaning === undefined) return undefined;
  if (meaning.words !== undefined)
    return vectorOfTerms(
      meaning.words,
      terms.map(({ token }) => token),
    );
  return given?.length === meaning.dimension ? unit(given) : undefined;
}

function touchNearest(work: readonly WorkPart[], leg: VectorLeg): void {
  for (const { document, part } of leg.best) work[part]?.scratch.touch(document, NEAR);
}

interface Scoring {
  readonly index: RankedIndex;
  readonly work: readonly WorkPart[];
  readonly settings: SearchSettings;
}

interface Token {
  /** Row of the token in each segment, -1 where it has none. */
  readonly rows: readonly number[];
  readonly bit: number;
  readonly weight: number;
}

function scoreTerm(scoring: Scoring, term: QueryTerm, bit: number): void {
  if (scoreToken(scoring, term.token, bit, 1)) return;
  for (const token of expansionsOf(scoring.work, term)) scoreToken(scoring, token, bit, scoring.settings.prefixWeight);
}

/** False when no live document has the token. */
function scoreToken(scoring: Scoring, text: string, bit: number, weight: number): boolean {
  const token = { rows: scoring.work.map(({ live }) => positionOf(live.segment.terms, text)), bit, weight };
  let found = scoreOwn(scoring, token);
  for (let field = OWN_FIELD_COUNT; field < FIELD_COUNT; field++) found = scoreFileField(scoring, token, field) || found;
  return found;
}

const NAME = OWN_FIELDS.indexOf('name');
/** The last of the own fields. */
const REMARKS = OWN_FIELDS.indexOf('remarks');

/** BM25F over the fields of a document's own (Zaragoza et al. 2004). A term that is in the remarks only adds to the score, but has not matched. */
function scoreOwn({ index, settings, work }: Scoring, { bit, rows, weight }: Token): boolean {
  const holders = work.map((part, at) => {
    const holding: number[] = [];
    let matchedCount = 0;
    for (let field = 0; field < OWN_FIELD_COUNT; field++) {
      if (field === REMARKS) matchedCount = holding.length;
      const boost = settings.boosts[SEARCH_FIELDS[field] as SearchField];
      forEachEntry(part, rows[at] as number, field, (document, count, length) => {
        const { frequencies } = part.scratch;
        if (frequencies[document] === 0) holding.push(document);
        frequencies[document] = (frequencies[document] as number) + (boost * count) / lengthNorm(index, settings.b, field, length);
        part.scratch.touch(document, field);
      });
    }
    return { holding, matchedCount };
  });
  const frequency = holders.reduce((sum, { holding }) => sum + holding.length, 0);
  if (frequency === 0) return false;
  const idf = idfOf(index.documentCount, frequency) * weight;
  for (const [at, { scratch }] of work.entries()) {
    const { holding, matchedCount } = holders[at] as (typeof holders)[number];
    for (const [place, document] of holding.entries()) {
      const sum = scratch.frequencies[document] as number;
      scratch.frequencies[document] = 0;
      scratch.own.add(document, idf * (settings.delta + (sum * (settings.ownK1 + 1)) / (sum + settings.ownK1)), place < matchedCount ? bit : 0);
    }
  }
  return true;
}

/** BM25 over names alone; the words of the query that the term stands for count as matched. */
function scoreRelated({ index, settings, work }: Scoring, { termBits, token }: RelatedTerm): void {
  const rows = work.map(({ live }) => positionOf(live.segment.terms, token));
  const factor = idfOf(index.documentCount, documentFrequency(work, rows, NAME)) * settings.relatedWeight;
  for (const [at, part] of work.entries()) {
    forEachEntry(part, rows[at] as number, NAME, (document, count, length) => {
      const frequency = (settings.boosts.name * count) / lengthNorm(index, settings.b, NAME, length);
      part.scratch.own.add(document, factor * (settings.delta + (frequency * (settings.ownK1 + 1)) / (frequency + settings.ownK1)), termBits);
      part.scratch.touch(document, NAME);
    });
  }
}

/** BM25 over one field of files. */
function scoreFileField({ index, settings, work }: Scoring, { bit, rows, weight }: Token, field: number): boolean {
  const frequency = documentFrequency(work, rows, field);
  if (frequency === 0) return false;
  const { b, delta, fileK1 } = settings;
  const fileCount = index.totals[FIELD_COUNT + OWN_FIELD_COUNT] ?? 0;
  const factor = idfOf(Math.max(fileCount, frequency), frequency) * weight * settings.boosts[SEARCH_FIELDS[field] as SearchField];
  for (const [at, part] of work.entries()) {
    forEachEntry(part, rows[at] as number, field, (document, count, length) => {
      const norm = fileK1 * lengthNorm(index, b, field, length);
      part.scratch.file.add(document, factor * (delta + (count * (fileK1 + 1)) / (count + norm)), bit);
      part.scratch.touch(document, field);
    });
  }
  return true;
}

function idfOf(documentCount: number, frequency: number): number {
  return Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5));
}

/** How much a field of this length is held back, 1 at the average over the documents that have the field. */
function lengthNorm({ totals }: RankedIndex, b: number, field: number, length: number): number {
  return 1 - b + (b * length * (totals[FIELD_COUNT + field] ?? 0)) / (totals[field] ?? 1);
}

/** Live documents of a term in one field. */
function forEachEntry({ live }: WorkPart, row: number, field: number, visit: (document: number, count: number, length: number) => void): void {
  const postings = live.segment.postings[field];
  if (row < 0 || postings === undefined) return;
  const { lengths } = live.segment;
  const { documents, counts, offsets } = postings;
  const end = offsets[row + 1] as number;
  for (let entry = offsets[row] as number; entry < end; entry++) {
    const document = documents[entry] as number;
    if (live.dead !== undefined && live.dead[document] === 1) continue;
    visit(document, counts[entry] as number, lengths[document * FIELD_COUNT + field] as number);
  }
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
    scratch.touch(document, 0);
    scratch.tiers[document] = Math.max(scratch.tiers[document] as number, tier);
  }
}

/** A bare name spells out no id: `save` is the name of many. */
function isSpelledOut(id: string, endings: readonly string[]): boolean {
  return endings.some(ending => id === ending || (/::|\//.test(ending) && (id.endsWith(`::${ending}`) || id.endsWith(`/${ending}`))));
}
