import { reach } from '../algorithms/reach';
import type { CancellationToken } from '../base/cancellation';
import { dirname, type WorkspacePath } from '../base/path';
import { err, ok, type Result } from '../base/result';
import type { GraphView, NodeHandle } from '../code/graph/graphView';
import type { StableId } from '../model/ids';
import { type Relation } from '../model/relations';
import type { Workspace } from '../workspace/snapshot';
import { type FeatureFailure, fromEngine } from './failure';
import type { Stamped } from './fresh';
import { anyLinks, isStructure } from './links';
import { type EdgeRow, edgesWithin } from './neighborhood';
import { byRank, compareText, kindOf, type RowKind } from './rows';
import { centralityOf } from './searchCode';
import { resolveTarget } from './target';

export interface SceneParams {
  /** Node in the middle; without it the most central files and how they depend on each other. */
  readonly center?: string;
  readonly radius?: number;
  readonly maxNodes?: number;
  readonly maxEdges?: number;
}

export interface SceneNode {
  readonly id: StableId;
  readonly name: string;
  readonly kind: RowKind;
  readonly path: WorkspacePath;
  readonly line: number;
  readonly centrality: number;
  readonly isTest: boolean;
}

export interface SceneFolder {
  readonly path: WorkspacePath;
  readonly files: number;
  readonly symbols: number;
}

export interface SceneAnswer {
  readonly center: StableId | undefined;
  readonly nodes: readonly SceneNode[];
  readonly edges: readonly EdgeRow[];
  readonly folders: readonly SceneFolder[];
  /** Dependencies between folders, heaviest first. */
  readonly folderEdges: readonly { readonly source: WorkspacePath; readonly target: WorkspacePath; readonly count: number }[];
}

/** A part of the graph to draw, with an overview of folders. */
export async function graphScene(workspace: Workspace, params: SceneParams, token: CancellationToken): Promise<Result<Stamped<SceneAnswer>, FeatureFailure>> {
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, stamp } = snapshot.value;
  const lifted = fileLinks(graph);
  const overview = folderOverview(graph, lifted);
  if (params.center === undefined) return ok({ center: undefined, ...topFiles(graph, lifted, params), ...overview, stamp });
  const target = resolveTarget(snapshot.value, workspace, params.center);
  if (!target.ok) return target;
  return ok({ center: graph.idOf(target.value.node), ...around(graph, target.value.node, params), ...overview, stamp });
}

const MAX_NODES = 120;
const MAX_EDGES = 300;

/** Dependencies lifted to files: per file the files it depends on with the number of uses. */
type FileLinks = ReadonlyMap<NodeHandle, ReadonlyMap<NodeHandle, number>>;

function fileLinks(graph: GraphView): FileLinks {
  const owner = new Int32Array(graph.adjacency.size).fill(-1);
  for (const file of graph.files()) {
    owner[file] = file;
    for (const symbol of graph.symbolsOf(file)) owner[symbol] = file;
  }
  const structure = anyLinks(['DEFINES_SYMBOL', 'CONTAINS']).kinds;
  const { forward, live } = graph.adjacency;
  const links = new Map<NodeHandle, Map<NodeHandle, number>>();
  for (let node = 0; node < owner.length; node++) {
    const from = owner[node] ?? -1;
    if (from < 0 || live[node] !== 1) continue;
    const end = forward.ends[node] ?? 0;
    for (let link = forward.starts[node] ?? 0; link < end; link++) {
      const to = owner[forward.targets[link] ?? 0] ?? -1;
      if (to < 0 || to === from || structure[forward.relations[link] ?? 0] === 1) continue;
      let row = links.get(from);
      if (row === undefined) links.set(from, (row = new Map<NodeHandle, number>()));
      row.set(to, (row.get(to) ?? 0) + 1);
    }
  }
  return links;
}

function around(graph: GraphView, centre: NodeHandle, params: SceneParams): Pick<SceneAnswer, 'nodes' | 'edges'> {
  const { forward, backward, live } = graph.adjacency;
  const { nodes, depths } = reach([forward, backward], live, [centre], params.radius ?? 1, anyLinks());
  const rank = byRank(graph);
  const shown = [...nodes].sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0) || rank(a, b)).slice(0, params.maxNodes ?? MAX_NODES);
  const edges = edgesWithin(graph, shown).sort((a, b) => Number(isStructure(a.relation)) - Number(isStructure(b.relation)));
  return { nodes: shown.map(node => sceneNode(graph, node)), edges: edges.slice(0, params.maxEdges ?? MAX_EDGES) };
}

/** A dependency between files that stands for the uses of everything in them. */
const LIFTED: Relation = 'IMPORTS';

function topFiles(graph: GraphView, links: FileLinks, params: SceneParams): Pick<SceneAnswer, 'nodes' | 'edges'> {
  const weight = new Map<NodeHandle, number>();
  for (const [from, row] of links) {
    for (const [to, count] of row) {
      weight.set(from, (weight.get(from) ?? 0) + count);
      weight.set(to, (weight.get(to) ?? 0) + count);
    }
  }
  const rank = byRank(graph);
  const shown = [...weight.keys()].sort((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0) || rank(a, b)).slice(0, params.maxNodes ?? MAX_NODES);
  const inside = new Set(shown);
  const edges: EdgeRow[] = [];
  for (const from of shown) {
    for (const [to, count] of links.get(from) ?? []) {
      if (inside.has(to))
        edges.push({ source: graph.idOf(from), target: graph.idOf(to), relation: LIFTED, confidence: 1, provenance: 'syntax', count, line: 0 });
    }
  }
  edges.sort((a, b) => b.count - a.count || compareText(a.source, b.source) || compareText(a.target, b.target));
  return { nodes: shown.map(node => sceneNode(graph, node)), edges: edges.slice(0, params.maxEdges ?? MAX_EDGES) };
}

function sceneNode(graph: GraphView, handle: NodeHandle): SceneNode {
  const node = graph.node(handle);
  return {
    id: node.id,
    name: node.name,
    kind: kindOf(node),
    path: node.path,
    line: node.startLine,
    centrality: Math.round(centralityOf(graph, handle) * 1e4) / 1e4,
    isTest: node.isTest,
  };
}

/** Most folders shown; deeper levels are merged into their parents until they fit. */
const MAX_FOLDERS = 40;

function folderOverview(graph: GraphView, links: FileLinks): Pick<SceneAnswer, 'folders' | 'folderEdges'> {
  const files = [...graph.files()];
  let depth = 6;
  while (depth > 1 && new Set(files.map(file => folderAt(graph.idOf(file), depth))).size > MAX_FOLDERS) depth--;
  const folders = new Map<WorkspacePath, { path: WorkspacePath; files: number; symbols: number }>();
  for (const file of files) {
    const path = folderAt(graph.idOf(file), depth);
    const row = folders.get(path) ?? { path, files: 0, symbols: 0 };
    row.files++;
    row.symbols += graph.symbolsOf(file).length;
    folders.set(path, row);
  }
  const counts = new Map<string, { source: WorkspacePath; target: WorkspacePath; count: number }>();
  for (const [from, row] of links) {
    for (const [to, count] of row) {
      const source = folderAt(graph.idOf(from), depth);
      const target = folderAt(graph.idOf(to), depth);
      if (source === target) continue;
      const edge = counts.get(`${source}\n${target}`) ?? { source, target, count: 0 };
      edge.count += count;
      counts.set(`${source}\n${target}`, edge);
    }
  }
  return {
    folders: [...folders.values()].sort((a, b) => compareText(a.path, b.path)),
    folderEdges: [...counts.values()].sort((a, b) => b.count - a.count || compareText(a.source, b.source) || compareText(a.target, b.target)),
  };
}

function folderAt(path: WorkspacePath, depth: number): WorkspacePath {
  return dirname(path).split('/').slice(0, depth).join('/');
}
