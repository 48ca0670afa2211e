import { type Disposable, EventEmitter, MarkdownString, ThemeColor, ThemeIcon, type TreeDataProvider, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { WorkStatus } from '../../../server/protocol/features';
import { figure } from '../../../server/protocol/figures';
import { STATUS_WORDS } from './statusWords';
import { type FolderWork, isWorkNode, type MoreNode, type Node, rowsOf, tasksIn, type WorkFilter, type WorkNode } from './workRows';

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
    return node.type === 'folder' ? headingItem(node.label) : moreItem(node);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

function headingItem(label: string): TreeItem {
  const item = new TreeItem(label, Expanded);
  item.iconPath = new ThemeIcon('root-folder');
  return item;
}

function moreItem({ children, count, id }: MoreNode): TreeItem {
  const item = new TreeItem(`${figure(count)} more`, children.length === 0 ? None : Collapsed);
  item.id = id;
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
