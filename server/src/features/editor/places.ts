import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { StableId } from '../../model/ids';
import { languageRow } from '../../model/languages';
import type { Workspace } from '../../workspace/snapshot';
import { searchIn } from '../search/searchCode';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { integer, text, texts } from '../shared/params';
import { rowOf, type SymbolRow, symbolRowShape } from '../shared/rows';
import { object, optional, type Shape, type Shaped, shape } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { namedAt } from '../shared/target';

export const symbolsShape = shape(() => object({ symbols: z.array(symbolRowShape()) }));
const symbolAtShape = shape(() => symbolRowShape().nullable());
const nodesShape = shape(() => object({ nodes: z.array(symbolRowShape()) }));
const documentSymbolsShape = shape(() => object({ symbols: z.array(symbolTreeShape()) }));
const documentParams = shape(() => object({ path: text() }));
const nodesParams = shape(() => object({ ids: optional(texts()) }));

/** A place in a file: 1-based line, 0-based column in UTF-16 code units. */
export const placeParams = shape(() =>
  object({
    path: text(),
    line: integer(),
    column: integer(),
  }),
);
export type PlaceParams = Shaped<typeof placeParams>;

/** The symbol used or declared at a place, else the innermost one around it; null outside every symbol. Reads the current snapshot only. */
export async function symbolAt(workspace: Workspace, params: PlaceParams, _token: CancellationToken): Promise<Result<SymbolRow | null, FeatureFailure>> {
  const path = workspacePath(workspace, params.path);
  if (!path.ok) return path;
  const graph = workspace.current()?.graph;
  if (graph === undefined) return ok(null);
  const node = namedAt(graph, { ...params, path: path.value }) ?? graph.symbolAt(path.value, params.line, params.column);
  return ok(node === undefined ? null : rowOf(graph.node(node)));
}

export const workspaceSymbolsParams = shape(() =>
  object({
    query: text(),
    limit: optional(integer()),
    /** Editor ids of languages: of files in other languages nothing is listed. Files in no language of the graph always are. */
    languages: optional(texts()),
  }),
);
export type WorkspaceSymbolsParams = Shaped<typeof workspaceSymbolsParams>;

/** Symbols for the editor's "go to symbol in workspace". Reads the current snapshot only. */
export async function workspaceSymbols(
  workspace: Workspace,
  params: WorkspaceSymbolsParams,
  _token: CancellationToken,
): Promise<Result<{ readonly symbols: readonly SymbolRow[] }, FeatureFailure>> {
  const snapshot = workspace.current();
  if (snapshot === undefined || params.query.trim() === '') return ok({ symbols: [] });
  const limit = params.limit ?? 100;
  const { languages } = params;
  const isWanted = (row: SymbolRow): boolean => row.kind !== 'external' && (languages === undefined || isIn(languages, snapshot.graph, row));
  const exact = snapshot.graph.named(params.query.trim()).map(node => rowOf(snapshot.graph.node(node)));
  const known = new Set(exact.map(row => row.id));
  const found = searchIn(snapshot, { query: params.query, limit: languages === undefined ? limit : limit * OVERSAMPLING, rerank: false })
    .hits.filter(hit => !known.has(hit.id))
    .map(({ id, name, kind, path, startLine, endLine, nameLine, nameColumn }) => ({ id, name, kind, path, startLine, endLine, nameLine, nameColumn }));
  return ok({ symbols: [...exact, ...found].filter(isWanted).slice(0, limit) });
}

/** Hits that are looked at for each that is wanted, when some languages are left out. */
const OVERSAMPLING = 5;

function isIn(languages: readonly string[], graph: GraphView, { id }: SymbolRow): boolean {
  const node = graph.find(id);
  const language = node === undefined ? undefined : graph.node(node).language;
  return language === undefined || (languageRow(language).editorIds ?? [language]).some(id => languages.includes(id));
}

export interface SymbolTree extends SymbolRow {
  readonly children: readonly SymbolTree[];
}

const symbolTreeShape: Shape<z.ZodType<SymbolTree>> = shape(() =>
  object({
    ...symbolRowShape().shape,
    get children() {
      return z.array(symbolTreeShape());
    },
  }),
);

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

/** Most ids that are looked up in one question. */
const MAX_IDS = 500;

/** The nodes of those ids that there are, in the order of the question. Reads the current snapshot only. */
export async function nodesById(
  workspace: Workspace,
  params: { readonly ids?: readonly StableId[] },
  _token: CancellationToken,
): Promise<Result<{ readonly nodes: readonly SymbolRow[] }, FeatureFailure>> {
  const graph = workspace.current()?.graph;
  const found = graph === undefined ? [] : (params.ids ?? []).slice(0, MAX_IDS).map(id => graph.find(id));
  return ok({ nodes: found.flatMap(node => (graph === undefined || node === undefined ? [] : [rowOf(graph.node(node))])) });
}

export const symbolAtFeature = feature({
  name: 'symbolAt',
  about: 'The symbol used or declared at a position, or the innermost enclosing symbol; null outside symbols.',
  params: placeParams,
  answer: symbolAtShape,
  run: symbolAt,
});

export const workspaceSymbolsFeature = feature({
  name: 'workspaceSymbols',
  about: 'Workspace symbols by name.',
  params: workspaceSymbolsParams,
  answer: symbolsShape,
  run: workspaceSymbols,
});

export const documentSymbolsFeature = feature({
  name: 'documentSymbols',
  about: 'Document symbols of a file, nested.',
  params: documentParams,
  answer: documentSymbolsShape,
  run: documentSymbols,
});

export const nodesByIdFeature = feature({
  name: 'nodesById',
  about: 'Nodes by ID; unknown IDs are omitted.',
  params: nodesParams,
  answer: nodesShape,
  run: nodesById,
});
