import { err, ok, type Result } from '../../base/result';
import type { Container, ContainerType, Section, Status } from '../../work/entities';
import { missing } from '../../work/failures';
import { type NextItem, nextFeatures, nextTasks } from '../../work/lists';
import { type Version, WorkView } from '../../work/view';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { coordinationOf } from './coordination';

/** A dependency with the names and states of both ends. */
export interface DependencyRow {
  readonly fromId: string;
  readonly fromName: string;
  readonly fromStatus: Status;
  readonly toId: string;
  readonly toName: string;
  readonly toStatus: Status;
}

/** A feature or task with all that belongs to it. */
export interface ContainerAnswer {
  readonly container: Container;
  readonly sections: readonly Section[];
  /** Empty for features. */
  readonly dependencies: readonly DependencyRow[];
  /** Of a feature, in order. */
  readonly tasks: readonly Container[];
  /** Newest first; when asked for. */
  readonly history?: readonly Version[];
}

/** One feature or task. `NOT_FOUND` for an id that is unknown or of the other type. */
export function getContainer(
  workspace: Workspace,
  asked: { readonly id: string; readonly type: ContainerType | undefined; readonly history: boolean },
): Result<ContainerAnswer, FeatureFailure> {
  const view = new WorkView(workspace.records);
  const container = view.container(asked.id, asked.type);
  if (container === undefined) return err(missing(asked.type ?? 'task or feature', asked.id));
  return ok({
    container,
    sections: view.sections(container.id),
    dependencies: container.type === 'task' ? dependenciesOf(workspace, container.id) : [],
    tasks: container.type === 'feature' ? view.tasksOf(container.id) : [],
    ...(asked.history ? { history: view.versions(container.id) } : {}),
  });
}

/** Dependencies of a task in both directions. */
export function dependenciesOf(workspace: Workspace, taskId: string): readonly DependencyRow[] {
  const view = new WorkView(workspace.records);
  const rows = view.dependencies(taskId);
  const byId = new Map(view.containers([...new Set(rows.flatMap(row => [row.fromId, row.toId]))]).map(task => [task.id, task]));
  return rows.flatMap(({ fromId, toId }) => {
    const [from, to] = [byId.get(fromId), byId.get(toId)];
    if (from === undefined || to === undefined) return [];
    return [{ fromId, fromName: from.name, fromStatus: from.status, toId, toName: to.name, toStatus: to.status }];
  });
}

/** Sections in reading order; `title` whatever its case. */
export function getSections(workspace: Workspace, containerId: string, title: string | undefined): Result<readonly Section[], FeatureFailure> {
  const view = new WorkView(workspace.records);
  const container = view.container(containerId);
  if (container === undefined) return err(missing('task or feature', containerId));
  const wanted = title?.trim().toLowerCase();
  return ok(view.sections(container.id).filter(section => wanted === undefined || section.title.toLowerCase() === wanted));
}

/** What to do next. Asks no graph. */
export function nextWork(
  workspace: Workspace,
  asked: { readonly type: ContainerType; readonly featureId?: string; readonly agentId: string | undefined; readonly limit: number },
): Result<readonly NextItem[], FeatureFailure> {
  const { agentId, featureId, limit, type } = asked;
  if (featureId !== undefined && new WorkView(workspace.records).container(featureId, 'feature') === undefined) return err(missing('feature', featureId));
  const claimed = coordinationOf(workspace).claimedByOthers(agentId);
  if (type === 'feature') return ok(nextFeatures(workspace.records, { claimed, limit }));
  return ok(nextTasks(workspace.records, { claimed, limit, ...(featureId === undefined ? {} : { featureId }) }));
}
