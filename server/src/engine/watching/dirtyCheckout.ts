import { createHash } from 'node:crypto';
import { extname, type WorkspacePath } from '../../base/path';
import type { GitPlace } from '../../code/files/git';
import { type GitIndex, type GitIndexEntry, parseGitIndex } from '../../code/files/gitIndex';
import { absoluteOf, type FileHost } from '../../code/files/host';
import { type FileSignature, isSameSignature } from '../../code/files/stats';
import { languageOfExtension } from '../../model/languages';
import type { FileTable } from '../indexing/fileTable';

/** Files whose content is compared when size or time differ; with more of them nobody doubts that the checkout is dirty. */
const MOST_COMPARED = 10;
/** Before the first index nothing is known of the files: so many are looked at, else it stays open. */
const MOST_LOOKED_AT = 1000;

/**
 * Whether tracked files differ from the last commit, as git would say, from git's index and the table of files alone.
 * Files that Lattice leaves out are passed over: they do not make a checkout dirty.
 */
export class DirtyCheckout {
  #known: { readonly signature: FileSignature; readonly index: GitIndex | undefined } | undefined;

  constructor(
    private readonly place: GitPlace | undefined,
    private readonly host: FileHost,
    private readonly table: FileTable,
    private readonly root: string,
  ) {}

  /** `null` without git and where its index cannot be read. Never rejects. */
  async ask(): Promise<boolean | null> {
    if (this.place === undefined) return null;
    try {
      const index = await this.#index(`${this.place.gitDir}/index`);
      if (index === undefined) return null;
      return index.isStaged ? true : await this.#differs(index, this.place.folderInCheckout);
    } catch {
      return null;
    }
  }

  async #index(path: string): Promise<GitIndex | undefined> {
    const signature = await this.host.stat(path);
    if (this.#known === undefined || !isSameSignature(this.#known.signature, signature)) {
      this.#known = { signature, index: parseGitIndex(await this.host.read(path)) };
    }
    return this.#known.index;
  }

  async #differs({ entries }: GitIndex, folder: string): Promise<boolean | null> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const ours = entries.filter(entry => entry.path.startsWith(prefix)).map(entry => ({ entry, path: entry.path.slice(prefix.length) }));
    const isFirst = this.table.size === 0;
    if (isFirst && ours.length > MOST_LOOKED_AT) return null;
    const doubtful: { readonly path: WorkspacePath; readonly entry: GitIndexEntry }[] = [];
    let looks = isFirst ? MOST_LOOKED_AT : MOST_COMPARED;
    for (const { entry, path } of ours) {
      const known = this.table.get(path)?.signature;
      // Gone, or left out: the disk knows.
      const mayBeGone = known === undefined && (isFirst || languageOfExtension(extname(path)) !== undefined) && looks-- > 0;
      const signature = mayBeGone ? await this.#look(path) : known;
      if (mayBeGone && signature === undefined) return true;
      if (signature === undefined || isAsIndexed(signature, entry)) continue;
      doubtful.push({ path, entry });
      if (doubtful.length > MOST_COMPARED) return true;
    }
    for (const { path, entry } of doubtful) if ((await this.#blobOf(path)) !== entry.blob) return true;
    return false;
  }

  async #look(path: WorkspacePath): Promise<FileSignature | undefined> {
    return this.host.stat(absoluteOf(this.root, path)).catch(() => undefined);
  }

  async #blobOf(path: WorkspacePath): Promise<string | undefined> {
    const bytes = await this.host.read(absoluteOf(this.root, path)).catch(() => undefined);
    return bytes === undefined ? undefined : createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  }
}

function isAsIndexed({ mtimeMs, sizeBytes }: FileSignature, entry: GitIndexEntry): boolean {
  return sizeBytes % 2 ** 32 === entry.sizeBytes && Math.floor(mtimeMs / 1000) === entry.mtimeSeconds;
}
