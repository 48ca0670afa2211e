import { err, ok, type Result } from '../base/result';
import { phrase, toolRef } from '../model/hints';
import type { Records } from '../model/records';
import { type KnowledgeFailure, refused, unknownEntity, unknownTask, violated } from './failures';
import { entityId, type Issue, knowledgeIssues, nameIssues, normalizePatterns, normalizeText, patternIssues, relatedIssues, taskIdOf } from './rules';
import { type Atom, type EntityType, type Molecule, TASK_MARKERS } from './types';
import { knowledgeOf } from './view';

/** One entry of a related list as it was given; whether it is an atom or a molecule depends on the entity that has the list. */
export interface RelatedInput {
  readonly id: string;
  readonly reason: string;
}

/** What a writer may give; absent fields stay as they are. */
export interface GivenFields {
  readonly name?: string;
  readonly knowledge?: string;
  /** Atoms only. */
  readonly paths?: readonly string[];
  /** Atoms only; `null` makes it an orphan. */
  readonly moleculeId?: string | null;
  readonly related?: readonly RelatedInput[];
}

export function entityIn(records: Records, entityType: EntityType, id: string): Atom | Molecule | undefined {
  const view = knowledgeOf(records);
  return entityType === 'atom' ? view.atom(id) : view.molecule(id);
}

/** The fields that were given, tidy and within bounds, with full ids of things that there are. `ownId` is that of the entity, once it has one. */
export function checkedFields(records: Records, entityType: EntityType, given: GivenFields, ownId: string | undefined): Result<GivenFields, KnowledgeFailure> {
  const misplaced = entityType === 'atom' ? [] : misplacedIssues(given);
  if (misplaced.length > 0) return err(refused(misplaced));
  const related = given.related?.map(entry => ({ id: entityId(entityType, entry.id) ?? entry.id, reason: normalizeText(entry.reason) }));
  const fields: GivenFields = {
    ...(given.name === undefined ? {} : { name: given.name.trim() }),
    ...(given.knowledge === undefined ? {} : { knowledge: normalizeText(given.knowledge) }),
    ...(given.paths === undefined ? {} : { paths: normalizePatterns(given.paths) }),
    ...(given.moleculeId === undefined ? {} : { moleculeId: given.moleculeId }),
    ...(related === undefined ? {} : { related }),
  };
  if (fields.paths?.length === 0) return err(violated('An atom requires at least one pattern.', 'Set paths to 1 to 20 globs, such as src/pages/checkout/**.'));
  const issues = boundIssues(entityType, fields, ownId);
  if (issues.length > 0) return err(refused(issues));
  const missing = related?.find(entry => entityIn(records, entityType, entry.id) === undefined);
  if (missing !== undefined) return err(unknownEntity(entityType, missing.id));
  if (fields.moleculeId === undefined || fields.moleculeId === null) return ok(fields);
  const molecule = ownMolecule(records, fields.moleculeId);
  return molecule.ok ? ok({ ...fields, moleculeId: molecule.value }) : molecule;
}

function misplacedIssues({ moleculeId, paths }: GivenFields): readonly Issue[] {
  const message = 'is only supported for atoms';
  return [...(paths === undefined ? [] : [{ field: 'paths', message }]), ...(moleculeId === undefined ? [] : [{ field: 'moleculeId', message }])];
}

function boundIssues(entityType: EntityType, { name, knowledge, paths, related }: GivenFields, ownId: string | undefined): readonly Issue[] {
  const targets = related?.map(entry => entry.id) ?? [];
  return [
    ...(name === undefined ? [] : nameIssues(name)),
    ...(knowledge === undefined ? [] : knowledgeIssues(knowledge)),
    ...(paths === undefined ? [] : patternIssues(paths)),
    ...relatedIssues(entityType === 'atom' ? 'relatedAtoms' : 'relatedMolecules', targets, ownId),
  ];
}

/** The full id of a molecule of this project. */
function ownMolecule(records: Records, given: string): Result<string, KnowledgeFailure> {
  const id = entityId('molecule', given);
  if (id === undefined) return err(unknownEntity('molecule', given));
  if (knowledgeOf(records).molecule(id) !== undefined) return ok(id);
  const isElsewhere = records.query('SELECT 1 FROM graph_molecules WHERE id = ?', [id]).length > 0;
  if (!isElsewhere) return err(unknownEntity('molecule', id));
  return err(
    violated(
      `The molecule ${id} belongs to another project.`,
      phrase`Use a molecule of this project (${toolRef('query_graph', { operation: 'search' })}), or null for none.`,
    ),
  );
}

/** The id of a task that there is, or a marker. Asked when something is written and never again, so that knowledge outlives its tasks. */
export function existingTask(records: Records, given: string, field: string): Result<string, KnowledgeFailure> {
  const id = taskIdOf(given);
  if (id === undefined) {
    return given.trim() === '' ? err(refused([{ field, message: 'is empty' }])) : err(unknownTask(given));
  }
  if (TASK_MARKERS.includes(id)) return ok(id);
  const isThere = records.query("SELECT 1 FROM work_containers WHERE id = ? AND type = 'task' AND project_id = ?", [id, records.projectId]).length > 0;
  return isThere ? ok(id) : err(unknownTask(id));
}
