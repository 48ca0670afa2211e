/** What a user can say about how a checkout is indexed. Plain data; every door reads it from its own place. */
export interface WorkspaceSettings {
  /** Patterns in gitignore syntax, added to the built-in ones. */
  readonly ignorePatterns: readonly string[];
  /** Globs of the editor's `files.exclude` and `search.exclude` that are switched on. */
  readonly excludes: readonly string[];
  readonly respectGitignore: boolean;
  /** Larger files are listed but not parsed. */
  readonly maxFileSizeKb: number;
  /** Precise indexes (SCIP), as paths inside the workspace. */
  readonly preciseIndexes: readonly string[];
}

export const DEFAULT_SETTINGS: WorkspaceSettings = Object.freeze({
  ignorePatterns: [],
  excludes: [],
  respectGitignore: true,
  maxFileSizeKb: 2048,
  preciseIndexes: ['index.scip'],
});

/** The settings of another process or of a file: what is not of the right kind is left out, so that it can break nothing. */
export function readSettings(value: unknown): Partial<WorkspaceSettings> {
  if (typeof value !== 'object' || value === null) return {};
  const { ignorePatterns, excludes, respectGitignore, maxFileSizeKb, preciseIndexes } = value as Readonly<Partial<Record<keyof WorkspaceSettings, unknown>>>;
  return {
    ...(isTexts(ignorePatterns) ? { ignorePatterns } : {}),
    ...(isTexts(excludes) ? { excludes } : {}),
    ...(typeof respectGitignore === 'boolean' ? { respectGitignore } : {}),
    ...(typeof maxFileSizeKb === 'number' && maxFileSizeKb >= 0 ? { maxFileSizeKb } : {}),
    ...(isTexts(preciseIndexes) ? { preciseIndexes } : {}),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
