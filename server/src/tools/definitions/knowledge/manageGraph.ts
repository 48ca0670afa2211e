import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { err, ok, type Result } from '../../../base/result';
import { createKnowledge, deleteKnowledge, type SavedAnswer, updateKnowledge } from '../../../features/knowledge/edits';
import { invalid } from '../../../features/shared/failure';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { count, failure, given, textIn } from '../outcome';

const input = z.object({
  operation: z.enum(['create', 'update', 'delete']),
  entityType: z.enum(['atom', 'molecule']),
  id: z.string().optional(),
  version: z.number().int().optional().describe('As read; update, delete'),
  name: z.string().optional(),
  paths: z.array(z.string()).optional().describe('Atoms: globs of the files covered, 1–20'),
  knowledge: z.string().optional().describe('Markdown; node ids and paths in backticks are anchored'),
  knowledgeMode: z.enum(['overwrite', 'append']).default('overwrite'),
  moleculeId: z.string().nullable().optional(),
  relatedAtoms: z.array(z.object({ atomId: z.string(), reason: z.string() })).optional(),
  relatedMolecules: z.array(z.object({ moleculeId: z.string(), reason: z.string() })).optional(),
  createdByTaskId: z.string().optional().describe("create: task id, or 'manual'"),
  lastTaskId: z.string().optional().describe('update: likewise'),
  restoreVersion: z.number().int().min(1).optional().describe('update: write that version again, alone; also of what was deleted'),
  cascade: z.boolean().default(false).describe('delete: atoms of the molecule too'),
});

type Input = z.output<typeof input>;
type Answer = Promise<Result<ToolSuccess, ToolFailure>>;

export const manageGraph = defineTool({
  name: 'manage_graph',
  title: 'Write knowledge',
  description:
    'Creates, updates, deletes atoms (knowledge about files, by glob) and molecules (groups of atoms). Use when work is finished: note what the code cannot say, adjust paths of what moved. Read with query_graph first: a version that is not the newest is refused. What an update or delete replaced stays in the history (query_graph get, history) and comes back with restoreVersion. Returns id, name, version.',
  group: 'knowledge',
  effect: 'destroy',
  defaultProfile: 'compact',
  input,
  fields: [
    { key: 'id', priority: 'required', description: 'Of what was written' },
    { key: 'name', priority: 'required', description: 'Its name' },
    { key: 'version', priority: 'required', description: 'For the next write' },
    { key: 'deletedId', priority: 'required', description: 'delete: what is gone' },
    { key: 'orphanedAtomIds', priority: 'required', description: 'delete: atoms that have no molecule now' },
    { key: 'deletedAtomIds', priority: 'required', description: 'delete with cascade: atoms that are gone too' },
    { key: 'moleculeId', priority: 'low', description: 'Molecule of the atom' },
    { key: 'paths', priority: 'low', description: 'Its globs' },
    { key: 'createdByTaskId', priority: 'low', description: 'Why it exists' },
    { key: 'lastTaskId', priority: 'low', description: 'Who wrote it last' },
    { key: 'createdAt', priority: 'low', description: 'Time' },
    { key: 'updatedAt', priority: 'low', description: 'Time' },
    { key: 'projectId', priority: 'low', description: 'Project' },
    { key: 'relatedAtoms', priority: 'low', description: 'Atoms with reasons' },
    { key: 'relatedMolecules', priority: 'low', description: 'Molecules with reasons' },
    { key: 'knowledge', priority: 'low', description: 'The text as stored' },
  ],

  async handle(context, asked, token) {
    if (asked.operation === 'create') return createAnswer(context, asked, token);
    const { id, version } = asked;
    if (id === undefined) return missing('id', asked.operation);
    if (version === undefined) return missing('version', asked.operation);
    return asked.operation === 'update' ? updateAnswer(context, { ...asked, id, version }, token) : deleteAnswer(context, { ...asked, id, version });
  },

  render(data) {
    if (data['deletedId'] === undefined) return `${textIn(data, 'id')} version ${textIn(data, 'version')}`;
    const lists = (['orphanedAtomIds', 'deletedAtomIds'] as const).filter(key => Array.isArray(data[key]) && (data[key] as unknown[]).length > 0);
    return [textIn(data, 'deletedId'), ...lists.map(key => `${key}: ${(data[key] as unknown[]).map(String).join(', ')}`)].join('\n');
  },
});

async function createAnswer(context: ToolContext, asked: Input, token: CancellationToken): Answer {
  const { name, createdByTaskId } = asked;
  if (name === undefined) return missing('name', 'create');
  if (createdByTaskId === undefined) return missing('createdByTaskId', 'create');
  const related = relatedOf(asked);
  if (!related.ok) return related;
  const { entityType, paths, knowledge, moleculeId } = asked;
  const fields = given({ entityType, name, paths, knowledge, moleculeId, createdByTaskId, related: related.value });
  const saved = await createKnowledge(context.workspace, authorOf(context), fields, token);
  return saved.ok ? ok(savedData(saved.value, asked, 'created')) : failure(saved.error);
}

async function updateAnswer(context: ToolContext, asked: Input & { id: string; version: number }, token: CancellationToken): Answer {
  if (asked.lastTaskId === undefined) return missing('lastTaskId', 'update');
  const related = relatedOf(asked);
  if (!related.ok) return related;
  const { entityType, id, version, name, paths, knowledge, knowledgeMode, moleculeId, lastTaskId, restoreVersion } = asked;
  const fields = given({ entityType, id, version, name, paths, knowledge, knowledgeMode, moleculeId, lastTaskId, restoreVersion, related: related.value });
  const saved = await updateKnowledge(context.workspace, authorOf(context), fields, token);
  return saved.ok
    ? ok(savedData(saved.value, asked, restoreVersion === undefined ? 'updated' : `restored from version ${restoreVersion}`))
    : failure(saved.error);
}

async function deleteAnswer(context: ToolContext, asked: Input & { id: string; version: number }): Answer {
  const { entityType, id, version, cascade, lastTaskId } = asked;
  const deleted = await deleteKnowledge(context.workspace, authorOf(context), given({ entityType, id, version, cascade, lastTaskId }));
  if (!deleted.ok) return failure(deleted.error);
  const { stamp, ...data } = deleted.value;
  const others = data.orphanedAtomIds.length + data.deletedAtomIds.length;
  const effect = others === 0 ? '' : `, ${count(others, 'atom')} ${cascade ? 'with it' : 'orphaned'}`;
  return ok({ summary: `${entityType} deleted${effect}.`, data, stamp });
}

function authorOf({ agentId, sessionId, idempotencyKey }: ToolContext): { agentId: string | undefined; sessionId: string; key: string | undefined } {
  return { agentId, sessionId, key: idempotencyKey };
}

/** The list that belongs to the entity; the other one is refused. */
function relatedOf({ entityType, relatedAtoms, relatedMolecules }: Input): Result<{ id: string; reason: string }[] | undefined, ToolFailure> {
  if (entityType === 'atom' && relatedMolecules !== undefined)
    return err(invalid('relatedMolecules', 'relatedMolecules belongs to molecules; an atom has relatedAtoms.'));
  if (entityType === 'molecule' && relatedAtoms !== undefined)
    return err(invalid('relatedAtoms', 'relatedAtoms belongs to atoms; a molecule has relatedMolecules.'));
  if (entityType === 'atom') return ok(relatedAtoms?.map(({ atomId, reason }) => ({ id: atomId, reason })));
  return ok(relatedMolecules?.map(({ moleculeId, reason }) => ({ id: moleculeId, reason })));
}

function savedData({ entity, saved, stamp }: SavedAnswer, { entityType }: Input, verb: string): ToolSuccess {
  const { anchors: _anchors, ...fields } = entity ?? { anchors: [], name: '' };
  return { summary: `${entityType} ${verb}, version ${saved.version}.`, data: { ...fields, ...saved }, stamp, keepsEmpty: true };
}

function missing(field: string, operation: string): Result<never, ToolFailure> {
  const hint = field.endsWith('TaskId') ? `Pass ${field}: the id of your task, or 'manual'.` : undefined;
  return err(invalid(field, `${operation} needs ${field}.`, hint));
}
