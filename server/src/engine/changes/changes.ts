import type { CancellationToken } from '../../base/cancellation';
import { extname } from '../../base/path';
import { err, type Failure, ok, type Result } from '../../base/result';
import type { GitPlace } from '../../code/files/git';
import { absoluteOf } from '../../code/files/host';
import { type FileFacts, qualifiedName, symbolRow } from '../../model/facts';
import { symbolId } from '../../model/ids';
import { languageOfExtension } from '../../model/languages';
import type { GraphTx } from '../../store/transactions';
import type { ChangedFile, ChangeSet, SymbolSpan, VersionFailure } from '../../workspace/changes';
import type { Parsing } from '../parse/parsing';
import { type GitRepository, readRepository } from '../processes/git/repository';
import { codeHunks, MAX_FILES_WITHOUT_COMMENTS } from './codeHunks';
import { contentsOf, differenceOf, untrackedFiles } from './difference';
import type { DiffEntry } from './diffText';
import { unknownVersion } from './newest';
import { type Versions, versionsOf } from './revisions';
import { readStateName, type StateName } from './stateNames';

/** What the transaction log is asked. */
export interface TransactionLog {
  find(id: string): GraphTx | undefined;
  list(filter: { readonly limit: number; readonly checkout?: string; readonly agentId?: string }): readonly GraphTx[];
  filesAffected(id: string): readonly string[];
}

export interface ChangesOptions {
  readonly root: string;
  readonly git: GitPlace | undefined;
  readonly parsing: Parsing;
  readonly transactions: TransactionLog;
  /** Since when it is known which files each transaction changed, in epoch milliseconds. */
  readonly horizon: number;
  /** Whether a path is left out of the index, by its name or that of a folder above it. */
  readonly isIgnored: (path: string) => boolean;
}

/** More files than these are only named, not looked into. */
const MAX_FILES = 2000;

/**
 * What changed in the folder since a version: git's word where there is git, else that of the transaction log.
 * `NOT_FOUND` for an unknown version, `NO_GIT` where there is none for a question that needs it.
 */
export async function changesSince(options: ChangesOptions, since: string | undefined, token: CancellationToken): Promise<Result<ChangeSet, VersionFailure>> {
  const asked = since?.trim() === '' ? undefined : since?.trim();
  const word = asked === undefined ? undefined : readStateName(asked);
  const named = word === undefined ? undefined : transactionOf(options, word);
  if (named !== undefined) return sinceTransaction(options, named.tx, asked ?? '', token);
  const found = await (options.git === undefined ? withoutGit(options, word) : withGit(options, options.git, asked, token));
  const agent = found.ok || word?.kind !== 'revision' || word.isForced ? undefined : lastBy(options, word.text);
  if (agent !== undefined) return sinceTransaction(options, agent, asked ?? '', token);
  return found.ok || found.error.code !== 'NOT_FOUND' ? found : err(unknownVersion(options, found.error.message));
}

/** The transaction that a word names whatever git knows; `tx` is `undefined` when there is no such one. */
function transactionOf(options: ChangesOptions, word: StateName): { readonly tx: GraphTx | undefined } | undefined {
  if (word.kind === 'transaction') return { tx: options.transactions.find(word.id) };
  return word.kind === 'agent' ? { tx: lastBy(options, word.name) } : undefined;
}

function withGit(options: ChangesOptions, place: GitPlace, asked: string | undefined, token: CancellationToken): Promise<Result<ChangeSet, VersionFailure>> {
  return readRepository(options.root, place, token, async git => {
    const versions = await versionsOf(git, asked);
    return versions.ok ? diff(options, git, versions.value, token) : versions;
  });
}

function withoutGit(options: ChangesOptions, word: StateName | undefined): Result<ChangeSet, VersionFailure> {
  if (word?.kind === 'time') return filesAfter(options, word.text, word.at, tx => tx.timestamp > word.at);
  return err({
    code: 'NO_GIT',
    message: `${options.root} is not in a Git repository, so its changes cannot be determined.`,
  });
}

/** The last transaction of an agent here. */
function lastBy({ root, transactions }: ChangesOptions, agentId: string): GraphTx | undefined {
  return transactions.list({ limit: 1, checkout: root, agentId })[0];
}

async function sinceTransaction(
  options: ChangesOptions,
  tx: GraphTx | undefined,
  asked: string,
  token: CancellationToken,
): Promise<Result<ChangeSet, VersionFailure>> {
  if (tx === undefined) return err(unknownVersion(options, `Unknown transaction: ${asked}.`));
  if (options.git !== undefined && tx.gitCommit !== null && tx.gitDirty === false) {
    const from = tx.gitCommit;
    return readRepository(options.root, options.git, token, git => diff(options, git, { from, to: undefined, name: `transaction ${tx.id}` }, token));
  }
  return filesAfter(options, `transaction ${tx.id}`, tx.timestamp, other => other.seq > tx.seq);
}

/** Files that later transactions touched, each as a whole. */
function filesAfter(
  { horizon, root, transactions }: ChangesOptions,
  since: string,
  at: number,
  isLater: (tx: GraphTx) => boolean,
): Result<ChangeSet, VersionFailure> {
  const all = transactions.list({ limit: 1000, checkout: root });
  if (all.some(({ timestamp }) => timestamp > at && timestamp < horizon)) {
    const message = `Which files changed since ${since} can no longer be determined. Changes are kept since ${new Date(horizon).toISOString()}.`;
    return err({ code: 'HISTORY_PRUNED', message, hint: 'Use a later transaction or time, or a commit.', horizon });
  }
  const later = all.filter(tx => tx.status === 'committed' && tx.type !== 'full_rebuild' && isLater(tx));
  const paths = [...new Set(later.flatMap(tx => transactions.filesAffected(tx.id)))].sort();
  return ok({ since, files: paths.map(path => ({ path, status: 'modified', hunks: undefined, before: [] })), truncated: false });
}

async function diff(options: ChangesOptions, git: GitRepository, versions: Versions, token: CancellationToken): Promise<Result<ChangeSet, Failure>> {
  const { from, to, name } = versions;
  const difference = await differenceOf(git, from, to);
  if (!difference.ok) return difference;
  const entries = difference.value.filter(entry => entry.isFile);
  const blobs = await contentsOf(git, entries.slice(0, MAX_FILES), to !== undefined);
  if (!blobs.ok) return blobs;
  const files = await Promise.all(entries.map((entry, at) => changedFile(options, entry, { at, isRange: to !== undefined, blobs: blobs.value }, token)));
  const untracked = to === undefined ? await untrackedFiles(git) : ok([]);
  if (!untracked.ok) return untracked;
  // A dependency folder that nobody told git to ignore holds thousands of files that are nobody's change.
  const fresh = untracked.value.filter(path => !options.isIgnored(path));
  const added = fresh.map((path): ChangedFile => ({ path, status: 'added', hunks: undefined, before: [] }));
  const all = [...files, ...added].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return ok({ since: name, files: all, truncated: entries.length > MAX_FILES });
}

async function changedFile(
  options: ChangesOptions,
  entry: DiffEntry,
  { at, blobs, isRange }: { readonly at: number; readonly blobs: ReadonlyMap<string, string>; readonly isRange: boolean },
  token: CancellationToken,
): Promise<ChangedFile> {
  const { path, oldPath, status } = entry;
  const texts = { before: blobs.get(entry.oldBlob), after: isRange ? blobs.get(entry.newBlob) : undefined };
  const isCompared = at < MAX_FILES_WITHOUT_COMMENTS && (!isRange || texts.after !== undefined);
  const hunks = isCompared ? await codeHunks(options, entry, texts, token) : entry.hunks;
  const before =
    hunks?.some(hunk => hunk.removed !== undefined) !== false || status === 'renamed' ? await symbolsIn(options, oldPath ?? path, texts.before, token) : [];
  const after = isRange && status !== 'deleted' ? await symbolsIn(options, path, texts.after, token) : undefined;
  return { path, status, hunks, before, ...(oldPath === undefined ? {} : { oldPath }), ...(after === undefined ? {} : { after }) };
}

/** Symbols of a text that is not in the folder, by the same extractors. */
async function symbolsIn({ parsing, root }: ChangesOptions, path: string, text: string | undefined, token: CancellationToken): Promise<readonly SymbolSpan[]> {
  const language = languageOfExtension(extname(path));
  if (text === undefined || language === undefined) return [];
  const parsed = await parsing.run({ path, absolutePath: absoluteOf(root, path), language, text }, token);
  return parsed.facts === undefined ? [] : spansOf(path, parsed.facts);
}

function spansOf(path: string, facts: FileFacts): SymbolSpan[] {
  const { symbols } = facts;
  return Array.from({ length: symbols.count }, (_, row) => ({
    id: symbolId(path, qualifiedName(facts, symbolRow(row))),
    start: (symbols.startLine[row] ?? 0) + 1,
    end: (symbols.endLine[row] ?? 0) + 1,
    nameLine: (symbols.nameLine[row] ?? 0) + 1,
  }));
}
