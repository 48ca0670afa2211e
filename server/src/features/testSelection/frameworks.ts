import type { PathTest } from '../../base/globs';
import { basename, dirname, foldersAbove, type WorkspacePath } from '../../base/path';
import type { TestEnvironment } from '../../workspace/testRunner';
import { globPattern } from '../shared/globs';

export interface FrameworkRow<Id extends string = string> {
  readonly id: Id;
  /** Files whose presence means that it is used. */
  readonly configs?: RegExp;
  /** Manifests in which it may be named. */
  readonly manifests?: RegExp;
  /** How it is named there. */
  readonly named?: RegExp;
  /** Paths, from the folder of the manifest, that are its tests by convention. */
  readonly convention: RegExp;
  /** What all its tests are, where it is made for one category. */
  readonly category?: 'e2e';
  /** Files of code that may hold tests of their own. */
  readonly inSource?: RegExp;
  /** Finds the globs that its configuration gives; they win over the convention. */
  readonly globs?: RegExp;
  /** Its command, without files; `undefined` where none is built in. */
  readonly command: readonly string[] | undefined;
  /** What people type where none is built in: told, never run. */
  readonly typed?: readonly string[];
  /** Where a project keeps an environment of its own that holds its runner. */
  readonly environment?: TestEnvironment;
  /** Arguments that have the command run these files, by path from its folder; the paths themselves without it. `[]` runs all. */
  readonly argumentsFor?: (paths: readonly WorkspacePath[]) => readonly string[];
  /** Arguments that have the command run these cases and no others; `undefined` where it cannot. */
  readonly argumentsForCases?: (cases: readonly NamedCase[]) => readonly string[] | undefined;
  /** Arguments by which the report names each test that was asked for, where it would not. */
  readonly namesTests?: readonly string[];
  /** How people start it in a shell. */
  readonly started?: RegExp;
  readonly report?: ReportRow;
  /** A file that fails to load ends the whole run, and not only its own part: nothing else is run either. */
  readonly stopsAtLoad?: true;
  /** A line that opens a group of tests, whose body runs when its file is loaded. */
  readonly group?: RegExp;
  /** Files that are loaded before the tests below their folder, without being imported; names without their folder. */
  readonly loadsFirst?: RegExp;
  /** Finds the names that a file of tests imports, group `names`, where classes of tests among them are run again with that file. */
  readonly runsImported?: RegExp;
}

/** A case of a file. */
export interface NamedCase {
  /** From the folder that the command runs in. */
  readonly path: WorkspacePath;
  /** Groups around it, outermost first, then its own name. */
  readonly names: readonly string[];
  /** Of a block with a title in a class, not a method: the classes around it. */
  readonly blockOf?: readonly string[];
  /** 1-based line that it starts at. */
  readonly line: number;
  /** All cases of the group so called. */
  readonly isGroup?: true;
}

export type Counting = Readonly<Record<'passed' | 'failed' | 'skipped', RegExp>>;

/** How the report of a framework is read. All patterns of counts and failures are global. */
export interface ReportRow {
  /** Lines that count tests; the others may speak of anything. All lines without it. */
  readonly counting?: RegExp;
  /** Group `n` of each is a number to add up; without `n`, each match is one. `N passed`, `N failed`, `N skipped` without it. */
  readonly counts?: Counting;
  /** Where the report names each test and this pattern finds that, how these are counted instead. Not global. */
  readonly detailed?: { readonly sign: RegExp; readonly counts: Counting };
  /** The line that begins a test of this name, where what it prints stands before the line that says that it failed. */
  readonly beginning?: (test: string) => string;
  /** What passed is counted with what failed and what was skipped. */
  readonly countsAll?: true;
  /** The line above the failures of a file that names it, with the group `file`, where those do not. Global. */
  readonly heading?: RegExp;
  /**
   * What the report prints of the failure of a test before it lists what failed, without the heading: a global pattern with the group `text`. The lines of it
   * that begin with a file and a line number say where it failed.
   */
  readonly printed?: (test: string) => RegExp;
  /** A failed test: groups `test` (none where a file fails to load), and where the line has them `part` (one of several that the test fails in), `file`, `line`, `message`. */
  readonly failed?: RegExp;
  /** What became of a test, where the report says it of each: groups `test` (with its row of parameters), `verdict`, and where the line has it `file`. Global. */
  readonly verdict?: RegExp;
}

const SCRIPT = String.raw`\.[cm]?[jt]sx?$`;
const SCRIPT_TEST = new RegExp(String.raw`\.(?:test|spec)${SCRIPT}|(?:^|/)__tests__/.*${SCRIPT}`);
const PACKAGE = /^package\.json$/;
const named = (name: string): RegExp => new RegExp(String.raw`"${name}"\s*:`);
const JVM_TEST = /(?:Test|Tests|IT)\.(?:java|kt)$/;

const classOf = (path: WorkspacePath): string => basename(path).replace(/\.[^.]+$/, '');

const distinct = (words: readonly string[]): readonly string[] => [...new Set(words)];
const filesOf = (cases: readonly NamedCase[]): readonly string[] => distinct(cases.map(({ path }) => path));
const placesOf = (cases: readonly NamedCase[]): readonly string[] => distinct(cases.map(({ path, line }) => `${path}:${line}`));

/** Its headings name a method with dots, and are at least as wide as the report. */
const pytestSection = (test: string): RegExp =>
  new RegExp(String.raw`^_+ (?:ERROR at \w+ of )?${escaped(test.replaceAll('::', '.'))} _+\n(?<text>[^]*?)(?=^(?:_+ [^_\s].* _+|=+ .* =+)$)`, 'gm');

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** A pattern that takes the full titles of some cases; what a title is filled with for each row of a table may be anything. */
function titlePattern(cases: readonly NamedCase[]): string {
  const titles = cases.map(({ names, isGroup }) => {
    const parts = names.join(' ').split(/%[sdifjoOp#%]|\$\{[^}]*\}|\$[\w.#]+/);
    return `${parts.map(escaped).join('.*')}${isGroup === true ? ' .*' : ''}`;
  });
  return `^(?:${distinct(titles).join('|')})$`;
}

/** Methods by their class, those inside others joined by `$`; none where blocks of the class are to run: its runner has no name for them. */
function methodsByClass(cases: readonly NamedCase[]): ReadonlyMap<string, readonly string[]> {
  const classes = new Map<string, readonly string[]>();
  for (const { names, blockOf } of cases) {
    const owner = (blockOf ?? names.slice(0, -1)).join('$');
    const known = classes.get(owner);
    classes.set(owner, blockOf !== undefined || known?.length === 0 ? [] : distinct([...(known ?? []), names.at(-1) ?? '']));
  }
  return classes;
}

/** Its short report says how many packages pass, the long one how many tests. */
const goPackages = (paths: readonly WorkspacePath[]): readonly string[] => ['-v', ...distinct(paths.map(path => `./${dirname(path)}`))];

/** Each level of a name is a pattern of its own: subtests alone are run where they are all of one test, else by the function around them. */
function goCases(cases: readonly NamedCase[]): readonly string[] | undefined {
  const tests = distinct(cases.map(({ names }) => names[0] ?? ''));
  if (!tests.every(name => /^(?:Test|Example|Fuzz)/.test(name))) return undefined;
  const subtests = tests.length === 1 && cases.every(({ names }) => names.length === 2) ? cases.map(({ names }) => names[1] ?? '') : [];
  // A slash begins the next level, and values are not known before they run.
  const areKnown = subtests.length > 0 && subtests.every(title => /^[^/%$\p{C}]+$/u.test(title));
  const last = areKnown ? `/^(?:${distinct(subtests.map(title => escaped(title.replace(/\s/g, '_')))).join('|')})$` : '';
  return [...goPackages(cases.map(({ path }) => path)), '-run', `^(?:${tests.join('|')})$${last}`];
}

const JVM_COUNTS = { passed: /Tests run: (?<n>\d+)/g, failed: /(?:Failures|Errors): (?<n>\d+)/g, skipped: /Skipped: (?<n>\d+)/g };

/** Every test framework that is known: all there is to say of one stands in its row. Where several take a file, the first does. */
export const FRAMEWORKS = [
  {
    id: 'playwright',
    started: /\bplaywright\s+test\b/,
    category: 'e2e',
    configs: /^playwright\.config\.[cm]?[jt]s$/,
    convention: new RegExp(String.raw`(?:^|/)(?:e2e|playwright)/.*${SCRIPT}|\.e2e${SCRIPT}`),
    globs: /\b(?:testDir|testMatch)\s*:\s*(?<globs>\[[^\]]*\]|'[^']*'|"[^"]*")/g,
    command: ['npx', 'playwright', 'test'],
    argumentsForCases: placesOf,
    report: {
      counting: /^\s*\d+ (?:passed|failed|skipped)\b.*$/gm,
      failed: /^ {2}\d+\) (?<test>.*?(?<file>[^\s:]+):(?<line>\d+):\d+ › .+?)(?: ─+)?$/gm,
    },
  },
  {
    id: 'cypress',
    started: /\bcypress\s+run\b/,
    category: 'e2e',
    configs: /^cypress\.(?:config\.[cm]?[jt]s|json)$/,
    convention: new RegExp(String.raw`(?:^|/)cypress/.*${SCRIPT}|\.cy${SCRIPT}`),
    globs: /\bspecPattern\s*:\s*(?<globs>\[[^\]]*\]|'[^']*'|"[^"]*")/g,
    command: undefined,
  },
  {
    id: 'vitest',
    started: /\bvitest\b/,
    configs: /^vitest\.config\.[cm]?[jt]s$/,
    manifests: PACKAGE,
    named: named('vitest'),
    convention: SCRIPT_TEST,
    globs: /\binclude\s*:\s*(?<globs>\[[^\]]*\])/g,
    command: ['npx', 'vitest', 'run'],
    argumentsForCases: cases => [...filesOf(cases), '-t', titlePattern(cases)],
    // The name of a project may stand before the file; one that fails to load stands alone, with its path again.
    report: {
      counting: /^\s*Tests\s+.*$/gm,
      failed: /^ ?FAIL {2}(?:\|[^|\n]+\| | \S.*? {2})?(?<file>\S+)(?: > (?<test>.+)| \[ \S+ \])$/gm,
    },
  },
  {
    id: 'jest',
    started: /\bjest\b/,
    configs: /^jest\.config\.(?:[cm]?[jt]s|json)$/,
    manifests: PACKAGE,
    named: named('jest'),
    convention: SCRIPT_TEST,
    globs: /"?\btestMatch"?\s*:\s*(?<globs>\[[^\]]*\])/g,
    command: ['npx', 'jest'],
    argumentsForCases: cases => [...filesOf(cases), '-t', titlePattern(cases)],
    // What the tests of a file log stands under a bullet, too.
    report: {
      counting: /^Tests:\s+.*$/gm,
      heading: /^(?:PASS|FAIL) .*?(?<file>\S+\.\w+)(?: \(.*\))?$/gm,
      failed: /^ {2}● (?:Test suite failed to run|(?!Console$)(?<test>.+))$/gm,
    },
  },
  {
    id: 'mocha',
    started: /\bmocha\b/,
    configs: /^\.mocharc\.(?:[cm]?js|json|ya?ml)$/,
    manifests: PACKAGE,
    named: named('mocha'),
    convention: new RegExp(String.raw`(?:^|/)tests?/.*${SCRIPT}|\.(?:test|spec)${SCRIPT}`),
    globs: /"?\bspec"?\s*:\s*(?<globs>\[[^\]]*\]|'[^']*'|"[^"]*")/g,
    command: ['npx', 'mocha'],
    stopsAtLoad: true,
    group: /^\s*(?:describe|context|suite)\b/,
    argumentsForCases: cases => [...filesOf(cases), '--grep', titlePattern(cases)],
    // A test stands below its groups, each on a line of its own.
    report: {
      counting: /^\s*\d+ (?:passing|failing|pending)\b.*$/gm,
      failed: /^ {2}\d+\) (?<test>\S.*(?:\n {7,}\S.*)*):\n(?= {0,6}\S| *\n)/gm,
    },
  },
  {
    id: 'node',
    started: /\bnode\b[^|;&\n]*\s--test\b/,
    manifests: PACKAGE,
    // Borp starts the same runner.
    named: /\bnode\b[^"]*\s--test\b|"borp"\s*:/,
    // https://nodejs.org/api/test.html#running-tests-from-the-command-line
    convention: new RegExp(String.raw`(?:^|/)test/.*${SCRIPT}|(?:^|/)(?:[^/]*[.\-_])?test${SCRIPT}|(?:^|/)test-[^/]*${SCRIPT}`),
    command: ['node', '--test', '--test-reporter=spec'],
    // By file: what a pattern of names takes, groups and parts of tests above all, differs between versions.
    report: {
      // A test of which a part failed is counted as well, and not listed.
      counts: { passed: /^ℹ pass (?<n>\d+)$/gm, failed: /^test at \S.*:\d+:\d+$/gm, skipped: /^ℹ (?:skipped|todo) (?<n>\d+)$/gm },
      failed: /^test at (?<file>\S.*):(?<line>\d+):\d+\n✖ (?<test>.+?) \([\d.]+ms\)$/gm,
    },
  },
  {
    id: 'pytest',
    started: /\b(?:pytest|py\.test)\b/,
    configs: /^(?:pytest\.ini|conftest\.py|tox\.ini)$/,
    manifests: /^(?:pyproject\.toml|setup\.cfg|requirements[\w.-]*\.txt|setup\.py|Pipfile)$/,
    named: /\bpytest\b/,
    convention: /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/,
    globs: /^\s*python_files\s*=\s*(?<globs>.+)$/gm,
    command: ['pytest', '-q'],
    environment: { folders: ['.venv', 'venv', 'env'], marker: 'pyvenv.cfg', variable: 'VIRTUAL_ENV' },
    stopsAtLoad: true,
    loadsFirst: /^conftest\.py$/,
    runsImported: /^from\s+\S+\s+import\s+(?<names>\([^)]*\)|[^(\n]*)/gm,
    argumentsForCases: cases => distinct(cases.map(({ path, names }) => [path, ...names].join('::'))),
    // One more than its command takes away.
    namesTests: ['-vv'],
    report: {
      counting: /^.*\b\d+ (?:passed|failed|skipped|errors?)\b.* in [\d.]+s.*$/gm,
      counts: { passed: /(?<n>\d+) passed/g, failed: /(?<n>\d+) (?:failed|errors?)\b/g, skipped: /(?<n>\d+) skipped/g },
      printed: pytestSection,
      verdict: /^(?<file>[^\s:][^:\n]*)::(?<test>[^\s[]+(?:\[.*\])?) (?<verdict>PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)\b/gm,
      // Of an error in what a test sets up it says so, and of one in a file. Rows of parameters may have spaces; parts of a test are named before it.
      failed:
        /^(?:FAILED|ERROR|SUBFAILED(?<part>.+?[)\]])) (?<file>\S+\.py(?= - |$)|[^\s:([][^:\n]*(?=::))(?:::(?<test>[^\s[]+(?:\[.*?\](?= - |$))?))?(?: - (?<message>.*(?:\n {2}.*)*))?$/gm,
    },
  },
  {
    id: 'go',
    started: /\bgo\s+test\b/,
    configs: /^go\.mod$/,
    convention: /_test\.go$/,
    command: ['go', 'test'],
    argumentsFor: goPackages,
    argumentsForCases: goCases,
    report: {
      // A report without `-v` says which packages pass and which tests do not.
      counts: { passed: /^ok\s+\S+/gm, failed: /^--- FAIL: \S+/gm, skipped: /^--- SKIP: \S+/gm },
      detailed: { sign: /^=== RUN/m, counts: { passed: /^--- PASS: \S+/gm, failed: /^--- FAIL: \S+/gm, skipped: /^--- SKIP: \S+/gm } },
      beginning: test => `=== RUN   ${test}\n`,
      failed: /^ *--- FAIL: (?<test>\S+)/gm,
      verdict: /^ *--- (?<verdict>PASS|FAIL|SKIP): (?<test>\S+)/gm,
    },
  },
  {
    id: 'cargo',
    started: /\bcargo\s+(?:test|nextest)\b/,
    configs: /^Cargo\.toml$/,
    convention: /(?:^|\/)tests\/.*\.rs$|(?:^|\/)tests\.rs$/,
    inSource: /\.rs$/,
    command: ['cargo', 'test'],
    argumentsFor: paths => {
      const targets = paths.map(path => /^tests\/(?<name>[^/]+)\.rs$/.exec(path)?.groups?.['name']);
      return targets.every(target => target !== undefined) ? targets.flatMap(target => ['--test', target]) : [];
    },
    argumentsForCases: cases => ['--', ...distinct(cases.map(({ names }) => names.join('::')))],
    report: {
      counting: /^test result: .*$/gm,
      failed: /^test (?<test>\S+) \.\.\. FAILED$/gm,
      verdict: /^test (?<test>\S+) \.\.\. (?<verdict>ok|FAILED|ignored)/gm,
    },
  },
  {
    id: 'maven',
    started: /\bmvnw?\b.*\b(?:test|verify|install|package)\b/,
    configs: /^pom\.xml$/,
    convention: JVM_TEST,
    command: ['mvn', '-q', 'test'],
    argumentsFor: paths => [`-Dtest=${paths.map(classOf).join(',')}`],
    argumentsForCases: cases => [
      `-Dtest=${[...methodsByClass(cases)].map(([owner, methods]) => (methods.length === 0 ? owner : `${owner}#${methods.join('+')}`)).join(',')}`,
    ],
    report: {
      counting: /Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+(?!.*Time elapsed).*$/gm,
      counts: JVM_COUNTS,
      countsAll: true,
      failed: /^\[ERROR\]\s+(?<test>[\w.$]+\.[\w$]+):(?<line>\d+)(?<message>.*)$/gm,
    },
  },
  {
    id: 'gradle',
    started: /\bgradlew?\b.*\b(?:test|check|build)\b/,
    configs: /^build\.gradle(?:\.kts)?$/,
    convention: JVM_TEST,
    command: ['gradle', 'test'],
    argumentsFor: paths => paths.flatMap(path => ['--tests', classOf(path)]),
    argumentsForCases: cases =>
      [...methodsByClass(cases)]
        .flatMap(([owner, methods]) => (methods.length === 0 ? [`*${owner}`] : methods.map(method => `*${owner}.${method}`)))
        .flatMap(name => ['--tests', name]),
    report: { counts: JVM_COUNTS, countsAll: true, failed: /^(?<test>\S+ > .+) FAILED$/gm },
  },
  {
    id: 'dotnet',
    started: /\bdotnet\s+test\b/,
    configs: /^xunit\.runner\.json$/,
    manifests: /\.(?:cs|fs|vb)proj$/,
    named: /\b(?:Microsoft\.NET\.Test\.Sdk|xunit|NUnit|MSTest)\b/i,
    convention: /(?:Tests?|Specs?)\.(?:cs|fs|vb)$/,
    command: undefined,
    typed: ['dotnet', 'test'],
    argumentsFor: paths => ['--filter', paths.map(path => `FullyQualifiedName~${classOf(path)}`).join('|')],
    argumentsForCases: cases => ['--filter', distinct(cases.map(({ names }) => `FullyQualifiedName~${names.slice(-2).join('.')}`)).join('|')],
  },
  {
    id: 'phpunit',
    started: /\bphpunit\b/,
    configs: /^phpunit\.xml(?:\.dist)?$/,
    manifests: /^composer\.json$/,
    named: named('phpunit/phpunit'),
    convention: /Test\.php$/,
    command: undefined,
    typed: ['vendor/bin/phpunit'],
    argumentsFor: paths => ['--filter', paths.map(classOf).join('|')],
    argumentsForCases: cases => ['--filter', `(?:${distinct(cases.map(({ names }) => names.slice(-2).join('::'))).join('|')})(?: with data set .*)?$`],
  },
  {
    id: 'rspec',
    started: /\brspec\b/,
    configs: /^\.rspec$/,
    manifests: /^(?:Gemfile|[\w.-]+\.gemspec)$/,
    named: /\brspec\b/,
    convention: /_spec\.rb$/,
    command: undefined,
    typed: ['bundle', 'exec', 'rspec'],
    stopsAtLoad: true,
    group: /^\s*(?:RSpec\.)?(?:describe|context|feature|shared_examples\w*|shared_context)\b/,
    argumentsForCases: placesOf,
  },
  {
    id: 'minitest',
    started: /\bruby\b.*\btest\b.*\.rb\b|\bminitest\b/,
    manifests: /^(?:Gemfile|Rakefile|[\w.-]+\.gemspec)$/,
    named: /\b(?:minitest|test-unit|Rake::TestTask)\b/,
    convention: /(?:^|\/)(?:(?:test|spec)_[^/]*|[^/]*_(?:test|spec))\.rb$/,
    command: undefined,
    typed: ['bundle', 'exec', 'rake', 'test'],
    stopsAtLoad: true,
    group: /^\s*(?:describe|context|test_case)\b/,
    // Rake takes a glob there.
    argumentsFor: paths => [`TEST=${paths.length === 1 ? (paths[0] ?? '') : `{${paths.join(',')}}`}`],
    report: {
      counting: /^\d+ (?:runs|tests), .*$/gm,
      counts: { passed: /(?<n>\d+) (?:runs|tests)\b/g, failed: /(?<n>\d+) (?:failures|errors)\b/g, skipped: /(?<n>\d+) (?:skips|omissions)\b/g },
      countsAll: true,
      failed: /^\s+\d+\) (?:Failure|Error):\n(?<test>\S.*?)(?: \[(?<file>[^\s:\]]+):(?<line>\d+)\])?:$/gm,
    },
  },
] as const satisfies readonly FrameworkRow[];

export type Framework = (typeof FRAMEWORKS)[number]['id'];

/** What a file of tests may be run by. */
export const FRAMEWORK_NAMES: readonly [Framework | 'unknown', ...Framework[]] = ['unknown', ...FRAMEWORKS.map(row => row.id)];

const ROWS: readonly FrameworkRow<Framework>[] = FRAMEWORKS;

/** Row of a framework by its name; `undefined` for what is none. */
export function frameworkRow(id: string): FrameworkRow | undefined {
  return ROWS.find(row => row.id === id);
}

/** Scripts, task runners and other programs behind which tests run: only their report tells of which framework. */
const STARTERS = /\b(?:(?:npm|pnpm|yarn|bun|deno)\s+(?:run\s+)?test\S*|make\s+(?:test|check)|rake\s+(?:test|spec)|tox|nox|ctest|unittest)\b/;

/** Frameworks whose report a command may print, likeliest first; none for a command that starts no tests. */
export function frameworksStartedBy(command: string): readonly FrameworkRow[] {
  const named = ROWS.filter(row => row.started?.test(command) === true);
  if (named.length > 0) return named;
  return STARTERS.test(command) ? ROWS.filter(row => row.report?.counting !== undefined) : [];
}

/** A framework in use, with the folder that it is run from. */
export interface UsedFramework {
  readonly row: FrameworkRow<Framework>;
  readonly folder: WorkspacePath;
  /** What its configuration says; empty where that says nothing that is understood. */
  readonly globs: readonly PathTest[];
}

/** Whether a file may tell which frameworks are used. */
export function mayIdentifyFramework(path: WorkspacePath): boolean {
  const name = basename(path);
  return ROWS.some(row => row.configs?.test(name) === true || row.manifests?.test(name) === true);
}

/**
 * The frameworks that configurations and manifests name, deepest folder first. A file that is only loaded before the tests below it (`conftest.py`) says
 * that a framework is used, not where it is run from: that is a folder above with a configuration or a manifest, as its users type it.
 */
export function frameworksIn(texts: ReadonlyMap<WorkspacePath, string>): readonly UsedFramework[] {
  const used = new Map<string, UsedFramework>();
  const loaded: { readonly row: FrameworkRow<Framework>; readonly folder: WorkspacePath }[] = [];
  for (const [path, text] of texts) {
    const name = basename(path);
    for (const row of ROWS) {
      const isConfig = row.configs?.test(name) === true;
      if (isConfig && row.loadsFirst?.test(name) === true) {
        loaded.push({ row, folder: dirname(path) });
        continue;
      }
      if (!isConfig && !(row.manifests?.test(name) === true && row.named?.test(text) === true)) continue;
      const key = `${row.id} ${dirname(path)}`;
      const globs = [...(used.get(key)?.globs ?? []), ...(row.globs === undefined ? [] : globsIn(text, row.globs))];
      used.set(key, { row, folder: dirname(path), globs });
    }
  }
  for (const { row, folder } of loaded.sort((a, b) => a.folder.length - b.folder.length)) {
    const above = [...new Set([folder, ...foldersAbove(folder), ''])];
    if (above.some(each => used.has(`${row.id} ${each}`))) continue;
    const manifests = new Set([...texts.keys()].filter(path => row.manifests?.test(basename(path)) === true).map(dirname));
    const home = above.find(each => manifests.has(each)) ?? folder;
    used.set(`${row.id} ${home}`, { row, folder: home, globs: [] });
  }
  const rank = (each: UsedFramework): number => ROWS.indexOf(each.row);
  return [...used.values()].sort((a, b) => b.folder.length - a.folder.length || rank(a) - rank(b));
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
