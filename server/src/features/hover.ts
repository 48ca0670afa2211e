import type { CancellationToken } from '../base/cancellation';
import { type Result, ok } from '../base/result';
import type { GraphNode, GraphView, NodeHandle } from '../code/graph/graphView';
import { FACT_CONFIDENCE } from '../model/evidence';
import type { StableId } from '../model/ids';
import type { Workspace } from '../workspace/snapshot';
import type { FeatureFailure } from './failure';
import { type ImpactAnswer, impactOf } from './impact';
import { isStructure } from './links';
import { type PlaceParams, namedAt } from './places';
import { kindOf } from './rows';
import { workspacePath } from './target';

export interface HoverAnswer {
  readonly id: StableId;
  /** Markdown, at most eight. */
  readonly lines: readonly string[];
}

/** What is worth knowing before one changes the symbol at a place; null when no name of the graph is there. Reads the current snapshot, never the disk. */
export async function hover(workspace: Workspace, params: PlaceParams, _token: CancellationToken): Promise<Result<HoverAnswer | null, FeatureFailure>> {
  const path = workspacePath(workspace, params.path);
  if (!path.ok) return path;
  const graph = workspace.current()?.graph;
  const node = graph === undefined ? undefined : namedAt(graph, { ...params, path: path.value });
  return ok(graph === undefined || node === undefined ? null : hoverOf(graph, node));
}

const DEPTH = 3;

function hoverOf(graph: GraphView, handle: NodeHandle): HoverAnswer {
  const node = graph.node(handle);
  const impact = impactOf(graph, handle, DEPTH);
  const counts = graph.countsOf(handle);
  const lines = [
    `**${kindOf(node)} \`${node.name}\`** — ${node.summary}`,
    usesLine(graph, handle, impact),
    testsLine(impact),
    `Risk **${impact.risk}**: ${count(impact.impactedFiles.length, 'file')} and ${count(impact.directTests.length + impact.transitiveTests.length, 'test')} within ${DEPTH} steps`,
    ...(impact.maybe.length > 0 ? [`${impact.maybe.length} more *maybe*`] : []),
    ...(counts.unresolved > 0 ? [`${count(counts.unresolved, 'reference')} here unresolved`] : []),
    ...placeLine(node),
  ];
  return { id: node.id, lines };
}

function usesLine(graph: GraphView, handle: NodeHandle, impact: ImpactAnswer): string {
  const callers = graph.in(handle).filter(edge => edge.relation === 'CALLS' && edge.confidence >= FACT_CONFIDENCE).length;
  const uses = graph.out(handle).filter(edge => !isStructure(edge.relation)).length;
  return `${count(callers, 'caller')} · ${count(impact.impacted.length, 'dependent')} · uses ${uses}`;
}

function testsLine(impact: ImpactAnswer): string {
  const tests = [...impact.directTests, ...impact.transitiveTests];
  const [first] = tests;
  if (first === undefined) return 'No test reaches it';
  return `Tested by ${first.id}${tests.length > 1 ? ` and ${tests.length - 1} more` : ''}`;
}

function placeLine(node: GraphNode): string[] {
  return node.path === '' ? [] : [`${node.path}:${node.nameLine}`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
