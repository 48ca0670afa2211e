import { err, type Failure, ok, type Result } from '../../../base/result';
import type { GraphTx } from '../../../store/transactions';
import type { VersionFailure } from '../../../workspace/changes';
import type { GitRepository } from '../../processes/git/repository';
import type { TransactionLog } from '../changes';
import { unknownVersion } from '../newest';
import { commitBefore, commitOf, forkPoint, MERGE_BASE, mergeBase, named, timeOf } from '../revisions';
import { readStateName, type StateName } from '../stateNames';
import type { RecordedState, VersionLogHealth } from '../versions/versionLog';
import { treeOf } from './commitTree';

/** A state of the code. */
export interface Moment {
  /** Whose files it has, but for those of `recorded`. `undefined` without Git, and before the first commit, where there are no files. */
  readonly commit: string | undefined;
  /** Files that are not those of a commit. */
  readonly recorded?: RecordedState;
  /** How it is called in an answer: `v1.2 (a1b2c3d)`. */
  readonly name: string;
  /** Of the commit, or what was asked for before the first; epoch milliseconds. */
  readonly at: number;
}

/** States that the index has recorded; see `VersionLog`. */
export interface RecordedStates {
  stateAt(seq: number): Promise<RecordedState | undefined>;
  readonly health: Pick<VersionLogHealth, 'horizon'>;
}

/** A repository while it is read, for a folder of its checkout (`''` for all). */
export interface PastGit {
  readonly repository: GitRepository;
  readonly folder: string;
}

export interface MomentOptions {
  readonly root: string;
  readonly git: PastGit | undefined;
  /** When commits were made that were asked for before, in epoch milliseconds; never changes. */
  readonly times: Map<string, number>;
  readonly transactions: TransactionLog;
  readonly versions: RecordedStates;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What a word for a state of the code means; `now` for a time to come. */
export async function momentOf(options: MomentOptions, asked: string): Promise<Result<Moment | 'now', VersionFailure>> {
  const { git, root } = options;
  const word = readStateName(asked);
  if (asked.trim() === '') return err({ code: 'VALIDATION_ERROR', message: 'asOf is empty.' });
  if (word.kind === 'range' && word.dots === '..') {
    return err({ code: 'VALIDATION_ERROR', message: `${asked} is a range. A state is one commit, tag, branch, time or transaction.` });
  }
  if (word.kind === 'time' && word.at >= options.now()) return ok('now');
  if (git === undefined) {
    if (word.kind === 'transaction') return ofTransaction(options, undefined, options.transactions.find(word.id), asked);
    if (word.kind === 'agent') return ofTransaction(options, undefined, lastBy(options, word.name), asked);
    const recorded = word.kind === 'time' ? await recordedBefore(options, word.at, 0, asked) : undefined;
    if (recorded !== undefined) return ok(recorded);
    if (word.kind === 'revision' && !word.isForced && word.text !== MERGE_BASE) {
      const tx = lastBy(options, word.text);
      if (tx !== undefined) return ofTransaction(options, undefined, tx, asked);
      return err(unknownVersion(options, `Unknown: ${word.text}. ${root} is not in a Git repository, and no agent of that name has made a transaction.`));
    }
    return err({ code: 'NO_GIT', message: `${root} is not in a Git repository, so it has no past states.` });
  }
  return inRepository(options, git, word, asked);
}

async function inRepository(options: MomentOptions, past: PastGit, word: StateName, asked: string): Promise<Result<Moment, Failure>> {
  const { repository: git } = past;
  const moment = (commit: string): Promise<Result<Moment, Failure>> => momentOfCommit(options, git, commit, asked);
  switch (word.kind) {
    case 'time': {
      const commit = await commitBefore(git, word.at);
      if (!commit.ok) return commit;
      const found = commit.value === undefined ? undefined : await moment(commit.value);
      const recorded = await recordedBefore(options, word.at, found?.ok === true ? found.value.at : 0, asked);
      if (recorded !== undefined) return ok(recorded);
      if (commit.value === undefined) return ok({ commit: undefined, name: `${word.text} (before the first commit)`, at: word.at });
      return found ?? moment(commit.value);
    }
    case 'transaction':
      return ofTransaction(options, past, options.transactions.find(word.id), asked);
    case 'agent':
      return ofTransaction(options, past, lastBy(options, word.name), asked);
    case 'range': {
      const commit = await ofRange(git, word);
      return commit.ok ? moment(commit.value) : commit;
    }
    case 'revision': {
      if (word.text === MERGE_BASE && !word.isForced) {
        const base = await forkPoint(git);
        return base.ok ? moment(base.value) : base;
      }
      const commit = await commitOf(git, word.text);
      if (commit.ok) return moment(commit.value);
      if (commit.error.code !== 'NOT_FOUND') return commit;
      const tx = word.isForced ? undefined : lastBy(options, word.text);
      return tx === undefined ? err(unknownVersion(options, commit.error.message)) : ofTransaction(options, past, tx, asked);
    }
  }
}

/** `A...B`, as git reads it where one commit is meant: their merge base. */
async function ofRange(git: GitRepository, { from, to }: Extract<StateName, { readonly kind: 'range' }>): Promise<Result<string, Failure>> {
  const [a, b] = [await commitOf(git, from || 'HEAD'), await commitOf(git, to || 'HEAD')];
  if (!a.ok) return a;
  return b.ok ? mergeBase(git, a.value, b.value) : b;
}

function lastBy({ root, transactions }: MomentOptions, agentId: string): GraphTx | undefined {
  return transactions.list({ limit: 1, checkout: root, agentId })[0];
}

/** The state of a time by the log: after the last transaction that is not later, unless a commit came after that. */
async function recordedBefore({ root, transactions, versions }: MomentOptions, at: number, commitAt: number, asked: string): Promise<Moment | undefined> {
  const tx = transactions.list({ limit: 1000, checkout: root }).find(each => each.timestamp <= at && each.status === 'committed');
  if (tx === undefined || tx.timestamp < commitAt) return undefined;
  const recorded = await versions.stateAt(tx.seq);
  return recorded === undefined ? undefined : { commit: undefined, recorded, name: asked.trim(), at: tx.timestamp };
}

async function ofTransaction(
  options: MomentOptions,
  git: PastGit | undefined,
  tx: GraphTx | undefined,
  asked: string,
): Promise<Result<Moment, VersionFailure>> {
  if (tx === undefined) return err(unknownVersion(options, `Unknown transaction: ${asked}.`));
  const name = `transaction ${tx.id}`;
  const recorded = await options.versions.stateAt(tx.seq);
  const commit = git === undefined || tx.gitCommit === null || tx.gitDirty !== false ? undefined : await commitOf(git.repository, tx.gitCommit);
  if (git !== undefined && commit?.ok === true && (recorded === undefined || (await isInCommit(git, recorded, commit.value))))
    return ok({ commit: commit.value, name, at: tx.timestamp });
  return recorded === undefined ? err(pruned(options, tx)) : ok({ commit: undefined, recorded, name, at: tx.timestamp });
}

/** Whether git tracks all files of a state: to git, others do not make a checkout dirty. */
async function isInCommit({ folder, repository }: PastGit, { files }: RecordedState, commit: string): Promise<boolean> {
  const tree = await treeOf(repository, commit, folder);
  if (!tree.ok) return false;
  const tracked = new Set(tree.value.map(({ path }) => path));
  for (const path of files.keys()) if (!tracked.has(path)) return false;
  return true;
}

function pruned({ versions }: MomentOptions, tx: GraphTx): VersionFailure {
  const { horizon } = versions.health;
  const since = horizon === 0 ? 'No states are recorded.' : `States are recorded since ${new Date(horizon).toISOString()}.`;
  return {
    code: 'HISTORY_PRUNED',
    message: `The state at transaction ${tx.id} is no longer available. ${since}`,
    hint: 'Use a later transaction or time, a checkpoint, or a commit.',
    horizon,
  };
}

async function momentOfCommit({ times }: MomentOptions, git: GitRepository, commit: string, asked: string): Promise<Result<Moment, Failure>> {
  const known = times.get(commit);
  const at = known === undefined ? await timeOf(git, commit) : ok(known);
  if (at.ok) times.set(commit, at.value);
  return at.ok ? ok({ commit, name: named(asked.trim(), commit), at: at.value }) : at;
}
