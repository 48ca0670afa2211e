import { breakable, scrolling } from '../../../protocol/pageLinks';
import { joinedNames, namesIn } from '../../../protocol/qualifiedNames';
import type { GraphFigures, HealthAnswer } from '../../features/overview/health';
import { languageRow } from '../../model/languages';
import type { EngineHealth } from '../../workspace/snapshot';
import { historyText } from '../cli/historyText';
import { bytes, count, percent, plural, seconds } from '../cli/terminal';
import { asPlain, inCodeCell } from '../markdown';

const MAX_PROBLEMS = 20;

/** Address of a line of a file (0 for all of it); `undefined` where nothing can be linked. */
export type LinkTo = (path: string, line: number) => string | undefined;

/** Health of one folder as a Markdown page whose places are links. */
export function healthMarkdown(folder: string, answer: HealthAnswer, linkTo: LinkTo): string {
  const { graph, engine } = answer;
  const sections = [
    `# ${asPlain(folder)}`,
    stateOf(engine),
    ...(graph === undefined ? [] : graphSections(graph, linkTo)),
    preciseOf(engine),
    problemsOf(engine),
    machineryOf(engine),
  ];
  return sections.filter(section => section !== '').join('\n\n');
}

function stateOf({ progress, pendingFiles, watcherState }: EngineHealth): string {
  if (progress.phase === 'failed') return `**Indexing failed:** ${asPlain(progress.problem ?? 'see the log for details')}`;
  if (progress.phase !== 'ready') return `**Indexing** (${progress.phase}${progress.total > 0 ? `, ${count(progress.done)} of ${count(progress.total)}` : ''})`;
  const state = pendingFiles === 0 ? '**The index is up to date.**' : `**The index is ready.** ${plural(pendingFiles, 'file')} changed since.`;
  return `${state} ${WATCHER_WORDS[watcherState]}`;
}

const WATCHER_WORDS: Readonly<Record<EngineHealth['watcherState'], string>> = {
  not_started: 'Files are not watched for changes yet.',
  idle: 'Files are watched for changes.',
  detecting: 'Changes are being collected.',
  debouncing: 'Changes are being collected.',
  rebuilding: 'Changes are being indexed.',
};

function graphSections(graph: GraphFigures, linkTo: LinkTo): string[] {
  const { references } = graph;
  const known = references.resolutionRate === undefined ? '' : ` ${percent(references.resolutionRate)} of references within this project are resolved.`;
  const bySymbols = graph.languages.toSorted((a, b) => b.symbols - a.symbols || b.files - a.files);
  const languages = bySymbols.map(row => [
    stacked(
      row.language === 'other' ? 'Other text' : languageRow(row.language).name,
      row.errorShare === undefined || row.errorShare === 0 ? '' : `${percent(row.errorShare)} with syntax errors`,
    ),
    stacked(count(row.symbols), `in ${plural(row.files, 'file')}`),
    row.resolutionRate === undefined ? '–' : percent(row.resolutionRate),
  ]);
  const relations = graph.relations.map(row => [row.relation.toLowerCase().replaceAll('_', ' '), count(row.facts), count(row.maybes)]);
  const hotspots = graph.hotspots.map(row => [
    stacked(
      row.kind === 'external' ? inCodeCell(row.name) : named(joinedNames(namesIn(row.id)), linkTo(row.path, row.nameLine)),
      `${row.kind.replaceAll('_', ' ')}${placeOf(row, linkTo)}`,
    ),
    stacked(
      row.score === 0 ? '–' : count(row.score),
      [
        ...(row.changes === undefined ? [] : [`${plural(row.changes, 'change')} in a year`]),
        ...(row.complexity === 0 ? [] : [`complexity ${count(row.complexity)}`]),
        plural(row.dependents, 'user'),
      ].join(', '),
    ),
  ]);
  return [
    `${plural(graph.files, 'file')}, ${plural(graph.symbols, 'symbol')}, ${plural(graph.edges, 'relation')}.${known}`,
    table('## Languages', ['Language', 'Symbols', 'Resolved'], languages),
    table('## Hotspots', ['Symbol', 'Score'], hotspots),
    table('## Relations', ['Relation', 'Certain', 'Possible'], relations),
    cyclesOf(graph, linkTo),
  ];
}

/** What is outside of the workspace has no place. */
function placeOf({ kind, nameLine, path }: GraphFigures['hotspots'][number], linkTo: LinkTo): string {
  return kind === 'external' || path === '' ? '' : ` in ${linked(`${breakable(path, asPlain)}:${nameLine}`, linkTo(path, nameLine))}`;
}

/** Two lines of a cell: a page of 400 pixels, of which the editor's preview leaves less than 300, has room for two or three columns. */
function stacked(first: string, second: string): string {
  return second === '' ? first : `${first}<br>${second}`;
}

/** A name, as a link where it has a place. The editor's preview gives code in links a ground on which some themes' links cannot be read. */
function named(name: string, address: string | undefined): string {
  return address === undefined ? inCodeCell(name) : linked(breakable(name, asPlain), address);
}

function linked(text: string, address: string | undefined): string {
  return address === undefined ? text : `[${text}](${address})`;
}

function cyclesOf({ cycles, cycleCount }: GraphFigures, linkTo: LinkTo): string {
  if (cycleCount === 0) return '## Import cycles\n\nNone.';
  const rows = cycles.map(
    cycle =>
      `- ${cycle.files.map(file => linked(asPlain(file), linkTo(file, 0))).join(', ')}${cycle.size > cycle.files.length ? ` and ${count(cycle.size - cycle.files.length)} more` : ''}`,
  );
  return `## Import cycles (${count(cycleCount)})\n\n${rows.join('\n')}`;
}

function preciseOf({ precise = [] }: EngineHealth): string {
  const rows = precise.map(index => [
    stacked(breakable(index.path, asPlain), asPlain(index.problem ?? `by ${index.tool}`)),
    `${count(index.covered)} covered, ${count(index.stale)} changed since, ${count(index.unknown)} not found`,
  ]);
  return table('## Precise indexes', ['Index', 'Files'], rows);
}

/** Files and folders that were indexed around. */
function problemsOf({ problems, problemCounts, skipped }: EngineHealth): string {
  const total = Object.values(problemCounts).reduce((sum, number) => sum + number, 0);
  const left = `Excluded: ${count(skipped.ignored)} ignored, ${count(skipped.generated)} generated, ${count(skipped.minified)} minified.`;
  if (total === 0) return `## Skipped or incomplete files\n\nNone. ${left}`;
  const rows = problems
    .slice(0, MAX_PROBLEMS)
    .map(problem => [breakable(problem.path, asPlain), stacked(problem.code.replaceAll('_', ' '), asPlain(problem.message))]);
  const more = total > rows.length ? `\n\nand ${count(total - rows.length)} more.` : '';
  return `${table('## Skipped or incomplete files', ['Path', 'Problem'], rows)}${more}\n\n${left}`;
}

function machineryOf(engine: EngineHealth): string {
  const { storeBytes, lastIndex } = engine;
  const size = storeBytes.journal + storeBytes.view + storeBytes.packs;
  const rows = [
    ['Owner', engine.role === 'owner' ? `this window (process ${engine.ownerPid})` : `process ${engine.ownerPid}`],
    ['Version', engine.engineVersion],
    ['Data folder', breakable(engine.dataFolder, asPlain)],
    ['Size on disk', `${bytes(size)} (journal ${bytes(storeBytes.journal)}, view ${bytes(storeBytes.view)}, packs ${bytes(storeBytes.packs)})`],
    ...(lastIndex === undefined
      ? []
      : [['Last index', `${seconds(lastIndex.durationMs)}: ${count(lastIndex.filesParsed)} parsed, ${count(lastIndex.filesFromCache)} unchanged`]]),
    ...(engine.history === undefined ? [] : [['History', historyText(engine.history)]]),
    ...engine.recovered.map(what => ['Moved aside', asPlain(what)]),
  ];
  return table('## Details', ['', ''], rows);
}

/** Columns whose cells are figures stand to the right. */
function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const sides = head.map((_, column) => (rows.every(row => /^[\d,.]+%?$|^–$/.test(row[column] ?? '')) ? '---:' : '---'));
  return `${title}\n\n${scrolling([line(head), line(sides), ...rows.map(line)].join('\n'))}`;
}
