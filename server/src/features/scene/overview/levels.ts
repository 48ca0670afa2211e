import { dirname, isWithin, type WorkspacePath } from '../../../base/path';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import type { Level } from '../boxes/boxScene';
import { openKey } from '../question';
import type { Groups } from '../sceneGroups';
import { labelOf } from '../sceneNodes';

/** The outermost symbol around a symbol, the node itself for a file. */
export function topSymbol(graph: GraphView, node: NodeHandle): NodeHandle {
  let at = node;
  for (let parent = graph.parentOf(at); parent !== undefined && graph.node(parent).nodeType === 'symbol'; parent = graph.parentOf(at)) at = parent;
  return at;
}

/** Levels below a folder: the file, then the top-level symbol. */
export function fileLevels(graph: GraphView, node: NodeHandle): Level[] {
  const file = graph.fileNodeOf(node);
  if (file === undefined) return [];
  const { id, name } = graph.node(file);
  const level: Level = { id, label: name, kind: 'file', node: file };
  return node === file ? [level] : [level, symbolLevel(graph, topSymbol(graph, node))];
}

export function symbolLevel(graph: GraphView, node: NodeHandle): Level {
  const { id, name, nodeType } = graph.node(node);
  return { id, label: labelOf(id, name, nodeType === 'symbol'), kind: nodeType === 'file' ? 'file' : 'symbol', node };
}

interface Folder {
  files: number;
  /** Lines of files here, and here and below; a file counts as one at least. */
  lines: number;
  all: number;
  readonly folders: Set<WorkspacePath>;
}

/** Folders of a workspace as a tree in which a folder that holds nothing but one folder is passed over. */
export class FolderTree {
  readonly #folders = new Map<WorkspacePath, Folder>();
  readonly #levels = new Map<WorkspacePath, readonly Level[]>();

  constructor(
    graph: GraphView,
    accept: (file: NodeHandle) => boolean,
    private readonly root: WorkspacePath = '',
  ) {
    for (const file of graph.files()) {
      const folder = dirname(graph.idOf(file));
      if (!accept(file) || !isWithin(folder, root)) continue;
      const lines = Math.max(1, graph.node(file).endLine);
      this.#folder(folder).files++;
      this.#folder(folder).lines += lines;
      for (let at = folder; ; at = dirname(at)) {
        this.#folder(at).all += lines;
        if (at === root) break;
        this.#folder(dirname(at)).folders.add(at);
      }
    }
  }

  get hasFolders(): boolean {
    return (this.#folders.get(this.root)?.folders.size ?? 0) > 0;
  }

  /** Files directly in the root. */
  get filesAtTop(): number {
    return this.#folders.get(this.root)?.files ?? 0;
  }

  /** Folders around a file, outermost first, without the root. */
  levelsOf(folder: WorkspacePath): readonly Level[] {
    const known = this.#levels.get(folder);
    if (known !== undefined) return known;
    const levels: Level[] = [];
    if (folder !== this.root && isWithin(folder, this.root)) {
      levels.push(...this.levelsOf(dirname(folder)));
      const row = this.#folders.get(folder);
      const isPassage = row !== undefined && row.files === 0 && row.folders.size === 1;
      const above = levels.at(-1)?.id.slice('folder:'.length) ?? this.root;
      if (!isPassage) levels.push({ id: `folder:${folder}`, label: folder.slice(above === '' ? 0 : above.length + 1), kind: 'folder' });
    }
    this.#levels.set(folder, levels);
    return levels;
  }

  /** Whether the files directly in the root hold most of the code. */
  get isFlat(): boolean {
    return (this.#folders.get(this.root)?.lines ?? 0) * 2 > this.#size(this.root);
  }

  /** Keys that open the folders with most code until there is something to look at. */
  firstOpen(): string[] {
    let visible = this.#shownBelow(this.root);
    const keys: string[] = [];
    for (;;) {
      const [largest] = visible.filter(path => this.#isWorthOpening(path)).sort((a, b) => this.#size(b) - this.#size(a) || (a < b ? -1 : 1));
      // A folder that holds most of the workspace says nothing while it is closed.
      if (largest === undefined || this.#size(largest) * 2 <= this.#size(this.root)) return keys;
      keys.push(openKey(`folder:${largest}`));
      visible = this.#shownBelow(largest);
    }
  }

  #isWorthOpening(path: WorkspacePath): boolean {
    const { files = 0, folders } = this.#folders.get(path) ?? {};
    return files + (folders?.size ?? 0) > 1;
  }

  #size(path: WorkspacePath): number {
    return this.#folders.get(path)?.all ?? 0;
  }

  #shownBelow(folder: WorkspacePath): WorkspacePath[] {
    return [...(this.#folders.get(folder)?.folders ?? [])].map(path => this.#passed(path));
  }

  #passed(folder: WorkspacePath): WorkspacePath {
    const row = this.#folders.get(folder);
    const [only] = row?.folders ?? [];
    return row !== undefined && row.files === 0 && row.folders.size === 1 && only !== undefined ? this.#passed(only) : folder;
  }

  #folder(path: WorkspacePath): Folder {
    let row = this.#folders.get(path);
    if (row === undefined) this.#folders.set(path, (row = { files: 0, lines: 0, all: 0, folders: new Set() }));
    return row;
  }
}

/** The first folder (or the file) on the way to a file that leads away from `folder`. */
export function outsideLevel(graph: GraphView, file: NodeHandle, folder: WorkspacePath): Level {
  const { id, name } = graph.node(file);
  const own = id.split('/');
  const here = folder.split('/');
  let same = 0;
  while (same < own.length - 1 && own[same] === here[same]) same++;
  if (same >= own.length - 1) return { id, label: name, kind: 'file', node: file };
  const path = own.slice(0, same + 1).join('/');
  return { id: `folder:${path}`, label: path, kind: 'folder' };
}

/** Services and owners with their files, communities with their symbols. */
export function groupLevels(graph: GraphView, groups: Groups, grouping: 'service' | 'owner' | 'community', node: NodeHandle): Level[] {
  if (grouping !== 'community') {
    const found = groups.of(node);
    return found === undefined ? [] : [found, ...fileLevels(graph, node)];
  }
  const top = topSymbol(graph, node);
  const group = groups.of(top);
  return group === undefined ? [] : [group, symbolLevel(graph, top)];
}
