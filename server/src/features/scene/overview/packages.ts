import { basename, dirname, type WorkspacePath } from '../../../base/path';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import type { Level } from '../boxes/boxScene';
import { Groups, packageGroup } from '../sceneGroups';
import { FolderTree, fileLevels } from './levels';

/** A workspace is one of packages when it has so many, and they hold more than this share of its lines. */
const MIN_PACKAGES = 3;
const MIN_SHARE = 0.6;

/** The packages of a workspace with the folders and files in them. */
export class Packages {
  readonly first: readonly string[] = [];
  readonly #groups: Groups;
  readonly #lines = new Map<WorkspacePath, number>();
  readonly #trees = new Map<WorkspacePath, FolderTree>();
  #labels: ReadonlyMap<WorkspacePath, string> | undefined;

  constructor(
    private readonly graph: GraphView,
    private readonly accept: (file: NodeHandle) => boolean,
  ) {
    this.#groups = new Groups(graph, 'package');
    for (const file of graph.files()) {
      if (!accept(file)) continue;
      const own = this.#groups.packageOf(graph.idOf(file));
      this.#lines.set(own, (this.#lines.get(own) ?? 0) + Math.max(1, graph.node(file).endLine));
    }
  }

  /** Whether its code is in packages of its own rather than in one. */
  get isMonorepo(): boolean {
    const own = [...this.#lines].filter(([path]) => path !== '').map(([, lines]) => lines);
    const all = [...this.#lines.values()].reduce((sum, lines) => sum + lines, 0);
    return own.length >= MIN_PACKAGES && own.reduce((sum, lines) => sum + lines, 0) > all * MIN_SHARE;
  }

  readonly levelsOf = (node: NodeHandle): readonly Level[] => {
    const { path } = this.graph.node(node);
    const own = this.#groups.packageOf(path);
    let tree = this.#trees.get(own);
    if (tree === undefined) {
      tree = new FolderTree(this.graph, file => this.accept(file) && this.#groups.packageOf(this.graph.idOf(file)) === own, own);
      this.#trees.set(own, tree);
    }
    const group = packageGroup(own);
    return [{ ...group, label: this.#labelOf(own) ?? group.label }, ...tree.levelsOf(dirname(path)), ...fileLevels(this.graph, node)];
  };

  /** The last part of a path, where no other package is called so. */
  #labelOf(path: WorkspacePath): string | undefined {
    if (this.#labels === undefined) {
      const paths = [...this.#lines.keys()].filter(own => own !== '');
      const counts = new Map<string, number>();
      for (const own of paths) counts.set(basename(own), (counts.get(basename(own)) ?? 0) + 1);
      this.#labels = new Map(paths.map(own => [own, counts.get(basename(own)) === 1 ? basename(own) : own]));
    }
    return this.#labels.get(path);
  }
}
