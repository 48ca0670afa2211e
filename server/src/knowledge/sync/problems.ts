/** Something about a file that a person has to put right. */
export interface SyncProblem {
  /** Workspace path. */
  readonly path: string;
  /** 1-based; 1 when it is about the whole file. */
  readonly line: number;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** An error keeps the file out of an import; a warning does not. */
  readonly severity: 'error' | 'warning';
}

/** What is wrong with a knowledge file; `line` is 1-based, `fix` a sentence. */
export function problem(path: string, line: number, message: string, fix: string, severity: SyncProblem['severity'] = 'error'): SyncProblem {
  return { path, line, message, fix, severity };
}
