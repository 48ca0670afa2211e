import type { MemoryRow } from '../../../server/protocol/features';
import { exactDate } from '../dates';
import { unlinked } from '../work/foreignMarkdown';
import { type FolderAgents, titleOf } from './agentsTree';

/** An episode or learning as a page: what it says, what it is about, what has become of its code. Texts of agents lose their links. */
export function memoryPage(row: MemoryRow): string {
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
    unlinked(row.content),
    ...Object.entries(said).flatMap(([name, value]) =>
      String(value) === '' ? [] : [`**${plain(name)}:** ${plain(Array.isArray(value) ? value.join('; ') : String(value))}`],
    ),
    ...list(
      'Code',
      row.entities.map(id => `${code(id)}${stateOf(row, id)}`),
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

function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&')
    .trim();
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
