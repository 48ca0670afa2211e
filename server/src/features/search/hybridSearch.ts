import { z } from 'zod';
import { PERSONAL_RANK, personalRankSteps } from '../../algorithms/personalRank';
import { reach } from '../../algorithms/reach';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { NO_NODE, type NodeHandle } from '../../model/ids';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped, searchLacks } from '../shared/fresh';
import { linksAround, STEP_WEIGHTS } from '../shared/links';
import { choice, integer, number, text, texts } from '../shared/params';
import { serviceOf } from '../shared/services';
import { object, optional, type Shaped, shape, stamped, unset } from '../shared/shape';
import { inSteps } from '../shared/steps';
import { resolveTarget } from '../shared/target';
import { rowsOf, type SearchParams, type SearchRow, searchInSteps, searchRowShape } from './searchCode';

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
/** As many times more, where most may lie in other services. */
const SERVICE_OVERFETCH = 20;

/** Search hits ordered by words and by place in the graph together. */
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
    const found = {
      query: params.query,
      limit: limit * OVERFETCH * (params.service === undefined ? 1 : SERVICE_OVERFETCH),
      rerank: false,
      kinds: params.kinds ?? [],
      vector,
    };
    const hitsFound = await (params.mode === 'graph'
      ? aroundBest(workspace, snapshot, found)
      : hitsOf(workspace, snapshot, { ...found, ...modeOf(params.mode) }));
    const declared = params.service === undefined ? undefined : await workspace.services?.model(token);
    const serviceAt = declared === undefined || declared.services.length === 0 ? serviceOf : (path: string): string => declared.serviceOf(path);
    const isInside = (hit: SearchRow): boolean => params.service === undefined || serviceAt(hit.path) === params.service;
    const candidates = hitsFound.filter(isInside).slice(0, limit * OVERFETCH);
    const distanceOf = anchor === undefined ? undefined : distances(graph, anchor.value.node);
    const { semanticWeight = 0.6, graphWeight = 0.4 } = params;
    const rows = candidates.map((hit): HybridRow => {
      const near = distanceOf?.(graph.find(hit.id) ?? NO_NODE);
      const graphScore = near === undefined ? hit.centrality : 1 - near.distance / (near.farthest + 1);
      const score = round(semanticWeight * hit.score + graphWeight * graphScore);
      return { ...hit, score, semanticScore: hit.score, graphScore: round(graphScore), distance: near?.distance ?? -1 };
    });
    const ranked = rows
      .map((row, place) => ({ row, place }))
      .sort((a, b) => b.row.score - a.row.score || a.place - b.place)
      .map(({ row }) => row);
    const offset = params.offset ?? 0;
    const hits = ranked.slice(offset, offset + limit);
    const value = { query: params.query, anchor: anchor === undefined ? undefined : graph.idOf(anchor.value.node), hits, total: ranked.length };
    return ok({ value, touched: hits.map(hit => hit.path), degraded });
  });
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
  const best = await hitsOf(workspace, snapshot, { ...params, limit: SEEDS, kinds: [] });
  await workspace.pause?.();
  const seeds = best.map(({ id }) => graph.find(id) ?? NO_NODE);
  const compare = (a: NodeHandle, b: NodeHandle): number => graph.orderOf(a) - graph.orderOf(b);
  const steps = personalRankSteps([...forward, ...backward], live, seeds, { ...PERSONAL_RANK, weights: STEP_WEIGHTS, limit: MAX_AROUND }, compare);
  const { nodes, scores } = await inSteps(steps, workspace);
  const ranked = Array.from(nodes, (node: NodeHandle, at) => ({ id: graph.idOf(node), score: scores[at] ?? 0, fields: [] }));
  return rowsOf(graph, ranked, params.kinds ?? [], params.limit ?? MAX_AROUND);
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
