import type { ImpactAnswer } from '../../../features/impact/impact';
import type { Profile } from '../../envelope';
import { count } from '../outcome';

type Coverage = NonNullable<ImpactAnswer['coverage']>;

/** What an answer tells of coverage: but in the debug profile only the functions with most uncovered lines, and how many tests ran them. */
export interface CoverageRows extends Omit<Coverage, 'tests'> {
  readonly tests?: Coverage['tests'];
  /** Tests that ran some of the code. */
  readonly ranBy?: number;
  /** Functions and lines that are not listed. */
  readonly more?: { readonly symbols: number };
}

const MAX_SYMBOLS = 5;
const MAX_PROBLEMS = 2;

export function coverageRows(coverage: Coverage, profile: Profile): CoverageRows {
  const { tests, ...rest } = coverage;
  const ranBy = tests.length === 0 ? {} : { ranBy: tests.length };
  if (profile === 'debug') return { ...coverage, ...ranBy };
  const left = rest.symbols.length - MAX_SYMBOLS;
  return {
    ...rest,
    symbols: rest.symbols.slice(0, MAX_SYMBOLS),
    problems: rest.problems.slice(0, MAX_PROBLEMS),
    ...ranBy,
    ...(left > 0 ? { more: { symbols: left } } : {}),
  };
}

/** ` 3 of 20 lines not covered (coverage.xml, 3 h old).`: in the summary, because a small budget has no room for more. */
export function coverageSentence(coverage: ImpactAnswer['coverage']): string {
  const [first] = coverage?.symbols ?? [];
  if (coverage === undefined || first === undefined) return '';
  const { lines, reports, symbols, uncovered } = coverage;
  const { report } = symbols.find(({ stale }) => !stale) ?? first;
  const age = reports.find(({ path }) => path === report)?.ageHours;
  const from = `${report}${age === undefined ? '' : `, ${age} h old`}`;
  if (lines === 0) return ` Coverage is older than the code (${from}).`;
  const covered = uncovered === 0 ? `All ${count(lines, 'line')} covered` : `${uncovered} of ${count(lines, 'line')} not covered`;
  return ` ${covered} (${from}${symbols.some(({ stale }) => stale) ? '; older than some of the code' : ''}).`;
}

/** `a.ts::f not run: 7-9 (of 20 lines) (coverage.xml, 3 h old, older than the file)`, then the tests that ran some of it. */
export function coverageLines(coverage: CoverageRows | undefined): string[] {
  if (coverage === undefined) return [];
  const ages = new Map(coverage.reports.map(({ ageHours, path }) => [path, `, ${ageHours} h old`]));
  const from = (report: string, stale: boolean): string => `(${report}${ages.get(report) ?? ''}${stale ? ', older than the file' : ''})`;
  const { more, problems, ranBy = 0, symbols, tests } = coverage;
  return [
    ...symbols.map(({ id, lines, uncovered, report, stale }) => {
      const linesText = uncovered.length === 0 ? `all ${count(lines, 'line')} run` : `not run: ${ranges(uncovered)} (of ${count(lines, 'line')})`;
      return `${id} ${linesText} ${from(report, stale)}`;
    }),
    ...(more === undefined ? [] : [`${count(more.symbols, 'more function')}`]),
    ...(tests === undefined ? (ranBy > 0 ? [`run by ${count(ranBy, 'test')}`] : []) : tests.map(({ id, by }) => `run by ${id} ${from(by.report, by.stale)}`)),
    ...problems,
  ];
}

/** `7, 9-12`: lines in their order, those that follow each other as one. */
function ranges(lines: readonly number[]): string {
  const found: { readonly first: number; last: number }[] = [];
  for (const line of lines) {
    const open = found.at(-1);
    if (open !== undefined && line === open.last + 1) open.last = line;
    else found.push({ first: line, last: line });
  }
  return found.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
