/** What a user can say about how a checkout is indexed. Plain data; every door reads it from its own place. */
export interface WorkspaceSettings {
  /** Patterns in gitignore syntax, added to the built-in ones. */
  readonly ignorePatterns: readonly string[];
  /** Globs of the editor's `files.exclude` and `search.exclude` that are switched on. */
  readonly excludes: readonly string[];
  readonly respectGitignore: boolean;
  /** Larger files are listed but not parsed. */
  readonly maxFileSizeKb: number;
}

export const DEFAULT_SETTINGS: WorkspaceSettings = Object.freeze({
  ignorePatterns: [],
  excludes: [],
  respectGitignore: true,
  maxFileSizeKb: 2048,
});
