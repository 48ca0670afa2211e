import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { Container } from '../../work/entities';
import type { Blocker } from '../../work/failures';
import { allTasks, nextTasks, openBlockers, overview } from '../../work/lists';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { coordinationOf } from './coordination';

type ItemRow = Pick<Container, 'id' | 'name' | 'summary' | 'status' | 'priority' | 'tags' | 'version'> & {
  readonly blockers: readonly Pick<Blocker, 'kind' | 'id' | 'name' | 'reason'>[];
  readonly claimedBy: readonly string[];
};

type TaskRow = ItemRow & Pick<Container, 'assignedAgentId'>;

export interface WorkTree {
  readonly features: readonly (ItemRow & { readonly percentComplete: number; readonly tasks: readonly TaskRow[]; readonly taskCount: number })[];
  readonly tasks: readonly TaskRow[];
  readonly taskCount: number;
  readonly nextTaskId: string | null;
}

/** Longest list of tasks under one heading. */
const MOST_TASKS = 500;

/** All work for a tree of the editor: features with their tasks, tasks without one, and which comes next. */
export async function workTree(workspace: Workspace, _params: object, _token: CancellationToken): Promise<Result<WorkTree, FeatureFailure>> {
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
    const rows = own.slice(0, MOST_TASKS).map(task => ({ ...itemRow(task), assignedAgentId: task.assignedAgentId }));
    return { tasks: rows, taskCount: own.length };
  };
  const [next] = nextTasks(records, { claimed: coordinationOf(workspace).claimedByOthers(undefined), limit: 1 });
  return ok({
    features: features.map(({ feature, percentComplete }) => ({ ...itemRow(feature), percentComplete, ...under(feature.id) })),
    ...under(null),
    nextTaskId: next?.container.id ?? null,
  });
}
