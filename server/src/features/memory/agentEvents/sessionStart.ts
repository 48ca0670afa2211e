import { shownText } from '../../../../protocol/shownText';
import { MemoryView } from '../../../memory/view';
import { listWork } from '../../../work/lists';
import type { Workspace } from '../../../workspace/snapshot';

/** Of each kind, the newest. All of it stays below 300 tokens. */
const MAX_LISTED = { claims: 4, tasks: 3, decisions: 3 } as const;
const LINE_LENGTH = 140;

/** What an agent is told when its session begins: its name, who else is at work, what is in progress and what was decided last. */
export function sessionStart(workspace: Pick<Workspace, 'records'>, agentId: string): string {
  const { records } = workspace;
  const view = new MemoryView(records);
  const claims = view.activeClaims().filter(claim => claim.agentId !== agentId);
  const tasks = listWork(records, { type: 'task', status: ['in_progress'] }, { limit: MAX_LISTED.tasks, offset: 0 });
  const decisions = view.episodes({ types: ['DECISION'] }, MAX_LISTED.decisions).filter(({ sensitive }) => !sensitive);
  return [
    `Lattice keeps a graph of this project. Your agent ID is ${agentId}: pass it as agentId when you call its tools. Call context_pack with your task before you read files.`,
    ...listed(
      'Claimed by others',
      claims.slice(-MAX_LISTED.claims).map(({ agentId: who, intent, targetId }) => `${targetId} (${who}): ${intent}`),
      claims.length,
    ),
    ...listed(
      'Tasks in progress',
      tasks.items.map(({ id, name }) => `${name} (${id})`),
      tasks.total,
    ),
    ...listed(
      'Latest decisions',
      decisions.map(({ content, metadata }) => (typeof metadata['title'] === 'string' ? metadata['title'] : content)),
      decisions.length,
    ),
  ].join('\n');
}

function listed(title: string, rows: readonly string[], total: number): string[] {
  if (rows.length === 0) return [];
  const more = total > rows.length ? ` (${total})` : '';
  return [`${title}${more}:`, ...rows.map(row => `- ${clipped(row)}`)];
}

function clipped(row: string): string {
  // A row of somebody else's words begins no row of its own.
  const [first = ''] = row.split(/\r\n|[\n\r\u2028\u2029\u0085]/, 1);
  const line = shownText(first);
  return line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH)}…`;
}
