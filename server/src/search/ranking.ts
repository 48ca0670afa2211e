import { best, MEANING, Scratch, type WorkPart } from './candidates';
import { type FileNumbers, FilePlaces } from './filePlaces';
import { OWN_FIELDS, SEARCH_FIELDS, type SearchField, type SearchPage, type SearchQuery } from './searchView';
import { FIELD_COUNT, type LiveSegment, lowerBound, OWN_FIELD_COUNT, positionOf, prefixEnd, type Segment } from './segment';
import type { SearchSettings } from './settings';
import { type TermModel, vectorOfTerms } from './termModel';
import { DotProducts } from './vectors/dotProducts';
import { unit } from './vectors/segmentVectors';
import { rankByVectors, type VectorRanking } from './vectors/vectorRanking';
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
const MAX_EXPANSIONS = 64;

/** How the name itself fits the query; each step outranks every score below it. */
const ID_TIER = 3;
const NAME_TIER = 2;
const PREFIX_TIER = 1;

/**
 * Ranks documents for one query. Own fields by BM25F (frequencies are added up with their boosts before repetition is discounted), fields of the file
 * by BM25 each; both times a power of the share of the query's terms that matched; then both together (`candidates.ts`).
 * Names that say a word of the query in another way count as well (`words/relatedWords.ts`); a comment or a name that says it all counts more (`words/queryCoverage.ts`).
 * Before them names that begin with the query, before those names that equal it, before all ids that the query spells out.
 * Where there are vectors, nearness in meaning counts as well (`vectors/`).
 * Holds working memory of 60 bytes per document that is used again.
 */
export class Ranker {
  readonly #scratches = new WeakMap<Segment, Scratch[]>();
  readonly #places = new FilePlaces();
  readonly #products = new DotProducts();
  #lane: Promise<unknown> = Promise.resolve();

  rank(index: RankedIndex, settings: SearchSettings, query: SearchQuery): SearchPage {
    const steps = this.#steps(index, settings, query);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /** The same with a pause after each step of some milliseconds; one query after the other, so that working memory is needed once. */
  rankInSteps(index: RankedIndex, settings: SearchSettings, query: SearchQuery, pause: () => Promise<void>): Promise<SearchPage> {
    const run = this.#lane.then(async () => {
      const steps = this.#steps(index, settings, query);
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        await pause();
      }
    });
    this.#lane = run.catch(() => undefined);
    return run;
  }

  *#steps(index: RankedIndex, settings: SearchSettings, query: SearchQuery): Generator<void, SearchPage> {
    const parsed = parseQuery(query.text);
    const files = yield* this.#places.of(index.segments);
    const work = index.segments.map((live, at): WorkPart => ({ live, scratch: this.#takeScratch(live.segment), files: files.parts[at] as FileNumbers }));
    const asked = { ...settings, ...(query.fusion === undefined ? {} : { fusion: query.fusion }) };
    const mode = query.mode ?? settings.mode;
    const { asksBeside } = parsed;
    const vector = mode === 'lexical' ? undefined : vectorOf(index.meaning, parsed, query.vector);
    let queryWeight = 0;
    try {
      const byMeaning =
        vector === undefined || index.meaning === undefined
          ? undefined
          : rankByVectors(work, { model: index.meaning.model, query: vector, fileCount: files.count, asksBeside, settings: asked, products: this.#products });
      yield;
      if (mode !== 'vector' || byMeaning === undefined) {
        const group = { index, work, settings: asked };
        for (const [bit, term] of parsed.terms.entries()) {
          queryWeight += scoreTerm(group, term, 1 << bit);
          yield;
        }
        if (settings.relatedWeight > 0) for (const related of parsed.related) scoreRelated(group, related);
        for (const part of work) markNames(part, parsed);
        yield;
      }
      if (byMeaning !== undefined) touchNearest(work, byMeaning);
      return best(work, { termCount: parsed.terms.length, queryWeight, fileCount: files.count, settings: asked, asksBeside, byMeaning }, query);
    } finally {
      for (const { live, scratch } of work) {
        scratch.clear();
        this.#scratches.get(live.segment)?.push(scratch);
      }
    }
  }

  /** One that no other query is using now. */
  #takeScratch(segment: Segment): Scratch {
    const free = this.#scratches.get(segment);
    if (free === undefined) this.#scratches.set(segment, []);
    return free?.pop() ?? new Scratch(segment.ids.length);
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

function touchNearest(work: readonly WorkPart[], byMeaning: VectorRanking): void {
  for (const { document, part } of byMeaning.best) work[part]?.scratch.touch(document, MEANING);
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

/** The term's inverse document frequency among own fields, 0 when it stands in none of them as it is. */
function scoreTerm(scoring: Scoring, term: QueryTerm, bit: number): number {
  const exact = tokenOf(scoring, term.token, bit, 1);
  const idf = scoreOwn(scoring, exact);
  if (scoreFile(scoring, exact) || idf > 0) {
    for (const [at, { live, scratch }] of scoring.work.entries()) scratch.coverage.note(live, exact.rows[at] as number, idf);
    return idf;
  }
  for (const text of expansionsOf(scoring.work, term)) {
    const token = tokenOf(scoring, text, bit, scoring.settings.prefixWeight);
    scoreOwn(scoring, token);
    scoreFile(scoring, token);
  }
  return 0;
}

function tokenOf({ work }: Scoring, text: string, bit: number, weight: number): Token {
  return { rows: work.map(({ live }) => positionOf(live.segment.terms, text)), bit, weight };
}

/** False when no live file has the token. */
function scoreFile(scoring: Scoring, token: Token): boolean {
  let found = false;
  for (let field = OWN_FIELD_COUNT; field < FIELD_COUNT; field++) found = scoreFileField(scoring, token, field) || found;
  return found;
}

const NAME = OWN_FIELDS.indexOf('name');
const HISTORY = SEARCH_FIELDS.indexOf('history');
/** The last of the own fields. */
const REMARKS = OWN_FIELDS.indexOf('remarks');

/**
 * BM25F over the fields of a document's own (Zaragoza et al. 2004). A term that is in the remarks only adds to the score, but has not matched.
 * Returns the weighted inverse document frequency, 0 when no live document has the token.
 */
function scoreOwn({ index, settings, work }: Scoring, { bit, rows, weight }: Token): number {
  const holders = work.map((part, at) => {
    const holding: number[] = [];
    let matchedCount = 0;
    for (let field = 0; field < OWN_FIELD_COUNT; field++) {
      if (field === REMARKS) matchedCount = holding.length;
      addFrequencies(part, rows[at] as number, field, normOf(index, settings.b, field), settings.boosts[SEARCH_FIELDS[field] as SearchField], holding);
    }
    return { holding, matchedCount };
  });
  const frequency = holders.reduce((sum, { holding }) => sum + holding.length, 0);
  if (frequency === 0) return 0;
  const idf = idfOf(index.documentCount, frequency) * weight;
  const { delta, ownK1 } = settings;
  for (const [at, { scratch }] of work.entries()) {
    const { holding, matchedCount } = holders[at] as (typeof holders)[number];
    const { frequencies, own } = scratch;
    for (let place = 0; place < holding.length; place++) {
      const document = holding[place] as number;
      const sum = frequencies[document] as number;
      frequencies[document] = 0;
      own.add(document, idf * (delta + (sum * (ownK1 + 1)) / (sum + ownK1)), place < matchedCount ? bit : 0);
    }
  }
  return idf;
}

/** Adds the boosted frequencies of a term in one field; documents that had none yet join `holding`. */
function addFrequencies({ live, scratch }: WorkPart, row: number, field: number, norm: Norm, boost: number, holding: number[]): void {
  const { dead } = live;
  const { lengths } = live.segment;
  const { documents, counts, from, to } = entriesOf(live, row, field);
  const { frequencies } = scratch;
  for (let entry = from; entry < to; entry++) {
    const document = documents[entry] as number;
    if (dead !== undefined && dead[document] === 1) continue;
    const before = frequencies[document] as number;
    if (before === 0) holding.push(document);
    frequencies[document] = before + (boost * (counts[entry] as number)) / normAt(norm, lengths[document * FIELD_COUNT + field] as number);
    scratch.touch(document, field);
  }
}

/** BM25 over names alone; the words of the query that the term stands for count as matched. */
function scoreRelated({ index, settings, work }: Scoring, { termBits, token }: RelatedTerm): void {
  const rows = work.map(({ live }) => positionOf(live.segment.terms, token));
  const factor = idfOf(index.documentCount, documentFrequency(work, rows, NAME)) * settings.relatedWeight;
  const norm = normOf(index, settings.b, NAME);
  const { boosts, delta, ownK1 } = settings;
  for (const [at, { live, scratch }] of work.entries()) {
    scratch.coverage.noteName(live, rows[at] as number);
    const { documents, counts, from, to } = entriesOf(live, rows[at] as number, NAME);
    for (let entry = from; entry < to; entry++) {
      const document = documents[entry] as number;
      if (live.dead !== undefined && live.dead[document] === 1) continue;
      const frequency = (boosts.name * (counts[entry] as number)) / normAt(norm, live.segment.lengths[document * FIELD_COUNT + NAME] as number);
      scratch.own.add(document, factor * (delta + (frequency * (ownK1 + 1)) / (frequency + ownK1)), termBits);
      scratch.touch(document, NAME);
    }
  }
}

/** BM25 over one field of files. */
function scoreFileField({ index, settings, work }: Scoring, { bit, rows, weight }: Token, field: number): boolean {
  const frequency = documentFrequency(work, rows, field);
  if (frequency === 0) return false;
  const { delta, fileK1 } = settings;
  const b = field === HISTORY ? settings.historyB : settings.b;
  const fileCount = index.totals[FIELD_COUNT + OWN_FIELD_COUNT] ?? 0;
  const factor = idfOf(Math.max(fileCount, frequency), frequency) * weight * settings.boosts[SEARCH_FIELDS[field] as SearchField];
  const norm = normOf(index, b, field);
  for (const [at, { live, scratch }] of work.entries()) {
    const { documents, counts, from, to } = entriesOf(live, rows[at] as number, field);
    for (let entry = from; entry < to; entry++) {
      const document = documents[entry] as number;
      if (live.dead !== undefined && live.dead[document] === 1) continue;
      const count = counts[entry] as number;
      const held = fileK1 * normAt(norm, live.segment.lengths[document * FIELD_COUNT + field] as number);
      scratch.file.add(document, factor * (delta + (count * (fileK1 + 1)) / (count + held)), bit);
      scratch.touch(document, field);
    }
  }
  return true;
}

function idfOf(documentCount: number, frequency: number): number {
  return Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5));
}

/** How much long fields are held back: what of the sum of lengths and the number of documents that have the field goes into it. */
interface Norm {
  readonly b: number;
  readonly documents: number;
  readonly total: number;
}

function normOf({ totals }: RankedIndex, b: number, field: number): Norm {
  return { b, documents: totals[FIELD_COUNT + field] ?? 0, total: totals[field] ?? 1 };
}

/** 1 at the average length over the documents that have the field. */
function normAt({ b, documents, total }: Norm, length: number): number {
  return 1 - b + (b * length * documents) / total;
}

/** Entries of a term in one field, those of dead documents included. */
function entriesOf({ segment }: LiveSegment, row: number, field: number): { documents: Int32Array; counts: Uint8Array; from: number; to: number } {
  const { documents, counts, offsets } = segment.postings[field] as Segment['postings'][number];
  return row < 0 ? { documents, counts, from: 0, to: 0 } : { documents, counts, from: offsets[row] as number, to: offsets[row + 1] as number };
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
      for (let row = start; row < end && taken < MAX_EXPANSIONS; row++) {
        if (live.dead !== undefined && !isLiveRow(live, row)) continue;
        found.add(terms[row] as string);
        taken++;
      }
    }
    if (found.size > 0) return [...found].sort().slice(0, MAX_EXPANSIONS);
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
