import {
  type Command,
  type Disposable,
  EventEmitter,
  Range,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type Uri,
} from 'vscode';
import type { StructureAnswer, SymbolRow } from '../../../server/protocol/features';
import { counted, figure } from '../../../server/protocol/figures';
import { iconOf, uriOf } from '../answers';
import type { Target } from '../commands/symbolSearch';
import { qualifiedName } from '../names';
import { sparkline } from './sparkline';

export interface FolderStructure {
  readonly folder: Uri;
  readonly name: string;
  readonly structure: StructureAnswer;
}

/** A row that leads to others; what it leads to is made when it is opened. */
interface BranchNode {
  readonly type: 'branch';
  readonly label: string;
  readonly description: string;
  readonly tooltip?: string;
  readonly icon: ThemeIcon;
  readonly expanded?: boolean;
  readonly context: string;
  readonly command?: Command;
  children(): Node[];
}

interface FileNode {
  readonly type: 'file';
  readonly folder: Uri;
  readonly path: string;
}

interface SymbolNode extends Target {
  readonly type: 'symbol';
  readonly symbol: SymbolRow;
  readonly description: string;
}

type Node = BranchNode | FileNode | SymbolNode;

/** Communities, import cycles, hotspots and activity of every folder. */
export class StructureTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  private folders: readonly FolderStructure[] = [];
  readonly onDidChangeTreeData = this.changed.event;

  /** Folders without code have no row. Tells whether there is any row. */
  show(folders: readonly FolderStructure[]): boolean {
    this.folders = folders.filter(({ structure }) => structure.hotspots.length + structure.communityCount + structure.cycleCount > 0);
    this.changed.fire();
    return this.folders.length > 0;
  }

  getChildren(node?: Node): Node[] {
    if (node !== undefined) return node.type === 'branch' ? node.children() : [];
    const [only] = this.folders;
    if (this.folders.length === 1 && only !== undefined) return sectionsOf(only);
    return this.folders.map(each => branch(each.name, '', 'root-folder', 'folder', () => sectionsOf(each), true));
  }

  getTreeItem(node: Node): TreeItem {
    if (node.type === 'branch') return branchItem(node);
    return node.type === 'file' ? fileItem(node) : symbolItem(node);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function sectionsOf({ folder, structure }: FolderStructure): Node[] {
  const { activity, hotspots, communities, communityCount, cycles, cycleCount } = structure;
  const spots = hotspots.map(spot => symbolNode(folder, spot, `${heatOf(spot)} · ${baseName(spot.path)}`));
  const isByChange = hotspots.some(({ changes = 0 }) => changes > 0);
  const groups = communities.map(({ id, label, summary, memberCount, members }) => ({
    ...branch(label, counted(memberCount, 'member'), 'group-by-ref-type', 'community', () => [
      ...members.map(member => symbolNode(folder, member, placeOf(member))),
      ...(memberCount > members.length ? [more(memberCount - members.length, inGraph(folder, id))] : []),
    ]),
    tooltip: summary,
  }));
  const rings = cycles.map(files => ({
    ...branch(baseName(files[0] ?? ''), ringOf(files), 'sync', 'cycle', () => fileNodes(folder, files)),
    tooltip: `Import cycle of ${counted(files.length, 'file')}: ${files.join(', ')}`,
  }));
  const sections = [
    {
      ...branch('Hotspots', spots.length === 0 ? 'none' : figure(spots.length), 'flame', 'section', () => spots, true),
      // Screen readers read this in place of the row.
      tooltip: isByChange ? 'Hotspots: changed often, complex and used by many' : 'Hotspots: most central',
    },
    branch('Communities', communityCount === 0 ? 'none' : figure(communityCount), 'symbol-namespace', 'section', () => [
      ...groups,
      ...(communityCount > groups.length ? [more(communityCount - groups.length, inGraph(folder))] : []),
    ]),
    branch(
      'Import Cycles',
      cycleCount === 0 ? 'none' : figure(cycleCount),
      cycleCount === 0 ? 'pass' : 'warning',
      'section',
      () => [...rings, ...(cycleCount > rings.length ? [more(cycleCount - rings.length, { title: 'Show Index Health', command: 'lattice.showHealth' })] : [])],
      cycleCount > 0,
    ),
    ...(activity.length === 0
      ? []
      : [branch('Activity', 'commits by week, last 26 weeks', 'graph-line', 'section', () => activity.map(each => activityNode(folder, each)))]),
  ];
  return sections;
}

/** What else is in a cycle: `and stream.ts`, `and 12 more files`. */
function ringOf([, second = '', ...others]: readonly string[]): string {
  return others.length === 0 ? `and ${baseName(second)}` : `and ${counted(others.length + 1, 'more file')}`;
}

/** The number that hotspots are in order of, with what it is made of: `1,512: 12 changes × complexity 9 × 14 users`. */
function heatOf({ changes = 0, complexity, dependents, score }: StructureAnswer['hotspots'][number]): string {
  const users = counted(dependents, 'user');
  return score === 0 ? users : `${figure(score)}: ${counted(changes, 'change')} × complexity ${figure(complexity)} × ${users}`;
}

function activityNode(root: Uri, { commits, folder, weeks }: StructureAnswer['activity'][number]): BranchNode {
  const recent = weeks.slice(-4).reduce((sum, each) => sum + each, 0);
  const command = { title: 'Reveal in Explorer', command: 'revealInExplorer', arguments: [uriOf(root, folder)] };
  const row = branch(folder === '' ? 'Files of the root' : folder, `${sparkline(weeks)} ${counted(commits, 'commit')}`, 'folder', 'activity', () => []);
  return { ...row, tooltip: `${folder === '' ? '/' : folder}: ${counted(commits, 'commit')} in the last 26 weeks, ${figure(recent)} in the last 4`, command };
}

function branch(label: string, description: string, icon: string, context: string, children: () => Node[], expanded = false): BranchNode {
  const color = icon === 'warning' ? new ThemeColor('list.warningForeground') : undefined;
  return { type: 'branch', label, description, icon: new ThemeIcon(icon, color), context, expanded, children };
}

/** Leads to where all of them are. */
function more(count: number, command: Command): BranchNode {
  return { ...branch(`and ${figure(count)} more`, '', 'ellipsis', 'more', () => []), tooltip: command.title, command };
}

/** The graph of a community, else the list of all to select one from. */
function inGraph(folder: Uri, community?: number): Command {
  return { title: 'Show Community in Graph', command: 'lattice.openCommunityGraph', arguments: [{ folder, community }] };
}

function symbolNode(folder: Uri, symbol: SymbolRow, description: string): SymbolNode {
  return { type: 'symbol', id: symbol.id, name: symbol.name, folder, symbol, description };
}

function fileNodes(folder: Uri, files: readonly string[]): FileNode[] {
  return files.map(path => ({ type: 'file', folder, path }));
}

function placeOf(symbol: SymbolRow): string {
  if (symbol.kind === 'external') return 'external';
  return symbol.kind === 'file' ? symbol.path : `${baseName(symbol.path)}:${symbol.nameLine}`;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

function branchItem(node: BranchNode): TreeItem {
  const empty = node.context === 'more' || node.children().length === 0;
  const item = new TreeItem(node.label, empty ? None : node.expanded === true ? Expanded : Collapsed);
  item.iconPath = node.icon;
  item.description = node.description;
  item.tooltip = node.tooltip ?? node.label;
  item.contextValue = node.context;
  if (node.command !== undefined) item.command = node.command;
  return item;
}

function fileItem({ folder, path }: FileNode): TreeItem {
  const item = new TreeItem(uriOf(folder, path), None);
  item.description = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  item.tooltip = path;
  item.contextValue = 'file';
  item.command = { title: 'Open', command: 'vscode.open', arguments: [uriOf(folder, path)] };
  return item;
}

function symbolItem({ symbol, description, folder }: SymbolNode): TreeItem {
  const item = new TreeItem(symbol.id.includes('::') ? qualifiedName(symbol.id) : symbol.name, None);
  item.iconPath = iconOf(symbol.kind);
  item.description = description;
  item.tooltip = `${symbol.kind.replaceAll('_', ' ')} ${symbol.name} (${symbol.kind === 'external' ? 'outside the workspace' : `${symbol.path}:${symbol.nameLine}`})`;
  // What is outside the workspace has no place to open.
  if (symbol.kind === 'external') return item;
  item.contextValue = 'symbol';
  const start = Math.max(0, symbol.nameLine - 1);
  const selection = new Range(start, symbol.nameColumn, start, symbol.nameColumn + symbol.name.length);
  item.command = { title: 'Open', command: 'vscode.open', arguments: [uriOf(folder, symbol.path), { selection, preserveFocus: true }] };
  return item;
}
