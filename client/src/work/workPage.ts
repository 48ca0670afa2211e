import { relativeDate } from '../dates';
import { unlinked } from './foreignMarkdown';
import { STATUS_WORDS } from './workTree';

type Fields = Readonly<Record<string, unknown>>;

/** A feature or task as a page: what it is, its texts, what is known about its files, how it came about. `data` is what `query_container get` answers. */
export function workPage(type: 'feature' | 'task', data: Fields, nowMs: number): string {
  const item = fieldsIn(data, type);
  const facts = [
    STATUS_WORDS[textIn(item, 'status') as keyof typeof STATUS_WORDS] ?? textIn(item, 'status'),
    `${textIn(item, 'priority')} priority`,
    `version ${textIn(item, 'version')}`,
    ...(textIn(item, 'assignedAgentId') === '' ? [] : [`assigned to ${plain(textIn(item, 'assignedAgentId'))}`]),
    ...textsIn(item, 'tags').map(tag => `#${plain(tag)}`),
  ];
  return [
    `# ${plain(textIn(item, 'name'))}`,
    facts.join(' · '),
    code(textIn(item, 'id')),
    ...(textIn(item, 'blockedReason') === '' ? [] : [`**Blocked:** ${plain(textIn(item, 'blockedReason'))}`]),
    unlinked(textIn(item, 'summary')),
    ...list(
      'Tasks',
      rowsIn(data, 'tasks').map(row => `${plain(textIn(row, 'name'))} (${textIn(row, 'status').replace('_', ' ')})`),
    ),
    ...list(
      'Dependencies',
      rowsIn(data, 'dependencies').map(row => dependencyLine(row, textIn(item, 'id'))),
    ),
    ...rowsIn(data, 'sections').flatMap(section => [`## ${plain(textIn(section, 'title'))}`, unlinked(textIn(section, 'content'))]),
    ...knowledgeOf(fieldsIn(data, 'graphContext')),
    ...list(
      'History',
      rowsIn(data, 'history').map(row => historyLine(row, nowMs)),
    ),
  ]
    .filter(block => block !== '')
    .join('\n\n');
}

function dependencyLine(row: Fields, id: string): string {
  const isWaiting = textIn(row, 'toId') === id;
  const [name, status] = isWaiting ? ['fromName', 'fromStatus'] : ['toName', 'toStatus'];
  return `${isWaiting ? 'waits for' : 'blocks'} ${plain(textIn(row, name ?? ''))} (${textIn(row, status ?? '').replace('_', ' ')})`;
}

function historyLine(row: Fields, nowMs: number): string {
  const reason = textIn(row, 'reason');
  const who = textIn(row, 'agentId');
  const parts = [
    `version ${textIn(row, 'version')}`,
    relativeDate(textIn(row, 'at'), nowMs),
    textsIn(row, 'changedFields').join(', '),
    who === '' ? '' : plain(who),
    plain(reason),
  ];
  return parts.filter(part => part !== '').join(' · ');
}

function knowledgeOf(context: Fields): string[] {
  const atoms = [...rowsIn(context, 'molecules').flatMap(molecule => rowsIn(molecule, 'atoms')), ...rowsIn(context, 'orphanAtoms')];
  const gaps = textsIn(context, 'unmatchedPaths');
  return [
    ...(atoms.length + gaps.length === 0 ? [] : ['## Knowledge about its files']),
    ...atoms.flatMap(atom => [`### ${plain(textIn(atom, 'name'))}`, textsIn(atom, 'matchedPaths').map(code).join(' '), unlinked(textIn(atom, 'knowledge'))]),
    ...(gaps.length === 0 ? [] : [`There is no knowledge about ${gaps.map(code).join(', ')}.`]),
  ];
}

function list(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${heading}`, lines.map(line => `- ${line}`).join('\n')];
}

/** Text of others in a line of ours: no Markdown, no links. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

function textIn(row: Fields, key: string): string {
  const value = row[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function textsIn(row: Fields, key: string): readonly string[] {
  const value = row[key];
  return Array.isArray(value) ? value.map(String) : [];
}

function rowsIn(data: Fields, key: string): readonly Fields[] {
  const list = data[key];
  return Array.isArray(list) ? (list as Fields[]) : [];
}

function fieldsIn(data: Fields, key: string): Fields {
  const value = data[key];
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
