/**
 * What the tools of each ecosystem put beside the code: folders that are never source, build output, vendored trees, generated files.
 * A tool that is missing gets its names here, and nothing else changes.
 */
export interface Toolchain {
  readonly name: string;
  /** Folders of these names hold no source, wherever they are. */
  readonly folders?: readonly string[];
  /** The same for names that end so. */
  readonly suffixes?: readonly string[];
  /**
   * Names that are build output beside certain files, and ordinary source folders elsewhere; by name, the files that must be beside the folder.
   * Inside a git repository the repository's own ignore rules decide about them, so that a tracked `build` or `out` is indexed.
   */
  readonly outputs?: Readonly<Record<string, RegExp>>;
  /** Installed environments and vendored trees, by an entry that they contain; `folder` limits the name of the folder. */
  readonly contents?: readonly { readonly folder?: RegExp; readonly entry: string }[];
  /** Names of files that programs write. */
  readonly generated?: readonly RegExp[];
  /** Name of the file that makes its folder a package. */
  readonly manifest?: RegExp;
  /** Name of a file that begins a project that need not be a package. */
  readonly project?: RegExp;
  /** Variables that say where its version managers and tools keep what its commands start. */
  readonly variables?: readonly string[];
}

/** Files and folders that belong to tools of a language: manifests, lock files, caches, output. */
export const TOOLCHAINS: readonly Toolchain[] = [
  { name: 'version control', folders: ['.git', '.hg', '.svn', '.jj'] },
  { name: 'lattice', folders: ['.lattice'] },
  { name: 'editors', folders: ['.idea', '.vs', '.vscode-test', '.metals'] },
  {
    name: 'any',
    variables: ['ASDF_DATA_DIR', 'MISE_DATA_DIR'],
    folders: ['dist', '.cache', '.terraform', '.serverless'],
    contents: [{ entry: 'CACHEDIR.TAG' }],
    generated: [/[._](?:generated|gen|g)\.[a-z]+$/i],
  },
  {
    name: 'npm',
    variables: ['NVM_DIR', 'VOLTA_HOME'],
    manifest: /^package\.json$/,
    folders: [
      'node_modules',
      'bower_components',
      'jspm_packages',
      '.next',
      '.nuxt',
      '.output',
      '.svelte-kit',
      '.angular',
      '.turbo',
      '.parcel-cache',
      '.nyc_output',
      '.yarn',
      '.pnpm-store',
    ],
    outputs: { build: /^package\.json$/, out: /^(?:package\.json|tsconfig\.json)$/, coverage: /^package\.json$/ },
    generated: [/^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock)$/i, /\.(?:js|css|mjs|cjs)\.map$/],
  },
  {
    name: 'python',
    variables: ['PYENV_ROOT', 'VIRTUAL_ENV', 'CONDA_PREFIX'],
    manifest: /^(?:pyproject\.toml|setup\.py)$/,
    folders: ['__pycache__', '.venv', '.tox', '.nox', '.eggs', '.mypy_cache', '.pytest_cache', '.ruff_cache', '.hypothesis', '.ipynb_checkpoints'],
    suffixes: ['.egg-info', '.dist-info'],
    outputs: {
      build: /^(?:setup\.py|pyproject\.toml)$/,
      coverage: /^(?:pyproject\.toml|setup\.cfg)$/,
      htmlcov: /^(?:pyproject\.toml|setup\.cfg|setup\.py|tox\.ini)$/,
    },
    contents: [{ entry: 'pyvenv.cfg' }],
    generated: [/^(?:poetry\.lock|uv\.lock|pipfile\.lock)$/i],
  },
  {
    name: 'jvm',
    variables: ['JAVA_HOME'],
    manifest: /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
    folders: ['.gradle', '.bloop'],
    outputs: {
      build: /^(?:build|settings)\.gradle(?:\.kts)?$/,
      out: /^build\.gradle(?:\.kts)?$/,
      target: /^(?:pom\.xml|build\.sbt)$/,
    },
  },
  {
    name: 'dotnet',
    manifest: /\.(?:cs|fs|vb)proj$/,
    outputs: { bin: /\.(?:cs|fs|vb)proj$/, obj: /\.(?:cs|fs|vb)proj$/ },
    generated: [/\.designer\.(?:cs|vb)$/i],
  },
  { name: 'cmake and meson', project: /^CMakeLists\.txt$/, outputs: { build: /^(?:CMakeLists\.txt|meson\.build)$/, out: /^CMakeLists\.txt$/ } },
  { name: 'cargo', variables: ['CARGO_HOME', 'RUSTUP_HOME'], manifest: /^Cargo\.toml$/, outputs: { target: /^Cargo\.toml$/ }, generated: [/^cargo\.lock$/i] },
  { name: 'go', variables: ['GOROOT', 'GOPATH'], manifest: /^go\.mod$/, contents: [{ folder: /^vendor$/, entry: 'modules.txt' }], generated: [/^go\.sum$/i] },
  { name: 'composer', manifest: /^composer\.json$/, contents: [{ folder: /^vendor$/, entry: 'autoload.php' }], generated: [/^composer\.lock$/i] },
  {
    name: 'bundler',
    variables: ['RBENV_ROOT', 'GEM_HOME'],
    manifest: /\.gemspec$/,
    project: /^Gemfile$/,
    folders: ['.bundle'],
    contents: [{ folder: /^vendor$/, entry: 'bundle' }],
    generated: [/^gemfile\.lock$/i],
  },
  { name: 'dart', folders: ['.dart_tool'] },
  { name: 'xcode', folders: ['DerivedData', 'Pods'], suffixes: ['.xcodeproj', '.xcworkspace'] },
  { name: 'protocol buffers', generated: [/_pb2(?:_grpc)?\.pyi?$/, /_pb\.(?:d\.ts|ts|js)$/, /\.pb\.(?:go|cc|h|dart)$/, /_grpc_web_pb\./] },
];

/** Names of files that programs write. */
export const GENERATED_FILES: readonly RegExp[] = TOOLCHAINS.flatMap(({ generated = [] }) => generated);

/** Whether the name of a file says that a program writes it. */
export function isGeneratedByName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return GENERATED_FILES.some(pattern => pattern.test(name));
}

/** Variables that commands of toolchains need to find what they start. */
export const TOOL_VARIABLES: readonly string[] = TOOLCHAINS.flatMap(({ variables = [] }) => variables);

const PACKAGE_MANIFESTS: readonly RegExp[] = TOOLCHAINS.flatMap(({ manifest }) => manifest ?? []);

const PROJECT_FILES: readonly RegExp[] = TOOLCHAINS.flatMap(({ project }) => project ?? []);

/** Whether a file of this name makes its folder a package or another project. */
export function marksProject(name: string): boolean {
  return marksPackage(name) || PROJECT_FILES.some(project => project.test(name));
}

/** Whether a file of this name makes its folder a package. */
export function marksPackage(name: string): boolean {
  return PACKAGE_MANIFESTS.some(manifest => manifest.test(name));
}
