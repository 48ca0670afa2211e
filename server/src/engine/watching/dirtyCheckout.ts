import { createHash } from 'node:crypto';
import { extname, type WorkspacePath } from '../../base/path';
import type { GitPlace } from '../../code/files/git';
import { type GitIndex, type GitIndexEntry, parseGitIndex } from '../../code/files/gitIndex';
import { absoluteOf, type FileHost } from '../../code/files/host';
import { type FileSignature, isSameSignature } from '../../code/files/stats';
import { languageOfExtension } from '../../model/languages';
import type { FileTable } from '../indexing/fileTable';

/** Bytes that one question reads at most to compare contents; beyond them it stays open. */
const MAX_COMPARED_BYTES = 32 << 20;
/** Files without a known signature that one question looks at, once the index is there. */
const MAX_GONE = 10;
/** Before the first index nothing is known of the files: so many are looked at, else it stays open. */
const MAX_LOOKED_AT = 1000;
/** Times in milliseconds, as doubles, are exact to less than this. */
const SAME_TIME_MS = 0.001;

interface OurEntry {
  readonly path: WorkspacePath;
  readonly entry: GitIndexEntry;
}

interface Doubtful extends OurEntry {
  readonly signature: FileSignature;
}

/**
 * Whether tracked files differ from the last commit, as git would say, from git's index and the table of files alone.
 * Git's rules (Documentation/technical/racy-git): another size is a difference; another time or inode makes the content decide, and so does
 * a time that is not before that of the index, because the file may have been written once more within the same tick of the clock.
 * Files that Lattice leaves out are passed over: they do not make a checkout dirty.
 */
export class DirtyCheckout {
  #known: { readonly signature: FileSignature; readonly index: GitIndex | undefined } | undefined;
  /** Files whose content was read and found to be that of the index. */
  #compared = new Map<WorkspacePath, Doubtful>();

  constructor(
    private readonly place: GitPlace | undefined,
    private readonly host: FileHost,
    private readonly table: FileTable,
    private readonly root: string,
  ) {}

  /** `null` without git, where its index cannot be read, and where too much would have to be compared. Never rejects. */
  async ask(): Promise<boolean | null> {
    if (this.place === undefined) return null;
    try {
      const { index, signature } = await this.#index(`${this.place.gitDir}/index`);
      if (index === undefined) return null;
      return index.isStaged ? true : await this.#differs(entriesIn(index, this.place.folderInCheckout), signature.mtimeMs);
    } catch {
      return null;
    }
  }

  /** Names in git's object store of files that read as git noted them when they were indexed; without those that would have to be compared. Never rejects. */
  async unchanged(): Promise<ReadonlyMap<WorkspacePath, string>> {
    const found = new Map<WorkspacePath, string>();
    if (this.place === undefined) return found;
    const read = await this.#index(`${this.place.gitDir}/index`).catch(() => undefined);
    for (const { entry, path } of entriesIn(read?.index, this.place.folderInCheckout)) {
      const signature = this.table.get(path)?.signature;
      if (read !== undefined && signature !== undefined && stateOf(signature, entry, read.signature.mtimeMs) === 'same') found.set(path, entry.blob);
    }
    return found;
  }

  async #index(path: string): Promise<{ readonly signature: FileSignature; readonly index: GitIndex | undefined }> {
    const signature = await this.host.stat(path);
    if (this.#known === undefined || !isSameSignature(this.#known.signature, signature)) {
      this.#known = { signature, index: parseGitIndex(await this.host.read(path)) };
    }
    return this.#known;
  }

  async #differs(ours: readonly OurEntry[], indexedAtMs: number): Promise<boolean | null> {
    const isFirst = this.table.size === 0;
    if (isFirst && ours.length > MAX_LOOKED_AT) return null;
    const doubtful: Doubtful[] = [];
    let looks = isFirst ? MAX_LOOKED_AT : MAX_GONE;
    for (const { entry, path } of ours) {
      const known = this.table.get(path)?.signature;
      // Gone, or left out: the disk knows.
      const mayBeGone = known === undefined && (isFirst || languageOfExtension(extname(path)) !== undefined) && looks-- > 0;
      const signature = mayBeGone ? await this.#look(path) : known;
      if (mayBeGone && signature === undefined) return true;
      if (signature === undefined) continue;
      const state = stateOf(signature, entry, indexedAtMs);
      if (state === 'different') return true;
      if (state === 'doubtful') doubtful.push({ path, entry, signature });
    }
    return this.#contentDiffers(doubtful);
  }

  async #contentDiffers(doubtful: readonly Doubtful[]): Promise<boolean | null> {
    const compared = new Map<WorkspacePath, Doubtful>();
    let bytes = 0;
    for (const one of doubtful) {
      const before = this.#compared.get(one.path);
      if (before === undefined || before.entry.blob !== one.entry.blob || !isSameSignature(before.signature, one.signature)) {
        bytes += one.signature.sizeBytes;
        if (bytes > MAX_COMPARED_BYTES) return null;
        if (!(await this.#isBlob(one))) return true;
        this.#compared.set(one.path, one);
      }
      compared.set(one.path, one);
    }
    this.#compared = compared;
    return false;
  }

  async #look(path: WorkspacePath): Promise<FileSignature | undefined> {
    return this.host.stat(absoluteOf(this.root, path)).catch(() => undefined);
  }

  /** Git may have replaced line ends on their way to the disk, which is no difference where the size is the one it remembers. */
  async #isBlob({ entry, path }: Doubtful): Promise<boolean> {
    const bytes = await this.host.read(absoluteOf(this.root, path)).catch(() => undefined);
    if (bytes === undefined) return false;
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (blobOf(content) === entry.blob) return true;
    if (content.includes(0) || !content.includes('\r\n')) return false;
    return blobOf(Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')) === entry.blob;
  }
}

/** Entries below a folder of the checkout, with paths from there. */
function entriesIn(index: GitIndex | undefined, folder: string): readonly OurEntry[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const ours = (index?.entries ?? []).filter(entry => entry.path.startsWith(prefix));
  return ours.map(entry => ({ entry, path: entry.path.slice(prefix.length) }));
}

function blobOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function stateOf({ inode, mtimeMs, sizeBytes }: FileSignature, entry: GitIndexEntry, indexedAtMs: number): 'same' | 'different' | 'doubtful' {
  if (sizeBytes % 2 ** 32 !== entry.sizeBytes) return entry.sizeBytes === 0 ? 'doubtful' : 'different';
  const isSameInode = inode === 0 || entry.inode === 0 || inode % 2 ** 32 === entry.inode;
  return isSameInode && isSameTime(mtimeMs, entry) && isBefore(mtimeMs, indexedAtMs) ? 'same' : 'doubtful';
}

/** By whole seconds where one of the two knows no more. */
function isSameTime(mtimeMs: number, { mtimeNanoseconds, mtimeSeconds }: GitIndexEntry): boolean {
  if (mtimeNanoseconds === 0 || mtimeMs % 1000 === 0) return Math.floor(mtimeMs / 1000) === mtimeSeconds;
  return Math.abs(mtimeMs - (mtimeSeconds * 1000 + mtimeNanoseconds / 1e6)) < SAME_TIME_MS;
}

function isBefore(mtimeMs: number, indexedAtMs: number): boolean {
  if (mtimeMs % 1000 === 0 || indexedAtMs % 1000 === 0) return Math.floor(mtimeMs / 1000) < Math.floor(indexedAtMs / 1000);
  return mtimeMs < indexedAtMs;
}
