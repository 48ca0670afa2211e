import { err, type Failure, ok, type Result } from '../../base/result';
import type { GitRepository } from '../processes/git/repository';

/** Two versions to compare; without `to` the newer one is the folder as it is. */
export interface Versions {
  readonly from: string;
  readonly to: string | undefined;
  /** How the older one is called in an answer. */
  readonly name: string;
}

/** The tree without files, which every repository knows. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const SHORT = 7;
export const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * What `since` means: nothing for what is not committed, a revision, a time (the last commit before it), `A..B` or `A...B` (from their merge base).
 * `VALIDATION_ERROR` for what git does not know.
 */
export async function versionsOf(git: GitRepository, since: string | undefined): Promise<Result<Versions, Failure>> {
  if (since === undefined) {
    const head = await commitOf(git, 'HEAD');
    if (head.ok) return ok({ from: head.value, to: undefined, name: 'HEAD' });
    return head.error.code === 'VALIDATION_ERROR' ? ok({ from: EMPTY_TREE, to: undefined, name: 'the empty repository' }) : head;
  }
  if (TIME.test(since)) return beforeTime(git, since);
  const range = /^(?<from>.*?)(?<dots>\.{2,3})(?<to>.*)$/.exec(since)?.groups;
  if (range === undefined) {
    const from = await commitOf(git, since);
    return from.ok ? ok({ from: from.value, to: undefined, name: named(since, from.value) }) : from;
  }
  const from = await commitOf(git, range['from'] || 'HEAD');
  if (!from.ok) return from;
  const to = await commitOf(git, range['to'] || 'HEAD');
  if (!to.ok) return to;
  const base = range['dots'] === '...' ? await mergeBase(git, from.value, to.value) : from;
  return base.ok ? ok({ from: base.value, to: to.value, name: named(since, base.value) }) : base;
}

function named(asked: string, commit: string): string {
  return commit.startsWith(asked) ? commit.slice(0, SHORT) : `${asked} (${commit.slice(0, SHORT)})`;
}

async function beforeTime(git: GitRepository, time: string): Promise<Result<Versions, Failure>> {
  const found = await git.ask('lastBefore', [`--before=@${Math.floor(Date.parse(time) / 1000)}`, 'HEAD']);
  if (!found.ok) return found;
  const commit = found.value.toString('utf8').trim();
  return ok({ from: commit === '' ? EMPTY_TREE : commit, to: undefined, name: commit === '' ? `${time} (before the first commit)` : named(time, commit) });
}

async function commitOf(git: GitRepository, revision: string): Promise<Result<string, Failure>> {
  const unknown = err({ code: 'VALIDATION_ERROR', message: `git knows no revision ${JSON.stringify(revision)} here.` });
  if (revision.startsWith('-') || /\p{Cc}/u.test(revision)) return unknown;
  const found = await git.ask('commit', [`${revision}^{commit}`]);
  if (!found.ok) return found.error.code === 'GIT' ? unknown : found;
  return ok(found.value.toString('utf8').trim());
}

async function mergeBase(git: GitRepository, a: string, b: string): Promise<Result<string, Failure>> {
  const found = await git.ask('mergeBase', [a, b]);
  if (found.ok) return ok(found.value.toString('utf8').trim());
  if (found.error.code !== 'GIT') return found;
  return err({ code: 'VALIDATION_ERROR', message: 'These revisions have no common ancestor here; a shallow clone may lack it (git fetch --unshallow).' });
}
