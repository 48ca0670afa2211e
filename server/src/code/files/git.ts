import { absoluteOf, decodeText, type FileHost } from './host';

/** Where a folder lies in a git checkout. Read from files; git itself is never run. */
export interface GitPlace {
  /** Real path of the top of the checkout. */
  readonly checkoutRoot: string;
  /** Git directory of this checkout (`.git`, or `.git/worktrees/x`). */
  readonly gitDir: string;
  /** Real path of the git directory that all checkouts of the repository share. */
  readonly commonDir: string;
  /** The asked folder relative to `checkoutRoot`, with `/`. */
  readonly folderInCheckout: string;
}

/** Where a checkout stands, read from its Git folder without running Git. */
export interface GitHead {
  /** 40 or 64 hex digits; `undefined` before the first commit or when the refs are kept in a form that is not read (reftable). */
  readonly commit: string | undefined;
  /** Short name of the branch; `undefined` when detached. */
  readonly branch: string | undefined;
}

/** What a folder is known by: the checkout, and the project that all checkouts of one repository share. Both are real paths. */
export interface Identities {
  readonly project: string;
  readonly checkout: string;
}

const MAX_DEPTH = 100;
/** Files of one line hold a reference or a path. */
const MAX_LINE_BYTES = 16 << 10;

/** The repository that holds `folder`, or `undefined`. Total: what cannot be read counts as no repository. */
export async function findGit(folder: string, host: FileHost): Promise<GitPlace | undefined> {
  let at: string;
  try {
    at = await host.realPath(folder);
  } catch {
    return undefined;
  }
  const below: string[] = [];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const gitDir = await gitDirAt(at, host);
    if (gitDir !== undefined) {
      const commonDir = await commonDirOf(gitDir, host);
      if (commonDir !== undefined && (await isOfCheckout(at, gitDir, commonDir, host)))
        return { checkoutRoot: at, gitDir, commonDir, folderInCheckout: below.join('/') };
    }
    const parent = parentOf(at);
    if (parent === undefined) return undefined;
    below.unshift(at.slice(parent.length).replace(/^[\\/]/, ''));
    at = parent;
  }
  return undefined;
}

/** Rejects as the host does when `folder` does not exist. */
export async function identify(folder: string, host: FileHost): Promise<Identities> {
  const checkout = await host.realPath(folder);
  const place = await findGit(checkout, host);
  return { checkout, project: place?.commonDir ?? checkout };
}

/** Where HEAD points now. Total. */
export async function readHead(place: GitPlace, host: FileHost): Promise<GitHead> {
  const text = await readLine(`${place.gitDir}/HEAD`, host);
  if (text === undefined) return { commit: undefined, branch: undefined };
  const ref = refOf(text);
  if (ref === undefined) return { commit: commitOf(text), branch: undefined };
  return { commit: await resolveRef(place, ref, host, 0), branch: ref.replace(/^refs\/heads\//, '') };
}

/**
 * Files that change when HEAD moves or git is at work; absolute, some may not exist.
 * The reflog of HEAD is written at every move of HEAD, whatever caused it.
 */
export function headWatchPaths(place: GitPlace): readonly string[] {
  return [`${place.gitDir}/HEAD`, `${place.gitDir}/logs/HEAD`, `${place.gitDir}/index.lock`, `${place.commonDir}/packed-refs`];
}

const BUSY_MARKS = ['index.lock', 'HEAD.lock', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/** True while git holds its index lock or a merge, rebase, cherry-pick or revert is under way. */
export async function isGitBusy(place: GitPlace, host: FileHost): Promise<boolean> {
  const there = await Promise.all(
    BUSY_MARKS.map(mark =>
      host.stat(`${place.gitDir}/${mark}`).then(
        () => true,
        () => false,
      ),
    ),
  );
  return there.includes(true);
}

async function gitDirAt(folder: string, host: FileHost): Promise<string | undefined> {
  const dotGit = absoluteOf(folder, '.git');
  try {
    const stat = await host.stat(dotGit);
    if (stat.kind === 'directory') return (await isGitDir(dotGit, host)) ? host.realPath(dotGit) : undefined;
    const pointer = /^gitdir: (?<path>.+)$/.exec((await readLine(dotGit, host)) ?? '')?.groups?.['path'];
    // A folder that came in an archive must not make this machine ask another one.
    if (pointer === undefined || (isOnShare(pointer) && !isOnShare(folder))) return undefined;
    return await host.realPath(resolveFrom(folder, pointer));
  } catch {
    return undefined;
  }
}

async function isGitDir(folder: string, host: FileHost): Promise<boolean> {
  return (await readLine(`${folder}/HEAD`, host)) !== undefined;
}

async function commonDirOf(gitDir: string, host: FileHost): Promise<string | undefined> {
  const pointer = await readLine(`${gitDir}/commondir`, host);
  if (pointer !== undefined && isOnShare(pointer) && !isOnShare(gitDir)) return undefined;
  try {
    return await host.realPath(pointer === undefined ? gitDir : resolveFrom(gitDir, pointer));
  } catch {
    return undefined;
  }
}

/**
 * Whether the git directory knows this folder as its checkout. A folder can name any git directory in its `.git`;
 * one that came in an archive must not be taken for a checkout of another project, with which it would share what agents wrote.
 */
async function isOfCheckout(folder: string, gitDir: string, commonDir: string, host: FileHost): Promise<boolean> {
  if (gitDir !== commonDir) {
    const back = await readLine(`${gitDir}/gitdir`, host);
    if (back === undefined || parentOf(parentOf(gitDir) ?? '') !== commonDir) return false;
    return host.realPath(resolveFrom(gitDir, back)).then(
      async dotGit => dotGit === (await host.realPath(absoluteOf(folder, '.git'))),
      () => false,
    );
  }
  // The `.git` of a checkout belongs to that checkout; other names are those of submodules and separate git directories.
  return !/[\\/]\.git$/.test(gitDir) || parentOf(gitDir) === folder;
}

async function resolveRef(place: GitPlace, ref: string, host: FileHost, depth: number): Promise<string | undefined> {
  if (depth > 5 || ref.split('/').includes('..')) return undefined;
  const text = (await readLine(`${place.gitDir}/${ref}`, host)) ?? (await readLine(`${place.commonDir}/${ref}`, host));
  if (text === undefined) return readPackedRef(place, ref, host);
  const next = refOf(text);
  return next === undefined ? commitOf(text) : resolveRef(place, next, host, depth + 1);
}

async function readPackedRef(place: GitPlace, ref: string, host: FileHost): Promise<string | undefined> {
  const text = await readText(`${place.commonDir}/packed-refs`, host);
  for (const line of (text ?? '').split(/\r?\n/)) {
    const space = line.indexOf(' ');
    if (line.slice(space + 1) === ref) return commitOf(line.slice(0, space));
  }
  return undefined;
}

function refOf(text: string): string | undefined {
  return /^ref:\s*(?<ref>\S+)$/.exec(text)?.groups?.['ref'];
}

function commitOf(text: string): string | undefined {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;
}

async function readText(path: string, host: FileHost, limitBytes?: number): Promise<string | undefined> {
  try {
    return decodeText(await host.read(path, limitBytes));
  } catch {
    return undefined;
  }
}

async function readLine(path: string, host: FileHost): Promise<string | undefined> {
  return (await readText(path, host, MAX_LINE_BYTES))?.split(/\r?\n/, 1)[0]?.trim();
}

/** A share of another machine (`\\\\server\\share`, `//server/share`): on Windows, looking there is a question to that machine. */
export function isOnShare(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

function resolveFrom(folder: string, path: string): string {
  return /^(?:[a-zA-Z]:)?[\\/]/.test(path) ? path : `${folder}/${path}`;
}

function parentOf(path: string): string | undefined {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  if (end < 0 || end === path.length - 1) return undefined;
  const parent = path.slice(0, end);
  return parent === '' || /^[a-zA-Z]:$/.test(parent) ? path.slice(0, end + 1) : parent;
}
