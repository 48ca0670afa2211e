import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import type { WorkspacePath } from '../base/path';
import { err, type Failure, ok, type Result } from '../base/result';
import { absoluteOf, faultCode, isMissing } from '../code/files/host';
import type { KnowledgeSettings } from '../model/settings';
import type { KnowledgeFile, KnowledgeFileChange, KnowledgeFileOutcome, KnowledgeFiles } from '../workspace/knowledgeFiles';

const FOLDER = '.lattice/knowledge';
/** The only places that are read or written: files of the folder, and of folders directly in it. */
const PLACE = /^\.lattice\/knowledge\/(?:[^/\\\0]+\/)?[^/\\\0]+$/;
/** Ends the name of a file that is being written; such a file is nobody's. */
const TEMPORARY = /\.[0-9a-f]{12}\.new$/;
/** Knowledge has at most 32 KB, a changelog any number of entries of 4 KB. */
const MAX_BYTES: readonly (readonly [ending: string, bytes: number])[] = [
  ['.jsonl', 256 << 20],
  ['', 1 << 20],
];
/** Files that are read or written side by side. */
const AT_ONCE = 16;

/** Files below `.lattice/knowledge` of a checkout. A link anywhere on the way is refused, and files are replaced whole. */
export function knowledgeFiles(root: string, settings: () => KnowledgeSettings): KnowledgeFiles {
  return {
    settings,
    read: () => readAll(root),
    change: async changes => {
      // What moved is written before it is removed, so that it is always somewhere.
      const outcomes: KnowledgeFileOutcome[] = [];
      for (const half of [changes.filter(({ text }) => text !== undefined), changes.filter(({ text }) => text === undefined)]) {
        for (let at = 0; at < half.length; at += AT_ONCE) {
          outcomes.push(...(await Promise.all(half.slice(at, at + AT_ONCE).map(change => carryOut(root, change)))));
        }
      }
      return outcomes;
    },
  };
}

async function readAll(root: string): Promise<Result<readonly KnowledgeFile[], Failure>> {
  try {
    const found = await folderAt(root, FOLDER);
    if (found === 'missing') return ok([]);
    if (found === 'strange') return err({ code: 'FORBIDDEN', message: `${FOLDER} is a symbolic link or not a folder, so it is not used.` });
    const files: KnowledgeFile[] = [];
    const readable: WorkspacePath[] = [];
    await collect(root, FOLDER, 0, readable, files);
    for (let at = 0; at < readable.length; at += AT_ONCE) {
      files.push(...(await Promise.all(readable.slice(at, at + AT_ONCE).map(path => readOne(root, path)))).flatMap(file => file ?? []));
    }
    return ok(files.sort((a, b) => (a.path < b.path ? -1 : 1)));
  } catch (error) {
    return err({ code: 'UNAVAILABLE', message: `${FOLDER} cannot be read: ${messageOf(error)}` });
  }
}

/** Puts regular files into `readable`, and what is none into `files` with its problem. */
async function collect(root: string, folder: WorkspacePath, depth: number, readable: WorkspacePath[], files: KnowledgeFile[]): Promise<void> {
  for (const entry of await readdir(absoluteOf(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    const stats = await lstat(absoluteOf(root, path)).catch(() => undefined);
    if (stats === undefined || TEMPORARY.test(entry.name)) continue;
    if (stats.isFile()) readable.push(path);
    else if (stats.isDirectory() && depth === 0) await collect(root, path, depth + 1, readable, files);
    else
      files.push({
        path,
        text: undefined,
        hash: '',
        problem: stats.isSymbolicLink() ? 'This is a symbolic link, which is not supported.' : 'This is not a file.',
      });
  }
}

/** `undefined` when the file vanished meanwhile. */
async function readOne(root: string, path: WorkspacePath): Promise<KnowledgeFile | undefined> {
  const limit = MAX_BYTES.find(([ending]) => path.endsWith(ending))?.[1] ?? 0;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readPlain(absoluteOf(root, path), limit);
  } catch (error) {
    if (isMissing(error)) return undefined;
    return { path, text: undefined, hash: '', problem: `This file cannot be read: ${messageOf(error)}` };
  }
  if (bytes === undefined) return { path, text: undefined, hash: '', problem: `This file is larger than ${limit >> 20} MB.` };
  const hash = hashOf(bytes);
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), hash };
  } catch {
    return { path, text: undefined, hash, problem: 'This file is not valid UTF-8.' };
  }
}

/** Content of a regular file; `undefined` when it is larger than the limit. Rejects for a link. */
async function readPlain(path: string, limit: number): Promise<Uint8Array | undefined> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('It is not a file.');
    const { size } = stats;
    return size > limit ? undefined : await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function carryOut(root: string, change: KnowledgeFileChange): Promise<KnowledgeFileOutcome> {
  const { expected, path, text } = change;
  const absolute = absoluteOf(root, path);
  const refuse = (problem: string): KnowledgeFileOutcome => ({ path, hash: expected, problem });
  try {
    if (!PLACE.test(path) || path.split('/').some(segment => segment === '..' || segment === '.')) return refuse(`${path} is not a knowledge file.`);
    const folder = path.slice(0, path.lastIndexOf('/'));
    if ((await madeFolder(root, folder, text !== undefined)) === 'strange') return refuse(`${folder} is a symbolic link or not a folder. Nothing was written.`);
    const now = await hashAt(absolute);
    if (now === STRANGE) return refuse(`${path} is a link or not a file. It was not changed.`);
    if (now !== expected) return { path, hash: now, problem: `${path} was changed by another program. It was not overwritten.` };
    if (text === undefined) {
      await rm(absolute, { force: true });
      return { path, hash: undefined };
    }
    const bytes = new TextEncoder().encode(text);
    await replace(absolute, bytes);
    return { path, hash: hashOf(bytes) };
  } catch (error) {
    return refuse(`${path} cannot be written: ${messageOf(error)}`);
  }
}

/** Another process finds the old content or the new. */
async function replace(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** No hash. */
const STRANGE = '';

/** Hash of a regular file, `undefined` when there is none, `STRANGE` for what is no file. */
async function hashAt(path: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isFile()) return STRANGE;
    const bytes = await readPlain(path, Number.MAX_SAFE_INTEGER);
    return bytes === undefined ? STRANGE : hashOf(bytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function madeFolder(root: string, folder: WorkspacePath, make: boolean): Promise<'folder' | 'missing' | 'strange'> {
  const found = await folderAt(root, folder);
  if (found !== 'missing' || !make) return found;
  const segments = folder.split('/');
  for (let count = 1; count <= segments.length; count++) {
    await mkdir(absoluteOf(root, segments.slice(0, count).join('/'))).catch((error: unknown) => {
      if (faultCode(error) !== 'EEXIST') throw error;
    });
  }
  return folderAt(root, folder);
}

/** Looks at every folder on the way, so that none of them is a link. */
async function folderAt(root: string, folder: WorkspacePath): Promise<'folder' | 'missing' | 'strange'> {
  const segments = folder.split('/');
  for (let count = 1; count <= segments.length; count++) {
    try {
      const stats = await lstat(absoluteOf(root, segments.slice(0, count).join('/')));
      if (!stats.isDirectory()) return 'strange';
    } catch (error) {
      if (isMissing(error)) return 'missing';
      throw error;
    }
  }
  return 'folder';
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
