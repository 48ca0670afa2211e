/**
 * Reads git's index (its list of tracked files with size and time of each) to tell which files belong to a repository
 * and whether a checkout differs from its last commit.
 * Written after git's own description of the format (Documentation/gitformat-index). Git itself is not run.
 */
export interface GitIndex {
  /** Something is staged, unmerged or only announced: the checkout is dirty whatever its files say. */
  readonly isStaged: boolean;
  /** Files whose state git looks at. */
  readonly entries: readonly GitIndexEntry[];
  /** All that is tracked, links and submodules included; relative to the top of the checkout. */
  readonly paths: readonly string[];
}

/** A tracked file with what Git noted of it when it was last looked at. */
export interface GitIndexEntry {
  /** Relative to the top of the checkout. */
  readonly path: string;
  /** Modulo 2^32. 0 also where git wants the content compared. */
  readonly sizeBytes: number;
  readonly mtimeSeconds: number;
  /** Within the second; 0 also where the program that wrote the index keeps whole seconds. */
  readonly mtimeNanoseconds: number;
  /** Modulo 2^32; 0 where there is none. */
  readonly inode: number;
  /** Hexadecimal name of the blob. */
  readonly blob: string;
}

const SHA1_BYTES = 20;
const STAT_BYTES = 40;
const REGULAR = 0o100000;
const KIND = 0o170000;
const FLAG = { assumeValid: 0x8000, extended: 0x4000, stages: 0x3000, skipWorktree: 0x4000, intentToAdd: 0x2000 } as const;

/** `undefined` for what is no index, for split and SHA-256 ones, and for one that is being written. */
export function parseGitIndex(bytes: Uint8Array): GitIndex | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 12 + SHA1_BYTES || view.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = view.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  try {
    return readEntries(view, version, view.readUInt32BE(8));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readEntries(view: Buffer, version: number, count: number): GitIndex | undefined {
  const entries: GitIndexEntry[] = [];
  const paths: string[] = [];
  let isStaged = false;
  let at = 12;
  let path = '';
  for (let entry = 0; entry < count; entry++) {
    const start = at;
    const mode = view.readUInt32BE(at + 24);
    const flags = view.readUInt16BE(at + STAT_BYTES + SHA1_BYTES);
    const more = (flags & FLAG.extended) === 0 ? 0 : view.readUInt16BE(at + STAT_BYTES + SHA1_BYTES + 2);
    at += STAT_BYTES + SHA1_BYTES + ((flags & FLAG.extended) === 0 ? 2 : 4);
    let kept = '';
    if (version === 4) {
      const stripped = stripLength(view, at);
      at = stripped.end;
      kept = path.slice(0, path.length - stripped.value);
    }
    const end = view.indexOf(0, at);
    if (end < 0) return undefined;
    // Version 4 counts bytes: kept in Latin-1 until the path is whole.
    path = kept + view.toString('latin1', at, end);
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
    if ((flags & FLAG.stages) !== 0 || (more & FLAG.intentToAdd) !== 0) isStaged = true;
    const tracked = Buffer.from(path, 'latin1').toString('utf8');
    paths.push(tracked);
    if ((mode & KIND) !== REGULAR || (flags & FLAG.assumeValid) !== 0 || (more & FLAG.skipWorktree) !== 0) continue;
    entries.push({
      path: tracked,
      sizeBytes: view.readUInt32BE(start + 36),
      mtimeSeconds: view.readUInt32BE(start + 8),
      mtimeNanoseconds: view.readUInt32BE(start + 12),
      inode: view.readUInt32BE(start + 20),
      blob: view.toString('hex', start + STAT_BYTES, start + STAT_BYTES + SHA1_BYTES),
    });
  }
  const treeState = readExtensions(view, at);
  return treeState === 'split' ? undefined : { entries, paths, isStaged: isStaged || treeState === 'staged' };
}

/** Number of bytes to take off the path before, in git's variable-width encoding. */
function stripLength(view: Buffer, start: number): { readonly value: number; readonly end: number } {
  let at = start;
  let byte = view.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = view.readUInt8(at++);
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, end: at };
}

/** The cached tree of the root loses its validity when something is staged, and gets it back with the commit. */
function readExtensions(view: Buffer, start: number): 'staged' | 'split' | 'clean' {
  let at = start;
  let isStaged = false;
  while (at + 8 <= view.length - SHA1_BYTES) {
    const name = view.toString('latin1', at, at + 4);
    const length = view.readUInt32BE(at + 4);
    if (name === 'link') return 'split';
    if (name === 'TREE') isStaged = view.toString('latin1', at + 8, at + 8 + Math.min(length, 4)).startsWith('\0-1 ');
    at += 8 + length;
  }
  return isStaged ? 'staged' : 'clean';
}
