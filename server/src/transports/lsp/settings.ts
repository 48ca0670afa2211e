import { z } from 'zod';
import {
  type RetrievalSettings,
  readHistory,
  readKnowledge,
  readPatterns,
  readRetrieval,
  readServices,
  type TestSettings,
  type WorkspaceSettings,
} from '../../model/settings';
import { TOOL_VARIABLES } from '../../model/toolchains';

const values = z.record(z.string(), z.unknown());
const folderSettings = z.object({ uri: z.string(), settings: values.default({}), exclude: z.array(z.string()).default([]) });

/** `InitializationOptions` and `ClientSettings` of the protocol, every field optional: other editors send none of it. */
const clientSettings = z.object({
  settings: values.default({}),
  folders: z.array(folderSettings).default([]),
  editorRuntime: z.string().optional(),
  trusted: z.boolean().default(false),
  commands: z.array(z.string()).optional(),
});

export type ProviderSetting = 'auto' | 'always' | 'never';

/** What the editor said of its configuration, read without trust. */
export class EditorSettings {
  readonly editorRuntime: string | undefined;
  /** Commands of the editor that answers may name. */
  readonly commands: readonly string[];
  readonly #trusted: boolean;
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #folders: readonly z.infer<typeof folderSettings>[];

  /** Commands are said once, at the start: `before` keeps them. */
  constructor(received: unknown, before?: EditorSettings) {
    const read = clientSettings.safeParse(received ?? {});
    this.#settings = read.success ? read.data.settings : {};
    this.#folders = read.success ? read.data.folders : [];
    this.#trusted = read.success && read.data.trusted;
    this.editorRuntime = (read.success ? read.data.editorRuntime : undefined) ?? before?.editorRuntime;
    this.commands = (read.success ? read.data.commands : undefined) ?? before?.commands ?? [];
  }

  /** When to give what other extensions may give too. */
  provides(of: 'callHierarchy' | 'typeHierarchy' | 'workspaceSymbols' | 'documentLinks'): ProviderSetting {
    const value = this.#settings[`lattice.${of}.enable`];
    return value === 'always' || value === 'never' ? value : 'auto';
  }

  /** Whether the editor has a command. */
  knows(command: string): boolean {
    return this.commands.includes(command);
  }

  codeLens(folderUri: string): 'none' | 'exported' | 'all' {
    const settings = this.#folder(folderUri)?.settings;
    if (settings?.['lattice.codeLens.enable'] !== true) return 'none';
    return settings['lattice.codeLens.symbols'] === 'all' ? 'all' : 'exported';
  }

  /** Whether any folder shows code lenses. */
  get showsLenses(): boolean {
    return this.#folders.some(folder => folder.settings['lattice.codeLens.enable'] === true);
  }

  /** Whether violations of the architecture are shown: of declared rules, also of the built-in one, or not. */
  architecture(folderUri: string): 'declared' | 'always' | 'off' {
    const value = this.#folder(folderUri)?.settings['lattice.architecture.diagnostics'];
    return value === 'always' || value === 'off' ? value : 'declared';
  }

  /** Whether problems between services are shown: errors and warnings, all of them, or none. */
  serviceProblems(folderUri: string): 'warnings' | 'all' | 'off' {
    const value = this.#folder(folderUri)?.settings['lattice.services.diagnostics'];
    return value === 'all' || value === 'off' ? value : 'warnings';
  }

  /** The editor's user trusts the workspace. */
  get trusted(): boolean {
    return this.#trusted;
  }

  /** Whether hovers say that nothing is known about a file. */
  hoverGaps(folderUri: string): boolean {
    return this.#trusted && this.#folder(folderUri)?.settings['lattice.knowledge.hoverGaps'] === true;
  }

  hoverEnabled(folderUri: string): boolean {
    return this.#folder(folderUri)?.settings['lattice.hover.enable'] !== false;
  }

  /** Only what was said; the rest keeps its default. */
  forFolder(folderUri: string): Partial<WorkspaceSettings> {
    const folder = this.#folder(folderUri);
    if (folder === undefined) return {};
    const ignorePatterns = folder.settings['lattice.ignorePatterns'];
    const respectGitignore = folder.settings['lattice.respectGitignore'];
    const maxFileSizeKb = folder.settings['lattice.maxFileSizeKb'];
    const preciseIndexes = folder.settings['lattice.preciseIndexes'];
    const coverageReports = folder.settings['lattice.coverageReports'];
    return {
      excludes: folder.exclude,
      tests: this.#tests(),
      ...(Object.keys(this.#settings).some(key => key.startsWith('lattice.search.')) ? { retrieval: this.#retrieval() } : {}),
      knowledge: readKnowledge({ sync: folder.settings['lattice.knowledge.sync'], trusted: this.#trusted }),
      ...patternsIn(folder.settings),
      ...servicesIn(folder.settings),
      ...historyIn(folder.settings),
      ...(Array.isArray(ignorePatterns) ? { ignorePatterns: ignorePatterns.filter(item => typeof item === 'string') } : {}),
      ...(typeof respectGitignore === 'boolean' ? { respectGitignore } : {}),
      ...(typeof maxFileSizeKb === 'number' ? { maxFileSizeKb } : {}),
      ...(Array.isArray(coverageReports) ? { coverageReports: coverageReports.filter(item => typeof item === 'string') } : {}),
      ...(Array.isArray(preciseIndexes) ? { preciseIndexes: preciseIndexes.filter(item => typeof item === 'string') } : {}),
    };
  }

  #retrieval(): RetrievalSettings {
    const at = (key: string): unknown => this.#settings[`lattice.search.${key}`];
    return readRetrieval({
      mode: at('mode'),
      fusion: at('fusion'),
      embedder: at('embedder'),
      endpoint: at('embedderEndpoint'),
      model: at('embedderModel'),
      keyVariable: at('embedderKeyVariable'),
      graph_enhanced: Object.fromEntries(['method', 'alpha', 'annotation', 'reranking'].map(name => [name, at(`graphEnhanced.${name}`)])),
    });
  }

  #tests(): TestSettings {
    const list = (key: string): string[] => {
      const value = this.#settings[key];
      return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
    };
    const pairs = list('lattice.tests.env').filter(pair => /^\w+=/.test(pair));
    return {
      allowRun: this.#settings['lattice.tests.allowRun'] === true,
      trusted: this.#trusted,
      commands: list('lattice.tests.commands').flatMap(wordsOf),
      approved: list('lattice.tests.approved').flatMap(wordsOf),
      env: {
        // The editor was started in the environment of the user's login shell, or has asked for it; the process that runs the tests may not have been.
        ...environmentOf(process.env),
        ...Object.fromEntries(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])),
      },
    };
  }

  #folder(uri: string): z.infer<typeof folderSettings> | undefined {
    return this.#folders.find(folder => folder.uri === uri);
  }
}

/** Where programs and toolchains are found. */
function environmentOf(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['PATH', ...TOOL_VARIABLES].flatMap(name => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The settings `lattice.services.*`, when any is said. */
function servicesIn(settings: Readonly<Record<string, unknown>>): Partial<WorkspaceSettings> {
  const prefix = 'lattice.services.';
  const given = Object.entries(settings).filter(([key]) => key.startsWith(prefix));
  return given.length === 0 ? {} : { services: readServices(Object.fromEntries(given.map(([key, value]) => [key.slice(prefix.length), value]))) };
}

/** The limits of `lattice.history.*`, when any is said. */
function historyIn(settings: Readonly<Record<string, unknown>>): Partial<WorkspaceSettings> {
  const prefix = 'lattice.history.';
  const given = Object.entries(settings).filter(([key]) => key.startsWith(prefix));
  return given.length === 0 ? {} : { history: readHistory(Object.fromEntries(given.map(([key, value]) => [key.slice(prefix.length), value]))) };
}

/** The thresholds of `lattice.patterns.*`, when any is said. */
function patternsIn(settings: Readonly<Record<string, unknown>>): Partial<WorkspaceSettings> {
  const prefix = 'lattice.patterns.';
  const given = Object.entries(settings).filter(([key]) => key.startsWith(prefix));
  return given.length === 0 ? {} : { patterns: readPatterns(Object.fromEntries(given.map(([key, value]) => [key.slice(prefix.length), value]))) };
}

/** A command as a JSON array of words; nothing when it is none. */
function wordsOf(text: string): string[][] {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.length > 0 && words.every(word => typeof word === 'string') ? [words] : [];
  } catch {
    return [];
  }
}
