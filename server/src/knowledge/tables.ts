/**
 * Door of the knowledge room: what the code cannot say. Atoms own glob patterns and hold the knowledge of an area, molecules group atoms, the changelog
 * tells how both evolved.
 *
 * Does not know: the code graph (code is named by stable id), files, tools, the editor.
 * Invariants: matching happens when asked, nothing is stored per file; every write is decided against a view that holds all earlier ones.
 */
import type { Migration, RecordDraft, RecordKind, SqlValue, Tables } from '../model/records';
import type { Atom, ChangelogEntry, Molecule } from './types';

/** Numbers 10 to 19 belong to this room. A store holds one project, so its rows are not tied to a table of projects. */
export const KNOWLEDGE_MIGRATIONS: readonly Migration[] = [
  {
    version: 10,
    name: 'molecules, atoms and their changelog',
    apply: tables =>
      tables.script(`
        CREATE TABLE graph_molecules (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, name TEXT NOT NULL, related_molecules TEXT NOT NULL DEFAULT '[]',
          created_by_task_id TEXT NOT NULL, last_task_id TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1,
          created_at TEXT NOT NULL, updated_at TEXT NOT NULL, anchors TEXT NOT NULL DEFAULT '[]', knowledge TEXT NOT NULL DEFAULT ''
        );
        CREATE TABLE graph_atoms (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, molecule_id TEXT REFERENCES graph_molecules (id), name TEXT NOT NULL,
          paths TEXT NOT NULL DEFAULT '[]', related_atoms TEXT NOT NULL DEFAULT '[]',
          created_by_task_id TEXT NOT NULL, last_task_id TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1,
          created_at TEXT NOT NULL, updated_at TEXT NOT NULL, anchors TEXT NOT NULL DEFAULT '[]', knowledge TEXT NOT NULL DEFAULT ''
        );
        CREATE TABLE graph_changelog (
          id TEXT PRIMARY KEY, parent_type TEXT NOT NULL CHECK (parent_type IN ('atom', 'molecule')), parent_id TEXT NOT NULL,
          task_id TEXT NOT NULL, summary TEXT NOT NULL, created_at TEXT NOT NULL
        );
        CREATE INDEX idx_graph_molecules_project ON graph_molecules (project_id);
        CREATE INDEX idx_graph_atoms_project ON graph_atoms (project_id);
        CREATE INDEX idx_graph_atoms_molecule ON graph_atoms (molecule_id);
        CREATE INDEX idx_graph_changelog_parent ON graph_changelog (parent_type, parent_id);
        CREATE INDEX idx_graph_changelog_task ON graph_changelog (task_id);
      `),
  },
];

interface MoleculeRemoval {
  readonly id: string;
  /** Members go too; else they stay as orphans. */
  readonly cascade: boolean;
  readonly lastTaskId: string;
  readonly updatedAt: string;
}

/** The records of this room: rows as they are to be. */
export const drafts = {
  /** Makes the molecule, or replaces its previous version. */
  putMolecule: (molecule: Molecule): RecordDraft => ({ kind: 'knowledge.putMolecule', payload: molecule }),
  /** Makes the atom, or replaces its previous version. */
  putAtom: (atom: Atom): RecordDraft => ({ kind: 'knowledge.putAtom', payload: atom }),
  /** With its changelog. */
  removeAtom: (id: string): RecordDraft => ({ kind: 'knowledge.removeAtom', payload: { id } }),
  /** With its changelog. */
  removeMolecule: (removal: MoleculeRemoval): RecordDraft => ({ kind: 'knowledge.removeMolecule', payload: removal }),
  /** An entry that is there already stays as it is. */
  addEntry: (entry: ChangelogEntry): RecordDraft => ({ kind: 'knowledge.addEntry', payload: entry }),
} as const;

export const KNOWLEDGE_KINDS: readonly RecordKind[] = [
  { kind: 'knowledge.putMolecule', apply: (tables, payload) => putMolecule(tables, payload as Molecule) },
  { kind: 'knowledge.putAtom', apply: (tables, payload) => putAtom(tables, payload as Atom) },
  { kind: 'knowledge.removeAtom', apply: (tables, payload) => removeAtoms(tables, 'id = ?1', [(payload as { id: string }).id]) },
  { kind: 'knowledge.removeMolecule', apply: (tables, payload) => removeMolecule(tables, payload as MoleculeRemoval) },
  { kind: 'knowledge.addEntry', apply: (tables, payload) => addEntry(tables, payload as ChangelogEntry) },
];

function putMolecule(tables: Tables, molecule: Molecule): void {
  put(tables, 'graph_molecules', {
    id: molecule.id,
    project_id: molecule.projectId,
    name: molecule.name,
    related_molecules: JSON.stringify(molecule.relatedMolecules),
    created_by_task_id: molecule.createdByTaskId,
    last_task_id: molecule.lastTaskId,
    version: molecule.version,
    created_at: molecule.createdAt,
    updated_at: molecule.updatedAt,
    anchors: JSON.stringify(molecule.anchors),
    knowledge: molecule.knowledge,
  });
}

function putAtom(tables: Tables, atom: Atom): void {
  put(tables, 'graph_atoms', {
    id: atom.id,
    project_id: atom.projectId,
    molecule_id: atom.moleculeId,
    name: atom.name,
    paths: JSON.stringify(atom.paths),
    related_atoms: JSON.stringify(atom.relatedAtoms),
    created_by_task_id: atom.createdByTaskId,
    last_task_id: atom.lastTaskId,
    version: atom.version,
    created_at: atom.createdAt,
    updated_at: atom.updatedAt,
    anchors: JSON.stringify(atom.anchors),
    knowledge: atom.knowledge,
  });
}

/** A row that is there already is replaced by its next version only. */
function put(tables: Tables, table: 'graph_atoms' | 'graph_molecules', row: Readonly<Record<string, SqlValue>>): void {
  const columns = Object.keys(row);
  const changed = columns.filter(column => !['id', 'project_id', 'created_by_task_id', 'created_at'].includes(column));
  tables.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changed.map(column => `${column} = excluded.${column}`).join(', ')}
     WHERE ${table}.version = excluded.version - 1`,
    Object.values(row),
  );
}

function removeAtoms(tables: Tables, where: string, params: readonly SqlValue[]): void {
  tables.run(`DELETE FROM graph_changelog WHERE parent_type = 'atom' AND parent_id IN (SELECT id FROM graph_atoms WHERE ${where})`, params);
  tables.run(`DELETE FROM graph_atoms WHERE ${where}`, params);
}

function removeMolecule(tables: Tables, { id, cascade, lastTaskId, updatedAt }: MoleculeRemoval): void {
  if (cascade) removeAtoms(tables, 'molecule_id = ?1', [id]);
  else {
    tables.run('UPDATE graph_atoms SET molecule_id = NULL, version = version + 1, last_task_id = ?, updated_at = ? WHERE molecule_id = ?', [
      lastTaskId,
      updatedAt,
      id,
    ]);
  }
  tables.run("DELETE FROM graph_changelog WHERE parent_type = 'molecule' AND parent_id = ?", [id]);
  tables.run('DELETE FROM graph_molecules WHERE id = ?', [id]);
}

function addEntry(tables: Tables, { id, parentType, parentId, taskId, summary, createdAt }: ChangelogEntry): void {
  tables.run('INSERT OR IGNORE INTO graph_changelog (id, parent_type, parent_id, task_id, summary, created_at) VALUES (?, ?, ?, ?, ?, ?)', [
    id,
    parentType,
    parentId,
    taskId,
    summary,
    createdAt,
  ]);
}
