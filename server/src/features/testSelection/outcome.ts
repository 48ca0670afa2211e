import { z } from 'zod';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { frameworkRow, type ReportRow } from './frameworks';

/** A failed test. */
export const testFailureShape = shape(() =>
  object({
    /** As the report of the framework names it. */
    test: z.string(),
    /** Workspace path, where the report says it. */
    file: optional(z.string()),
    /** 1-based. */
    line: optional(z.number()),
    /** At most 500 characters. */
    message: z.string(),
  }),
);
export type TestFailure = Shaped<typeof testFailureShape>;

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const COUNTS: NonNullable<ReportRow['counts']> = {
  passed: /(?<n>\d+) pass(?:ed|ing)/g,
  failed: /(?<n>\d+) fail(?:ed|ing|ures?)?\b/g,
  skipped: /(?<n>\d+) (?:skipped|pending|ignored|todo)/g,
};

/** How many tests did what, as the framework's own report says; zeros where it says nothing. */
export function countsIn(framework: string, output: string): TestCounts {
  const { counting, counts = COUNTS, countsAll } = frameworkRow(framework)?.report ?? {};
  const lines = counting === undefined ? output : [...output.matchAll(counting)].map(match => match[0]).join('\n');
  const counted = { passed: sum(lines, counts.passed), failed: sum(lines, counts.failed), skipped: sum(lines, counts.skipped) };
  return countsAll === true ? { ...counted, passed: Math.max(0, counted.passed - counted.failed - counted.skipped) } : counted;
}

function sum(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((total, match) => total + Number(match.groups?.['n'] ?? 1), 0);
}

const MAX_FAILURES = 50;
const MAX_MESSAGE = 500;

/** Each failed test once, with the first lines of what the report says after its name. */
export function failuresIn(framework: string, output: string): readonly TestFailure[] {
  const pattern = frameworkRow(framework)?.report?.failed;
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
