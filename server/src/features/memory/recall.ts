import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { Episode, EpisodeType, Learning } from '../../memory/entities';
import { DECISION_WEIGHTS, jaccard, RECALL_WEIGHTS, recencyOf, type Scores, scoreOf, type Weights } from '../../memory/scoring';
import { MemoryView } from '../../memory/view';
import { paramRef, phrase } from '../../model/hints';
import { headOf, type StableId } from '../../model/ids';
import type { Stamp, Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, invalid } from '../shared/failure';
import { stampOf } from '../shared/fresh';
import { memorySearchOf } from './memorySearch';
import { type PlaceOf, placesIn, timeOf } from './places';
import { episodeRow, learningRow, type RowSources } from './rows';
import type { MemoryRow } from './shapes';
import type { TextHit } from './textIndex';
import { entityId } from './writing';

export type RecallType = EpisodeType | 'LEARNING';

export interface RecallParams {
  readonly query: string;
  readonly agentId?: string | undefined;
  readonly taskId?: string | undefined;
  /** Any of them. Without types: all episodes, no learnings. */
  readonly types?: readonly RecallType[] | undefined;
  /** Code that the asker is at: what names it is nearer. */
  readonly entities?: readonly string[] | undefined;
  readonly limit: number;
  /** ISO-8601. */
  readonly since?: string | undefined;
  /** For people only: the caller has checked this. */
  readonly includeSensitive?: boolean;
}

/** What was recorded that goes with a question. */
export interface RecallAnswer {
  /** Best first; what was concluded stands behind what was written. */
  readonly episodes: readonly MemoryRow[];
  /** Of all that match. */
  readonly count: number;
  readonly stamp: Stamp;
}

/** One memory with how near it is to what was asked. */
export interface Found {
  readonly scores: Scores;
  readonly score: number;
  /** Words of the query in it. */
  readonly words: number;
  readonly type: RecallType;
  row(): MemoryRow;
}

interface Scored<Of> extends Omit<Found, 'row' | 'type'> {
  readonly of: Of;
}

/** What was done and decided, by words, time and nearness in the code. */
export async function recall(workspace: Workspace, params: RecallParams, token: CancellationToken): Promise<Result<RecallAnswer, FeatureFailure>> {
  const entities = (params.entities ?? []).map(spelling => entityId(workspace, spelling));
  return recallBy(workspace, { ...params, entities }, RECALL_WEIGHTS, ids => ids, token);
}

export interface DecisionParams {
  readonly query: string;
  readonly affectedFiles?: readonly string[] | undefined;
  readonly limit: number;
}

/** Decisions, those about the files first: compared by file, whatever symbol was named. */
export async function recallDecisions(workspace: Workspace, params: DecisionParams, token: CancellationToken): Promise<Result<RecallAnswer, FeatureFailure>> {
  const entities = (params.affectedFiles ?? []).map(spelling => headOf(entityId(workspace, spelling)));
  const asked = { query: params.query, types: ['DECISION'] as const, entities, limit: params.limit };
  return recallBy(workspace, asked, DECISION_WEIGHTS, byFile, token);
}

async function recallBy(
  workspace: Workspace,
  params: RecallParams,
  weights: Weights,
  levelOf: LevelOf,
  token: CancellationToken,
): Promise<Result<RecallAnswer, FeatureFailure>> {
  const since = params.since === undefined ? undefined : Date.parse(params.since);
  if (since !== undefined && Number.isNaN(since)) return err(invalid('since', phrase`${paramRef('since')} is not an ISO-8601 date or time.`));
  const all = await ranked(workspace, { ...params, since }, weights, levelOf, token);
  const shown = all.slice(0, params.limit);
  const { sight, stamp } = await sightOf(workspace, shown, token);
  return ok({
    episodes: shown.map(({ of, score, scores }) => ({
      ...rowOf(of, sight),
      score: rounded(score),
      scores: { similarity: rounded(scores.similarity), recency: rounded(scores.recency), proximity: rounded(scores.proximity) },
    })),
    count: all.length,
    stamp,
  });
}

/** Memories for an answer of another kind: compared by file, decisions weighed as `recallDecisions` does. */
export async function findMemories(
  workspace: Workspace,
  params: Pick<RecallParams, 'query' | 'types' | 'entities' | 'limit'>,
  token: CancellationToken,
): Promise<readonly Found[]> {
  const found = (await ranked(workspace, { ...params, since: undefined }, DECISION_WEIGHTS, byFile, token)).slice(0, params.limit);
  const { sight } = await sightOf(workspace, found.slice(0, MAX_SEEN), token);
  return found.map(({ of, ...rest }) => ({ ...rest, type: 'type' in of ? of.type : 'LEARNING', row: () => rowOf(of, sight) }));
}

async function ranked(
  workspace: Workspace,
  asked: Asked,
  weights: Weights,
  levelOf: LevelOf,
  token: CancellationToken,
): Promise<readonly Scored<Episode | Learning>[]> {
  const { episodes, learnings } = memorySearchOf(workspace.records);
  if (episodes.size + learnings.size === 0) return [];
  const near: Nearness = { levelOf, files: await filesAbout(workspace, asked.query, token), placeOf: placesIn(workspace.current()?.graph, workspace.records) };
  const found = scoredEpisodes(workspace, asked, weights, near);
  const learned = asked.types?.includes('LEARNING') === true ? scoredLearnings(workspace, asked, weights, near) : [];
  return [...found, ...learned].sort(
    (a, b) => Number(isDerived(a.of)) - Number(isDerived(b.of)) || b.score - a.score || timeOf(b.of) - timeOf(a.of) || (a.of.id < b.of.id ? -1 : 1),
  );
}

/** How code that memories name is compared with what is asked for. */
interface Nearness {
  readonly levelOf: LevelOf;
  /** Files that the code search finds, 0 to 1. */
  readonly files: ReadonlyMap<string, number>;
  readonly placeOf: PlaceOf;
}

type LevelOf = (ids: readonly StableId[]) => readonly StableId[];

function byFile(ids: readonly StableId[]): readonly StableId[] {
  return [...new Set(ids.map(headOf))];
}

function isDerived(of: Episode | Learning): boolean {
  return !('type' in of) || of.type === 'REFLECTION';
}

function rowOf(of: Episode | Learning, sight: RowSources): MemoryRow {
  return 'type' in of ? episodeRow(of, sight) : learningRow(of, sight);
}

const MAX_SEEN = 50;

/** The code that memories name, as it is on disk. */
async function sightOf(
  workspace: Workspace,
  shown: readonly Scored<Episode | Learning>[],
  token: CancellationToken,
): Promise<{ readonly sight: RowSources; readonly stamp: Stamp }> {
  const files = [...new Set(shown.flatMap(({ of }) => of.anchors.map(({ ref }) => headOf(ref))))].slice(0, MAX_SEEN);
  const snapshot = files.length === 0 ? undefined : await workspace.snapshot(files, token);
  const graph = snapshot?.ok === true ? snapshot.value.graph : undefined;
  return { sight: { graph, records: workspace.records }, stamp: snapshot?.ok === true ? snapshot.value.stamp : stampOf(workspace) };
}

/** Hits of the code search that are looked at, and what a memory that names such a file gains over one that has only the words. */
const CODE_HITS = 30;
const CODE_SHARE = 0.4;

/** Files that the code search finds for a query, 0 to 1 over the best: a memory need not have the words that its code has. */
async function filesAbout(workspace: Workspace, query: string, token: CancellationToken): Promise<ReadonlyMap<string, number>> {
  const snapshot = await workspace.snapshot([], token);
  const files = new Map<string, number>();
  if (!snapshot.ok || !hasWords(query)) return files;
  const vector = await workspace.embedQuery?.(query);
  const pause = async (): Promise<void> => workspace.pause?.();
  const { hits } = await snapshot.value.search.searchInSteps({ text: query, limit: CODE_HITS, offset: 0, vector }, pause);
  const top = hits[0]?.score ?? 0;
  for (const { id, score } of hits) if (top > 0 && !files.has(headOf(id))) files.set(headOf(id), score / top);
  return files;
}

function hasWords(query: string): boolean {
  return /[\p{L}\p{N}]/u.test(query);
}

type Asked = Omit<RecallParams, 'since'> & { readonly since: number | undefined };

/** Candidates are those with a word of the query or near in the code; a query without words takes all. */
function scoredEpisodes({ records }: Pick<Workspace, 'records'>, asked: Asked, weights: Weights, near: Nearness): readonly Scored<Episode>[] {
  const types = asked.types?.filter((type): type is EpisodeType => type !== 'LEARNING');
  if (types?.length === 0) return [];
  const view = new MemoryView(records);
  const { agentId, includeSensitive: sensitive, since, taskId } = asked;
  const all = view.episodes({ agentId, taskId, types, since, sensitive }, Number.MAX_SAFE_INTEGER);
  return scored(all, memorySearchOf(records).episodes.search(asked.query), asked, weights, records.now(), near);
}

function scoredLearnings({ records }: Pick<Workspace, 'records'>, asked: Asked, weights: Weights, near: Nearness): readonly Scored<Learning>[] {
  const all = new MemoryView(records)
    .learnings()
    .filter(
      ({ agentId, extractedAt, taskId }) =>
        (asked.agentId === undefined || asked.agentId === agentId) &&
        (asked.taskId === undefined || asked.taskId === taskId) &&
        (asked.since === undefined || extractedAt >= asked.since),
    );
  return scored(all, memorySearchOf(records).learnings.search(asked.query), asked, weights, records.now(), near);
}

/** Similarity is BM25 over the best, joined with how well the code search finds the files that a memory names; without an index BM25 alone. */
function scored<Of extends Episode | Learning>(
  all: readonly Of[],
  hits: readonly TextHit[],
  { entities = [], query }: Asked,
  weights: Weights,
  now: number,
  { files, levelOf, placeOf }: Nearness,
): readonly Scored<Of>[] {
  const byId = new Map(hits.map(hit => [hit.id, hit]));
  const near = levelOf(entities);
  const isOpen = !hasWords(query);
  const best = all.reduce((most, { id }) => Math.max(most, byId.get(id)?.score ?? 0), 0);
  const rows = all.flatMap(of => {
    const { score = 0, words = 0 } = byId.get(of.id) ?? {};
    const named = of.entities.map(id => placeOf(id, timeOf(of)));
    const proximity = jaccard(near, levelOf(named));
    if (!isOpen && words === 0 && proximity === 0) return [];
    const raw = (best === 0 ? 0 : score / best) + (words === 0 ? 0 : CODE_SHARE * aboutOf(named, files));
    return [{ of, words, raw, recency: recencyOf(timeOf(of), now), proximity }];
  });
  const most = rows.reduce((top, { raw }) => Math.max(top, raw), 0);
  const repeated = repeatsIn(rows.map(({ of }) => of));
  return rows.map(({ of, proximity, raw, recency, words }) => {
    const similarity = most === 0 ? 0 : (raw / most) * (repeated.has(of.id) ? REPEATED_SHARE : 1);
    const scores = { similarity, recency, proximity };
    return { of, words, scores, score: scoreOf(scores, weights) };
  });
}

/** What a memory keeps of its similarity when a newer one says the same of the same code: the place is worth more to another. */
const REPEATED_SHARE = 0.5;

/** Ids of memories that a newer one repeats word for word. */
function repeatsIn(all: readonly (Episode | Learning)[]): ReadonlySet<string> {
  const newest = new Map<string, Episode | Learning>();
  const repeats = new Set<string>();
  for (const of of all) {
    const key = JSON.stringify([of.content, of.entities]);
    const other = newest.get(key);
    if (other === undefined || timeOf(of) > timeOf(other)) newest.set(key, of);
    if (other !== undefined) repeats.add(timeOf(of) > timeOf(other) ? other.id : of.id);
  }
  return repeats;
}

/** How much a memory is about files that the code search finds: the mean of its best, less where it names many. */
function aboutOf(entities: readonly StableId[], files: ReadonlyMap<string, number>): number {
  const own = byFile(entities);
  const sum = own.reduce((total, file) => total + (files.get(file) ?? 0), 0);
  return sum === 0 ? 0 : sum / Math.sqrt(own.length * Math.max(1, own.filter(file => files.has(file)).length));
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
