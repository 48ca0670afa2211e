import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { Episode, EpisodeType, Learning } from '../../memory/entities';
import { DECISION_WEIGHTS, jaccard, RECALL_WEIGHTS, recencyOf, type Scores, scoreOf, type Weights } from '../../memory/scoring';
import { MemoryView } from '../../memory/view';
import { headOf, type StableId } from '../../model/ids';
import type { Stamp, Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, invalid } from '../shared/failure';
import { stampOf } from '../shared/fresh';
import { memorySearchOf } from './memorySearch';
import { episodeRow, learningRow, type Sight } from './rows';
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
  /** For people only: whoever offers this has made sure. */
  readonly includeSensitive?: boolean;
}

export interface RecallAnswer {
  /** Best first; what was concluded stands behind what was written. */
  readonly episodes: readonly MemoryRow[];
  /** Of all that match. */
  readonly count: number;
  readonly stamp: Stamp;
}

interface Scored<Of> {
  readonly of: Of;
  readonly scores: Scores;
  readonly score: number;
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
  return recallBy(workspace, asked, DECISION_WEIGHTS, ids => [...new Set(ids.map(headOf))], token);
}

async function recallBy(
  workspace: Workspace,
  params: RecallParams,
  weights: Weights,
  levelOf: (ids: readonly StableId[]) => readonly StableId[],
  token: CancellationToken,
): Promise<Result<RecallAnswer, FeatureFailure>> {
  const since = params.since === undefined ? undefined : Date.parse(params.since);
  if (since !== undefined && Number.isNaN(since)) return err(invalid('since', 'since is not an ISO-8601 date or time.'));
  const found = scoredEpisodes(workspace, { ...params, since }, weights, levelOf);
  const learnt = params.types?.includes('LEARNING') === true ? scoredLearnings(workspace, { ...params, since }, weights, levelOf) : [];
  const all = [...found.map(scored => ({ ...scored, derived: scored.of.type === 'REFLECTION' })), ...learnt.map(scored => ({ ...scored, derived: true }))];
  all.sort((a, b) => Number(a.derived) - Number(b.derived) || b.score - a.score || timeOf(b.of) - timeOf(a.of) || (a.of.id < b.of.id ? -1 : 1));
  const shown = all.slice(0, params.limit);
  const files = [...new Set(shown.flatMap(({ of }) => of.anchors.map(({ ref }) => headOf(ref))))].slice(0, 50);
  const snapshot = files.length === 0 ? undefined : await workspace.snapshot(files, token);
  const sight: Sight = { graph: snapshot?.ok === true ? snapshot.value.graph : undefined, records: workspace.records };
  return ok({
    episodes: shown.map(({ of, score, scores }) => ({
      ...('type' in of ? episodeRow(of, sight) : learningRow(of, sight)),
      score: rounded(score),
      scores: { similarity: rounded(scores.similarity), recency: rounded(scores.recency), proximity: rounded(scores.proximity) },
    })),
    count: all.length,
    stamp: snapshot?.ok === true ? snapshot.value.stamp : stampOf(workspace),
  });
}

type Asked = Omit<RecallParams, 'since'> & { readonly since: number | undefined };

/** Candidates are those with a word of the query or near in the code; a query without words takes all. */
function scoredEpisodes(
  { records }: Pick<Workspace, 'records'>,
  asked: Asked,
  weights: Weights,
  levelOf: (ids: readonly StableId[]) => readonly StableId[],
): readonly Scored<Episode>[] {
  const types = asked.types?.filter((type): type is EpisodeType => type !== 'LEARNING');
  if (types?.length === 0) return [];
  const view = new MemoryView(records);
  const { agentId, includeSensitive: sensitive, since, taskId } = asked;
  const all = view.episodes({ agentId, taskId, types, since, sensitive }, Number.MAX_SAFE_INTEGER);
  return scored(all, memorySearchOf(records).episodes.search(asked.query), asked, weights, records.now(), levelOf);
}

function scoredLearnings(
  { records }: Pick<Workspace, 'records'>,
  asked: Asked,
  weights: Weights,
  levelOf: (ids: readonly StableId[]) => readonly StableId[],
): readonly Scored<Learning>[] {
  const all = new MemoryView(records)
    .learnings()
    .filter(
      ({ agentId, extractedAt, taskId }) =>
        (asked.agentId === undefined || asked.agentId === agentId) &&
        (asked.taskId === undefined || asked.taskId === taskId) &&
        (asked.since === undefined || extractedAt >= asked.since),
    );
  return scored(all, memorySearchOf(records).learnings.search(asked.query), asked, weights, records.now(), levelOf);
}

function scored<Of extends Episode | Learning>(
  all: readonly Of[],
  hits: readonly TextHit[],
  { entities = [], query }: Asked,
  weights: Weights,
  now: number,
  levelOf: (ids: readonly StableId[]) => readonly StableId[],
): readonly Scored<Of>[] {
  const byId = new Map(hits.map(({ id, score }) => [id, score]));
  const near = levelOf(entities);
  const isOpen = !/[\p{L}\p{N}]/u.test(query);
  const best = all.reduce((most, { id }) => Math.max(most, byId.get(id) ?? 0), 0);
  return all.flatMap(of => {
    const words = byId.get(of.id) ?? 0;
    const proximity = jaccard(near, levelOf(of.entities));
    if (!isOpen && words === 0 && proximity === 0) return [];
    const scores = { similarity: best === 0 ? 0 : words / best, recency: recencyOf(timeOf(of), now), proximity };
    return [{ of, scores, score: scoreOf(scores, weights) }];
  });
}

function timeOf(of: Episode | Learning): number {
  return 'timestamp' in of ? of.timestamp : of.extractedAt;
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
