import { extname } from '../../base/path';
import { type Failure, ok, type Result } from '../../base/result';
import { decodeText } from '../../code/files/host';
import { languageOfExtension } from '../../model/languages';
import { blobsOf } from '../processes/git/blobs';
import type { GitRepository } from '../processes/git/repository';
import { type DiffEntry, parseDiff } from './diffText';

/** Larger contents are not parsed. */
const MAX_BLOB_BYTES = 1 << 20;
/** Characters of paths in one command; Windows takes 32,767 for all of it. */
const MAX_PATHS_LENGTH = 16_000;
/** A partial clone is compared path by path up to so many files. */
const MAX_COMPARED = 2000;

/**
 * What differs between a version and another, or the folder as it is. Where contents are missing (a partial clone has not fetched them,
 * and nothing is fetched here), those files are named without their hunks and without renames.
 */
export async function differenceOf(git: GitRepository, from: string, to: string | undefined): Promise<Result<readonly DiffEntry[], Failure>> {
  const range = to === undefined ? [from] : [from, to];
  const whole = await git.ask('difference', [...range, '--']);
  if (whole.ok) return ok(parseDiff(whole.value.toString('utf8')));
  if (whole.error.code !== 'GIT') return whole;
  const names = await git.ask('names', [...range, '--']);
  if (!names.ok) return whole;
  const entries = parseDiff(names.value.toString('utf8'));
  const missing = await missingOf(git, entries);
  return missing.ok ? compared(git, entries, missing.value, range) : missing;
}

/** Names of contents that the repository does not have. */
async function missingOf(git: GitRepository, entries: readonly DiffEntry[]): Promise<Result<ReadonlySet<string>, Failure>> {
  const blobs = new Set(entries.flatMap(entry => [entry.oldBlob, entry.newBlob]).filter(isStored));
  const output = await git.ask('presence', [], [...blobs, ''].join('\n'));
  if (!output.ok) return output;
  const lines = output.value.toString('utf8').split('\n');
  return ok(new Set(lines.filter(line => line.endsWith(' missing')).map(line => line.slice(0, -' missing'.length))));
}

async function compared(
  git: GitRepository,
  entries: readonly DiffEntry[],
  missing: ReadonlySet<string>,
  range: readonly string[],
): Promise<Result<readonly DiffEntry[], Failure>> {
  const isThere = (entry: DiffEntry): boolean => !missing.has(entry.oldBlob) && !missing.has(entry.newBlob);
  const found = new Map<string, DiffEntry>();
  for (const paths of portions(
    entries
      .filter(isThere)
      .slice(0, MAX_COMPARED)
      .map(entry => entry.path),
  )) {
    const output = await git.ask('difference', ['--no-renames', ...range, '--', ...paths.map(path => `:(literal)${path}`)]);
    if (!output.ok) return output;
    for (const entry of parseDiff(output.value.toString('utf8'))) found.set(entry.path, entry);
  }
  return ok(entries.map(entry => found.get(entry.path) ?? { ...entry, hunks: undefined }));
}

function portions(paths: readonly string[]): readonly (readonly string[])[] {
  const all: string[][] = [];
  let length = MAX_PATHS_LENGTH;
  for (const path of paths) {
    length += path.length + 12;
    if (length > MAX_PATHS_LENGTH) {
      all.push([]);
      length = path.length;
    }
    all.at(-1)?.push(path);
  }
  return all;
}

/** Paths that git neither tracks nor ignores. */
export async function untrackedFiles(git: GitRepository): Promise<Result<readonly string[], Failure>> {
  const output = await git.ask('untracked', []);
  return output.ok
    ? ok(
        output.value
          .toString('utf8')
          .split('\0')
          .filter(path => path !== ''),
      )
    : output;
}

/** Texts of stored contents by name, in one run of git. Those too large to parse are left out. */
export async function contentsOf(git: GitRepository, entries: readonly DiffEntry[], withNew: boolean): Promise<Result<ReadonlyMap<string, string>, Failure>> {
  const parsable = entries.filter(entry => languageOfExtension(extname(entry.path)) !== undefined);
  const names = parsable.flatMap(entry => [entry.oldBlob, ...(withNew ? [entry.newBlob] : [])]).filter(isStored);
  const texts = new Map<string, string>();
  if (names.length === 0) return ok(texts);
  const blobs = await blobsOf(git, [...new Set(names)]);
  if (!blobs.ok) return blobs;
  for (const [name, bytes] of blobs.value) if (bytes.length <= MAX_BLOB_BYTES) texts.set(name, decodeText(bytes));
  return ok(texts);
}

/** All zeros stand for what is not stored. */
function isStored(blob: string): boolean {
  return !/^0+$/.test(blob);
}
