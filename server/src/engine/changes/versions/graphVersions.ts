import type { WorkspacePath } from '../../../base/path';
import type { GraphEdge, GraphView, NodeHandle } from '../../../code/graph/graphView';
import type { StableId } from '../../../model/ids';

/** A version of a node that a transaction started. */
export interface StartedNode {
  readonly id: StableId;
  readonly kind: string;
  readonly contentHash: string;
  /** The node had another version before. */
  readonly supersedes: boolean;
  /** Where the same content stood before, under an id that is gone. */
  readonly renamedFrom?: StableId;
}

/** Source, relation and target of an edge. */
export type EdgeKey = readonly [source: StableId, relation: string, target: StableId];

/** Versions of nodes and edges that a transaction started and ended. */
export interface GraphVersions {
  readonly started: readonly StartedNode[];
  /** Nodes whose version ended: superseded ones, and those that are gone. */
  readonly ended: readonly StableId[];
  readonly startedEdges: readonly EdgeKey[];
  readonly endedEdges: readonly EdgeKey[];
}

/**
 * What differs between two revisions in some files: nodes by the hash of their content, so that a shift of lines makes no version; edges by their ends.
 * Costs in proportion to these files.
 */
export function versionsBetween(before: GraphView, after: GraphView, paths: Iterable<WorkspacePath>): GraphVersions {
  const started: StartedNode[] = [];
  const gone = new Map<StableId, string>();
  const superseded: StableId[] = [];
  const startedEdges: EdgeKey[] = [];
  const endedEdges: EdgeKey[] = [];
  for (const path of paths) {
    const [old, now] = [nodesIn(before, path), nodesIn(after, path)];
    for (const [id, node] of now) {
      const { contentHash, kind } = after.node(node);
      const earlier = old.get(id);
      if (earlier !== undefined && before.node(earlier).contentHash === contentHash) continue;
      if (earlier !== undefined) superseded.push(id);
      started.push({ id, kind: kind ?? 'file', contentHash, supersedes: earlier !== undefined });
    }
    for (const [id, node] of old) if (!now.has(id)) gone.set(id, before.node(node).contentHash);
    difference(before, after, new Set([...old.keys(), ...now.keys()]), startedEdges, endedEdges);
  }
  return { started: withOrigins(started, gone), ended: [...superseded, ...gone.keys()], startedEdges, endedEdges };
}

/** A node that came with the content of one that went. Of several with one content none is told. */
function withOrigins(started: readonly StartedNode[], gone: ReadonlyMap<StableId, string>): readonly StartedNode[] {
  if (gone.size === 0) return started;
  const origins = new Map<string, StableId | undefined>();
  for (const [id, hash] of gone) origins.set(hash, origins.has(hash) || hash === '' ? undefined : id);
  return started.map(node => {
    const origin = node.supersedes ? undefined : origins.get(node.contentHash);
    return origin === undefined ? node : { ...node, renamedFrom: origin };
  });
}

function nodesIn(view: GraphView, path: WorkspacePath): ReadonlyMap<StableId, NodeHandle> {
  const file = view.fileOf(path);
  return file === undefined ? new Map() : new Map([file, ...view.symbolsOf(file)].map(node => [view.idOf(node), node]));
}

function difference(before: GraphView, after: GraphView, ids: ReadonlySet<StableId>, started: EdgeKey[], ended: EdgeKey[]): void {
  for (const id of ids) {
    const [old, now] = [edgesOf(before, id), edgesOf(after, id)];
    for (const [key, edge] of now) if (!old.has(key)) started.push([id, edge.relation, after.idOf(edge.target)]);
    for (const [key, edge] of old) if (!now.has(key)) ended.push([id, edge.relation, before.idOf(edge.target)]);
  }
}

/** By relation and target. */
function edgesOf(view: GraphView, id: StableId): ReadonlyMap<string, GraphEdge> {
  const node = view.find(id);
  return node === undefined ? new Map() : new Map(view.out(node).map(edge => [`${edge.relation} ${view.idOf(edge.target)}`, edge]));
}
