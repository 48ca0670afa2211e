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
import type { BranchImpactAnswer, Breaking, InterfaceChange, NodeChange, RankedChange } from '../../../server/protocol/features';
import { counted, figure } from '../../../server/protocol/figures';
import { interfaceCounts } from '../../../server/protocol/interfaceChanges';
import { NODE_KINDS } from '../../../server/protocol/nodeKinds';
import { riskReasons } from '../../../server/protocol/riskReasons';
import { uriOf } from '../answers';
import type { Target } from '../commands/symbolSearch';
import { qualifiedName } from '../names';
import { interfaceRow } from './interfaceRow';
import { pastUriOf } from './pastDocuments';

/** What a folder has changed, or why that is not known. */
export interface FolderChanges {
  readonly folder: Uri;
  readonly name: string;
  readonly answer: BranchImpactAnswer | undefined;
  readonly problem: string | undefined;
}

export const GROUPINGS = ['reach', 'file', 'author'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** A changed symbol; commands take it as a target. */
export interface ChangeNode extends Target {
  readonly type: 'change';
  readonly row: RankedChange;
  readonly from: string;
}

/** A changed file, or a file that holds changed symbols. */
export interface ChangedFileNode {
  readonly type: 'file';
  readonly folder: Uri;
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly change: NodeChange['change'] | undefined;
  readonly from: string;
  readonly children: readonly Node[];
}

interface BreakingNode extends Target {
  readonly type: 'breaking';
  readonly row: Breaking;
}

interface UseNode extends Target {
  readonly type: 'use';
  readonly path: string;
  readonly line: number;
  readonly note: string;
}

/** An endpoint, event or entity that came or went. */
interface InterfaceNode {
  readonly type: 'interface';
  readonly folder: Uri;
  readonly change: InterfaceChange;
  readonly from: string;
}

interface SectionNode {
  readonly type: 'section';
  readonly label: string;
  readonly description: string;
  readonly icon: ThemeIcon;
  readonly context: string;
  readonly expanded: boolean;
  readonly folder: Uri;
  readonly children: readonly Node[];
  readonly tooltip?: string;
  /** Tests to run, for the command of the section and of its files. */
  readonly items?: readonly { readonly id: string }[];
}

interface NoteNode {
  readonly type: 'note';
  readonly text: string;
  /** What the graph shows of the rest, for rows that stand for one. */
  readonly rest?: { readonly folder: Uri; readonly context?: 'breaking changes' };
}

type Node = ChangeNode | ChangedFileNode | BreakingNode | UseNode | InterfaceNode | SectionNode | NoteNode;

/** Rows of one list; the Markdown and the graph have more. */
const MAX_ROWS = 300;
/** Longer lists of what services offer would push the changed symbols out of sight. */
const MAX_OPEN_INTERFACES = 12;
const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** What breaks, what changed by reach, what to run. */
export class ChangesTree implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<void>();
  private roots: readonly Node[] = [];
  readonly onDidChangeTreeData = this.changed.event;

  show(folders: readonly FolderChanges[], grouping: Grouping): void {
    const [only] = folders;
    this.roots =
      folders.length === 1 && only !== undefined
        ? only.answer === undefined
          ? []
          : sectionsOf(only.folder, only.answer, grouping)
        : folders.map(each => folderNode(each, grouping));
    this.changed.fire();
  }

  get isEmpty(): boolean {
    return this.roots.length === 0;
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return [...this.roots];
    return 'children' in node ? [...node.children] : node.type === 'breaking' ? usesOf(node) : [];
  }

  getTreeItem(node: Node): TreeItem {
    switch (node.type) {
      case 'change':
        return changeItem(node);
      case 'file':
        return fileItem(node);
      case 'breaking':
        return breakingItem(node);
      case 'use':
        return useItem(node);
      case 'interface':
        return interfaceItem(node);
      case 'section':
        return sectionItem(node);
      case 'note':
        return noteItem(node);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function folderNode({ answer, folder, name, problem }: FolderChanges, grouping: Grouping): SectionNode {
  const children = answer === undefined ? [note(problem ?? '')] : sectionsOf(folder, answer, grouping);
  const description = answer === undefined ? '' : summaryOf(answer);
  return {
    type: 'section',
    label: name,
    description,
    icon: new ThemeIcon('root-folder'),
    context: 'folder',
    expanded: true,
    folder,
    children: children.length === 0 ? [note('Nothing has changed.')] : children,
  };
}

function note(text: string): NoteNode {
  return { type: 'note', text };
}

/** The rest of a list, which the graph shows. */
function more(count: number, rest: NonNullable<NoteNode['rest']>): NoteNode {
  return { type: 'note', text: `and ${figure(count)} more`, rest };
}

function noteItem({ rest, text }: NoteNode): TreeItem {
  const item = new TreeItem(text, None);
  if (rest === undefined) return item;
  item.iconPath = new ThemeIcon('ellipsis');
  item.tooltip = 'Show Changes in Graph';
  item.command = { title: 'Show Changes in Graph', command: 'lattice.showChangesGraph', arguments: [rest] };
  return item;
}

/** What the risk is made of, where the reader points at what changed. */
function riskOf({ risk, riskParts }: BranchImpactAnswer): { readonly tooltip?: string } {
  return risk === undefined || riskParts === undefined ? {} : { tooltip: `Risk: ${risk} (${riskReasons(riskParts)})` };
}

function sectionsOf(folder: Uri, answer: BranchImpactAnswer, grouping: Grouping): SectionNode[] {
  const section = (label: string, icon: ThemeIcon, children: readonly Node[], more: Partial<SectionNode> = {}): SectionNode => ({
    type: 'section',
    label,
    description: figure(children.length),
    icon,
    context: 'section',
    expanded: false,
    folder,
    children,
    ...more,
  });
  const from = startOf(answer);
  const node = (row: RankedChange): ChangeNode => ({ type: 'change', id: row.id, name: qualifiedName(row.id), folder, row, from });
  const code = answer.symbols.filter(row => !row.isTest);
  const inTests = answer.symbols.filter(row => row.isTest);
  const breaking = answer.breaking.map((row): BreakingNode => ({ type: 'breaking', id: row.nowId ?? row.id, name: qualifiedName(row.id), folder, row }));
  const violations = answer.violations.map(
    ({ from: end, message }): UseNode => ({ type: 'use', id: end.id, name: message, folder, path: end.file, line: end.line, note: `${end.file}:${end.line}` }),
  );
  const interfaces = answer.interfaces.map((change): InterfaceNode => ({ type: 'interface', folder, change, from }));
  const untested = new Set(answer.untested);
  const tests = testFiles(folder, answer);
  const warning = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  return [
    section('Breaking Changes', warning, breaking, { expanded: true, context: 'breaking changes' }),
    section('New Cycles and Violations', warning, violations, { expanded: true }),
    section('Endpoints, Events and Entities', new ThemeIcon('plug'), withRest(interfaces), {
      description: figure(interfaces.length),
      expanded: interfaces.length <= MAX_OPEN_INTERFACES,
    }),
    section('Changed Symbols', new ThemeIcon('git-compare'), rowsOf(code, grouping, node, answer), {
      description: figure(code.length),
      expanded: true,
      ...riskOf(answer),
    }),
    section('Changed Without Tests', new ThemeIcon('beaker-stop'), code.filter(row => untested.has(row.id)).map(node)),
    section('Changed in Tests', new ThemeIcon('beaker'), cut(inTests).map(node), { description: figure(inTests.length) }),
    section(
      'Other Changed Files',
      new ThemeIcon('files'),
      cut(answer.files).map(row => fileOf(folder, row, from)),
      { description: figure(answer.files.length) },
    ),
    section('Tests to Run', new ThemeIcon('play'), tests, {
      description: figure(answer.tests.length),
      context: 'tests',
      items: answer.tests,
    }),
  ].filter(({ children }) => children.length > 0);
}

function cut<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(0, MAX_ROWS);
}

/** The same with a row that counts the others, which nothing else lists. */
function withRest(nodes: readonly Node[]): readonly Node[] {
  return nodes.length > MAX_ROWS ? [...cut(nodes), note(`and ${figure(nodes.length - MAX_ROWS)} more`)] : nodes;
}

/** What the older side of a diff is called by. */
export function startOf({ from }: BranchImpactAnswer): string {
  return from.commit === '' ? from.name : `commit:${from.commit}`;
}

function rowsOf(rows: readonly RankedChange[], grouping: Grouping, node: (row: RankedChange) => ChangeNode, answer: BranchImpactAnswer): Node[] {
  if (grouping === 'reach') {
    const shown = cut(rows).map(node);
    const [first] = shown;
    return first === undefined || rows.length === shown.length ? shown : [...shown, more(rows.length - shown.length, { folder: first.folder })];
  }
  const groups = new Map<string, RankedChange[]>();
  for (const row of rows) {
    for (const key of grouping === 'file' ? [row.path] : row.by.length === 0 ? [''] : row.by) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [row]);
      else known.push(row);
    }
  }
  const from = startOf(answer);
  return [...groups].map(([key, inGroup]): Node => {
    const [first] = inGroup;
    const folder = first === undefined ? undefined : node(first).folder;
    if (folder === undefined) return note(key);
    const children = cut(inGroup).map(node);
    if (grouping === 'file') return { type: 'file', folder, path: key, oldPath: oldPathOf(inGroup), change: undefined, from, children };
    const [label, icon] = key === '' ? ['Not committed', 'edit'] : [key, 'account'];
    return { type: 'section', label, description: figure(inGroup.length), icon: new ThemeIcon(icon), context: 'section', expanded: true, folder, children };
  });
}

/** Where a file was, as its symbols tell. */
function oldPathOf(rows: readonly RankedChange[]): string | undefined {
  const moved = rows.find(row => row.oldId !== undefined && pathOf(row.oldId) !== row.path)?.oldId;
  return moved === undefined ? undefined : pathOf(moved);
}

function pathOf(id: string): string {
  return id.split('::', 1)[0] ?? id;
}

function fileOf(folder: Uri, { change, oldId, path }: NodeChange, from: string): ChangedFileNode {
  return { type: 'file', folder, path, oldPath: oldId, change, from, children: [] };
}

function testFiles(folder: Uri, answer: BranchImpactAnswer): SectionNode[] {
  const byFile = new Map<string, UseNode[]>();
  for (const { file, id } of answer.tests) {
    const cases = byFile.get(file) ?? [];
    byFile.set(file, cases);
    if (id !== file) cases.push({ type: 'use', id, name: qualifiedName(id), folder, path: file, line: 0, note: '' });
  }
  return [...byFile].map(([path, children]) => ({
    type: 'section',
    label: path.slice(path.lastIndexOf('/') + 1),
    description: [path.slice(0, Math.max(0, path.lastIndexOf('/'))), ...(children.length === 0 ? [] : [counted(children.length, 'test')])]
      .filter(text => text !== '')
      .join(' · '),
    icon: new ThemeIcon('beaker'),
    context: 'tests',
    expanded: false,
    folder,
    children,
    items: children.length === 0 ? [{ id: path }] : children,
  }));
}

/** A line that uses it in two ways is one row. */
function usesOf({ folder, row }: BreakingNode): Node[] {
  const places = new Map(row.uses.map(use => [`${use.id} ${use.line}`, use]));
  const uses = [...places.values()].map(
    ({ id, isTest, line, path, possible }): UseNode => ({
      type: 'use',
      id,
      name: qualifiedName(id),
      folder,
      path,
      line,
      note: [`${path}${line > 0 ? `:${line}` : ''}`, ...(isTest ? ['test'] : []), ...(possible === true ? ['possible'] : [])].join(' · '),
    }),
  );
  return [...uses, ...(row.total > row.uses.length ? [more(row.total - row.uses.length, { folder, context: 'breaking changes' })] : [])];
}

/** `12 changed symbols, 5 in tests, 1 breaking change, 24 tests to run. Risk: medium.` */
export function summaryOf({ breaking, files, interfaces, risk, symbols, tests }: BranchImpactAnswer): string {
  const offered = interfaceCounts(interfaces, counted);
  const changed = symbols.filter(row => !row.isTest).length;
  const parts = [
    changed > 0 ? counted(changed, 'changed symbol') : 'no changed symbols',
    ...(changed === symbols.length ? [] : [`${figure(symbols.length - changed)} in tests`]),
    ...(breaking.length === 0 ? [] : [counted(breaking.length, 'breaking change')]),
    ...(offered === '' ? [] : [offered]),
    ...(files.length === 0 ? [] : [counted(files.length, 'other file')]),
    tests.length === 0 ? 'no tests to run' : `${counted(tests.length, 'test')} to run`,
  ];
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.${risk === undefined ? '' : ` Risk: ${risk}.`}`;
}

const WORDS: Readonly<Record<NodeChange['change'], string>> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  moved: 'moved',
  signature: 'signature changed',
  body: 'changed',
};

const COLORS: Readonly<Record<NodeChange['change'], string>> = {
  added: 'gitDecoration.addedResourceForeground',
  removed: 'gitDecoration.deletedResourceForeground',
  renamed: 'gitDecoration.renamedResourceForeground',
  moved: 'gitDecoration.renamedResourceForeground',
  signature: 'gitDecoration.modifiedResourceForeground',
  body: 'gitDecoration.modifiedResourceForeground',
};

function changeItem(node: ChangeNode): TreeItem {
  const { row } = node;
  const item = new TreeItem(node.name, None);
  const icon = NODE_KINDS.find(({ name }) => name === row.kind)?.icon ?? 'symbol-misc';
  item.iconPath = new ThemeIcon(icon, new ThemeColor(COLORS[row.change]));
  item.description = [
    ...(row.isBreaking ? ['breaking'] : []),
    ...(row.dependents === 0 ? [] : [counted(row.dependents, 'dependent')]),
    ...(row.tests === 0 ? [] : [counted(row.tests, 'test')]),
    WORDS[row.change],
    row.path.slice(row.path.lastIndexOf('/') + 1),
  ].join(' · ');
  item.tooltip = tooltipOf(row);
  item.contextValue = row.change === 'removed' ? 'removed' : 'change symbol';
  item.command = opening(node);
  item.accessibilityInformation = { label: `${row.kind.replaceAll('_', ' ')} ${node.name}, ${item.description}` };
  return item;
}

function opening(node: ChangeNode | ChangedFileNode): Command {
  return { title: 'Open Changes', command: 'lattice.openChanges', arguments: [node] };
}

function tooltipOf(row: RankedChange): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown(`**${WORDS[row.change]}** `);
  text.appendText(`${row.kind.replaceAll('_', ' ')} ${qualifiedName(row.id)} (${row.path}${row.line > 0 ? `:${row.line}` : ''})`);
  if (row.oldId !== undefined) text.appendText(`\nWas ${row.oldId}`);
  if (row.oldSignature !== undefined && row.signature !== undefined) text.appendCodeblock(`- ${row.oldSignature}\n+ ${row.signature}`, 'diff');
  if (row.by.length > 0) text.appendText(`\nBy ${row.by.join(', ')}`);
  return text;
}

function fileItem(node: ChangedFileNode): TreeItem {
  const slash = node.path.lastIndexOf('/');
  const item = new TreeItem(node.path.slice(slash + 1), node.children.length === 0 ? None : Expanded);
  item.resourceUri = uriOf(node.folder, node.path);
  item.iconPath = ThemeIcon.File;
  item.description = [node.path.slice(0, Math.max(0, slash)), ...(node.change === undefined ? [] : [WORDS[node.change]])]
    .filter(text => text !== '')
    .join(' · ');
  item.tooltip = node.oldPath === undefined ? node.path : `${node.path}, was ${node.oldPath}`;
  item.contextValue = 'changed file';
  if (node.children.length === 0) item.command = opening(node);
  return item;
}

const REASONS: Readonly<Record<Breaking['reason'], string>> = {
  removed: 'removed',
  renamed: 'renamed',
  moved: 'moved',
  signature: 'signature changed',
  hidden: 'no longer exported',
};

function breakingItem({ name, row }: BreakingNode): TreeItem {
  const item = new TreeItem(name, Collapsed);
  item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  item.description = `${REASONS[row.reason]} · still used at ${counted(row.total, 'location')}`;
  const text = new MarkdownString();
  text.appendText(row.nowId === undefined ? row.id : `${row.id}, now ${row.nowId}`);
  if (row.oldSignature !== undefined && row.signature !== undefined) text.appendCodeblock(`- ${row.oldSignature}\n+ ${row.signature}`, 'diff');
  item.tooltip = text;
  item.contextValue = row.reason === 'removed' ? 'breaking' : 'breaking symbol';
  return item;
}

function useItem(node: UseNode): TreeItem {
  const item = new TreeItem(node.name, None);
  item.iconPath = new ThemeIcon('arrow-small-right');
  item.description = node.note;
  item.tooltip = new MarkdownString().appendText(node.note === '' ? node.id : `${node.name}\n${node.note}`);
  item.contextValue = 'use symbol';
  item.command =
    node.line > 0
      ? { title: 'Open', command: 'vscode.open', arguments: [uriOf(node.folder, node.path).with({ fragment: `L${node.line}` })] }
      : { title: 'Open', command: 'lattice.openNode', arguments: [{ id: node.id, name: node.name, folder: node.folder }] };
  return item;
}

function interfaceItem({ change, folder, from }: InterfaceNode): TreeItem {
  const { color, description, icon, label, place, spoken, tooltip } = interfaceRow(change);
  const item = new TreeItem(label, None);
  item.iconPath = new ThemeIcon(icon, new ThemeColor(color));
  item.description = description;
  item.tooltip = new MarkdownString().appendText(tooltip);
  item.accessibilityInformation = { label: spoken };
  if (place === undefined) return item;
  const uri = place.state === 'older' ? pastUriOf(folder, place.path, from) : uriOf(folder, place.path);
  const line = Math.max(0, place.line - 1);
  item.command = { title: 'Open', command: 'vscode.open', arguments: [uri, { selection: new Range(line, 0, line, 0) }] };
  return item;
}

function sectionItem({ children, context, description, expanded, icon, label, tooltip }: SectionNode): TreeItem {
  const item = new TreeItem(label, children.length === 0 ? None : expanded ? Expanded : Collapsed);
  item.iconPath = icon;
  item.description = description;
  item.contextValue = context;
  if (tooltip !== undefined) {
    item.tooltip = tooltip;
    // A tooltip alone would take the place of the row's name for screen readers.
    item.accessibilityInformation = { label: `${label} ${description}. ${tooltip}` };
  }
  return item;
}
