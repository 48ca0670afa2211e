import type { Records, Row } from '../model/records';
import {
  type Container,
  type ContainerType,
  type Dependency,
  idWithPrefix,
  type Outcome,
  type Priority,
  type Section,
  type Status,
  type Tag,
  type Template,
  type TemplateSection,
} from './entities';
import type { Blocker } from './failures';

export type WorkReader = Pick<Records, 'query' | 'projectId'>;

/** What stood in one version of a feature, task or section, and how it came about. */
export interface Version {
  readonly version: number;
  readonly changedFields: readonly string[];
  readonly agentId: string | null;
  readonly txId: string | null;
  readonly reason: string | null;
  readonly at: string;
}

/** Reads the work of one project; nothing of another project is ever seen. */
export class WorkView {
  constructor(private readonly records: WorkReader) {}

  /** A bare uuid is looked for among tasks first, then among features. */
  container(id: string, type?: ContainerType): Container | undefined {
    const types: readonly ContainerType[] = type === undefined ? ['task', 'feature'] : [type];
    for (const wanted of types) {
      if (/^(?:task|feature)::/.test(id.trim()) && !id.trim().startsWith(`${wanted}::`)) continue;
      const row = this.#first('SELECT * FROM work_containers WHERE id = ? AND type = ?', [idWithPrefix(wanted, id), wanted]);
      if (row !== undefined) return containerOf(row);
    }
    return undefined;
  }

  /** Every feature and task, by id. */
  all(): readonly Container[] {
    return this.#all('SELECT * FROM work_containers WHERE 1 ORDER BY id', []).map(containerOf);
  }

  /** The sections of a title, whatever its case, of all features and tasks, in reading order. */
  titled(title: string): readonly Section[] {
    return this.#all('SELECT * FROM work_sections WHERE lower(trim(title)) = ? ORDER BY container_id, ordinal, created_at, id', [title.toLowerCase()]).map(
      sectionOf,
    );
  }

  /** Who blocks whom, by blocked task. */
  allDependencies(): readonly Dependency[] {
    return this.#all('SELECT * FROM work_dependencies WHERE 1 ORDER BY to_id, from_id', []).map(dependencyOf);
  }

  /** In the order of the ids given; those that are gone are left out. */
  containers(ids: readonly string[]): readonly Container[] {
    const rows = this.#all('SELECT * FROM work_containers WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
    const byId = new Map(rows.map(row => [String(row['id']), row]));
    return ids.flatMap(id => {
      const row = byId.get(id);
      return row === undefined ? [] : [containerOf(row)];
    });
  }

  tasksOf(featureId: string): readonly Container[] {
    return this.#all('SELECT * FROM work_containers WHERE feature_id = ? ORDER BY position, created_at, id', [featureId]).map(containerOf);
  }

  section(id: string): Section | undefined {
    const row = this.#first('SELECT * FROM work_sections WHERE id = ?', [idWithPrefix('section', id)]);
    return row && sectionOf(row);
  }

  /** In reading order. */
  sections(containerId: string): readonly Section[] {
    return this.#all('SELECT * FROM work_sections WHERE container_id = ? ORDER BY ordinal, created_at, id', [containerId]).map(sectionOf);
  }

  /** What blocks the task and what it blocks. */
  dependencies(taskId: string): readonly Dependency[] {
    return this.#all('SELECT * FROM work_dependencies WHERE ? IN (from_id, to_id) ORDER BY created_at, from_id, to_id', [taskId]).map(dependencyOf);
  }

  /** Ids of the tasks that this one blocks. */
  blockedBy(taskId: string): readonly string[] {
    return this.#all('SELECT to_id FROM work_dependencies WHERE from_id = ? ORDER BY to_id', [taskId]).map(row => String(row['to_id']));
  }

  /** Everything that keeps the task (or feature) from moving forward: a block of its own, then its blockers that are not completed. */
  blockers(container: Container): readonly Blocker[] {
    const { id, name, status, blockedReason } = container;
    const own: Blocker[] = status === 'blocked' ? [{ kind: 'manual', id, name, status, reason: blockedReason ?? 'blocked' }] : [];
    const rows = this.#all(
      `SELECT b.id, b.name, b.status FROM work_dependencies d JOIN work_containers b ON b.id = d.from_id
       WHERE d.to_id = ? AND b.status <> 'completed' ORDER BY b.created_at, b.id`,
      [id],
      'd.project_id',
    );
    return [...own, ...rows.map(blockerOf)];
  }

  template(id: string): Template | undefined {
    const row = this.#first('SELECT * FROM work_templates WHERE id = ?', [idWithPrefix('template', id)]);
    return row && templateOf(row);
  }

  /** By name, then id. */
  templates(): readonly Template[] {
    return this.#all('SELECT * FROM work_templates WHERE 1 ORDER BY name, id', []).map(templateOf);
  }

  /** By id or, whatever its case, by name. */
  tag(idOrName: string): Tag | undefined {
    const row = this.#first('SELECT * FROM work_tags WHERE (id = ? OR folded = ?)', [idWithPrefix('tag', idOrName), idOrName.trim().toLowerCase()]);
    return row && tagOf(row);
  }

  tags(): readonly Tag[] {
    return this.#all('SELECT * FROM work_tags WHERE 1 ORDER BY folded', []).map(tagOf);
  }

  /** Features and tasks that bear a tag, by its name as it is spelled. */
  tagged(name: string): readonly Container[] {
    return this.#all('SELECT * FROM work_containers WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?) ORDER BY id', [name]).map(containerOf);
  }

  /** Newest first. */
  versions(entityId: string): readonly Version[] {
    const rows = this.#all(
      `SELECT v.*, t.id AS tx_id FROM work_versions v LEFT JOIN graph_tx t ON t.project_id = v.project_id AND t.seq = v.seq AND t.type = 'agent_edit'
       WHERE v.entity_id = ? ORDER BY v.version DESC`,
      [entityId],
      'v.project_id',
    );
    return rows.map(versionOf);
  }

  /** The fields as they stood in a version. */
  containerAt(id: string, version: number): Container | undefined {
    const row = this.#first('SELECT fields FROM work_versions WHERE entity_id = ? AND version = ?', [id, version]);
    return row && (JSON.parse(String(row['fields'])) as Container);
  }

  latestTxId(): string | null {
    const row = this.#first("SELECT id FROM graph_tx WHERE status = 'committed' ORDER BY seq DESC LIMIT 1", []);
    return row === undefined ? null : String(row['id']);
  }

  #first(sql: string, params: readonly (string | number | null)[]): Row | undefined {
    return this.#all(sql, params)[0];
  }

  /** Adds the project to the condition: every statement has a WHERE. */
  #all(sql: string, params: readonly (string | number | null)[], column = 'project_id'): readonly Row[] {
    return this.records.query(sql.replace(' WHERE ', ` WHERE ${column} = ? AND `), [this.records.projectId, ...params]);
  }
}

export function containerOf(row: Row): Container {
  return {
    id: textOf(row, 'id'),
    projectId: textOf(row, 'project_id'),
    type: textOf(row, 'type') as ContainerType,
    featureId: textOrNull(row, 'feature_id'),
    name: textOf(row, 'name'),
    summary: textOf(row, 'summary'),
    status: textOf(row, 'status') as Status,
    priority: textOf(row, 'priority') as Priority,
    tags: JSON.parse(textOf(row, 'tags')) as string[],
    order: Number(row['position']),
    outcome: textOrNull(row, 'outcome') as Outcome | null,
    blockedReason: textOrNull(row, 'blocked_reason'),
    statusBeforeBlock: textOrNull(row, 'status_before_block') as Status | null,
    assignedAgentId: textOrNull(row, 'assigned_agent_id'),
    startTxId: textOrNull(row, 'start_tx_id'),
    closedAt: textOrNull(row, 'closed_at'),
    version: Number(row['version']),
    createdAt: textOf(row, 'created_at'),
    updatedAt: textOf(row, 'updated_at'),
  };
}

export function sectionOf(row: Row): Section {
  return {
    id: textOf(row, 'id'),
    projectId: textOf(row, 'project_id'),
    containerId: textOf(row, 'container_id'),
    title: textOf(row, 'title'),
    content: textOf(row, 'content'),
    ordinal: Number(row['ordinal']),
    version: Number(row['version']),
    createdAt: textOf(row, 'created_at'),
    updatedAt: textOf(row, 'updated_at'),
  };
}

function dependencyOf(row: Row): Dependency {
  return { fromId: textOf(row, 'from_id'), toId: textOf(row, 'to_id'), projectId: textOf(row, 'project_id'), createdAt: textOf(row, 'created_at') };
}

export function blockerOf(row: Row): Blocker {
  const status = textOf(row, 'status') as Status;
  const name = textOf(row, 'name');
  const kind = status === 'terminated' ? 'terminated' : 'open';
  return { kind, id: textOf(row, 'id'), name, status, reason: kind === 'terminated' ? `${name} was terminated` : `${name} is ${status}` };
}

function templateOf(row: Row): Template {
  return {
    id: textOf(row, 'id'),
    projectId: textOf(row, 'project_id'),
    name: textOf(row, 'name'),
    containerType: textOf(row, 'container_type') as ContainerType,
    sections: JSON.parse(textOf(row, 'sections')) as TemplateSection[],
  };
}

function tagOf(row: Row): Tag {
  return { id: textOf(row, 'id'), projectId: textOf(row, 'project_id'), name: textOf(row, 'name') };
}

function versionOf(row: Row): Version {
  return {
    version: Number(row['version']),
    changedFields: JSON.parse(textOf(row, 'changed_fields')) as string[],
    agentId: textOrNull(row, 'agent_id'),
    txId: textOrNull(row, 'tx_id'),
    reason: textOrNull(row, 'reason'),
    at: new Date(Number(row['at'])).toISOString(),
  };
}

function textOf(row: Row, column: string): string {
  return String(row[column] ?? '');
}

function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  return value === null || value === undefined ? null : String(value);
}
