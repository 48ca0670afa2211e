import type { HostEntry } from './host';

/**
 * Folders that are left out without a rule of the user's.
 *
 * `ALWAYS`: what tools put there is never source. `OUTPUTS`: names that are build output beside certain manifests, and ordinary source folders elsewhere;
 * inside a git repository the repository's own ignore rules decide about them, so that a tracked `build` or `out` is indexed.
 * A Python environment and a vendored tree are recognised by what they contain. `lib` is never skipped.
 */
const ALWAYS: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.lattice',
  'node_modules',
  'bower_components',
  'jspm_packages',
  'dist',
  '__pycache__',
  '.venv',
  '.tox',
  '.nox',
  '.eggs',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.hypothesis',
  '.ipynb_checkpoints',
  '.gradle',
  '.idea',
  '.vs',
  '.vscode-test',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.angular',
  '.turbo',
  '.parcel-cache',
  '.cache',
  '.nyc_output',
  '.terraform',
  '.serverless',
  '.yarn',
  '.pnpm-store',
  '.dart_tool',
  '.bundle',
  '.bloop',
  '.metals',
  'DerivedData',
  'Pods',
]);

const ALWAYS_SUFFIXES = ['.egg-info', '.dist-info', '.xcodeproj', '.xcworkspace'];

const OUTPUTS: ReadonlyMap<string, RegExp> = new Map([
  ['build', /^(?:build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|CMakeLists\.txt|meson\.build|setup\.py|pyproject\.toml|package\.json)$/],
  ['out', /^(?:package\.json|tsconfig\.json|build\.gradle(?:\.kts)?|CMakeLists\.txt)$/],
  ['target', /^(?:Cargo\.toml|pom\.xml|build\.sbt)$/],
  ['bin', /\.(?:cs|fs|vb)proj$/],
  ['obj', /\.(?:cs|fs|vb)proj$/],
  ['coverage', /^(?:package\.json|pyproject\.toml|setup\.cfg)$/],
  ['htmlcov', /^(?:pyproject\.toml|setup\.cfg|setup\.py|tox\.ini)$/],
]);

/** `siblings` are the entries of the folder that holds this one; `inGit` says that git's ignore rules are in force there. */
export function isSkippedFolder(name: string, siblings: readonly HostEntry[], inGit: boolean): boolean {
  if (ALWAYS.has(name) || ALWAYS_SUFFIXES.some(suffix => name.endsWith(suffix))) return true;
  const manifest = inGit ? undefined : OUTPUTS.get(name);
  return manifest !== undefined && siblings.some(entry => entry.kind === 'file' && manifest.test(entry.name));
}

/** The same question when only the name is known (a watched path): false where siblings would have to be asked. */
export function isAlwaysSkipped(name: string): boolean {
  return isSkippedFolder(name, [], true);
}

/** Names whose presence says that a folder is an installed environment, third-party sources or a cache. */
const CONTENT_MARKS: readonly { readonly folder: RegExp; readonly entry: string }[] = [
  { folder: /./, entry: 'pyvenv.cfg' },
  { folder: /./, entry: 'CACHEDIR.TAG' },
  { folder: /^vendor$/, entry: 'modules.txt' },
  { folder: /^vendor$/, entry: 'autoload.php' },
  { folder: /^vendor$/, entry: 'bundle' },
];

export function isSkippedByContent(name: string, entries: readonly HostEntry[]): boolean {
  return CONTENT_MARKS.some(mark => mark.folder.test(name) && entries.some(entry => entry.name === mark.entry));
}
