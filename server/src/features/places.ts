import type { CancellationToken } from '../base/cancellation';
import { err, ok, type Result } from '../base/result';
import type { GraphView, NodeHandle } from '../code/graph/graphView';
import type { Workspace } from '../workspace/snapshot';
import { type FeatureFailure, fromEngine } from './failure';
import { rowOf, type SymbolRow } from './rows';
import { searchIn } from './searchCode';
import { workspacePath } from './target';

/** A place in a file: 1-based line, 0-based column in UTF-16 code units. */
export interface PlaceParams {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The symbol used or declared at a place, else the innermost one around it; null outside every symbol. Reads the current snapshot only. */
export async function symbolAt(workspace: Workspace, params: PlaceParams, _token: CancellationToken): Promise<Result<SymbolRow | null, FeatureFailure>> {
  const path = workspacePath(workspace, params.path);
  if (!path.ok) return path;
  const graph = workspace.current()?.graph;
  if (graph === undefined) return ok(null);
  const node = namedAt(graph, { ...params, path: path.value }) ?? graph.symbolAt(path.value, params.line, params.column);
  return ok(node === undefined ? null : rowOf(graph.node(node)));
}

/** The node whose name is written at a place: what a use there most likely means, or the symbol declared there. */
export function namedAt(graph: GraphView, { path, line, column }: PlaceParams): NodeHandle | undefined {
  const used = graph.targetsAt(path, line, column)[0];
  if (used !== undefined) return used.target;
  for (let node = graph.symbolAt(path, line, column); node !== undefined; node = graph.parentOf(node)) {
    const { nodeType, nameLine, nameColumn, name } = graph.node(node);
    if (nodeType === 'symbol' && nameLine === line && column >= nameColumn && column <= nameColumn + name.length) return node;
  }
  return undefined;
}

export interface WorkspaceSymbolsParams {
  readonly query: string;
  readonly limit?: number;
}

/** Symbols for the editor's "go to symbol in workspace". Reads the current snapshot only. */
export async function workspaceSymbols(
  workspace: Workspace,
  params: WorkspaceSymbolsParams,
  _token: CancellationToken,
): Promise<Result<{ readonly symbols: readonly SymbolRow[] }, FeatureFailure>> {
  const snapshot = workspace.current();
  if (snapshot === undefined || params.query.trim() === '') return ok({ symbols: [] });
  const limit = params.limit ?? 100;
  const exact = snapshot.graph.named(params.query.trim()).map(node => rowOf(snapshot.graph.node(node)));
  const known = new Set(exact.map(row => row.id));
  const found = searchIn(snapshot, { query: params.query, limit, rerank: false })
    .hits.filter(hit => !known.has(hit.id))
    .map(({ id, name, kind, path, startLine, endLine, nameLine, nameColumn }) => ({ id, name, kind, path, startLine, endLine, nameLine, nameColumn }));
  return ok({ symbols: [...exact, ...found].filter(row => row.kind !== 'external').slice(0, limit) });
}

export interface SymbolTree extends SymbolRow {
  readonly children: readonly SymbolTree[];
}

/** Symbols of a file in their containers. Reads the current snapshot only. */
export async function documentSymbols(
  workspace: Workspace,
  params: { readonly path: string },
  _token: CancellationToken,
): Promise<Result<{ readonly symbols: readonly SymbolTree[] }, FeatureFailure>> {
  const path = workspacePath(workspace, params.path);
  if (!path.ok) return path;
  const graph = workspace.current()?.graph;
  const file = graph?.fileOf(path.value);
  if (graph === undefined || file === undefined) return ok({ symbols: [] });
  const tree = (node: NodeHandle): SymbolTree => ({ ...rowOf(graph.node(node)), children: graph.childrenOf(node).map(tree) });
  return ok({ symbols: graph.childrenOf(file).map(tree) });
}

export interface CallRow {
  readonly item: SymbolRow;
  /** 1-based lines of the calls, in the caller's file. */
  readonly lines: readonly number[];
  readonly confidence: number;
}

/** The callable at a place, for call hierarchy. */
export async function callHierarchyItem(
  workspace: Workspace,
  params: PlaceParams,
  token: CancellationToken,
): Promise<Result<{ readonly item: SymbolRow | null }, FeatureFailure>> {
  const found = await symbolAt(workspace, params, token);
  return found.ok ? ok({ item: found.value }) : found;
}

export async function incomingCalls(
  workspace: Workspace,
  params: { readonly id: string },
  token: CancellationToken,
): Promise<Result<{ readonly calls: readonly CallRow[] }, FeatureFailure>> {
  return calls(workspace, params.id, 'in', token);
}

export async function outgoingCalls(
  workspace: Workspace,
  params: { readonly id: string },
  token: CancellationToken,
): Promise<Result<{ readonly calls: readonly CallRow[] }, FeatureFailure>> {
  return calls(workspace, params.id, 'out', token);
}

async function calls(
  workspace: Workspace,
  id: string,
  side: 'in' | 'out',
  token: CancellationToken,
): Promise<Result<{ readonly calls: readonly CallRow[] }, FeatureFailure>> {
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph } = snapshot.value;
  const node = graph.find(id);
  if (node === undefined) return ok({ calls: [] });
  const edges = (side === 'in' ? graph.in(node) : graph.out(node)).filter(edge => edge.relation === 'CALLS' || edge.relation === 'INSTANTIATES');
  return ok({
    calls: edges.map(edge => ({
      item: rowOf(graph.node(side === 'in' ? edge.source : edge.target)),
      lines: edge.lines,
      confidence: edge.confidence,
    })),
  });
}
