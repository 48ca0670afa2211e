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
  /** Coverage reports in other than the usual places, by path from the root. */
  readonly coverageReports: readonly string[];
  readonly tests: TestSettings;
  readonly patterns: PatternSettings;
  readonly knowledge: KnowledgeSettings;
  readonly retrieval: RetrievalSettings;
  readonly services: ServiceSettings;
  readonly history: HistorySettings;
}

/** How long states between commits are kept: the settings `lattice.history.*`. 0 is no limit. */
export interface HistorySettings {
  readonly keepDays: number;
  readonly keepTransactions: number;
  readonly maxMegabytes: number;
}

export const DEFAULT_HISTORY: HistorySettings = Object.freeze({ keepDays: 30, keepTransactions: 1000, maxMegabytes: 64 });

/** The settings `lattice.services.*`. */
export interface ServiceSettings {
  /** Off: nothing is discovered, nothing is suppressed, tools answer with their defaults. */
  readonly enabled: boolean;
  /** Most tokens of the context of a service. */
  readonly contextTokenBudget: number;
  /** AsyncAPI 2: `publish` is what the service publishes (`service`), or what others publish to it (`specification`). */
  readonly asyncapi2: 'service' | 'specification';
}

export const DEFAULT_SERVICES: ServiceSettings = Object.freeze({ enabled: true, contextTokenBudget: 2000, asyncapi2: 'service' });

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

const EMBEDDERS = ['workspace', 'openai', 'ollama', 'none'] as const;
/** What the importance of a node is measured by. */
export const CENTRALITY_METHODS = ['pagerank', 'degree', 'betweenness', 'closeness'] as const;
/** What the centrality of a node is measured by. */
export type CentralityMethod = (typeof CENTRALITY_METHODS)[number];

/** How search ranks: the settings `lattice.search.*`. The service that vectors come from, if any, is named by the user alone. */
export interface RetrievalSettings {
  /** By words alone, or by words and nearness in meaning. */
  readonly mode: 'lexical' | 'hybrid';
  readonly fusion: 'linear' | 'rrf';
  /** Where vectors come from: the workspace's own words, a service, or nowhere. */
  readonly embedder: (typeof EMBEDDERS)[number];
  /** Address of the service; empty for the usual one of its kind on this machine. */
  readonly endpoint: string;
  readonly model: string;
  /** Environment variable that holds the key of the service. The key itself is in no setting. */
  readonly keyVariable: string;
  readonly centrality: CentralitySettings;
}

/** The group `graph_enhanced`. */
export interface CentralitySettings {
  readonly method: CentralityMethod;
  /** Share of centrality in the blended score, 0 to 1. */
  readonly alpha: number;
  readonly annotation: boolean;
  readonly reranking: boolean;
}

/** Search as it is without settings. */
export const DEFAULT_RETRIEVAL: RetrievalSettings = Object.freeze({
  mode: 'hybrid',
  fusion: 'linear',
  embedder: 'workspace',
  endpoint: '',
  model: '',
  keyVariable: 'LATTICE_EMBEDDER_KEY',
  centrality: Object.freeze({ method: 'pagerank', alpha: 0.3, annotation: true, reranking: true }),
});

/** Whether knowledge is kept in files of the workspace. */
export interface KnowledgeSettings {
  /** `auto`: written soon after a change of the knowledge, read after a change of the files. */
  readonly sync: 'off' | 'manual' | 'auto';
  /** False once an editor said that its user does not trust the workspace. */
  readonly trusted: boolean;
}

export const DEFAULT_KNOWLEDGE: KnowledgeSettings = Object.freeze({ sync: 'manual', trusted: true });

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

/** What holds where nobody has set anything. */
export const DEFAULT_SETTINGS: WorkspaceSettings = Object.freeze({
  ignorePatterns: [],
  excludes: [],
  respectGitignore: true,
  maxFileSizeKb: 2048,
  preciseIndexes: ['index.scip'],
  coverageReports: [],
  tests: NO_TESTS,
  patterns: DEFAULT_PATTERNS,
  knowledge: DEFAULT_KNOWLEDGE,
  retrieval: DEFAULT_RETRIEVAL,
  services: DEFAULT_SERVICES,
  history: DEFAULT_HISTORY,
});

/** The settings of another process or of a file: what is not of the right kind is left out, so that it can break nothing. */
export function readSettings(value: unknown): Partial<WorkspaceSettings> {
  if (typeof value !== 'object' || value === null) return {};
  const {
    ignorePatterns,
    excludes,
    respectGitignore,
    maxFileSizeKb,
    preciseIndexes,
    coverageReports,
    tests,
    patterns,
    knowledge,
    retrieval,
    services,
    history,
  } = value as Readonly<Partial<Record<keyof WorkspaceSettings, unknown>>>;
  return {
    ...(isTexts(ignorePatterns) ? { ignorePatterns } : {}),
    ...(isTexts(excludes) ? { excludes } : {}),
    ...(typeof respectGitignore === 'boolean' ? { respectGitignore } : {}),
    ...(typeof maxFileSizeKb === 'number' && maxFileSizeKb >= 0 ? { maxFileSizeKb } : {}),
    ...(isTexts(preciseIndexes) ? { preciseIndexes } : {}),
    ...(isTexts(coverageReports) ? { coverageReports } : {}),
    ...(typeof tests === 'object' && tests !== null ? { tests: readTests(tests as Readonly<Record<string, unknown>>) } : {}),
    ...(typeof retrieval === 'object' && retrieval !== null ? { retrieval: readRetrieval(retrieval as Readonly<Record<string, unknown>>) } : {}),
    ...(typeof knowledge === 'object' && knowledge !== null ? { knowledge: readKnowledge(knowledge as Readonly<Record<string, unknown>>) } : {}),
    ...(typeof services === 'object' && services !== null ? { services: readServices(services as Readonly<Record<string, unknown>>) } : {}),
    ...(typeof history === 'object' && history !== null ? { history: readHistory(history as Readonly<Record<string, unknown>>) } : {}),
    ...(typeof patterns === 'object' && patterns !== null ? { patterns: readPatterns(patterns as Readonly<Record<string, unknown>>) } : {}),
  };
}

function readTests({ allowRun, trusted, commands, approved, env }: Readonly<Record<string, unknown>>): TestSettings {
  const argvs = (value: unknown): readonly (readonly string[])[] => (Array.isArray(value) ? value.filter(isTexts).filter(argv => argv.length > 0) : []);
  const pairs = typeof env === 'object' && env !== null ? Object.entries(env).filter((pair): pair is [string, string] => typeof pair[1] === 'string') : [];
  return { allowRun: allowRun === true, trusted: trusted === true, commands: argvs(commands), approved: argvs(approved), env: Object.fromEntries(pairs) };
}

/**
 * How search ranks, as given; what is of the wrong kind keeps its default. The names of the specification are read as well: the group `graph_enhanced` and its
 * older flat keys `centrality_method`, `centrality_alpha`, `centrality_annotation`, `centrality_reranking`.
 */
export function readRetrieval(given: Readonly<Record<string, unknown>>): RetrievalSettings {
  const { mode, fusion, embedder, endpoint, keyVariable, model } = given;
  const group = { ...asRecord(given), ...asRecord(given['graph_enhanced']), ...asRecord(given['centrality']) };
  const { centrality } = DEFAULT_RETRIEVAL;
  const alpha = group['alpha'] ?? group['centrality_alpha'];
  return {
    mode: oneOf(['lexical', 'hybrid'], mode, DEFAULT_RETRIEVAL.mode),
    fusion: oneOf(['linear', 'rrf'], fusion, DEFAULT_RETRIEVAL.fusion),
    embedder: oneOf(EMBEDDERS, embedder, DEFAULT_RETRIEVAL.embedder),
    endpoint: textOr(endpoint, DEFAULT_RETRIEVAL.endpoint),
    model: textOr(model, DEFAULT_RETRIEVAL.model),
    keyVariable: textOr(keyVariable, DEFAULT_RETRIEVAL.keyVariable),
    centrality: {
      method: oneOf(CENTRALITY_METHODS, group['method'] ?? group['centrality_method'], centrality.method),
      alpha: typeof alpha === 'number' && alpha >= 0 && alpha <= 1 ? alpha : centrality.alpha,
      annotation: flagOr(group['annotation'] ?? group['centrality_annotation'], centrality.annotation),
      reranking: flagOr(group['reranking'] ?? group['centrality_reranking'], centrality.reranking),
    },
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown, fallback: T): T {
  return allowed.find(one => one === value) ?? fallback;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value.trim() : fallback;
}

function flagOr(value: unknown, fallback: boolean): boolean {
  return typeof value === 'boolean' ? value : fallback;
}

/** Who does not say that the workspace is trusted does not trust it. */
export function readKnowledge({ sync, trusted }: Readonly<Record<string, unknown>>): KnowledgeSettings {
  return { sync: sync === 'off' || sync === 'auto' ? sync : DEFAULT_KNOWLEDGE.sync, trusted: trusted === true };
}

/** Settings of services as an editor or a file gives them; values of other types count as not set. */
export function readServices({ asyncapi2, contextTokenBudget, enabled }: Readonly<Record<string, unknown>>): ServiceSettings {
  const budget = typeof contextTokenBudget === 'number' && contextTokenBudget >= 100 ? Math.floor(contextTokenBudget) : DEFAULT_SERVICES.contextTokenBudget;
  return { enabled: enabled !== false, contextTokenBudget: budget, asyncapi2: asyncapi2 === 'specification' ? 'specification' : 'service' };
}

/** Thresholds as given; those that are no sensible number keep their default. */
export function readPatterns(given: Readonly<Record<string, unknown>>): PatternSettings {
  return numbersOr(given, DEFAULT_PATTERNS);
}

/** Limits as given; those that are no sensible number keep their default. */
export function readHistory(given: Readonly<Record<string, unknown>>): HistorySettings {
  return numbersOr(given, DEFAULT_HISTORY);
}

function numbersOr<T extends object>(given: Readonly<Record<string, unknown>>, defaults: T): T {
  const rows = Object.entries(defaults).map(([key, fallback]) => {
    const value = given[key];
    return [key, typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : (fallback as number)] as const;
  });
  return Object.fromEntries(rows) as T;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
