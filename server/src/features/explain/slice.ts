import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { GraphNode, GraphView, NodeHandle } from '../../code/graph/graphView';
import { episodesAbout } from '../../memory/moves';
import { MemoryView } from '../../memory/view';
import { type Hint, paramRef, phrase, toolRef } from '../../model/hints';
import type { StableId } from '../../model/ids';
import type { Records } from '../../model/records';
import type { Relation } from '../../model/relations';
import type { Snapshot, SymbolSource, Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine, invalid, notFound } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped } from '../shared/fresh';
import { choice, text } from '../shared/params';
import { byRank, rowOf, sentenceOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { pathOfTarget, resolveTarget, type Target } from '../shared/target';

/** How much of a symbol is given, from its signature to all that it uses. */
export const SLICE_CONTEXTS = ['body', 'signature', 'with-deps', 'full'] as const;
export type SliceContext = (typeof SLICE_CONTEXTS)[number];

/** At least one of `file`, `symbol`, `query`. */
export const sliceParams = shape(() =>
  object({
    file: optional(text()),
    symbol: optional(text()),
    query: optional(text()),
    context: optional(choice(SLICE_CONTEXTS)),
  }),
);
export type SliceParams = Shaped<typeof sliceParams>;

export const sliceAnswerShape = shape(() =>
  object({
    symbol: symbolRowShape(),
    context: z.enum(SLICE_CONTEXTS),
    /** Whole unit, verbatim; `''` for `signature`. */
    code: z.string(),
    signature: z.string(),
    summary: z.string(),
    /** Signatures of what a file or a symbol holds, one a line with its number. */
    outline: z.array(z.string()),
    /** With `with-deps` and `full`: at most ten each, most central first. */
    incomingCallers: z.array(z.string()),
    outgoingCalls: z.array(z.string()),
    /** With `full`: the newest decisions about it, what holds it, or its file. */
    relevantDecisions: optional(z.array(object({ id: z.string(), content: z.string(), timestamp: z.string() }))),
    /** With `full`: the surest learnings about these. */
    relevantLearnings: optional(z.array(object({ id: z.string(), content: z.string(), confidence: z.number() }))),
    candidates: z.array(z.string()),
    guessed: z.boolean(),
  }),
);
export type SliceAnswer = Shaped<typeof sliceAnswerShape>;

/** What is wrong with a question for source, whatever the graph holds. */
export function sliceProblem({ file, query, symbol }: { readonly [Key in 'file' | 'symbol' | 'query']?: unknown }): FeatureFailure | undefined {
  if ([file, symbol, query].some(value => value !== undefined)) return undefined;
  return invalid('symbol', 'file, symbol or query is required.', 'Specify a symbol, such as src/pay.ts::Till::add.');
}

/** The exact source of one symbol, whole, as the asker sees the file now. */
export async function slice(workspace: Workspace, params: SliceParams, token: CancellationToken): Promise<Result<Stamped<SliceAnswer>, FeatureFailure>> {
  const problem = sliceProblem(params);
  if (problem !== undefined) return err(problem);
  const named = [params.file, params.symbol].filter(text => text !== undefined);
  const known = named.map(text => pathOfTarget(workspace, text)).filter(path => path !== undefined);
  const context = params.context ?? 'body';
  const found = await answerFresh(workspace, known, token, snapshot => {
    const target = find(snapshot, workspace, params);
    if (!target.ok) return target;
    const node = snapshot.graph.node(target.value.node);
    const file = snapshot.graph.fileOf(node.path);
    const fileHash = file === undefined ? '' : snapshot.graph.node(file).contentHash;
    const around = surroundings(snapshot.graph, target.value.node, context);
    const memories = context === 'full' ? memoriesOf(workspace.records, snapshot.graph, target.value.node) : {};
    const value = { target: target.value, node, fileHash, memories, ...around };
    return ok({ value, touched: [node.path], unresolved: snapshot.graph.countsOf(target.value.node).unresolved });
  });
  if (!found.ok) return found;
  const { target, node, fileHash, memories, outline, incomingCallers, outgoingCalls, stamp } = found.value;
  const source = await sourceOf(workspace, node, fileHash, context);
  if (!source.ok) return source;
  const { code, endLine, isStale, startLine } = source.value;
  return ok({
    symbol: { ...rowOf(node), startLine, endLine, ...(isStale ? { stale: true } : {}) },
    context,
    code,
    signature: node.signature,
    summary: sentenceOf(node),
    outline,
    incomingCallers,
    outgoingCalls,
    ...memories,
    candidates: target.candidates,
    guessed: target.guessed,
    stamp,
  });
}

/** A symbol, in its file where one is named, before a file, before the best hit of words. */
function find(snapshot: Snapshot, workspace: Workspace, params: SliceParams): Result<Target, FeatureFailure> {
  const { file, symbol, query } = params;
  if (symbol !== undefined && file !== undefined && !symbol.includes('::')) return resolveTarget(snapshot, workspace, `${file}::${symbol}`);
  if (symbol !== undefined) {
    const target = resolveTarget(snapshot, workspace, symbol);
    if (target.ok || query === undefined) return target;
  }
  if (query === undefined) return resolveTarget(snapshot, workspace, file ?? '');
  const hits = snapshot.search.search({ text: query, limit: 6, offset: 0 }).hits.map(hit => hit.id);
  const first = hits[0] === undefined ? undefined : snapshot.graph.find(hits[0]);
  return first === undefined ? err(notFound(query, snapshot.search.suggest(query, 5))) : ok({ node: first, candidates: hits.slice(1), guessed: true });
}

const MAX_CALLS = 10;
const MAX_MEMORIES = 3;

/** What was decided and learned about a symbol, about what holds it, or about its file. */
function memoriesOf(records: Records, graph: GraphView, node: NodeHandle): Pick<SliceAnswer, 'relevantDecisions' | 'relevantLearnings'> {
  const ids: StableId[] = [];
  for (let at: NodeHandle | undefined = node; at !== undefined; at = graph.parentOf(at)) ids.push(graph.idOf(at));
  ids.push(graph.node(node).path);
  const decisions = episodesAbout(records, [...new Set(ids)], { types: ['DECISION'] }, MAX_MEMORIES, name => graph.find(name) !== undefined);
  const learnings = new MemoryView(records).learnings().filter(({ entities }) => entities.some(entity => ids.includes(entity)));
  return {
    relevantDecisions: decisions.map(({ content, id, timestamp }) => ({ id, content, timestamp: new Date(timestamp).toISOString() })),
    relevantLearnings: learnings.slice(0, MAX_MEMORIES).map(({ confidence, content, id }) => ({ id, content, confidence })),
  };
}

function surroundings(graph: GraphView, node: NodeHandle, context: SliceContext): Pick<SliceAnswer, 'outline' | 'incomingCallers' | 'outgoingCalls'> {
  const outline = graph.childrenOf(node).map(child => outlineRow(graph.node(child)));
  if (context !== 'with-deps' && context !== 'full') return { outline, incomingCallers: [], outgoingCalls: [] };
  const isCall = (edge: { readonly relation: Relation }): boolean => edge.relation === 'CALLS' || edge.relation === 'INSTANTIATES';
  const ranked = (nodes: readonly NodeHandle[]): StableId[] =>
    [...new Set(nodes)]
      .sort(byRank(graph))
      .slice(0, MAX_CALLS)
      .map(other => graph.idOf(other));
  return {
    outline,
    incomingCallers: ranked(
      graph
        .in(node)
        .filter(isCall)
        .map(edge => edge.source),
    ),
    outgoingCalls: ranked(
      graph
        .out(node)
        .filter(isCall)
        .map(edge => edge.target),
    ),
  };
}

function outlineRow(node: GraphNode): string {
  return `${node.startLine} ${node.signature === '' ? `${node.kind ?? 'symbol'} ${node.name}` : node.signature}`;
}

/** A past state may have no source, and never will. */
const NO_SOURCE: Hint = phrase`Name a commit in ${paramRef('asOf')}, or use ${toolRef('code_explain')} to learn about the symbol without its source.`;

async function sourceOf(workspace: Workspace, node: GraphNode, fileHash: string, context: SliceContext): Promise<Result<SymbolSource, FeatureFailure>> {
  const { endLine, isStale, nodeType, startLine } = node;
  if (context === 'signature' || nodeType !== 'symbol') return ok({ code: '', startLine, endLine, isStale });
  const source = await workspace.readSymbol(node, fileHash);
  if (source.ok) return source;
  const failure = fromEngine(source.error);
  return err(failure.code === 'UNAVAILABLE' ? { ...failure, hint: NO_SOURCE } : failure);
}

export const sliceFeature = feature({
  name: 'slice',
  about: 'Source or signature of a symbol, with its callees and callers.',
  params: sliceParams,
  answer: stamped(sliceAnswerShape),
  run: slice,
});
