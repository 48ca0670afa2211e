import { z } from 'zod';
import { PERSONAL_RANK, personalRankSteps } from '../../algorithms/personalRank';
import { reach } from '../../algorithms/reach';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { runSteps } from '../../base/steps';
import type { GraphView } from '../../code/graph/graphView';
import { NO_NODE, type NodeHandle } from '../../model/ids';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { type MemoryHit, memoryHits } from '../memory/memoryHits';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped, searchLacks } from '../shared/fresh';
import { linksAround, STEP_WEIGHTS } from '../shared/links';
import { choice, integer, number, text, texts } from '../shared/params';
import { centralityOf } from '../shared/rows';
import { serviceOf } from '../shared/services';
import { object, optional, type Shaped, shape, stamped, unset } from '../shared/shape';
import { resolveTarget } from '../shared/target';
import { rowsOf, type SearchParams, type SearchRow, searchInSteps, searchRowShape } from './searchCode';
import { SERVICE_KINDS, type ServiceHit, serviceHits } from './serviceHits';

/** What candidates are found by; `bm25` is words alone, `graph` what is around the best of both. */
export const HYBRID_MODES = ['hybrid', 'vector', 'bm25', 'graph'] as const;
export type HybridMode = (typeof HYBRID_MODES)[number];

export const hybridParams = shape(() =>
  object({
    query: text(),
    limit: optional(integer()),
    offset: optional(integer()),
    /** Kinds, or the groups FILE, FUNCTION, CLASS. */
    kinds: optional(texts()),
    /** Default: as the index is set. */
    mode: optional(choice(HYBRID_MODES)),
    /** What nearness is measured from; without one, how central a hit is counts instead. */
    anchor: optional(text()),
    /** Only what lies in this service; where none is known, a folder in `services`, `apps` or `packages`. */
    service: optional(text()),
    /** 0 to 1. */
    semanticWeight: optional(number()),
    graphWeight: optional(number()),
  }),
);
export type HybridParams = Shaped<typeof hybridParams>;

export const hybridRowShape = shape(() =>
  object({
    ...searchRowShape().shape,
    /** How well the words match, 0 to 1. */
    semanticScore: z.number(),
    graphScore: z.number(),
    /** Links from the anchor; one more than the farthest when none lead there, -1 without an anchor. */
    distance: z.number(),
  }),
);
export type HybridRow = Shaped<typeof hybridRowShape>;

export const hybridAnswerShape = shape(() =>
  object({
    query: z.string(),
    anchor: unset(z.string()),
    hits: z.array(hybridRowShape()),
    total: z.number(),
  }),
);
export type HybridAnswer = Shaped<typeof hybridAnswerShape>;

/** Candidates per result that is asked for. */
const OVERFETCH = 3;

/** Code, memories about it, and what services offer, ordered by words and by place in the graph together. */
export async function hybridSearch(
  workspace: Workspace,
  params: HybridParams,
  token: CancellationToken,
): Promise<Result<Stamped<HybridAnswer>, FeatureFailure>> {
  const vector = await workspace.embedQuery?.(params.query);
  await workspace.takeTurn?.();
  return answerFresh(workspace, [], token, async snapshot => {
    const { graph } = snapshot;
    const degraded = searchLacks(workspace);
    const anchor = params.anchor === undefined ? undefined : resolveTarget(snapshot, workspace, params.anchor);
    if (anchor?.ok === false) return anchor;
    const limit = params.limit ?? 10;
    const declared = params.service === undefined ? undefined : await workspace.services?.model(token);
    const serviceAt = declared === undefined || declared.services.length === 0 ? serviceOf : (path: string): string => declared.serviceOf(path);
    const isIn = params.service === undefined ? undefined : (path: string): boolean => serviceAt(path) === params.service;
    const found = { query: params.query, limit: limit * OVERFETCH, rerank: false, kinds: params.kinds ?? [], vector, isIn };
    const candidates = await (params.mode === 'graph'
      ? aroundBest(workspace, snapshot, found)
      : hitsOf(workspace, snapshot, { ...found, ...modeOf(params.mode) }));
    const distanceOf = anchor === undefined ? undefined : distances(graph, anchor.value.node);
    const { semanticWeight = 0.6, graphWeight = 0.4 } = params;
    const combined = (hit: SearchRow, near: ReturnType<Distances> | undefined): HybridRow => {
      const graphScore = near === undefined ? hit.centrality : 1 - near.distance / (near.farthest + 1);
      const score = round(semanticWeight * hit.score + graphWeight * graphScore);
      return { ...hit, score, semanticScore: hit.score, graphScore: round(graphScore), distance: near?.distance ?? -1 };
    };
    const code = candidates.map(hit => combined(hit, distanceOf?.(graph.find(hit.id) ?? NO_NODE)));
    const memories = params.service === undefined ? await memoriesFor(workspace, params, limit * OVERFETCH, token) : [];
    const offered = servicesFor(graph, params).map(hit => combined(serviceRow(graph, hit), distanceOf?.(hit.node)));
    const rows = [...code, ...offered, ...memories.map(hit => combined(memoryRow(graph, hit), distanceOf && nearestOf(graph, hit, distanceOf)))];
    const ranked = rows
      .map((row, place) => ({ row, place }))
      .sort((a, b) => b.row.score - a.row.score || a.place - b.place)
      .map(({ row }) => row);
    const offset = params.offset ?? 0;
    const hits = ranked.slice(offset, offset + limit);
    const value = { query: params.query, anchor: anchor === undefined ? undefined : graph.idOf(anchor.value.node), hits, total: ranked.length };
    return ok({ value, touched: hits.map(hit => hit.path).filter(path => path !== ''), degraded });
  });
}

/** Kinds of memory that are asked for; all kinds when none are named. */
async function memoriesFor(workspace: Workspace, { kinds = [], query }: HybridParams, limit: number, token: CancellationToken): Promise<readonly MemoryHit[]> {
  const wanted = new Set(kinds.map(kind => kind.toLowerCase()));
  const isWanted = (kind: MemoryHit['kind']): boolean => wanted.size === 0 || wanted.has(kind);
  const asked = new Set((['episode', 'learning'] as const).filter(isWanted));
  if (asked.size === 0) return [];
  const hits = await memoryHits(workspace, query, asked, limit, token);
  return wanted.size === 0 ? hits.filter(({ score }) => score >= MIN_WORD_SHARE) : hits;
}

/** Beside code, memories and services count that have about all words of the query. */
const MIN_WORD_SHARE = 0.5;

/** Nodes of the services, of the kinds that are asked for; all kinds when none are named. */
function servicesFor(graph: GraphView, { kinds = [], query, service }: HybridParams): readonly ServiceHit[] {
  const wanted = new Set(kinds.map(kind => kind.toLowerCase()));
  const asked = wanted.size === 0 ? SERVICE_KINDS : new Set([...SERVICE_KINDS].filter(kind => wanted.has(kind)));
  const hits = asked.size === 0 ? [] : serviceHits(graph, query, asked, service);
  return wanted.size === 0 ? hits.filter(({ score }) => score >= MIN_WORD_SHARE) : hits;
}

function serviceRow(graph: GraphView, { node, score }: ServiceHit): SearchRow {
  const { attributes = {}, id, name } = graph.node(node);
  const textOf = (key: string): string => (typeof attributes[key] === 'string' ? attributes[key] : '');
  const lineOf = (key: string): number => (typeof attributes[key] === 'number' ? attributes[key] : 0);
  const [handler, declared] = [textOf('handler_file'), textOf('declared_file')];
  const line = handler === '' ? lineOf('declared_line') : lineOf('handler_line');
  return {
    id,
    name,
    kind: graph.kindOf(node),
    path: handler || declared || textOf('path'),
    startLine: line,
    endLine: line,
    nameLine: line,
    nameColumn: 0,
    complexity: 0,
    signature: '',
    score: round(score),
    centrality: round(centralityOf(graph, node)),
    blendedScore: round(score),
    summary: textOf('summary') || textOf('description'),
  };
}

function memoryRow(graph: GraphView, { entities, id, kind, name, score }: MemoryHit): SearchRow {
  const centrality = round(Math.max(0, ...entities.map(entity => centralityOf(graph, graph.find(entity) ?? NO_NODE))));
  const nowhere = { path: '', startLine: 0, endLine: 0, nameLine: 0, nameColumn: 0, complexity: 0, signature: '' };
  return { id, name, kind, ...nowhere, score: round(score), centrality, blendedScore: round(score), summary: name };
}

/** One link farther than the nearest code that it names. */
function nearestOf(graph: GraphView, { entities }: MemoryHit, distanceOf: Distances): ReturnType<Distances> {
  const { farthest } = distanceOf(NO_NODE);
  const nearest = Math.min(farthest, ...entities.map(entity => distanceOf(graph.find(entity) ?? NO_NODE).distance));
  return { distance: nearest + 1, farthest };
}

function modeOf(mode: Exclude<HybridMode, 'graph'> | undefined): Pick<SearchParams, 'mode'> {
  if (mode === undefined) return {};
  return { mode: mode === 'bm25' ? 'lexical' : mode };
}

async function hitsOf(workspace: Workspace, snapshot: Snapshot, params: SearchParams): Promise<readonly SearchRow[]> {
  return (await searchInSteps(workspace, snapshot, params)).hits;
}

/** Seeds of the walk, as many as the specification takes of both lists. */
const SEEDS = 5;
const MAX_AROUND = 500;
/** Kinds of links that rank is passed along. */
const RANKED = Uint8Array.from(STEP_WEIGHTS, weight => (weight > 0 ? 1 : 0));

/** What a personal PageRank reaches from the best hits, best first; kinds are filtered as everywhere. */
async function aroundBest(workspace: Workspace, snapshot: Snapshot, params: SearchParams): Promise<readonly SearchRow[]> {
  const { graph } = snapshot;
  const { forward, backward, live } = graph.walk(RANKED);
  const best = await hitsOf(workspace, snapshot, { ...params, limit: SEEDS, kinds: [], isIn: undefined });
  await workspace.pause?.();
  const seeds = best.map(({ id }) => graph.find(id) ?? NO_NODE);
  const compare = (a: NodeHandle, b: NodeHandle): number => graph.orderOf(a) - graph.orderOf(b);
  const steps = personalRankSteps([...forward, ...backward], live, seeds, { ...PERSONAL_RANK, weights: STEP_WEIGHTS, limit: MAX_AROUND }, compare);
  const { nodes, scores } = await runSteps(steps, () => workspace.pause?.());
  const ranked = Array.from(nodes, (node: NodeHandle, at) => ({ id: graph.idOf(node), score: scores[at] ?? 0, fields: [] }));
  return rowsOf(graph, ranked, params, params.limit ?? MAX_AROUND);
}

type Distances = (node: NodeHandle) => { readonly distance: number; readonly farthest: number };

function distances(graph: Parameters<typeof resolveTarget>[0]['graph'], anchor: NodeHandle): Distances {
  const links = linksAround(graph, [anchor]);
  const { forward, backward, live } = graph.walk(links.kinds);
  const { nodes, depths } = reach([...forward, ...backward], live, [anchor], Number.POSITIVE_INFINITY, links);
  const farthest = Math.max(1, depths[nodes[nodes.length - 1] ?? anchor] ?? 0);
  return node => {
    const depth = depths[node] ?? -1;
    return { distance: depth < 0 ? farthest + 1 : depth, farthest };
  };
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

export const hybridSearchFeature = feature({
  name: 'hybridSearch',
  about: 'Search with results ranked by graph distance to an anchor as well.',
  params: hybridParams,
  answer: stamped(hybridAnswerShape),
  run: hybridSearch,
});
