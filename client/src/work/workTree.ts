import {
  type Disposable,
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type Uri,
} from 'vscode';
import type { WorkFeature, WorkStatus, WorkTask, WorkTreeAnswer } from '../../../server/protocol/features';
import { STATUS_WORDS } from './statusWords';

export interface FolderWork {
  readonly folder: Uri;
  readonly name: string;
  readonly tree: WorkTreeAnswer;
}

/** What is shown: statuses, and words that all occur in the name, the summary or the tags. */
export interface WorkFilter {
  readonly statuses: ReadonlySet<WorkStatus>;
  readonly words: readonly string[];
}

/** A feature or task of the tree, as commands are handed it. */
export interface WorkNode {
  readonly type: 'feature' | 'task';
  readonly folder: Uri;
  readonly item: WorkFeature | WorkTask;
  readonly isNext: boolean;
  /** Rows below a feature. */
  readonly children: readonly Node[];
}

interface FolderNode {
  readonly type: 'folder' | 'more';
  readonly label: string;
  readonly children: readonly Node[];
}

type Node = WorkNode | FolderNode;

/** Features with their tasks, then the tasks without a feature. */
export class WorkTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  private roots: readonly Node[] = [];
  readonly onDidChangeTreeData = this.changed.event;

  /** Rows of all folders; the number of tasks that the filter lets through. */
  show(folders: readonly FolderWork[], filter: WorkFilter): number {
    const shown = folders.map(each => ({ ...each, rows: rowsOf(each, filter) }));
    const [only] = shown;
    this.roots = shown.length === 1 && only !== undefined ? only.rows : shown.map(({ name, rows }) => ({ type: 'folder', label: name, children: rows }));
    this.changed.fire();
    return shown.reduce((sum, { rows }) => sum + tasksIn(rows), 0);
  }

  getChildren(node?: Node): Node[] {
    return [...(node === undefined ? this.roots : node.children)];
  }

  getTreeItem(node: Node): TreeItem {
    if (isWorkNode(node)) return workItem(node);
    return node.type === 'folder' ? headingItem(node.label, 'root-folder') : leafItem(node.label);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function rowsOf({ folder, tree }: FolderWork, filter: WorkFilter): Node[] {
  const rowsUnder = ({ tasks, taskCount }: Pick<WorkTreeAnswer, 'tasks' | 'taskCount'>): Node[] => [
    ...tasks
      .filter(task => passes(task, filter))
      .map((task): WorkNode => ({ type: 'task', folder, item: task, isNext: task.id === tree.nextTaskId, children: [] })),
    ...(taskCount > tasks.length ? [{ type: 'more' as const, label: `and ${taskCount - tasks.length} more`, children: [] }] : []),
  ];
  const features = tree.features.flatMap((feature): Node[] => {
    const children = rowsUnder(feature);
    const isShown = passes(feature, filter) || children.length > 0;
    return isShown ? [{ type: 'feature', folder, item: feature, isNext: false, children }] : [];
  });
  return [...features, ...rowsUnder(tree)];
}

function passes({ name, status, summary, tags }: WorkFeature | WorkTask, { statuses, words }: WorkFilter): boolean {
  const text = [name, summary, ...tags].join('\n').toLowerCase();
  return statuses.has(status) && words.every(word => text.includes(word));
}

function tasksIn(rows: readonly Node[]): number {
  return rows.reduce((sum, row) => sum + (row.type === 'task' ? 1 : tasksIn(row.children)), 0);
}

/** Whether a row is of work, not a heading. */
export function isWorkNode(value: unknown): value is WorkNode {
  return typeof value === 'object' && value !== null && 'item' in value && 'folder' in value;
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

function headingItem(label: string, icon: string): TreeItem {
  const item = new TreeItem(label, Expanded);
  item.iconPath = new ThemeIcon(icon);
  return item;
}

function leafItem(label: string): TreeItem {
  const item = new TreeItem(label, None);
  item.iconPath = new ThemeIcon('ellipsis');
  return item;
}

const ICONS: Readonly<Record<WorkStatus, readonly [icon: string, color?: string]>> = {
  pending: ['circle-large-outline'],
  in_progress: ['play-circle', 'charts.blue'],
  in_review: ['eye', 'charts.purple'],
  completed: ['pass-filled', 'charts.green'],
  blocked: ['error', 'charts.red'],
  terminated: ['circle-slash', 'disabledForeground'],
};

function workItem(node: WorkNode): TreeItem {
  const { item: work, type } = node;
  const item = new TreeItem(work.name, type === 'task' || node.children.length === 0 ? None : work.status === 'completed' ? Collapsed : Expanded);
  // The editor keeps what is opened and selected by id, also when rows move; a feature that gets its first row is to open.
  item.id = `${node.folder.toString()} ${work.id}${node.children.length === 0 ? ' leaf' : ''}`;
  item.iconPath = iconOf(node);
  item.description = descriptionOf(node);
  item.tooltip = tooltipOf(node);
  item.contextValue = `${type} ${work.status}${waits(work) ? ' waiting' : ''}`;
  item.accessibilityInformation = {
    label: [type, work.name, STATUS_WORDS[work.status], item.description].filter(text => text !== '').join(', '),
    role: 'treeitem',
  };
  item.command = { title: 'Open', command: 'lattice.openWork', arguments: [node] };
  return item;
}

/** Blocked by others, whatever its own status says. */
function waits({ blockers }: WorkNode['item']): boolean {
  return blockers.some(blocker => blocker.kind !== 'manual');
}

function iconOf({ isNext, item }: WorkNode): ThemeIcon {
  if (item.status === 'pending' && waits(item)) return new ThemeIcon('lock', new ThemeColor('list.warningForeground'));
  if (isNext) return new ThemeIcon('star-full', new ThemeColor('charts.yellow'));
  const [icon, color] = ICONS[item.status];
  return new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
}

function descriptionOf({ isNext, item }: WorkNode): string {
  const [first] = item.blockers;
  const parts = [
    'percentComplete' in item && item.taskCount > 0 ? `${item.percentComplete}% of ${item.taskCount}` : '',
    isNext ? 'next' : '',
    item.status === 'pending' ? '' : STATUS_WORDS[item.status],
    first === undefined
      ? ''
      : first.kind === 'manual'
        ? first.reason
        : `waits for ${first.name}${item.blockers.length > 1 ? ` and ${item.blockers.length - 1} more` : ''}`,
    item.priority === 'medium' ? '' : item.priority,
    item.claimedBy.length > 0
      ? `claimed by ${item.claimedBy.join(', ')}`
      : 'assignedAgentId' in item && item.assignedAgentId !== null
        ? item.assignedAgentId
        : '',
  ];
  return parts.filter(part => part !== '').join(' · ');
}

function tooltipOf({ item, type }: WorkNode): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown(`**${type === 'task' ? 'Task' : 'Feature'}** `).appendText(item.name);
  text.appendMarkdown(`\n\n${STATUS_WORDS[item.status]}, ${item.priority} priority`);
  if (item.summary !== '') text.appendMarkdown('\n\n').appendText(item.summary);
  for (const blocker of item.blockers) text.appendMarkdown('\n\n$(warning) ').appendText(blocker.reason);
  text.supportThemeIcons = true;
  return text;
}
