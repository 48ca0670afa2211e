import { err, type Failure, ok, type Result } from '../../base/result';
import type { GitRepository } from '../processes/git/repository';
import { readStateName } from './stateNames';

/** Two versions to compare; without `to` the newer one is the folder as it is. */
export interface Versions {
  readonly from: string;
  readonly to: string | undefined;
  /** How the older one is called in an answer. */
  readonly name: string;
}

/** The tree without files, which every repository knows. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const SHORT = 7;

/**
 * What `since` means to git: nothing for what is not committed, a revision, a time (the last commit before it), `A..B` or `A...B` (from their merge base).
 * `NOT_FOUND` for what git does not know.
 */
export async function versionsOf(git: GitRepository, since: string | undefined): Promise<Result<Versions, Failure>> {
  if (since === undefined) {
    const head = await commitOf(git, 'HEAD');
    if (head.ok) return ok({ from: head.value, to: undefined, name: 'HEAD' });
    return head.error.code === 'NOT_FOUND' ? ok({ from: EMPTY_TREE, to: undefined, name: 'the empty repository' }) : head;
  }
  const word = readStateName(since);
  if (word.kind === 'time') return beforeTime(git, word);
  if (word.kind !== 'range') {
    const isFork = word.kind === 'revision' && word.text === MERGE_BASE && !word.isForced;
    const from = await (isFork ? forkPoint(git) : commitOf(git, word.kind === 'revision' ? word.text : since));
    return from.ok ? ok({ from: from.value, to: undefined, name: named(since, from.value) }) : from;
  }
  const from = await commitOf(git, word.from || 'HEAD');
  if (!from.ok) return from;
  const to = await commitOf(git, word.to || 'HEAD');
  if (!to.ok) return to;
  const base = word.dots === '...' ? await mergeBase(git, from.value, to.value) : from;
  return base.ok ? ok({ from: base.value, to: to.value, name: named(since, base.value) }) : base;
}

/** `v1.2 (a1b2c3d)`; the short commit alone where that was asked for. */
export function named(asked: string, commit: string): string {
  return commit.startsWith(asked) ? commit.slice(0, SHORT) : `${asked} (${commit.slice(0, SHORT)})`;
}

async function beforeTime(git: GitRepository, { at, text }: { readonly at: number; readonly text: string }): Promise<Result<Versions, Failure>> {
  const found = await commitBefore(git, at);
  if (!found.ok) return found;
  const commit = found.value;
  return ok({ from: commit ?? EMPTY_TREE, to: undefined, name: commit === undefined ? `${text} (before the first commit)` : named(text, commit) });
}

/** The last commit of the current branch at a time in epoch milliseconds; `undefined` before the first. */
export async function commitBefore(git: GitRepository, at: number): Promise<Result<string | undefined, Failure>> {
  const found = await git.ask('lastCommit', [`--before=@${Math.floor(at / 1000)}`, 'HEAD']);
  return found.ok ? ok(found.value.toString('utf8').trim() || undefined) : found;
}

/** When a commit was made, in epoch milliseconds. */
export async function timeOf(git: GitRepository, commit: string): Promise<Result<number, Failure>> {
  const found = await git.objects([commit]);
  if (!found.ok) return found;
  const bytes = found.value.get(commit)?.bytes ?? new Uint8Array();
  const seconds = /^committer .*> (\d+)/m.exec(Buffer.from(bytes).toString('latin1'))?.[1];
  return seconds === undefined ? err({ code: 'GIT', message: `The commit ${commit.slice(0, 12)} is not in this repository.` }) : ok(Number(seconds) * 1000);
}

/** `NOT_FOUND` for what git does not know. */
export async function commitOf(git: GitRepository, revision: string): Promise<Result<string, Failure>> {
  const unknown = err({ code: 'NOT_FOUND', message: `Unknown revision: ${JSON.stringify(revision)}.` });
  if (revision === '' || revision.startsWith('-') || /\p{Cc}/u.test(revision)) return unknown;
  const name = `${revision}^{commit}`;
  const found = await git.objects([name]);
  if (!found.ok) return found.error.code === 'GIT' ? unknown : found;
  const commit = found.value.get(name);
  return commit?.kind === 'commit' ? ok(commit.hash) : unknown;
}

/** `NOT_FOUND` where there is none. */
export async function mergeBase(git: GitRepository, a: string, b: string): Promise<Result<string, Failure>> {
  const found = await git.ask('mergeBase', [a, b]);
  if (found.ok) return ok(found.value.toString('utf8').trim());
  if (found.error.code !== 'GIT') return found;
  return err({ code: 'NOT_FOUND', message: 'These revisions have no common ancestor here; a shallow clone may lack it (git fetch --unshallow).' });
}

/** The word for where the current branch left the main one. */
export const MERGE_BASE = 'merge-base';
/** Names of main branches, those of the server first: the own copy may be old. */
const MAIN_BRANCHES = ['origin/HEAD', 'origin/main', 'origin/master', 'upstream/HEAD', 'main', 'master', 'trunk', 'develop'];

/** Where the current branch left the main one; HEAD on the main branch itself. `NOT_FOUND` where no branch looks like a main one. */
export async function forkPoint(git: GitRepository): Promise<Result<string, Failure>> {
  const head = await commitOf(git, 'HEAD');
  if (!head.ok) return head;
  for (const branch of MAIN_BRANCHES) {
    const main = await commitOf(git, branch);
    if (main.ok) return mergeBase(git, main.value, head.value);
  }
  return err({ code: 'NOT_FOUND', message: `No main branch was found (${MAIN_BRANCHES.join(', ')}). Name the commit to compare with.` });
}
