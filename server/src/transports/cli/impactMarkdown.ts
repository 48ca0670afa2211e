import { basename } from 'node:path/posix';
import { counted, figure } from '../../../protocol/figures';
import { riskReasons } from '../../../protocol/riskReasons';
import type { Answer } from '../../features/catalogue/catalogue';
import { FACT_CONFIDENCE } from '../../model/evidence';
import { SEPARATOR } from '../../model/ids';
import { inCode, inCodeCell } from '../markdown';

/** What is read of the answer of the feature. */
export type ImpactReport = Pick<
  Answer<'impact'>,
  | 'targets'
  | 'risk'
  | 'riskParts'
  | 'blastRadius'
  | 'counts'
  | 'directDependents'
  | 'transitiveDependents'
  | 'directTests'
  | 'transitiveTests'
  | 'maybe'
  | 'changes'
  | 'coverage'
  | 'stamp'
>;
type ImpactRow = ImpactReport['directDependents'][number];

/** Rows shown of each list: a comment is to be read. */
const MAX_ROWS = 25;

/** The impact as a comment on a pull request: the verdict first, then what changed, what depends on it, and which tests reach it. */
export function impactMarkdown(report: ImpactReport): string {
  const { changes, counts } = report;
  const parts = [
    `### Impact${changes === undefined ? ` of ${report.targets.map(inCode).join(', ')}` : ` since ${inCode(changes.since)}`}`,
    verdict(report),
    ...(changes === undefined ? [] : changed(changes)),
    ...coverageLine(report.coverage),
    ...table('Direct dependents', counts.direct, report.directDependents, true),
    ...table('Indirect dependents', counts.transitive, report.transitiveDependents, false),
    ...table('Tests that use the changed code directly', counts.directTests, report.directTests, counts.direct === 0),
    ...table('Tests that use the changed code indirectly', counts.transitiveTests, report.transitiveTests, false),
    ...table('Possible dependents (references that could have other targets)', counts.maybe, report.maybe, false),
    stampLine(report),
  ];
  return `${parts.join('\n\n')}\n`;
}

function verdict({ blastRadius, changes, counts, risk, riskParts }: ImpactReport): string {
  if (changes?.files.length === 0) return 'Nothing changed.';
  const tests = counts.directTests + counts.transitiveTests;
  const dependents = counts.direct + counts.transitive;
  const possible = counts.possibleTests === 0 ? '' : ` (${figure(counts.possibleTests)} possible)`;
  const reach =
    blastRadius === 0
      ? 'no dependents and no tests found'
      : `${counted(dependents, 'dependent')} in ${counted(counts.files, 'file')}, ${tests === 0 ? 'no tests' : counted(tests, 'test') + possible}`;
  return `**Risk: ${risk}** (${riskReasons(riskParts, text => `*${text}*`)}) · ${reach}${counts.maybe > 0 ? `, ${figure(counts.maybe)} possible` : ''}.`;
}

function changed({ files, symbols, deleted, notIndexed, truncated }: NonNullable<ImpactReport['changes']>): string[] {
  if (files.length === 0) return [];
  const indexed = files.filter(file => !notIndexed.includes(file.path));
  const lines = indexed.slice(0, MAX_ROWS).map(({ path, status, oldPath }) => {
    const inside = symbols.filter(id => id.startsWith(`${path}${SEPARATOR}`)).map(id => inCode(nameOf(id)));
    const gone = deleted.filter(id => id.startsWith(`${oldPath ?? path}${SEPARATOR}`)).map(id => `~~${inCode(nameOf(id))}~~`);
    const how = oldPath === undefined ? (status === 'modified' ? '' : ` (${status})`) : ` (was ${inCode(oldPath)})`;
    const names = shortened([...inside, ...gone]);
    return `- ${inCode(path)}${how}${names === '' ? '' : `: ${names}`}`;
  });
  return [
    `**Changed:** ${[counted(files.length, 'file'), counted(symbols.length, 'symbol'), ...(deleted.length > 0 ? [`${counted(deleted.length, 'symbol')} deleted`] : [])].join(', ')}`,
    ...(lines.length === 0 ? [] : [[...lines, ...more(indexed.length)].join('\n')]),
    ...(notIndexed.length === 0 ? [] : [`Not indexed: ${shortened(notIndexed.map(inCode))}`]),
    ...(truncated ? ['There are too many files to analyze each of them. Some count as changed entirely.'] : []),
  ];
}

function coverageLine(coverage: ImpactReport['coverage']): string[] {
  if (coverage === undefined || coverage.symbols.length === 0) return [];
  const { lines, uncovered, symbols } = coverage;
  if (lines === 0) return [`**Coverage:** not known. The files are newer than their report.`];
  const worst = symbols.filter(row => !row.stale && row.uncovered.length > 0).map(row => `${inCode(nameOf(row.id))} (${figure(row.uncovered.length)})`);
  const stale = symbols.some(row => row.stale) ? ' Some files are newer than their report.' : '';
  const coverageText =
    uncovered === 0
      ? `all ${counted(lines, 'changed line')} run by tests`
      : `${figure(uncovered)} of ${counted(lines, 'line')} not run by tests: ${shortened(worst)}`;
  return [`**Coverage:** ${coverageText}.${stale}`];
}

const MAX_NAMES = 8;

function shortened(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (rest > 0 ? ` and ${figure(rest)} more` : '');
}

function table(title: string, total: number, rows: readonly ImpactRow[], isOpen: boolean): string[] {
  if (total === 0) return [];
  const lines = rows.slice(0, MAX_ROWS).map(row => {
    const place = `${row.path}:${row.line > 0 ? row.line : row.startLine}`;
    const sure = (row.isTest ? row.possible === true : row.confidence < FACT_CONFIDENCE) ? ` (${Math.round(row.confidence * 100)}%)` : '';
    return `| ${inCodeCell(nameOf(row.id))} | ${inCodeCell(place)} | ${chain(row)}${sure} |`;
  });
  const body = ['| Symbol | Location | Path |', '|---|---|---|', ...lines, ...more(total).map(text => `\n${text}`)].join('\n');
  return [`<details${isOpen ? ' open' : ''}><summary>${title} (${figure(total)})</summary>\n\n${body}\n\n</details>`];
}

/** How it depends on the next one, and through whom on what changed. */
function chain({ id, relation, via }: ImpactRow): string {
  const towards = via.slice(0, -1).reverse();
  const isInGroup = relation === 'CONTAINS' && id.startsWith(`${via.at(-2) ?? ''}${SEPARATOR}`);
  const verb = isInGroup ? 'is in' : relation.toLowerCase().replaceAll('_', ' ');
  return [verb, towards.map(id => inCodeCell(nameOf(id))).join(' ← ')].join(' ').trim();
}

function more(total: number): string[] {
  return total > MAX_ROWS ? [`…and ${figure(total - MAX_ROWS)} more.`] : [];
}

function stampLine({ stamp }: ImpactReport): string {
  const pending = stamp.pendingFiles > 0 ? `, ${counted(stamp.pendingFiles, 'file')} not yet indexed` : '';
  return `<sub>Lattice, revision ${stamp.revision}${stamp.head === '' ? '' : `, commit ${stamp.head}`}${pending}</sub>`;
}

/** `Till.add` of `src/pay.ts::Till::add`, the file's name for a file. */
function nameOf(id: string): string {
  const at = id.indexOf(SEPARATOR);
  return at < 0 ? basename(id) : id.slice(at + SEPARATOR.length).replaceAll(SEPARATOR, '.');
}
