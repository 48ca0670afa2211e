import { err, type Failure, ok, type Result } from '../../base/result';
import type { Author, Decision, RecordDraft, Records, RecordsWritten } from '../../model/records';
import { withRetention } from '../retention';
import { drafts } from '../tables';
import type { Anchor, Atom, ChangelogEntry, Molecule } from '../types';
import { knowledgeOf } from '../view';
import { asksFirst, type Bases, type ExportPlan, type LocalKnowledge, type NewBase, planExport, planImport, type SyncConflict } from './plan';
import type { SyncProblem } from './problems';
import { type ReadFile, type SharedFolder, sharedFolder } from './sharedFolder';
import { canonical, isSame, type SharedEntity, type SharedEntry } from './sharedState';
import { type RemovalQuestion, syncDrafts } from './syncTables';

/** Knowledge of one project and the files of one of its checkouts. */
export interface SyncPlace {
  readonly records: Records;
  /** Real path of the checkout. */
  readonly checkout: string;
}

export interface SyncFailure extends Failure {
  /** `VALIDATION_ERROR`: the folder cannot be used. `CONFLICT`: what is asked for does not fit what is there. */
  readonly code: 'VALIDATION_ERROR' | 'NOT_FOUND' | 'CONFLICT';
  readonly problem?: SyncProblem;
}

export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  readonly merged: number;
  readonly removed: number;
  readonly entries: number;
  readonly conflicts: readonly SyncConflict[];
  readonly problems: readonly SyncProblem[];
}

/** Nothing was done but to remember the question. */
export interface ImportQuestion {
  readonly question: RemovalQuestion;
}

export interface ImportRequest {
  readonly files: readonly ReadFile[];
  /** What becomes of entities whose files are gone: they go too, unless they are many (`ask`), whatever their number, or they stay and get their files back. */
  readonly gone: 'ask' | 'remove' | 'keep';
  /** What the code that a text and patterns name is like now. */
  readonly anchorsOf: (knowledge: string, paths: readonly string[]) => readonly Anchor[];
}

/** Reads the files into the rows, as one transaction. Changes no file. */
export function importFiles(
  place: SyncPlace,
  author: Author,
  request: ImportRequest,
): Promise<Result<RecordsWritten<ImportOutcome | ImportQuestion>, SyncFailure | Failure>> {
  return place.records.write(author, () => withRetention(place.records, decideImport(place, request)));
}

/** What an export would do with the files as they are. */
export function exportOf(place: SyncPlace, files: readonly ReadFile[], only?: ReadonlySet<string>): Result<ExportPlan, SyncFailure> {
  const folder = folderOf(place, files);
  return folder.ok ? ok(planExport(localKnowledge(place.records), basesOf(place), folder.value, only)) : folder;
}

/** Keeps what rows and files agree on after an export. */
export function noteExported(
  { checkout, records }: SyncPlace,
  author: Author,
  noted: { readonly bases: readonly NewBase[]; readonly forgotten: readonly string[] },
): Promise<Result<RecordsWritten<undefined>>> {
  const isNothing = noted.bases.length + noted.forgotten.length === 0;
  return records.write(author, () => ok({ records: isNothing ? [] : [syncDrafts.agree({ checkout, ...noted })], result: undefined }));
}

export function conflictsOf({ checkout, records }: SyncPlace): readonly SyncConflict[] {
  return records
    .query('SELECT conflict_json FROM knowledge_conflict WHERE checkout = ? ORDER BY entity_id', [checkout])
    .map(row => JSON.parse(String(row['conflict_json'])) as SyncConflict);
}

export function questionOf({ checkout, records }: SyncPlace): RemovalQuestion | undefined {
  const [row] = records.query('SELECT removed, total FROM knowledge_question WHERE checkout = ?', [checkout]);
  return row === undefined ? undefined : { removed: Number(row['removed']), total: Number(row['total']) };
}

/** What a file of this hash is known to say, by the hash. */
export function knownFiles({ checkout, records }: SyncPlace): ReadonlyMap<string, SharedEntity> {
  const rows = records.query('SELECT base_json, file_hash FROM knowledge_sync WHERE checkout = ?', [checkout]);
  return new Map(rows.map(row => [String(row['file_hash']), JSON.parse(String(row['base_json'])) as SharedEntity]));
}

export type Resolution =
  | { readonly side: 'local' | 'file' }
  /** What both sides become. */
  | { readonly entity: SharedEntity };

export interface ResolveRequest {
  readonly id: string;
  readonly resolution: Resolution;
  readonly files: readonly ReadFile[];
  /** Version of the row that the user saw; `undefined` when there was none. */
  readonly version: number | undefined;
  /** Hash of the file that the user saw; `undefined` when there was none. */
  readonly fileHash: string | undefined;
  readonly anchorsOf: ImportRequest['anchorsOf'];
}

/** Ends a conflict. Both sides must be as the user saw them; the file follows with the next export. */
export function resolveConflict(place: SyncPlace, author: Author, request: ResolveRequest): Promise<Result<RecordsWritten<undefined>, SyncFailure | Failure>> {
  return place.records.write(author, () => withRetention(place.records, decideResolution(place, request)));
}

/** The three sides of an entity: what was last agreed on, the row, the file. */
export function sidesOf(
  place: SyncPlace,
  folder: SharedFolder,
  id: string,
): { readonly base: SharedEntity | undefined; readonly local: SharedEntity | undefined; readonly file: SharedEntity | undefined } {
  return { base: basesOf(place).get(id), local: localKnowledge(place.records).entities.get(id), file: folder.entities.get(id)?.entity };
}

export function folderOf(place: SyncPlace, files: readonly ReadFile[]): Result<SharedFolder, SyncFailure> {
  const view = knowledgeOf(place.records);
  const known = [...view.atoms(), ...view.molecules()].map(({ id }) => id);
  const folder = sharedFolder(files, [...known, ...basesOf(place).keys()]);
  if (!('refusal' in folder)) return ok(folder);
  const { fix, line, message, path } = folder.refusal;
  return err({ code: 'VALIDATION_ERROR', message: `${path}:${line}: ${message} ${fix}`, problem: folder.refusal });
}

function decideImport(place: SyncPlace, { anchorsOf, files, gone }: ImportRequest): Result<Decision<ImportOutcome | ImportQuestion>, SyncFailure> {
  const folder = folderOf(place, files);
  if (!folder.ok) return folder;
  const local = localKnowledge(place.records);
  const plan = planImport(local, basesOf(place), folder.value);
  const asked = questionOf(place);
  if (gone === 'ask' && asksFirst(plan.removed.length, local.entities.size)) {
    const question = { removed: plan.removed.length, total: local.entities.size };
    const isNew = JSON.stringify(question) !== JSON.stringify(asked);
    return ok({ records: isNew ? [syncDrafts.question({ checkout: place.checkout, question })] : [], result: { question } });
  }
  const { bases, conflicts, created, entries, forgotten, merged, problems, updated } = plan;
  // Without a base, the next export takes the entity for new and writes its file.
  const removed = gone === 'keep' ? [] : plan.removed;
  const records: RecordDraft[] = [
    ...created.map(entity => putDraft(place.records, entity, anchorsOf)),
    ...updated.map(entity => putDraft(place.records, entity, anchorsOf)),
    ...removed.map(id => removalDraft(place.records, id)),
    ...entries.map(({ entry, kind, parentId }) => drafts.addEntry(entryOf(entry, kind, parentId))),
  ];
  if (asked !== undefined) records.push(syncDrafts.question({ checkout: place.checkout, question: null }));
  if (bases.length + forgotten.length > 0) records.push(syncDrafts.agree({ checkout: place.checkout, bases, forgotten }));
  if (JSON.stringify(conflicts) !== JSON.stringify(conflictsOf(place))) records.push(syncDrafts.conflicts({ checkout: place.checkout, conflicts }));
  const result = { created: created.length, updated: updated.length, merged, removed: removed.length, entries: entries.length, conflicts, problems };
  return ok({ records, result });
}

function decideResolution(place: SyncPlace, request: ResolveRequest): Result<Decision<undefined>, SyncFailure> {
  const { anchorsOf, fileHash, files, id, resolution, version } = request;
  const conflict = conflictsOf(place).find(one => one.id === id);
  if (conflict === undefined) return err({ code: 'NOT_FOUND', message: `There is no conflict about ${id}.` });
  const folder = folderOf(place, files);
  if (!folder.ok) return folder;
  const row = rowOf(place.records, id);
  const file = folder.value.entities.get(id);
  if (row?.version !== version || file?.hash !== fileHash) {
    return err({ code: 'CONFLICT', message: `${conflict.name} was changed meanwhile. Open the conflict again.` });
  }
  const local = row === undefined ? undefined : sharedOf(row);
  const chosen = 'entity' in resolution ? resolution.entity : resolution.side === 'local' ? local : file?.entity;
  const records: RecordDraft[] = [];
  if (chosen === undefined) {
    if (row !== undefined) records.push(removalDraft(place.records, id));
  } else if (local === undefined || !isSame(local, chosen)) records.push(putDraft(place.records, chosen, anchorsOf));
  // What the file says now counts as agreed on, so that the next export writes what was chosen.
  const agreed = file === undefined ? { bases: [], forgotten: [id] } : { bases: [{ id, entity: file.entity, fileHash: file.hash }], forgotten: [] };
  records.push(syncDrafts.agree({ checkout: place.checkout, ...agreed }));
  records.push(syncDrafts.conflicts({ checkout: place.checkout, conflicts: conflictsOf(place).filter(one => one.id !== id) }));
  return ok({ records, result: undefined });
}

export function rowOf(records: Records, id: string): Atom | Molecule | undefined {
  const view = knowledgeOf(records);
  return id.startsWith('atom::') ? view.atom(id) : view.molecule(id);
}

export function localKnowledge(records: Records): LocalKnowledge {
  const view = knowledgeOf(records);
  return {
    entities: new Map([...view.atoms(), ...view.molecules()].map(row => [row.id, sharedOf(row)])),
    entriesOf: id => entriesOf(records, id),
  };
}

function basesOf({ checkout, records }: SyncPlace): Bases {
  const rows = records.query('SELECT entity_id, base_json FROM knowledge_sync WHERE checkout = ?', [checkout]);
  return new Map(rows.map(row => [String(row['entity_id']), JSON.parse(String(row['base_json'])) as SharedEntity]));
}

function entriesOf(records: Records, id: string): readonly SharedEntry[] {
  const parentType = id.startsWith('atom::') ? 'atom' : 'molecule';
  return records
    .query('SELECT id, task_id, summary, created_at FROM graph_changelog WHERE parent_type = ? AND parent_id = ? ORDER BY created_at, id', [parentType, id])
    .map(row => ({ id: String(row['id']), taskId: String(row['task_id']), summary: String(row['summary']), createdAt: String(row['created_at']) }));
}

export function sharedOf(row: Atom | Molecule): SharedEntity {
  const { createdAt, createdByTaskId, id, knowledge, name } = row;
  const common = { id, name, knowledge, createdByTaskId, createdAt };
  if ('paths' in row) {
    const related = row.relatedAtoms.map(({ atomId, reason }) => ({ id: atomId, reason }));
    return canonical({ ...common, kind: 'atom', moleculeId: row.moleculeId, paths: row.paths, related });
  }
  const related = row.relatedMolecules.map(({ moleculeId, reason }) => ({ id: moleculeId, reason }));
  return canonical({ ...common, kind: 'molecule', moleculeId: null, paths: [], related });
}

/** The row that an entity becomes: the next version of what is there, or the first. */
function putDraft(records: Records, entity: SharedEntity, anchorsOf: ImportRequest['anchorsOf']): RecordDraft {
  const { createdAt, createdByTaskId, id, kind, knowledge, moleculeId, name, paths, related } = entity;
  const before = rowOf(records, id);
  const isAsBefore = before !== undefined && before.knowledge === knowledge && JSON.stringify('paths' in before ? before.paths : []) === JSON.stringify(paths);
  const common = {
    id,
    projectId: records.projectId,
    name,
    knowledge,
    createdByTaskId: before?.createdByTaskId ?? createdByTaskId,
    lastTaskId: 'import',
    version: (before?.version ?? 0) + 1,
    createdAt: before?.createdAt ?? createdAt,
    updatedAt: laterThan(before?.updatedAt, records.now()),
    anchors: isAsBefore ? before.anchors : anchorsOf(knowledge, paths),
  };
  if (kind === 'atom') return drafts.putAtom({ ...common, moleculeId, paths, relatedAtoms: related.map(({ id: atomId, reason }) => ({ atomId, reason })) });
  return drafts.putMolecule({ ...common, relatedMolecules: related.map(other => ({ moleculeId: other.id, reason: other.reason })) });
}

function removalDraft(records: Records, id: string): RecordDraft {
  if (id.startsWith('atom::')) return drafts.removeAtom(id);
  const newest = knowledgeOf(records)
    .membersOf(id)
    .reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), '');
  return drafts.removeMolecule({ id, cascade: false, lastTaskId: 'import', updatedAt: laterThan(newest, records.now()) });
}

function entryOf({ createdAt, id, summary, taskId }: SharedEntry, parentType: ChangelogEntry['parentType'], parentId: string): ChangelogEntry {
  return { id, parentType, parentId, taskId, summary, createdAt };
}

/** Now, and always after `before`. */
function laterThan(before: string | undefined, nowMs: number): string {
  const earliest = before === undefined || before === '' ? 0 : Date.parse(before) + 1;
  return new Date(Math.max(nowMs, earliest)).toISOString();
}
