import type { MemoryRow } from '../../../server/protocol/features';
import { exactDate } from '../dates';
import { qualifiedName } from '../names';
import type { LinkTo } from '../views/explainPage';
import { unlinked } from '../work/foreignMarkdown';
import { type FolderAgents, titleOf } from './agentsTree';

/** Where the code of an episode is now, for the links of its page. */
export interface CodePlaces {
  readonly linkTo: LinkTo;
  /** 1-based line of a symbol by its id. */
  readonly lines: ReadonlyMap<string, number>;
}

const NO_PLACES: CodePlaces = { linkTo: () => undefined, lines: new Map() };

/** An episode or learning as a page: what it says, what it is about, what has become of its code. Texts of agents lose their links. The code is linked where it can be. */
export function memoryPage(row: MemoryRow, places: CodePlaces = NO_PLACES): string {
  const facts = [
    wordOf(row.type),
    row.agentId,
    exactDate(row.timestamp),
    row.outcome ?? '',
    row.confidence === undefined ? '' : `confidence ${row.confidence}`,
  ];
  const { affectedFiles: _files, patterns: _patterns, sourceEpisodeIds: _ids, title: _title, ...said } = row.metadata ?? {};
  return [
    `# ${plain(titleOf(row))}`,
    plain(facts.filter(fact => fact !== '').join(' · ')),
    row.content.trim() === titleOf(row).trim() ? '' : unlinked(row.content),
    ...Object.entries(said).flatMap(([name, value]) =>
      String(value) === '' ? [] : [`**${plain(spelledOut(name))}:** ${plain(Array.isArray(value) ? value.join('; ') : String(value))}`],
    ),
    ...list(
      'Code',
      row.entities.map(id => `${linked(row, id, places)}${stateOf(row, id)}`),
    ),
    code(row.id),
  ]
    .filter(block => block !== '')
    .join('\n\n');
}

/** Everything that is remembered of the folders, as one document; sensitive episodes are not in it. */
export function exportPage(folders: readonly FolderAgents[]): string {
  return folders
    .flatMap(({ answer, name }) => [
      `# Memory of ${plain(name)}`,
      ...section(
        'Decisions',
        answer.episodes.filter(({ type }) => type === 'DECISION'),
      ),
      ...section('Learnings', answer.learnings),
      ...section(
        'Timeline',
        answer.episodes.filter(({ type }) => type !== 'DECISION'),
      ),
    ])
    .join('\n\n');
}

function section(heading: string, rows: readonly MemoryRow[]): readonly string[] {
  if (rows.length === 0) return [];
  return [`## ${heading}`, ...rows.map(row => memoryPage(row).replace(/^# /, '### '))];
}

function stateOf({ anchors }: MemoryRow, id: string): string {
  if (anchors?.changed?.includes(id) === true) return ' (has changed since)';
  return anchors?.gone?.includes(id) === true ? ' (no longer exists)' : '';
}

function list(heading: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`**${heading}**`, items.map(item => `- ${item}`).join('\n')];
}

function wordOf(type: MemoryRow['type']): string {
  const words = type.toLowerCase().replace('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `linesBefore` is *Lines before*. */
function spelledOut(name: string): string {
  const words = name.replace(/(?<=[a-z\d])[A-Z]/g, letter => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Text on one line that is no Markdown; signs of lists count only where they begin it. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]#|<>~]|^[-+]|^\d+(?=[.)])/g, sign => (/^\d/.test(sign) ? `${sign}\\` : `\\${sign}`));
}

/** A file by its path, a symbol by its name and file; what is no code by its id. */
function linked({ anchors }: MemoryRow, id: string, { lines, linkTo }: CodePlaces): string {
  const file = id.split('::', 1)[0] ?? '';
  if (!/[./]/.test(file)) return code(id);
  const address = anchors?.gone?.includes(id) === true ? undefined : linkTo(file, lines.get(id) ?? 0);
  const name = code(file === id ? file : qualifiedName(id));
  return `${address === undefined ? name : `[${name}](${address})`}${file === id ? '' : ` ${plain(file)}`}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
