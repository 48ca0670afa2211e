import type { Records, Row } from '../model/records';
import { type CompiledPattern, compilePattern, coversPath } from './patterns';
import type { Anchor, Atom, AtomId, Molecule, MoleculeId, RelatedAtom, RelatedMolecule } from './types';

/**
 * Atoms and molecules of one project in memory, as the rows are: read once, and after a write only what changed.
 * Get it by `knowledgeOf`; every question sees all that was written before it.
 */
export class KnowledgeView {
  readonly #records: Records;
  readonly #atoms = new Map<AtomId, Atom>();
  readonly #molecules = new Map<MoleculeId, Molecule>();
  readonly #compiled = new WeakMap<readonly string[], readonly CompiledPattern[]>();
  readonly #folded = new WeakMap<Atom | Molecule, FoldedText>();
  #isStale = true;
  #sortedAtoms: readonly Atom[] | undefined;
  #sortedMolecules: readonly Molecule[] | undefined;
  #byMolecule: ReadonlyMap<MoleculeId | null, readonly Atom[]> | undefined;
  #boundaries: ReadonlyMap<string, readonly Boundary[]> | undefined;

  constructor(records: Records) {
    this.#records = records;
    records.onWritten(areas => {
      if (areas.includes('knowledge')) this.#isStale = true;
    });
  }

  get projectId(): string {
    return this.#records.projectId;
  }

  atom(id: AtomId): Atom | undefined {
    this.#refresh();
    return this.#atoms.get(id);
  }

  molecule(id: MoleculeId): Molecule | undefined {
    this.#refresh();
    return this.#molecules.get(id);
  }

  /** By name, then id. */
  atoms(): readonly Atom[] {
    this.#refresh();
    this.#sortedAtoms ??= [...this.#atoms.values()].sort(byName);
    return this.#sortedAtoms;
  }

  /** By name, then id. */
  molecules(): readonly Molecule[] {
    this.#refresh();
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
    const boundaries = this.#boundariesNow();
    if (boundaries.size === 0) return [];
    const segments = path.split('/');
    const found = new Set<Atom>();
    for (let end = -1; end <= path.length; ) {
      for (const { atom, alternative } of boundaries.get(end < 0 ? '' : path.slice(0, end)) ?? []) {
        if (!found.has(atom) && coversPath(alternative, segments)) found.add(atom);
      }
      if (end === path.length) break;
      const slash = path.indexOf('/', end + 1);
      end = slash < 0 ? path.length : slash;
    }
    return [...found];
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

  /** Patterns by the folder that every match lies below, so that a path is tried against few of them. */
  #boundariesNow(): ReadonlyMap<string, readonly Boundary[]> {
    this.#refresh();
    if (this.#boundaries !== undefined) return this.#boundaries;
    const boundaries = new Map<string, Boundary[]>();
    for (const atom of this.#atoms.values()) {
      for (const { alternatives } of this.#compiledOf(atom)) {
        for (const alternative of alternatives) {
          const list = boundaries.get(alternative.folder);
          if (list === undefined) boundaries.set(alternative.folder, [{ atom, alternative }]);
          else list.push({ atom, alternative });
        }
      }
    }
    this.#boundaries = boundaries;
    return boundaries;
  }

  #compiledOf({ paths }: Atom): readonly CompiledPattern[] {
    let compiled = this.#compiled.get(paths);
    if (compiled === undefined) {
      compiled = paths.map(compilePattern);
      this.#compiled.set(paths, compiled);
    }
    return compiled;
  }

  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    const atomsChanged = this.#reload('graph_atoms', this.#atoms, atomOf);
    const moleculesChanged = this.#reload('graph_molecules', this.#molecules, moleculeOf);
    if (atomsChanged) {
      this.#sortedAtoms = undefined;
      this.#byMolecule = undefined;
      this.#boundaries = undefined;
    }
    if (moleculesChanged) this.#sortedMolecules = undefined;
  }

  /** Brings the map to the state of the table; false when nothing differed. */
  #reload<T extends Atom | Molecule>(table: 'graph_atoms' | 'graph_molecules', known: Map<string, T>, read: (row: Row) => T): boolean {
    const { projectId } = this.#records;
    const states = this.#records.query(`SELECT json_group_array(json_array(id, version, updated_at)) AS states FROM ${table} WHERE project_id = ?`, [
      projectId,
    ]);
    const changed: string[] = [];
    const present = new Set<string>();
    for (const [id, version, updatedAt] of JSON.parse(String(states[0]?.['states'] ?? '[]')) as readonly [string, number, string][]) {
      present.add(id);
      const before = known.get(id);
      if (before?.version !== version || before.updatedAt !== updatedAt) changed.push(id);
    }
    const gone = [...known.keys()].filter(id => !present.has(id));
    for (const id of gone) known.delete(id);
    if (changed.length > 0) {
      for (const row of this.#records.query(`SELECT * FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`, [JSON.stringify(changed)])) {
        const entity = read(row);
        known.set(entity.id, entity);
      }
    }
    return changed.length + gone.length > 0;
  }
}

export interface FoldedText {
  readonly name: string;
  readonly knowledge: string;
}

interface Boundary {
  readonly atom: Atom;
  readonly alternative: CompiledPattern['alternatives'][number];
}

function makeView(records: Records): KnowledgeView {
  return new KnowledgeView(records);
}

/** The one view of these records. */
export function knowledgeOf(records: Records): KnowledgeView {
  return records.companion(makeView);
}

function byName(a: Atom | Molecule, b: Atom | Molecule): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}

/** By code point, so that the order is the same on every machine. */
export function compareText(a: string, b: string): number {
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

function atomOf(row: Row): Atom {
  return {
    ...entityOf(row),
    id: String(row['id']),
    moleculeId: row['molecule_id'] === null ? null : String(row['molecule_id']),
    paths: JSON.parse(String(row['paths'])) as readonly string[],
    relatedAtoms: JSON.parse(String(row['related_atoms'])) as readonly RelatedAtom[],
  };
}

function moleculeOf(row: Row): Molecule {
  return { ...entityOf(row), id: String(row['id']), relatedMolecules: JSON.parse(String(row['related_molecules'])) as readonly RelatedMolecule[] };
}
