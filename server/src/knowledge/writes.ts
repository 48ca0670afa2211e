import { err, type Failure, ok, type Result } from '../base/result';
import type { Author, Decision, RecordDraft, Records, RecordsWritten } from '../model/records';
import { type KnowledgeFailure, outdated, refused, unknownEntity, unknownVersion } from './failures';
import { checkedFields, entityIn, existingTask, type GivenFields, type RelatedInput } from './fields';
import { withRetention } from './retention';
import { appended, entityId, normalizeText, summaryIssues } from './rules';
import { drafts } from './tables';
import type { Anchor, Atom, ChangelogEntry, EntityType, Molecule, RelatedAtom, RelatedMolecule } from './types';
import { entityAt, historyOf } from './versions';
import { knowledgeOf } from './view';

/** What the code that a text and patterns name is like now; asked while a write is decided. */
export type AnchorsOf = (knowledge: string, paths: readonly string[]) => readonly Anchor[];

/** A new atom or molecule. */
export interface CreateInput extends GivenFields {
  readonly entityType: EntityType;
  readonly name: string;
  readonly createdByTaskId: string;
}

/** Fields to change; those left out stay. `version` is the one that the caller has read. */
export interface UpdateInput extends GivenFields {
  readonly entityType: EntityType;
  readonly id: string;
  readonly version: number;
  readonly knowledgeMode: 'overwrite' | 'append';
  readonly lastTaskId: string;
  /** Writes what that version said as a new one, also of what was deleted: `version` is then its last. Goes alone. */
  readonly restoreVersion?: number;
}

/** `cascade` deletes the atoms of a molecule too; without it they become orphans. */
export interface DeleteInput {
  readonly entityType: EntityType;
  readonly id: string;
  readonly version: number;
  readonly cascade: boolean;
  /** `manual` when absent. */
  readonly lastTaskId?: string;
}

/** A new entry of a changelog. */
export interface EntryInput {
  readonly parentType: EntityType;
  readonly parentId: string;
  readonly taskId: string;
  readonly summary: string;
}

/** What was written. */
export interface Saved {
  readonly id: string;
  readonly version: number;
}

/** What is gone, and what became of the atoms of a molecule. */
export interface Deleted {
  readonly deletedId: string;
  readonly orphanedAtomIds: readonly string[];
  readonly deletedAtomIds: readonly string[];
}

type Outcome<T> = Promise<Result<RecordsWritten<T>, KnowledgeFailure | Failure>>;
type Decided<T> = Result<Decision<T>, KnowledgeFailure>;

/** Creates an atom or molecule in one journaled write. Fails when the name is taken, a pattern is invalid, or the task or molecule does not exist. */
export function create(records: Records, author: Author, input: CreateInput, anchorsOf: AnchorsOf): Outcome<Saved> {
  return records.write(author, () => withRetention(records, decideCreate(records, input, anchorsOf)));
}

/** Writes the given fields, or the fields of `restoreVersion`, as the next version. Fails with CONFLICT when `version` is not the latest. */
export function update(records: Records, author: Author, input: UpdateInput, anchorsOf: AnchorsOf): Outcome<Saved> {
  return records.write(author, () =>
    withRetention(records, input.restoreVersion === undefined ? decideUpdate(records, input, anchorsOf) : decideRestore(records, input, input.restoreVersion)),
  );
}

/** Deletes an atom or molecule; with `cascade` also the atoms of a molecule, which are orphans otherwise. Its versions stay in the history. */
export function remove(records: Records, author: Author, input: DeleteInput): Outcome<Deleted> {
  return records.write(author, () => withRetention(records, decideDelete(records, input)));
}

/** Adds an entry to the changelog of an atom or molecule. Entries are never changed. */
export function addEntry(records: Records, author: Author, input: EntryInput): Outcome<ChangelogEntry> {
  return records.write(author, () => decideEntry(records, input));
}

function decideCreate(records: Records, input: CreateInput, anchorsOf: AnchorsOf): Decided<Saved> {
  const { entityType } = input;
  const task = existingTask(records, input.createdByTaskId, 'createdByTaskId');
  if (!task.ok) return task;
  const missing = entityType === 'atom' && input.paths === undefined ? [{ field: 'paths', message: 'is missing' }] : [];
  if (missing.length > 0) return err(refused(missing));
  const fields = checkedFields(records, entityType, input, undefined);
  if (!fields.ok) return fields;
  const { name = '', knowledge = '', paths = [], related = [], moleculeId = null } = fields.value;
  const now = isoOf(records.now());
  const id = `${entityType}::${records.newId()}`;
  const common = {
    projectId: records.projectId,
    name,
    knowledge,
    createdByTaskId: task.value,
    lastTaskId: task.value,
    version: 1,
    createdAt: now,
    updatedAt: now,
    anchors: anchorsOf(knowledge, paths),
  };
  const record =
    entityType === 'atom'
      ? drafts.putAtom({ ...common, id, moleculeId, paths, relatedAtoms: asRelatedAtoms(related) })
      : drafts.putMolecule({ ...common, id, relatedMolecules: asRelatedMolecules(related) });
  return saved(record, { id, version: 1 });
}

function decideUpdate(records: Records, input: UpdateInput, anchorsOf: AnchorsOf): Decided<Saved> {
  const found = currentOf(records, input);
  if (!found.ok) return found;
  const task = existingTask(records, input.lastTaskId, 'lastTaskId');
  if (!task.ok) return task;
  const before = found.value;
  const updatedAt = laterThan(before.updatedAt, records.now());
  const knowledge = input.knowledge === undefined ? undefined : newKnowledge(before, input, updatedAt, task.value);
  const fields = checkedFields(records, input.entityType, { ...input, ...(knowledge === undefined ? {} : { knowledge }) }, before.id);
  if (!fields.ok) return fields;
  const { related, ...given } = fields.value;
  const anchors = newAnchors(before, input, given, anchorsOf);
  const common = { ...given, lastTaskId: task.value, version: before.version + 1, updatedAt, anchors };
  if ('paths' in before) {
    const atom: Atom = { ...before, ...common, ...(related === undefined ? {} : { relatedAtoms: asRelatedAtoms(related) }) };
    return saved(drafts.putAtom(atom), atom);
  }
  const molecule: Molecule = { ...before, ...common, ...(related === undefined ? {} : { relatedMolecules: asRelatedMolecules(related) }) };
  return saved(drafts.putMolecule(molecule), molecule);
}

/** The text keeps the anchors that it had: what has changed since it was written has changed since. */
function decideRestore(records: Records, input: UpdateInput, version: number): Decided<Saved> {
  const { entityType, id: given, knowledge, moleculeId, name, paths, related } = input;
  const others = Object.entries({ knowledge, moleculeId, name, paths, related }).filter(([, value]) => value !== undefined);
  if (others.length > 0) return err(refused(others.map(([field]) => ({ field, message: 'cannot be combined with restoreVersion' }))));
  const id = entityId(entityType, given) ?? given;
  const before = entityIn(records, entityType, id) ?? entityAt(records, id);
  if (before === undefined) return err(unknownEntity(entityType, given));
  if (before.version !== input.version) return err(outdated(entityType, before.name, input.version, before.version));
  const task = existingTask(records, input.lastTaskId, 'lastTaskId');
  if (!task.ok) return task;
  const old = entityAt(records, id, version);
  if (old === undefined) return err(unknownVersion(id, version, historyOf(records, id)?.versions.map(one => one.version) ?? []));
  const common = { version: before.version + 1, createdAt: before.createdAt, lastTaskId: task.value, updatedAt: laterThan(before.updatedAt, records.now()) };
  if (!('paths' in old)) return saved(drafts.putMolecule({ ...old, ...common }), { id, version: common.version });
  const isThere = old.moleculeId !== null && knowledgeOf(records).molecule(old.moleculeId) !== undefined;
  return saved(drafts.putAtom({ ...old, ...common, moleculeId: isThere ? old.moleculeId : null }), { id, version: common.version });
}

function decideDelete(records: Records, input: DeleteInput): Decided<Deleted> {
  const found = currentOf(records, input);
  if (!found.ok) return found;
  const task = existingTask(records, input.lastTaskId ?? 'manual', 'lastTaskId');
  if (!task.ok) return task;
  const { id, updatedAt } = found.value;
  if (input.entityType === 'atom') return ok({ records: [drafts.removeAtom(id)], result: { deletedId: id, orphanedAtomIds: [], deletedAtomIds: [] } });
  const members = knowledgeOf(records).membersOf(id);
  const atomIds = members.map(member => member.id);
  const newest = members.reduce((latest, member) => (member.updatedAt > latest ? member.updatedAt : latest), updatedAt);
  const record = drafts.removeMolecule({ id, cascade: input.cascade, lastTaskId: task.value, updatedAt: laterThan(newest, records.now()) });
  const result = { deletedId: id, orphanedAtomIds: input.cascade ? [] : atomIds, deletedAtomIds: input.cascade ? atomIds : [] };
  return ok({ records: [record], result });
}

function decideEntry(records: Records, input: EntryInput): Decided<ChangelogEntry> {
  const { parentType } = input;
  const parentId = entityId(parentType, input.parentId);
  const parent = parentId === undefined ? undefined : entityIn(records, parentType, parentId);
  if (parent === undefined) return err(unknownEntity(parentType, input.parentId));
  const task = existingTask(records, input.taskId, 'taskId');
  if (!task.ok) return task;
  const summary = normalizeText(input.summary);
  const issues = summaryIssues(summary);
  if (issues.length > 0) return err(refused(issues));
  const newest = records.query('SELECT max(created_at) AS at FROM graph_changelog WHERE parent_type = ? AND parent_id = ?', [parentType, parent.id]);
  const createdAt = laterThan(String(newest[0]?.['at'] ?? ''), records.now());
  const entry: ChangelogEntry = { id: `changelog::${records.newId()}`, parentType, parentId: parent.id, taskId: task.value, summary, createdAt };
  return ok({ records: [drafts.addEntry(entry)], result: entry });
}

function saved(record: RecordDraft, { id, version }: Saved): Decided<Saved> {
  return ok({ records: [record], result: { id, version } });
}

/** The entity at the version that the writer has seen. */
function currentOf(records: Records, { entityType, id: given, version }: UpdateInput | DeleteInput): Result<Atom | Molecule, KnowledgeFailure> {
  const id = entityId(entityType, given);
  const entity = id === undefined ? undefined : entityIn(records, entityType, id);
  if (entity === undefined) return err(unknownEntity(entityType, given));
  return entity.version === version ? ok(entity) : err(outdated(entityType, entity.name, version, entity.version));
}

/** The text that is to be stored; the bounds apply to it. */
function newKnowledge(before: Atom | Molecule, { knowledge = '', knowledgeMode }: UpdateInput, at: string, taskId: string): string {
  return knowledgeMode === 'append' ? appended(before.knowledge, normalizeText(knowledge), at, taskId) : knowledge;
}

/**
 * Writing the whole text confirms everything that it names in its current state. What is appended, and new patterns, are anchored by themselves:
 * the text there was before keeps its anchors, and a write of other fields vouches for nothing.
 */
function newAnchors(before: Atom | Molecule, { knowledge, knowledgeMode }: UpdateInput, given: GivenFields, anchorsOf: AnchorsOf): readonly Anchor[] {
  const pathsBefore = 'paths' in before ? before.paths : [];
  const paths = given.paths ?? pathsBefore;
  if (given.knowledge !== undefined && knowledgeMode === 'overwrite') return anchorsOf(given.knowledge, paths);
  if (knowledge === undefined && given.paths === undefined) return before.anchors;
  const fresh = anchorsOf(knowledge ?? '', given.paths ?? []);
  const kept = before.anchors.filter(anchor => paths.includes(anchor.ref) || !pathsBefore.includes(anchor.ref));
  return [...kept.filter(anchor => fresh.every(other => other.ref !== anchor.ref)), ...fresh];
}

function asRelatedAtoms(related: readonly RelatedInput[]): readonly RelatedAtom[] {
  return related.map(({ id, reason }) => ({ atomId: id, reason }));
}

function asRelatedMolecules(related: readonly RelatedInput[]): readonly RelatedMolecule[] {
  return related.map(({ id, reason }) => ({ moleculeId: id, reason }));
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Now, and always after `before`: a clock that was set back does not turn history round. */
function laterThan(before: string, nowMs: number): string {
  const earliest = before === '' ? 0 : Date.parse(before) + 1;
  return isoOf(Math.max(nowMs, earliest));
}
