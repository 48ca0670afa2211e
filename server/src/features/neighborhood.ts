import { reach } from '../algorithms/reach';
import type { CancellationToken } from '../base/cancellation';
import { ok, type Result } from '../base/result';
import type { GraphView } from '../code/graph/graphView';
import type { SourceName } from '../model/evidence';
import type { StableId } from '../model/ids';
import { KIND_GROUPS } from '../model/nodes';
import type { Relation } from '../model/relations';
import type { Workspace } from '../workspace/snapshot';
import type { FeatureFailure } from './failure';
import { answerFresh, type Draft, type Stamped } from './fresh';
import { anyLinks } from './links';
import { byRank, kindOf, rowOf, type SymbolRow } from './rows';
import { pathOfTarget, resolveTarget, type Target } from './target';

export interface NeighborhoodParams {
  readonly target: string;
  /** 1 to 4. */
  readonly radius?: number;
  readonly undirected?: boolean;
  /** Node types, kinds, or the groups FILE, FUNCTION, CLASS. */
  readonly nodeTypes?: readonly string[];
  readonly relations?: readonly Relation[];
  /** Most nodes; 1 to 200. */
  readonly maxNodes?: number;
}

export interface NeighborhoodNode extends SymbolRow {
  readonly distance: number;
}

export interface EdgeRow {
  readonly source: StableId;
  readonly target: StableId;
  readonly relation: Relation;
  readonly confidence: number;
  readonly provenance: SourceName;
  readonly count: number;
  /** First line of its sites, 0 for structure. */
  readonly line: number;
}

export interface NeighborhoodAnswer {
  readonly center: SymbolRow;
  /** By distance, then centrality; the centre first. */
  readonly nodes: readonly NeighborhoodNode[];
  readonly edges: readonly EdgeRow[];
  readonly totalNodes: number;
  readonly truncated: boolean;
  readonly candidates: readonly StableId[];
  readonly guessed: boolean;
}

/** What lies within some hops of a node (graph spec section 9). */
export async function neighborhood(
  workspace: Workspace,
  params: NeighborhoodParams,
  token: CancellationToken,
): Promise<Result<Stamped<NeighborhoodAnswer>, FeatureFailure>> {
  const path = pathOfTarget(workspace, params.target);
  return answerFresh(workspace, path === undefined ? [] : [path], token, snapshot => {
    const target = resolveTarget(snapshot, workspace, params.target);
    return target.ok ? ok(draftOf(snapshot.graph, target.value, params)) : target;
  });
}

function draftOf(graph: GraphView, target: Target, params: NeighborhoodParams): Draft<NeighborhoodAnswer> {
  const { forward, backward, live } = graph.adjacency;
  const halves = params.undirected === false ? [forward] : [forward, backward];
  const filter = anyLinks(params.relations);
  const kept = keptNodes(graph, target.node, params, reach(halves, live, [target.node], params.radius ?? 2, filter).nodes);
  const inside = new Uint8Array(live.length);
  for (const node of kept) inside[node] = 1;
  const { nodes, depths } = reach(halves, inside, [target.node], Number.POSITIVE_INFINITY, filter);
  const distance = (node: number): number => (depths[node] === -1 ? UNREACHABLE : (depths[node] ?? UNREACHABLE));
  const rank = byRank(graph);
  const sorted = [...nodes, ...kept.filter(node => depths[node] === -1)].sort((a, b) => distance(a) - distance(b) || rank(a, b));
  const maxNodes = Math.min(200, Math.max(1, params.maxNodes ?? 50));
  const shown = sorted.slice(0, maxNodes);
  const value: NeighborhoodAnswer = {
    center: rowOf(graph.node(target.node)),
    nodes: shown.map(node => ({ ...rowOf(graph.node(node)), distance: distance(node) })),
    edges: edgesWithin(graph, shown, params.relations),
    totalNodes: sorted.length,
    truncated: sorted.length > maxNodes,
    candidates: target.candidates,
    guessed: target.guessed,
  };
  return { value, touched: value.nodes.map(node => node.path), unresolved: graph.countsOf(target.node).unresolved };
}

/** Node types and kinds that names and groups stand for. */
export function kindsWanted(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((type): readonly string[] => KIND_GROUPS[type.toUpperCase() as keyof typeof KIND_GROUPS] ?? [type.toLowerCase()]));
}

/** Distance of nodes that the filters cut off from the centre. */
const UNREACHABLE = 999;

function keptNodes(graph: GraphView, centre: number, params: NeighborhoodParams, nodes: Int32Array): number[] {
  const wanted = kindsWanted(params.nodeTypes ?? []);
  if (wanted.size === 0) return [...nodes];
  return [...nodes].filter(handle => {
    const node = graph.node(handle);
    return handle === centre || wanted.has(node.nodeType) || wanted.has(kindOf(node));
  });
}

export function edgesWithin(graph: GraphView, nodes: readonly number[], relations: readonly Relation[] = []): EdgeRow[] {
  const inside = new Set(nodes);
  const rows: EdgeRow[] = [];
  for (const node of nodes) {
    for (const edge of graph.out(node)) {
      if (!inside.has(edge.target) || (relations.length > 0 && !relations.includes(edge.relation))) continue;
      rows.push({
        source: graph.idOf(edge.source),
        target: graph.idOf(edge.target),
        relation: edge.relation,
        confidence: edge.confidence,
        provenance: edge.provenance,
        count: edge.count,
        line: edge.lines[0] ?? 0,
      });
    }
  }
  return rows;
}
