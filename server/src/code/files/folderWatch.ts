import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { type EntryKind, type FileHost, faultCode, isMissing } from './host';
import type { WatchHandle, WatchRequest } from './watchHandle';

/** Entries and events that are handled between two turns of the event loop. */
const IN_ONE_TURN = 200;
/** Questions to the disk at the same time. */
const AT_ONCE = 32;
/** Faults of one folder that the scan reports in its own way. */
const PASSED_OVER: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/** Where the system tells of everything below a folder by itself; elsewhere each folder is watched. */
const isRecursive = process.platform === 'win32' || process.platform === 'darwin';

/**
 * Watches folders, never files: one watch per folder on Linux, one in all on Windows and macOS. Nothing that takes long is done in one piece,
 * however many files a folder has. Files that are there at the start are not reported, those of a folder that appears later are.
 */
export class FolderWatch implements WatchHandle {
  readonly #watches = new Map<string, FSWatcher>();
  /** Paths that something happened to, to be looked at; true when the system speaks of content only. */
  readonly #touched = new Map<string, boolean>();
  /** At first until all folders are watched. */
  #looking = true;
  #closed = false;
  #onChange: (kind: 'changed' | 'removed', path: string) => void = () => undefined;
  #onError: (error: unknown) => void = () => undefined;
  #onReady: () => void = () => undefined;

  constructor(
    private readonly request: WatchRequest,
    private readonly host: Pick<FileHost, 'list'> & { kindOf(path: string): Promise<EntryKind> },
  ) {
    setImmediate(() => void this.#begin());
  }

  onChange(listener: (kind: 'changed' | 'removed', path: string) => void): void {
    this.#onChange = listener;
  }

  onError(listener: (error: unknown) => void): void {
    this.#onError = listener;
  }

  onReady(listener: () => void): void {
    this.#onReady = listener;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const one of this.#watches.values()) one.close();
    this.#watches.clear();
    this.#touched.clear();
  }

  async #begin(): Promise<void> {
    if (isRecursive) this.#watch(this.request.root);
    else await this.#enter(this.request.root, false);
    if (!this.#closed) this.#onReady();
    await this.#look();
  }

  /** Watches a folder and those in it; with `isNew`, tells of its files. What appears in a folder after its watch began is an event of its own. */
  async #enter(top: string, isNew: boolean): Promise<void> {
    const folders = [top];
    for (let folder = folders.pop(); folder !== undefined && !this.#closed; folder = folders.pop()) {
      if (!isRecursive) this.#watch(folder);
      const entries = await this.host.list(folder).catch(() => []);
      for (const [at, { kind, name }] of entries.entries()) {
        const path = join(folder, name);
        if (kind === 'directory') {
          if (!this.request.ignored(path, true)) folders.push(path);
        } else if (isNew && !this.request.ignored(path, false)) this.#tell('changed', path);
        if (at % IN_ONE_TURN === IN_ONE_TURN - 1) await turn();
      }
    }
  }

  #watch(folder: string): void {
    if (this.#closed) return;
    try {
      this.#leave(folder);
      const one = watch(folder, { persistent: false, recursive: isRecursive });
      this.#watches.set(folder, one);
      one.on('change', (event, name) => {
        if (this.#watches.get(folder) === one && name !== null) this.#touch(join(folder, name.toString()), event === 'change');
      });
      one.on('error', error => {
        if (this.#watches.get(folder) !== one) return;
        this.#leave(folder);
        this.#fail(error, folder);
      });
    } catch (error) {
      this.#fail(error, folder);
    }
  }

  #fail(error: unknown, folder: string): void {
    if (!this.#closed && (folder === this.request.root || !PASSED_OVER.has(faultCode(error)))) this.#onError(error);
  }

  #leave(folder: string): void {
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
  }

  #touch(path: string, isContent: boolean): void {
    this.#touched.set(path, isContent && (this.#touched.get(path) ?? true));
    if (this.#looking) return;
    this.#looking = true;
    setImmediate(() => void this.#look());
  }

  async #look(): Promise<void> {
    while (this.#touched.size > 0) {
      const some = [...takeSome(this.#touched, IN_ONE_TURN)];
      const folders: string[] = [];
      for (let at = 0; at < some.length; at += AT_ONCE) {
        const found = await Promise.all(some.slice(at, at + AT_ONCE).map(([path, isContent]) => this.#lookAt(path, isContent)));
        folders.push(...found.filter(path => path !== undefined));
      }
      // One after the other, each looked at anew: a folder that is entered may hold another one that is gone, or is there again.
      for (const path of folders) await this.#follow(path);
      await turn();
    }
    this.#looking = false;
  }

  /** Tells what became of a file. Gives the path back where folders are to be watched or left. */
  async #lookAt(path: string, isContent: boolean): Promise<string | undefined> {
    if (this.#closed || this.request.ignored(path, undefined)) return undefined;
    const isWatched = this.#watches.has(path);
    // On Linux a change of content is one of a file; folders that are watched change their rights only.
    if (isContent && !isRecursive) {
      if (!isWatched) this.#tell('changed', path);
      return undefined;
    }
    const kind = await this.#kindOf(path);
    if (kind === 'directory') return isContent ? undefined : path;
    if (isWatched || basename(path) === basename(join(path, '..'))) return path;
    this.#tell(kind === 'gone' ? 'removed' : 'changed', path);
    return undefined;
  }

  async #follow(path: string): Promise<void> {
    const kind = await this.#kindOf(path);
    if (kind === 'gone') await this.#gone(path);
    else if (kind === 'directory') {
      if (this.request.ignored(path, true)) return;
      // It may be another folder under the name of one that was there: what is not in it is gone. Told when its watches stand, so that who looks
      // then misses nothing that goes later.
      this.#leaveAll(path);
      await this.#enter(path, true);
      this.#tell('changed', path);
    } else {
      this.#leaveAll(path);
      this.#tell('changed', path);
    }
  }

  #kindOf(path: string): Promise<EntryKind | 'gone'> {
    return this.host.kindOf(path).catch((error: unknown) => (isMissing(error) ? 'gone' : 'file'));
  }

  async #gone(path: string): Promise<void> {
    // A watched folder that goes tells of itself by its own name.
    const folder = join(path, '..');
    if (basename(folder) === basename(path) && (await this.#kindOf(folder)) === 'gone') {
      if (folder === this.request.root) this.#fail(Object.assign(new Error('the folder is gone'), { code: 'ENOENT' }), folder);
      return;
    }
    this.#leaveAll(path);
    this.#tell('removed', path);
  }

  /** A folder that is no more, with all below it. */
  #leaveAll(path: string): void {
    const below = join(path, 'x').slice(0, -1);
    for (const watched of this.#watches.keys()) if (watched === path || watched.startsWith(below)) this.#leave(watched);
  }

  #tell(kind: 'changed' | 'removed', path: string): void {
    if (!this.#closed) this.#onChange(kind, path);
  }
}

function* takeSome<K, V>(from: Map<K, V>, count: number): Generator<readonly [K, V]> {
  let taken = 0;
  for (const entry of from) {
    if (taken++ === count) return;
    from.delete(entry[0]);
    yield entry;
  }
}

function turn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve);
  });
}
