/**
 * Door of the work room: features, tasks, their sections and dependencies.
 *
 * Does not know: the code graph (code is named by path), knowledge, tools, the editor.
 * Invariants: dependencies have no cycle; a transition is decided against a view that holds all earlier writes;
 * every version that a feature, task or section ever had stands in `work_versions`, without a gap.
 */
import type { Migration, RecordKind, RecordStamp, SqlValue, Tables } from '../model/records';
import type { Container, Dependency, Section, Tag, Template } from './entities';

/** Numbers 20 to 29 belong to this room. */
export const WORK_MIGRATIONS: readonly Migration[] = [
  {
    version: 20,
    name: 'features, tasks, sections, dependencies, templates, tags and the versions of what can be edited',
    apply: tables =>
      tables.script(`
        CREATE TABLE work_containers (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, type TEXT NOT NULL CHECK (type IN ('feature', 'task')), feature_id TEXT,
          name TEXT NOT NULL, summary TEXT NOT NULL, status TEXT NOT NULL, priority TEXT NOT NULL, tags TEXT NOT NULL, position INTEGER NOT NULL,
          outcome TEXT, blocked_reason TEXT, status_before_block TEXT, assigned_agent_id TEXT, start_tx_id TEXT, closed_at TEXT,
          version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX work_containers_status ON work_containers (project_id, type, status);
        CREATE INDEX work_containers_feature ON work_containers (feature_id);
        CREATE TABLE work_sections (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, container_id TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL, ordinal INTEGER NOT NULL,
          version INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX work_sections_container ON work_sections (container_id, ordinal);
        CREATE TABLE work_dependencies (
          from_id TEXT NOT NULL, to_id TEXT NOT NULL, project_id TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (from_id, to_id)
        ) WITHOUT ROWID;
        CREATE INDEX work_dependencies_to ON work_dependencies (to_id);
        CREATE TABLE work_templates (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, name TEXT NOT NULL, container_type TEXT NOT NULL, sections TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE work_tags (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL) WITHOUT ROWID;
        CREATE UNIQUE INDEX work_tags_name ON work_tags (project_id, folded);
        CREATE TABLE work_versions (
          entity_id TEXT NOT NULL, version INTEGER NOT NULL, project_id TEXT NOT NULL, changed_fields TEXT NOT NULL, fields TEXT NOT NULL,
          agent_id TEXT, reason TEXT, seq INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (entity_id, version)
        ) WITHOUT ROWID;
      `),
  },
];

/** A new version of something that is edited, with who made it and which of its fields are new. */
export interface Versioned<T> {
  readonly entity: T;
  readonly changedFields: readonly string[];
  readonly agentId: string | null;
  readonly reason: string | null;
}

/** Records of features, tasks, sections and templates, and how the view takes them in. */
export const WORK_KINDS: readonly RecordKind[] = [
  { kind: 'work.container', apply: (tables, payload, stamp) => putContainer(tables, payload as Versioned<Container>, stamp) },
  { kind: 'work.containerRemoved', apply: (tables, payload) => removeContainer(tables, (payload as { readonly id: string }).id) },
  { kind: 'work.section', apply: (tables, payload, stamp) => putSection(tables, payload as Versioned<Section>, stamp) },
  { kind: 'work.sectionRemoved', apply: (tables, payload) => tables.run('DELETE FROM work_sections WHERE id = ?', [(payload as { readonly id: string }).id]) },
  { kind: 'work.dependency', apply: (tables, payload) => putDependency(tables, payload as Dependency) },
  { kind: 'work.dependencyRemoved', apply: (tables, payload) => removeDependency(tables, payload as Pick<Dependency, 'fromId' | 'toId'>) },
  { kind: 'work.template', apply: (tables, payload) => putTemplate(tables, payload as Template) },
  {
    kind: 'work.templateRemoved',
    apply: (tables, payload) => tables.run('DELETE FROM work_templates WHERE id = ?', [(payload as { readonly id: string }).id]),
  },
  { kind: 'work.tag', apply: (tables, payload) => putTag(tables, payload as Tag) },
  { kind: 'work.tagRemoved', apply: (tables, payload) => tables.run('DELETE FROM work_tags WHERE id = ?', [(payload as { readonly id: string }).id]) },
];

function putContainer(tables: Tables, written: Versioned<Container>, stamp: RecordStamp): void {
  const { entity } = written;
  const row: readonly SqlValue[] = [
    entity.id,
    entity.projectId,
    entity.type,
    entity.featureId,
    entity.name,
    entity.summary,
    entity.status,
    entity.priority,
    JSON.stringify(entity.tags),
    entity.order,
    entity.outcome,
    entity.blockedReason,
    entity.statusBeforeBlock,
    entity.assignedAgentId,
    entity.startTxId,
    entity.closedAt,
    entity.version,
    entity.createdAt,
    entity.updatedAt,
  ];
  tables.run(
    `INSERT OR REPLACE INTO work_containers (id, project_id, type, feature_id, name, summary, status, priority, tags, position, outcome, blocked_reason,
       status_before_block, assigned_agent_id, start_tx_id, closed_at, version, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row,
  );
  keepVersion(tables, written, stamp);
}

function removeContainer(tables: Tables, id: string): void {
  tables.run('DELETE FROM work_containers WHERE id = ?', [id]);
  tables.run('DELETE FROM work_sections WHERE container_id = ?', [id]);
  tables.run('DELETE FROM work_dependencies WHERE from_id = ?1 OR to_id = ?1', [id]);
}

function putSection(tables: Tables, written: Versioned<Section>, stamp: RecordStamp): void {
  const { id, projectId, containerId, title, content, ordinal, version, createdAt, updatedAt } = written.entity;
  tables.run(
    `INSERT OR REPLACE INTO work_sections (id, project_id, container_id, title, content, ordinal, version, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, projectId, containerId, title, content, ordinal, version, createdAt, updatedAt],
  );
  keepVersion(tables, written, stamp);
}

function keepVersion(tables: Tables, written: Versioned<Container | Section>, stamp: RecordStamp): void {
  const { entity, changedFields, agentId, reason } = written;
  tables.run(
    `INSERT OR REPLACE INTO work_versions (entity_id, version, project_id, changed_fields, fields, agent_id, reason, seq, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [entity.id, entity.version, entity.projectId, JSON.stringify(changedFields), JSON.stringify(entity), agentId, reason, stamp.seq, stamp.timestamp],
  );
}

function putDependency(tables: Tables, { fromId, toId, projectId, createdAt }: Dependency): void {
  tables.run('INSERT OR IGNORE INTO work_dependencies (from_id, to_id, project_id, created_at) VALUES (?, ?, ?, ?)', [fromId, toId, projectId, createdAt]);
}

function removeDependency(tables: Tables, { fromId, toId }: Pick<Dependency, 'fromId' | 'toId'>): void {
  tables.run('DELETE FROM work_dependencies WHERE from_id = ? AND to_id = ?', [fromId, toId]);
}

function putTemplate(tables: Tables, { id, projectId, name, containerType, sections }: Template): void {
  tables.run('INSERT OR REPLACE INTO work_templates (id, project_id, name, container_type, sections) VALUES (?, ?, ?, ?, ?)', [
    id,
    projectId,
    name,
    containerType,
    JSON.stringify(sections),
  ]);
}

function putTag(tables: Tables, { id, projectId, name }: Tag): void {
  tables.run('INSERT OR REPLACE INTO work_tags (id, project_id, name, folded) VALUES (?, ?, ?, ?)', [id, projectId, name, name.toLowerCase()]);
}
