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
  const { counting, counts: short = COUNTS, countsAll, detailed } = frameworkRow(framework)?.report ?? {};
  const counts = detailed?.sign.test(output) === true ? detailed.counts : short;
  const lines = counting === undefined ? output : [...output.matchAll(counting)].map(match => match[0]).join('\n');
  const counted = { passed: sum(lines, counts.passed), failed: sum(lines, counts.failed), skipped: sum(lines, counts.skipped) };
  return countsAll === true ? { ...counted, passed: Math.max(0, counted.passed - counted.failed - counted.skipped) } : counted;
}

function sum(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((total, match) => total + Number(match.groups?.['n'] ?? 1), 0);
}

const MAX_FAILURES = 1000;
const MAX_MESSAGE = 500;
const MAX_LINES = 4;
const PLACE = /(?<file>[\w./-]+\.\w+):(?<line>\d+)/;

function firstLines(text: string): string {
  const lines = text.split('\n').map(each => each.trim());
  return lines
    .filter(each => each !== '')
    .slice(0, MAX_LINES)
    .join('\n');
}

/** What a test printed between its beginning and its end: from the first line that names a place, without the lines of the report itself. */
function printedIn(text: string): string {
  const lines = text.split('\n').filter(each => !/^\s*(?:===|---) /.test(each));
  const at = lines.findIndex(each => /^\s+\S+\.\w+:\d+:/.test(each));
  return firstLines(lines.slice(Math.max(0, at)).join('\n'));
}

/** Each failed test once, with the first lines of what the report says after its name. */
export function failuresIn(framework: string, output: string): readonly TestFailure[] {
  const { beginning, failed: pattern } = frameworkRow(framework)?.report ?? {};
  const failures = new Map<string, TestFailure>();
  for (const match of pattern === undefined ? [] : output.matchAll(pattern)) {
    const { test: title = '', file, line, message } = match.groups ?? {};
    const test = title.replaceAll(/\n\s*/g, ' > ');
    const begun = beginning === undefined ? -1 : output.lastIndexOf(beginning(test), match.index);
    const failureText = (message ?? (begun < 0 ? firstLines(output.slice(match.index + match[0].length)) : printedIn(output.slice(begun, match.index)))).trim();
    const place = file === undefined ? PLACE.exec(failureText)?.groups : undefined;
    const where = file ?? place?.['file'];
    const at = line ?? place?.['line'];
    const key = `${file ?? ''} ${test}`;
    if (failures.has(key) || failures.size >= MAX_FAILURES) continue;
    failures.set(key, {
      test,
      ...(where === undefined ? {} : { file: where }),
      ...(at === undefined ? {} : { line: Number(at) }),
      message: failureText.slice(0, MAX_MESSAGE),
    });
  }
  return [...failures.values()];
}
