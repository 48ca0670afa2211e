import { z } from 'zod';
import { ok, type Result } from '../../../base/result';
import { stampOf } from '../../../features/shared/fresh';
import { changeWork } from '../../../features/work/writing';
import { applyTag, createTag, deleteTag, renameTag } from '../../../work/tags';
import { WorkView } from '../../../work/view';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { count, failure, missingFields, present, rowsIn, textIn } from '../outcome';
import { authorOf } from './rows';

const input = z.object({
  operation: z.enum(['list', 'create', 'update', 'delete', 'apply']),
  id: z.string().optional().describe('ID or name, for update, delete and apply'),
  name: z.string().optional().describe('At most 64 characters; unique (case-insensitive)'),
  targetId: z.string().optional().describe('For apply: the task or feature'),
});
type Input = z.output<typeof input>;

export const manageTag = defineTool({
  name: 'manage_tag',
  title: 'Edit tags',
  description:
    'List, create, rename, delete or apply tags of tasks and features. Renaming or deleting a tag creates a new version of each item with the tag. Returns the tags, the tag, or the tags of the target.',
  group: 'work',
  effect: 'destroy',
  defaultProfile: 'compact',
  input,
  fields: [
    { key: 'tag', priority: 'required', description: 'id, name' },
    { key: 'tags', priority: 'required', description: 'All tags by name (id, name), or, after apply, the tags of the target' },
    { key: 'deletedId', priority: 'required', description: 'ID of what was deleted' },
    { key: 'untaggedIds', priority: 'high', description: 'Items that had the deleted tag' },
    { key: 'containerId', priority: 'high', description: 'ID of the tagged item' },
  ],
  check: asked => missingFields(asked, NEEDS[asked.operation]),

  handle: (context, asked) => OPERATIONS[asked.operation](context, asked),

  render: data =>
    rowsIn(data, 'tags')
      .map(row => (typeof row === 'string' ? row : `${textIn(row, 'id')} ${textIn(row, 'name')}`))
      .join('\n'),
});

type Answer = Promise<Result<ToolSuccess, ToolFailure>>;

const NEEDS: Readonly<Record<Input['operation'], readonly (keyof Input)[]>> = {
  list: [],
  create: ['name'],
  update: ['id', 'name'],
  delete: ['id'],
  apply: ['id', 'targetId'],
};

const OPERATIONS: Readonly<Record<Input['operation'], (context: ToolContext, asked: Input) => Answer>> = {
  list: async context => {
    const tags = new WorkView(context.workspace.records).tags().map(({ id, name }) => ({ id, name }));
    return success(context, `${count(tags.length, 'tag')}.`, { tags });
  },
  create: async (context, asked) => {
    const name = present(asked.name);
    const made = await changeWork(context.workspace, authorOf(context), (records, who) => createTag(records, who, name));
    return made.ok ? success(context, `Created tag ${made.value.name}.`, { tag: { id: made.value.id, name: made.value.name } }) : failure(made.error);
  },
  update: async (context, asked) => {
    const [id, name] = [present(asked.id), present(asked.name)];
    const changed = await changeWork(context.workspace, authorOf(context), (records, who) => renameTag(records, who, id, name));
    return changed.ok ? success(context, `Renamed the tag to ${changed.value.name}.`, { tag: { id: changed.value.id, name } }) : failure(changed.error);
  },
  delete: async (context, { id }) => {
    const gone = await changeWork(context.workspace, authorOf(context), (records, who) => deleteTag(records, who, present(id)));
    return gone.ok ? success(context, `Deleted tag ${gone.value.deletedId}.`, { ...gone.value }) : failure(gone.error);
  },
  apply: async (context, { id, targetId }) => {
    const applied = await changeWork(context.workspace, authorOf(context), (records, who) => applyTag(records, who, present(id), present(targetId)));
    return applied.ok
      ? success(context, `${applied.value.containerId} has the tags ${applied.value.tags.join(', ')}.`, { ...applied.value })
      : failure(applied.error);
  },
};

function success(context: ToolContext, summary: string, data: Readonly<Record<string, unknown>>): Result<ToolSuccess, ToolFailure> {
  return ok({ summary, stamp: stampOf(context.workspace), data });
}
