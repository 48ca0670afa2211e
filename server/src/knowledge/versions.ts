import type { RecordStamp, Records, Row, SqlValue, Tables } from '../model/records';
import { entityId } from './rules';
import type { Atom, EntityType, Molecule, TaskId } from './types';
import { atomOf, knowledgeOf, moleculeOf } from './view';

/**
 * The versions of atoms and molecules. One row per version; it gets the fields when the version is retired by the next one or by a
 * deletion: until then they stand in the table of the entity. Whatever writes a row goes through `beginVersion` and `retire`.
 */
export type EntityTable = 'graph_atoms' | 'graph_molecules';

const AT_UPDATE = 'coalesce(CAST(round((julianday(updated_at) - 2440587.5) * 86400000) AS INTEGER), 0)';
const HAS_NO_VERSION = 'id NOT IN (SELECT entity_id FROM knowledge_versions WHERE valid_to IS NULL)';

/** A row for each entity that has none: who wrote it and what changed is not known. */
export const ADD_MISSING_VERSIONS: readonly string[] = ['graph_atoms', 'graph_molecules'].map(
  table => `INSERT INTO knowledge_versions (entity_id, version, project_id, changed_fields, task_id, seq, valid_from)
    SELECT id, version, project_id, '[]', last_task_id, 0, ${AT_UPDATE} FROM ${table} WHERE ${HAS_NO_VERSION}`,
);

/** `seq` is the record that made the version, 0 for what was there before versions were kept. The current version has neither end nor fields. */
export const VERSIONS_SCRIPT = `
  CREATE TABLE knowledge_versions (
    entity_id TEXT NOT NULL, version INTEGER NOT NULL, project_id TEXT NOT NULL, changed_fields TEXT NOT NULL, task_id TEXT NOT NULL,
    seq INTEGER NOT NULL, valid_from INTEGER NOT NULL, valid_to INTEGER, ended_seq INTEGER, fields TEXT, PRIMARY KEY (entity_id, seq, version)
  );
  CREATE UNIQUE INDEX knowledge_versions_current ON knowledge_versions (entity_id) WHERE valid_to IS NULL;
  CREATE INDEX knowledge_versions_retired ON knowledge_versions (valid_to) WHERE valid_to IS NOT NULL;
  ${ADD_MISSING_VERSIONS.join(';')};
`;

const COLUMNS: Readonly<Record<EntityTable, Readonly<Record<string, string>>>> = {
  graph_atoms: { name: 'name', knowledge: 'knowledge', paths: 'paths', molecule_id: 'moleculeId', related_atoms: 'relatedAtoms' },
  graph_molecules: { name: 'name', knowledge: 'knowledge', related_molecules: 'relatedMolecules' },
};
const BOOKKEEPING = ['id', 'project_id', 'created_by_task_id', 'last_task_id', 'version', 'created_at', 'updated_at', 'anchors'];

/** Before rows change or go: their versions end, and keep what they said. `?3` and on are the parameters of `where`. */
export function retire(tables: Tables, table: EntityTable, where: string, params: readonly SqlValue[], stamp: RecordStamp): void {
  const kept = [...BOOKKEEPING, ...Object.keys(COLUMNS[table])];
  tables.run(
    `UPDATE knowledge_versions SET valid_to = ?1, ended_seq = ?2,
       fields = (SELECT json_object(${kept.map(column => `'${column}', ${column}`).join(', ')}) FROM ${table} WHERE id = entity_id)
     WHERE valid_to IS NULL AND entity_id IN (SELECT id FROM ${table} WHERE ${where})`,
    [stamp.timestamp, stamp.seq, ...params],
  );
}

/** `before` is the row that it replaces, if there was one. */
export function beginVersion(tables: Tables, table: EntityTable, before: Row | undefined, row: Row, stamp: RecordStamp): void {
  const changed = Object.entries(COLUMNS[table]).filter(([column]) => (before === undefined ? hasContent(row[column]) : row[column] !== before[column]));
  tables.run(`INSERT INTO knowledge_versions (entity_id, version, project_id, changed_fields, task_id, seq, valid_from) VALUES (?, ?, ?, ?, ?, ?, ?)`, [
    row['id'] ?? '',
    row['version'] ?? 1,
    row['project_id'] ?? '',
    JSON.stringify(changed.map(([, field]) => field)),
    row['last_task_id'] ?? '',
    stamp.seq,
    stamp.timestamp,
  ]);
}

/** Before the atoms of a molecule become orphans, each in a new version. */
export function beginOrphanVersions(tables: Tables, moleculeId: string, taskId: TaskId, stamp: RecordStamp): void {
  retire(tables, 'graph_atoms', 'molecule_id = ?3', [moleculeId], stamp);
  tables.run(
    `INSERT INTO knowledge_versions (entity_id, version, project_id, changed_fields, task_id, seq, valid_from)
     SELECT id, version + 1, project_id, '["moleculeId"]', ?, ?, ? FROM graph_atoms WHERE molecule_id = ?`,
    [taskId, stamp.seq, stamp.timestamp, moleculeId],
  );
}

function hasContent(value: SqlValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && value !== '[]';
}

/** How one version of an atom or molecule came about. */
export interface KnowledgeVersion {
  readonly version: number;
  /** Of a first version, the fields that say something. */
  readonly changedFields: readonly string[];
  readonly taskId: TaskId;
  /** `null`: nobody by name, or before versions were kept. */
  readonly agentId: string | null;
  readonly txId: string | null;
  /** ISO-8601. */
  readonly at: string;
}

export interface KnowledgeHistory {
  /** Newest first; those beyond the retention are gone. */
  readonly versions: readonly KnowledgeVersion[];
  /** ISO-8601; absent while the entity is there. */
  readonly deletedAt?: string;
}

/** `undefined` for what never was, or was deleted longer ago than versions are kept. */
export function historyOf(records: Records, id: string): KnowledgeHistory | undefined {
  const rows = records.query(
    `SELECT v.version, v.changed_fields, v.task_id, v.valid_from, v.valid_to, t.id AS tx_id, t.agent_id FROM knowledge_versions v
     LEFT JOIN graph_tx t ON t.project_id = v.project_id AND t.seq = v.seq AND t.type = 'agent_edit'
     WHERE v.project_id = ? AND v.entity_id = ? ORDER BY v.seq DESC, v.version DESC`,
    [records.projectId, id],
  );
  const [newest] = rows;
  if (newest === undefined) return undefined;
  const versions = rows.map(row => ({
    version: Number(row['version']),
    changedFields: JSON.parse(String(row['changed_fields'])) as string[],
    taskId: String(row['task_id']),
    agentId: textOrNull(row['agent_id']),
    txId: textOrNull(row['tx_id']),
    at: isoOf(row['valid_from']),
  }));
  return newest['valid_to'] === null ? { versions } : { versions, deletedAt: isoOf(newest['valid_to']) };
}

/** An atom or molecule as it stood in a version; the newest one without a number. Also of what was deleted. */
export function entityAt(records: Records, id: string, version?: number): Atom | Molecule | undefined {
  const [row] = records.query(
    `SELECT fields FROM knowledge_versions WHERE project_id = ?1 AND entity_id = ?2 AND (?3 IS NULL OR version = ?3) ORDER BY seq DESC, version DESC LIMIT 1`,
    [records.projectId, id, version ?? null],
  );
  if (row === undefined) return undefined;
  const isAtom = entityId('atom', id) === id;
  const view = knowledgeOf(records);
  if (row['fields'] === null) return isAtom ? view.atom(id) : view.molecule(id);
  const fields = JSON.parse(String(row['fields'])) as Row;
  return isAtom ? atomOf(fields) : moleculeOf(fields);
}

/** What can be restored. */
export interface DeletedEntity {
  readonly id: string;
  readonly entityType: EntityType;
  readonly name: string;
  /** Its last one. */
  readonly version: number;
  readonly deletedAt: string;
}

/** What was deleted and is still in the history, the newest first. */
export function deletedEntities(records: Records, limit: number): readonly DeletedEntity[] {
  const rows = records.query(
    `SELECT entity_id, version, valid_to, json_extract(fields, '$.name') AS name FROM knowledge_versions WHERE rowid IN (
       SELECT id FROM (
         SELECT rowid AS id, valid_to, row_number() OVER (PARTITION BY entity_id ORDER BY seq DESC, version DESC) AS age
         FROM knowledge_versions WHERE project_id = ?
       ) WHERE age = 1 AND valid_to IS NOT NULL
     ) ORDER BY valid_to DESC, entity_id LIMIT ?`,
    [records.projectId, limit],
  );
  return rows.map(row => {
    const id = String(row['entity_id']);
    const entityType = entityId('atom', id) === id ? 'atom' : 'molecule';
    return { id, entityType, name: String(row['name']), version: Number(row['version']), deletedAt: isoOf(row['valid_to']) };
  });
}

function textOrNull(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function isoOf(epochMs: SqlValue | undefined): string {
  return new Date(Number(epochMs)).toISOString();
}
