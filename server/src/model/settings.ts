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
  readonly tests: TestSettings;
  readonly patterns: PatternSettings;
}

/** Whether and how agents may run tests. Only from the user's own settings. */
export interface TestSettings {
  readonly allowRun: boolean;
  readonly trusted: boolean;
  /** Commands of the user, word by word. */
  readonly commands: readonly (readonly string[])[];
  /** Commands that the user approved, word by word. */
  readonly approved: readonly (readonly string[])[];
  /** Variables that tests are given beside the few that they always get. */
  readonly env: Readonly<Record<string, string>>;
}

/** From when on something counts as a pattern: the settings `lattice.patterns.*`. */
export interface PatternSettings {
  readonly godClassMethods: number;
  readonly godClassLines: number;
  readonly hubFanIn: number;
  readonly inheritanceDepth: number;
  readonly parameters: number;
}

export const DEFAULT_PATTERNS: PatternSettings = Object.freeze({ godClassMethods: 20, godClassLines: 500, hubFanIn: 50, inheritanceDepth: 4, parameters: 5 });

export const NO_TESTS: TestSettings = Object.freeze({ allowRun: false, trusted: false, commands: [], approved: [], env: {} });

export const DEFAULT_SETTINGS: WorkspaceSettings = Object.freeze({
  ignorePatterns: [],
  excludes: [],
  respectGitignore: true,
  maxFileSizeKb: 2048,
  preciseIndexes: ['index.scip'],
  tests: NO_TESTS,
  patterns: DEFAULT_PATTERNS,
});

/** The settings of another process or of a file: what is not of the right kind is left out, so that it can break nothing. */
export function readSettings(value: unknown): Partial<WorkspaceSettings> {
  if (typeof value !== 'object' || value === null) return {};
  const { ignorePatterns, excludes, respectGitignore, maxFileSizeKb, preciseIndexes, tests, patterns } = value as Readonly<
    Partial<Record<keyof WorkspaceSettings, unknown>>
  >;
  return {
    ...(isTexts(ignorePatterns) ? { ignorePatterns } : {}),
    ...(isTexts(excludes) ? { excludes } : {}),
    ...(typeof respectGitignore === 'boolean' ? { respectGitignore } : {}),
    ...(typeof maxFileSizeKb === 'number' && maxFileSizeKb >= 0 ? { maxFileSizeKb } : {}),
    ...(isTexts(preciseIndexes) ? { preciseIndexes } : {}),
    ...(typeof tests === 'object' && tests !== null ? { tests: readTests(tests as Readonly<Record<string, unknown>>) } : {}),
    ...(typeof patterns === 'object' && patterns !== null ? { patterns: readPatterns(patterns as Readonly<Record<string, unknown>>) } : {}),
  };
}

function readTests({ allowRun, trusted, commands, approved, env }: Readonly<Record<string, unknown>>): TestSettings {
  const argvs = (value: unknown): readonly (readonly string[])[] => (Array.isArray(value) ? value.filter(isTexts).filter(argv => argv.length > 0) : []);
  const pairs = typeof env === 'object' && env !== null ? Object.entries(env).filter((pair): pair is [string, string] => typeof pair[1] === 'string') : [];
  return { allowRun: allowRun === true, trusted: trusted === true, commands: argvs(commands), approved: argvs(approved), env: Object.fromEntries(pairs) };
}

/** Thresholds as given; those that are no sensible number keep their default. */
export function readPatterns(given: Readonly<Record<string, unknown>>): PatternSettings {
  const rows = Object.entries(DEFAULT_PATTERNS).map(([key, fallback]) => {
    const value = given[key];
    return [key, typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : (fallback as number)] as const;
  });
  return Object.fromEntries(rows) as unknown as PatternSettings;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
