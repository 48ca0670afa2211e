import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { isPart } from '../../memory/claims';
import { headOf, type StableId } from '../../model/ids';
import { contextFiles } from '../../work/contextFiles';
import { missing } from '../../work/failures';
import { WorkView } from '../../work/view';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { claimsOfOthers } from './claims';
import { type Found, findMemories, type RecallType } from './recall';
import type { ClaimRow, MemoryRow } from './shapes';

export interface BriefingParams {
  readonly task: string;
  readonly taskId?: string | undefined;
  /** Code that the briefing is about, most important first. */
  readonly ids: readonly StableId[];
  /** Who asks: claims of others are told. */
  readonly agentId: string | undefined;
  readonly decisions: boolean;
  readonly learnings: boolean;
  readonly episodes: boolean;
}

/** An episode or learning with why it is told. */
export interface Remembered {
  readonly row: MemoryRow;
  /** `decided_here`, `happened_here` or `learned_here` for what names the files, `words` for what the task's words find. */
  readonly why: readonly string[];
}

export interface Plan {
  readonly task: { readonly id: string; readonly name: string; readonly status: string };
  /** Why it cannot move forward, in words. */
  readonly blockers: readonly string[];
  readonly contextFiles: readonly string[];
  /** Section `Implementation Plan`, whole; `''` when there is none. */
  readonly text: string;
}

/** What to know before work on some files. */
export interface Briefing {
  readonly decisions: readonly Remembered[];
  readonly learnings: readonly Remembered[];
  readonly episodes: readonly Remembered[];
  /** Claims of others on the code or the task. */
  readonly blockers: readonly ClaimRow[];
  readonly plan: Plan | undefined;
}

/** Most of each kind; what fits is the asker's. */
const MAX_LISTED = { decisions: 5, learnings: 3, episodes: 5 } as const;
const HAPPENED: readonly RecallType[] = ['OBSERVATION', 'EDIT', 'TEST_RESULT', 'ERROR'];
/** Words alone lead to a memory when at least so many of the task's are in it, and it is about as good as the best. */
const MIN_WORDS = 2;
const NEARLY_BEST = 0.6;
/** Files of the code that memories are compared with. */
const NEAR_FILES = 5;

/** What is remembered about a task and the code that it needs, who else is there, and how far it is planned. */
export async function briefing(workspace: Workspace, params: BriefingParams, token: CancellationToken): Promise<Result<Briefing, FeatureFailure>> {
  const { ids, task, taskId } = params;
  const plan = taskId === undefined ? ok(undefined) : planOf(workspace, taskId);
  if (!plan.ok) return plan;
  const near = [...new Set([...ids.map(headOf), ...(plan.value?.contextFiles ?? [])])].slice(0, NEAR_FILES);
  const types: readonly RecallType[] = [
    ...(params.decisions ? (['DECISION'] as const) : []),
    ...(params.learnings ? (['LEARNING'] as const) : []),
    ...(params.episodes ? HAPPENED : []),
  ];
  const found = types.length === 0 ? [] : await findMemories(workspace, { query: task, types, entities: near, limit: Number.MAX_SAFE_INTEGER }, token);
  const relevant = found.filter(isRelevant);
  const some = (isWanted: (type: RecallType) => boolean, here: string, most: number): readonly Remembered[] =>
    relevant
      .filter(({ type }) => isWanted(type))
      .slice(0, most)
      .map(hit => ({ row: hit.row(), why: whyOf(hit, here) }));
  const onTask = plan.value === undefined ? [] : [plan.value.task.id];
  return ok({
    decisions: some(type => type === 'DECISION', 'decided_here', MAX_LISTED.decisions),
    learnings: some(type => type === 'LEARNING', 'learned_here', MAX_LISTED.learnings),
    episodes: some(type => HAPPENED.includes(type), 'happened_here', MAX_LISTED.episodes),
    blockers: nearestFirst(claimsOfOthers(workspace, [...ids, ...near, ...onTask], params.agentId), [...onTask, ...ids]),
    plan: plan.value,
  });
}

/** Claims on what comes first are told first: not all may fit. */
function nearestFirst(claims: readonly ClaimRow[], ids: readonly StableId[]): readonly ClaimRow[] {
  const rank = ({ targetId }: ClaimRow): number => {
    const at = ids.findIndex(id => id === targetId || isPart(id, targetId));
    return at < 0 ? ids.length : at;
  };
  return [...claims].sort((a, b) => rank(a) - rank(b));
}

function isRelevant({ scores, words }: Found): boolean {
  return scores.proximity > 0 || (words >= MIN_WORDS && scores.similarity >= NEARLY_BEST);
}

function whyOf({ scores, words }: Found, here: string): readonly string[] {
  return [...(scores.proximity > 0 ? [here] : []), ...(words > 0 ? ['words'] : [])];
}

function planOf({ records }: Pick<Workspace, 'records'>, taskId: string): Result<Plan, FeatureFailure> {
  const view = new WorkView(records);
  const task = view.container(taskId, 'task');
  if (task === undefined) return err(missing('task', taskId));
  const sections = view.sections(task.id);
  return ok({
    task: { id: task.id, name: task.name, status: task.status },
    blockers: view.blockers(task).map(({ reason }) => reason),
    contextFiles: contextFiles(sections),
    text: sections
      .filter(({ title }) => title.trim().toLowerCase() === 'implementation plan')
      .map(({ content }) => content)
      .join('\n'),
  });
}
