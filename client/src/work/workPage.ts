import type { ContextAnswer, WorkContainer, WorkDependency, WorkItemAnswer, WorkVersion } from '../../../server/protocol/features';
import { relativeDate } from '../dates';
import { unlinked } from './foreignMarkdown';
import { STATUS_WORDS } from './statusWords';

/** A feature or task as a page: what it is, its texts, what is known about its files, how it came about. */
export function workPage({ container, dependencies, history, sections, tasks }: WorkItemAnswer, known: ContextAnswer | undefined, nowMs: number): string {
  return [
    `# ${plain(container.name)}`,
    factsOf(container).join(' · '),
    code(container.id),
    ...(container.blockedReason === null ? [] : [`**Blocked:** ${plain(container.blockedReason)}`]),
    unlinked(container.summary),
    ...list(
      'Tasks',
      tasks.map(({ name, status }) => `${plain(name)} (${STATUS_WORDS[status]})`),
    ),
    ...list(
      'Dependencies',
      dependencies.map(row => dependencyLine(row, container.id)),
    ),
    ...sections.flatMap(({ content, title }) => [`## ${plain(title)}`, unlinked(content)]),
    ...(known === undefined ? [] : knowledgeOf(known)),
    ...list(
      'History',
      history.map(row => historyLine(row, nowMs)),
    ),
  ]
    .filter(block => block !== '')
    .join('\n\n');
}

function factsOf({ assignedAgentId, priority, status, tags, version }: WorkContainer): string[] {
  return [
    STATUS_WORDS[status],
    `${priority} priority`,
    `version ${version}`,
    ...(assignedAgentId === null ? [] : [`assigned to ${plain(assignedAgentId)}`]),
    ...tags.map(tag => `#${plain(tag)}`),
  ];
}

function dependencyLine(row: WorkDependency, id: string): string {
  const [words, name, status] = row.toId === id ? (['waits for', row.fromName, row.fromStatus] as const) : (['blocks', row.toName, row.toStatus] as const);
  return `${words} ${plain(name)} (${STATUS_WORDS[status]})`;
}

function historyLine({ agentId, at, changedFields, reason, version }: WorkVersion, nowMs: number): string {
  const parts = [`version ${version}`, relativeDate(at, nowMs), changedFields.join(', '), plain(agentId ?? ''), plain(reason ?? '')];
  return parts.filter(part => part !== '').join(' · ');
}

function knowledgeOf({ molecules, orphanAtoms, unmatchedPaths }: ContextAnswer): string[] {
  const atoms = [...molecules.flatMap(molecule => molecule.atoms), ...orphanAtoms];
  return [
    ...(atoms.length + unmatchedPaths.length === 0 ? [] : ['## Knowledge about its files']),
    ...atoms.flatMap(({ knowledge, matchedPaths, name }) => [`### ${plain(name)}`, matchedPaths.map(code).join(' '), unlinked(knowledge)]),
    ...(unmatchedPaths.length === 0 ? [] : [`There is no knowledge about ${unmatchedPaths.map(code).join(', ')}.`]),
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
