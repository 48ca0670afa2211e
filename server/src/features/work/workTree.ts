import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { type Container, PRIORITIES, STATUSES } from '../../work/entities';
import type { Blocker } from '../../work/failures';
import { allTasks, nextTasks, openBlockers, overview } from '../../work/lists';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { noParams } from '../shared/params';
import { object, type Shaped, shape } from '../shared/shape';
import { coordinationOf } from './coordination';

/** Where a feature or task stands. */
export const workStatusShape = shape(() => z.enum(STATUSES));

const workBlockerShape = shape(() => object({ kind: z.enum(['manual', 'open', 'terminated']), id: z.string(), name: z.string(), reason: z.string() }));

const itemRowShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    summary: z.string(),
    status: workStatusShape(),
    priority: z.enum(PRIORITIES),
    tags: z.array(z.string()),
    version: z.number(),
    /** What keeps it from moving forward; a task it waits for counts until it is completed. */
    blockers: z.array(workBlockerShape()),
    /** Agents at work on it. */
    claimedBy: z.array(z.string()),
  }),
);
type ItemRow = Shaped<typeof itemRowShape>;

const workTaskShape = shape(() => object({ ...itemRowShape().shape, assignedAgentId: z.string().nullable() }));
type TaskRow = Shaped<typeof workTaskShape>;

const workFeatureShape = shape(() => object({ ...itemRowShape().shape, percentComplete: z.number(), tasks: z.array(workTaskShape()), taskCount: z.number() }));

const workTreeAnswerShape = shape(() =>
  object({
    /** `tasks` are at most the first 10,000 of `taskCount`. */
    features: z.array(workFeatureShape()),
    /** Those without a feature, as many at most. */
    tasks: z.array(workTaskShape()),
    taskCount: z.number(),
    nextTaskId: z.string().nullable(),
  }),
);
export type WorkTreeAnswer = Shaped<typeof workTreeAnswerShape>;

/** Longest list of tasks under one heading. */
const MAX_TASKS = 10_000;

/** All work for a tree of the editor: features with their tasks, tasks without one, and which comes next. */
export async function workTree(workspace: Workspace, _params: object, _token: CancellationToken): Promise<Result<WorkTreeAnswer, FeatureFailure>> {
  const { records } = workspace;
  const tasks = allTasks(records);
  const blockers = openBlockers(
    records,
    tasks.map(task => task.id),
  );
  const { features } = overview(records);
  const claims = coordinationOf(workspace).claimsOn([...tasks, ...features.map(row => row.feature)].map(item => item.id));
  const itemRow = (item: Container): ItemRow => {
    const { id, name, summary, status, priority, tags, version, blockedReason } = item;
    const own: Blocker[] = status === 'blocked' ? [{ kind: 'manual', id, name, status, reason: blockedReason ?? 'blocked' }] : [];
    const all = [...own, ...(blockers.get(id) ?? [])].map(row => ({ kind: row.kind, id: row.id, name: row.name, reason: row.reason }));
    const claimedBy = claims.filter(claim => claim.targetId === id).map(claim => claim.agentId);
    return { id, name, summary, status, priority, tags, version, blockers: all, claimedBy };
  };
  const under = (featureId: string | null): { readonly tasks: readonly TaskRow[]; readonly taskCount: number } => {
    const own = tasks.filter(task => task.featureId === featureId);
    const rows = own.slice(0, MAX_TASKS).map(task => ({ ...itemRow(task), assignedAgentId: task.assignedAgentId }));
    return { tasks: rows, taskCount: own.length };
  };
  const [next] = nextTasks(records, { claimed: coordinationOf(workspace).claimedByOthers(undefined), limit: 1 });
  return ok({
    features: features.map(({ feature, percentComplete }) => ({ ...itemRow(feature), percentComplete, ...under(feature.id) })),
    ...under(null),
    nextTaskId: next?.container.id ?? null,
  });
}

export const workTreeFeature = feature({
  name: 'workTree',
  about: 'Features with their tasks, tasks without a feature, and the next task.',
  params: noParams,
  answer: workTreeAnswerShape,
  run: workTree,
});
