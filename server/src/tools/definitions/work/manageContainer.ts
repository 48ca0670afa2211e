import { z } from 'zod';
import { ok } from '../../../base/result';
import { stampOf } from '../../../features/shared/fresh';
import { changeWork } from '../../../features/work/writing';
import { createContainer, deleteContainer, updateContainer } from '../../../work/containers';
import type { Container } from '../../../work/entities';
import { defineTool } from '../../tool';
import { count, failure, given, lackingIn, present, textIn } from '../outcome';
import { containerType, priority, tags, version } from './inputs';
import { authorOf, entityLines, fitted } from './rows';

export const manageContainer = defineTool({
  name: 'manage_container',
  title: 'Create, change and delete features and tasks',
  description:
    'Creates, updates or deletes a feature or task. update and delete need the version that you know. Use to plan work; the status is moved by task_update and advance. A feature with open tasks cannot be deleted; a deleted task takes its sections and dependencies along. Returns the item.',
  group: 'work',
  effect: 'destroy',
  defaultProfile: 'compact',
  aliases: { title: 'name', featureId: 'parentId' },
  input: z.object({
    operation: z.enum(['create', 'update', 'delete']),
    containerType,
    id: z.string().optional().describe('For update and delete'),
    version: version.optional(),
    name: z.string().optional().describe('At most 255 characters'),
    summary: z.string().optional().describe('At most 4 KB'),
    parentId: z.string().nullable().optional().describe('Feature of a task; null takes it out'),
    priority: priority.optional().describe('medium when not given'),
    order: z.number().int().optional().describe('Lower comes first; 0 when not given'),
    tags: tags.optional(),
    templateId: z.string().optional().describe('For create: adds the sections of a template'),
  }),
  fields: [
    { key: 'task', priority: 'required', description: 'The task as it is now' },
    { key: 'feature', priority: 'required', description: 'The feature as it is now' },
    { key: 'deletedId', priority: 'required', description: 'What was deleted' },
    { key: 'detachedTaskIds', priority: 'high', description: 'Closed tasks that stay without their deleted feature' },
  ],

  check: asked => (asked.operation === 'create' ? undefined : lackingIn(asked, ['id', 'version'])),

  async handle(context, input) {
    const { workspace } = context;
    const { operation, containerType: type, parentId, templateId } = input;
    const author = authorOf(context);
    const stamp = stampOf(workspace);
    const fields = given({ name: input.name, summary: input.summary, priority: input.priority, order: input.order, tags: input.tags, featureId: parentId });
    if (operation === 'create') {
      const made = await changeWork(workspace, author, (records, who) => createContainer(records, who, { type, ...fields, ...given({ templateId }) }));
      if (!made.ok) return failure(made.error);
      return ok({ summary: `Created ${type} ${made.value.id}.`, stamp, data: { [type]: fitted(context, made.value) }, hint: nextAfter(made.value) });
    }
    const known = knownVersion(input);
    if (operation === 'update') {
      const changed = await changeWork(workspace, author, (records, who) => updateContainer(records, who, { type, ...known, ...fields }));
      if (!changed.ok) return failure(changed.error);
      const { id, version: at } = changed.value;
      return ok({ summary: `Updated ${id} to version ${at}.`, stamp, data: { [type]: fitted(context, changed.value) } });
    }
    const gone = await changeWork(workspace, author, (records, who) => deleteContainer(records, who, { type, ...known }));
    if (!gone.ok) return failure(gone.error);
    const { deletedId, detachedTaskIds } = gone.value;
    const detached = detachedTaskIds.length === 0 ? '' : ` ${count(detachedTaskIds.length, 'closed task')} stay without a feature.`;
    return ok({ summary: `Deleted ${deletedId}.${detached}`, stamp, data: { deletedId, detachedTaskIds } });
  },

  render: data => [...entityLines(data['task'] ?? data['feature']), ...(textIn(data, 'deletedId') === '' ? [] : [textIn(data, 'deletedId')])].join('\n'),
});

function nextAfter({ id, type }: Container): string {
  return type === 'task' ? `manage_sections adds Context Files and a plan to ${id}.` : `manage_container create with parentId ${id} adds its tasks.`;
}

/** Id and version, which everything but creating needs and the tools check for. */
export function knownVersion(input: { readonly id?: string | undefined; readonly version?: number | undefined }): { id: string; version: number } {
  return { id: present(input.id), version: present(input.version) };
}
