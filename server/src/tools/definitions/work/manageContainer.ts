import { z } from 'zod';
import { ok } from '../../../base/result';
import { stampOf } from '../../../features/shared/fresh';
import { changeWork } from '../../../features/work/writing';
import { type Hint, phrase, toolRef } from '../../../model/hints';
import { createContainer, deleteContainer, updateContainer } from '../../../work/containers';
import type { Container } from '../../../work/entities';
import { defineTool } from '../../tool';
import { count, failure, given, missingFields, present, textIn } from '../outcome';
import { containerType, priority, tags, version } from './inputs';
import { authorOf, entityLines, fitted } from './rows';

export const manageContainer = defineTool({
  name: 'manage_container',
  title: 'Edit features and tasks',
  description:
    'Create, update or delete a feature or task. update and delete require the version you read. Use to plan work; to change the status use task_update or advance. A feature with open tasks cannot be deleted. Deleting a task also deletes its sections and dependencies. Returns the item.',
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
    parentId: z.string().nullable().optional().describe('Feature of a task; null removes it from its feature'),
    priority: priority.optional().describe('Default: medium'),
    order: z.number().int().optional().describe('Lower comes first. Default: 0'),
    tags: tags.optional(),
    templateId: z.string().optional().describe('create: add the sections of a template'),
  }),
  fields: [
    { key: 'task', priority: 'required', description: 'The updated task' },
    { key: 'feature', priority: 'required', description: 'The updated feature' },
    { key: 'deletedId', priority: 'required', description: 'ID of what was deleted' },
    { key: 'detachedTaskIds', priority: 'high', description: 'Closed tasks of a deleted feature' },
  ],

  check: asked => (asked.operation === 'create' ? undefined : missingFields(asked, ['id', 'version'])),

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
    const detached = detachedTaskIds.length === 0 ? '' : ` ${count(detachedTaskIds.length, 'closed task')} no longer in a feature.`;
    return ok({ summary: `Deleted ${deletedId}.${detached}`, stamp, data: { deletedId, detachedTaskIds } });
  },

  render: data => [...entityLines(data['task'] ?? data['feature']), ...(textIn(data, 'deletedId') === '' ? [] : [textIn(data, 'deletedId')])].join('\n'),
});

function nextAfter({ id, type }: Container): Hint {
  return type === 'task'
    ? phrase`Use ${toolRef('manage_sections')} to add Context Files and a plan to ${id}.`
    : phrase`Use ${toolRef('manage_container', { operation: 'create', parentId: id })} to add tasks.`;
}

/** Id and version, which everything but creating needs and the tools check for. */
export function knownVersion(input: { readonly id?: string | undefined; readonly version?: number | undefined }): { id: string; version: number } {
  return { id: present(input.id), version: present(input.version) };
}
