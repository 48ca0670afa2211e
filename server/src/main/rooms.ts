/** The rooms that keep records in the store of a project: their kinds, their tables, and what a restore puts back. */

import { restoreKnowledge } from '../knowledge/restoring';
import { KNOWLEDGE_CHECKS } from '../knowledge/rowChecks';
import { SYNC_KINDS, SYNC_MIGRATIONS } from '../knowledge/sync/syncTables';
import { KNOWLEDGE_KINDS, KNOWLEDGE_MIGRATIONS } from '../knowledge/tables';
import { MEMORY_CHECKS } from '../memory/rowChecks';
import { MEMORY_KINDS, MEMORY_MIGRATIONS } from '../memory/tables';
import type { Migration, RecordKind, RowCheck } from '../model/records';
import { type RestoredTables, restoreKinds, type VersionedRestore } from '../store/upkeep/backups';
import { CHECKPOINT_KINDS, CHECKPOINT_MIGRATIONS } from '../store/upkeep/checkpoints';
import { repairKind } from '../store/upkeep/recordsDoctor';
import { restoreWork } from '../work/restoring';
import { WORK_CHECKS } from '../work/rowChecks';
import { WORK_KINDS, WORK_MIGRATIONS } from '../work/tables';

export const ANSWERED_KIND = 'session.answered';

/** Tables that a backup vouches for and whose rows a restore brings back, by the area that is told of it; see `REVISING`. */
export const RESTORED_TABLES: RestoredTables = {
  knowledge: ['graph_molecules', 'graph_atoms', 'graph_changelog', 'knowledge_versions'],
  work: ['work_containers', 'work_sections', 'work_dependencies', 'work_templates', 'work_tags', 'work_versions'],
  memory: ['episodes', 'episode_entities', 'learnings'],
};

/** Rows with versions come back as new versions. */
export const VERSIONED_RESTORES: Readonly<Record<string, VersionedRestore>> = {
  knowledge: { versioned: ['graph_molecules', 'graph_atoms'], logs: ['knowledge_versions'], decide: restoreKnowledge },
  work: { versioned: ['work_containers', 'work_sections'], logs: ['work_versions'], decide: restoreWork },
};

/** Tables that a restore leaves: the log of what happened goes on, and what was agreed on with files is about the files as they are, and so are claims about who is at work and renames of code. */
export const KEPT_TABLES: readonly string[] = [
  'store_meta',
  'journal_position',
  'applied_key',
  'unapplied_record',
  'store_recovery',
  'graph_tx',
  'tx_affects',
  'checkpoints',
  'knowledge_sync',
  'knowledge_conflict',
  'knowledge_question',
  'claims',
  'code_moves',
];

/** What has to hold between the rows of all rooms. */
export const ROOM_CHECKS: readonly RowCheck[] = [...KNOWLEDGE_CHECKS, ...WORK_CHECKS, ...MEMORY_CHECKS];

/** Records that the rooms write to the journal; the store adds those of its own. */
export const ROOM_KINDS: readonly RecordKind[] = [
  ...KNOWLEDGE_KINDS,
  ...SYNC_KINDS,
  ...WORK_KINDS,
  ...MEMORY_KINDS,
  ...CHECKPOINT_KINDS,
  ...restoreKinds(RESTORED_TABLES),
  repairKind(ROOM_CHECKS),
  // The answers that retries of calls find; they have no rows.
  { kind: ANSWERED_KIND, apply: () => undefined },
];

/** Changes of the view's tables, in order. */
export const ROOM_MIGRATIONS: readonly Migration[] = [
  ...KNOWLEDGE_MIGRATIONS,
  ...SYNC_MIGRATIONS,
  ...WORK_MIGRATIONS,
  ...MEMORY_MIGRATIONS,
  ...CHECKPOINT_MIGRATIONS,
];
