import type { RecordDraft, Records, Row } from '../model/records';
import { Boundaries } from './boundaries';
import type { Anchor, Atom, AtomId, Molecule, MoleculeId, RelatedAtom, RelatedMolecule } from './types';

/**
 * Atoms and molecules of one project in memory, as the rows are: read once, then told of every record that is written.
 * Get it by `knowledgeOf`; every question sees all that was written before it.
 */
export class KnowledgeView {
  readonly #records: Records;
  readonly #atoms = new Map<AtomId, Atom>();
  readonly #molecules = new Map<MoleculeId, Molecule>();
  #boundaries = new Boundaries();
  readonly #folded = new WeakMap<Atom | Molecule, FoldedText>();
  #isLoaded = false;
  /** What was written while `prepare` reads. */
  #missed: RecordDraft[] | undefined;
  #sortedAtoms: readonly Atom[] | undefined;
  #sortedMolecules: readonly Molecule[] | undefined;
  #byMolecule: ReadonlyMap<MoleculeId | null, readonly Atom[]> | undefined;

  constructor(records: Records) {
    this.#records = records;
    records.onApplied(drafts => {
      if (this.#isLoaded) this.#follow(drafts);
      else this.#missed?.push(...drafts);
    });
  }

  get projectId(): string {
    return this.#records.projectId;
  }

  atom(id: AtomId): Atom | undefined {
    this.#load();
    return this.#atoms.get(id);
  }

  molecule(id: MoleculeId): Molecule | undefined {
    this.#load();
    return this.#molecules.get(id);
  }

  /** By name, then id. */
  atoms(): readonly Atom[] {
    this.#load();
    this.#sortedAtoms ??= [...this.#atoms.values()].sort(byName);
    return this.#sortedAtoms;
  }

  /** By name, then id. */
  molecules(): readonly Molecule[] {
    this.#load();
    this.#sortedMolecules ??= [...this.#molecules.values()].sort(byName);
    return this.#sortedMolecules;
  }

  /** Atoms of a molecule, or those without one; by name, then id. */
  membersOf(moleculeId: MoleculeId | null): readonly Atom[] {
    const atoms = this.atoms();
    this.#byMolecule ??= groupBy(atoms, atom => atom.moleculeId);
    return this.#byMolecule.get(moleculeId) ?? [];
  }

  /** Every atom that covers a path, in no order that means anything. */
  atomsCovering(path: string): readonly Atom[] {
    this.#load();
    return [...this.#boundaries.covering(path)].flatMap(id => this.#atoms.get(id) ?? []);
  }

  /** Name and knowledge in lower case, for searching. */
  foldedText(entity: Atom | Molecule): FoldedText {
    let folded = this.#folded.get(entity);
    if (folded === undefined) {
      folded = { name: entity.name.toLowerCase(), knowledge: entity.knowledge.toLowerCase() };
      this.#folded.set(entity, folded);
    }
    return folded;
  }

  /** Reads everything in short steps, so that the first question need not; it may come in between. `pause` comes before each step and ends it all by false. */
  async prepare(pause: () => Promise<boolean>): Promise<void> {
    if (this.#isLoaded || this.#missed !== undefined) return;
    this.#missed = [];
    const isRead =
      (await this.#readInSteps('graph_atoms', row => this.#setAtom(atomOf(row)), pause)) &&
      (await this.#readInSteps('graph_molecules', row => this.#setMolecule(moleculeOf(row)), pause));
    const missed = this.#missed;
    this.#missed = undefined;
    if (!isRead || this.#isLoaded) return;
    this.#isLoaded = true;
    this.#follow(missed);
  }

  async #readInSteps(table: Table, take: (row: Row) => void, pause: () => Promise<boolean>): Promise<boolean> {
    for (let last = ''; ; ) {
      if (!(await pause()) || this.#isLoaded) return false;
      // The plus keeps SQLite from sorting the whole project for each step: it is to walk along the ids.
      const rows = this.#records.query(`SELECT * FROM ${table} WHERE id > ? AND +project_id = ? ORDER BY id LIMIT ${STEP}`, [last, this.projectId]);
      for (const row of rows) take(row);
      if (rows.length < STEP) return true;
      last = String(rows[rows.length - 1]?.['id']);
    }
  }

  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    this.#clear();
    for (const atom of this.#read('graph_atoms', atomOf)) this.#setAtom(atom);
    for (const molecule of this.#read('graph_molecules', moleculeOf)) this.#setMolecule(molecule);
  }

  #clear(): void {
    this.#atoms.clear();
    this.#molecules.clear();
    this.#boundaries = new Boundaries();
    this.#sortedAtoms = undefined;
    this.#sortedMolecules = undefined;
    this.#byMolecule = undefined;
  }

  /** Reads the rows again that records were about. */
  #follow(drafts: readonly RecordDraft[]): void {
    if (drafts.some(draft => draft.kind === 'knowledge.restored')) this.#forget();
    const touched = drafts.flatMap(touchedBy);
    if (touched.length === 0) return;
    const removed = new Set<string | null>(drafts.filter(draft => draft.kind === 'knowledge.removeMolecule').flatMap(touchedBy));
    const members = removed.size === 0 ? [] : [...this.#atoms.values()].filter(atom => removed.has(atom.moleculeId)).map(atom => atom.id);
    const ids = [...new Set([...touched, ...members])];
    const atoms = new Map(this.#read('graph_atoms', atomOf, ids).map(atom => [atom.id, atom]));
    const molecules = new Map(this.#read('graph_molecules', moleculeOf, ids).map(molecule => [molecule.id, molecule]));
    for (const id of ids) {
      const [atom, molecule] = [atoms.get(id), molecules.get(id)];
      if (atom !== undefined) this.#setAtom(atom);
      else if (this.#atoms.delete(id)) this.#boundaries.remove(id);
      if (molecule !== undefined) this.#setMolecule(molecule);
      else this.#molecules.delete(id);
    }
    this.#sortedAtoms = undefined;
    this.#sortedMolecules = undefined;
    this.#byMolecule = undefined;
  }

  /** Every row may be another: read them anew when next asked. */
  #forget(): void {
    for (const id of this.#atoms.keys()) this.#boundaries.remove(id);
    this.#atoms.clear();
    this.#molecules.clear();
    this.#isLoaded = false;
    this.#sortedAtoms = undefined;
    this.#sortedMolecules = undefined;
    this.#byMolecule = undefined;
  }

  #setMolecule(molecule: Molecule): void {
    this.#molecules.set(molecule.id, molecule);
  }

  #setAtom(atom: Atom): void {
    this.#atoms.set(atom.id, atom);
    this.#boundaries.set(atom.id, atom.paths);
  }

  #read<T>(table: Table, read: (row: Row) => T, ids?: readonly string[]): readonly T[] {
    const { projectId } = this.#records;
    const rows =
      ids === undefined
        ? this.#records.query(`SELECT * FROM ${table} WHERE project_id = ?`, [projectId])
        : this.#records.query(`SELECT * FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) AND project_id = ?`, [JSON.stringify(ids), projectId]);
    return rows.map(read);
  }
}

type Table = 'graph_atoms' | 'graph_molecules';

/** Rows read between two pauses: a few milliseconds. */
const STEP = 50;

/** Ids of the atoms and molecules that a record names; those that it changes besides are the members of a molecule. */
function touchedBy({ kind, payload }: RecordDraft): readonly string[] {
  if (!/^knowledge\.(?:put|remove)/.test(kind)) return [];
  const { id } = payload as { readonly id?: unknown };
  return typeof id === 'string' ? [id] : [];
}

export interface FoldedText {
  readonly name: string;
  readonly knowledge: string;
}

function makeView(records: Records): KnowledgeView {
  return new KnowledgeView(records);
}

/** The one view of these records. */
export function knowledgeOf(records: Records): KnowledgeView {
  return records.companion(makeView);
}

function byName(a: Atom | Molecule, b: Atom | Molecule): number {
  return compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id);
}

/** By code point, so that the order is the same on every machine. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return ranked(left) - ranked(right);
  }
  return a.length - b.length;
}

/** UTF-16 units in the order of the code points that they stand for: surrogates after everything else. */
function ranked(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function entityOf(
  row: Row,
): Pick<Atom, 'projectId' | 'name' | 'knowledge' | 'createdByTaskId' | 'lastTaskId' | 'version' | 'createdAt' | 'updatedAt' | 'anchors'> {
  return {
    projectId: String(row['project_id']),
    name: String(row['name']),
    knowledge: String(row['knowledge']),
    createdByTaskId: String(row['created_by_task_id']),
    lastTaskId: String(row['last_task_id']),
    version: Number(row['version']),
    createdAt: String(row['created_at']),
    updatedAt: String(row['updated_at']),
    anchors: JSON.parse(String(row['anchors'])) as readonly Anchor[],
  };
}

export function atomOf(row: Row): Atom {
  return {
    ...entityOf(row),
    id: String(row['id']),
    moleculeId: row['molecule_id'] === null ? null : String(row['molecule_id']),
    paths: JSON.parse(String(row['paths'])) as readonly string[],
    relatedAtoms: JSON.parse(String(row['related_atoms'])) as readonly RelatedAtom[],
  };
}

export function moleculeOf(row: Row): Molecule {
  return { ...entityOf(row), id: String(row['id']), relatedMolecules: JSON.parse(String(row['related_molecules'])) as readonly RelatedMolecule[] };
}
