import type { ReportData, ReportHotspot } from '../../../protocol/features';
import type { Answer } from '../../features/catalogue/catalogue';
import type { EngineHealth } from '../../workspace/snapshot';
import { clipEnd, clipStart, count, type Paint, padEnd, padStart, percent, plural, problemText, type Style, seconds } from './terminal';

export interface HealthPageInput {
  readonly root: string;
  readonly report: ReportData;
  readonly health: EngineHealth;
  /** Of the first hotspot. */
  readonly impact: HotspotImpact | undefined;
  readonly reportUrl: string;
  readonly bundleFolder: string;
}

/** What of an impact is shown. */
export type HotspotImpact = Pick<Answer<'impact'>, 'reach' | 'impactedFiles'> & { readonly counts: Pick<Answer<'impact'>['counts'], 'files'> };

const MARGIN = '  ';
const MAX_ROWS = 7;
const MAX_CYCLES = 3;
const MAX_HOTSPOTS = 8;
const MAX_FILES = 6;
/** Columns below which the table of hotspots goes without its bars. */
const NARROW = 94;

/** The health report of `npm start` as text for a terminal of `width` columns. */
export class HealthPage {
  constructor(
    private readonly paint: Paint,
    private readonly width: number,
  ) {}

  render(input: HealthPageInput): string {
    const sections = [
      this.#title(input),
      this.#languages(input.report),
      this.#kindsAndRelations(input.report),
      this.#resolution(input.report),
      this.#cycles(input.report),
      this.#hotspots(input.report.hotspots),
      this.#impact(input.report.hotspots[0], input.impact),
      this.#problems(input),
      this.#next(input),
    ];
    const text = sections.filter(section => section.length > 0).map(section => section.map(line => (line === '' ? '' : MARGIN + line)).join('\n'));
    return `\n${text.join('\n\n')}\n\n`;
  }

  #heading(text: string, note = ''): string {
    return this.paint('bold', text) + (note === '' ? '' : `  ${this.paint('dim', note)}`);
  }

  #bar(share: number, cells: number, style: Style = 'cyan'): string {
    const eighths = Math.max(share > 0 ? 1 : 0, Math.round(Math.min(1, share) * cells * 8));
    const rest = ' ▏▎▍▌▋▊▉'[eighths % 8] ?? '';
    return padEnd(this.paint(style, ('█'.repeat(Math.floor(eighths / 8)) + rest).trimEnd()), cells);
  }

  #title({ root, report, health }: HealthPageInput): string[] {
    const { totals } = report;
    const figures: readonly (readonly [number, string])[] = [
      [totals.files, totals.files === 1 ? 'file' : 'files'],
      [totals.symbols, totals.symbols === 1 ? 'symbol' : 'symbols'],
      [totals.edges, totals.edges === 1 ? 'edge' : 'edges'],
      [totals.lines, totals.lines === 1 ? 'line' : 'lines'],
    ];
    const last = health.lastIndex;
    const unchanged = last === undefined || last.filesFromCache === 0 ? '' : `, ${count(last.filesFromCache)} unchanged`;
    const head = report.head === '' ? '' : ` at commit ${report.head}`;
    const time =
      last === undefined
        ? ''
        : `Indexed${head} in ${seconds(last.durationMs)}: ${last.filesParsed + last.filesFromCache === 0 ? 'no changes' : `${plural(last.filesParsed, 'file')} parsed${unchanged}`}.`;
    return [
      `${this.paint('bold', this.paint('magenta', 'Lattice'))} ${this.paint('dim', report.version)}  ${this.paint('bold', clipStart(root, this.width - 24))}`,
      '',
      figures.map(([value, name]) => `${this.paint('bold', count(value))} ${this.paint('dim', name)}`).join('   '),
      ...(time === '' ? [] : [this.paint('dim', time)]),
    ];
  }

  #languages({ languages }: ReportData): string[] {
    if (languages.length === 0) return [this.paint('yellow', 'There are no files in this folder.')];
    const most = Math.max(...languages.map(language => language.lines));
    const header = `${padEnd('', 32)}${padStart('files', 8)}${padStart('symbols', 10)}${padStart('lines', 11)}${padStart('syntax errors', 16)}`;
    const rows = languages.slice(0, MAX_ROWS).map(language => {
      const errors = language.errorShare === 0 ? 'none' : percent(language.errorShare);
      const painted = this.paint(language.errorShare > 0.01 ? 'yellow' : 'dim', padStart(errors, 16));
      const numbers = `${padStart(count(language.files), 8)}${padStart(count(language.symbols), 10)}${padStart(count(language.lines), 11)}`;
      return `${padEnd(clipEnd(language.language, 13), 14)}${this.#bar(language.lines / Math.max(1, most), 18)}${numbers}${painted}`;
    });
    return [`${padEnd(this.#heading('Languages'), 32)}${this.paint('dim', header.slice(32))}`, ...rows];
  }

  #kindsAndRelations({ kinds, relations, totals }: ReportData): string[] {
    if (totals.files === 0) return [];
    if (totals.symbols === 0) return [this.paint('yellow', 'No files in a supported language. Files can be found by name only.')];
    const isNarrow = this.width < NARROW;
    const half = isNarrow ? 33 : Math.floor((this.width - 6) / 2);
    const mostKind = Math.max(1, ...kinds.map(row => row.count));
    const left = kinds
      .slice(0, MAX_ROWS)
      .map(
        row =>
          `${padEnd(clipEnd(row.kind.replaceAll('_', ' '), 13), 14)}${this.#bar(row.count / mostKind, isNarrow ? 10 : 16)}${padStart(count(row.count), 9)}`,
      );
    const mostEdges = Math.max(1, ...relations.map(row => row.facts + row.maybes));
    const right = relations.slice(0, MAX_ROWS).map(row => {
      const maybe = this.paint('dim', row.maybes === 0 ? '' : ` + ${count(row.maybes)}`);
      return `${padEnd(clipEnd(row.relation.toLowerCase().replaceAll('_', ' '), 14), 15)}${this.#bar((row.facts + row.maybes) / mostEdges, isNarrow ? 5 : 10, 'blue')}${padStart(count(row.facts), 9)}${maybe}`;
    });
    return beside([this.#heading('Symbols'), ...left], [this.#heading('Edges', 'certain + possible'), ...right], half);
  }

  #resolution({ resolution }: ReportData): string[] {
    const { resolved, unresolved, external, rate } = resolution;
    const all = resolved + unresolved;
    if (all + external === 0) return [];
    const style = rate >= 0.9 ? 'green' : rate >= 0.7 ? 'yellow' : 'red';
    return [
      this.#heading('Resolution', 'share of references within the workspace whose target is known'),
      `${this.#bar(rate, 40, style)}  ${this.paint('bold', percent(rate))} of ${count(all)}`,
      this.paint('dim', `${count(unresolved)} unresolved. ${count(external)} more refer to libraries.`),
    ];
  }

  #cycles({ cycles }: ReportData): string[] {
    if (cycles.length === 0) return [`${this.#heading('Import cycles')}  ${this.paint('green', 'none')}`];
    const rows = cycles.slice(0, MAX_CYCLES).map(files => `${this.paint('yellow', '↻')} ${cycleText(files, this.width - 8)}`);
    const more = cycles.length - rows.length;
    return [this.#heading('Import cycles', String(cycles.length)), ...rows, ...(more > 0 ? [this.paint('dim', `and ${more} more in the report`)] : [])];
  }

  /** By the number in the first column: the score, or the users where nothing is known of changes. */
  #hotspots(hotspots: readonly ReportHotspot[]): string[] {
    if (hotspots.length === 0) return [];
    const isByChange = hotspots.some(({ score }) => score > 0);
    const rankOf = (spot: ReportHotspot): number => (isByChange ? spot.score : spot.callers);
    const most = Math.max(1, ...hotspots.map(rankOf));
    const isNarrow = this.width < NARROW;
    const nameWidth = isNarrow ? 22 : 26;
    const placeWidth = Math.max(20, this.width - (isByChange ? 95 : 86));
    const columns: readonly (readonly [title: string, width: number, cell: (spot: ReportHotspot) => string])[] = [
      ...(isByChange ? [['score', 9, (spot: ReportHotspot) => (spot.score === 0 ? '–' : count(spot.score))] as const] : []),
      ['users', 9, ({ callers }) => count(callers)],
      ...(isByChange && isNarrow ? [] : [['dependents', 12, ({ dependents }: ReportHotspot) => count(dependents)] as const]),
      ['tests', 7, ({ possibleTests, tests }) => (tests === 0 ? '–' : count(tests - possibleTests))],
    ];
    const header = columns.map(([title, width]) => padStart(title, width)).join('');
    const rows = hotspots.slice(0, MAX_HOTSPOTS).map((spot, at) => {
      const place = padEnd(this.paint('dim', clipStart(`${spot.file}:${spot.line}`, placeWidth)), placeWidth);
      const numbers = columns.map(([, width, cell]) => padStart(cell(spot), width)).join('');
      const possible = this.paint('dim', spot.possibleTests === 0 ? '' : ` + ${count(spot.possibleTests)}`);
      return `${padStart(String(at + 1), 2)}  ${padEnd(clipEnd(spot.name, nameWidth - 1), nameWidth)}${place} ${isNarrow ? '' : `${this.#bar(rankOf(spot) / most, 10, 'magenta')} `}${numbers}${possible}`;
    });
    const wide = isByChange ? 'changes in a year × complexity × users' : 'code that most other code depends on';
    const title = this.#heading('Hotspots', isNarrow ? (isByChange ? 'by change' : 'most used code') : wide);
    return [`${padEnd(title, 4 + nameWidth + placeWidth + (isNarrow ? 1 : 12))}${this.paint('dim', header)}`, ...rows];
  }

  #impact(spot: ReportHotspot | undefined, impact: HotspotImpact | undefined): string[] {
    if (spot === undefined || impact === undefined) return [];
    const { counts, impactedFiles, reach } = impact;
    const style: Style = reach === 'large' ? 'red' : reach === 'small' ? 'green' : 'yellow';
    // The numbers of its row above: the lists of an impact may have been cut to fit one answer.
    const line = [
      plural(spot.callers, 'user'),
      plural(spot.dependents, 'dependent'),
      spot.tests === 0
        ? this.paint('yellow', 'no tests')
        : `${plural(spot.tests, 'test')}${spot.possibleTests === 0 ? '' : ` (${count(spot.possibleTests)} possible)`}`,
      `reach: ${this.paint(style, reach)}`,
    ];
    const rows = impactedFiles.slice(0, MAX_FILES).map(({ path }) => `${this.paint('dim', '·')} ${clipStart(path, this.width - 8)}`);
    const more = counts.files - rows.length;
    return [
      this.#heading(`If you change ${spot.name}`, `lattice impact ${shellWord(spot.id)}`),
      line.join(this.paint('dim', ' · ')),
      ...rows,
      ...(more > 0 ? [this.paint('dim', `and ${plural(more, 'more file')}`)] : []),
    ];
  }

  #problems({ report }: HealthPageInput): string[] {
    if (report.problems.length === 0) return [];
    const text = report.problems.map(({ code, count: number }) => `${problemText(code, number)}`).join(', ');
    return [`${this.paint('yellow', 'Skipped or incomplete:')} ${text}. ${this.paint('dim', 'Run `lattice status` to list the files.')}`];
  }

  #next({ root, report, reportUrl, bundleFolder }: HealthPageInput): string[] {
    const command = commandOf(bundleFolder);
    const row = (label: string, text: string): string => `${this.paint('bold', label.padEnd(13))} ${text}`;
    return [
      row('Report', this.paint('cyan', reportUrl)),
      ...(command.isPackage ? [] : [row('VS Code', `npm run package, then code --install-extension lattice-graph-${report.version}.vsix`)]),
      row('Claude Code', `claude mcp add lattice -- ${command.text} mcp --workspace ${shellWord(root)}`),
      row('Shell', `${command.text} search --workspace ${shellWord(root)} WORDS`),
    ];
  }
}

/** How this Lattice is started again: as a package of npm (`npx` keeps those that it runs in a cache of its own), or by its bundle. */
function commandOf(bundleFolder: string): { readonly text: string; readonly isPackage: boolean } {
  const folders = bundleFolder.split(/[\\/]/);
  if (folders.includes('_npx')) return { text: 'npx -y lattice-graph', isPackage: true };
  if (folders.includes('node_modules')) return { text: 'lattice', isPackage: true };
  return { text: `node ${shellWord(`${folders.join('/')}/cli.js`)}`, isPackage: false };
}

/** Two columns; the left one is `width` wide. */
function beside(left: readonly string[], right: readonly string[], width: number): string[] {
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, at) => `${padEnd(left[at] ?? '', width)}  ${right[at] ?? ''}`.trimEnd());
}

function cycleText(files: readonly string[], width: number): string {
  const first = files[0] ?? '';
  let text = first;
  for (let at = 1; at < files.length; at++) {
    const next = ` → ${files[at] ?? ''}`;
    const left = files.length - at;
    if (text.length + next.length + 16 > width) return `${text} → … ${plural(left, 'more file')} …`;
    text += next;
  }
  return `${text} → ${clipStart(first, 24)}`;
}

/** Quoted for a POSIX shell where it must be. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
