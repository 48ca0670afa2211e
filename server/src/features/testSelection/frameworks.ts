import type { PathTest } from '../../base/globs';
import { basename, dirname, type WorkspacePath } from '../../base/path';
import { globPattern } from '../shared/globs';

export type Framework =
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'playwright'
  | 'cypress'
  | 'pytest'
  | 'go'
  | 'cargo'
  | 'maven'
  | 'gradle'
  | 'dotnet'
  | 'phpunit'
  | 'rspec';

export interface FrameworkRow {
  readonly id: Framework;
  /** Files whose presence means that it is used. */
  readonly configs: RegExp;
  /** Manifests in which it may be named. */
  readonly manifests?: RegExp;
  /** How it is named there. */
  readonly named?: RegExp;
  /** Paths, from the folder of the manifest, that are its tests by convention. */
  readonly convention: RegExp;
  /** Finds the globs that its configuration gives; they win over the convention. */
  readonly globs?: RegExp;
  /** Its command, without files; `undefined` where none is built in. */
  readonly command: readonly string[] | undefined;
  /** What people type where none is built in: told, never run. */
  readonly typed?: readonly string[];
}

const SCRIPT = String.raw`\.[cm]?[jt]sx?$`;
const SCRIPT_TEST = new RegExp(String.raw`\.(?:test|spec)${SCRIPT}|(?:^|/)__tests__/.*${SCRIPT}`);
const PACKAGE = /^package\.json$/;
const named = (name: string): RegExp => new RegExp(String.raw`"${name}"\s*:`);
const JVM_TEST = /(?:Test|Tests|IT)\.(?:java|kt)$/;

/** Conventions of test frameworks; where several take a file, the first does. */
export const FRAMEWORKS: readonly FrameworkRow[] = [
  {
    id: 'playwright',
    configs: /^playwright\.config\.[cm]?[jt]s$/,
    convention: new RegExp(String.raw`(?:^|/)(?:e2e|playwright)/.*${SCRIPT}|\.e2e${SCRIPT}`),
    globs: /\b(?:testDir|testMatch)\s*:\s*(?<globs>\[[^\]]*\]|'[^']*'|"[^"]*")/g,
    command: ['npx', 'playwright', 'test'],
  },
  {
    id: 'cypress',
    configs: /^cypress\.(?:config\.[cm]?[jt]s|json)$/,
    convention: new RegExp(String.raw`(?:^|/)cypress/.*${SCRIPT}|\.cy${SCRIPT}`),
    globs: /\bspecPattern\s*:\s*(?<globs>\[[^\]]*\]|'[^']*'|"[^"]*")/g,
    command: undefined,
  },
  {
    id: 'vitest',
    configs: /^vitest\.config\.[cm]?[jt]s$/,
    manifests: PACKAGE,
    named: named('vitest'),
    convention: SCRIPT_TEST,
    globs: /\binclude\s*:\s*(?<globs>\[[^\]]*\])/g,
    command: ['npx', 'vitest', 'run'],
  },
  {
    id: 'jest',
    configs: /^jest\.config\.(?:[cm]?[jt]s|json)$/,
    manifests: PACKAGE,
    named: named('jest'),
    convention: SCRIPT_TEST,
    globs: /"?\btestMatch"?\s*:\s*(?<globs>\[[^\]]*\])/g,
    command: ['npx', 'jest'],
  },
  {
    id: 'mocha',
    configs: /^\.mocharc\.(?:[cm]?js|json|ya?ml)$/,
    manifests: PACKAGE,
    named: named('mocha'),
    convention: new RegExp(String.raw`(?:^|/)tests?/.*${SCRIPT}|\.(?:test|spec)${SCRIPT}`),
    globs: /"?\bspec"?\s*:\s*(?<globs>\[[^\]]*\]|'[^']*'|"[^"]*")/g,
    command: ['npx', 'mocha'],
  },
  {
    id: 'pytest',
    configs: /^(?:pytest\.ini|conftest\.py|tox\.ini)$/,
    manifests: /^(?:pyproject\.toml|setup\.cfg|requirements[\w.-]*\.txt|setup\.py|Pipfile)$/,
    named: /\bpytest\b/,
    convention: /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/,
    globs: /^\s*python_files\s*=\s*(?<globs>.+)$/gm,
    command: ['pytest', '-q'],
  },
  { id: 'go', configs: /^go\.mod$/, convention: /_test\.go$/, command: ['go', 'test'] },
  { id: 'cargo', configs: /^Cargo\.toml$/, convention: /(?:^|\/)tests\/.*\.rs$|(?:^|\/)tests\.rs$/, command: ['cargo', 'test'] },
  { id: 'maven', configs: /^pom\.xml$/, convention: JVM_TEST, command: ['mvn', '-q', 'test'] },
  { id: 'gradle', configs: /^build\.gradle(?:\.kts)?$/, convention: JVM_TEST, command: ['gradle', 'test'] },
  {
    id: 'dotnet',
    configs: /^xunit\.runner\.json$/,
    manifests: /\.(?:cs|fs|vb)proj$/,
    named: /\b(?:Microsoft\.NET\.Test\.Sdk|xunit|NUnit|MSTest)\b/i,
    convention: /(?:Tests?|Specs?)\.(?:cs|fs|vb)$/,
    command: undefined,
    typed: ['dotnet', 'test'],
  },
  {
    id: 'phpunit',
    configs: /^phpunit\.xml(?:\.dist)?$/,
    manifests: /^composer\.json$/,
    named: named('phpunit/phpunit'),
    convention: /Test\.php$/,
    command: undefined,
    typed: ['vendor/bin/phpunit'],
  },
  {
    id: 'rspec',
    configs: /^\.rspec$/,
    manifests: /^(?:Gemfile|[\w.-]+\.gemspec)$/,
    named: /\brspec\b/,
    convention: /_spec\.rb$/,
    command: undefined,
    typed: ['bundle', 'exec', 'rspec'],
  },
];

/** Files that mark a folder as a package. */
export const PACKAGE_MARKS = /^(?:package\.json|pyproject\.toml|setup\.py|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** A framework in use, with the folder that it is run from. */
export interface UsedFramework {
  readonly row: FrameworkRow;
  readonly folder: WorkspacePath;
  /** What its configuration says; empty where that says nothing that is understood. */
  readonly globs: readonly PathTest[];
}

/** Whether a file may tell which frameworks are used. */
export function mayTell(path: WorkspacePath): boolean {
  const name = basename(path);
  return FRAMEWORKS.some(row => row.configs.test(name) || row.manifests?.test(name) === true);
}

/** The frameworks that configurations and manifests name, deepest folder first. */
export function frameworksIn(texts: ReadonlyMap<WorkspacePath, string>): readonly UsedFramework[] {
  const used = new Map<string, UsedFramework>();
  for (const [path, text] of texts) {
    const name = basename(path);
    for (const row of FRAMEWORKS) {
      const isConfig = row.configs.test(name);
      if (!isConfig && !(row.manifests?.test(name) === true && row.named?.test(text) === true)) continue;
      const key = `${row.id} ${dirname(path)}`;
      const globs = [...(used.get(key)?.globs ?? []), ...(row.globs === undefined ? [] : globsIn(text, row.globs))];
      used.set(key, { row, folder: dirname(path), globs });
    }
  }
  const rank = (each: UsedFramework): number => FRAMEWORKS.indexOf(each.row);
  return [...used.values()].sort((a, b) => b.folder.length - a.folder.length || rank(a) - rank(b));
}

/** Whether any framework at all would take it for a test, by its path. */
export function isCalledAsTest(path: WorkspacePath): boolean {
  return FRAMEWORKS.some(row => row.convention.test(path));
}

/** The framework that runs a file; `undefined` when it is no test of any. */
export function frameworkOf(path: WorkspacePath, used: readonly UsedFramework[]): UsedFramework | undefined {
  return used.find(({ row, folder, globs }) => {
    if (folder !== '' && !path.startsWith(`${folder}/`)) return false;
    const inside = folder === '' ? path : path.slice(folder.length + 1);
    return globs.length > 0 ? globs.some(glob => glob.test(inside)) : row.convention.test(inside);
  });
}

function globsIn(text: string, pattern: RegExp): PathTest[] {
  const found = [...text.matchAll(pattern)].flatMap(match => {
    const list = match.groups?.['globs'] ?? '';
    const quoted = [...list.matchAll(/'([^']*)'|"([^"]*)"/g)].map(each => each[1] ?? each[2] ?? '');
    return quoted.length > 0 ? quoted : list.split(/\s+/);
  });
  return found.filter(glob => glob !== '' && glob !== '[' && glob !== ']').map(globPattern);
}
