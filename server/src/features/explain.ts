import { pageRank } from '../algorithms/pageRank';
import { reach } from '../algorithms/reach';
import type { CancellationToken } from '../base/cancellation';
import { type Result, ok } from '../base/result';
import type { GraphEdge, GraphNode, GraphView, NodeHandle, UnresolvedCounts } from '../code/graph/graphView';
import { FACT_CONFIDENCE } from '../model/evidence';
import type { StableId } from '../model/ids';
import { KIND_GROUPS, type Modifier } from '../model/nodes';
import { RELATIONS, type Relation, relationCode } from '../model/relations';
import type { Workspace } from '../workspace/snapshot';
import type { FeatureFailure } from './failure';
import { type Draft, type Stamped, answerFresh } from './fresh';
import { impactOf } from './impact';
import { dependencyLinks, isStructure, reverseName, STEP_WEIGHTS } from './links';
import { type SymbolRow, compareText, kindOf, rowOf } from './rows';
import { type Target, pathOfTarget, resolveTarget } from './target';

export interface ExplainParams {
  readonly target: string;
  /** Most neighbours per side. */
  readonly limit?: number;
  /** Hops, 1 to 3. */
  readonly depth?: number;
}

export interface Neighbour {
  readonly id: StableId;
  readonly name: string;
  readonly kind: SymbolRow['kind'];
  /** `CALLS` for what the target uses, `called_by` for who uses it. */
  readonly rel: string;
  /** First line of the use, in the file of whichever end uses the other; 0 when unknown. */
  readonly line: number;
  readonly confidence: number;
  readonly depth: number;
  /** Nearness to the target by personalised PageRank. */
  readonly pprScore: number;
  readonly signature: string;
}

export interface ExplainAnswer {
  readonly symbol: SymbolRow;
  readonly type: 'FILE' | 'FUNCTION' | 'CLASS' | 'VALUE' | 'EXTERNAL';
  readonly sentence: string;
  readonly signature: string;
  readonly doc: string;
  readonly modifiers: readonly Modifier[];
  readonly complexity: number;
  readonly dependencies: readonly Neighbour[];
  readonly dependents: readonly Neighbour[];
  readonly counts: {
    readonly dependencies: number;
    readonly dependents: number;
    readonly callers: number;
    readonly callees: number;
    readonly maybe: number;
    readonly tests: number;
    readonly references: UnresolvedCounts;
  };
  readonly members: readonly SymbolRow[];
  readonly tests: readonly StableId[];
  readonly parent: StableId | undefined;
  readonly candidates: readonly StableId[];
  readonly guessed: boolean;
}

/** What a file or symbol is, what it uses and who uses it, nearest first. */
export async function explain(workspace: Workspace, params: ExplainParams, token: CancellationToken): Promise<Result<Stamped<ExplainAnswer>, FeatureFailure>> {
  const path = pathOfTarget(workspace, params.target);
  return answerFresh(workspace, path === undefined ? [] : [path], token, snapshot => {
    const target = resolveTarget(snapshot, workspace, params.target);
    return target.ok ? ok(draftOf(snapshot.graph, target.value, params)) : target;
  });
}

const TEST_DEPTH = 3;

function draftOf(graph: GraphView, target: Target, params: ExplainParams): Draft<ExplainAnswer> {
  const { node } = target;
  const shown = graph.node(node);
  const ranks = pageRank([graph.adjacency.forward, graph.adjacency.backward], graph.adjacency.live, [node], {
    weights: STEP_WEIGHTS as Float64Array,
    damping: 0.85,
    maxIterations: 20,
    tolerance: 1e-4,
  });
  const depth = Math.min(3, Math.max(1, params.depth ?? 1));
  const dependencies = neighbours(graph, node, 'out', depth, ranks);
  const dependents = neighbours(graph, node, 'in', depth, ranks);
  const impact = impactOf(graph, node, TEST_DEPTH);
  const tests = [...impact.directTests, ...impact.transitiveTests].map(test => test.id);
  const limit = params.limit ?? 10;
  const parent = graph.parentOf(node);
  const references = graph.countsOf(node);
  const value: ExplainAnswer = {
    symbol: rowOf(shown),
    type: typeOf(shown),
    sentence: shown.summary,
    signature: shown.signature,
    doc: shown.doc,
    modifiers: shown.modifiers,
    complexity: shown.complexity,
    dependencies: dependencies.slice(0, limit),
    dependents: dependents.slice(0, limit),
    counts: {
      dependencies: dependencies.length,
      dependents: dependents.length,
      callers: dependents.filter(row => row.rel === 'called_by' && row.depth === 1).length,
      callees: dependencies.filter(row => row.rel === 'CALLS' && row.depth === 1).length,
      maybe: [...dependencies, ...dependents].filter(row => row.confidence < FACT_CONFIDENCE).length,
      tests: tests.length,
      references,
    },
    members: graph.childrenOf(node).map(child => rowOf(graph.node(child))),
    tests,
    parent: parent === undefined ? undefined : graph.idOf(parent),
    candidates: target.candidates,
    guessed: target.guessed,
  };
  const touched = [shown.path, ...[...value.dependencies, ...value.dependents].map(row => row.id.split('::')[0] ?? '')];
  return { value, touched, unresolved: references.unresolved };
}

function typeOf(node: GraphNode): ExplainAnswer['type'] {
  if (node.nodeType === 'external') return 'EXTERNAL';
  const kind = kindOf(node);
  for (const group of ['FILE', 'FUNCTION', 'CLASS'] as const) if ((KIND_GROUPS[group] as readonly string[]).includes(kind)) return group;
  return 'VALUE';
}

/** Nodes within `depth` hops on one side, with the surest edge that leads there; nearest by PageRank first. A container counts its members' edges as its own. */
function neighbours(graph: GraphView, centre: NodeHandle, side: 'in' | 'out', depth: number, ranks: Float64Array): Neighbour[] {
  const own = new Set([centre]);
  for (const node of own) for (const child of graph.childrenOf(node)) own.add(child);
  const half = side === 'out' ? graph.adjacency.forward : graph.adjacency.backward;
  const reached = reach([half], graph.adjacency.live, own, depth, dependencyLinks('all'));
  const rows: Neighbour[] = [];
  for (const node of reached.nodes) {
    const hops = reached.depths[node] ?? 0;
    if (hops === 0) continue;
    const edge = surest(graph, node, side, hops, reached.depths);
    if (edge === undefined) continue;
    const shown = graph.node(node);
    rows.push({
      id: shown.id,
      name: shown.name,
      kind: kindOf(shown),
      rel: side === 'out' ? edge.relation : reverseName(edge.relation),
      line: edge.lines[0] ?? 0,
      confidence: edge.confidence,
      depth: hops,
      pprScore: Math.round((ranks[node] ?? 0) * 1e4) / 1e4,
      signature: shown.signature,
    });
  }
  return rows.sort((a, b) => a.depth - b.depth || b.pprScore - a.pprScore || b.confidence - a.confidence || compareText(a.id, b.id));
}

/** Of the edges that lead from `node` one hop back towards the centre: the highest confidence, then the first relation. */
function surest(graph: GraphView, node: NodeHandle, side: 'in' | 'out', hops: number, depths: Int32Array): GraphEdge | undefined {
  let best: GraphEdge | undefined;
  for (const edge of [...graph.in(node), ...graph.out(node)]) {
    if (isStructure(edge.relation)) continue;
    const other = edge.source === node ? edge.target : edge.source;
    const dependsOnNode = dependent(edge) === other;
    if (depths[other] !== hops - 1 || dependsOnNode !== (side === 'out') || !isDependency(edge.relation)) continue;
    if (best === undefined || edge.confidence > best.confidence) best = edge;
  }
  return best;
}

/** The end of an edge that breaks when the other changes. */
function dependent(edge: GraphEdge): NodeHandle {
  return edge.relation === 'DECORATES' ? edge.target : edge.source;
}

function isDependency(relation: Relation): boolean {
  return RELATIONS[relationCode[relation]]?.dependency === true;
}
