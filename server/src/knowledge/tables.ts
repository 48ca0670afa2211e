/**
 * Door of the knowledge room: what the code cannot say. Atoms own glob patterns and hold the knowledge of an area, molecules group atoms, the changelog
 * tells how both evolved.
 *
 * Does not know: the code graph (code is named by stable id), files, tools, the editor.
 * Invariants: matching happens when asked, nothing is stored per file; every write is decided against a view that holds all earlier ones;
 * each version that a write ends stays readable for as long as the retention says.
 */
import type { Migration, RecordDraft, RecordKind, RecordStamp, SqlValue, Tables } from '../model/records';
import { FORGET, forget } from './retention';
import type { Atom, ChangelogEntry, Molecule } from './types';
import { beginOrphanVersions, beginVersion, type EntityTable, retire, VERSIONS_SCRIPT } from './versions';

/** Numbers 10 to 19 and, after those of the work room, 30 to 39 belong to this room. A store holds one project, so its rows are not tied to a table of projects. */
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
  { version: 30, name: 'the versions that atoms and molecules had', apply: tables => tables.script(VERSIONS_SCRIPT) },
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

/** Records of atoms, molecules and their changelogs, and how the view takes them in. */
export const KNOWLEDGE_KINDS: readonly RecordKind[] = [
  { kind: 'knowledge.putMolecule', apply: (tables, payload, stamp) => putMolecule(tables, payload as Molecule, stamp) },
  { kind: 'knowledge.putAtom', apply: (tables, payload, stamp) => putAtom(tables, payload as Atom, stamp) },
  { kind: 'knowledge.removeAtom', apply: (tables, payload, stamp) => removeAtoms(tables, 'id', (payload as { id: string }).id, stamp) },
  { kind: 'knowledge.removeMolecule', apply: (tables, payload, stamp) => removeMolecule(tables, payload as MoleculeRemoval, stamp) },
  { kind: FORGET, apply: (tables, payload) => forget(tables, payload as { readonly horizon: number }) },
  { kind: 'knowledge.addEntry', apply: (tables, payload) => addEntry(tables, payload as ChangelogEntry) },
];

function putMolecule(tables: Tables, molecule: Molecule, stamp: RecordStamp): void {
  const row = {
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
  };
  put(tables, 'graph_molecules', row, stamp);
}

function putAtom(tables: Tables, atom: Atom, stamp: RecordStamp): void {
  const row = {
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
  };
  put(tables, 'graph_atoms', row, stamp);
}

/** A row that is there already is replaced by its next version only. */
function put(
  tables: Tables,
  table: EntityTable,
  row: Readonly<Record<string, SqlValue>> & { readonly id: string; readonly version: number },
  stamp: RecordStamp,
): void {
  const before = tables.first(`SELECT * FROM ${table} WHERE id = ?`, [row.id]);
  if (before !== undefined && before['version'] !== row.version - 1) return;
  const columns = Object.keys(row);
  const changed = columns.filter(column => !['id', 'project_id', 'created_by_task_id', 'created_at'].includes(column));
  if (before !== undefined) retire(tables, table, 'id = ?3', [row.id], stamp);
  tables.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changed.map(column => `${column} = excluded.${column}`).join(', ')}`,
    Object.values(row),
  );
  beginVersion(tables, table, before, row, stamp);
}

function removeAtoms(tables: Tables, column: 'id' | 'molecule_id', value: string, stamp: RecordStamp): void {
  retire(tables, 'graph_atoms', `${column} = ?3`, [value], stamp);
  tables.run(`DELETE FROM graph_changelog WHERE parent_type = 'atom' AND parent_id IN (SELECT id FROM graph_atoms WHERE ${column} = ?)`, [value]);
  tables.run(`DELETE FROM graph_atoms WHERE ${column} = ?`, [value]);
}

function removeMolecule(tables: Tables, { id, cascade, lastTaskId, updatedAt }: MoleculeRemoval, stamp: RecordStamp): void {
  if (cascade) removeAtoms(tables, 'molecule_id', id, stamp);
  else {
    beginOrphanVersions(tables, id, lastTaskId, stamp);
    tables.run('UPDATE graph_atoms SET molecule_id = NULL, version = version + 1, last_task_id = ?, updated_at = ? WHERE molecule_id = ?', [
      lastTaskId,
      updatedAt,
      id,
    ]);
  }
  retire(tables, 'graph_molecules', 'id = ?3', [id], stamp);
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
