import type { ReportData, ReportHotspot } from '../../../server/protocol/features';
import { figure } from '../../../server/protocol/figures';
import { nameIn } from '../graph/focus';
import { element, percent } from '../ui/dom';

/** A titled part of the page. */
export function section(title: string, note: string, ...children: readonly Node[]): HTMLElement {
  return element(
    'section',
    { class: 'card' },
    element('h2', { text: title }),
    ...(note === '' ? [] : [element('p', { class: 'note', text: note })]),
    ...children,
  );
}

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Node | string;
  readonly numeric?: boolean;
}

function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): HTMLElement {
  const head = element('tr', {}, ...columns.map(column => element('th', { scope: 'col', class: column.numeric === true ? 'number' : '', text: column.title })));
  const body = rows.map(row =>
    element('tr', {}, ...columns.map(column => element('td', { class: column.numeric === true ? 'number' : '' }, column.cell(row)))),
  );
  return element('div', { class: 'scroll' }, element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
}

export function hotspots(rows: readonly ReportHotspot[], focus: (id: string) => void): HTMLElement {
  const top = Math.max(1, ...rows.map(row => row.callers));
  return section(
    'Hotspots',
    rows.some(({ changes = 0 }) => changes > 0)
      ? 'Symbols that change often, are complex and have many users: the score is the product of the three. Select one to show it in the graph.'
      : 'The most central symbols, by number of users. Select one to show it in the graph.',
    table(rows, [
      {
        title: 'Symbol',
        cell: row => element('button', { class: 'link', title: row.summary, on: { click: () => focus(row.id) } }, element('code', { text: nameIn(row) })),
      },
      { title: 'Where', cell: row => element('span', { class: 'path', text: `${row.file}:${row.line}` }) },
      ...(rows.some(({ changes }) => changes !== undefined)
        ? [
            { title: 'Score', numeric: true, cell: (row: ReportHotspot) => (row.score === 0 ? '–' : figure(row.score)) },
            { title: 'Changes in a year', numeric: true, cell: (row: ReportHotspot) => figure(row.changes ?? 0) },
          ]
        : []),
      { title: 'Complexity', numeric: true, cell: row => (row.complexity === 0 ? '–' : figure(row.complexity)) },
      { title: 'Users', numeric: true, cell: row => element('span', { class: 'measured' }, bar(row.callers / top), figure(row.callers)) },
      { title: 'Dependents', numeric: true, cell: row => figure(row.dependents) },
      { title: 'Tests', numeric: true, cell: row => figure(row.tests) },
    ]),
  );
}

/** Commits of each folder by week; nothing where past commits are not known. */
export function activity(rows: ReportData['activity']): HTMLElement[] {
  if (rows.length === 0) return [];
  return [
    section(
      'Activity',
      'Commits by week in the last 26 weeks, the current week on the right.',
      table(rows, [
        { title: 'Folder', cell: row => element('span', { class: 'path', text: row.folder === '' ? '/' : row.folder }) },
        { title: 'Weeks', cell: row => weekBars(row.weeks) },
        { title: 'Commits', numeric: true, cell: row => figure(row.commits) },
      ]),
    ),
  ];
}

const SVG = 'http://www.w3.org/2000/svg';
const [BAR_WIDTH, BAR_HEIGHT] = [5, 18];

function weekBars(weeks: readonly number[]): SVGSVGElement {
  const most = Math.max(1, ...weeks);
  const picture = document.createElementNS(SVG, 'svg');
  const attributes = { class: 'weeks', width: weeks.length * BAR_WIDTH, height: BAR_HEIGHT, role: 'img', 'aria-label': `By week: ${weeks.join(', ')}` };
  for (const [name, value] of Object.entries(attributes)) picture.setAttribute(name, `${value}`);
  for (const [at, commits] of weeks.entries()) {
    const height = commits === 0 ? 1 : Math.max(2, Math.round((commits / most) * BAR_HEIGHT));
    const bar = document.createElementNS(SVG, 'rect');
    const place = { x: at * BAR_WIDTH, y: BAR_HEIGHT - height, width: BAR_WIDTH - 1, height };
    for (const [name, value] of Object.entries(place)) bar.setAttribute(name, `${value}`);
    picture.append(bar);
  }
  return picture;
}

function bar(share: number): HTMLElement {
  const meter = element('meter', { min: 0, max: 1, value: Math.max(0, Math.min(1, share)).toFixed(3) });
  return meter;
}

export function languages(data: ReportData): HTMLElement {
  return section(
    'Languages',
    'Syntax errors: share of the code that could not be parsed.',
    table(data.languages, [
      { title: 'Language', cell: row => row.language },
      { title: 'Files', numeric: true, cell: row => figure(row.files) },
      { title: 'Lines', numeric: true, cell: row => figure(row.lines) },
      { title: 'Symbols', numeric: true, cell: row => figure(row.symbols) },
      { title: 'Syntax errors', numeric: true, cell: row => (row.errorShare === 0 ? '0%' : `${(row.errorShare * 100).toFixed(2)}%`) },
    ]),
  );
}

export function relations(data: ReportData): HTMLElement {
  return section(
    'Relations',
    'Certain: confidence of at least 80%. Possible: lower confidence.',
    table(data.relations, [
      { title: 'Relation', cell: row => row.relation.toLowerCase().replaceAll('_', ' ') },
      { title: 'Certain', numeric: true, cell: row => figure(row.facts) },
      { title: 'Possible', numeric: true, cell: row => figure(row.maybes) },
    ]),
  );
}

export function kinds(data: ReportData): HTMLElement {
  return section(
    'Symbols',
    '',
    table(data.kinds, [
      { title: 'Kind', cell: row => row.kind.replaceAll('_', ' ') },
      { title: 'Count', numeric: true, cell: row => figure(row.count) },
    ]),
  );
}

export function cycles(data: ReportData): HTMLElement {
  if (data.cycles.length === 0) return section('Import cycles', 'None.');
  return section(
    'Import cycles',
    `${figure(data.cycles.length)} ${data.cycles.length === 1 ? 'group of files imports' : 'groups of files import'} each other.`,
    element(
      'ol',
      { class: 'cycles' },
      ...data.cycles
        .slice(0, 12)
        .map(files =>
          element(
            'li',
            {},
            element('strong', { text: `${files.length} files: ` }),
            element('span', { class: 'path', text: files.slice(0, 6).join('  ·  ') + (files.length > 6 ? ` · and ${files.length - 6} more` : '') }),
          ),
        ),
    ),
  );
}

export function problems(data: ReportData): HTMLElement[] {
  if (data.problems.length === 0) return [];
  return [
    section(
      'Skipped or incomplete',
      'Files that could not be read or completely parsed.',
      table(data.problems, [
        { title: 'Reason', cell: row => row.code.replaceAll('_', ' ') },
        { title: 'Files', numeric: true, cell: row => figure(row.count) },
      ]),
    ),
  ];
}

export function figures(data: ReportData): HTMLElement {
  const tile = (value: string, label: string, note = ''): HTMLElement =>
    element('div', { class: 'figure', title: note }, element('strong', { text: value }), element('span', { text: label }));
  const { resolved, unresolved, external, rate } = data.resolution;
  return element(
    'div',
    { class: 'figures' },
    tile(figure(data.totals.files), 'files'),
    tile(figure(data.totals.lines), 'lines'),
    tile(figure(data.totals.symbols), 'symbols'),
    tile(figure(data.totals.edges), 'relations'),
    tile(percent(rate), 'references resolved', `${figure(resolved)} resolved, ${figure(unresolved)} unresolved, ${figure(external)} to libraries`),
    tile(figure(data.cycles.length), data.cycles.length === 1 ? 'import cycle' : 'import cycles'),
  );
}
