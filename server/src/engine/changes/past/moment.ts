import type { CancellationToken } from '../../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { GitPlace } from '../../../code/files/git';
import type { GraphTx } from '../../../store/transactions';
import type { VersionFailure } from '../../../workspace/changes';
import { type GitRepository, readRepository } from '../../processes/git/repository';
import type { TransactionLog } from '../changes';
import { unknownVersion } from '../newest';
import { commitBefore, commitOf, forkPoint, MERGE_BASE, mergeBase, named, timeOf } from '../revisions';
import { readTimeWord, type TimeWord } from '../words';

/** A state of the code: that of a commit, or the one before there was any (`commit` undefined). */
export interface Moment {
  readonly commit: string | undefined;
  /** How it is called in an answer: `v1.2 (a1b2c3d)`. */
  readonly name: string;
  /** Of the commit, or what was asked for before the first; epoch milliseconds. */
  readonly at: number;
}

export interface MomentOptions {
  readonly root: string;
  readonly git: GitPlace | undefined;
  readonly transactions: TransactionLog;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What a word for a state of the code means; `now` for a time to come. */
export async function momentOf(options: MomentOptions, asked: string, token: CancellationToken): Promise<Result<Moment | 'now', VersionFailure>> {
  const { git, root } = options;
  const word = readTimeWord(asked);
  if (asked.trim() === '') return err({ code: 'VALIDATION_ERROR', message: 'asOf is empty.' });
  if (word.kind === 'range' && word.dots === '..') {
    return err({ code: 'VALIDATION_ERROR', message: `${asked} is a range. A state is one commit, tag, branch, time or transaction.` });
  }
  if (word.kind === 'time' && word.at >= options.now()) return ok('now');
  if (git === undefined) {
    return err({ code: 'NO_GIT', message: `${root} is not in a Git repository, so its past states are not known.` });
  }
  return readRepository(root, git, token, repository => inRepository(options, repository, word, asked));
}

async function inRepository(options: MomentOptions, git: GitRepository, word: TimeWord, asked: string): Promise<Result<Moment, VersionFailure>> {
  switch (word.kind) {
    case 'time': {
      const commit = await commitBefore(git, word.at);
      if (!commit.ok) return commit;
      if (commit.value === undefined) return ok({ commit: undefined, name: `${word.text} (before the first commit)`, at: word.at });
      return moment(git, commit.value, asked);
    }
    case 'transaction':
      return ofTransaction(options, git, options.transactions.find(word.id), asked);
    case 'agent':
      return ofTransaction(options, git, lastBy(options, word.name), asked);
    case 'range': {
      const commit = await ofRange(git, word);
      return commit.ok ? moment(git, commit.value, asked) : commit;
    }
    case 'revision': {
      if (word.text === MERGE_BASE && !word.isForced) {
        const base = await forkPoint(git);
        return base.ok ? moment(git, base.value, asked) : base;
      }
      const commit = await commitOf(git, word.text);
      if (commit.ok) return moment(git, commit.value, asked);
      if (commit.error.code !== 'NOT_FOUND') return commit;
      const tx = word.isForced ? undefined : lastBy(options, word.text);
      return tx === undefined ? err(unknownVersion(options, commit.error.message)) : ofTransaction(options, git, tx, asked);
    }
  }
}

/** `A...B`, as git reads it where one commit is meant: their merge base. */
async function ofRange(git: GitRepository, { from, to }: Extract<TimeWord, { readonly kind: 'range' }>): Promise<Result<string, Failure>> {
  const [a, b] = [await commitOf(git, from || 'HEAD'), await commitOf(git, to || 'HEAD')];
  if (!a.ok) return a;
  return b.ok ? mergeBase(git, a.value, b.value) : b;
}

function lastBy({ root, transactions }: MomentOptions, agentId: string): GraphTx | undefined {
  return transactions.list({ limit: 1, checkout: root, agentId })[0];
}

async function ofTransaction(options: MomentOptions, git: GitRepository, tx: GraphTx | undefined, asked: string): Promise<Result<Moment, VersionFailure>> {
  if (tx === undefined) return err(unknownVersion(options, `Unknown transaction: ${asked}.`));
  if (tx.gitCommit === null || tx.gitDirty !== false) {
    const message = `Transaction ${tx.id} has files that were not committed, and their contents are not kept.`;
    return err({ code: 'UNAVAILABLE', message });
  }
  const known = await commitOf(git, tx.gitCommit);
  if (!known.ok)
    return err({ code: 'UNAVAILABLE', message: `The commit of transaction ${tx.id} (${tx.gitCommit.slice(0, 12)}) is no longer in the repository.` });
  return ok({ commit: known.value, name: `transaction ${tx.id}`, at: tx.timestamp });
}

async function moment(git: GitRepository, commit: string, asked: string): Promise<Result<Moment, Failure>> {
  const at = await timeOf(git, commit);
  return at.ok ? ok({ commit, name: named(asked.trim(), commit), at: at.value }) : at;
}
