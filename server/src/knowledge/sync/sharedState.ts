/**
 * Door of the sharing of knowledge: what of atoms, molecules and changelog goes into text files under `.lattice/knowledge`, how such files are read,
 * and how a row, a file and what both last agreed on become one.
 *
 * Does not know: disks, git, who asks, how rows are stored.
 * Invariants: equal content gives equal bytes; what cannot be merged is named and changes nothing; a file that cannot be read counts neither as gone nor as new.
 */
import { normalizePatterns, normalizeText } from '../rules';
import type { EntityType } from '../types';
import { hasConflictMarker } from './markers';

export type EntityKind = EntityType;

/** A related entity of the same kind. */
export interface Related {
  readonly id: string;
  readonly reason: string;
}

/** What is shared of an atom or a molecule: everything but local bookkeeping (`version`, `updatedAt`, `lastTaskId`). */
export interface SharedEntity {
  /** `atom::uuid` or `molecule::uuid`. */
  readonly id: string;
  readonly kind: EntityKind;
  readonly name: string;
  /** `null` for an orphan atom and for every molecule. */
  readonly moleculeId: string | null;
  /** Empty for a molecule. */
  readonly paths: readonly string[];
  readonly related: readonly Related[];
  readonly knowledge: string;
  readonly createdByTaskId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
}

/** A line of a changelog; its parent is named by the file. */
export interface SharedEntry {
  readonly id: string;
  readonly taskId: string;
  readonly summary: string;
  readonly createdAt: string;
}

/** The fields that can differ between two states of one entity. */
export const MERGED_FIELDS = ['name', 'moleculeId', 'paths', 'related', 'knowledge'] as const;
export type MergedField = (typeof MERGED_FIELDS)[number];

export const FOLDER = '.lattice/knowledge';

/** An entity as its file can say it: line ends are LF, knowledge is trimmed, every text is valid Unicode. */
export function canonical(entity: SharedEntity): SharedEntity {
  return {
    ...entity,
    name: wellFormed(entity.name).trim(),
    paths: normalizePatterns(entity.paths.map(wellFormed)),
    related: entity.related.map(({ id, reason }) => ({ id, reason: normalizeText(wellFormed(reason)) })),
    knowledge: normalizeText(wellFormed(entity.knowledge)),
    createdByTaskId: wellFormed(entity.createdByTaskId),
  };
}

export function canonicalEntry(entry: SharedEntry): SharedEntry {
  return { ...entry, summary: normalizeText(wellFormed(entry.summary)) };
}

/** Fields whose content differs; both sides canonical. */
export function changedFields(from: SharedEntity, to: SharedEntity): readonly MergedField[] {
  return MERGED_FIELDS.filter(field => JSON.stringify(from[field]) !== JSON.stringify(to[field]));
}

export function isSame(a: SharedEntity, b: SharedEntity): boolean {
  return changedFields(a, b).length === 0;
}

/** Why an entity cannot be written to a file; `undefined` when it can. */
export function unwritable(entity: SharedEntity): string | undefined {
  if (!hasConflictMarker(entity.knowledge)) return undefined;
  return 'Its text has a line that looks like a Git conflict marker. Indent that line.';
}

/** The uuid of an id. */
export function uuidOf(id: string): string {
  return id.slice(id.indexOf('::') + 2);
}

export function byCreation(a: SharedEntry, b: SharedEntry): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** Lone surrogates cannot be written as UTF-8; they become U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
