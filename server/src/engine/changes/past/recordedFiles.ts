import type { WorkspacePath } from '../../../base/path';
import { type Failure, ok, type Result } from '../../../base/result';
import { hashOf } from '../../indexing/fileLoader';
import type { RecordedState } from '../versions/versionLog';
import type { ContentAnswer, KnownContents } from './commitParsing';
import type { TreeFile } from './commitTree';

/** The files of a recorded state as those of a commit are told: the hash of a content stands for its name in git. */
export function recordedFiles({ files }: RecordedState): readonly TreeFile[] {
  return [...files].map(([path, { contentHash, sizeBytes }]) => ({ path, kind: 'file', blob: contentHash, sizeBytes }));
}

/** What is known of each content without reading it. */
export function recordedContents({ files }: RecordedState): KnownContents {
  const answers = new Map<string, ContentAnswer>();
  for (const { contentHash, isBinary, isGenerated, isMinified, sizeBytes } of files.values())
    if (contentHash !== '') answers.set(contentHash, { contentHash, sizeBytes, isBinary, isGenerated, isMinified });
  return { of: async blob => answers.get(blob), keep: () => undefined };
}

/** Where a content may still be that the log does not have. */
export interface OtherContents {
  /** Undefined where the file is not there or cannot be read. */
  onDisk(path: WorkspacePath): Promise<Uint8Array | undefined>;
  /** Files of the commit that the state is based on, by path. */
  inCommit(paths: readonly WorkspacePath[]): Promise<Result<ReadonlyMap<WorkspacePath, Uint8Array>, Failure>>;
}

/** Contents of files beside the code: from the log, else from the disk or git as long as they still read as they did. Those that are nowhere are left out. */
export async function recordedContentsBeside(
  state: RecordedState,
  hashes: readonly string[],
  { inCommit, onDisk }: OtherContents,
): Promise<Result<ReadonlyMap<string, Uint8Array>, Failure>> {
  const found = new Map(await recordedTexts(state, hashes));
  const lacking = new Map<WorkspacePath, string>();
  const asked = new Set(hashes);
  for (const [path, { contentHash }] of state.files) if (asked.has(contentHash) && !found.has(contentHash)) lacking.set(path, contentHash);
  const take = (path: WorkspacePath, bytes: Uint8Array | undefined): void => {
    const hash = lacking.get(path) ?? '';
    if (bytes !== undefined && hashOf(bytes) === hash) found.set(hash, bytes);
  };
  for (const path of lacking.keys()) take(path, await onDisk(path));
  const elsewhere = [...lacking].flatMap(([path, hash]) => (found.has(hash) ? [] : [path]));
  const committed = elsewhere.length === 0 ? ok(new Map<WorkspacePath, Uint8Array>()) : await inCommit(elsewhere);
  if (!committed.ok) return committed;
  for (const [path, bytes] of committed.value) take(path, bytes);
  return ok(found);
}

/** The texts that are kept; of all others there are only facts. */
export async function recordedTexts(state: RecordedState, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const texts = await Promise.all(hashes.map(async hash => [hash, await state.text(hash)] as const));
  return new Map(texts.flatMap(([hash, text]) => (text === undefined ? [] : [[hash, text]])));
}
