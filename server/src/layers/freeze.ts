import { runAtOnce, type Steps } from '../base/steps';
import { compareText } from '../base/text';
import type { NodeHandle } from '../code/graph/graphView';
import { encodeConfidence } from '../model/evidence';
import { NO_NODE, type NodeColumn, nodeColumn, type StableId } from '../model/ids';
import { relationCode } from '../model/relations';
import type { FrozenLayer, LayerEdge, LayerNode, LayerRows } from './layer';

const CERTAIN = encodeConfidence(1);

/** Nodes or edges between two steps. */
const PER_STEP = 1024;

/** Nodes and edges as columns. What lies in them depends on nothing but these: edges are ordered by their ends and relation. */
export function* freezeSteps(nodes: readonly LayerNode[], edges: readonly LayerEdge[], intern: (id: StableId) => NodeHandle): Steps<FrozenLayer> {
  const handles = new Map<StableId, NodeHandle>();
  let top = -1;
  for (const [at, { id }] of nodes.entries()) {
    const handle = intern(id);
    handles.set(id, handle);
    top = Math.max(top, handle);
    if (at % PER_STEP === 0) yield;
  }
  const handleOf = (id: StableId): NodeHandle => handles.get(id) ?? intern(id);
  const ends: { readonly edge: LayerEdge; readonly from: NodeHandle; readonly to: NodeHandle; readonly relation: number }[] = [];
  for (const [at, edge] of edges.entries()) {
    ends.push({ edge, from: handleOf(edge.source), to: handleOf(edge.target), relation: relationCode[edge.relation] });
    if (at % PER_STEP === 0) yield;
  }
  yield;
  ends.sort((a, b) => a.relation - b.relation || compareText(a.edge.source, b.edge.source) || compareText(a.edge.target, b.edge.target));
  yield;
  const size = ends.reduce((most, { from, to }) => Math.max(most, from, to), top) + 1;
  const from = nodeColumn(Int32Array.from(ends, end => end.from));
  const to = nodeColumn(Int32Array.from(ends, end => end.to));
  const relations = Uint8Array.from(ends, end => end.relation);
  const ordered = ends.map(end => end.edge);
  return {
    nodes: new Map(nodes.map(node => [handleOf(node.id), node])),
    forward: rowsOf(from, to, relations, size),
    backward: rowsOf(to, from, relations, size),
    find: id => handles.get(id),
    edge: at => ordered[at] ?? { provenance: 'derived' },
  };
}

/** Makes columns for walking of nodes and edges, in one go. `freezeSteps` does the same in steps. */
export function freeze(nodes: readonly LayerNode[], edges: readonly LayerEdge[], intern: (id: StableId) => NodeHandle): FrozenLayer {
  return runAtOnce(freezeSteps(nodes, edges, intern));
}

/** Counting sort of edges by where they start; edges of one row stay in their order. `size` is one more than the highest handle. */
export function rowsOf(starting: NodeColumn, ending: NodeColumn, relationOf: Uint8Array, size: number): LayerRows {
  const starts = new Int32Array(size);
  const ends = new Int32Array(size);
  for (const node of starting) ends[node] = (ends[node] ?? 0) + 1;
  let next = 0;
  for (let node = 0; node < size; node++) {
    const count = ends[node] ?? 0;
    starts[node] = next;
    ends[node] = next;
    next += count;
  }
  const targets = nodeColumn(new Int32Array(starting.length));
  const relations = new Uint8Array(starting.length);
  const edges = new Int32Array(starting.length);
  for (let edge = 0; edge < starting.length; edge++) {
    const node = starting[edge] ?? NO_NODE;
    const at = ends[node] ?? 0;
    targets[at] = ending[edge] ?? NO_NODE;
    relations[at] = relationOf[edge] ?? 0;
    edges[at] = edge;
    ends[node] = at + 1;
  }
  return { starts, ends, targets, relations, confidences: new Uint8Array(starting.length).fill(CERTAIN), edges };
}
