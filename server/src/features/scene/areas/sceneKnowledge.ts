import { compareText } from '../../../base/text';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { SHOWN_CONFIDENCE } from '../../../model/evidence';
import { kindRow } from '../../../model/kinds';
import type { Relation } from '../../../model/relations';
import type { Scene } from '../question';
import { nodeDto } from '../sceneNodes';
import type { SceneEdgeDto, SceneLink, SceneNodeDto } from '../sceneShapes';

/** Nodes above the code that are shown beside a scene; the others are counted as left out. */
const MAX_SHOWN = 24;

/** A node above the code with what of the scene it leads to. */
interface Found {
  readonly node: NodeHandle;
  /** By what is shown there, with the uses of each relation. */
  readonly to: Map<string, Map<Relation, number>>;
  count: number;
}

/**
 * The scene with what was written about its code beside it: atoms over its files, tasks that touch them, and the molecules and features that these are part of.
 * Those with most links come first.
 */
export function withKnowledge(graph: GraphView, scene: Scene): Scene {
  const shown = new ShownCode(graph, scene.nodes);
  const found = new Map<NodeHandle, Found>();
  const there = new Set(scene.nodes.map(node => node.id));
  for (const node of graph.nodesAbove()) {
    const row: Found = { node, to: new Map(), count: 0 };
    for (const { relation, target } of graph.out(node)) {
      const id = kindRow(graph.kindOf(target)).layer === 'code' ? shown.standInFor(target) : undefined;
      if (id !== undefined) add(row, id, relation);
    }
    if (row.count > 0) found.set(node, row);
  }
  const direct = [...found.values()];
  for (const { node } of direct) {
    for (const { relation, target } of graph.out(node)) {
      if (kindRow(graph.kindOf(target)).layer === 'code') continue;
      const own = found.get(node);
      if (own !== undefined) add(own, graph.idOf(target), relation);
      if (!found.has(target) && graph.isLive(target)) found.set(target, { node: target, to: new Map(), count: 0 });
    }
  }
  const ordered = [...found.values()]
    .filter(({ node }) => !there.has(graph.idOf(node)))
    .sort((a, b) => b.count - a.count || compareText(graph.idOf(a.node), graph.idOf(b.node)));
  const kept = ordered.slice(0, MAX_SHOWN);
  for (const { node } of kept) there.add(graph.idOf(node));
  const edges = kept.flatMap(row => [...row.to].flatMap(([target, uses]) => (there.has(target) ? [edgeOf(graph.idOf(row.node), target, uses)] : [])));
  const columns = new Map(scene.nodes.map(node => [node.id, node.column]));
  return {
    ...scene,
    nodes: [
      ...scene.nodes,
      ...kept.map(row =>
        nodeDto(graph, row.node, { role: 'step', column: nearestColumn(row, columns), lane: 'knowledge', confidence: SHOWN_CONFIDENCE.certain }),
      ),
    ],
    edges: [...scene.edges, ...edges],
    omitted: { ...scene.omitted, nodes: scene.omitted.nodes + ordered.length - kept.length },
  };
}

function add(row: Found, id: string, relation: Relation): void {
  const uses = row.to.get(id) ?? new Map<Relation, number>();
  uses.set(relation, (uses.get(relation) ?? 0) + 1);
  row.to.set(id, uses);
  row.count++;
}

function edgeOf(source: string, target: string, uses: ReadonlyMap<Relation, number>): SceneEdgeDto {
  const links: SceneLink[] = [...uses].map(([relation, count]) => ({ relation, count, confidence: SHOWN_CONFIDENCE.certain, provenance: 'human', line: 0 }));
  return { source, target, links, count: links.reduce((sum, link) => sum + link.count, 0), confidence: SHOWN_CONFIDENCE.certain };
}

/** Below the node nearest to the start that it leads to. */
function nearestColumn({ to }: Found, columns: ReadonlyMap<string, number>): number {
  const own = [...to.keys()].flatMap(id => columns.get(id) ?? []);
  return own.sort((a, b) => Math.abs(a) - Math.abs(b) || a - b)[0] ?? 0;
}

/** Says by which node of a scene code is shown: itself, its file, the first symbol of its file, or the innermost box of a folder. */
class ShownCode {
  readonly #ids: ReadonlySet<string>;
  readonly #byFile = new Map<string, string>();
  readonly #folders: readonly SceneNodeDto[];

  constructor(
    private readonly graph: GraphView,
    nodes: readonly SceneNodeDto[],
  ) {
    this.#ids = new Set(nodes.map(node => node.id));
    for (const { id, path, role } of nodes) if (role !== 'box' && role !== 'bundle' && path !== '' && !this.#byFile.has(path)) this.#byFile.set(path, id);
    this.#folders = nodes.filter(node => node.role === 'box' && node.path !== '').sort((a, b) => b.path.length - a.path.length);
  }

  standInFor(node: NodeHandle): string | undefined {
    const id = this.graph.idOf(node);
    if (this.#ids.has(id)) return id;
    const file = this.graph.fileNodeOf(node);
    if (file === undefined) return undefined;
    const path = this.graph.idOf(file);
    if (this.#ids.has(path)) return path;
    return this.#byFile.get(path) ?? this.#folders.find(folder => path.startsWith(`${folder.path}/`))?.id;
  }
}
