import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import type { FileFacts } from '../../model/facts';
import type { LanguageId } from '../../model/languages';
import type { FileProblem } from '../../workspace/snapshot';

/** What is to be found out about one file, in a worker. */
export interface ParseRequest {
  readonly path: WorkspacePath;
  readonly absolutePath: string;
  /** Undefined: read and hash only. */
  readonly language: LanguageId | undefined;
  /** The workspace holds little text of its language: its grammar need not be fast. */
  readonly isRare?: boolean;
  /** Taken instead of what the disk holds. */
  readonly text?: string;
  /** Content that is not on the disk, in a buffer of its own. */
  readonly bytes?: Uint8Array;
  /** Answers with `code` instead of facts. */
  readonly codeOnly?: true;
}

/** What became of one file in the pool: its facts, or the problem with it. */
export interface ParseAnswer {
  /** SHA-256 of the bytes, lower-case hex; `''` when the file could not be read. */
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly isBinary: boolean;
  readonly isGenerated: boolean;
  readonly isMinified: boolean;
  readonly facts: FileFacts | undefined;
  /** The facts as they go into a pack. */
  readonly packed: Uint8Array | undefined;
  readonly problem: Pick<FileProblem, 'code' | 'message'> | undefined;
  /** The text with its comments blank, line by line; only where it was asked for. */
  readonly code?: string;
}

/** The engine's view of the parse workers. Never rejects but with `Cancelled`: what is wrong with a file is in the answer. */
export interface Parsing {
  /** Requests worth having under way at once. */
  readonly concurrency: number;
  /** `contentHash` of a file where it is known without reading it. */
  hashOf?(path: WorkspacePath): string | undefined;
  run(request: ParseRequest, token: CancellationToken): Promise<ParseAnswer>;
  decode(packed: Uint8Array): FileFacts | undefined;
}
