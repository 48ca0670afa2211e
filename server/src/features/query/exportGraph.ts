import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import { feature } from '../shared/feature';
import { integer, number } from '../shared/params';
import { nodeTypeShape, object, optional, relationShape, type Shaped, shape, sourceShape, symbolKindShape } from '../shared/shape';

export const exportParams = shape(() =>
  object({
    /** Weaker edges are left out; 0 to 1. */
    minConfidence: optional(number()),
    /** Nodes to pass over, in the fixed order of the view. */
    offset: optional(integer()),
    /** Most nodes; each brings its outgoing edges. */
    limit: optional(integer()),
  }),
);
export type ExportParams = Shaped<typeof exportParams>;

export const exportRowShape = shape(() =>
  z.union([
    object({
      type: z.literal('node'),
      id: z.string(),
      nodeType: nodeTypeShape(),
      kind: optional(symbolKindShape()),
      name: z.string(),
      file: z.string(),
      startLine: z.number(),
      endLine: z.number(),
    }),
    object({
      type: z.literal('edge'),
      relation: relationShape(),
      source: z.string(),
      target: z.string(),
      line: z.number(),
      confidence: z.number(),
      provenance: sourceShape(),
    }),
  ]),
);
export type ExportRow = Shaped<typeof exportRowShape>;

export const exportAnswerShape = shape(() =>
  object({
    revision: z.number(),
    rows: z.array(exportRowShape()),
    /** Offset of the next part, absent at the end. Parts of different revisions do not fit together: start again. */
    nextOffset: optional(z.number()),
  }),
);
export type ExportAnswer = Shaped<typeof exportAnswerShape>;

const MAX_NODES = 2000;

/** One part of the whole graph as plain rows. */
export async function exportGraph(workspace: Workspace, params: ExportParams, token: CancellationToken): Promise<Result<ExportAnswer, FeatureFailure>> {
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, revision } = snapshot.value;
  const offset = params.offset ?? 0;
  const limit = Math.max(1, params.limit ?? MAX_NODES);
  const rows: ExportRow[] = [];
  let at = 0;
  for (const node of graph.nodes()) {
    if (at >= offset + limit) return ok({ revision, rows, nextOffset: at });
    if (at++ >= offset) addNode(graph, node, params.minConfidence ?? 0, rows);
  }
  return ok({ revision, rows });
}

function addNode(graph: GraphView, handle: NodeHandle, minConfidence: number, rows: ExportRow[]): void {
  const { id, nodeType, kind, name, path, startLine, endLine } = graph.node(handle);
  rows.push({ type: 'node', id, nodeType, ...(kind === undefined ? {} : { kind }), name, file: path, startLine, endLine });
  for (const edge of graph.out(handle)) {
    if (edge.confidence < minConfidence) continue;
    const { relation, confidence, provenance, lines } = edge;
    rows.push({ type: 'edge', relation, source: id, target: graph.idOf(edge.target), line: lines[0] ?? 0, confidence, provenance });
  }
}

export const exportGraphFeature = feature({
  name: 'exportGraph',
  about: 'All nodes and edges, page by page.',
  params: exportParams,
  answer: exportAnswerShape,
  run: exportGraph,
});
