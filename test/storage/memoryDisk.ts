import { dirname } from 'node:path';
import type { AppendFile, Disk, NoteFile } from '../../server/src/store/disk';

let nextIdentity = 1;

interface StoredFile {
  readonly identity: string;
  bytes: Buffer;
  /** What a power failure leaves for certain. */
  syncedBytes: Buffer;
}

/** Ends a simulated process: thrown at the chosen operation and at every later one. */
export class Died extends Error {}

/**
 * A disk in memory that can die at its n-th changing operation, with half of a write done, and can answer with system errors.
 * `survivor('killed')` is what the next process finds; `survivor('powerLoss')` has only what was synced.
 */
export class MemoryDisk implements Disk {
  readonly files = new Map<string, StoredFile>();
  /** Identity by path. A folder that was never made has none, as if it were gone. */
  readonly folders = new Map<string, string>();
  operations = 0;
  dieAt = Number.POSITIVE_INFINITY;
  /** System error code for an operation on a path, or `undefined` to let it through. */
  fault: (operation: string, path: string) => string | undefined = () => undefined;
  syncs = 0;
  /** Reads of parts of files, in order. */
  readonly reads: { readonly offset: number; readonly length: number }[] = [];
  /** Places that cannot be read in part. */
  badBytes: readonly number[] = [];

  async makeFolder(path: string): Promise<void> {
    this.#step('makeFolder', path, () => {
      if (!this.folders.has(path)) this.folders.set(path, `folder ${nextIdentity++}`);
    });
  }

  async list(folder: string): Promise<readonly string[]> {
    const names = new Set<string>();
    for (const path of this.files.keys()) if (path.startsWith(`${folder}/`)) names.add(path.slice(folder.length + 1).split('/')[0] ?? '');
    return [...names].sort();
  }

  async stat(path: string): Promise<{ readonly sizeBytes: number; readonly isFolder: boolean } | undefined> {
    const file = this.files.get(path);
    if (file !== undefined) return { sizeBytes: file.bytes.length, isFolder: false };
    return [...this.files.keys()].some(other => other.startsWith(`${path}/`)) ? { sizeBytes: 0, isFolder: true } : undefined;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const file = this.files.get(path);
    return file && Buffer.from(file.bytes);
  }

  async openAppend(path: string): Promise<AppendFile> {
    this.#step('openAppend', path, () => {
      if (!this.files.has(path)) this.files.set(path, newFile());
    });
    // As with a handle: what is written goes to this file, whatever the path names later.
    const opened = this.files.get(path) ?? newFile();
    const file = (): StoredFile => opened;
    return {
      identity: opened.identity,
      append: async bytes =>
        this.#step(
          'append',
          path,
          () => {
            file().bytes = Buffer.concat([file().bytes, bytes]);
          },
          () => {
            file().bytes = Buffer.concat([file().bytes, bytes.subarray(0, bytes.length >> 1)]);
          },
        ),
      sync: async () =>
        this.#step('sync', path, () => {
          this.syncs++;
          file().syncedBytes = file().bytes;
        }),
      read: async (offset, length) => {
        this.reads.push({ offset, length });
        if (this.badBytes.some(at => at >= offset && at < offset + length)) throw systemError('EIO');
        return Buffer.from(file().bytes.subarray(offset, offset + length));
      },
      close: async () => undefined,
    };
  }

  async write(path: string, parts: readonly Uint8Array[]): Promise<void> {
    const bytes = Buffer.concat(parts);
    this.#step(
      'write',
      path,
      () => {
        this.syncs++;
        this.files.set(path, newFile(bytes, bytes));
      },
      () => {
        this.files.set(path, newFile(bytes.subarray(0, bytes.length >> 1)));
      },
    );
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step('rename', to, () => {
      const file = this.files.get(from);
      if (file === undefined) throw systemError('ENOENT');
      this.files.delete(from);
      this.files.set(to, file);
    });
  }

  async publish(from: string, to: string): Promise<boolean> {
    let isFree = false;
    this.#step('publish', to, () => {
      const file = this.files.get(from);
      if (file === undefined) throw systemError('ENOENT');
      this.files.delete(from);
      isFree = !this.files.has(to);
      if (isFree) this.files.set(to, file);
    });
    return isFree;
  }

  async identity(path: string): Promise<string | undefined> {
    return this.files.get(path)?.identity ?? this.folders.get(path);
  }

  /** What is noted is not synced, and no step at which to die: nobody waits for it. */
  async openNote(path: string): Promise<NoteFile> {
    if (this.fault('openNote', path) !== undefined) throw systemError('EROFS');
    const file = this.files.get(path) ?? newFile();
    this.files.set(path, file);
    return {
      overwrite: async text => {
        if (this.operations < this.dieAt) file.bytes = Buffer.from(text);
      },
      close: async () => undefined,
    };
  }

  async remove(path: string): Promise<void> {
    this.#step('remove', path, () => {
      for (const folder of this.folders.keys()) if (folder === path || folder.startsWith(`${path}/`)) this.folders.delete(folder);
      for (const other of this.files.keys()) if (other === path || other.startsWith(`${path}/`)) this.files.delete(other);
    });
  }

  async truncate(path: string, sizeBytes: number): Promise<void> {
    this.#step('truncate', path, () => {
      const file = this.files.get(path);
      if (file === undefined) throw systemError('ENOENT');
      file.bytes = file.bytes.subarray(0, sizeBytes);
      file.syncedBytes = file.syncedBytes.subarray(0, sizeBytes);
    });
  }

  async syncFolder(path: string): Promise<void> {
    this.#step('syncFolder', path, () => undefined);
  }

  survivor(how: 'killed' | 'powerLoss'): MemoryDisk {
    const next = new MemoryDisk();
    for (const [path, file] of this.files) {
      const bytes = how === 'killed' ? file.bytes : file.syncedBytes;
      next.files.set(path, newFile(bytes, bytes));
    }
    for (const [path, identity] of this.folders) next.folders.set(path, identity);
    return next;
  }

  bytesOf(path: string): Buffer {
    return this.files.get(path)?.bytes ?? Buffer.alloc(0);
  }

  /** Path of the only file whose name matches. */
  find(pattern: RegExp): string {
    const found = [...this.files.keys()].filter(path => pattern.test(path.slice(dirname(path).length + 1)));
    if (found.length !== 1) throw new Error(`${found.length} files match ${pattern}: ${found.join(', ')}`);
    return found[0] ?? '';
  }

  change(path: string, edit: (bytes: Buffer) => Buffer): void {
    const bytes = edit(Buffer.from(this.bytesOf(path)));
    this.files.set(path, newFile(bytes, bytes));
  }

  #step(operation: string, path: string, work: () => void, half: () => void = () => undefined): void {
    this.operations++;
    if (this.operations > this.dieAt) throw new Died();
    if (this.operations === this.dieAt) {
      half();
      throw new Died();
    }
    const code = this.fault(operation, path);
    if (code !== undefined) {
      half();
      throw systemError(code);
    }
    work();
  }
}

function newFile(bytes: Buffer = Buffer.alloc(0), syncedBytes: Buffer = Buffer.alloc(0)): StoredFile {
  return { identity: `file ${nextIdentity++}`, bytes, syncedBytes };
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
