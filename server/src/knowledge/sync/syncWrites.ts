import { err, type Failure, ok, type Result } from '../../base/result';
import { runAtOnce, type Steps } from '../../base/steps';
import type { Author, Decision, RecordDraft, Records, RecordsWritten } from '../../model/records';
import { withRetention } from '../retention';
import { drafts } from '../tables';
import type { Anchor, Atom, ChangelogEntry, Molecule } from '../types';
import { knowledgeOf } from '../view';
import { type Bases, type ExportPlan, type LocalKnowledge, type NewBase, needsConfirmation, planExport, planImport, type SyncConflict } from './plan';
import type { SyncProblem } from './problems';
import { type ReadFile, type SharedFolder, sharedFolder } from './sharedFolder';
import { canonical, isSame, type SharedEntity, type SharedEntry } from './sharedState';
import { type RemovalQuestion, syncDrafts } from './syncTables';

/** Knowledge of one project and the files of one of its checkouts. */
export interface SyncPlace {
  readonly records: Records;
  /** Real path of the checkout. */
  readonly checkout: string;
  /** Carries out what may take long; others get their turn at each stop. */
  readonly run: <T>(steps: Steps<T>) => Promise<T>;
}

/** Why an import or export did nothing. */
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

/** How often an import is prepared while others may write; the next preparation lets nobody in between. */
const PREPARATIONS = 3;

/** Reads the files into the rows, as one transaction. Changes no file. */
export async function importFiles(
  place: SyncPlace,
  author: Author,
  request: ImportRequest,
): Promise<Result<RecordsWritten<ImportOutcome | ImportQuestion>, SyncFailure | Failure>> {
  const edition = place.records.companion(makeEdition);
  for (let attempt = 0; attempt < PREPARATIONS; attempt++) {
    const { count } = edition;
    const decided = await place.run(decideImport(place, request));
    const written = await place.records.write(author, () => (edition.count === count ? withRetention(place.records, decided) : err(OVERTAKEN)));
    if (written.ok || written.error !== OVERTAKEN) return written;
  }
  return place.records.write(author, () => withRetention(place.records, runAtOnce(decideImport(place, request))));
}

const OVERTAKEN: Failure = { code: 'OVERTAKEN', message: 'The knowledge was changed during the import.' };

/** Grows with every write that an import may depend on. */
interface Edition {
  count: number;
}

function makeEdition(records: Records): Edition {
  const edition: Edition = { count: 0 };
  records.onApplied(written => {
    if (written.some(({ kind }) => kind.startsWith('knowledge'))) edition.count += 1;
  });
  return edition;
}

/** What an export would do with the files as they are. */
export async function exportOf(place: SyncPlace, files: readonly ReadFile[], only?: ReadonlySet<string>): Promise<Result<ExportPlan, SyncFailure>> {
  return place.run(exportSteps(place, files, only));
}

function* exportSteps(place: SyncPlace, files: readonly ReadFile[], only: ReadonlySet<string> | undefined): Steps<Result<ExportPlan, SyncFailure>> {
  const { bases } = yield* readBases(place);
  const folder = yield* folderOf(place, files, bases);
  return folder.ok ? ok(yield* planExport(yield* localKnowledge(place.records), bases, folder.value, only)) : folder;
}

/** Entities whose agreement is noted in one record, so that none takes long. */
const NOTED_AT_ONCE = 200;

/** Keeps what rows and files agree on after an export. */
export async function noteExported(
  { checkout, records }: SyncPlace,
  author: Author,
  { bases, forgotten }: { readonly bases: readonly NewBase[]; readonly forgotten: readonly string[] },
): Promise<Result<void>> {
  for (let at = 0; at < Math.max(bases.length, forgotten.length); at += NOTED_AT_ONCE) {
    const part = { checkout, bases: bases.slice(at, at + NOTED_AT_ONCE), forgotten: forgotten.slice(at, at + NOTED_AT_ONCE) };
    const noted = await records.write(author, () => ok({ records: [syncDrafts.agree(part)], result: undefined }));
    if (!noted.ok) return noted;
  }
  return ok(undefined);
}

/** The unresolved conflicts of a checkout, by ID of the entity. */
export function conflictsOf({ checkout, records }: SyncPlace): readonly SyncConflict[] {
  return records
    .query('SELECT conflict_json FROM knowledge_conflict WHERE checkout = ? ORDER BY entity_id', [checkout])
    .map(row => JSON.parse(String(row['conflict_json'])) as SyncConflict);
}

/** The deletion that waits for a person's confirmation, if there is one. */
export function questionOf({ checkout, records }: SyncPlace): RemovalQuestion | undefined {
  const [row] = records.query('SELECT removed, total FROM knowledge_question WHERE checkout = ?', [checkout]);
  return row === undefined ? undefined : { removed: Number(row['removed']), total: Number(row['total']) };
}

interface Agreed {
  readonly bases: Bases;
  /** What a file of this hash is known to say. */
  readonly byHash: ReadonlyMap<string, SharedEntity>;
}

/** Rows read, or entities looked at, between two stops. */
const STEP = 100;

/** What the checkout last agreed on with its files. */
export function* readBases({ checkout, records }: SyncPlace): Steps<Agreed> {
  const bases = new Map<string, SharedEntity>();
  const byHash = new Map<string, SharedEntity>();
  for (let last = ''; ; ) {
    const sql = `SELECT entity_id, base_json, file_hash FROM knowledge_sync WHERE checkout = ? AND entity_id > ? ORDER BY entity_id LIMIT ${STEP}`;
    const rows = records.query(sql, [checkout, last]);
    for (const row of rows) {
      const entity = JSON.parse(String(row['base_json'])) as SharedEntity;
      bases.set(String(row['entity_id']), entity);
      byHash.set(String(row['file_hash']), entity);
    }
    if (rows.length < STEP) return { bases, byHash };
    last = String(rows[rows.length - 1]?.['entity_id']);
    yield undefined;
  }
}

/** How a person resolves a conflict: one side as it is, or a merged text. */
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
export async function resolveConflict(
  place: SyncPlace,
  author: Author,
  request: ResolveRequest,
): Promise<Result<RecordsWritten<undefined>, SyncFailure | Failure>> {
  const folder = await place.run(readFolder(place, request.files));
  if (!folder.ok) return folder;
  return place.records.write(author, () => withRetention(place.records, decideResolution(place, request, folder.value)));
}

/** The three sides of an entity: what was last agreed on, the row, the file. */
export function sidesOf(
  { checkout, records }: SyncPlace,
  folder: SharedFolder,
  id: string,
): { readonly base: SharedEntity | undefined; readonly local: SharedEntity | undefined; readonly file: SharedEntity | undefined } {
  const [agreed] = records.query('SELECT base_json FROM knowledge_sync WHERE checkout = ? AND entity_id = ?', [checkout, id]);
  const row = rowOf(records, id);
  return {
    base: agreed === undefined ? undefined : (JSON.parse(String(agreed['base_json'])) as SharedEntity),
    local: row && sharedOf(row),
    file: folder.entities.get(id)?.entity,
  };
}

/** Reads the knowledge files of a checkout. Fails when the folder as a whole cannot be used, such as for a newer format. */
export function* readFolder(place: SyncPlace, files: readonly ReadFile[]): Steps<Result<SharedFolder, SyncFailure>> {
  const { bases } = yield* readBases(place);
  return yield* folderOf(place, files, bases);
}

function* folderOf(place: SyncPlace, files: readonly ReadFile[], bases: Bases): Steps<Result<SharedFolder, SyncFailure>> {
  const view = knowledgeOf(place.records);
  const known = [...view.atoms(), ...view.molecules()].map(({ id }) => id);
  yield undefined;
  const folder = yield* sharedFolder(files, [...known, ...bases.keys()]);
  if (!('refusal' in folder)) return ok(folder);
  const { fix, line, message, path } = folder.refusal;
  return err({ code: 'VALIDATION_ERROR', message: `${path}:${line}: ${message} ${fix}`, problem: folder.refusal });
}

function* decideImport(place: SyncPlace, { anchorsOf, files, gone }: ImportRequest): Steps<Result<Decision<ImportOutcome | ImportQuestion>, SyncFailure>> {
  const agreed = yield* readBases(place);
  const folder = yield* folderOf(place, files, agreed.bases);
  if (!folder.ok) return folder;
  const local = yield* localKnowledge(place.records);
  const plan = yield* planImport(local, agreed.bases, folder.value);
  const asked = questionOf(place);
  if (gone === 'ask' && needsConfirmation(plan.removed.length, local.entities.size)) {
    const question = { removed: plan.removed.length, total: local.entities.size };
    const isNew = JSON.stringify(question) !== JSON.stringify(asked);
    return ok({ records: isNew ? [syncDrafts.question({ checkout: place.checkout, question })] : [], result: { question } });
  }
  const { bases, conflicts, created, entries, forgotten, merged, problems, updated } = plan;
  // Without a base, the next export takes the entity for new and writes its file.
  const removed = gone === 'keep' ? [] : plan.removed;
  const records: RecordDraft[] = [];
  for (const entity of [...created, ...updated]) if (records.push(putDraft(place.records, entity, anchorsOf)) % STEP === 0) yield undefined;
  for (const id of removed) records.push(removalDraft(place.records, id));
  for (const { entry, kind, parentId } of entries) records.push(drafts.addEntry(entryOf(entry, kind, parentId)));
  if (asked !== undefined) records.push(syncDrafts.question({ checkout: place.checkout, question: null }));
  if (bases.length + forgotten.length > 0) records.push(syncDrafts.agree({ checkout: place.checkout, bases, forgotten }));
  if (JSON.stringify(conflicts) !== JSON.stringify(conflictsOf(place))) records.push(syncDrafts.conflicts({ checkout: place.checkout, conflicts }));
  const result = { created: created.length, updated: updated.length, merged, removed: removed.length, entries: entries.length, conflicts, problems };
  return ok({ records, result });
}

function decideResolution(place: SyncPlace, request: ResolveRequest, folder: SharedFolder): Result<Decision<undefined>, SyncFailure> {
  const { anchorsOf, fileHash, id, resolution, version } = request;
  const conflict = conflictsOf(place).find(one => one.id === id);
  if (conflict === undefined) return err({ code: 'NOT_FOUND', message: `There is no conflict for ${id}.` });
  const row = rowOf(place.records, id);
  const file = folder.entities.get(id);
  if (row?.version !== version || file?.hash !== fileHash) {
    return err({ code: 'CONFLICT', message: `${conflict.name} has changed. Open the conflict again.` });
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

/** The atom or molecule with this ID. */
export function rowOf(records: Records, id: string): Atom | Molecule | undefined {
  const view = knowledgeOf(records);
  return id.startsWith('atom::') ? view.atom(id) : view.molecule(id);
}

function* localKnowledge(records: Records): Steps<LocalKnowledge> {
  const view = knowledgeOf(records);
  const known = records.companion(makeSharedRows);
  const entities = new Map<string, SharedEntity>();
  for (const row of [...view.atoms(), ...view.molecules()]) {
    let shared = known.get(row);
    if (shared === undefined) known.set(row, (shared = sharedOf(row)));
    if (entities.set(row.id, shared).size % STEP === 0) yield undefined;
  }
  return { entities, entriesOf: id => entriesOf(records, id) };
}

/** Rows never change, so what they share is worked out once. */
function makeSharedRows(_records: Records): WeakMap<Atom | Molecule, SharedEntity> {
  return new WeakMap();
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
