import { err, ok, type Result } from '../base/result';
import { runAtOnce, type Steps } from '../base/steps';
import type { Records, Row } from '../model/records';
import { type KnowledgeFailure, refused } from './failures';
import { entityId } from './rules';
import type { Atom, ChangelogEntry, EntityType, Molecule } from './types';
import { compareCodePoints, type KnowledgeView, knowledgeOf } from './view';

/** An atom and the paths that it was found by, in the order in which they were asked for. */
export interface MatchedAtom {
  readonly atom: Atom;
  readonly matchedPaths: readonly string[];
}

export interface KnowledgeContext {
  /** By name, then id; each with its matching atoms, by name, then id. */
  readonly molecules: readonly { readonly molecule: Molecule; readonly atoms: readonly MatchedAtom[] }[];
  /** Matching atoms without molecule, by name, then id. */
  readonly orphanAtoms: readonly MatchedAtom[];
  readonly unmatchedPaths: readonly string[];
}

/** What is known about some paths, in the spelling of `tidyPath`, each once. */
export function contextOf(view: KnowledgeView, paths: readonly string[]): KnowledgeContext {
  return runAtOnce(contextInSteps(view, paths));
}

/** Paths tried against the atoms before others get their turn. */
const STEP = 200;

/** Atoms that cover some files, by molecule; in steps, because there may be thousands. */
export function* contextInSteps(view: KnowledgeView, paths: readonly string[]): Steps<KnowledgeContext> {
  const found = new Map<Atom, string[]>();
  const unmatchedPaths: string[] = [];
  for (const [at, path] of paths.entries()) {
    if (at % STEP === STEP - 1) yield undefined;
    const atoms = view.atomsCovering(path);
    if (atoms.length === 0) unmatchedPaths.push(path);
    for (const atom of atoms) {
      const matched = found.get(atom);
      if (matched === undefined) found.set(atom, [path]);
      else matched.push(path);
    }
  }
  yield undefined;
  const ordered = [...found].map(([atom, matchedPaths]) => ({ atom, matchedPaths })).sort((a, b) => byName(a.atom, b.atom));
  yield undefined;
  const byMolecule = new Map<Molecule, MatchedAtom[]>();
  const orphanAtoms: MatchedAtom[] = [];
  for (const match of ordered) {
    const { moleculeId } = match.atom;
    const molecule = moleculeId === null ? undefined : view.molecule(moleculeId);
    const siblings = molecule === undefined ? orphanAtoms : (byMolecule.get(molecule) ?? []);
    if (molecule !== undefined && siblings.length === 0) byMolecule.set(molecule, siblings);
    siblings.push(match);
  }
  const molecules = [...byMolecule].map(([molecule, atoms]) => ({ molecule, atoms })).sort((a, b) => byName(a.molecule, b.molecule));
  return { molecules, orphanAtoms, unmatchedPaths };
}

function byName(a: Atom | Molecule, b: Atom | Molecule): number {
  return compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id);
}

export interface SearchParams {
  readonly entityType: EntityType;
  readonly query?: string;
  /** Atoms only. */
  readonly moleculeId?: string;
  /** Atoms only. */
  readonly orphansOnly: boolean;
  /** 1 to 100. */
  readonly limit: number;
  readonly offset: number;
}

export interface Found {
  readonly items: readonly (Atom | Molecule)[];
  readonly total: number;
}

/** Entities whose name and knowledge hold all words of the query: name hits first, then by name, then id. */
export function searchKnowledge(view: KnowledgeView, params: SearchParams): Result<Found, KnowledgeFailure> {
  const { entityType, limit, moleculeId, offset, orphansOnly, query = '' } = params;
  if (moleculeId !== undefined && orphansOnly) return err(refused([{ field: 'orphansOnly', message: 'and moleculeId cannot be combined' }]));
  if (entityType === 'molecule' && (moleculeId !== undefined || orphansOnly)) {
    return err(refused([{ field: orphansOnly ? 'orphansOnly' : 'moleculeId', message: 'is only supported when searching for atoms' }]));
  }
  const molecule = moleculeId === undefined ? undefined : (entityId('molecule', moleculeId) ?? moleculeId);
  const scope = scopeOf(view, entityType, molecule, orphansOnly);
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  const hits = words.length === 0 ? scope : hitsIn(view, scope, words);
  return ok({ items: hits.slice(offset, offset + limit), total: hits.length });
}

function scopeOf(view: KnowledgeView, entityType: EntityType, moleculeId: string | undefined, orphansOnly: boolean): readonly (Atom | Molecule)[] {
  if (entityType === 'molecule') return view.molecules();
  if (orphansOnly) return view.membersOf(null);
  return moleculeId === undefined ? view.atoms() : view.membersOf(moleculeId);
}

/** Keeps the order within name hits, and within the others. */
function hitsIn(view: KnowledgeView, scope: readonly (Atom | Molecule)[], words: readonly string[]): readonly (Atom | Molecule)[] {
  const inName: (Atom | Molecule)[] = [];
  const inKnowledge: (Atom | Molecule)[] = [];
  for (const entity of scope) {
    const { name, knowledge } = view.foldedText(entity);
    if (words.every(word => name.includes(word))) inName.push(entity);
    else if (words.every(word => name.includes(word) || knowledge.includes(word))) inKnowledge.push(entity);
  }
  return [...inName, ...inKnowledge];
}

/** A page of an entity's changelog, newest first, then by id. */
export function changelogOf(
  records: Records,
  parentType: EntityType,
  parentId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { readonly entries: readonly ChangelogEntry[]; readonly total: number } {
  const parent = [parentType, parentId] as const;
  const total = Number(records.query('SELECT count(*) AS n FROM graph_changelog WHERE parent_type = ? AND parent_id = ?', parent)[0]?.['n'] ?? 0);
  const rows = records.query('SELECT * FROM graph_changelog WHERE parent_type = ? AND parent_id = ? ORDER BY created_at DESC, id LIMIT ? OFFSET ?', [
    ...parent,
    limit,
    offset,
  ]);
  return { entries: rows.map(entryOf), total };
}

/** The newest entries of many entities of one type, each list newest first. */
export function newestEntries(
  records: Records,
  parentType: EntityType,
  parentIds: readonly string[],
  limit: number,
): ReadonlyMap<string, readonly Pick<ChangelogEntry, 'taskId' | 'summary' | 'createdAt'>[]> {
  const found = new Map<string, readonly Pick<ChangelogEntry, 'taskId' | 'summary' | 'createdAt'>[]>();
  if (parentIds.length === 0 || limit === 0) return found;
  // One row of JSON: many rows cost more to hand over than to find.
  const rows = records.query(
    `SELECT json_group_array(json_array(parent.value, (
       SELECT json_group_array(json_array(task_id, summary, created_at)) FROM (
         SELECT task_id, summary, created_at FROM graph_changelog WHERE parent_type = ?1 AND parent_id = parent.value ORDER BY created_at DESC, id LIMIT ?3
       )
     ))) AS entries FROM json_each(?2) AS parent`,
    [parentType, JSON.stringify(parentIds), limit],
  );
  for (const [parentId, entries] of jsonOf<readonly [string, string | readonly EntryTuple[]]>(rows, 'entries')) {
    const list = (typeof entries === 'string' ? (JSON.parse(entries) as readonly EntryTuple[]) : entries).map(([taskId, summary, createdAt]) => ({
      taskId,
      summary,
      createdAt,
    }));
    if (list.length > 0) found.set(parentId, list);
  }
  return found;
}

/** Task, summary, time. */
type EntryTuple = readonly [string, string, string];

function jsonOf<T>(rows: readonly Row[], column: string): readonly T[] {
  return JSON.parse(String(rows[0]?.[column] ?? '[]')) as readonly T[];
}

/** Every atom and molecule that a task made, was the last to write, or logged a change of; by name, then id. */
export function touchedBy(records: Records, taskId: string): readonly (Atom | Molecule)[] {
  const view = knowledgeOf(records);
  const logged = new Set(
    jsonOf<string>(records.query('SELECT json_group_array(DISTINCT parent_id) AS ids FROM graph_changelog WHERE task_id = ?', [taskId]), 'ids'),
  );
  const isTouched = (entity: Atom | Molecule): boolean => entity.createdByTaskId === taskId || entity.lastTaskId === taskId || logged.has(entity.id);
  return mergedByName(view.molecules().filter(isTouched), view.atoms().filter(isTouched));
}

/** Both lists are in order. */
function mergedByName(molecules: readonly Molecule[], atoms: readonly Atom[]): readonly (Atom | Molecule)[] {
  const merged: (Atom | Molecule)[] = [];
  let at = 0;
  for (const atom of atoms) {
    for (let molecule = molecules[at]; molecule !== undefined && byName(molecule, atom) < 0; molecule = molecules[++at]) merged.push(molecule);
    merged.push(atom);
  }
  return [...merged, ...molecules.slice(at)];
}

function entryOf(row: Row): ChangelogEntry {
  return {
    id: String(row['id']),
    parentType: String(row['parent_type']) as EntityType,
    parentId: String(row['parent_id']),
    taskId: String(row['task_id']),
    summary: String(row['summary']),
    createdAt: String(row['created_at']),
  };
}
