import type { Migration, RecordDraft, RecordKind, Tables } from '../../model/records';
import type { NewBase, SyncConflict } from './plan';

/**
 * What a checkout last agreed on with its files, and what it could not agree on. Rows belong to a checkout, since every checkout has its own files.
 */
export const SYNC_MIGRATIONS: readonly Migration[] = [
  {
    version: 15,
    name: 'knowledge shared through files',
    apply: tables =>
      tables.script(`
        CREATE TABLE knowledge_sync (
          checkout TEXT NOT NULL, entity_id TEXT NOT NULL, base_json TEXT NOT NULL, file_hash TEXT NOT NULL, PRIMARY KEY (checkout, entity_id)
        ) WITHOUT ROWID;
        CREATE TABLE knowledge_conflict (
          checkout TEXT NOT NULL, entity_id TEXT NOT NULL, conflict_json TEXT NOT NULL, PRIMARY KEY (checkout, entity_id)
        ) WITHOUT ROWID;
        CREATE TABLE knowledge_question (checkout TEXT PRIMARY KEY, removed INTEGER NOT NULL, total INTEGER NOT NULL) WITHOUT ROWID;
      `),
  },
];

interface Agreement {
  readonly checkout: string;
  readonly bases: readonly NewBase[];
  readonly forgotten: readonly string[];
}

interface ConflictList {
  readonly checkout: string;
  readonly conflicts: readonly SyncConflict[];
}

/** Files of so many of so many entities are gone, and nobody has said yet whether the entities are to go too. */
export interface RemovalQuestion {
  readonly removed: number;
  readonly total: number;
}

interface QuestionAsked {
  readonly checkout: string;
  /** `null`: answered. */
  readonly question: RemovalQuestion | null;
}

/** Only conflicts and questions belong to the area that views listen to. */
export const syncDrafts = {
  agree: (agreement: Agreement): RecordDraft => ({ kind: 'knowledgeSync.agree', payload: agreement }),
  /** All conflicts of a checkout. */
  conflicts: (list: ConflictList): RecordDraft => ({ kind: 'knowledge.conflicts', payload: list }),
  question: (asked: QuestionAsked): RecordDraft => ({ kind: 'knowledge.question', payload: asked }),
} as const;

/** Records of what rows and files had in common last, and of conflicts. */
export const SYNC_KINDS: readonly RecordKind[] = [
  { kind: 'knowledgeSync.agree', apply: (tables, payload) => agree(tables, payload as Agreement) },
  { kind: 'knowledge.conflicts', apply: (tables, payload) => setConflicts(tables, payload as ConflictList) },
  { kind: 'knowledge.question', apply: (tables, payload) => setQuestion(tables, payload as QuestionAsked) },
];

function agree(tables: Tables, { bases, checkout, forgotten }: Agreement): void {
  for (const { entity, fileHash, id } of bases) {
    tables.run('INSERT OR REPLACE INTO knowledge_sync (checkout, entity_id, base_json, file_hash) VALUES (?, ?, ?, ?)', [
      checkout,
      id,
      JSON.stringify(entity),
      fileHash,
    ]);
  }
  for (const id of forgotten) tables.run('DELETE FROM knowledge_sync WHERE checkout = ? AND entity_id = ?', [checkout, id]);
}

function setConflicts(tables: Tables, { checkout, conflicts }: ConflictList): void {
  tables.run('DELETE FROM knowledge_conflict WHERE checkout = ?', [checkout]);
  for (const conflict of conflicts) {
    tables.run('INSERT INTO knowledge_conflict (checkout, entity_id, conflict_json) VALUES (?, ?, ?)', [checkout, conflict.id, JSON.stringify(conflict)]);
  }
}

function setQuestion(tables: Tables, { checkout, question }: QuestionAsked): void {
  tables.run('DELETE FROM knowledge_question WHERE checkout = ?', [checkout]);
  if (question === null) return;
  tables.run('INSERT INTO knowledge_question (checkout, removed, total) VALUES (?, ?, ?)', [checkout, question.removed, question.total]);
}
