import type { WorkspacePath } from '../base/path';

/** A coverage report as it was found; the same object as long as the file does not change. */
export interface CoverageFile {
  readonly path: WorkspacePath;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** Coverage reports that test runs left in the workspace. They are read, nothing is ever run. */
export interface CoveragePort {
  /** Reports in the usual places, newest first; `problems` says in a line each why some cannot be read. */
  reports(): Promise<{ readonly files: readonly CoverageFile[]; readonly problems: readonly string[] }>;
  /** When a file was last written, in milliseconds since 1970; `undefined` when it is gone. */
  modifiedAt(path: WorkspacePath): Promise<number | undefined>;
  /** In milliseconds since 1970. */
  now(): number;
}
