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

/** The texts that are kept; of all others there are only facts. */
export async function recordedTexts(state: RecordedState, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const texts = await Promise.all(hashes.map(async hash => [hash, await state.text(hash)] as const));
  return new Map(texts.flatMap(([hash, text]) => (text === undefined ? [] : [[hash, text]])));
}
