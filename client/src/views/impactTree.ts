import {
  type Command,
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
import { counted, figure } from '../../../server/protocol/figures';
import { iconOf, uriOf } from '../answers';
import type { Target } from '../commands/symbolSearch';
import { nameOf, shortPaths } from '../names';
import { type Impact, type ImpactItem, type ImpactList } from './impact';

/** An impact that stands beside others, because one is pinned. */
export interface RootNode extends Target {
  readonly type: 'root';
  readonly impact: Impact;
  readonly pinned: boolean;
}

interface GroupNode {
  readonly type: 'group';
  readonly target: Target;
  readonly title: string;
  readonly icon: string;
  readonly context: string;
  readonly expanded: boolean;
  readonly folder: Uri;
  readonly items: readonly ImpactItem[];
  /** How many there are, listed or not. */
  readonly total: number;
  /** Files that hold them, when all of them are known. */
  readonly files: number | undefined;
  readonly unlisted: number;
}

/** Stands below the rows of a group that has more. */
interface MoreNode {
  readonly type: 'more';
  readonly target: Target;
  readonly unlisted: number;
  readonly total: number;
}

interface FileNode {
  readonly type: 'file';
  readonly path: string;
  /** Its name, with as many folders as tell it from the others in the group. */
  readonly label: string;
  readonly expanded: boolean;
  readonly folder: Uri;
  readonly items: readonly ImpactItem[];
}

interface SymbolNode extends Target {
  readonly type: 'symbol';
  readonly item: ImpactItem;
}

/** One node on the way from the target to a symbol. */
interface StepNode extends Target {
  readonly type: 'step';
  readonly step: number;
}

type Node = RootNode | GroupNode | FileNode | SymbolNode | StepNode | MoreNode;

/** Groups of up to this many files show them open, and so does what changed up to this many. */
const OPEN_FILES = 12;
const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** What changed, then facts, then tests, then what may depend, then what usually changes with it; each grouped by file. */
export class ImpactTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  private current: Impact | undefined;
  private pinned: readonly Impact[] = [];
  readonly onDidChangeTreeData = this.changed.event;

  /** With nothing pinned the current impact fills the view; otherwise each impact is a row. */
  show(current: Impact | undefined, pinned: readonly Impact[]): void {
    this.current = current;
    this.pinned = pinned;
    this.changed.fire();
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return this.roots();
    switch (node.type) {
      case 'root':
        return groupsOf(node.impact);
      case 'group':
        return [...filesOf(node), ...moreOf(node)];
      case 'file':
        return symbolsOf(node);
      case 'symbol':
        return stepsOf(node);
      case 'step':
      case 'more':
        return [];
    }
  }

  getTreeItem(node: Node): TreeItem {
    switch (node.type) {
      case 'root':
        return rootItem(node);
      case 'group':
        return groupItem(node);
      case 'file':
        return fileItem(node);
      case 'symbol':
        return symbolItem(node);
      case 'step':
        return stepItem(node);
      case 'more':
        return moreItem(node);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private roots(): Node[] {
    const { current, pinned } = this;
    if (pinned.length === 0) return current === undefined ? [] : groupsOf(current);
    const root = (impact: Impact, isPinned: boolean): RootNode => ({ ...impact.target, type: 'root', impact, pinned: isPinned });
    return [...(current === undefined ? [] : [root(current, false)]), ...pinned.map(impact => root(impact, true))];
  }
}

const GROUPS = [
  { list: 'changed', title: 'Changed', icon: 'edit', context: 'group' },
  { list: 'dependents', title: 'Dependents', icon: 'type-hierarchy-sub', context: 'group' },
  { list: 'tests', title: 'Tests', icon: 'beaker', context: 'tests' },
  { list: 'maybe', title: 'Possible Dependents', icon: 'question', context: 'group' },
  { list: 'together', title: 'Usually Changes With', icon: 'git-commit', context: 'group' },
] as const;

function groupsOf(impact: Impact): GroupNode[] {
  const { counts, unlisted, target } = impact;
  const none = impact.dependents.length === 0;
  const open: Readonly<Record<ImpactList, boolean>> = {
    changed: none || impact.changed.length <= OPEN_FILES,
    dependents: true,
    tests: none,
    maybe: none && impact.tests.length === 0,
    together: false,
  };
  return GROUPS.filter(({ list }) => impact[list].length > 0).map(({ list, ...look }) => {
    const items = impact[list];
    const files = list === 'dependents' ? counts.files : unlisted[list] > 0 ? undefined : new Set(items.map(each => each.path)).size;
    return { type: 'group', target, ...look, expanded: open[list], folder: target.folder, items, total: counts[list], files, unlisted: unlisted[list] };
  });
}

function moreOf({ target, total, unlisted }: GroupNode): MoreNode[] {
  return unlisted === 0 ? [] : [{ type: 'more', unlisted, total, target }];
}

function filesOf({ items, folder }: GroupNode): FileNode[] {
  const byFile = new Map<string, ImpactItem[]>();
  for (const item of items) {
    const known = byFile.get(item.path);
    if (known === undefined) byFile.set(item.path, [item]);
    else known.push(item);
  }
  const expanded = byFile.size <= OPEN_FILES;
  const labels = shortPaths([...byFile.keys()]);
  return [...byFile].map(([path, inFile]) => ({ type: 'file', path, label: labels.get(path) ?? path, items: inFile, folder, expanded }));
}

function symbolsOf({ items, folder }: FileNode): SymbolNode[] {
  return items.filter(item => item.kind !== 'file').map(item => ({ type: 'symbol', id: item.id, name: item.name, folder, item }));
}

/** A direct use is its own evidence. */
function stepsOf({ item, folder }: SymbolNode): StepNode[] {
  if (item.via.length < 3) return [];
  return item.via.slice(0, -1).map((id, step) => ({ type: 'step', id, name: nameOf(id), folder, step }));
}

function rootItem(node: RootNode): TreeItem {
  const item = new TreeItem(node.name, node.pinned ? Collapsed : Expanded);
  item.iconPath = new ThemeIcon(node.pinned ? 'pinned' : 'target');
  item.description = node.impact.summary;
  item.tooltip = `${node.name}: ${node.impact.summary}`;
  item.contextValue = node.pinned ? 'pinned' : 'current';
  return item;
}

function groupItem(node: GroupNode): TreeItem {
  const item = new TreeItem(node.title, node.expanded ? Expanded : Collapsed);
  item.iconPath = new ThemeIcon(node.icon);
  item.description = `${figure(node.total)}${node.files === undefined ? '' : ` in ${counted(node.files, 'file')}`}`;
  item.contextValue = node.context;
  return item;
}

function fileItem(node: FileNode): TreeItem {
  const inFolder = node.path.slice(0, Math.max(0, node.path.length - node.label.length - 1));
  const whole = node.items.find(each => each.kind === 'file');
  const use = whole === undefined ? '' : `${whole.certainty} ${whole.how}`.trim();
  const symbols = symbolsOf(node).length;
  const item = new TreeItem(node.label);
  item.resourceUri = uriOf(node.folder, node.path);
  item.iconPath = ThemeIcon.File;
  // What the file itself does stands on its row where no rows of symbols follow.
  const parts = symbols > 0 ? [figure(symbols), inFolder] : [use, inFolder];
  item.description = parts.filter(part => part !== '').join(' · ');
  item.tooltip = use === '' ? node.path : `${node.path}\n${use}`;
  item.contextValue = 'file';
  if (whole !== undefined) item.command = openCommand(node.folder, whole);
  if (symbols > 0) item.collapsibleState = node.expanded ? Expanded : Collapsed;
  return item;
}

function symbolItem(node: SymbolNode): TreeItem {
  const { item: impacted, folder } = node;
  const item = new TreeItem(impacted.name, stepsOf(node).length === 0 ? None : Collapsed);
  item.iconPath = impacted.certainty === '' ? iconOf(impacted.kind) : new ThemeIcon('question', new ThemeColor('descriptionForeground'));
  item.description = `${impacted.certainty} ${impacted.how}`.trim();
  item.tooltip = tooltip(impacted);
  item.contextValue = 'symbol';
  item.command = openCommand(folder, impacted);
  item.accessibilityInformation = { label: `${impacted.kind} ${impacted.name}, ${item.description}, line ${impacted.line}` };
  return item;
}

function stepItem({ id, name, folder, step }: StepNode): TreeItem {
  const item = new TreeItem(name, None);
  item.iconPath = new ThemeIcon(step === 0 ? 'target' : 'arrow-small-up');
  item.description = `${step === 0 ? 'changed' : `step ${step}`} · ${id.split('::')[0] ?? ''}`;
  item.tooltip = id;
  item.contextValue = 'symbol';
  item.command = { title: 'Open', command: 'lattice.openNode', arguments: [{ id, name, folder }] };
  return item;
}

function moreItem({ target, unlisted, total }: MoreNode): TreeItem {
  const item = new TreeItem(`and ${figure(unlisted)} more`, None);
  item.iconPath = new ThemeIcon('ellipsis');
  item.description = 'further away';
  item.tooltip = `Only the nearest ${figure(total - unlisted)} of ${figure(total)} are listed. The graph shows all of them, in groups.`;
  item.contextValue = 'more';
  item.command = { title: 'Show Impact Graph', command: 'lattice.openImpactGraph', arguments: [target] };
  return item;
}

function openCommand(folder: Uri, item: ImpactItem): Command {
  const towards = item.via.at(-2);
  return {
    title: 'Open',
    command: 'lattice.openUse',
    arguments: [{ uri: uriOf(folder, item.path), line: item.line, names: [towards, item.id].flatMap(id => (id === undefined ? [] : [nameOf(id)])) }],
  };
}

/** The evidence: every step from the target to this symbol. */
function tooltip(item: ImpactItem): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown(`**${item.kind.replaceAll('_', ' ')}** `);
  text.appendText(item.name);
  text.appendMarkdown('\n\n');
  text.appendText(`${item.how} (${item.path}:${item.line})`);
  if (item.via.length > 2) {
    text.appendMarkdown('\n\n');
    text.appendText(`Path: ${item.via.map(nameOf).join(' ← ')}`);
  }
  if (item.certainty !== '') {
    text.appendMarkdown('\n\n');
    text.appendText(`Possible (${item.certainty}): a reference on the path could have several targets.`);
  }
  return text;
}
