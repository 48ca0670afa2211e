import type { Steps } from '../../base/steps';
import { problem, type SyncProblem } from './problems';
import { type ConflictReason, reconcile, type Verdict } from './reconcile';
import type { SharedFile, SharedFolder } from './sharedFolder';
import { canonicalEntry, type EntityKind, isSame, type MergedField, type SharedEntity, type SharedEntry, unwritable } from './sharedState';
import { ATTRIBUTES_LINE, ATTRIBUTES_PATH, changelogPath, changelogText, entityPaths, entityText, MANIFEST_PATH, manifestText } from './textFiles';

/** The rows of the project as far as they are shared. */
export interface LocalKnowledge {
  /** Rows by id, canonical. */
  readonly entities: ReadonlyMap<string, SharedEntity>;
  entriesOf(id: string): readonly SharedEntry[];
}

/** What a checkout last agreed on, by id; canonical. */
export type Bases = ReadonlyMap<string, SharedEntity>;

export interface SyncConflict {
  readonly id: string;
  readonly kind: EntityKind;
  readonly name: string;
  readonly reason: ConflictReason;
  /** Empty when one side is gone. */
  readonly fields: readonly MergedField[];
  /** Workspace path of the file, if there is one. */
  readonly path: string | null;
}

/** A common state of a row and its file from now on. */
export interface NewBase {
  readonly id: string;
  readonly entity: SharedEntity;
  /** Hash of the file that says so. */
  readonly fileHash: string;
}

export interface ImportPlan {
  readonly created: readonly SharedEntity[];
  readonly updated: readonly SharedEntity[];
  /** How many of the updated were merged out of two changes. */
  readonly merged: number;
  readonly removed: readonly string[];
  readonly entries: readonly { readonly parentId: string; readonly kind: EntityKind; readonly entry: SharedEntry }[];
  readonly bases: readonly NewBase[];
  readonly forgotten: readonly string[];
  readonly conflicts: readonly SyncConflict[];
  readonly problems: readonly SyncProblem[];
}

/** More than this many deletions … */
export const ASK_ABOVE_COUNT = 10;
/** … of more than this part of everything want a yes. */
export const ASK_ABOVE_SHARE = 0.25;

export function needsConfirmation(removed: number, total: number): boolean {
  return removed > ASK_ABOVE_COUNT && removed > total * ASK_ABOVE_SHARE;
}

/** Entities between two stops: a few milliseconds. */
const STEP = 100;
/** The same for changelogs, which are read from the tables. */
const ENTRY_STEP = 20;

/** What an import will do: compares rows, files and the last common state of each entity, and merges field by field. Writes nothing. */
export function* planImport(local: LocalKnowledge, bases: Bases, folder: SharedFolder): Steps<ImportPlan> {
  const created: SharedEntity[] = [];
  const updated: SharedEntity[] = [];
  const removed: string[] = [];
  const newBases: NewBase[] = [];
  const forgotten: string[] = [];
  const conflicts: SyncConflict[] = [];
  let [judged, merged] = [0, 0];
  for (const { base, file, id, row, verdict } of verdicts(local, bases, folder)) {
    if (++judged % STEP === 0) yield undefined;
    const agreed = (): void => void (file === undefined ? forgotten.push(id) : newBases.push({ id, entity: file.entity, fileHash: file.hash }));
    switch (verdict.kind) {
      case 'import':
        if (verdict.how === 'create') created.push(verdict.entity);
        else if (row === undefined || !isSame(row, verdict.entity)) updated.push(verdict.entity);
        if (verdict.how === 'merge') merged += 1;
        agreed();
        break;
      case 'importDeletion':
        removed.push(id);
        agreed();
        break;
      case 'agree':
        if (verdict.isNewBase) agreed();
        break;
      case 'forget':
        forgotten.push(id);
        break;
      case 'conflict':
        conflicts.push(conflictOf(id, verdict, row ?? file?.entity ?? base, file));
        break;
      case 'export':
      case 'exportDeletion':
        break;
    }
  }
  const rows = new Map(local.entities);
  for (const entity of [...created, ...updated]) rows.set(entity.id, entity);
  for (const id of removed) rows.delete(id);
  const changelogs = yield* newEntries(local, rows, folder);
  return {
    created,
    updated,
    merged,
    removed,
    entries: changelogs.entries,
    bases: newBases,
    forgotten,
    conflicts,
    problems: [...folder.problems, ...changelogs.problems, ...(yield* unknownReferences(rows, folder))],
  };
}

/** A knowledge file to be written or removed. */
export interface FileChange {
  readonly path: string;
  /** `undefined` removes the file. */
  readonly text: string | undefined;
  /** Hash of the file as it was read; `undefined` when there was none. Another content is not overwritten. */
  readonly expected: string | undefined;
  /** The entity that the file then stands for; absent for other files. */
  readonly entity?: SharedEntity;
}

export interface ExportPlan {
  readonly changes: readonly FileChange[];
  /** Agreed on without a change of the file. */
  readonly bases: readonly NewBase[];
  readonly forgotten: readonly string[];
  /** Entities whose file is newer: an import comes first. */
  readonly pending: readonly string[];
  readonly conflicts: readonly SyncConflict[];
  readonly problems: readonly SyncProblem[];
}

/** With `only`, of these entities alone. */
export function* planExport(local: LocalKnowledge, bases: Bases, folder: SharedFolder, only?: ReadonlySet<string>): Steps<ExportPlan> {
  const changes: FileChange[] = [];
  const newBases: NewBase[] = [];
  const forgotten: string[] = [];
  const pending: string[] = [];
  const conflicts: SyncConflict[] = [];
  const problems: SyncProblem[] = [...folder.problems];
  const judged: Judged[] = [];
  for (const one of verdicts(local, bases, folder)) {
    if (judged.push(one) % STEP === 0) yield undefined;
  }
  const ofFilesAlone = judged.flatMap(({ file, row, verdict }) =>
    row !== undefined || file === undefined || verdict.kind === 'exportDeletion' ? [] : [file.entity],
  );
  const paths = yield* entityPaths([...local.entities.values(), ...ofFilesAlone]);
  for (const [at, { base, file, id, row, verdict }] of judged.entries()) {
    if (at % STEP === STEP - 1) yield undefined;
    if (only?.has(id) === false) continue;
    if (verdict.kind === 'conflict') conflicts.push(conflictOf(id, verdict, row ?? file?.entity ?? base, file));
    else if (verdict.kind === 'import' || verdict.kind === 'importDeletion') pending.push(id);
    else if (verdict.kind === 'forget') forgotten.push(id);
    else if (verdict.kind === 'exportDeletion' && file !== undefined) {
      changes.push({ path: file.path, text: undefined, expected: file.hash });
      forgotten.push(id);
    } else if (row !== undefined) {
      const step = exportRow(row, base, file, folder.hashes, placeOf(paths.get(id) ?? '', file?.path));
      changes.push(...step.changes);
      newBases.push(...step.bases);
      problems.push(...step.problems);
    }
  }
  const paused = new Set([...conflicts.map(({ id }) => id), ...folder.held]);
  const waiting = new Set(pending);
  changes.push(...(yield* changelogChanges(local, folder, paused, waiting, only)));
  // A checkout that took all files away gets none back: Git would refuse to return to where they are.
  const isEmpty = folder.isEmpty && [...local.entities.keys()].every(id => waiting.has(id));
  if (!isEmpty) changes.push(...frameChanges(folder));
  const written = new Set(changes.flatMap(({ path, text }) => (text === undefined ? [] : [path])));
  return { changes: changes.filter(({ path, text }) => text !== undefined || !written.has(path)), bases: newBases, forgotten, pending, conflicts, problems };
}

interface ExportStep {
  readonly changes: readonly FileChange[];
  readonly bases: readonly NewBase[];
  readonly problems: readonly SyncProblem[];
}

/** Makes the file say what the row says, at its place. */
function exportRow(
  row: SharedEntity,
  base: SharedEntity | undefined,
  file: SharedFile | undefined,
  hashes: ReadonlyMap<string, string>,
  path: string,
): ExportStep {
  const refused = unwritable(row);
  if (refused !== undefined) {
    const complaint = problem(path, 1, `${row.name} was not exported. ${refused}`, 'Change the knowledge in the editor, or ask an agent to change it.');
    return { changes: [], bases: [], problems: [complaint] };
  }
  const text = entityText(row);
  if (file?.path === path && file.text === text) {
    const isAgreed = base !== undefined && isSame(base, row);
    return { changes: [], bases: isAgreed ? [] : [{ id: row.id, entity: row, fileHash: file.hash }], problems: [] };
  }
  const changes: FileChange[] = [{ path, text, expected: hashes.get(path), entity: row }];
  if (file !== undefined && file.path !== path) changes.push({ path: file.path, text: undefined, expected: file.hash });
  return { changes, bases: [], problems: [] };
}

/** A file whose name differs in case alone stays where it is: many file systems hold both names for one. */
function placeOf(path: string, found: string | undefined): string {
  return found !== undefined && found.toLowerCase() === path.toLowerCase() ? found : path;
}

interface Judged {
  readonly id: string;
  readonly base: SharedEntity | undefined;
  readonly row: SharedEntity | undefined;
  readonly file: SharedFile | undefined;
  readonly verdict: Verdict;
}

/** Every entity that is known anywhere, in order of id; what is held back is left out. */
function* verdicts(local: LocalKnowledge, bases: Bases, folder: SharedFolder): Generator<Judged> {
  const ids = new Set([...local.entities.keys(), ...bases.keys(), ...folder.entities.keys()]);
  for (const id of [...ids].sort()) {
    if (folder.held.has(id)) continue;
    const [base, row, file] = [bases.get(id), local.entities.get(id), folder.entities.get(id)];
    const verdict = reconcile({ base, local: row, file: file?.entity });
    const needsGone = file === undefined && base !== undefined;
    if (!(needsGone && folder.holdsAll)) yield { id, base, row, file, verdict };
  }
}

function conflictOf(id: string, verdict: Verdict & { readonly kind: 'conflict' }, known: SharedEntity | undefined, file: SharedFile | undefined): SyncConflict {
  const kind = id.startsWith('atom::') ? 'atom' : 'molecule';
  return { id, kind, name: known?.name ?? id, reason: verdict.reason, fields: verdict.fields, path: file?.path ?? null };
}

/** Union by id: what the files have and the rows do not. */
function* newEntries(
  local: LocalKnowledge,
  rows: ReadonlyMap<string, SharedEntity>,
  folder: SharedFolder,
): Steps<{ readonly entries: ImportPlan['entries'][number][]; readonly problems: SyncProblem[] }> {
  const entries: ImportPlan['entries'][number][] = [];
  const problems: SyncProblem[] = [];
  let seen = 0;
  for (const { entries: inFile, parentId, path } of folder.changelogs.values()) {
    if (++seen % ENTRY_STEP === 0) yield undefined;
    const parent = rows.get(parentId);
    if (parent === undefined) {
      if (!folder.held.has(parentId) && !folder.entities.has(parentId) && !folder.holdsAll)
        problems.push(
          problem(path, 1, `This changelog belongs to ${parentId}, which does not exist.`, 'Restore its file from Git, or delete this file.', 'warning'),
        );
      continue;
    }
    const known = new Map(local.entriesOf(parentId).map(entry => [entry.id, canonicalEntry(entry)]));
    for (const entry of inFile) {
      const own = known.get(entry.id);
      if (own === undefined) entries.push({ parentId, kind: parent.kind, entry });
      else if (own.summary !== entry.summary || own.taskId !== entry.taskId || own.createdAt !== entry.createdAt)
        problems.push(
          problem(
            path,
            1,
            `The entry ${entry.id} differs from the stored entry.`,
            'Entries cannot be changed. Add a correction as a new entry with its own ID.',
            'warning',
          ),
        );
    }
  }
  return { entries, problems };
}

/** References to what is not there are kept and said. */
function* unknownReferences(rows: ReadonlyMap<string, SharedEntity>, folder: SharedFolder): Steps<SyncProblem[]> {
  const problems: SyncProblem[] = [];
  let seen = 0;
  for (const { entity, path } of folder.entities.values()) {
    if (++seen % (10 * STEP) === 0) yield undefined;
    const references = [...(entity.moleculeId === null ? [] : [entity.moleculeId]), ...entity.related.map(({ id }) => id)];
    for (const id of references) {
      if (!rows.has(id))
        problems.push(problem(path, 2, `It refers to ${id}, which does not exist.`, 'Restore that file from Git, or remove the reference.', 'warning'));
    }
  }
  return problems;
}

function* changelogChanges(
  local: LocalKnowledge,
  folder: SharedFolder,
  paused: ReadonlySet<string>,
  pending: ReadonlySet<string>,
  only: ReadonlySet<string> | undefined,
): Steps<FileChange[]> {
  const changes: FileChange[] = [];
  let seen = 0;
  for (const [id, { kind }] of local.entities) {
    if (only?.has(id) === false || paused.has(id) || pending.has(id)) continue;
    if (++seen % ENTRY_STEP === 0) yield undefined;
    const change = changelogChange(local, folder, kind, id);
    if (change !== undefined) changes.push(change);
  }
  // The changelog of what is gone goes too, once nothing can claim it any more.
  for (const [id, { path, hash }] of folder.changelogs) {
    const isClaimed = local.entities.has(id) || folder.held.has(id) || folder.holdsAll || paused.has(id) || pending.has(id) || only?.has(id) === false;
    if (!isClaimed) changes.push({ path, text: undefined, expected: hash });
  }
  return changes;
}

/** Makes the file hold what either side has; a file that cannot be read whole is left alone. */
function changelogChange(local: LocalKnowledge, folder: SharedFolder, kind: EntityKind, id: string): FileChange | undefined {
  const path = changelogPath(kind, id);
  const found = folder.changelogs.get(id);
  const isUnreadable = found === undefined ? folder.hashes.has(path) : found.problems.length > 0;
  if (isUnreadable) return undefined;
  const entries = new Map([...local.entriesOf(id), ...(found?.entries ?? [])].reverse().map(entry => [entry.id, entry]));
  const text = changelogText([...entries.values()]);
  return text === (found?.text ?? '') ? undefined : { path, text, expected: found?.hash };
}

function frameChanges(folder: SharedFolder): FileChange[] {
  const changes: FileChange[] = [];
  if (folder.manifestText !== manifestText()) changes.push({ path: MANIFEST_PATH, text: manifestText(), expected: folder.hashes.get(MANIFEST_PATH) });
  const lines = folder.attributesText?.split(/\r?\n/) ?? [];
  if (!lines.includes(ATTRIBUTES_LINE)) {
    const text = [...lines.filter(line => line !== ''), ATTRIBUTES_LINE, ''].join('\n');
    changes.push({ path: ATTRIBUTES_PATH, text, expected: folder.hashes.get(ATTRIBUTES_PATH) });
  }
  return changes;
}
