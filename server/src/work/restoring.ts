import type { Author, RecordDraft, Records, Row } from '../model/records';
import { Edit } from './edits';
import type { Container, Section } from './entities';
import { containerOf, sectionOf, type WorkReader } from './view';

/**
 * What brings features, tasks and sections back to what they were then, each that differs in a version of its own: whoever knows one that came since is told
 * of the conflict, and no version is lost. Dependencies, templates and tags have no versions; their rows are put back as they are.
 */
export function restoreWork(now: Records, then: WorkReader, author: Author, reason: string): readonly RecordDraft[] {
  const edit = new Edit(now, author.agentId);
  const containers = [rowsOf(now, 'work_containers').map(containerOf), rowsOf(then, 'work_containers').map(containerOf)] as const;
  const sections = [rowsOf(now, 'work_sections').map(sectionOf), rowsOf(then, 'work_sections').map(sectionOf)] as const;
  for (const [present, past] of [containers, sections]) {
    const wanted = new Set(past.map(({ id }) => id));
    for (const entity of present) if (!wanted.has(entity.id)) edit.remove(entity);
  }
  bringBack(now, edit, ...containers, reason);
  bringBack(now, edit, ...sections, reason);
  return edit.drafts;
}

function bringBack<T extends Container | Section>(now: Records, edit: Edit, present: readonly T[], past: readonly T[], reason: string): void {
  const byId = new Map(present.map(entity => [entity.id, entity]));
  for (const entity of past) {
    const before = byId.get(entity.id);
    if (before !== undefined && sayOf(before) === sayOf(entity)) continue;
    edit.revise(before ?? { ...entity, version: lastVersion(now, entity) }, entity, reason);
  }
}

/** Everything but the bookkeeping of each write. */
function sayOf(entity: Container | Section): string {
  return JSON.stringify({ ...entity, version: 0, updatedAt: '' });
}

/** Of something deleted, what its history ends with. */
function lastVersion(now: Records, { id, version }: Container | Section): number {
  const [row] = now.query('SELECT max(version) AS version FROM work_versions WHERE entity_id = ?', [id]);
  return Math.max(version, Number(row?.['version'] ?? 0));
}

function rowsOf(reader: WorkReader, table: string): readonly Row[] {
  return reader.query(`SELECT * FROM ${table} WHERE project_id = ? ORDER BY created_at, id`, [reader.projectId]);
}
