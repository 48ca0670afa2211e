import { type CancellationToken, neverCancelled } from '../../base/cancellation';
import { Interner } from '../../base/interner';
import type { WorkspacePath } from '../../base/path';
import { invariant } from '../../base/result';
import { eachInSteps, runSteps } from '../../base/steps';
import type { Turn } from '../../base/yield';
import { CodeGraph } from '../../code/graph/codeGraph';
import type { FileEntry } from '../../code/graph/fileEntry';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { type ResolverColumns, type ResolverResult, withTexts } from '../../code/resolve/resolver';
import type { FileRecord, FileUpsert } from '../../model/delta';
import type { FileFacts } from '../../model/facts';
import type { PreciseState } from '../../model/preciseIndex';
import type { FileResolution } from '../../model/resolution';
import { SearchIndex } from '../../search/searchIndex';
import type { SearchDocument, SearchView } from '../../search/searchView';
import { SegmentBuilder } from '../../search/segmentBuilder';
import { PendingContent } from '../content/pendingContent';
import type { LoadedFile } from './fileLoader';
import { FileTable, type TrackedFile } from './fileTable';
import { type KnownResolutions, type ResolveUpdate, Resolving } from './resolving';
import { type FileContent, NO_CONTENT, searchDocumentsOf } from './searchDocuments';

/** One consistent state to read: graph and search of the same revision. */
export interface Published {
  readonly graph: GraphView;
  readonly search: SearchView;
}

export interface IndexChange {
  readonly loaded: readonly LoadedFile[];
  readonly removed: readonly WorkspacePath[];
  readonly manifests: ResolveUpdate['manifests'];
  readonly precise: PreciseState | undefined;
  /** Has been given all of `loaded`, where there was one. */
  readonly draft: IndexDraft | undefined;
}

/** A text that stands in for a file in a private view. */
export interface Replacement {
  readonly tracked: TrackedFile;
  readonly facts: FileFacts;
  readonly text: string;
}

/** Where content and history of files come from; without it they are not searched. */
export interface ContentOf {
  of(record: FileRecord, text?: string): Promise<FileContent>;
}

interface Unsearched {
  readonly effective: readonly LoadedFile[];
  /** Documents that are gone, or made anew. */
  readonly gone: readonly string[];
}

/** A change of more files is searched by their facts first; their content follows in the background. */
const MAX_READ_AT_ONCE = 300;

/** What of a first index can be made from one file at a time. Give it the files in order. */
export class IndexDraft {
  readonly documents = new SegmentBuilder();

  constructor(private readonly resolver: Resolving | undefined) {}

  add({ tracked: { record }, facts }: LoadedFile): void {
    for (const document of searchDocumentsOf(record.path, facts)) this.documents.add(document);
    this.resolver?.prepare(record, facts);
  }
}

/**
 * The index of one checkout: table of files, resolver, graph and search, changed together and published together.
 * Not re-entrant: the engine's lane runs one change at a time. Readers hold what `published` gave them; it never changes under them.
 */
export class IndexState {
  readonly table = new FileTable();
  graph: CodeGraph;
  search = new SearchIndex();
  /** Fed with the facts of every file; undefined after a warm start until a change needs it. */
  resolver: Resolving | undefined;
  #published: Published | undefined;
  /** What precise indexes say in the newest revision; undefined as long as the resolver has not been fed. */
  #precise: PreciseState | undefined;

  /** Names the columns on disk that a resolver of this graph had; undefined where there are none. */
  linksKey: number | undefined;

  /** Changes that the search index of a copy does not have yet; absent where it gets each at once. */
  #unsearched: { readonly changes: Unsearched[]; readonly isSearched: boolean } | undefined;

  /** Files whose content and history the search index does not hold yet. */
  readonly pendingContent = new PendingContent();

  /** `firstRevision` is at least the number of revisions that answers may have named before. */
  constructor(
    readonly firstRevision: number,
    private readonly content: ContentOf = { of: async () => NO_CONTENT },
    readonly interner = new Interner<NodeHandle>(),
  ) {
    this.graph = new CodeGraph(this.interner, firstRevision);
  }

  get published(): Published | undefined {
    return this.#published;
  }

  /** Whether precise indexes say anything of files in the newest revision, as far as is known. */
  get hasPrecise(): boolean {
    return (this.#precise?.documents.size ?? 0) > 0;
  }

  /**
   * A copy for changes that nobody keeps, at the cost of copying columns: what it becomes is exact, because it is made by the same steps as any change.
   * It is lent the resolver (which must have been fed): until `rollback` this index must not change. `content` is that of the files that differ, read when the
   * copy is searched (`searchLater`); without it the copy is not to be searched.
   */
  fork(content: ContentOf | undefined, known: (fork: IndexState) => KnownResolutions): IndexState {
    const copy = new IndexState(0, content, this.interner);
    copy.#unsearched = { changes: [], isSearched: content !== undefined };
    for (const file of this.table.values()) copy.table.set(file);
    copy.graph = this.graph.fork();
    copy.search = this.search.fork();
    copy.resolver = this.resolver?.lend(this.interner, known(copy));
    copy.#precise = this.#precise;
    return copy;
  }

  /** Takes the resolver back from a copy. One that fails here is not trusted again. */
  async rollback(turn: Turn): Promise<void> {
    await this.resolver?.rollback(turn).catch(() => {
      this.resolver = undefined;
    });
  }

  /** Takes over a saved graph and search index and publishes them. */
  restore(graph: CodeGraph, search: SearchIndex): void {
    this.graph = graph;
    this.search = search;
    this.#publish();
  }

  /** For a first index, to do what one file allows while others are still being parsed; undefined when there is an index already. */
  startDraft(): IndexDraft | undefined {
    if (this.table.size > 0 || this.search.documentCount > 0) return undefined;
    this.primeEmpty();
    return new IndexDraft(this.resolver);
  }

  /** Resolves, applies and publishes. Throws `Cancelled` only before anything is visible. Returns the files that look different now. */
  async apply(change: IndexChange, turn: Turn, token: CancellationToken): Promise<readonly WorkspacePath[]> {
    const effective = change.loaded.filter(file => file.change === 'content');
    const precise = change.precise ?? this.#precise;
    const outcome = await this.#update({ ...updateOf(effective, change.removed, change.manifests), precise }, turn, token);
    this.#precise = precise;
    this.linksKey = undefined;
    // From here on nothing stops: resolver, graph, search and table must agree.
    const inTurns = <T>(items: Iterable<T>, each: (item: T) => void): Promise<void> =>
      runSteps(eachInSteps(items, each), () => turn.check(neverCancelled), neverCancelled);
    const resolutions = new Map<WorkspacePath, FileResolution>();
    await inTurns(outcome.resolutions, resolution => resolutions.set(resolution.path, resolution));
    const upserts: FileUpsert[] = [];
    const gone: string[] = [];
    await inTurns(change.removed, path => gone.push(...this.#searchIds(path)));
    await inTurns(effective, ({ tracked, facts }) => {
      const { path } = tracked.record;
      const resolution = resolutions.get(path);
      invariant(resolution !== undefined, `${path} was not resolved`);
      upserts.push({ record: tracked.record, facts, resolution });
      gone.push(...this.#searchIds(path));
    });
    if (upserts.length > 0 || outcome.relinked.length > 0 || change.removed.length > 0) {
      await this.graph.applyInTurns({ upserts, relinked: outcome.relinked, removed: change.removed }, turn, neverCancelled);
    }
    await turn.check(neverCancelled);
    if (this.#unsearched === undefined) await this.#updateSearch(effective, gone, change.draft, turn);
    else if (this.#unsearched.isSearched) this.#unsearched.changes.push({ effective, gone });
    for (const { tracked } of change.loaded) this.table.set(tracked);
    for (const path of change.removed) {
      this.table.delete(path);
      this.pendingContent.settle([path]);
    }
    this.#publish();
    return [...effective.map(({ tracked }) => tracked.record.path), ...change.removed, ...outcome.relinked.map(({ path }) => path)];
  }

  /** Feeds a fresh resolver with facts whose graph is already there. */
  async prime(update: ResolveUpdate, turn: Turn, token: CancellationToken): Promise<void> {
    const resolver = new Resolving(this.interner);
    await resolver.update(update, turn, token);
    this.resolver = resolver;
    this.#precise = update.precise;
  }

  /** The same for a resolver that goes on where the one ended that made the graph. */
  async primeWith(columns: ResolverColumns, update: ResolveUpdate, turn: Turn, token: CancellationToken): Promise<void> {
    const resolver = new Resolving(this.interner);
    const given = this.graph.entries().map(({ external, record, sites, unresolved }) => ({ path: record.path, sites, unresolved, external }));
    await resolver.adopt(update, given, columns, turn, token);
    this.resolver = resolver;
    this.#precise = update.precise;
  }

  /** For an index that is still empty there is nothing to feed. */
  primeEmpty(): void {
    this.resolver ??= new Resolving(this.interner);
  }

  /**
   * The index as it would be if some files read differently, without publishing it: changes everything and changes it back.
   * Exact by construction, because it is made by the same steps as any change; costs two changes of that size.
   */
  async preview(standIns: readonly Replacement[], originals: ReadonlyMap<WorkspacePath, FileFacts | undefined>, turn: Turn): Promise<Published> {
    const before = new Map(this.graph.entries().map(entry => [entry.file, entry]));
    const loaded = standIns.map(({ tracked, facts }): LoadedFile => ({ tracked, facts, change: 'content', parsed: true }));
    const precise =
      this.#precise === undefined
        ? undefined
        : withTexts(
            this.#precise,
            standIns.map(({ tracked, ...rest }) => ({ path: tracked.record.path, ...rest })),
          );
    const outcome = await this.#update({ ...updateOf(loaded, [], []), precise }, turn, neverCancelled);
    const resolutions = new Map(outcome.resolutions.map(resolution => [resolution.path, resolution]));
    const upserts = standIns.flatMap(({ tracked, facts }): FileUpsert[] => {
      const resolution = resolutions.get(tracked.record.path);
      return resolution === undefined ? [] : [{ record: tracked.record, facts, resolution }];
    });
    const oldIds = standIns.flatMap(({ tracked }) => this.#searchIds(tracked.record.path));
    const { knownCommunities } = this.graph.view;
    const graph = this.graph.preview({ upserts, relinked: outcome.relinked, removed: [] });
    try {
      const documents: SearchDocument[] = [];
      for (const { facts, text, tracked } of standIns) documents.push(...(await this.#documentsOf(tracked.record, facts, text)));
      await this.search.update({ upserts: documents, removed: without(oldIds, documents) }, turn);
      return { graph, search: this.search.view() };
    } finally {
      // Also when it failed: what nobody saved must not be in what everybody sees next.
      await this.#rollback(standIns, originals, outcome.relinked, before, turn);
      if (knownCommunities !== undefined) this.graph.setCommunities(knownCommunities.of);
    }
  }

  async #rollback(
    standIns: readonly Replacement[],
    originals: ReadonlyMap<WorkspacePath, FileFacts | undefined>,
    relinked: readonly FileResolution[],
    before: ReadonlyMap<NodeHandle, FileEntry>,
    turn: Turn,
  ): Promise<void> {
    const paths = standIns.map(({ tracked }) => tracked.record.path);
    const restored = paths.flatMap(path => {
      const record = this.table.get(path)?.record;
      return record === undefined ? [] : [{ record, facts: originals.get(path) }];
    });
    const kept = new Set(restored.map(({ record }) => record.path));
    // Should the resolver fail here it is made anew for the next change; graph and search are taken back in any case.
    const removed = paths.filter(path => !kept.has(path));
    const taken = this.#update({ upserts: restored, removed, manifests: [], precise: this.#precise }, turn, neverCancelled);
    await taken.catch(() => undefined);
    const handles = [...paths.map(path => this.interner.intern(path)), ...relinked.map(({ file }) => file)];
    const previewedIds = paths.flatMap(path => this.#searchIds(path));
    this.graph.replace(
      handles.flatMap(handle => before.get(handle) ?? []),
      handles.filter(handle => !before.has(handle)),
    );
    const documents: SearchDocument[] = [];
    for (const { record, facts } of restored) documents.push(...(await this.#documentsOf(record, facts)));
    await this.search.update({ upserts: documents, removed: without(previewedIds, documents) }, turn);
  }

  async #updateSearch(effective: readonly LoadedFile[], gone: readonly string[], draft: IndexDraft | undefined, turn: Turn): Promise<void> {
    const documents: SearchDocument[] = [];
    const paths = effective.map(({ tracked }) => tracked.record.path);
    const isLarge = draft !== undefined || effective.length > MAX_READ_AT_ONCE;
    for (const { tracked, facts } of draft === undefined ? effective : []) {
      documents.push(...(isLarge ? searchDocumentsOf(tracked.record.path, facts) : await this.#documentsOf(tracked.record, facts)));
      await turn.check(neverCancelled);
    }
    if (isLarge) this.pendingContent.add(paths);
    else this.pendingContent.settle(paths);
    await this.search.update({ upserts: documents, removed: without(gone, documents), ...(draft === undefined ? {} : { draft: draft.documents }) }, turn);
  }

  /** The search index of a copy, with all that changed in it. */
  async searchLater(turn: Turn): Promise<SearchView> {
    for (let change = this.#unsearched?.changes.shift(); change !== undefined; change = this.#unsearched?.changes.shift())
      await this.#updateSearch(change.effective, change.gone, undefined, turn);
    return this.search.view();
  }

  /** Gives some files their content and history in the search index. Visible with the next `publishSearch`. */
  async indexContent(files: readonly { readonly tracked: TrackedFile; readonly facts: FileFacts | undefined }[], turn: Turn): Promise<void> {
    const documents: SearchDocument[] = [];
    for (const { facts, tracked } of files) {
      documents.push(...(await this.#documentsOf(tracked.record, facts)));
      await turn.check(neverCancelled);
    }
    await this.search.update({ upserts: documents, removed: [] }, turn);
    this.pendingContent.settle(files.map(({ tracked }) => tracked.record.path));
  }

  /** Readers see what was added to the search index since the last change. */
  publishSearch(): void {
    if (this.#published !== undefined) this.#publish();
  }

  async #documentsOf(record: FileRecord, facts: FileFacts | undefined, text?: string): Promise<SearchDocument[]> {
    return searchDocumentsOf(record.path, facts, await this.content.of(record, text));
  }

  /** A first index that found no file changes nothing, and still is an index to read. */
  ensurePublished(): void {
    if (this.#published === undefined) this.#publish();
  }

  #publish(): void {
    this.#published = { graph: this.graph.view, search: this.search.view() };
  }

  /** A resolver that failed is not trusted again: the next change begins with a new one, fed from the table. */
  async #update(change: ResolveUpdate, turn: Turn, token: CancellationToken): Promise<ResolverResult> {
    const { resolver } = this;
    invariant(resolver !== undefined, 'a change came before the resolver had its facts');
    try {
      return await resolver.update(change, turn, token);
    } catch (error) {
      this.resolver = undefined;
      throw error;
    }
  }

  /** Ids of the documents a file has in the graph as it is. */
  #searchIds(path: WorkspacePath): string[] {
    const { view } = this.graph;
    const file = view.fileOf(path);
    return file === undefined ? [] : [path, ...view.symbolsOf(file).map(node => view.idOf(node))];
  }
}

function updateOf(loaded: readonly LoadedFile[], removed: readonly WorkspacePath[], manifests: ResolveUpdate['manifests']): ResolveUpdate {
  return { upserts: loaded.map(({ tracked, facts }) => ({ record: tracked.record, facts })), removed, manifests };
}

function without(ids: readonly string[], documents: readonly { readonly id: string }[]): string[] {
  const stay = new Set(documents.map(({ id }) => id));
  return ids.filter(id => !stay.has(id));
}
