import {
  type Command,
  type Disposable,
  EventEmitter,
  MarkdownString,
  Range,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type Uri,
} from 'vscode';
import { iconOf, uriOf } from '../answers';
import type { Target } from '../commands/symbolSearch';
import { counted, type Impact, type ImpactItem } from './impact';

interface GroupNode {
  readonly type: 'group';
  readonly title: string;
  readonly icon: string;
  readonly expanded: boolean;
  readonly folder: Uri;
  readonly items: readonly ImpactItem[];
}

interface FileNode {
  readonly type: 'file';
  readonly path: string;
  readonly expanded: boolean;
  readonly folder: Uri;
  readonly items: readonly ImpactItem[];
}

interface SymbolNode extends Target {
  readonly type: 'symbol';
  readonly item: ImpactItem;
}

type Node = GroupNode | FileNode | SymbolNode;

/** Groups of up to this many files show them open. */
const OPEN_FILES = 12;

/** Facts first, then tests, then what may depend; each grouped by file. */
export class ImpactTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  private impact: Impact | undefined;
  readonly onDidChangeTreeData = this.changed.event;

  show(impact: Impact | undefined): void {
    this.impact = impact;
    this.changed.fire();
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return this.impact === undefined ? [] : groupsOf(this.impact);
    if (node.type === 'group') return filesOf(node);
    return node.type === 'file' ? symbolsOf(node) : [];
  }

  getTreeItem(node: Node): TreeItem {
    if (node.type === 'group') return groupItem(node);
    return node.type === 'file' ? fileItem(node) : symbolItem(node);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function groupsOf({ target, dependents, tests, maybe }: Impact): GroupNode[] {
  const { folder } = target;
  const groups: GroupNode[] = [
    { type: 'group', title: 'Dependents', icon: 'type-hierarchy-sub', expanded: true, folder, items: dependents },
    { type: 'group', title: 'Tests', icon: 'beaker', expanded: dependents.length === 0, folder, items: tests },
    { type: 'group', title: 'Maybe', icon: 'question', expanded: dependents.length + tests.length === 0, folder, items: maybe },
  ];
  return groups.filter(group => group.items.length > 0);
}

function filesOf({ items, folder }: GroupNode): FileNode[] {
  const byFile = new Map<string, ImpactItem[]>();
  for (const item of items) {
    const known = byFile.get(item.path);
    if (known === undefined) byFile.set(item.path, [item]);
    else known.push(item);
  }
  const expanded = byFile.size <= OPEN_FILES;
  return [...byFile].map(([path, inFile]) => ({ type: 'file', path, items: inFile, folder, expanded }));
}

function symbolsOf({ items, folder }: FileNode): SymbolNode[] {
  return items.filter(item => item.kind !== 'file').map(item => ({ type: 'symbol', id: item.id, name: item.name, folder, item }));
}

function groupItem(node: GroupNode): TreeItem {
  const item = new TreeItem(node.title, node.expanded ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed);
  item.iconPath = new ThemeIcon(node.icon);
  item.description = `${node.items.length} in ${counted(new Set(node.items.map(each => each.path)).size, 'file')}`;
  item.contextValue = 'group';
  return item;
}

function fileItem(node: FileNode): TreeItem {
  const slash = node.path.lastIndexOf('/');
  const item = new TreeItem(node.path.slice(slash + 1));
  item.resourceUri = uriOf(node.folder, node.path);
  item.iconPath = ThemeIcon.File;
  item.description = slash < 0 ? '' : node.path.slice(0, slash);
  item.tooltip = node.path;
  item.contextValue = 'file';
  const whole = node.items.find(each => each.kind === 'file');
  if (whole !== undefined) {
    item.description = `${item.description} ${whole.certainty} ${whole.how}`.trim().replaceAll('  ', ' ');
    item.command = openCommand(node.folder, whole);
  } else item.collapsibleState = node.expanded ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
  return item;
}

function symbolItem({ item: impacted, folder }: SymbolNode): TreeItem {
  const item = new TreeItem(impacted.name);
  item.iconPath = impacted.certainty === '' ? iconOf(impacted.kind) : new ThemeIcon('question', new ThemeColor('descriptionForeground'));
  item.description = `${impacted.certainty} ${impacted.how}, line ${impacted.line}`.trim();
  item.tooltip = tooltip(impacted);
  item.contextValue = 'symbol';
  item.command = openCommand(folder, impacted);
  item.accessibilityInformation = { label: `${impacted.kind} ${impacted.name}, ${item.description}` };
  return item;
}

function openCommand(folder: Uri, item: ImpactItem): Command {
  const start = Math.max(0, item.line - 1);
  return { title: 'Open', command: 'vscode.open', arguments: [uriOf(folder, item.path), { selection: new Range(start, 0, start, 0), preserveFocus: true }] };
}

/** The evidence: every step from the target to this symbol. */
function tooltip(item: ImpactItem): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown(`**${item.kind.replaceAll('_', ' ')}** `);
  text.appendText(item.name);
  text.appendMarkdown('\n\n');
  text.appendText(`${item.how} (${item.path}:${item.line})`);
  if (item.chain.length > 2) {
    text.appendMarkdown('\n\n');
    text.appendText(`Chain: ${item.chain.join(' ← ')}`);
  }
  if (item.certainty !== '') {
    text.appendMarkdown('\n\n');
    text.appendText(`Maybe (${item.certainty}): a reference on the way could go to several places.`);
  }
  return text;
}
