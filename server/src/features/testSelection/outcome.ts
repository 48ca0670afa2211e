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

/** A test that was skipped, with all of its rows of parameters. */
export const skippedTestShape = shape(() =>
  object({
    /** As the report of the framework names it. */
    test: z.string(),
    /** Workspace path, where the report says it. */
    file: optional(z.string()),
  }),
);
export type SkippedTest = Shaped<typeof skippedTestShape>;

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

/** The last line of a file that is named in what was printed of a test; tests of one name in other files do not name it. */
function lineIn(output: string, printed: RegExp, file: string): string | undefined {
  const sections = [...output.matchAll(printed)].flatMap(match => match.groups?.['text'] ?? []);
  const places = sections.flatMap(text => text.split('\n').filter(line => line.startsWith(`${file}:`)));
  return /^\d+/.exec(places.at(-1)?.slice(file.length + 1) ?? '')?.[0];
}

interface Section {
  /** All that is printed before the failure is named, what is printed of it then, and what of that its message is. */
  readonly before: string;
  readonly after: string;
  readonly message: string;
}

/** Where a test failed: as the line with its name says, else the first place in its file that the report tells, else the first place at all. */
function placeOf(
  { file, line, test = '' }: Groups,
  { printed }: ReportRow,
  { after, before, message }: Section,
): { readonly file?: string; readonly line?: number } {
  if (file === undefined) {
    const place = PLACE.exec(message)?.groups;
    return place === undefined ? {} : { file: place['file'] ?? '', line: Number(place['line']) };
  }
  const at = line ?? (printed === undefined ? firstLineOf(file, after) : lineIn(before, printed(test), file));
  return { file, ...(at === undefined ? {} : { line: Number(at) }) };
}

function firstLineOf(file: string, text: string): string | undefined {
  const at = text.indexOf(`${file}:`);
  return at < 0 ? undefined : /^\d+/.exec(text.slice(at + file.length + 1))?.[0];
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Each failed test once, with the first lines of what the report says after its name. */
export function failuresIn(framework: string, output: string): readonly TestFailure[] {
  const report = frameworkRow(framework)?.report ?? {};
  const headings = report.heading === undefined ? [] : [...output.matchAll(report.heading)];
  const found = report.failed === undefined ? [] : [...output.matchAll(report.failed)];
  const failures = new Map<string, TestFailure>();
  for (const [at, match] of found.entries()) {
    const heading = headings.findLast(({ index }) => index < match.index)?.groups;
    const groups: Groups = { ...heading, ...match.groups, file: match.groups?.['file'] ?? heading?.['file'] };
    const { file, part, test: title = file ?? '' } = groups;
    const test = `${title.replaceAll(/\n\s*/g, ' > ')}${part === undefined ? '' : `[${part.trim()}]`}`;
    const key = `${file ?? ''} ${test}`;
    if (failures.has(key) || failures.size >= MAX_FAILURES) continue;
    const before = output.slice(0, match.index);
    const after = output.slice(match.index + match[0].length, found[at + 1]?.index);
    const begun = report.beginning === undefined ? -1 : before.lastIndexOf(report.beginning(test));
    const message = (groups['message'] ?? (begun < 0 ? firstLines(after) : printedIn(before.slice(begun)))).trim();
    failures.set(key, { test, ...placeOf(groups, report, { before, after, message }), message: message.slice(0, MAX_MESSAGE) });
  }
  return [...failures.values()];
}

const SKIPPED: ReadonlySet<string> = new Set(['SKIPPED', 'SKIP', 'ignored']);

/** Tests that were skipped, where the report says of each test what became of it. */
export function skippedIn(framework: string, output: string): readonly SkippedTest[] {
  const { verdict } = frameworkRow(framework)?.report ?? {};
  if (verdict === undefined) return [];
  const tests = new Map<string, { readonly skipped: SkippedTest; readonly isSkipped: boolean }>();
  for (const { groups = {} } of output.matchAll(verdict)) {
    const { file } = groups;
    const test = (groups['test'] ?? '').replace(/\[.*$/s, '');
    const key = `${file ?? ''} ${test}`;
    const isSkipped = SKIPPED.has(groups['verdict'] ?? '') && tests.get(key)?.isSkipped !== false;
    tests.set(key, { skipped: { test, ...(file === undefined ? {} : { file }) }, isSkipped });
  }
  return [...tests.values()]
    .filter(({ isSkipped }) => isSkipped)
    .map(({ skipped }) => skipped)
    .slice(0, MAX_FAILURES);
}
