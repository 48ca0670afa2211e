import { z } from 'zod';
import { ok, type Result } from '../../../base/result';
import { stampOf } from '../../../features/shared/fresh';
import { changeWork } from '../../../features/work/writing';
import { createTemplate, deleteTemplate, updateTemplate, useTemplate } from '../../../work/templates';
import { WorkView } from '../../../work/view';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { count, failure, given, missingFields, present, rowsIn, textIn } from '../outcome';
import { containerType } from './inputs';
import { authorOf } from './rows';

const input = z.object({
  operation: z.enum(['list', 'create', 'update', 'delete', 'apply']),
  id: z.string().optional().describe('For update, delete and apply'),
  name: z.string().optional().describe('At most 255 characters, unique'),
  containerType: containerType.optional().describe('Kind of item. Default: task'),
  sections: z
    .array(z.strictObject({ title: z.string(), content: z.string().default(''), ordinal: z.number().int().min(0).optional() }))
    .optional()
    .describe('At most 50, with unique titles; in this order unless ordinals are given'),
  targetId: z.string().optional().describe('For apply: the task or feature'),
});
type Input = z.output<typeof input>;

export const manageTemplate = defineTool({
  name: 'manage_template',
  title: 'Edit section templates',
  description:
    'List, create, update, delete or apply templates: sets of sections to start a task or feature with. apply adds missing sections and does not change existing ones. Returns the templates, the template, or the added titles.',
  group: 'work',
  effect: 'destroy',
  defaultProfile: 'compact',
  input,
  fields: [
    { key: 'template', priority: 'required', description: 'id, name, containerType, sections (title, content, ordinal)' },
    { key: 'templates', priority: 'required', description: 'By name: id, name, containerType, titles' },
    { key: 'deletedId', priority: 'required', description: 'ID of what was deleted' },
    { key: 'added', priority: 'required', description: 'Titles of the added sections' },
    { key: 'containerId', priority: 'high', description: 'ID of the item the template was applied to' },
  ],
  check: asked => missingFields(asked, NEEDS[asked.operation]),

  handle: (context, asked) => OPERATIONS[asked.operation](context, asked),

  render: data =>
    [
      ...rowsIn(data, 'templates').map(row => `${textIn(row, 'id')} ${textIn(row, 'containerType')} ${textIn(row, 'name')}`),
      ...(Array.isArray(data['added']) ? (data['added'] as readonly unknown[]).map(title => `+ ${String(title)}`) : []),
    ].join('\n'),
});

type Answer = Promise<Result<ToolSuccess, ToolFailure>>;

const NEEDS: Readonly<Record<Input['operation'], readonly (keyof Input)[]>> = {
  list: [],
  create: [],
  update: ['id'],
  delete: ['id'],
  apply: ['id', 'targetId'],
};

const OPERATIONS: Readonly<Record<Input['operation'], (context: ToolContext, asked: Input) => Answer>> = {
  list: async context => {
    const all = new WorkView(context.workspace.records).templates();
    const templates = all.map(row => ({ id: row.id, name: row.name, containerType: row.containerType, titles: row.sections.map(section => section.title) }));
    return success(context, `${count(all.length, 'template')}.`, { templates });
  },
  create: async (context, asked) => {
    const made = await changeWork(context.workspace, authorOf(context), (records, who) => createTemplate(records, who, fieldsOf(asked)));
    return made.ok ? success(context, `Created template ${made.value.id}.`, { template: made.value }) : failure(made.error);
  },
  update: async (context, asked) => {
    const id = present(asked.id);
    const changed = await changeWork(context.workspace, authorOf(context), (records, who) => updateTemplate(records, who, id, fieldsOf(asked)));
    return changed.ok ? success(context, `Updated template ${changed.value.id}.`, { template: changed.value }) : failure(changed.error);
  },
  delete: async (context, { id }) => {
    const gone = await changeWork(context.workspace, authorOf(context), (records, who) => deleteTemplate(records, who, present(id)));
    return gone.ok ? success(context, `Deleted template ${gone.value.deletedId}.`, { ...gone.value }) : failure(gone.error);
  },
  apply: async (context, { id, targetId }) => {
    const applied = await changeWork(context.workspace, authorOf(context), (records, who) => useTemplate(records, who, present(id), present(targetId)));
    if (!applied.ok) return failure(applied.error);
    return success(context, `Added ${count(applied.value.added.length, 'section')} to ${applied.value.containerId}.`, { ...applied.value });
  },
};

function success(context: ToolContext, summary: string, data: Readonly<Record<string, unknown>>): Result<ToolSuccess, ToolFailure> {
  return ok({ summary, stamp: stampOf(context.workspace), data });
}

function fieldsOf({ containerType: type, name, sections }: Input): Parameters<typeof createTemplate>[2] {
  const placed = sections?.map((row, at) => ({ title: row.title, content: row.content, ordinal: row.ordinal ?? at }));
  return given({ name, containerType: type, sections: placed });
}
