import { isDeepStrictEqual } from 'node:util';
import {
  type CancellationToken,
  type DataTransfer,
  DataTransferItem,
  type Disposable,
  EventEmitter,
  type TreeDataProvider,
  type TreeDragAndDropController,
  type TreeItem,
} from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { type AtomNode, atomNodes, type FolderKnowledge, itemOf, type KnowledgeNode, topNodes } from './knowledgeNodes';

const DRAGGED = 'application/vnd.code.tree.lattice.knowledge';

export interface TreeOptions {
  readonly server: LatticeServer;
  /** Puts an atom into a molecule, or into none. */
  readonly move: (atom: AtomNode, moleculeId: string | null) => Promise<void>;
}

/** Molecules, their atoms, the patterns of those and the files that they match; orphans, gaps and conflicts. */
export class KnowledgeTree implements TreeDataProvider<KnowledgeNode>, TreeDragAndDropController<KnowledgeNode>, Disposable {
  readonly dropMimeTypes = [DRAGGED];
  readonly dragMimeTypes = [DRAGGED];
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private known: readonly FolderKnowledge[] = [];

  constructor(private readonly options: TreeOptions) {}

  /** Draws the rows anew if they differ, or if the files behind them may: a row that is drawn anew loses the menu that stands open on it. */
  show(known: readonly FolderKnowledge[], filesMayDiffer: boolean): void {
    if (!filesMayDiffer && isDeepStrictEqual(rowsOf(known), rowsOf(this.known))) return;
    this.known = known;
    this.changed.fire();
  }

  getTreeItem(node: KnowledgeNode): TreeItem {
    return itemOf(node);
  }

  async getChildren(node?: KnowledgeNode): Promise<KnowledgeNode[]> {
    if (node === undefined) return this.roots();
    const { folder } = node;
    switch (node.type) {
      case 'root':
        return topNodes(node.known);
      case 'molecule':
        return atomNodes(folder, node.row.atoms);
      case 'orphans':
        return atomNodes(folder, node.atoms);
      case 'conflicts':
        return node.conflicts.map(conflict => ({ type: 'conflict', folder, conflict }));
      case 'atom':
        return await this.patternsOf(node);
      case 'pattern':
        return filesOf(node, node.files, node.total);
      case 'gaps': {
        const { gaps, gapCount } = node.known.tree;
        return [...gaps.map(gap => ({ type: 'gap', folder, gap }) as const), ...moreNodes(node, gapCount - gaps.length)];
      }
      case 'gap': {
        const { files, total } = await this.options.server.ask('knowledgeGapFiles', { folder: node.gap.folder }, folder);
        return filesOf(node, files, total);
      }
      default:
        return [];
    }
  }

  handleDrag(nodes: readonly KnowledgeNode[], data: DataTransfer): void {
    const atoms = nodes.filter(node => node.type === 'atom');
    if (atoms.length > 0) data.set(DRAGGED, new DataTransferItem(atoms));
  }

  async handleDrop(target: KnowledgeNode | undefined, data: DataTransfer, token: CancellationToken): Promise<void> {
    const home = homeOf(target);
    const atoms = data.get(DRAGGED)?.value as readonly AtomNode[] | undefined;
    if (target === undefined || home === undefined || atoms === undefined) return;
    for (const atom of atoms) {
      if (token.isCancellationRequested) return;
      const isNew = atom.row.moleculeId !== home.moleculeId && atom.folder.toString() === target.folder.toString();
      if (isNew) await this.options.move(atom, home.moleculeId);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private roots(): KnowledgeNode[] {
    const [only] = this.known;
    if (this.known.length === 1 && only !== undefined) return topNodes(only);
    return this.known.some(known => topNodes(known).length > 0) ? this.known.map(known => ({ type: 'root', folder: known.folder, known })) : [];
  }

  private async patternsOf({ folder, row }: AtomNode): Promise<KnowledgeNode[]> {
    const { patterns } = await this.options.server.ask('atomFiles', { id: row.id }, folder);
    return patterns.map(({ pattern, files, total }) => ({ type: 'pattern', folder, pattern, files, total }));
  }
}

function rowsOf(known: readonly FolderKnowledge[]): readonly unknown[] {
  return known.map(({ folder, ...rest }) => ({ ...rest, folder: folder.toString() }));
}

/** Where an atom goes that is dropped on a row: the molecule of the row, or none. */
function homeOf(target: KnowledgeNode | undefined): { readonly moleculeId: string | null } | undefined {
  if (target?.type === 'molecule') return { moleculeId: target.row.id };
  if (target?.type === 'atom') return { moleculeId: target.row.moleculeId };
  return target?.type === 'orphans' ? { moleculeId: null } : undefined;
}

function filesOf(node: KnowledgeNode, files: readonly string[], total: number): KnowledgeNode[] {
  return [...files.map(path => ({ type: 'file', folder: node.folder, path }) as const), ...moreNodes(node, total - files.length)];
}

function moreNodes({ folder }: KnowledgeNode, count: number): KnowledgeNode[] {
  return count > 0 ? [{ type: 'more', folder, count }] : [];
}
