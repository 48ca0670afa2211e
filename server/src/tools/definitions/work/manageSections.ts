import { z } from 'zod';
import { err, ok, type Result } from '../../../base/result';
import type { FeatureFailure } from '../../../features/shared/failure';
import { stampOf } from '../../../features/shared/fresh';
import { getSections } from '../../../features/work/reading';
import { changeWork } from '../../../features/work/writing';
import { createSection, deleteSection, reorderSections, type SectionsWritten, updateSection, WELL_KNOWN_SECTIONS } from '../../../work/sections';
import { WorkView } from '../../../work/view';
import { defineTool, type ToolContext, type ToolFailure } from '../../tool';
import { count, failure, given, missingFields, present, rowsIn } from '../outcome';
import { version } from './inputs';
import { knownVersion } from './manageContainer';
import { authorOf, fittedSections, OUTLINE_HINT, sectionLines } from './rows';

export const querySections = defineTool({
  name: 'query_sections',
  title: 'Read sections',
  description: `Read the sections of a task or feature: Markdown with titles such as ${WELL_KNOWN_SECTIONS.join(', ')}. Use after query_container if you need a single section. Returns sections in reading order.`,
  group: 'work',
  effect: 'read',
  defaultProfile: 'compact',
  aliases: { ownerId: 'containerId' },
  input: z.object({ containerId: z.string(), title: z.string().optional().describe('Only sections with this title (case-insensitive)') }),
  fields: [{ key: 'sections', priority: 'required', description: 'id, containerId, title, content, ordinal, version' }],

  async handle(context, input) {
    const found = getSections(context.workspace, input.containerId, input.title);
    if (!found.ok) return failure(found.error);
    const { isOutline, rows } = fittedSections(context, found.value);
    return ok({
      summary: `${count(found.value.length, 'section')} of ${input.containerId}.`,
      stamp: stampOf(context.workspace),
      data: { sections: rows },
      ...(isOutline ? { hint: OUTLINE_HINT } : {}),
    });
  },

  render: data => sectionLines(rowsIn(data, 'sections')).join('\n'),
});

const input = z.object({
  operation: z.enum(['create', 'add', 'update', 'delete', 'reorder']).describe('add is the same as create'),
  containerId: z.string().optional().describe('Task or feature, for create and reorder'),
  id: z.string().optional().describe('For update and delete; for reorder with ordinal'),
  title: z.string().optional().describe('At most 255 characters'),
  content: z.string().optional().describe('Markdown, at most 32 KB'),
  ordinal: z.number().int().min(0).optional().describe('Position, from 0. Default: at the end'),
  version: version.optional().describe('update, delete: version of the section you read'),
  ids: z.array(z.string()).optional().describe('reorder: sections in their new order'),
});
type Input = z.output<typeof input>;

export const manageSections = defineTool({
  name: 'manage_sections',
  title: 'Edit sections',
  description:
    'Create, update, delete or reorder the sections of a task or feature. List relevant files in Context Files, so that query_container returns the knowledge about them. update and delete require the version of the section. Returns all sections.',
  group: 'work',
  effect: 'destroy',
  defaultProfile: 'compact',
  aliases: { ownerId: 'containerId', sectionId: 'id', order: 'ids' },
  input,
  fields: [
    { key: 'sections', priority: 'required', description: 'In reading order: id, title, ordinal, version, and content if it fits' },
    { key: 'sectionId', priority: 'required', description: 'The section created, changed or deleted' },
  ],

  check: asked => missingFields(asked, NEEDS[asked.operation]) ?? (asked.operation === 'reorder' ? orderProblem(asked) : undefined),

  async handle(context, asked) {
    const written = await OPERATIONS[asked.operation](context, asked);
    if (!written.ok) return err(written.error);
    const { containerId, sectionId } = written.value;
    const sections = new WorkView(context.workspace.records).sections(containerId);
    const { isOutline, rows } = fittedSections(context, sections);
    return ok({
      summary: `${PAST_TENSE[asked.operation]} ${sectionId ?? 'the sections'}; ${containerId} has ${count(sections.length, 'section')}.`,
      stamp: stampOf(context.workspace),
      data: { sections: rows, ...(sectionId === null ? {} : { sectionId }) },
      ...(isOutline ? { hint: OUTLINE_HINT } : {}),
    });
  },

  render: data => sectionLines(rowsIn(data, 'sections')).join('\n'),
});

const PAST_TENSE: Readonly<Record<Input['operation'], string>> = {
  create: 'Created',
  add: 'Created',
  update: 'Updated',
  delete: 'Deleted',
  reorder: 'Reordered',
};

const NEEDS: Readonly<Record<Input['operation'], readonly (keyof Input)[]>> = {
  create: ['containerId', 'title'],
  add: ['containerId', 'title'],
  update: ['id', 'version'],
  delete: ['id', 'version'],
  reorder: ['containerId'],
};

/** An order is all ids, or one id and its new place. */
function orderProblem(asked: Input): ToolFailure | undefined {
  return asked.id === undefined || asked.ordinal === undefined ? missingFields(asked, ['ids']) : undefined;
}

type Written = Promise<Result<SectionsWritten, ToolFailure>>;

const OPERATIONS: Readonly<Record<Input['operation'], (context: ToolContext, asked: Input) => Written>> = {
  create,
  add: create,
  update: async (context, asked) => {
    const known = knownVersion(asked);
    const fields = given({ title: asked.title, content: asked.content, ordinal: asked.ordinal });
    return toolResult(await changeWork(context.workspace, authorOf(context), (records, who) => updateSection(records, who, { ...known, ...fields })));
  },
  delete: async (context, asked) => {
    const known = knownVersion(asked);
    return toolResult(await changeWork(context.workspace, authorOf(context), (records, who) => deleteSection(records, who, known)));
  },
  reorder: async (context, asked) => {
    const containerId = present(asked.containerId);
    const order = asked.ids ?? movedTo(context, containerId, present(asked.id), present(asked.ordinal));
    return toolResult(await changeWork(context.workspace, authorOf(context), (records, who) => reorderSections(records, who, { containerId, ids: order })));
  },
};

async function create(context: ToolContext, asked: Input): Written {
  const { content = '', ordinal } = asked;
  const request = { containerId: present(asked.containerId), title: present(asked.title), content, ...given({ ordinal }) };
  return toolResult(await changeWork(context.workspace, authorOf(context), (records, who) => createSection(records, who, request)));
}

/** The order with one section moved to a place. */
function movedTo(context: ToolContext, containerId: string, id: string, ordinal: number): readonly string[] {
  const found = getSections(context.workspace, containerId, undefined);
  const others = (found.ok ? found.value : []).map(section => section.id).filter(other => other !== id && other !== `section::${id}`);
  return [...others.slice(0, ordinal), id, ...others.slice(ordinal)];
}

function toolResult<T>(written: Result<T, FeatureFailure>): Result<T, ToolFailure> {
  return written.ok ? written : failure(written.error);
}
