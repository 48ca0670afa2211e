import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, type Uri } from 'vscode';
import type { AtomRow, FolderGap, KnowledgeTreeAnswer, MoleculeRow, SyncConflict } from '../../../server/protocol/features';
import { counted } from '../../../server/protocol/figures';
import { uriOf } from '../answers';

/** What is known in one workspace folder. */
export interface FolderKnowledge {
  readonly folder: Uri;
  readonly name: string;
  readonly tree: KnowledgeTreeAnswer;
  readonly conflicts: readonly SyncConflict[];
}

interface InFolder {
  readonly folder: Uri;
}

export interface AtomNode extends InFolder {
  readonly type: 'atom';
  readonly row: AtomRow;
}

export interface MoleculeNode extends InFolder {
  readonly type: 'molecule';
  readonly row: MoleculeRow;
}

export interface GapNode extends InFolder {
  readonly type: 'gap';
  readonly gap: FolderGap;
}

export interface OrphansNode extends InFolder {
  readonly type: 'orphans';
  readonly atoms: readonly AtomRow[];
}

export type KnowledgeNode =
  | AtomNode
  | MoleculeNode
  | GapNode
  | OrphansNode
  | (InFolder & { readonly type: 'root'; readonly known: FolderKnowledge })
  | (InFolder & { readonly type: 'gaps'; readonly known: FolderKnowledge })
  | (InFolder & { readonly type: 'conflicts'; readonly conflicts: readonly SyncConflict[] })
  | (InFolder & { readonly type: 'conflict'; readonly conflict: SyncConflict })
  | (InFolder & { readonly type: 'pattern'; readonly pattern: string; readonly files: readonly string[]; readonly total: number })
  | (InFolder & { readonly type: 'file'; readonly path: string })
  | (InFolder & { readonly type: 'more'; readonly count: number });

/** Molecules first, then what has none, what is not covered, what does not fit together. Nothing at all when nobody has written anything. */
export function topNodes(known: FolderKnowledge): KnowledgeNode[] {
  const { conflicts, folder, tree } = known;
  if (tree.molecules.length === 0 && tree.orphanAtoms.length === 0 && conflicts.length === 0) return [];
  return [
    ...(conflicts.length > 0 ? [{ type: 'conflicts', folder, conflicts } as const] : []),
    ...tree.molecules.map(row => ({ type: 'molecule', folder, row }) as const),
    ...(tree.orphanAtoms.length > 0 ? [{ type: 'orphans', folder, atoms: tree.orphanAtoms } as const] : []),
    ...(tree.gaps.length > 0 ? [{ type: 'gaps', folder, known } as const] : []),
  ];
}

export function atomNodes(folder: Uri, atoms: readonly AtomRow[]): AtomNode[] {
  return atoms.map(row => ({ type: 'atom', folder, row }));
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

const STATES: Readonly<Record<AtomRow['state'], string>> = { current: '', changed: 'code changed', gone: 'code deleted' };

export function itemOf(node: KnowledgeNode): TreeItem {
  const item = new TreeItem(labelOf(node), stateOf(node));
  item.contextValue = node.type;
  item.iconPath = iconOf(node);
  item.description = descriptionOf(node);
  item.tooltip = tooltipOf(node);
  if ('row' in node) {
    item.id = `${node.folder.toString()} ${node.row.id}`;
    item.accessibilityInformation = { label: `${node.type} ${node.row.name} ${descriptionOf(node)}` };
    item.command = { title: 'Open', command: 'lattice.editKnowledge', arguments: [node] };
  }
  if (node.type === 'conflict') item.command = { title: 'Resolve', command: 'lattice.resolveKnowledge', arguments: [node] };
  if (node.type === 'file') {
    const uri = uriOf(node.folder, node.path);
    item.resourceUri = uri;
    item.command = { title: 'Open', command: 'vscode.open', arguments: [uri] };
  }
  return item;
}

function labelOf(node: KnowledgeNode): string {
  switch (node.type) {
    case 'atom':
    case 'molecule':
      return node.row.name.replace(/\s+/g, ' ');
    case 'root':
      return node.known.name;
    case 'orphans':
      return 'Orphan Atoms';
    case 'gaps':
      return 'Without Knowledge';
    case 'gap':
      return node.gap.folder === '' ? '(root folder)' : node.gap.folder;
    case 'conflicts':
      return 'Conflicts';
    case 'conflict':
      return node.conflict.name;
    case 'pattern':
      return node.pattern;
    case 'file':
      return node.path.slice(node.path.lastIndexOf('/') + 1);
    case 'more':
      return `and ${node.count} more`;
  }
}

function stateOf(node: KnowledgeNode): TreeItemCollapsibleState {
  if (node.type === 'file' || node.type === 'more' || node.type === 'conflict') return None;
  if (node.type === 'molecule') return node.row.atoms.length > 0 ? Collapsed : None;
  if (node.type === 'pattern') return node.total > 0 ? Collapsed : None;
  return node.type === 'root' || node.type === 'conflicts' || node.type === 'orphans' ? Expanded : Collapsed;
}

function descriptionOf(node: KnowledgeNode): string {
  switch (node.type) {
    case 'atom':
      return STATES[node.row.state];
    case 'molecule':
      return counted(node.row.atoms.length, 'atom');
    case 'orphans':
      return `${node.atoms.length}`;
    case 'gaps': {
      const { coverage } = node.known.tree;
      return coverage === undefined ? '' : counted(coverage.files - coverage.covered, 'file');
    }
    case 'gap':
      return counted(node.gap.files, 'file');
    case 'conflicts':
      return `${node.conflicts.length}`;
    case 'conflict':
      return node.conflict.kind;
    case 'pattern':
      return node.total === 0 ? 'no matching files' : counted(node.total, 'file');
    case 'file':
      return node.path.slice(0, Math.max(0, node.path.lastIndexOf('/')));
    default:
      return '';
  }
}

function tooltipOf(node: KnowledgeNode): string {
  if (node.type === 'atom') return [node.row.name, ...node.row.paths, ...(node.row.state === 'current' ? [] : [STATES[node.row.state]])].join('\n');
  if (node.type === 'gaps') return 'Files with code that are not covered by an atom';
  if (node.type === 'conflict')
    return `${node.conflict.name}: the file and the stored version differ${node.conflict.fields.length > 0 ? ` in ${node.conflict.fields.join(', ')}` : ''}`;
  return node.type === 'file' ? node.path : labelOf(node);
}

function iconOf(node: KnowledgeNode): ThemeIcon {
  const warning = new ThemeColor('list.warningForeground');
  switch (node.type) {
    case 'atom':
      return node.row.state === 'current' ? new ThemeIcon('note') : new ThemeIcon('warning', warning);
    case 'molecule':
      return new ThemeIcon('library');
    case 'root':
      return new ThemeIcon('root-folder');
    case 'orphans':
      return new ThemeIcon('inbox');
    case 'gaps':
      return new ThemeIcon('folder-library');
    case 'gap':
      return ThemeIcon.Folder;
    case 'conflicts':
    case 'conflict':
      return new ThemeIcon('git-merge', warning);
    case 'pattern':
      return node.total === 0 ? new ThemeIcon('warning', warning) : new ThemeIcon('filter');
    case 'file':
      return ThemeIcon.File;
    case 'more':
      return new ThemeIcon('ellipsis');
  }
}
