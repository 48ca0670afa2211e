/**
 * Door of search: an index over names, signatures, documentation and source of symbols, and over paths, content and past commits of files,
 * by words and, once it has been given a model, by nearness in meaning.
 *
 * Does not know: what a document stands for, the graph, files, where columns are kept.
 * Invariants: a view is of one revision and never changes, whatever is updated or merged later; the same documents give the same answers in the same
 * order, however many updates brought them in; an update costs in proportion to what it changes (merges amortised, logarithmic).
 */
import { type CancellationToken, neverCancelled } from '../base/cancellation';
import type { Steps } from '../base/steps';
import type { Turn } from '../base/yield';
import type { StableId } from '../model/ids';
import { columnsOf, type SearchColumns, segmentsOf } from './columns';
import { OramaEngine } from './oramaEngine';
import { type Meaning, type RankedIndex, Ranker } from './ranking';
import type { SearchDocument, SearchPage, SearchQuery, SearchView } from './searchView';
import { FIELD_COUNT, type LiveSegment, noTotals, type Segment, type SegmentVectors } from './segment';
import { SegmentBuilder } from './segmentBuilder';
import { mergeSegments } from './segmentMerge';
import { DEFAULT_SEARCH_SETTINGS, type SearchSettings } from './settings';
import { type NameLetters, suggestNames } from './suggestions';
import { foldIn, type TermModel, type TrainingPart } from './termModel';
import { emptyVectors, mergedVectors, putVector } from './vectors/segmentVectors';
import { Yielder } from './yielder';

export interface SearchBatch {
  /** New or changed; of several with one id the last counts. */
  readonly upserts: readonly SearchDocument[];
  /** Unknown ids are no error. Removed first, so that an id may be in both lists. */
  readonly removed: readonly StableId[];
  /** Further new documents, with ids that neither the index nor `upserts` has. Not to be used again. */
  readonly draft?: SegmentBuilder;
}

/** A segment is merged with its predecessor when that is less than this many times as large. */
const MERGE_RATIO = 4;
/** A segment with a larger share of dead documents is written anew. */
const MAX_DEAD_SHARE = 0.4;
/** Weight of reading one document, in steps of `Yielder`. */
const DOCUMENT_STEPS = 16;

/** The search index of a checkout: immutable segments, to which updates add and which are merged as they grow. `view` answers from one state. */
export class SearchIndex {
  #settings: SearchSettings;
  readonly #ranker = new Ranker();
  readonly #letters: NameLetters = new WeakMap();
  #segments: readonly LiveSegment[] = [];
  #totals: readonly number[] = noTotals();
  /** Document by id, per segment: made at the first update that asks, so that a warm start does without. */
  #places = new WeakMap<Segment, ReadonlyMap<StableId, number>>();
  #view: SearchView | undefined;
  #meaning: Meaning | undefined;
  /** Documents whose vectors were made after their model. */
  #addedSince = 0;
  #busy: Promise<void> = Promise.resolve();
  /** Whether segments are merged as they grow: not worth it for an index that is changed once. */
  #merges = true;

  constructor(settings: Partial<SearchSettings> = {}) {
    this.#settings = { ...DEFAULT_SEARCH_SETTINGS, ...settings };
  }

  get documentCount(): number {
    return this.#segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  }

  /**
   * Applies a batch whole: views taken before it resolves are of the state before. Updates run one after the other.
   * With a `turn` it yields every 10 ms; cancelled (it rejects with `Cancelled`) it leaves the index as it was.
   */
  update(batch: SearchBatch, turn?: Turn, token: CancellationToken = neverCancelled): Promise<void> {
    return this.#exclusively(() => this.#update(batch, turn, token));
  }

  /** The current revision. Cheap; kept until the next update. */
  view(): SearchView {
    this.#view ??= this.#makeView({ segments: this.#segments, documentCount: this.documentCount, totals: this.#totals, meaning: this.#meaning });
    return this.#view;
  }

  /** An index of the same documents that changes by itself, to search by words only. Not while an update runs. */
  fork(): SearchIndex {
    const copy = new SearchIndex(this.#settings);
    copy.#segments = this.#segments.map(live => ({ ...live, vectors: undefined }));
    copy.#totals = this.#totals;
    copy.#places = this.#places;
    copy.#merges = false;
    return copy;
  }

  /** The index, as it is at the first step, as plain data that `fromColumns` takes back. Not while an update runs. */
  toColumns(): Steps<SearchColumns> {
    return columnsOf(this.#segments);
  }

  /** `undefined` when the columns are of another version or do not fit together: build the index anew. */
  static *fromColumns(columns: unknown, settings: Partial<SearchSettings> = {}): Steps<SearchIndex | undefined> {
    const segments = yield* segmentsOf(columns);
    if (segments === undefined) return undefined;
    const index = new SearchIndex(settings);
    index.#segments = segments;
    for (const live of segments) {
      index.#totals = plus(index.#totals, totalsOf(live));
      yield undefined;
    }
    return index;
  }

  /** Changes how documents are scored from the next view on. */
  configure(settings: Partial<SearchSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#view = undefined;
  }

  get settings(): SearchSettings {
    return this.#settings;
  }

  /** Documents that came after the model was trained. */
  get addedSince(): number {
    return this.#addedSince;
  }

  get meaning(): Meaning | undefined {
    return this.#meaning;
  }

  /** Share of the documents that the model was not trained on, or that it has lost; 1 without a model. */
  get drift(): number {
    const trained = this.#meaning?.words?.documentCount;
    if (trained === undefined) return 1;
    return Math.max(this.#addedSince, Math.abs(this.documentCount - trained)) / Math.max(1, trained);
  }

  /** What a model is trained on, for `adopt`. Not while an update runs. The arrays are those of the index: not to be changed. */
  get parts(): readonly LiveSegment[] {
    return this.#segments;
  }

  /**
   * Searches by the meaning that a model gives to words. Vectors that are given (by segment) are taken over, all others are made from the words of the documents.
   * `addedSince` tells how many documents came after the model was trained.
   */
  adopt(model: TermModel, known: ReadonlyMap<Segment, SegmentVectors>, addedSince: number, turn?: Turn): Promise<void> {
    return this.#exclusively(async () => {
      const yielder = new Yielder(turn, neverCancelled);
      const segments: LiveSegment[] = [];
      for (const live of this.#segments) {
        const vectors = known.get(live.segment) ?? (await foldIn(model, columnsToFold(live.segment), yielder));
        segments.push({ ...live, vectors });
      }
      this.#segments = segments;
      this.#meaning = { model: model.id, dimension: model.dimension, words: model };
      this.#addedSince = addedSince;
      this.#view = undefined;
    });
  }

  /** Searches by vectors that come from elsewhere; queries must bring theirs. Keeps what vectors of the model there are. */
  adoptForeign(model: string, dimension: number): Promise<void> {
    return this.#exclusively(async () => {
      this.#segments = this.#segments.map(live =>
        live.vectors?.model === model && live.vectors.dimension === dimension
          ? live
          : { ...live, vectors: emptyVectors(model, dimension, live.segment.ids.length) },
      );
      this.#meaning = { model, dimension, words: undefined };
      this.#view = undefined;
    });
  }

  /** Ids of live documents without a vector, in order. */
  withoutVector(): readonly StableId[] {
    return this.#segments.flatMap(({ dead, segment, vectors }) =>
      segment.ids.filter((_, document) => dead?.[document] !== 1 && !((vectors?.scales[document] ?? 0) > 0)),
    );
  }

  /** Vectors of the model given to `adoptForeign`; of unknown ids they are dropped. */
  putVectors(vectors: ReadonlyMap<StableId, Readonly<Float32Array>>, turn?: Turn): Promise<void> {
    return this.#exclusively(async () => {
      const yielder = new Yielder(turn, neverCancelled);
      const segments: LiveSegment[] = [];
      for (const live of this.#segments) segments.push(await withVectors(live, await this.#placesOf(live.segment, yielder), vectors));
      this.#segments = segments;
      this.#view = undefined;
    });
  }

  /** Searches by words only from now on. */
  forgetMeaning(): Promise<void> {
    return this.#exclusively(async () => {
      this.#segments = this.#segments.map(live => ({ ...live, vectors: undefined }));
      this.#meaning = undefined;
      this.#view = undefined;
    });
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    const run = this.#busy.then(work);
    this.#busy = run.catch(() => undefined);
    return run;
  }

  async #update(batch: SearchBatch, turn: Turn | undefined, token: CancellationToken): Promise<void> {
    const yielder = new Yielder(turn, token);
    const upserts = new Map(batch.upserts.map(document => [document.id, document]));
    let totals = this.#totals;
    let segments: LiveSegment[] = [];
    const gone = new Set([...batch.removed, ...upserts.keys()]);
    for (const live of this.#segments) {
      const { left, lost } = await this.#without(live, gone, yielder);
      totals = plus(totals, lost);
      segments.push(left);
    }
    if (upserts.size > 0) {
      const builder = await drafted(upserts.values(), yielder);
      segments.push(await finished(builder, yielder));
      totals = plus(totals, builder.totals);
    }
    if (batch.draft !== undefined) {
      segments.push(await finished(batch.draft, yielder));
      totals = plus(totals, batch.draft.totals);
    }
    const added = upserts.size + (batch.draft?.size ?? 0);
    const vectorised = await this.#vectorised(segments, yielder);
    segments = this.#merges ? await tidied(vectorised, yielder, this.#meaning?.model) : vectorised.filter(({ liveCount }) => liveCount > 0);
    this.#addedSince += added;
    this.#segments = segments;
    this.#totals = totals;
    this.#view = undefined;
  }

  /** New segments get their vectors where the model can tell them. */
  async #vectorised(segments: readonly LiveSegment[], yielder: Yielder): Promise<LiveSegment[]> {
    const words = this.#meaning?.words;
    if (words === undefined) return [...segments];
    const all: LiveSegment[] = [];
    for (const live of segments)
      all.push(live.vectors?.model === words.id ? live : { ...live, vectors: await foldIn(words, columnsToFold(live.segment), yielder) });
    return all;
  }

  /** The segment without some documents, and what their fields had in length, negative. */
  async #without(live: LiveSegment, gone: ReadonlySet<StableId>, yielder: Yielder): Promise<{ readonly left: LiveSegment; readonly lost: readonly number[] }> {
    const lost = noTotals();
    if (gone.size === 0) return { left: live, lost };
    const places = await this.#placesOf(live.segment, yielder);
    let dead: Uint8Array | undefined;
    let liveCount = live.liveCount;
    for (const id of gone) {
      const document = places.get(id);
      if (document === undefined || live.dead?.[document] === 1) continue;
      dead ??= live.dead?.slice() ?? new Uint8Array(live.segment.ids.length);
      dead[document] = 1;
      liveCount--;
      count(lost, live.segment, document, -1);
    }
    return { left: dead === undefined ? live : { ...live, dead, liveCount }, lost };
  }

  async #placesOf(segment: Segment, yielder: Yielder): Promise<ReadonlyMap<StableId, number>> {
    const known = this.#places.get(segment);
    if (known !== undefined) return known;
    const places = new Map<StableId, number>();
    for (const [document, id] of segment.ids.entries()) {
      places.set(id, document);
      const pause = yielder.step(1);
      if (pause !== undefined) await pause;
    }
    this.#places.set(segment, places);
    return places;
  }

  #makeView(index: RankedIndex): SearchView {
    const settings = this.#settings;
    const engine = new OramaEngine();
    const underway = new Map<string, Promise<SearchPage>>();
    const inSteps = async (query: SearchQuery, pause: () => Promise<void>): Promise<SearchPage> => {
      const ranked = await this.#ranker.rankInSteps(index, settings, query, pause);
      return engine.search(query, () => ranked);
    };
    return {
      documentCount: index.documentCount,
      search: query => engine.search(query, () => this.#ranker.rank(index, settings, query)),
      searchInSteps: (query, pause) => {
        if (query.accept !== undefined || query.vector !== undefined) return inSteps(query, pause);
        const key = JSON.stringify(query);
        const known = underway.get(key);
        if (known !== undefined) return known;
        const answer = inSteps(query, pause).finally(() => underway.delete(key));
        underway.set(key, answer);
        return answer;
      },
      suggest: (name, limit) => suggestNames(index.segments, this.#letters, name, limit),
    };
  }
}

async function drafted(documents: Iterable<SearchDocument>, yielder: Yielder): Promise<SegmentBuilder> {
  const builder = new SegmentBuilder();
  for (const document of documents) {
    builder.add(document);
    const pause = yielder.step(DOCUMENT_STEPS);
    if (pause !== undefined) await pause;
  }
  return builder;
}

async function finished(builder: SegmentBuilder, yielder: Yielder): Promise<LiveSegment> {
  return { segment: await builder.build(yielder), dead: undefined, liveCount: builder.size };
}

/** Logarithmic method (Bentley and Saxe 1980): sizes grow geometrically from the newest segment to the oldest. */
async function tidied(segments: readonly LiveSegment[], yielder: Yielder, model: string | undefined): Promise<LiveSegment[]> {
  const kept = segments.filter(({ liveCount }) => liveCount > 0);
  let first = kept.length - 1;
  let size = kept[first]?.liveCount ?? 0;
  while (first > 0 && (kept[first - 1] as LiveSegment).liveCount < MERGE_RATIO * size) size += (kept[--first] as LiveSegment).liveCount;
  const result: LiveSegment[] = [];
  for (const live of kept.slice(0, Math.max(0, first))) result.push(isMostlyDead(live) ? await merged([live], yielder, model) : live);
  const rest = kept.slice(Math.max(0, first));
  if (rest.length > 1 || rest.some(isMostlyDead)) result.push(await merged(rest, yielder, model));
  else result.push(...rest);
  return result;
}

function isMostlyDead({ segment, liveCount }: LiveSegment): boolean {
  return liveCount < segment.ids.length * (1 - MAX_DEAD_SHARE);
}

async function merged(parts: readonly LiveSegment[], yielder: Yielder, model: string | undefined): Promise<LiveSegment> {
  const segment = await mergeSegments(parts, yielder);
  return { segment, dead: undefined, liveCount: segment.ids.length, vectors: model === undefined ? undefined : mergedVectors(parts, model) };
}

function columnsToFold({ ids, postings, terms }: Segment): Omit<TrainingPart, 'dead'> {
  return { terms, postings, documentCount: ids.length };
}

/** A copy with some more vectors: views that were handed out keep theirs. */
async function withVectors(
  live: LiveSegment,
  places: ReadonlyMap<StableId, number>,
  vectors: ReadonlyMap<StableId, Readonly<Float32Array>>,
): Promise<LiveSegment> {
  const before = live.vectors;
  if (before === undefined) return live;
  let after: SegmentVectors | undefined;
  for (const [id, vector] of vectors) {
    const document = places.get(id);
    if (document === undefined || live.dead?.[document] === 1 || vector.length !== before.dimension) continue;
    after ??= { ...before, rows: before.rows.slice(), scales: before.scales.slice() };
    putVector(after, document, vector);
  }
  return after === undefined ? live : { ...live, vectors: after };
}

function totalsOf({ segment, dead }: LiveSegment): readonly number[] {
  const totals = noTotals();
  for (let document = 0; document < segment.ids.length; document++) if (dead?.[document] !== 1) count(totals, segment, document, 1);
  return totals;
}

function count(totals: number[], { lengths }: Segment, document: number, sign: 1 | -1): void {
  for (let field = 0; field < FIELD_COUNT; field++) {
    const length = lengths[document * FIELD_COUNT + field] as number;
    if (length === 0) continue;
    totals[field] = (totals[field] as number) + sign * length;
    totals[FIELD_COUNT + field] = (totals[FIELD_COUNT + field] as number) + sign;
  }
}

function plus(a: readonly number[], b: readonly number[]): readonly number[] {
  return a.map((value, field) => value + (b[field] ?? 0));
}
