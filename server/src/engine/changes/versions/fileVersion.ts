import type { WorkspacePath } from '../../../base/path';
import type { TrackedFile } from '../../indexing/fileTable';

/** What the index knows of one content of a file; the text itself is not kept. */
export interface FileVersion {
  /** `''` for what is never read. */
  readonly contentHash: string;
  readonly sizeBytes: number;
  /** In a known language by its name, and not text. */
  readonly isBinary: boolean;
  readonly isGenerated: boolean;
  readonly isMinified: boolean;
  /** Where its facts are, if it has some. */
  readonly factsKey: string | null;
}

/** What a transaction made of one file; null where there was, or is, none. */
export interface FileChange {
  readonly path: WorkspacePath;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
}

/** `isOfLanguage`: its name tells a language. */
export function versionOf(tracked: TrackedFile, isOfLanguage: boolean): FileVersion {
  const { factsKey, isMinified, record } = tracked;
  return {
    contentHash: record.contentHash,
    sizeBytes: record.sizeBytes,
    isBinary: isOfLanguage && record.language === undefined && record.contentHash !== '',
    isGenerated: record.isGenerated,
    isMinified,
    factsKey: factsKey ?? null,
  };
}

export function isSameVersion(a: FileVersion | null, b: FileVersion | null): boolean {
  return a === null || b === null ? a === b : a.contentHash === b.contentHash && a.sizeBytes === b.sizeBytes && a.factsKey === b.factsKey;
}

/** One step of two that follow each other: from what was before the first to what is after the second. */
export function joinedChanges(first: readonly FileChange[], second: readonly FileChange[]): FileChange[] {
  const joined = new Map(first.map(change => [change.path, change]));
  for (const change of second) joined.set(change.path, { ...change, before: (joined.get(change.path) ?? change).before });
  return [...joined.values()].filter(({ after, before }) => !isSameVersion(before, after));
}
