import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type GitPlace, isOnShare } from '../../../code/files/git';
import { nodeHost } from '../../../code/files/nodeHost';

/**
 * A git directory of our own that stands for one of a repository: it links to its references and names its objects and index,
 * and has a configuration that we wrote. So nothing that the repository configures (filters, hooks, helpers, remotes to fetch from)
 * is known to the git that reads it, whatever its version. The links are only read through.
 */
export interface GitMirror {
  readonly gitDir: string;
  readonly configFile: string;
  /** Configuration of the repository itself, to be read as data. */
  readonly repositoryConfig: string | undefined;
  /** Variables that make git use this directory with the objects, index and files of the repository. */
  readonly variables: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

const FOLDERS = ['refs', 'logs', 'info', 'reftable'];
const FILES = ['packed-refs', 'shallow'];

const MAX_HEAD_BYTES = 4096;

const PREFIX = 'lattice-git-';
/** No run of git lasts as long. */
const LEFT_BEHIND_MS = 60 * 60 * 1000;
let sweeping: Promise<void> | undefined;

/** Git itself follows so many. */
const MAX_ALTERNATES_DEEP = 5;
const MAX_ALTERNATES_BYTES = 1 << 20;

/** Rejects when the temporary folder cannot be written, or objects are on a share of another machine while the repository is not. Once in a process, what processes that were killed left there is removed. */
export async function mirrorOf(place: GitPlace): Promise<GitMirror> {
  sweeping ??= sweepMirrors(tmpdir(), Date.now()).catch(() => undefined);
  const top = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    return await filled(top, place);
  } catch (error) {
    await rm(top, { recursive: true, force: true });
    throw error;
  }
}

/** Of what a mirror copies from a repository, on some platform or on all: a mirror that was made at another signature may name other commits. */
export async function mirrorSignature({ commonDir, gitDir }: GitPlace): Promise<string> {
  const head = await nodeHost.read(join(gitDir, 'HEAD'), MAX_HEAD_BYTES).then(
    bytes => Buffer.from(bytes).toString('latin1'),
    () => '',
  );
  const files = await Promise.all(FILES.map(name => nodeHost.stat(join(commonDir, name)).catch(() => undefined)));
  return JSON.stringify([head, files]);
}

/** Removes mirrors of this user that are an hour old; links in them are removed, never what they lead to. */
export async function sweepMirrors(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    const isOurs = found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
    if (isOurs && now - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function filled(top: string, place: GitPlace): Promise<GitMirror> {
  const share = isOnShare(place.commonDir) ? undefined : await sharedObjects(join(place.commonDir, 'objects'), 0);
  if (share !== undefined) throw new Error(`the objects of this repository are on another machine (${share}); Lattice uses no network.`);
  const isLinked = place.gitDir !== place.commonDir;
  const gitDir = isLinked ? join(top, 'worktrees', 'w') : top;
  await mkdir(gitDir, { recursive: true });
  for (const name of FOLDERS) await linkFolder(join(place.commonDir, name), join(top, name));
  for (const name of FILES) await linkFile(join(place.commonDir, name), join(top, name));
  if (isLinked) {
    for (const name of ['refs', 'logs', 'reftable']) await linkFolder(join(place.gitDir, name), join(gitDir, name));
    await writeFile(join(gitDir, 'commondir'), '../..\n');
  }
  for (const name of await readdir(place.gitDir)) if (name.startsWith('sharedindex.')) await linkFile(join(place.gitDir, name), join(gitDir, name));
  await mkdir(join(top, 'refs'), { recursive: true });
  if (isLinked) await writeFile(join(top, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(gitDir, 'HEAD'), await nodeHost.read(join(place.gitDir, 'HEAD'), MAX_HEAD_BYTES));
  const configFile = join(top, 'config');
  await writeFile(configFile, '');
  const repositoryConfig = join(place.commonDir, 'config');
  return {
    gitDir,
    configFile,
    repositoryConfig: (await isFile(repositoryConfig)) ? repositoryConfig : undefined,
    variables: {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: place.checkoutRoot,
      GIT_OBJECT_DIRECTORY: join(place.commonDir, 'objects'),
      GIT_INDEX_FILE: join(place.gitDir, 'index'),
    },
    dispose: () => rm(top, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** A share that a folder of objects borrows from, itself or by those that it borrows from. */
async function sharedObjects(objects: string, depth: number): Promise<string | undefined> {
  if (depth > MAX_ALTERNATES_DEEP) return undefined;
  const text = await nodeHost.read(join(objects, 'info', 'alternates'), MAX_ALTERNATES_BYTES).catch(() => new Uint8Array());
  for (const line of Buffer.from(text).toString('utf8').split(/\r?\n/)) {
    const path = line.replace(/^"/, '');
    if (path === '' || path.startsWith('#')) continue;
    if (isOnShare(path)) return path;
    const further = await sharedObjects(resolve(objects, path), depth + 1);
    if (further !== undefined) return further;
  }
  return undefined;
}

/** A junction on Windows, which needs no privilege. */
async function linkFolder(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found?.isDirectory() === true) await symlink(from, to, 'junction');
}

async function linkFile(from: string, to: string): Promise<void> {
  if (!(await isFile(from))) return;
  if (process.platform !== 'win32') return symlink(from, to);
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL));
}

/** Anything but a plain file (a pipe, a device) could block Git forever. */
async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
