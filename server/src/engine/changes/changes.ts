import type { CancellationToken } from '../../base/cancellation';
import { extname } from '../../base/path';
import { err, type Failure, ok, type Result } from '../../base/result';
import type { GitPlace } from '../../code/files/git';
import { absoluteOf } from '../../code/files/host';
import { type FileFacts, qualifiedName } from '../../model/facts';
import { symbolId } from '../../model/ids';
import { languageOfExtension } from '../../model/languages';
import type { GraphTx } from '../../store/transactions';
import type { ChangedFile, ChangeSet, SymbolSpan } from '../../workspace/changes';
import type { Parsing } from '../parse/parsing';
import { type GitRepository, readRepository } from '../processes/git/repository';
import { contentsOf, differenceOf, untrackedFiles } from './difference';
import type { DiffEntry } from './diffText';
import { TIME, type Versions, versionsOf } from './revisions';

/** What the transaction log is asked. */
export interface TransactionLog {
  find(id: string): GraphTx | undefined;
  list(filter: { readonly limit: number; readonly checkout?: string }): readonly GraphTx[];
  filesAffected(id: string): readonly string[];
}

export interface ChangesOptions {
  readonly root: string;
  readonly git: GitPlace | undefined;
  readonly parsing: Parsing;
  readonly transactions: TransactionLog;
}

/** More files than these are only named, not looked into. */
const MAX_FILES = 2000;
const TRANSACTION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * What changed in the folder since a version: git's word where there is git, else that of the transaction log.
 * `VALIDATION_ERROR` for an unknown version, `NO_GIT` where there is none for a question that needs it.
 */
export async function changesSince(options: ChangesOptions, since: string | undefined, token: CancellationToken): Promise<Result<ChangeSet, Failure>> {
  const asked = since?.trim() === '' ? undefined : since?.trim();
  if (asked !== undefined && TRANSACTION.test(asked)) return sinceTransaction(options, asked, token);
  if (options.git === undefined) {
    if (asked !== undefined && TIME.test(asked)) return ok(filesAfter(options, asked, tx => tx.timestamp > Date.parse(asked)));
    return err({
      code: 'NO_GIT',
      message: `${options.root} is not in a Git repository, so changes are not known. Use files or target instead.`,
    });
  }
  return readRepository(options.root, options.git, token, async git => {
    const versions = await versionsOf(git, asked);
    return versions.ok ? diff(options, git, versions.value, token) : versions;
  });
}

async function sinceTransaction(options: ChangesOptions, id: string, token: CancellationToken): Promise<Result<ChangeSet, Failure>> {
  const tx = options.transactions.find(id.toLowerCase());
  if (tx === undefined) return err({ code: 'VALIDATION_ERROR', message: `Unknown transaction: ${id}.` });
  if (options.git !== undefined && tx.gitCommit !== null && tx.gitDirty === false) {
    const from = tx.gitCommit;
    return readRepository(options.root, options.git, token, git => diff(options, git, { from, to: undefined, name: `transaction ${id}` }, token));
  }
  return ok(filesAfter(options, `transaction ${id}`, other => other.seq > tx.seq));
}

/** Files that later transactions touched, each as a whole. */
function filesAfter({ root, transactions }: ChangesOptions, since: string, isLater: (tx: GraphTx) => boolean): ChangeSet {
  const later = transactions.list({ limit: 1000, checkout: root }).filter(tx => tx.status === 'committed' && tx.type !== 'full_rebuild' && isLater(tx));
  const paths = [...new Set(later.flatMap(tx => transactions.filesAffected(tx.id)))].sort();
  return { since, files: paths.map(path => ({ path, status: 'modified', hunks: undefined, before: [] })), truncated: false };
}

async function diff(options: ChangesOptions, git: GitRepository, versions: Versions, token: CancellationToken): Promise<Result<ChangeSet, Failure>> {
  const { from, to, name } = versions;
  const difference = await differenceOf(git, from, to);
  if (!difference.ok) return difference;
  const entries = difference.value.filter(entry => entry.isFile);
  const blobs = await contentsOf(git, entries.slice(0, MAX_FILES), to !== undefined);
  if (!blobs.ok) return blobs;
  const files = await Promise.all(entries.map((entry, at) => changedFile(options, entry, to !== undefined, at < MAX_FILES ? blobs.value : new Map(), token)));
  const untracked = to === undefined ? await untrackedFiles(git) : ok([]);
  if (!untracked.ok) return untracked;
  const added = untracked.value.map((path): ChangedFile => ({ path, status: 'added', hunks: undefined, before: [] }));
  const all = [...files, ...added].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return ok({ since: name, files: all, truncated: entries.length > MAX_FILES });
}

async function changedFile(
  options: ChangesOptions,
  entry: DiffEntry,
  isRange: boolean,
  blobs: ReadonlyMap<string, string>,
  token: CancellationToken,
): Promise<ChangedFile> {
  const { path, oldPath, status, hunks } = entry;
  const before =
    hunks?.some(hunk => hunk.removed !== undefined) !== false || status === 'renamed'
      ? await symbolsIn(options, oldPath ?? path, blobs.get(entry.oldBlob), token)
      : [];
  const after = isRange && status !== 'deleted' ? await symbolsIn(options, path, blobs.get(entry.newBlob), token) : undefined;
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
    id: symbolId(path, qualifiedName(facts, row)),
    start: (symbols.startLine[row] ?? 0) + 1,
    end: (symbols.endLine[row] ?? 0) + 1,
    nameLine: (symbols.nameLine[row] ?? 0) + 1,
  }));
}
