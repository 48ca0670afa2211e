/**
 * The room of files: which files a folder holds, what may be read, what changed since. It knows nothing of syntax, graphs or stores.
 * All access to the disk goes through `FileHost`, so that every fault can be produced in a test; `nodeHost.ts` is the real one.
 * Invariants: nothing here writes; a fault of one file or folder becomes a `FileProblem`, never the failure of the whole.
 */
import { isUtf16, utf16Text } from '../../base/text';

export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** An entry of a folder, without following links. */
export interface HostEntry {
  readonly name: string;
  readonly kind: EntryKind;
  /** Of a file, where the folder tells it: it need not be asked for. */
  readonly stat?: FileStat;
}

export interface FileStat {
  readonly kind: EntryKind;
  readonly sizeBytes: number;
  /** Milliseconds since the epoch, with the fraction the file system gives. */
  readonly mtimeMs: number;
  /** 0 where the file system has none. */
  readonly inode: number;
}

/** Absolute paths in the platform's spelling. Methods reject with an error that carries a POSIX `code` (`ENOENT`, `EACCES`…). */
export interface FileHost {
  /** Entries in any order; the kind of a link is `link`. */
  list(folder: string): Promise<readonly HostEntry[]>;
  /** Follows links. */
  stat(path: string): Promise<FileStat>;
  realPath(path: string): Promise<string>;
  /** The first `limitBytes` of a file, or all of it. Rejects at once for what is no regular file (a pipe, a device), which could have no end, and for all of a file of 2 GiB or more. */
  read(path: string, limitBytes?: number): Promise<Uint8Array>;
}

export type ProblemCode =
  | 'FOLDER_UNREADABLE'
  | 'FILE_UNREADABLE'
  | 'FILE_VANISHED'
  | 'LINK_LEAVES_ROOT'
  | 'LINK_CYCLE'
  | 'LINK_DANGLING'
  | 'IGNORE_FILE_UNREADABLE'
  | 'BAD_PATTERN'
  | 'NAME_UNUSABLE'
  | 'WATCH_LIMIT'
  | 'WATCH_FAILED';

/** Something that was indexed around. `path` is a workspace path (`''` for the root). */
export interface FileProblem {
  readonly code: ProblemCode;
  readonly path: string;
  readonly message: string;
}

/** POSIX code of a host's error, or `EUNKNOWN`. */
export function faultCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'EUNKNOWN';
  return typeof error.code === 'string' ? error.code : 'EUNKNOWN';
}

/** True when the path is simply not there (any more). */
export function isMissing(error: unknown): boolean {
  const code = faultCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Text of bytes: UTF-16 where a byte order mark says so, else UTF-8; the mark removed; invalid sequences of UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return isUtf16(bytes) ? utf16Text(bytes) : new TextDecoder('utf-8').decode(bytes);
}

/** Absolute path of a workspace path, in the spelling of `root`. */
export function absoluteOf(root: string, path: string): string {
  if (path === '') return root;
  const isWindows = /^(?:[a-zA-Z]:[\\/]|\\\\)/.test(root);
  const base = root.replace(isWindows ? /[\\/]+$/ : /\/+$/, '');
  return isWindows ? `${base}\\${path.replaceAll('/', '\\')}` : `${base}/${path}`;
}

/** Order by Unicode code point, the same on every machine. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rankOfUnit(x) - rankOfUnit(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others, so they sort after U+E000…U+FFFF. */
function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
