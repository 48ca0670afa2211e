import { close, constants, type Dirent, fstat, lstat, open, read, readdir, readFile, realpath, type Stats, stat } from 'node:fs';
import { promisify } from 'node:util';
import type { EntryKind, FileHost, FileStat, HostEntry } from './host';

const listFolder = promisify((folder: string, done: (error: Error | null, entries: Dirent[]) => void) => readdir(folder, { withFileTypes: true }, done));
const statOf = promisify(stat);
const linkStatOf = promisify(lstat);
const realPathOf = promisify(realpath.native);
const readWhole = promisify((fd: number, done: (error: Error | null, bytes: Buffer) => void) => readFile(fd, done));
const openFile = promisify(open);
const closeFile = promisify(close);
const statOfOpen = promisify(fstat);
const readInto = promisify((fd: number, buffer: Uint8Array, offset: number, length: number, done: (error: Error | null, count: number) => void) =>
  read(fd, buffer, offset, length, null, done),
);

/** A pipe that nobody writes to would block a thread of the pool forever when it is opened. */
const DO_NOT_WAIT = constants.O_NONBLOCK ?? 0;

/** Larger files are not read whole. */
const MAX_BYTES = 2 ** 31 - 1;

/** The disk, through Node's thread pool; keeps no state. */
export const nodeHost: FileHost = {
  async list(folder): Promise<readonly HostEntry[]> {
    const entries = await listFolder(folder);
    const result: HostEntry[] = [];
    for (const entry of entries) {
      const kind = kindOf(entry);
      result.push({ name: entry.name, kind: kind === 'other' ? await kindByStat(`${folder}/${entry.name}`) : kind });
    }
    return result;
  },

  async stat(path): Promise<FileStat> {
    const stats = await statOf(path);
    return { kind: kindOf(stats), sizeBytes: stats.size, mtimeMs: stats.mtimeMs, inode: stats.ino };
  },

  async realPath(path): Promise<string> {
    return realPathOf(path);
  },

  async read(path, limitBytes): Promise<Uint8Array> {
    const fd = await openFile(path, constants.O_RDONLY | DO_NOT_WAIT);
    try {
      const stats = await statOfOpen(fd);
      if (stats.isDirectory()) throw Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: 'EISDIR' });
      if (!stats.isFile()) throw Object.assign(new Error(`EINVAL: ${path} is not a regular file`), { code: 'EINVAL' });
      if (limitBytes === undefined && stats.size > MAX_BYTES) throw Object.assign(new Error(`EFBIG: ${path} is too large`), { code: 'EFBIG' });
      // Files that the system makes as they are read say that they are empty.
      return await (limitBytes === undefined && stats.size === 0 ? readWhole(fd) : readHead(fd, stats.size, limitBytes));
    } finally {
      await closeFile(fd);
    }
  },
};

/** What a path is; links are not followed. */
export async function nodeKindOf(path: string): Promise<EntryKind> {
  return kindOf(await linkStatOf(path));
}

/** Some file systems give no type with the names; they cost one more call for each. */
async function kindByStat(path: string): Promise<EntryKind> {
  try {
    return await nodeKindOf(path);
  } catch {
    return 'other';
  }
}

async function readHead(fd: number, size: number, limitBytes = size): Promise<Uint8Array> {
  const buffer = new Uint8Array(Math.min(limitBytes, Math.max(size, 4096)));
  let filled = 0;
  while (filled < buffer.length) {
    const count = await readInto(fd, buffer, filled, buffer.length - filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

function kindOf(entry: Dirent | Stats): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
