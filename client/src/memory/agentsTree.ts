import { type Disposable, EventEmitter, MarkdownString, ThemeIcon, type TreeDataProvider, TreeItem, TreeItemCollapsibleState, type Uri } from 'vscode';
import type { AgentsAnswer, ClaimRow, MemoryRow } from '../../../server/protocol/features';
import { exactDate, relativeDate } from '../dates';
import { qualifiedName } from '../names';

export interface FolderAgents {
  readonly folder: Uri;
  readonly name: string;
  readonly answer: AgentsAnswer;
}

/** What is shown of the timeline: types, and words that all occur in the text, the files or the agent. */
export interface MemoryFilter {
  readonly types: ReadonlySet<string>;
  readonly words: readonly string[];
}

export interface AgentNode {
  readonly type: 'agent';
  readonly folder: Uri;
  readonly agentId: string;
  readonly lastSeen: string;
  /** Name of the task that it has in progress. */
  readonly task: string | undefined;
  readonly children: readonly ClaimNode[];
}

interface ClaimNode {
  readonly type: 'claim';
  readonly folder: Uri;
  readonly claim: ClaimRow;
}

/** An episode or a learning, as commands are handed it. */
export interface MemoryNode {
  readonly type: 'memory';
  readonly folder: Uri;
  readonly row: MemoryRow;
}

interface GroupNode {
  readonly type: 'group';
  readonly label: string;
  readonly icon: string;
  readonly description: string;
  readonly children: readonly Node[];
}

type Node = AgentNode | ClaimNode | MemoryNode | GroupNode;

/** Agents with what they hold, then decisions, learnings and all episodes by time. */
export class AgentsTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  private roots: readonly Node[] = [];
  readonly onDidChangeTreeData = this.changed.event;

  show(folders: readonly FolderAgents[], filter: MemoryFilter): void {
    const shown = folders.map(({ answer, folder, name }) => ({ name, rows: groupsOf(folder, answer, filter) }));
    const [only] = shown;
    this.roots =
      shown.length === 1 && only !== undefined
        ? only.rows
        : shown.map(({ name, rows }) => ({ type: 'group', label: name, icon: 'root-folder', description: '', children: rows }));
    this.changed.fire();
  }

  /** The same rows anew: what they say of times has moved on. */
  renew(): void {
    this.changed.fire();
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return [...this.roots];
    return 'children' in node ? [...node.children] : [];
  }

  getTreeItem(node: Node): TreeItem {
    if (node.type === 'agent') return agentItem(node);
    if (node.type === 'claim') return claimItem(node);
    return node.type === 'memory' ? memoryItem(node) : groupItem(node);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function groupsOf(folder: Uri, { agents, episodeCount, episodes, learnings }: AgentsAnswer, filter: MemoryFilter): readonly Node[] {
  const node = (row: MemoryRow): MemoryNode => ({ type: 'memory', folder, row });
  const decisions = episodes.filter(({ type }) => type === 'DECISION');
  const timeline = episodes.filter(row => passes(row, filter));
  const active = agents.filter(({ claims }) => claims.length > 0);
  const others = agents.filter(({ claims }) => claims.length === 0);
  const groups: readonly GroupNode[] = [
    {
      type: 'group',
      label: 'Agents',
      icon: 'organization',
      description: active.length === 0 ? '' : `${active.length} active`,
      children: [...active, ...others].map(({ agentId, claims, lastSeen, task }) => ({
        type: 'agent',
        folder,
        agentId,
        lastSeen,
        task: task?.name,
        children: claims.map(claim => ({ type: 'claim', folder, claim })),
      })),
    },
    { type: 'group', label: 'Decisions', icon: 'law', description: countText(decisions.length), children: decisions.map(node) },
    { type: 'group', label: 'Learnings', icon: 'lightbulb', description: countText(learnings.length), children: learnings.map(node) },
    {
      type: 'group',
      label: 'Timeline',
      icon: 'history',
      description: timeline.length === episodeCount ? countText(episodeCount) : `${timeline.length} of ${episodeCount}`,
      children: timeline.map(node),
    },
  ];
  return groups.filter(({ children, label }) => children.length > 0 || (label === 'Timeline' && episodeCount > 0));
}

function passes(row: MemoryRow, { types, words }: MemoryFilter): boolean {
  const text = [row.content, row.agentId, ...row.entities].join('\n').toLowerCase();
  return (types.size === 0 || types.has(row.type)) && words.every(word => text.includes(word));
}

function countText(count: number): string {
  return count === 0 ? '' : String(count);
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

function groupItem({ description, icon, label }: GroupNode): TreeItem {
  const item = new TreeItem(label, label === 'Agents' || icon === 'root-folder' ? Expanded : Collapsed);
  item.iconPath = new ThemeIcon(icon);
  item.description = description;
  return item;
}

function agentItem({ agentId, children, lastSeen, task }: AgentNode): TreeItem {
  const item = new TreeItem(agentId, children.length > 0 ? Expanded : None);
  item.iconPath = new ThemeIcon(children.length > 0 ? 'person-filled' : 'person');
  item.description = [...(task === undefined ? [] : [task]), `last seen ${relativeDate(lastSeen, Date.now())}`].join(' · ');
  item.tooltip = plainTooltip([agentId, ...(task === undefined ? [] : [`Task: ${task}`]), `last seen ${exactDate(lastSeen)}`].join('\n'));
  item.contextValue = children.length > 0 ? 'agent active' : 'agent';
  return item;
}

function claimItem({ claim, folder }: ClaimNode): TreeItem {
  const isCode = claim.claimType === 'file' || claim.claimType === 'function';
  const item = new TreeItem(isCode ? qualifiedName(claim.targetId) : claim.targetId, None);
  item.iconPath = new ThemeIcon('lock');
  item.description = claim.intent;
  item.tooltip = plainTooltip(`${claim.agentId}: ${claim.intent}\n${claim.targetId}\nsince ${exactDate(claim.validFrom)}`);
  item.contextValue = 'claim';
  if (isCode) item.command = { command: 'lattice.openNode', title: 'Open', arguments: [{ id: claim.targetId, name: claim.targetId, folder }] };
  return item;
}

const ICONS: Readonly<Record<MemoryRow['type'], string>> = {
  OBSERVATION: 'eye',
  DECISION: 'law',
  EDIT: 'edit',
  TEST_RESULT: 'beaker',
  ERROR: 'error',
  REFLECTION: 'comment-discussion',
  LEARNING: 'lightbulb',
};

function memoryItem(node: MemoryNode): TreeItem {
  const { row } = node;
  const item = new TreeItem(titleOf(row), None);
  const isMoved = [...(row.anchors?.changed ?? []), ...(row.anchors?.gone ?? [])].length > 0;
  item.iconPath = new ThemeIcon(ICONS[row.type]);
  item.description = `${row.agentId} · ${relativeDate(row.timestamp, Date.now())}${isMoved ? ' · code has changed' : ''}`;
  item.tooltip = plainTooltip(`${row.agentId}, ${exactDate(row.timestamp)}\n\n${row.content}`);
  item.contextValue = row.type === 'LEARNING' ? 'learning' : 'episode';
  item.command = { command: 'lattice.openEpisode', title: 'Open', arguments: [node] };
  return item;
}

/** What an episode or a learning is called: its own title, else its first line. */
export function titleOf({ content, metadata }: MemoryRow): string {
  const title = metadata?.['title'];
  return typeof title === 'string' && title !== '' ? title : (content.split('\n', 1)[0] ?? '');
}

function plainTooltip(text: string): MarkdownString {
  return new MarkdownString().appendText(text.slice(0, 2_000));
}

export function isMemoryNode(value: unknown): value is MemoryNode {
  return isNode(value) && value.type === 'memory';
}

export function isAgentNode(value: unknown): value is AgentNode {
  return isNode(value) && value.type === 'agent';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'folder' in value;
}
