import type { CancellationToken } from '../../base/cancellation';
import { extname, type WorkspacePath } from '../../base/path';
import type { Turn } from '../../base/yield';
import { absoluteOf, decodeText, type FileHost } from '../../code/files/host';
import type { FileFacts } from '../../model/facts';
import { type LanguageId, languageOfExtension } from '../../model/languages';
import { factsInError, type Parsed, type TypedFacts } from './factsInError';
import { type FileLoader, hashOf, keyOf } from './fileLoader';
import type { FileTable, TrackedFile } from './fileTable';
import type { IndexState, Published, Replacement } from './indexState';

export interface UnsavedChange {
  readonly path: WorkspacePath;
  readonly version: number;
  /** Undefined: saved or closed. */
  readonly text: string | undefined;
}

interface Document {
  readonly text: string;
  readonly hash: string;
}

interface Viewer {
  readonly documents: Map<WorkspacePath, Document>;
  /** Newest facts of each document. */
  readonly facts: Map<WorkspacePath, TypedFacts & { readonly hash: string }>;
  /** Raised with each change. */
  version: number;
  view: View | undefined;
}

interface View {
  readonly base: Published;
  readonly version: number;
  readonly published: Published;
  /** What stands in for the files of code in the view. */
  readonly standIns: readonly Replacement[];
  /** Hash of the text that each document has in the view; `''` where its facts are in part of an earlier one. */
  readonly hashes: ReadonlyMap<WorkspacePath, string>;
}

/** The unsaved documents of a session, and the index as they make it. */
export interface UnsavedState {
  readonly base: Published;
  readonly published: Published;
  /** Of files of code. */
  readonly standIns: readonly Replacement[];
  /** Of all documents that differ from their file, by path. */
  readonly texts: ReadonlyMap<WorkspacePath, string>;
}

/**
 * Unsaved documents of editor sessions: editors see them, agents see the disk. Each session that has some gets a private view of the index in which they count;
 * everybody else sees the disk. A view is made when it is asked for and holds for one revision and one state of the documents.
 */
export class Unsaved {
  readonly #viewers = new Map<string, Viewer>();

  constructor(
    private readonly root: string,
    private readonly host: Pick<FileHost, 'read'>,
    private readonly loader: FileLoader,
    private readonly state: IndexState,
  ) {}

  set(name: string, changes: readonly UnsavedChange[]): void {
    const viewer = this.#viewers.get(name) ?? { documents: new Map(), facts: new Map(), version: 0, view: undefined };
    for (const { path, text } of changes) {
      if (text === undefined) viewer.documents.delete(path);
      else viewer.documents.set(path, { text, hash: hashOf(text) });
    }
    viewer.version++;
    if (viewer.documents.size === 0) this.#viewers.delete(name);
    else this.#viewers.set(name, viewer);
  }

  drop(name: string): void {
    this.#viewers.delete(name);
  }

  textOf(name: string | undefined, path: WorkspacePath): string | undefined {
    return name === undefined ? undefined : this.#viewers.get(name)?.documents.get(path)?.text;
  }

  /** Documents, over all sessions, that differ from the file in the table. */
  countDiffering(table: FileTable): number {
    const paths = new Set<WorkspacePath>();
    for (const viewer of this.#viewers.values()) for (const path of differing(viewer, table)) paths.add(path);
    return paths.size;
  }

  /** The session's private view if it is up to date; `base` when nothing of it differs from the disk; undefined when it has to be made. */
  fresh(name: string, base: Published): Published | undefined {
    const viewer = this.#viewers.get(name);
    if (viewer === undefined || differing(viewer, this.state.table).length === 0) return base;
    return viewer.view?.base === base && viewer.view.version === viewer.version ? viewer.view.published : undefined;
  }

  /** The newest view made for the session, however old; for answers that must not wait. */
  newest(name: string): Published | undefined {
    return this.#viewers.get(name)?.view?.published;
  }

  /** Whether any document of the session differs from its file. */
  differs(name: string): boolean {
    const viewer = this.#viewers.get(name);
    return viewer !== undefined && differing(viewer, this.state.table).length > 0;
  }

  /** What the session's documents say in place of their files, if its view is up to date and none of them is half typed; of the rest, texts. */
  standIns(name: string): UnsavedState | undefined {
    const viewer = this.#viewers.get(name);
    const base = this.state.published;
    if (viewer === undefined || base === undefined) return undefined;
    const { documents, version, view } = viewer;
    if (view?.base !== base || view.version !== version || view.standIns.some(({ tracked }) => tracked.record.isStale === true)) return undefined;
    const texts = new Map<WorkspacePath, string>();
    for (const path of differing(viewer, this.state.table)) texts.set(path, documents.get(path)?.text ?? '');
    return { base, published: view.published, standIns: view.standIns, texts };
  }

  /** Documents of the session whose text is newer than what answers from its newest view rest on. */
  stalePaths(name: string): readonly WorkspacePath[] {
    const viewer = this.#viewers.get(name);
    if (viewer === undefined) return [];
    const { documents, version, view } = viewer;
    return differing(viewer, this.state.table).filter(path => {
      const hash = view?.hashes.get(path);
      // What a view that is up to date left out (an ignored file) is not in any answer.
      return hash === undefined ? view?.version !== version : hash !== documents.get(path)?.hash;
    });
  }

  /** Makes the session's view. Runs in the engine's lane, with the resolver primed. */
  async make(name: string, isIgnored: (path: WorkspacePath) => boolean, turn: Turn, token: CancellationToken): Promise<void> {
    const viewer = this.#viewers.get(name);
    const base = this.state.published;
    if (viewer === undefined || base === undefined || this.fresh(name, base) !== undefined) return;
    const { version } = viewer;
    const standIns: Replacement[] = [];
    const originals = new Map<WorkspacePath, FileFacts | undefined>();
    const hashes = new Map<WorkspacePath, string>();
    for (const path of differing(viewer, this.state.table)) {
      if (isIgnored(path)) continue;
      const tracked = this.state.table.get(path);
      const original = tracked === undefined ? undefined : await this.loader.factsOf(tracked);
      const standIn = await this.#standIn(viewer, path, tracked, original, token);
      if (standIn === undefined) continue;
      standIns.push(standIn);
      originals.set(path, original);
      const { contentHash, isStale } = standIn.tracked.record;
      hashes.set(path, isStale === true ? '' : contentHash);
    }
    const published = standIns.length === 0 ? base : await this.state.preview(standIns, originals, turn);
    viewer.view = { base, version, published, standIns, hashes };
  }

  async #standIn(
    viewer: Viewer,
    path: WorkspacePath,
    tracked: TrackedFile | undefined,
    original: FileFacts | undefined,
    token: CancellationToken,
  ): Promise<Replacement | undefined> {
    const document = viewer.documents.get(path);
    const language = tracked?.record.language ?? languageOfExtension(extname(path));
    if (document === undefined || language === undefined) return undefined;
    const typed = await this.#typedFacts(viewer, path, language, document, { tracked, facts: original }, token);
    if (typed === undefined) return undefined;
    const { facts, isStale } = typed;
    const record = tracked?.record ?? { path, language, isTest: false, isGenerated: false };
    const signature = { sizeBytes: document.text.length, mtimeMs: 0, inode: 0 };
    return {
      facts,
      text: document.text,
      tracked: {
        record: { ...record, language, contentHash: document.hash, sizeBytes: document.text.length, ...(isStale ? { isStale } : {}) },
        signature,
        factsKey: keyOf(document.hash, language, path),
        syntax: facts.syntax,
        symbols: facts.symbols.count,
        isMinified: false,
        problem: undefined,
      },
    };
  }

  async #typedFacts(
    viewer: Viewer,
    path: WorkspacePath,
    language: LanguageId,
    { hash, text }: Document,
    saved: { readonly tracked: TrackedFile | undefined; readonly facts: FileFacts | undefined },
    token: CancellationToken,
  ): Promise<TypedFacts | undefined> {
    const known = viewer.facts.get(path);
    if (known?.hash === hash) return known;
    const parse = async (some: string): Promise<FileFacts | undefined> =>
      (await this.loader.parseText(path, absoluteOf(this.root, path), language, some, token)).facts;
    const fresh = await parse(text);
    const needsBasis = fresh === undefined || fresh.syntax.errorNodes > 0;
    const basis = needsBasis ? (known?.basis ?? (await this.#savedBasis(saved.tracked, saved.facts))) : undefined;
    const typed = await factsInError(text, fresh, basis, parse);
    if (typed !== undefined) viewer.facts.set(path, { ...typed, hash });
    return typed;
  }

  /** The file on disk, as long as it reads as it was indexed. */
  async #savedBasis(tracked: TrackedFile | undefined, facts: FileFacts | undefined): Promise<Parsed | undefined> {
    if (tracked === undefined || facts === undefined) return undefined;
    const bytes = await this.host.read(absoluteOf(this.root, tracked.record.path)).catch(() => undefined);
    return bytes === undefined || hashOf(bytes) !== tracked.record.contentHash ? undefined : { text: decodeText(bytes), facts };
  }
}

function differing(viewer: Viewer, table: FileTable): WorkspacePath[] {
  return [...viewer.documents].filter(([path, { hash }]) => table.get(path)?.record.contentHash !== hash).map(([path]) => path);
}
