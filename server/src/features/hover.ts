import type { CancellationToken } from '../base/cancellation';
import { ok, type Result } from '../base/result';
import type { GraphNode, GraphView, NodeHandle } from '../code/graph/graphView';
import { FACT_CONFIDENCE } from '../model/evidence';
import type { StableId } from '../model/ids';
import type { Workspace } from '../workspace/snapshot';
import type { FeatureFailure } from './failure';
import { type ImpactAnswer, impactOf } from './impact';
import { isStructure } from './links';
import { namedAt, type PlaceParams } from './places';
import { kindOf, sentenceOf } from './rows';
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
  const sentence = sentenceOf(node);
  const impact = impactOf(graph, handle, DEPTH, 1);
  const counts = graph.countsOf(handle);
  const lines = [
    `**${kindOf(node)} \`${node.name}\`**${sentence === '' ? '' : ` — ${sentence}`}`,
    usesLine(graph, handle, impact),
    testsLine(impact),
    `Risk **${impact.risk}**: ${count(impact.counts.files, 'file')} and ${count(testCount(impact), 'test')} within ${DEPTH} steps`,
    ...(impact.counts.maybe > 0 ? [`${impact.counts.maybe} more *maybe*`] : []),
    ...(counts.unresolved > 0 ? [`${count(counts.unresolved, 'reference')} here unresolved`] : []),
    ...placeLine(node),
  ];
  return { id: node.id, lines };
}

function usesLine(graph: GraphView, handle: NodeHandle, impact: ImpactAnswer): string {
  const callers = graph.in(handle).filter(edge => edge.relation === 'CALLS' && edge.confidence >= FACT_CONFIDENCE).length;
  const uses = graph.out(handle).filter(edge => !isStructure(edge.relation)).length;
  return `${count(callers, 'caller')} · ${count(impact.counts.direct + impact.counts.transitive, 'dependent')} · uses ${uses}`;
}

function testsLine(impact: ImpactAnswer): string {
  const first = impact.directTests[0] ?? impact.transitiveTests[0];
  if (first === undefined) {
    const { fartherTests } = impact.counts;
    return fartherTests === 0 ? 'No test reaches it' : `No test within ${DEPTH} steps, ${count(fartherTests, 'test')} further away`;
  }
  return `Tested by ${first.id}${testCount(impact) > 1 ? ` and ${testCount(impact) - 1} more` : ''}`;
}

function testCount({ counts }: ImpactAnswer): number {
  return counts.directTests + counts.transitiveTests;
}

function placeLine(node: GraphNode): string[] {
  return node.path === '' ? [] : [`${node.path}:${node.nameLine}`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
