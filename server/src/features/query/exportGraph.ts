import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { SourceName } from '../../model/evidence';
import type { StableId } from '../../model/ids';
import type { NodeType, SymbolKind } from '../../model/nodes';
import type { Relation } from '../../model/relations';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';

export interface ExportParams {
  /** Weaker edges are left out; 0 to 1. */
  readonly minConfidence?: number;
  /** Nodes to pass over, in the fixed order of the view. */
  readonly offset?: number;
  /** Most nodes; each brings its outgoing edges. */
  readonly limit?: number;
}

export type ExportRow =
  | {
      readonly type: 'node';
      readonly id: StableId;
      readonly nodeType: NodeType;
      readonly kind?: SymbolKind;
      readonly name: string;
      readonly file: string;
      readonly startLine: number;
      readonly endLine: number;
    }
  | {
      readonly type: 'edge';
      readonly relation: Relation;
      readonly source: StableId;
      readonly target: StableId;
      readonly line: number;
      readonly confidence: number;
      readonly provenance: SourceName;
    };

export interface ExportAnswer {
  readonly revision: number;
  readonly rows: readonly ExportRow[];
  /** Offset of the next part, absent at the end. Parts of different revisions do not fit together: start again. */
  readonly nextOffset?: number;
}

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
