/** What the knowledge room keeps. Times are ISO-8601 in UTC with milliseconds. */

export type EntityType = 'atom' | 'molecule';

/** `molecule::{uuid}`. */
export type MoleculeId = string;
/** `atom::{uuid}`. */
export type AtomId = string;
/** `task::{uuid}`, or a marker of `TASK_MARKERS`. */
export type TaskId = string;

/** Writers without a task: a person in the editor, and the import of knowledge files. */
export const TASK_MARKERS: readonly TaskId[] = ['manual', 'import'];

export interface RelatedMolecule {
  readonly moleculeId: MoleculeId;
  readonly reason: string;
}

export interface RelatedAtom {
  readonly atomId: AtomId;
  readonly reason: string;
}

/**
 * Something in the code that knowledge speaks of, and what it was like when that was written.
 * `ref` is a node id, a file path or a pattern of the atom.
 */
export interface Anchor {
  readonly ref: string;
  readonly hash: string;
  /** Patterns only: how many files matched. */
  readonly files?: number;
}

interface Entity {
  /** Never changes. */
  readonly projectId: string;
  readonly name: string;
  /** Markdown, `''` when nothing is known yet. */
  readonly knowledge: string;
  readonly createdByTaskId: TaskId;
  readonly lastTaskId: TaskId;
  /** From 1, one more with each write. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Local bookkeeping; not exported. */
  readonly anchors: readonly Anchor[];
}

/** A group of atoms with what they have in common. */
export interface Molecule extends Entity {
  readonly id: MoleculeId;
  readonly relatedMolecules: readonly RelatedMolecule[];
}

/** Knowledge about the files that its patterns cover. */
export interface Atom extends Entity {
  readonly id: AtomId;
  /** `null`: an orphan, which is valid. */
  readonly moleculeId: MoleculeId | null;
  /** Globs, 1 to 20: the boundary of the atom. */
  readonly paths: readonly string[];
  readonly relatedAtoms: readonly RelatedAtom[];
}

/** Never changes and is never removed, except with its parent. */
export interface ChangelogEntry {
  /** `changelog::{uuid}`. */
  readonly id: string;
  readonly parentType: EntityType;
  /** Of the atom or molecule. */
  readonly parentId: string;
  readonly taskId: TaskId;
  readonly summary: string;
  readonly createdAt: string;
}
