import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { KINDS, type Kind } from '../../model/kinds';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import { feature } from '../shared/feature';
import { integer, number } from '../shared/params';
import { attributesShape, nodeTypeShape, object, optional, relationShape, type Shaped, shape, sourceShape, symbolKindShape } from '../shared/shape';
import { communitiesReady } from './communities';

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
      /** Of nodes above the code. */
      attributes: optional(attributesShape()),
    }),
    object({
      type: z.literal('edge'),
      relation: relationShape(),
      source: z.string(),
      target: z.string(),
      line: z.number(),
      confidence: z.number(),
      provenance: sourceShape(),
      attributes: optional(attributesShape()),
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
const EVERY_KIND = new Uint8Array(256).fill(1);
const ABOVE: ReadonlySet<Kind> = new Set(KINDS.flatMap(({ layer, name }) => (layer === 'code' ? [] : [name])));

/** One part of the whole graph as plain rows. */
export async function exportGraph(workspace: Workspace, params: ExportParams, token: CancellationToken): Promise<Result<ExportAnswer, FeatureFailure>> {
  await communitiesReady(workspace);
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, revision } = snapshot.value;
  const offset = params.offset ?? 0;
  const limit = Math.max(1, params.limit ?? MAX_NODES);
  const rows: ExportRow[] = [];
  let at = 0;
  for (const nodes of [graph.nodes(), graph.nodesAbove(ABOVE)]) {
    for (const node of nodes) {
      if (at >= offset + limit) return ok({ revision, rows, nextOffset: at });
      if (at++ >= offset) addNode(graph, node, params.minConfidence ?? 0, rows);
    }
  }
  return ok({ revision, rows });
}

function addNode(graph: GraphView, handle: NodeHandle, minConfidence: number, rows: ExportRow[]): void {
  const { attributes, id, nodeType, kind, name, path, startLine, endLine } = graph.node(handle);
  const node = { type: 'node', id, nodeType, ...(kind === undefined ? {} : { kind }), name, file: path, startLine, endLine } as const;
  rows.push(attributes === undefined ? node : { ...node, attributes });
  for (const edge of graph.out(handle, undefined, EVERY_KIND)) {
    if (edge.confidence < minConfidence) continue;
    const { attributes: own, relation, confidence, provenance, lines } = edge;
    const line = lines[0] ?? 0;
    rows.push({
      type: 'edge',
      relation,
      source: id,
      target: graph.idOf(edge.target),
      line,
      confidence,
      provenance,
      ...(own === undefined ? {} : { attributes: own }),
    });
  }
}

export const exportGraphFeature = feature({
  name: 'exportGraph',
  about: 'All nodes and edges, paged.',
  params: exportParams,
  answer: exportAnswerShape,
  run: exportGraph,
});
