import { type CancellationToken, Cancelled } from '../../base/cancellation';
import type { Turn } from '../../base/yield';
import type { RetrievalSettings } from '../../model/settings';
import type { Segment, SegmentVectors } from '../../search/segment';
import type { SearchHealth } from '../../workspace/snapshot';
import type { IndexState } from '../indexing/indexState';
import { embeddingTextOf } from './embeddingText';
import { QueryVectors } from './queryVectors';
import { type RemoteEmbedder, remoteEmbedderOf } from './remoteEmbedder';
import type { Train } from './trainInThread';
import type { VectorPack } from './vectorPack';

export interface VectorIndexerOptions {
  readonly state: IndexState;
  readonly settings: () => RetrievalSettings;
  /** Learns a model in a thread. */
  readonly train: Train;
  /** Where vectors are kept; opened at the first use. */
  readonly openPack: () => Promise<VectorPack | undefined>;
  /** Value of an environment variable. */
  readonly variable: (name: string) => string | undefined;
  readonly turn: () => Turn;
  /** Waits for a thread or a service, while less important work may go on. */
  readonly aside: <T>(answer: Promise<T>) => Promise<T>;
  /** Called when `health` tells something else. */
  readonly onChange: () => void;
  /** Runs alone among all that changes the index. */
  readonly inLane: <T>(work: (token: CancellationToken) => Promise<T>) => Promise<T>;
}

type VectorHealth = SearchHealth['vectors'];

/** Dimensions of the workspace's own model: 256 cost three times as much and ranked no better in the mixture. */
const DIMENSION = 128;
/** Share of documents that a model may not have seen before it is trained anew. */
const MAX_DRIFT = 0.3;
/** Texts of one request to a service, and how long it may take. */
const BATCH = 64;
const BATCH_TIMEOUT_MS = 30_000;

/**
 * Gives the search index vectors behind the words, and keeps them in step: from the workspace's own words, or from a service that the user named.
 * Nobody waits for it but a one-shot command. A service that fails is replaced by the workspace's own words.
 */
export class VectorIndexer {
  readonly #options: VectorIndexerOptions;
  readonly queries: QueryVectors;
  #running: Promise<void> | undefined;
  #asksAgain = false;
  #pack: Promise<VectorPack | undefined> | undefined;
  #packBytes = 0;
  #health: VectorHealth = { state: 'waiting', embedder: '', dimension: 0, documents: 0, done: 0, cpuMs: 0, packBytes: 0 };
  /** The service that filled the index, as long as it is asked for. */
  #service: RemoteEmbedder | undefined;

  constructor(options: VectorIndexerOptions) {
    this.#options = options;
    this.queries = new QueryVectors(() => this.#service);
  }

  get health(): VectorHealth {
    const { search } = this.#options.state;
    const documents = search.documentCount;
    const done = this.#health.state === 'ready' ? documents - (this.#service === undefined ? 0 : search.withoutVector().length) : this.#health.done;
    return { ...this.#health, documents, done, packBytes: this.#packBytes };
  }

  /** Takes over what an earlier process left; before the first answer, so that answers do not depend on when they are asked for. */
  async restore(): Promise<void> {
    const { settings, state, turn } = this.#options;
    if (this.#applyFusion()) state.publishSearch();
    if (settings().mode === 'lexical' || settings().embedder !== 'workspace') return;
    const pack = await this.#openPack();
    const saved = await pack?.model().catch(() => undefined);
    if (pack === undefined || saved === undefined) return;
    const pace = turn();
    const known = new Map<Segment, SegmentVectors>();
    for (const { segment } of state.search.parts) {
      const vectors = await pack.vectorsOf(segment, saved.model, pace).catch(() => undefined);
      if (vectors !== undefined) known.set(segment, vectors);
    }
    await state.search.adopt(saved.model, known, saved.addedSince, pace);
    state.publishSearch();
    this.#tell({ state: 'ready', embedder: 'workspace', dimension: saved.model.dimension });
  }

  /** Resolves when the index has the vectors that the settings ask for and they are durable. Rejects only when the lane is closed. */
  complete(): Promise<void> {
    if (this.#running === undefined)
      this.#running = this.#completeUntilNoneAsks().finally(() => {
        this.#running = undefined;
      });
    else this.#asksAgain = true;
    return this.#running;
  }

  /** Writes what changed since; in the lane. */
  async save(): Promise<void> {
    const { state, turn } = this.#options;
    const words = state.search.meaning?.words;
    if (words === undefined) return;
    const pack = await this.#openPack();
    await pack?.save({ model: words, addedSince: state.search.addedSince }, state.search.parts, turn());
    this.#packBytes = pack?.sizeBytes ?? 0;
  }

  async close(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await (await this.#pack)?.close();
  }

  /** Settings may have changed since the current run read them: requests that came meanwhile start another run after it. */
  async #completeUntilNoneAsks(): Promise<void> {
    do {
      this.#asksAgain = false;
      await this.#complete().catch((error: unknown) => {
        if (error instanceof Cancelled) throw error;
        this.#tell({ state: 'failed', problem: error instanceof Error ? error.message : String(error) });
      });
    } while (this.#asksAgain);
  }

  async #complete(): Promise<void> {
    const { settings, state } = this.#options;
    const { embedder, mode } = settings();
    if (this.#applyFusion()) state.publishSearch();
    if (mode === 'lexical' || embedder === 'none') {
      if (state.search.meaning !== undefined) await this.#inLane(() => state.search.forgetMeaning());
      this.#service = undefined;
      this.#tell({ state: 'off', embedder: '', dimension: 0 });
      return;
    }
    const problem = embedder === 'workspace' ? undefined : await this.#fromService();
    if (embedder !== 'workspace' && problem === undefined) return;
    this.#service = undefined;
    await this.#fromWords(problem);
  }

  async #fromWords(problem: string | undefined): Promise<void> {
    const { state, train, turn } = this.#options;
    const { search } = state;
    const why = problem === undefined ? {} : { problem };
    if (search.meaning?.words !== undefined && search.drift <= MAX_DRIFT) {
      this.#tell({ state: 'ready', embedder: 'workspace', dimension: search.meaning.dimension, ...why });
      return;
    }
    this.#tell({ state: 'training', embedder: 'workspace', dimension: DIMENSION, ...why });
    const request = await this.#options.inLane(async token => {
      const { parts } = search;
      return { parts, reply: train({ segments: parts, id: `lsa-${state.graph.view.revision}-${search.documentCount}`, dimension: DIMENSION }, turn(), token) };
    });
    const { cpuMs, model, parts } = await this.#options.aside(request.reply);
    if (model === undefined) {
      this.#tell({ state: 'off', embedder: 'workspace', dimension: 0, cpuMs, problem: problem ?? 'too few files to train a model' });
      return;
    }
    const known = new Map(
      request.parts.map(({ segment }, at): [Segment, SegmentVectors] => {
        const { rows, scales } = parts[at] ?? { rows: new Int8Array(0), scales: new Float32Array(0) };
        return [segment, { model: model.id, dimension: model.dimension, rows, scales }];
      }),
    );
    await this.#inLane(async () => {
      await search.adopt(model, known, 0, turn());
      state.publishSearch();
      await this.save();
    });
    this.#tell({ state: 'ready', embedder: 'workspace', dimension: model.dimension, cpuMs, ...why });
  }

  /** Why the service cannot be used; `undefined` when every document has its vector. */
  async #fromService(): Promise<string | undefined> {
    const { settings, variable } = this.#options;
    const { keyVariable } = settings();
    const key = keyVariable === '' ? undefined : variable(keyVariable);
    const service = remoteEmbedderOf(settings(), key === '' ? undefined : key);
    if ('problem' in service) return service.problem;
    try {
      await this.#embedAll(service);
      this.#service = service;
      return undefined;
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #embedAll(service: RemoteEmbedder): Promise<void> {
    const { aside, state, turn } = this.#options;
    const { search } = state;
    const pack = await this.#openPack();
    let isNew = search.meaning?.model !== service.id;
    const missing = (isNew ? search.parts.flatMap(({ dead, segment }) => segment.ids.filter((_, at) => dead?.[at] !== 1)) : search.withoutVector()).slice();
    const total = search.documentCount;
    for (let from = 0; from < missing.length; from += BATCH) {
      this.#tell({ state: 'embedding', embedder: service.id, dimension: search.meaning?.dimension ?? 0, done: total - missing.length + from });
      const texts = new Map(missing.slice(from, from + BATCH).map(id => [id, embeddingTextOf(state.graph.view, id)]));
      const vectors = await aside(vectorsOf(service, [...texts.values()], pack));
      const byId = new Map(
        [...texts].flatMap(([id, text]): [string, Float32Array][] => {
          const vector = vectors.get(text);
          return vector === undefined ? [] : [[id, vector]];
        }),
      );
      const dimension = [...byId.values()][0]?.length ?? 0;
      await this.#inLane(async () => {
        if (isNew) await search.adoptForeign(service.id, dimension);
        isNew = false;
        await search.putVectors(byId, turn());
      });
    }
    await pack?.flush();
    this.#packBytes = pack?.sizeBytes ?? 0;
    await this.#inLane(async () => state.publishSearch());
    this.#tell({ state: 'ready', embedder: service.id, dimension: search.meaning?.dimension ?? 0 });
  }

  /** Whether it changed how documents are scored. */
  #applyFusion(): boolean {
    const { settings, state } = this.#options;
    const { fusion, mode } = settings();
    const before = state.search.settings;
    if (before.fusion === fusion && before.mode === mode) return false;
    state.search.configure({ fusion, mode });
    return true;
  }

  #inLane(work: () => Promise<void>): Promise<void> {
    return this.#options.inLane(work);
  }

  #openPack(): Promise<VectorPack | undefined> {
    this.#pack ??= this.#options.openPack().then(pack => {
      this.#packBytes = pack?.sizeBytes ?? 0;
      return pack;
    });
    return this.#pack;
  }

  #tell(change: Partial<VectorHealth> & Pick<VectorHealth, 'state'>): void {
    const { problem: _, ...before } = this.#health;
    this.#health = { ...before, ...change };
    this.#options.onChange();
  }
}

/** Vector by text: those known by the hash of their text first, all others in one request. */
async function vectorsOf(service: RemoteEmbedder, texts: readonly string[], pack: VectorPack | undefined): Promise<ReadonlyMap<string, Float32Array>> {
  const vectors = new Map<string, Float32Array>();
  for (const text of texts) {
    const known = await pack?.textVector(service.id, text);
    if (known !== undefined) vectors.set(text, known);
  }
  const asked = [...new Set(texts)].filter(text => !vectors.has(text));
  if (asked.length === 0) return vectors;
  const answered = await service.embed(asked, BATCH_TIMEOUT_MS);
  for (const [at, vector] of answered.entries()) {
    const text = asked[at] ?? '';
    vectors.set(text, vector);
    pack?.putTextVector(service.id, text, vector);
  }
  return vectors;
}
