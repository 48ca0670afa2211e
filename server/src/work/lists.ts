import type { Row, SqlValue } from '../model/records';
import { type Container, type ContainerType, idWithPrefix, PRIORITIES, type Priority, STATUSES, type Status } from './entities';
import type { Blocker } from './failures';
import { blockerOf, containerOf, type WorkReader, WorkView } from './view';

export interface WorkFilter {
  readonly type: ContainerType;
  /** Any of them; absent means all. */
  readonly status?: readonly Status[];
  /** All of them, whatever their case. */
  readonly tags?: readonly string[];
  readonly featureId?: string;
  readonly agentId?: string;
  readonly blockedOnly?: boolean;
  /** Words that all occur in name or summary, whatever their case. */
  readonly query?: string;
}

/** A feature or task as lists show it. */
export interface WorkItem extends Container {
  /** Ids of the tasks that keep it from moving forward. */
  readonly blockedBy: readonly string[];
}

/** How many containers stand where. */
export type StatusCounts = Readonly<Record<Status, number>>;

export interface WorkList {
  readonly items: readonly WorkItem[];
  readonly total: number;
  /** Of everything that matches, not of this page. */
  readonly counts: StatusCounts;
}

const PRIORITY_RANK = `CASE c.priority ${PRIORITIES.map((name, rank) => `WHEN '${name}' THEN ${rank}`).join(' ')} END`;
const LIST_ORDER = `${PRIORITY_RANK}, c.position, c.created_at, c.id`;
const OPEN_BLOCKER = "SELECT 1 FROM work_dependencies d JOIN work_containers b ON b.id = d.from_id WHERE d.to_id = c.id AND b.status <> 'completed'";

/** Name hits before others when there is a query; then priority, order, age, id. */
export function listWork(reader: WorkReader, filter: WorkFilter, page: { readonly limit: number; readonly offset: number }): WorkList {
  const { where, params } = conditionOf(reader, filter);
  const rows = reader.query(
    `SELECT c.id, c.status, ${isSearched(filter) ? 'c.name, c.summary' : "'' AS name"} FROM work_containers c WHERE ${where} ORDER BY ${LIST_ORDER}`,
    params,
  );
  const matching = isSearched(filter) ? ranked(rows, filter.query ?? '') : rows;
  const shown = matching.slice(page.offset, page.offset + page.limit).map(row => String(row['id']));
  const counts = Object.fromEntries(STATUSES.map(status => [status, 0])) as Record<Status, number>;
  for (const row of matching) counts[String(row['status']) as Status] += 1;
  const containers = new WorkView(reader).containers(shown);
  const blockedBy = openBlockers(reader, shown);
  return {
    items: containers.map(container => ({ ...container, blockedBy: (blockedBy.get(container.id) ?? []).map(({ id }) => id) })),
    total: matching.length,
    counts,
  };
}

/** Blocking tasks that are not completed, by the task that they block, oldest first. */
export function openBlockers(reader: WorkReader, taskIds: readonly string[]): ReadonlyMap<string, readonly Blocker[]> {
  const rows = reader.query(
    `SELECT d.to_id, b.id, b.name, b.status FROM work_dependencies d JOIN work_containers b ON b.id = d.from_id
     WHERE d.project_id = ? AND d.to_id IN (SELECT value FROM json_each(?)) AND b.status <> 'completed' ORDER BY b.created_at, b.id`,
    [reader.projectId, JSON.stringify(taskIds)],
  );
  const found = new Map<string, Blocker[]>();
  for (const row of rows) {
    const id = String(row['to_id']);
    found.set(id, [...(found.get(id) ?? []), blockerOf(row)]);
  }
  return found;
}

/** Open tasks that cannot move forward, in list order. */
export function blockedTasks(
  reader: WorkReader,
  featureId: string | undefined,
): readonly { readonly task: Container; readonly blockers: readonly Blocker[] }[] {
  const { where, params } = conditionOf(reader, { type: 'task', blockedOnly: true, ...(featureId === undefined ? {} : { featureId }) });
  const rows = reader.query(`SELECT c.* FROM work_containers c WHERE ${where} AND c.status NOT IN ('completed', 'terminated') ORDER BY ${LIST_ORDER}`, params);
  const view = new WorkView(reader);
  return rows.map(containerOf).map(task => ({ task, blockers: view.blockers(task) }));
}

/** In list order. */
export function allTasks(reader: WorkReader): readonly Container[] {
  return reader
    .query(`SELECT c.* FROM work_containers c WHERE c.project_id = ? AND c.type = 'task' ORDER BY ${LIST_ORDER}`, [reader.projectId])
    .map(containerOf);
}

/** Oldest first. */
export function openTaskIds(reader: WorkReader, featureId: string | undefined): readonly string[] {
  const rows = reader.query(
    `SELECT id FROM work_containers WHERE project_id = ?1 AND type = 'task' AND status NOT IN ('completed', 'terminated') AND (?2 IS NULL OR feature_id = ?2)
     ORDER BY created_at, id`,
    [reader.projectId, featureId ?? null],
  );
  return rows.map(row => String(row['id']));
}

export interface FeatureOverview {
  readonly feature: Container;
  readonly counts: StatusCounts;
  readonly total: number;
  /** Whole percent of the tasks that were not terminated. */
  readonly percentComplete: number;
}

/** Features in list order, each with its tasks counted by status; and the tasks without a feature. */
export function overview(reader: WorkReader): { readonly features: readonly FeatureOverview[]; readonly withoutFeature: StatusCounts } {
  const rows = reader.query(
    "SELECT feature_id, status, count(*) AS n FROM work_containers WHERE project_id = ? AND type = 'task' GROUP BY feature_id, status",
    [reader.projectId],
  );
  const countsOf = (featureId: string | null): StatusCounts => {
    const own = new Map(rows.filter(row => row['feature_id'] === featureId).map(row => [String(row['status']), Number(row['n'])]));
    return Object.fromEntries(STATUSES.map(status => [status, own.get(status) ?? 0])) as Record<Status, number>;
  };
  const features = reader.query(`SELECT c.* FROM work_containers c WHERE c.project_id = ? AND c.type = 'feature' ORDER BY ${LIST_ORDER}`, [reader.projectId]);
  return {
    features: features.map(containerOf).map(feature => {
      const counts = countsOf(feature.id);
      return { feature, counts, total: totalOf(counts), percentComplete: percentComplete(counts) };
    }),
    withoutFeature: countsOf(null),
  };
}

/** completed / (total − terminated) in whole percent; 0 when nothing counts. */
export function percentComplete(counts: StatusCounts): number {
  const counting = totalOf(counts) - counts.terminated;
  return counting === 0 ? 0 : Math.round((100 * counts.completed) / counting);
}

export function totalOf(counts: StatusCounts): number {
  return STATUSES.reduce((sum, status) => sum + counts[status], 0);
}

/** A task or feature that could be worked on next. */
export interface NextItem {
  readonly container: Container;
  readonly feature: Pick<Container, 'id' | 'name' | 'status'> | undefined;
  /** Open tasks that wait for this one; for a feature, its tasks that can be begun. */
  readonly waiting: number;
  readonly reason: string;
}

/** Tasks that can be begun at once, best first; tasks of `claimed` are left out. */
export function nextTasks(
  reader: WorkReader,
  asked: { readonly featureId?: string; readonly claimed: readonly string[]; readonly limit: number },
): readonly NextItem[] {
  const rows = reader.query(
    `SELECT c.*, f.id AS f_id, f.name AS f_name, f.status AS f_status,
       (SELECT count(*) FROM work_dependencies d JOIN work_containers w ON w.id = d.to_id WHERE d.from_id = c.id AND w.status NOT IN ('completed', 'terminated')) AS waiting
     FROM work_containers c LEFT JOIN work_containers f ON f.id = c.feature_id
     WHERE c.project_id = ?1 AND c.type = 'task' AND c.status = 'pending' AND (?2 IS NULL OR c.feature_id = ?2)
       AND c.id NOT IN (SELECT value FROM json_each(?3)) AND NOT EXISTS (${OPEN_BLOCKER})
     ORDER BY coalesce(f.status, '') = 'in_progress' DESC, ${PRIORITY_RANK}, c.position, waiting DESC, c.created_at, c.id LIMIT ?4`,
    [reader.projectId, asked.featureId === undefined ? null : idWithPrefix('feature', asked.featureId), JSON.stringify(asked.claimed), asked.limit],
  );
  return rows.map(row => {
    const container = containerOf(row);
    const feature = row['f_id'] === null ? undefined : { id: String(row['f_id']), name: String(row['f_name']), status: String(row['f_status']) as Status };
    const waiting = Number(row['waiting']);
    return { container, feature, waiting, reason: reasonFor(container.priority, feature, waiting) };
  });
}

/** Features that are pending or under way and have a task that can be begun, or none at all yet. */
export function nextFeatures(reader: WorkReader, asked: { readonly claimed: readonly string[]; readonly limit: number }): readonly NextItem[] {
  const rows = reader.query(
    `SELECT c.*, (SELECT count(*) FROM work_containers t WHERE t.feature_id = c.id AND t.status = 'pending' AND NOT EXISTS (${OPEN_BLOCKER.replace('c.id', 't.id')})) AS ready
     FROM work_containers c
     WHERE c.project_id = ?1 AND c.type = 'feature' AND c.id NOT IN (SELECT value FROM json_each(?2))
       AND (c.status = 'pending' OR (c.status = 'in_progress' AND ready > 0))
     ORDER BY c.status = 'in_progress' DESC, ${PRIORITY_RANK}, c.position, ready DESC, c.created_at, c.id LIMIT ?3`,
    [reader.projectId, JSON.stringify(asked.claimed), asked.limit],
  );
  return rows.map(row => {
    const container = containerOf(row);
    const waiting = Number(row['ready']);
    const started = container.status === 'in_progress' ? 'in progress' : 'not started';
    return {
      container,
      feature: undefined,
      waiting,
      reason: `${started}, ${container.priority} priority, ${waiting} ${waiting === 1 ? 'task' : 'tasks'} can be started`,
    };
  });
}

function reasonFor(priority: Priority, feature: NextItem['feature'], waiting: number): string {
  const parts = [`${priority} priority`, 'not blocked'];
  if (feature?.status === 'in_progress') parts.unshift(`its feature ${feature.name} is in progress`);
  if (waiting > 0) parts.push(`${waiting} ${waiting === 1 ? 'task depends' : 'tasks depend'} on it`);
  return parts.join(', ');
}

function isSearched(filter: WorkFilter): boolean {
  return (filter.query ?? '').trim() !== '';
}

/** Rows all of whose words are found, those with all words in the name first; otherwise in the order they have. */
function ranked(rows: readonly Row[], query: string): readonly Row[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  const hits = rows.flatMap(row => {
    const name = String(row['name']).toLowerCase();
    const all = `${name}\n${String(row['summary']).toLowerCase()}`;
    return words.every(word => all.includes(word)) ? [{ row, inName: words.every(word => name.includes(word)) }] : [];
  });
  return [...hits.filter(hit => hit.inName), ...hits.filter(hit => !hit.inName)].map(hit => hit.row);
}

function conditionOf(reader: WorkReader, filter: WorkFilter): { readonly where: string; readonly params: readonly SqlValue[] } {
  const { type, status, tags, featureId, agentId, blockedOnly } = filter;
  const parts = ['c.project_id = ?', 'c.type = ?'];
  const params: SqlValue[] = [reader.projectId, type];
  const add = (condition: string, ...values: SqlValue[]): void => {
    parts.push(condition);
    params.push(...values);
  };
  if (status !== undefined && status.length > 0) add('c.status IN (SELECT value FROM json_each(?))', JSON.stringify(status));
  if (featureId !== undefined) add('c.feature_id = ?', idWithPrefix('feature', featureId));
  if (agentId !== undefined) add('c.assigned_agent_id = ?', agentId);
  if (blockedOnly === true) add(`(c.status = 'blocked' OR EXISTS (${OPEN_BLOCKER}))`);
  const view = new WorkView(reader);
  for (const tag of tags ?? []) add('EXISTS (SELECT 1 FROM json_each(c.tags) WHERE value = ?)', view.tag(tag)?.name ?? '');
  return { where: parts.join(' AND '), params };
}
