import type { WorkspacePath } from '../../base/path';

export interface TestFailure {
  readonly test: string;
  readonly file?: WorkspacePath;
  readonly line?: number;
  /** At most 500 characters. */
  readonly message: string;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

type Counter = Readonly<Record<keyof TestCounts, RegExp>>;

const SUMMARY: Counter = {
  passed: /(?<n>\d+) pass(?:ed|ing)/g,
  failed: /(?<n>\d+) fail(?:ed|ing|ures?)?\b/g,
  skipped: /(?<n>\d+) (?:skipped|pending|ignored|todo)/g,
};
const JVM: Counter = { passed: /Tests run: (?<n>\d+)/g, failed: /(?:Failures|Errors): (?<n>\d+)/g, skipped: /Skipped: (?<n>\d+)/g };
const GO: Counter = { passed: /^ok\s+(?<n>\S+)/gm, failed: /^--- FAIL: (?<n>\S+)/gm, skipped: /^--- SKIP: (?<n>\S+)/gm };

/** Lines of a report that count tests; the others may speak of anything. */
const COUNTING: Readonly<Record<string, RegExp>> = {
  vitest: /^\s*Tests\s+.*$/gm,
  jest: /^Tests:\s+.*$/gm,
  mocha: /^\s*\d+ (?:passing|failing|pending)\b.*$/gm,
  playwright: /^\s*\d+ (?:passed|failed|skipped)\b.*$/gm,
  pytest: /^.*\b\d+ (?:passed|failed|skipped|errors?)\b.* in [\d.]+s.*$/gm,
  cargo: /^test result: .*$/gm,
  maven: /Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+(?!.*Time elapsed).*$/gm,
};

/** How many tests did what, as the framework's own report says; Go counts packages that pass and tests that do not. */
export function countsIn(framework: string, output: string): TestCounts {
  if (framework === 'go') return { passed: found(output, GO.passed), failed: found(output, GO.failed), skipped: found(output, GO.skipped) };
  const pattern = COUNTING[framework];
  const lines = pattern === undefined ? output : [...output.matchAll(pattern)].map(match => match[0]).join('\n');
  const counter = framework === 'maven' || framework === 'gradle' ? JVM : SUMMARY;
  const counts = { passed: sum(lines, counter.passed), failed: sum(lines, counter.failed), skipped: sum(lines, counter.skipped) };
  return counter === JVM ? { ...counts, passed: Math.max(0, counts.passed - counts.failed - counts.skipped) } : counts;
}

function found(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

function sum(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((total, match) => total + Number(match.groups?.['n'] ?? 0), 0);
}

const FAILED: Readonly<Record<string, RegExp>> = {
  vitest: /^ ?FAIL {2}(?<file>\S+) > (?<test>.+)$/gm,
  jest: /^ {2}● (?<test>.+)$/gm,
  mocha: /^ {2}\d+\) (?<test>.+)$/gm,
  playwright: /^ {2}\d+\) (?<test>.*?(?<file>[^\s:]+):(?<line>\d+):\d+ › .+?)(?: ─+)?$/gm,
  pytest: /^FAILED (?<file>[^\s:]+)::(?<test>\S+)(?: - (?<message>.*))?$/gm,
  go: /^--- FAIL: (?<test>\S+)/gm,
  cargo: /^test (?<test>\S+) \.\.\. FAILED$/gm,
  maven: /^\[ERROR\]\s+(?<test>[\w.$]+\.[\w$]+):(?<line>\d+)(?<message>.*)$/gm,
  gradle: /^(?<test>\S+ > .+) FAILED$/gm,
};

const MAX_FAILURES = 50;
const MAX_MESSAGE = 500;

/** Each failed test once, with the first lines of what the report says after its name. */
export function failuresIn(framework: string, output: string): readonly TestFailure[] {
  const pattern = FAILED[framework];
  const failures = new Map<string, TestFailure>();
  for (const match of pattern === undefined ? [] : output.matchAll(pattern)) {
    const { test = '', file, line, message } = match.groups ?? {};
    const rest = output
      .slice(match.index + match[0].length)
      .split('\n')
      .map(each => each.trim())
      .filter(each => each !== '');
    const said = (message ?? rest.slice(0, 4).join('\n')).trim();
    const place = file === undefined ? /(?<file>[\w./-]+\.\w+):(?<line>\d+)/.exec(said)?.groups : undefined;
    const where = file ?? place?.['file'];
    const at = line ?? place?.['line'];
    const key = `${file ?? ''} ${test}`;
    if (failures.has(key) || failures.size >= MAX_FAILURES) continue;
    failures.set(key, {
      test,
      ...(where === undefined ? {} : { file: where }),
      ...(at === undefined ? {} : { line: Number(at) }),
      message: said.slice(0, MAX_MESSAGE),
    });
  }
  return [...failures.values()];
}
