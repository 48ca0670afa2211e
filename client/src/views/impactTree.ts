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
} from 'vscode';
import { iconOf, type ImpactItem, isMaybe, uriOf } from '../answers';
import type { Target } from '../commands/symbolSearch';
import type { Impact } from './impact';

interface GroupNode {
  readonly type: 'group';
  readonly title: string;
  readonly icon: string;
  readonly expanded: boolean;
  readonly items: readonly ImpactItem[];
}

interface FileNode {
  readonly type: 'file';
  readonly file: string;
  readonly items: readonly ImpactItem[];
  readonly expanded: boolean;
}

interface SymbolNode extends Target {
  readonly type: 'symbol';
  readonly item: ImpactItem;
}

type Node = GroupNode | FileNode | SymbolNode;

/** Files up to this number are shown open. */
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
    if (this.impact === undefined) return [];
    if (node === undefined) return groupsOf(this.impact);
    if (node.type === 'group') return filesOf(node);
    if (node.type === 'symbol') return [];
    const { folder } = this.impact;
    return node.items.filter(item => item.kind !== 'file').map(item => ({ type: 'symbol', id: item.id, name: item.name, folder, item }));
  }

  getTreeItem(node: Node): TreeItem {
    if (node.type === 'group') return groupItem(node);
    if (node.type === 'file') return this.fileItem(node);
    return this.symbolItem(node);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private fileItem(node: FileNode): TreeItem {
    const symbols = node.items.filter(item => item.kind !== 'file').length;
    const item = new TreeItem(node.file.slice(node.file.lastIndexOf('/') + 1));
    if (this.impact !== undefined) item.resourceUri = uriOf(this.impact.folder, node.file);
    item.iconPath = ThemeIcon.File;
    item.description = node.file.includes('/') ? node.file.slice(0, node.file.lastIndexOf('/')) : '';
    item.tooltip = node.file;
    item.contextValue = 'file';
    if (symbols > 0) item.collapsibleState = node.expanded ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
    const whole = node.items.find(candidate => candidate.kind === 'file');
    if (whole !== undefined && symbols === 0) item.command = this.openCommand(whole);
    return item;
  }

  private symbolItem({ item: impacted }: SymbolNode): TreeItem {
    const item = new TreeItem(impacted.name);
    item.iconPath = isMaybe(impacted) ? new ThemeIcon('question', new ThemeColor('descriptionForeground')) : iconOf(impacted.kind);
    item.description = [howItDepends(impacted), isMaybe(impacted) ? percent(impacted) : ''].filter(part => part !== '').join(', ');
    item.tooltip = tooltip(impacted);
    item.contextValue = 'symbol';
    item.command = this.openCommand(impacted);
    item.accessibilityInformation = { label: `${impacted.kind} ${impacted.name}, ${item.description}, line ${impacted.line}` };
    return item;
  }

  private openCommand(item: ImpactItem): Command {
    const start = Math.max(0, item.line - 1);
    const uri = this.impact === undefined ? undefined : uriOf(this.impact.folder, item.file);
    return { title: 'Open', command: 'vscode.open', arguments: [uri, { selection: new Range(start, 0, start, 0), preserveFocus: true }] };
  }
}

function groupsOf(impact: Impact): Node[] {
  const facts = impact.items.filter(item => !isMaybe(item) && !item.test);
  const tests = impact.items.filter(item => !isMaybe(item) && item.test);
  const maybe = impact.items.filter(isMaybe);
  const groups: GroupNode[] = [
    { type: 'group', title: 'Dependents', icon: 'type-hierarchy-sub', expanded: true, items: facts },
    { type: 'group', title: 'Tests', icon: 'beaker', expanded: facts.length === 0, items: tests },
    { type: 'group', title: 'Maybe', icon: 'question', expanded: facts.length + tests.length === 0, items: maybe },
  ];
  return groups.filter(group => group.items.length > 0);
}

function filesOf(group: GroupNode): FileNode[] {
  const byFile = new Map<string, ImpactItem[]>();
  for (const item of group.items) {
    const items = byFile.get(item.file);
    if (items === undefined) byFile.set(item.file, [item]);
    else items.push(item);
  }
  const expanded = byFile.size <= OPEN_FILES;
  return [...byFile].map(([file, items]) => ({ type: 'file', file, items, expanded }));
}

function groupItem(node: GroupNode): TreeItem {
  const item = new TreeItem(node.title, node.expanded ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed);
  const files = new Set(node.items.map(each => each.file)).size;
  item.iconPath = new ThemeIcon(node.icon);
  item.description = `${counted(node.items.length, 'symbol')} in ${counted(files, 'file')}`;
  item.contextValue = 'group';
  return item;
}

function howItDepends(item: ImpactItem): string {
  const how = item.relation === '' ? 'depends on it' : item.relation.replaceAll('_', ' ');
  return item.via === '' || item.depth <= 1 ? how : `${how} ${item.via}`;
}

function tooltip(item: ImpactItem): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown(`**${item.kind.replaceAll('_', ' ')}** `);
  text.appendText(item.name);
  text.appendMarkdown('\n\n');
  text.appendText(`${howItDepends(item)}, ${item.depth} ${item.depth === 1 ? 'step' : 'steps'} away\n${item.file}:${item.line}`);
  if (isMaybe(item)) text.appendText(`\nMaybe: ${percent(item)}, one of several places the reference could go to`);
  return text;
}

function percent(item: ImpactItem): string {
  return `${Math.round(item.confidence * 100)} % sure`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
