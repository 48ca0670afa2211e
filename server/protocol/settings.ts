/** Settings the server needs, as the client reads them from `lattice.*` and sends them at start and on change. `npm run update` writes `contributes.configuration` from SETTINGS. */
export interface SettingRow {
  readonly key: string;
  readonly type: 'boolean' | 'number' | 'string' | 'array';
  readonly default: unknown;
  readonly scope: 'resource' | 'window' | 'machine' | 'application';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export const SETTINGS = [
  { key: 'lattice.enable', type: 'boolean', default: true, scope: 'window', description: 'Index the workspace and answer from the graph.' },
  {
    key: 'lattice.ignorePatterns',
    type: 'array',
    default: [],
    scope: 'resource',
    description: 'Glob patterns (gitignore syntax) of files and folders to leave out, added to the built-in ones.',
  },
  { key: 'lattice.respectGitignore', type: 'boolean', default: true, scope: 'resource', description: 'Leave out what .gitignore files leave out.' },
  {
    key: 'lattice.maxFileSizeKb',
    type: 'number',
    default: 2048,
    minimum: 16,
    maximum: 65536,
    scope: 'resource',
    description: 'Files larger than this many kibibytes are listed but not parsed.',
  },
  {
    key: 'lattice.preciseIndexes',
    type: 'array',
    default: ['index.scip'],
    scope: 'resource',
    description: 'Precise indexes (SCIP) inside the folder. Where they describe a file as it is, references end where they say.',
  },
  {
    key: 'lattice.hover.enable',
    type: 'boolean',
    default: true,
    scope: 'resource',
    description: 'Show who depends on a symbol, its tests and its risk in hovers.',
  },
  {
    key: 'lattice.codeLens.enable',
    type: 'boolean',
    default: false,
    scope: 'resource',
    description: 'Show callers, tests and impact above declarations.',
  },
  {
    key: 'lattice.codeLens.symbols',
    type: 'string',
    default: 'exported',
    enum: ['exported', 'all'],
    scope: 'resource',
    description: 'Where code lenses stand: above types and exported functions (exported), or above every type, function and method (all).',
  },
  {
    key: 'lattice.callHierarchy.enable',
    type: 'string',
    default: 'auto',
    enum: ['auto', 'always', 'never'],
    scope: 'window',
    description: 'Offer call hierarchy: only for languages where no other extension does (auto), always, or never.',
  },
  {
    key: 'lattice.typeHierarchy.enable',
    type: 'string',
    default: 'auto',
    enum: ['auto', 'always', 'never'],
    scope: 'window',
    description: 'Offer type hierarchy: only for languages where no other extension does (auto), always, or never.',
  },
  {
    key: 'lattice.architecture.diagnostics',
    type: 'string',
    default: 'declared',
    enum: ['declared', 'always', 'off'],
    scope: 'resource',
    description:
      'Show breaches of the architecture as problems: of the rules that `.lattice/architecture.yaml` declares, without such a file also import cycles (always), or not at all.',
  },
  {
    key: 'lattice.patterns.godClassMethods',
    type: 'number',
    default: 20,
    minimum: 1,
    scope: 'resource',
    description: 'A class with more methods than this is a `god-class` for `find_pattern`.',
  },
  {
    key: 'lattice.patterns.godClassLines',
    type: 'number',
    default: 500,
    minimum: 1,
    scope: 'resource',
    description: 'A class with more lines than this is a `god-class` for `find_pattern`.',
  },
  {
    key: 'lattice.patterns.hubFanIn',
    type: 'number',
    default: 50,
    minimum: 1,
    scope: 'resource',
    description: 'Code that more places than this depend on, and that is among the most central, is a `hub` for `find_pattern`.',
  },
  {
    key: 'lattice.patterns.inheritanceDepth',
    type: 'number',
    default: 4,
    minimum: 1,
    scope: 'resource',
    description: 'More levels of inheritance than this are `deep-inheritance` for `find_pattern`.',
  },
  {
    key: 'lattice.patterns.parameters',
    type: 'number',
    default: 5,
    minimum: 1,
    scope: 'resource',
    description: 'More parameters than this are a `long-parameter-list` for `find_pattern`.',
  },
  {
    key: 'lattice.mcp.toolsets',
    type: 'string',
    default: 'core',
    scope: 'window',
    description: 'Tools offered to agents: core, full, or a comma-separated list of tool names.',
  },
  {
    key: 'lattice.mcp.inEditor',
    type: 'boolean',
    default: false,
    scope: 'window',
    description: "Offer Lattice's MCP server to this editor's own agents. Off by default, so that tools are not listed twice.",
  },
  {
    key: 'lattice.knowledge.sync',
    type: 'string',
    default: 'manual',
    enum: ['off', 'manual', 'auto'],
    scope: 'resource',
    description:
      'Keep knowledge as text files in `.lattice/knowledge`, for git: never (off), by command (manual), or written after each change and read after each change of the files (auto).',
  },
  {
    key: 'lattice.tests.allowRun',
    type: 'boolean',
    default: false,
    scope: 'machine',
    description: 'Let agents run tests (`test_run`) in workspaces that you trust, by commands that you approve once.',
  },
  {
    key: 'lattice.tests.commands',
    type: 'array',
    default: [],
    scope: 'machine',
    description:
      'Commands for running tests, each a JSON array of words such as `["npx", "vitest", "run", "--pool=forks"]`; one that names a framework replaces the built-in one.',
  },
  {
    key: 'lattice.tests.approved',
    type: 'array',
    default: [],
    scope: 'machine',
    description: 'Commands that agents may run tests with, each a JSON array of words. Written by *Lattice: Approve Test Command*.',
  },
  {
    key: 'lattice.tests.env',
    type: 'array',
    default: [],
    scope: 'machine',
    description: 'Variables that tests run by agents get beside PATH, HOME, LANG and CI, each as NAME=value.',
  },
  {
    key: 'lattice.trace.server',
    type: 'string',
    default: 'off',
    enum: ['off', 'messages', 'verbose'],
    scope: 'window',
    description: 'Trace the messages between the editor and the language server.',
  },
] as const satisfies readonly SettingRow[];
