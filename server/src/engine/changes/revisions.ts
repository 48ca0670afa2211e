import type { CancellationToken } from '../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../base/result';
import { runGit } from './gitProcess';

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
export async function versionsOf(folder: string, since: string | undefined, token: CancellationToken): Promise<Result<Versions, Failure>> {
  if (since === undefined) {
    const head = await commitOf(folder, 'HEAD', token);
    if (head.ok) return ok({ from: head.value, to: undefined, name: 'HEAD' });
    return head.error.code === 'VALIDATION_ERROR' ? ok({ from: EMPTY_TREE, to: undefined, name: 'the empty repository' }) : head;
  }
  if (TIME.test(since)) return beforeTime(folder, since, token);
  const range = /^(?<from>.*?)(?<dots>\.{2,3})(?<to>.*)$/.exec(since)?.groups;
  if (range === undefined) {
    const from = await commitOf(folder, since, token);
    return from.ok ? ok({ from: from.value, to: undefined, name: named(since, from.value) }) : from;
  }
  const from = await commitOf(folder, range['from'] || 'HEAD', token);
  if (!from.ok) return from;
  const to = await commitOf(folder, range['to'] || 'HEAD', token);
  if (!to.ok) return to;
  const base = range['dots'] === '...' ? await mergeBase(folder, from.value, to.value, token) : from;
  return base.ok ? ok({ from: base.value, to: to.value, name: named(since, base.value) }) : base;
}

function named(asked: string, commit: string): string {
  return commit.startsWith(asked) ? commit.slice(0, SHORT) : `${asked} (${commit.slice(0, SHORT)})`;
}

async function beforeTime(folder: string, time: string, token: CancellationToken): Promise<Result<Versions, Failure>> {
  const found = await runGit(folder, ['rev-list', '-1', `--before=@${Math.floor(Date.parse(time) / 1000)}`, 'HEAD'], token);
  if (!found.ok) return found;
  const commit = found.value.toString('utf8').trim();
  return ok({ from: commit === '' ? EMPTY_TREE : commit, to: undefined, name: commit === '' ? `${time} (before the first commit)` : named(time, commit) });
}

async function commitOf(folder: string, revision: string, token: CancellationToken): Promise<Result<string, Failure>> {
  const unknown = err({ code: 'VALIDATION_ERROR', message: `git knows no revision ${JSON.stringify(revision)} here.` });
  if (revision.startsWith('-') || /\p{Cc}/u.test(revision)) return unknown;
  const found = await runGit(folder, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], token);
  if (!found.ok) return found.error.code === 'GIT' ? unknown : found;
  return ok(found.value.toString('utf8').trim());
}

async function mergeBase(folder: string, a: string, b: string, token: CancellationToken): Promise<Result<string, Failure>> {
  const found = await runGit(folder, ['merge-base', a, b], token);
  if (found.ok) return ok(found.value.toString('utf8').trim());
  if (found.error.code !== 'GIT') return found;
  return err({ code: 'VALIDATION_ERROR', message: 'These revisions have no common ancestor here; a shallow clone may lack it (git fetch --unshallow).' });
}
