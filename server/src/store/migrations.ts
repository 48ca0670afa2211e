import { err, ok, type Result } from '../base/result';
import type { Migration } from '../model/records';
import type { StoreDatabase } from './database';

/** The store's own tables. Rooms with tables of their own bring further migrations. */
export const STORE_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'journal positions, idempotency keys, set-aside records, what was recovered',
    apply: database =>
      database.script(`
        CREATE TABLE store_meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
        CREATE TABLE journal_position (segment TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE applied_key (key TEXT PRIMARY KEY, seq INTEGER NOT NULL, result TEXT) WITHOUT ROWID;
        CREATE INDEX applied_key_seq ON applied_key (seq);
        CREATE TABLE unapplied_record (segment TEXT NOT NULL, seq INTEGER NOT NULL, record TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (segment, seq)) WITHOUT ROWID;
        CREATE TABLE store_recovery (seq INTEGER NOT NULL, position INTEGER NOT NULL, timestamp INTEGER NOT NULL, message TEXT NOT NULL, PRIMARY KEY (seq, position)) WITHOUT ROWID;
      `),
  },
  {
    version: 2,
    name: 'graph transactions',
    apply: database =>
      database.script(`
        CREATE TABLE graph_tx (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, checkout TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, agent_id TEXT, session_id TEXT,
          git_commit TEXT, git_branch TEXT, git_dirty INTEGER, timestamp INTEGER NOT NULL, mode TEXT NOT NULL,
          node_count INTEGER NOT NULL, edge_count INTEGER NOT NULL, files_parsed INTEGER NOT NULL, duration_ms INTEGER NOT NULL, status TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX graph_tx_seq ON graph_tx (project_id, seq);
        CREATE INDEX graph_tx_timestamp ON graph_tx (project_id, timestamp);
        CREATE INDEX graph_tx_commit ON graph_tx (project_id, git_commit);
        CREATE INDEX graph_tx_agent ON graph_tx (project_id, agent_id, seq);
        CREATE TABLE tx_affects (tx_id TEXT NOT NULL, project_id TEXT NOT NULL, file_id TEXT NOT NULL, PRIMARY KEY (tx_id, file_id)) WITHOUT ROWID;
        CREATE INDEX tx_affects_file ON tx_affects (project_id, file_id);
      `),
  },
];

/** Brings the view to the newest schema, each step whole or not at all. `STORE_NEWER` when a newer Lattice has written it. */
export function migrate(database: StoreDatabase, migrations: readonly Migration[]): Result<void> {
  const ordered = [...migrations].sort((a, b) => a.version - b.version);
  const newest = ordered.at(-1)?.version ?? 0;
  const found = database.schemaVersion;
  if (found > newest) {
    const message = `The data of this project was written by a later version of Lattice (schema ${found}; this version supports ${newest}). Update Lattice, or set LATTICE_HOME to another folder.`;
    return err({ code: 'STORE_NEWER', message });
  }
  for (const migration of ordered) {
    if (migration.version <= found) continue;
    database.atomically(() => {
      migration.apply(database);
      database.script(`PRAGMA user_version = ${migration.version}`);
    });
  }
  return ok(undefined);
}
