import { err, ok, type Result } from '../base/result';
import type { Author, Decision, Records } from '../model/records';
import { bytesIssues, nameIssues, orderIssues, tagIssues } from './checks';
import { checkVersion, Edit } from './edits';
import { type Container, type ContainerType, isTerminal, MAX_SIZES, type Priority } from './entities';
import { broken, type Issue, invalidFields, missing, type WorkFailure } from './failures';
import { applyTemplate } from './templates';

/** What a person or an agent may set by itself; the status moves by transitions only. */
export interface ContainerFields {
  readonly name?: string;
  readonly summary?: string;
  readonly priority?: Priority;
  readonly order?: number;
  readonly tags?: readonly string[];
  /** Tasks only; null takes the task out of its feature. */
  readonly featureId?: string | null;
  /** Tasks only. */
  readonly assignedAgentId?: string | null;
}

type Decided<T> = Result<Decision<T>, WorkFailure>;

export interface CreateContainer extends ContainerFields {
  readonly type: ContainerType;
  readonly templateId?: string;
}

/** Creates a feature or task, with the sections of a template if one is named. Fails when a field is invalid, or the feature or template does not exist. */
export function createContainer(records: Records, author: Author, request: CreateContainer): Decided<Container> {
  const edit = new Edit(records, author.agentId);
  const { type, templateId, ...fields } = request;
  if (fields.name === undefined) return err(invalidFields([{ field: 'name', message: `is required to create a ${type}` }]));
  const blank: Container = {
    id: edit.newId(type),
    projectId: edit.projectId,
    type,
    featureId: null,
    name: '',
    summary: '',
    status: 'pending',
    priority: 'medium',
    tags: [],
    order: 0,
    outcome: null,
    blockedReason: null,
    statusBeforeBlock: null,
    assignedAgentId: null,
    startTxId: null,
    closedAt: null,
    version: 1,
    createdAt: edit.at,
    updatedAt: edit.at,
  };
  const filled = withFields(edit, blank, fields);
  if (!filled.ok) return filled;
  const created = edit.add(filled.value);
  if (templateId !== undefined) {
    const applied = applyTemplate(edit, templateId, created, []);
    if (!applied.ok) return applied;
  }
  return ok({ records: edit.drafts, result: created });
}

export interface UpdateContainer extends ContainerFields {
  readonly id: string;
  readonly type: ContainerType;
  readonly version: number;
}

/** Writes the given fields as the next version. Fails with CONFLICT when `version` is not the latest. */
export function updateContainer(records: Records, author: Author, request: UpdateContainer): Decided<Container> {
  const edit = new Edit(records, author.agentId);
  const { id, type, version, ...fields } = request;
  const found = edit.view.container(id, type);
  if (found === undefined) return err(missing(type, id));
  const checked = checkVersion(found, version);
  if (!checked.ok) return checked;
  if (Object.values(fields).every(value => value === undefined)) return err(invalidFields([{ field: 'fields', message: 'must contain at least one change' }]));
  const filled = withFields(edit, found, fields);
  if (!filled.ok) return filled;
  const result = edit.revise(found, filled.value);
  return ok({ records: edit.drafts, result });
}

export interface ContainerDeleted {
  readonly deletedId: string;
  /** Tasks of a deleted feature: they stay, without a feature. */
  readonly detachedTaskIds: readonly string[];
}

/** A task goes with its sections and dependencies. A feature goes when all its tasks are closed; they stay without it. */
export function deleteContainer(
  records: Records,
  author: Author,
  request: { readonly id: string; readonly type: ContainerType; readonly version: number },
): Decided<ContainerDeleted> {
  const edit = new Edit(records, author.agentId);
  const found = edit.view.container(request.id, request.type);
  if (found === undefined) return err(missing(request.type, request.id));
  const checked = checkVersion(found, request.version);
  if (!checked.ok) return checked;
  const tasks = found.type === 'feature' ? edit.view.tasksOf(found.id) : [];
  const open = tasks.filter(task => !isTerminal(task.status)).map(({ id, name, status }) => ({ id, name, status }));
  if (open.length > 0) {
    const message = `${found.id} has ${open.length === 1 ? 'an open task' : `${open.length} open tasks`} and cannot be deleted.`;
    return err(broken(message, `Complete, terminate or move ${open[0]?.id ?? 'its tasks'} first.`, { openTasks: open }));
  }
  for (const task of tasks) edit.revise(task, { ...task, featureId: null });
  edit.remove(found);
  return ok({ records: edit.drafts, result: { deletedId: found.id, detachedTaskIds: tasks.map(task => task.id) } });
}

/** The container with new fields, checked against the limits and the view; tags that are new become tags of the project. */
export function withFields(edit: Edit, container: Container, fields: ContainerFields): Result<Container, WorkFailure> {
  const issues = fieldIssues(container.type, fields);
  if (issues.length > 0) return err(invalidFields(issues));
  const { name, summary, priority, order, tags, featureId, assignedAgentId } = fields;
  const feature = featureId === undefined || featureId === null ? undefined : edit.view.container(featureId, 'feature');
  if (featureId !== undefined && featureId !== null && feature === undefined) return err(missing('feature', featureId));
  return ok({
    ...container,
    name: name?.trim() ?? container.name,
    summary: summary?.trim() ?? container.summary,
    priority: priority ?? container.priority,
    order: order ?? container.order,
    tags: tags === undefined ? container.tags : knownTags(edit, tags),
    featureId: featureId === undefined ? container.featureId : (feature?.id ?? null),
    assignedAgentId: assignedAgentId === undefined ? container.assignedAgentId : assignedAgentId,
  });
}

function fieldIssues(type: ContainerType, fields: ContainerFields): Issue[] {
  const { name, summary, order, tags, featureId, assignedAgentId } = fields;
  return [
    ...(name === undefined ? [] : nameIssues('name', name)),
    ...(summary === undefined ? [] : bytesIssues('summary', summary.trim(), MAX_SIZES.summaryBytes)),
    ...(order === undefined ? [] : orderIssues('order', order)),
    ...(tags === undefined ? [] : tagIssues(tags)),
    ...(type === 'feature' && featureId !== undefined && featureId !== null ? [{ field: 'parentId', message: 'is only for tasks' }] : []),
    ...(type === 'feature' && assignedAgentId !== undefined ? [{ field: 'assignedAgentId', message: 'is only for tasks' }] : []),
    ...(typeof assignedAgentId === 'string' ? nameIssues('assignedAgentId', assignedAgentId) : []),
  ];
}

/** Each tag once, spelled as the project's tag is; names nobody used before become tags. */
export function knownTags(edit: Edit, names: readonly string[]): string[] {
  const spelled = new Map<string, string>();
  for (const name of names.map(text => text.trim())) {
    const folded = name.toLowerCase();
    if (spelled.has(folded)) continue;
    const known = edit.view.tag(name);
    if (known === undefined) edit.putTag({ id: edit.newId('tag'), projectId: edit.projectId, name });
    spelled.set(folded, known?.name ?? name);
  }
  return [...spelled.values()];
}
