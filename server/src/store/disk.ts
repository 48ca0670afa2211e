import { constants } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { makeFolders } from '../base/folders';
import type { Failure } from '../base/result';
import { NotTheOwner } from './fence';

/**
 * All that the store asks of a file system. Operations reject with the system's error; `storeFailure` turns it into words.
 * Tests give a disk that fails, fills up or dies at the n-th operation.
 */
export interface Disk {
  /** Makes the folder and its parents, mode 0700. */
  makeFolder(path: string): Promise<void>;
  /** Names in a folder, sorted; none when it does not exist. */
  list(folder: string): Promise<readonly string[]>;
  stat(path: string): Promise<{ readonly sizeBytes: number; readonly isFolder: boolean } | undefined>;
  /** Whole file; `undefined` when there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Opens for appending, creates with mode 0600. */
  openAppend(path: string): Promise<AppendFile>;
  /** Creates or overwrites, mode 0600, and syncs the content. */
  write(path: string, parts: readonly Uint8Array[]): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** As `rename`, but never in place of a file that is there: false then, and `from` is gone all the same. */
  publish(from: string, to: string): Promise<boolean>;
  /** Device and number of the file or folder that a path names; `undefined` when there is none. Two that are there at the same time never share it. */
  identity(path: string): Promise<string | undefined>;
  /** Opens a file for short texts of one length, each in place of the one before; creates with mode 0600. */
  openNote(path: string): Promise<NoteFile>;
  /** File or folder with all it holds; no complaint when there is none. */
  remove(path: string): Promise<void>;
  truncate(path: string, sizeBytes: number): Promise<void>;
  /** Makes renames and new names in the folder durable, where the platform can. */
  syncFolder(path: string): Promise<void>;
}

export interface AppendFile {
  /** As `Disk.identity` gives it for a path that names this file. */
  readonly identity: string;
  /** One write call at the end of the file. */
  append(bytes: Uint8Array): Promise<void>;
  /** Returns once the content is on the medium. */
  sync(): Promise<void>;
  /** Shorter than `length` at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface NoteFile {
  /** Does not wait for the medium: after a power failure an earlier text may be there. */
  overwrite(text: string): Promise<void>;
  close(): Promise<void>;
}

export type StoreFailureCode =
  | 'STORE_DISK_FULL'
  | 'STORE_READ_ONLY'
  | 'STORE_IO'
  | 'STORE_NEWER'
  | 'STORE_CLOSED'
  | 'STORE_DAMAGED'
  | 'STORE_NOT_APPLIED'
  | 'STORE_SUPERSEDED'
  | 'STORE_MOVED';

export interface StoreFailure extends Failure {
  readonly code: StoreFailureCode;
}

/** `doing` completes "Lattice could not …". */
export function storeFailure(error: unknown, doing: string): StoreFailure {
  if (error instanceof NotTheOwner) return { code: error.code, message: error.message };
  const row = SYSTEM_CODES[codeOf(error)];
  const detail = error instanceof Error ? error.message : String(error);
  return { code: row?.code ?? 'STORE_IO', message: `Lattice could not ${doing}: ${row?.advice ?? ''}${detail}` };
}

const SYSTEM_CODES: Readonly<Record<string, { readonly code: StoreFailureCode; readonly advice: string }>> = {
  ENOSPC: { code: 'STORE_DISK_FULL', advice: 'the disk is full. Free some space and try again. ' },
  EDQUOT: { code: 'STORE_DISK_FULL', advice: 'your disk quota is exceeded. Free some space and try again. ' },
  EROFS: { code: 'STORE_READ_ONLY', advice: 'the data folder is on a read-only file system. Set LATTICE_HOME to a writable folder. ' },
  EACCES: { code: 'STORE_READ_ONLY', advice: 'the data folder is not writable. Change its permissions, or set LATTICE_HOME to another folder. ' },
  EPERM: { code: 'STORE_READ_ONLY', advice: 'the data folder is not writable. Change its permissions, or set LATTICE_HOME to another folder. ' },
};

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** The real file system. */
export function nodeDisk(): Disk {
  return {
    makeFolder: path => makeFolders(path, { make: folder => mkdir(folder, { mode: 0o700 }), isFolder: async folder => (await stat(folder)).isDirectory() }),
    list: async folder => (await unlessMissing(readdir(folder)))?.sort() ?? [],
    stat: async path => {
      const found = await unlessMissing(stat(path));
      return found && { sizeBytes: found.size, isFolder: found.isDirectory() };
    },
    read: path => unlessMissing(readFile(path)),
    openAppend,
    write: writeSynced,
    rename: renamePatiently,
    publish,
    identity: async path => {
      const found = await unlessMissing(stat(path, { bigint: true }));
      return found && identityOf(found);
    },
    openNote,
    truncate: (path, sizeBytes) => truncate(path, sizeBytes),
    remove: path => rm(path, { recursive: true, force: true }),
    syncFolder,
  };
}

async function openAppend(path: string): Promise<AppendFile> {
  const handle = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  return {
    identity: identityOf(await handle.stat({ bigint: true })),
    append: async bytes => {
      for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
    },
    sync: () => handle.datasync(),
    read: async (offset, length) => {
      const buffer = new Uint8Array(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await handle.read(buffer, done, length - done, offset + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return buffer.subarray(0, done);
    },
    close: () => handle.close(),
  };
}

async function writeSynced(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    for (const part of parts) await handle.writeFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

/** A link is made for one name only, by one process only. File systems without links reserve the name first; a reader may find it empty for a moment. */
async function publish(from: string, to: string): Promise<boolean> {
  const isTaken = await linkOrReserve(from, to);
  if (isTaken === 'reserved') await renamePatiently(from, to);
  else await rm(from, { force: true });
  return isTaken !== 'taken';
}

async function linkOrReserve(from: string, to: string): Promise<'linked' | 'reserved' | 'taken'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'taken';
    if (!WITHOUT_LINKS.has(codeOf(error))) throw error;
  }
  try {
    await (await open(to, 'wx', 0o600)).close();
    return 'reserved';
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'taken';
    throw error;
  }
}

const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP']);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

async function openNote(path: string): Promise<NoteFile> {
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  return {
    overwrite: async text => {
      await handle.write(text, 0);
    },
    close: () => handle.close(),
  };
}

/** On Windows a virus scanner or an indexer may hold a file for a moment: retried for about half a second. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let pause = 10; ; pause *= 2) {
    try {
      return await rename(from, to);
    } catch (error) {
      const held = ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
      if (process.platform !== 'win32' || !held || pause > 320) throw error;
      await new Promise(resolve => setTimeout(resolve, pause));
    }
  }
}

/** Windows has no way to sync a folder; a rename there is durable with the file system's own journal. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
