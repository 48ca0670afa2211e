import type { WorkspacePath } from '../base/path';
import type { FileFacts } from './facts';
import type { LanguageId } from './languages';
import type { FileResolution } from './resolution';

/** Everything the graph keeps about a file besides its facts. */
export interface FileRecord {
  readonly path: WorkspacePath;
  readonly language: LanguageId | undefined;
  /** SHA-256 of the bytes, lower-case hex; `''` when the file is indexed by name only (binary, too large). */
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
  readonly isGenerated: boolean;
  /** Some of its facts are of an earlier text than the one it has (a text that is being typed, with syntax errors), with lines as in this one. */
  readonly isStale?: true;
}

/** The only way a graph changes. Applied whole: readers see the state before or after, never between. */
export interface GraphDelta {
  /** New or changed files. `facts` is undefined for files that get a file node only. */
  readonly upserts: readonly FileUpsert[];
  /** Files whose own text did not change but whose references now end elsewhere. */
  readonly relinked: readonly FileResolution[];
  readonly removed: readonly WorkspacePath[];
}

/** A file that is new or changed, with its facts and what its names resolve to. */
export interface FileUpsert {
  readonly record: FileRecord;
  readonly facts: FileFacts | undefined;
  readonly resolution: FileResolution;
}
