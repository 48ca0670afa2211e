/**
 * Keeps what precise indexes (SCIP) say in step with the disk: which index files there are, and which of the files they describe still read as they did.
 *
 * A file that is not newer than its index is taken to be what was indexed; a newer one is compared with the index, text against occurrences.
 * It does not know what the occurrences are used for. It reads inside the workspace only.
 */
import type { CancellationToken } from '../../base/cancellation';
import { normalize, type WorkspacePath } from '../../base/path';
import type { Turn } from '../../base/yield';
import { absoluteOf, decodeText } from '../../code/files/host';
import { fits } from '../../code/resolve/resolver';
import type { FileFacts } from '../../model/facts';
import type { PreciseEntry, PreciseState } from '../../model/preciseIndex';
import type { PreciseIndexHealth } from '../../workspace/snapshot';
import { hashOf } from '../indexing/fileLoader';
import type { TrackedFile } from '../indexing/fileTable';
import { DEFAULT_INDEXES, type IndexFiles, type LoadedDocument, type LoadedIndexes, loadIndexes } from './loadIndexes';

export interface PreciseOptions extends IndexFiles {
  /** Paths of index files as the user gave them. */
  readonly paths: () => readonly string[];
}

/** What is kept of the indexes for the next start: enough to see whether they changed, and what health says of them. */
export interface PreciseSummary {
  readonly signature: string;
  readonly indexes: readonly PreciseIndexHealth[];
}

/** A file as the coming revision has it. */
export interface CurrentFile {
  readonly tracked: TrackedFile;
  facts(): Promise<FileFacts | undefined>;
}

export const NO_INDEXES: PreciseSummary = { signature: '', indexes: [] };

/** Stale files that health names. */
const NAMED_STALE = 20;

/** SCIP indexes of a workspace, read again only when one of their files has changed. */
export class PreciseFiles {
  #summary = NO_INDEXES;
  #seen: string | undefined;
  #loaded: { readonly signature: string; readonly content: LoadedIndexes } | undefined;
  #state: PreciseState | undefined;

  constructor(private readonly options: PreciseOptions) {}

  /** What of the indexes is in the newest revision. */
  get summary(): PreciseSummary {
    return this.#summary;
  }

  set summary(summary: PreciseSummary) {
    this.#summary = summary;
  }

  isIndex(path: WorkspacePath): boolean {
    return this.options.paths().some(each => normalize(each) === path);
  }

  /** Paths to leave out of the scan: they are read here. */
  get paths(): WorkspacePath[] {
    return this.options.paths().flatMap(path => normalize(path) ?? []);
  }

  /** Whether index files came, went or changed since the newest revision. Costs one look at each. */
  async hasChanged(): Promise<boolean> {
    this.#seen = await this.#signature();
    return this.#seen !== this.#summary.signature;
  }

  /** What the resolver is to know, with the named files judged anew (all, when the indexes were read anew). */
  async settle(
    changed: readonly WorkspacePath[],
    fileNow: (path: WorkspacePath) => CurrentFile | undefined,
    turn: Turn,
    token: CancellationToken,
  ): Promise<PreciseState> {
    const signature = this.#seen ?? (await this.#signature());
    let judged: Iterable<WorkspacePath> = changed;
    if (this.#loaded?.signature !== signature) {
      const content = await loadIndexes(this.options, this.options.paths(), path => fileNow(path) !== undefined, turn, token);
      this.#loaded = { signature, content };
      judged = content.documents.keys();
      this.#state = undefined;
    }
    const { content } = this.#loaded;
    const entries = new Map<WorkspacePath, PreciseEntry>(this.#state?.documents);
    let isSame = this.#state !== undefined;
    for (const path of judged) {
      const loaded = content.documents.get(path);
      if (loaded === undefined) continue;
      const isCurrent = await this.#isCurrent(loaded, fileNow(path));
      isSame &&= entries.get(path)?.isCurrent === isCurrent;
      entries.set(path, { document: loaded.document, isCurrent });
      await turn.check(token);
    }
    if (!isSame || this.#state === undefined) this.#state = { symbols: content.symbols, documents: entries };
    return this.#state;
  }

  /** The settled state is in the newest revision. */
  applied(isFile: (path: WorkspacePath) => boolean): void {
    if (this.#loaded === undefined || this.#state === undefined) return;
    const { content, signature } = this.#loaded;
    const { documents } = this.#state;
    const rows = content.indexes.map(() => ({ covered: 0, stale: 0, unknown: 0, staleFiles: [] as WorkspacePath[] }));
    for (const [path, { index }] of content.documents) {
      const row = rows[index];
      if (row === undefined) continue;
      if (!isFile(path)) row.unknown++;
      else if (documents.get(path)?.isCurrent === true) row.covered++;
      else {
        row.stale++;
        if (row.staleFiles.length < NAMED_STALE) row.staleFiles.push(path);
      }
    }
    const indexes = content.indexes.map(({ path, tool, problem }, at): PreciseIndexHealth => {
      const { covered = 0, stale = 0, unknown = 0, staleFiles = [] } = rows[at] ?? {};
      return { path, tool, covered, stale, unknown, staleFiles, ...(problem === undefined ? {} : { problem }) };
    });
    this.#summary = { signature, indexes };
  }

  async #isCurrent({ document, index, text }: LoadedDocument, file: CurrentFile | undefined): Promise<boolean> {
    if (file === undefined) return false;
    const { record, signature, factsKey } = file.tracked;
    // Without facts there is nothing to say.
    if (record.language === undefined || factsKey === undefined) return false;
    if (text !== undefined) return hashOf(text) === record.contentHash;
    if (signature.mtimeMs <= (this.#loaded?.content.indexes[index]?.mtimeMs ?? 0)) return true;
    const [facts, bytes] = [await file.facts(), await this.#read(record.path)];
    if (facts === undefined || bytes === undefined || hashOf(bytes) !== record.contentHash) return false;
    return fits(document, this.#loaded?.content.symbols ?? NO_SYMBOLS, facts, decodeText(bytes));
  }

  #read(path: WorkspacePath): Promise<Uint8Array | undefined> {
    const { host, root } = this.options;
    return host.read(absoluteOf(root, path)).catch(() => undefined);
  }

  /** Sizes and times of the index files that are there, and the setting itself; `''` when there is none. */
  async #signature(): Promise<string> {
    const { host, paths, root } = this.options;
    const parts = await Promise.all(
      paths().map(async path => {
        const clean = normalize(path);
        if (clean === undefined || clean === '') return `${path}\0outside`;
        return host.stat(absoluteOf(root, clean)).then(
          ({ sizeBytes, mtimeMs, inode }) => [path, sizeBytes, mtimeMs, inode].join('\0'),
          () => `${path}\0none`,
        );
      }),
    );
    return parts.every(part => part.endsWith('\0none')) && paths().every(path => DEFAULT_INDEXES.includes(path)) ? '' : parts.join('\0\0');
  }
}

const NO_SYMBOLS = { count: 0, text: (): string => '' };
