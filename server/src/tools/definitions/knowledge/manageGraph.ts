import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import { createKnowledge, deleteKnowledge, type SavedAnswer, updateKnowledge } from '../../../features/knowledge/edits';
import { invalid } from '../../../features/shared/failure';
import { object, open, type Shaped, shape } from '../../../features/shared/shape';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { count, failure, given, missingFields, present, textIn } from '../outcome';

const input = z.object({
  operation: z.enum(['create', 'update', 'delete']),
  entityType: z.enum(['atom', 'molecule']),
  id: z.string().optional(),
  version: z.number().int().optional().describe('update, delete: version you read'),
  name: z.string().optional(),
  paths: z.array(z.string()).optional().describe('Atoms: 1–20 globs of covered files'),
  knowledge: z.string().optional().describe('Markdown; node IDs and paths in backticks become anchors'),
  knowledgeMode: z.enum(['overwrite', 'append']).default('overwrite'),
  moleculeId: z.string().nullable().optional(),
  relatedAtoms: z.array(z.object({ atomId: z.string(), reason: z.string() })).optional(),
  relatedMolecules: z.array(z.object({ moleculeId: z.string(), reason: z.string() })).optional(),
  createdByTaskId: z.string().optional().describe("create: task ID, or 'manual'"),
  lastTaskId: z.string().optional().describe('update: same'),
  restoreVersion: z.number().int().min(1).optional().describe('update: restore this version (also if deleted); no other fields'),
  cascade: z.boolean().default(false).describe('delete: also its atoms'),
});

type Input = z.output<typeof input>;

const knowledgeWriteShape = shape(() =>
  z.union([
    /** What was created or updated, with the version for its next change. */
    open({ id: z.string(), version: z.number() }),
    object({ deletedId: z.string(), orphanedAtomIds: z.array(z.string()), deletedAtomIds: z.array(z.string()) }),
  ]),
);
type Success = ToolSuccess<Shaped<typeof knowledgeWriteShape>>;
type Answer = Promise<Result<Success, ToolFailure>>;

export const manageGraph = defineTool({
  name: 'manage_graph',
  title: 'Edit knowledge',
  description:
    'Create, update or delete atoms (knowledge about files, by glob) and molecules (groups of atoms). Use when work is done: record what the code does not say, update paths that moved. Read with query_graph first; only the latest version can be changed. Earlier versions (query_graph get, history) can be restored with restoreVersion. Returns id, name, version.',
  group: 'knowledge',
  effect: 'destroy',
  defaultProfile: 'compact',
  input,
  fields: [
    { key: 'id', priority: 'required', description: 'ID' },
    { key: 'name', priority: 'required', description: 'Name' },
    { key: 'version', priority: 'required', description: 'Version for the next change' },
    { key: 'deletedId', priority: 'required', description: 'delete: ID of what was deleted' },
    { key: 'orphanedAtomIds', priority: 'required', description: 'delete: atoms that no longer have a molecule' },
    { key: 'deletedAtomIds', priority: 'required', description: 'delete with cascade: atoms that were also deleted' },
    { key: 'moleculeId', priority: 'low', description: 'Molecule of the atom' },
    { key: 'paths', priority: 'low', description: 'Glob patterns' },
    { key: 'createdByTaskId', priority: 'low', description: 'Task that created it' },
    { key: 'lastTaskId', priority: 'low', description: 'Task that last changed it' },
    { key: 'createdAt', priority: 'low', description: 'Time' },
    { key: 'updatedAt', priority: 'low', description: 'Time' },
    { key: 'projectId', priority: 'low', description: 'Project' },
    { key: 'relatedAtoms', priority: 'low', description: 'Atoms with reasons' },
    { key: 'relatedMolecules', priority: 'low', description: 'Molecules with reasons' },
    { key: 'knowledge', priority: 'low', description: 'Stored text' },
  ],
  answer: knowledgeWriteShape,

  check: asked => missingFields(asked, NEEDS[asked.operation]) ?? strangeList(asked),

  handle: (context, asked, token) => OPERATIONS[asked.operation](context, asked, token),

  render(data) {
    if (data['deletedId'] === undefined) return `${textIn(data, 'id')} version ${textIn(data, 'version')}`;
    const lists = (['orphanedAtomIds', 'deletedAtomIds'] as const).filter(key => Array.isArray(data[key]) && (data[key] as unknown[]).length > 0);
    return [textIn(data, 'deletedId'), ...lists.map(key => `${key}: ${(data[key] as unknown[]).map(String).join(', ')}`)].join('\n');
  },
});

const NEEDS: Readonly<Record<Input['operation'], readonly (keyof Input)[]>> = {
  create: ['name', 'createdByTaskId'],
  update: ['id', 'version', 'lastTaskId'],
  delete: ['id', 'version'],
};

const OPERATIONS: Readonly<Record<Input['operation'], (context: ToolContext, asked: Input, token: CancellationToken) => Answer>> = {
  create: createAnswer,
  update: updateAnswer,
  delete: deleteAnswer,
};

async function createAnswer(context: ToolContext, asked: Input, token: CancellationToken): Answer {
  const { entityType, paths, knowledge, moleculeId } = asked;
  const [name, createdByTaskId] = [present(asked.name), present(asked.createdByTaskId)];
  const fields = given({ entityType, name, paths, knowledge, moleculeId, createdByTaskId, related: relatedOf(asked) });
  const saved = await createKnowledge(context.workspace, authorOf(context), fields, token);
  return saved.ok ? ok(savedData(saved.value, `Created ${entityType}`)) : failure(saved.error);
}

async function updateAnswer(context: ToolContext, asked: Input, token: CancellationToken): Answer {
  const { entityType, name, paths, knowledge, knowledgeMode, moleculeId, restoreVersion } = asked;
  const known = { id: present(asked.id), version: present(asked.version), lastTaskId: present(asked.lastTaskId) };
  const fields = given({ entityType, ...known, name, paths, knowledge, knowledgeMode, moleculeId, restoreVersion, related: relatedOf(asked) });
  const saved = await updateKnowledge(context.workspace, authorOf(context), fields, token);
  return saved.ok
    ? ok(savedData(saved.value, restoreVersion === undefined ? `Updated ${entityType}` : `Restored ${entityType} from version ${restoreVersion}`))
    : failure(saved.error);
}

async function deleteAnswer(context: ToolContext, asked: Input): Answer {
  const { entityType, cascade, lastTaskId } = asked;
  const known = { id: present(asked.id), version: present(asked.version) };
  const deleted = await deleteKnowledge(context.workspace, authorOf(context), given({ entityType, ...known, cascade, lastTaskId }));
  if (!deleted.ok) return failure(deleted.error);
  const { stamp, ...data } = deleted.value;
  const others = data.orphanedAtomIds.length + data.deletedAtomIds.length;
  const effect = others === 0 ? '' : `, ${count(others, 'atom')} ${cascade ? 'with it' : 'orphaned'}`;
  return ok({ summary: `Deleted ${entityType}${effect}.`, data, stamp });
}

function authorOf({ agentId, sessionId, idempotencyKey }: ToolContext): { agentId: string | undefined; sessionId: string; key: string | undefined } {
  return { agentId, sessionId, key: idempotencyKey };
}

/** The list that belongs to the other kind of entity is refused. */
function strangeList({ entityType, relatedAtoms, relatedMolecules }: Input): ToolFailure | undefined {
  if (entityType === 'atom' && relatedMolecules !== undefined)
    return invalid('relatedMolecules', 'relatedMolecules is only for molecules. Use relatedAtoms for an atom.');
  if (entityType === 'molecule' && relatedAtoms !== undefined)
    return invalid('relatedAtoms', 'relatedAtoms is only for atoms. Use relatedMolecules for a molecule.');
  return undefined;
}

function relatedOf({ entityType, relatedAtoms, relatedMolecules }: Input): { id: string; reason: string }[] | undefined {
  if (entityType === 'atom') return relatedAtoms?.map(({ atomId, reason }) => ({ id: atomId, reason }));
  return relatedMolecules?.map(({ moleculeId, reason }) => ({ id: moleculeId, reason }));
}

function savedData({ entity, saved, stamp }: SavedAnswer, done: string): Success {
  const { anchors: _anchors, ...fields } = entity ?? { anchors: [], name: '' };
  return { summary: `${done}, version ${saved.version}.`, data: { ...fields, ...saved }, stamp, keepsEmpty: true };
}
