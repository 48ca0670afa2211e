import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { KIND_GROUPS } from '../../model/nodes';
import type { Relation } from '../../model/relations';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import { feature } from '../shared/feature';
import { idParams } from '../shared/params';
import { kindOf, rowOf, type SymbolRow, symbolRowShape } from '../shared/rows';
import { object, type Shaped, shape } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { namedAt } from '../shared/target';
import { type PlaceParams, placeParams, symbolAt } from './places';

export const hierarchyRowShape = shape(() =>
  object({
    item: symbolRowShape(),
    /** 1-based lines of the uses, in the file of whichever end uses the other. */
    lines: z.array(z.number()),
    confidence: z.number(),
  }),
);
export type HierarchyRow = Shaped<typeof hierarchyRowShape>;

const hierarchyItemShape = shape(() => object({ item: symbolRowShape().nullable() }));
const callsShape = shape(() => object({ calls: z.array(hierarchyRowShape()) }));
const typesShape = shape(() => object({ types: z.array(hierarchyRowShape()) }));

/** The symbol at a place, for call hierarchy. */
export async function callHierarchyItem(
  workspace: Workspace,
  params: PlaceParams,
  token: CancellationToken,
): Promise<Result<{ readonly item: SymbolRow | null }, FeatureFailure>> {
  const found = await symbolAt(workspace, params, token);
  return found.ok ? ok({ item: found.value }) : found;
}

const CALLS: readonly Relation[] = ['CALLS', 'INSTANTIATES'];

export async function incomingCalls(
  workspace: Workspace,
  params: { readonly id: string },
  token: CancellationToken,
): Promise<Result<{ readonly calls: readonly HierarchyRow[] }, FeatureFailure>> {
  const found = await neighbors(workspace, params.id, 'in', CALLS, token);
  return found.ok ? ok({ calls: found.value }) : found;
}

export async function outgoingCalls(
  workspace: Workspace,
  params: { readonly id: string },
  token: CancellationToken,
): Promise<Result<{ readonly calls: readonly HierarchyRow[] }, FeatureFailure>> {
  const found = await neighbors(workspace, params.id, 'out', CALLS, token);
  if (!found.ok) return found;
  // A class is made by calling its constructor: the constructor stands for both, because what happens next is said there.
  const constructed = new Set(found.value.filter(row => row.item.kind === 'constructor').map(row => row.item.id.slice(0, row.item.id.lastIndexOf('::'))));
  return ok({ calls: found.value.filter(row => !constructed.has(row.item.id)) });
}

/** The type whose name is at a place, else the innermost type around it; null where there is none. */
export async function typeHierarchyItem(
  workspace: Workspace,
  params: PlaceParams,
  _token: CancellationToken,
): Promise<Result<{ readonly item: SymbolRow | null }, FeatureFailure>> {
  const path = workspacePath(workspace, params.path);
  if (!path.ok) return path;
  const graph = workspace.current()?.graph;
  if (graph === undefined) return ok({ item: null });
  let node: NodeHandle | undefined = namedAt(graph, { ...params, path: path.value }) ?? graph.symbolAt(path.value, params.line, params.column);
  while (node !== undefined && !isType(graph, node)) node = graph.parentOf(node);
  return ok({ item: node === undefined ? null : rowOf(graph.node(node)) });
}

const TYPE_LINKS: readonly Relation[] = ['INHERITS', 'IMPLEMENTS'];

export async function supertypes(
  workspace: Workspace,
  params: { readonly id: string },
  token: CancellationToken,
): Promise<Result<{ readonly types: readonly HierarchyRow[] }, FeatureFailure>> {
  const found = await neighbors(workspace, params.id, 'out', TYPE_LINKS, token);
  return found.ok ? ok({ types: found.value }) : found;
}

export async function subtypes(
  workspace: Workspace,
  params: { readonly id: string },
  token: CancellationToken,
): Promise<Result<{ readonly types: readonly HierarchyRow[] }, FeatureFailure>> {
  const found = await neighbors(workspace, params.id, 'in', TYPE_LINKS, token);
  return found.ok ? ok({ types: found.value }) : found;
}

function isType(graph: GraphView, node: NodeHandle): boolean {
  return (KIND_GROUPS.CLASS as readonly string[]).includes(kindOf(graph.node(node)));
}

/** The other ends of a node's edges of some relations. */
async function neighbors(
  workspace: Workspace,
  id: string,
  side: 'in' | 'out',
  relations: readonly Relation[],
  token: CancellationToken,
): Promise<Result<HierarchyRow[], FeatureFailure>> {
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph } = snapshot.value;
  const node = graph.find(id);
  if (node === undefined) return ok([]);
  const edges = (side === 'in' ? graph.in(node) : graph.out(node)).filter(edge => relations.includes(edge.relation));
  return ok(
    edges.map(edge => ({
      item: rowOf(graph.node(side === 'in' ? edge.source : edge.target)),
      lines: edge.lines,
      confidence: edge.confidence,
    })),
  );
}

export const typeHierarchyItemFeature = feature({
  name: 'typeHierarchyItem',
  about: 'The type at a position, or the innermost enclosing type; null when there is none.',
  params: placeParams,
  answer: hierarchyItemShape,
  run: typeHierarchyItem,
});

export const supertypesFeature = feature({
  name: 'supertypes',
  about: 'Supertypes of a type.',
  params: idParams,
  answer: typesShape,
  run: supertypes,
});

export const subtypesFeature = feature({
  name: 'subtypes',
  about: 'Subtypes of a type.',
  params: idParams,
  answer: typesShape,
  run: subtypes,
});

export const callHierarchyItemFeature = feature({
  name: 'callHierarchyItem',
  about: 'The symbol at a position, as a call hierarchy item.',
  params: placeParams,
  answer: hierarchyItemShape,
  run: callHierarchyItem,
});

export const incomingCallsFeature = feature({
  name: 'incomingCalls',
  about: 'Incoming calls of a symbol.',
  params: idParams,
  answer: callsShape,
  run: incomingCalls,
});

export const outgoingCallsFeature = feature({
  name: 'outgoingCalls',
  about: 'Outgoing calls of a symbol.',
  params: idParams,
  answer: callsShape,
  run: outgoingCalls,
});
