import type { Migration, RecordKind, Records } from '../../model/records';

/** A state of a checkout that somebody has marked. */
export interface Checkpoint {
  readonly id: string;
  /** Real path of the checkout. */
  readonly checkout: string;
  readonly name: string;
  /** The last transaction then. */
  readonly txId: string;
}

/** Checkpoints of one checkout; the oldest goes first. */
const MAX_CHECKPOINTS = 20;

/** Numbers 50 to 59 belong to checkpoints. */
export const CHECKPOINT_MIGRATIONS: readonly Migration[] = [
  {
    version: 50,
    name: 'checkpoints',
    apply: tables =>
      tables.script(`
        CREATE TABLE checkpoints (
          id TEXT PRIMARY KEY, project_id TEXT NOT NULL, checkout TEXT NOT NULL, name TEXT NOT NULL, tx_id TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX checkpoints_name ON checkpoints (project_id, checkout, name);
      `),
  },
];

/** Records of checkpoints, which keep states of the code by name. */
export const CHECKPOINT_KINDS: readonly RecordKind[] = [
  {
    kind: 'checkpoint.marked',
    apply: (tables, payload, { seq, timestamp }) => {
      const { checkout, id, name, projectId, txId } = payload as Checkpoint & { readonly projectId: string };
      tables.run('DELETE FROM checkpoints WHERE project_id = ? AND checkout = ? AND name = ?', [projectId, checkout, name]);
      tables.run('INSERT OR REPLACE INTO checkpoints (id, project_id, checkout, name, tx_id, seq, at) VALUES (?, ?, ?, ?, ?, ?, ?)', [
        id,
        projectId,
        checkout,
        name,
        txId,
        seq,
        timestamp,
      ]);
      tables.run(
        `DELETE FROM checkpoints WHERE project_id = ?1 AND checkout = ?2 AND id NOT IN
           (SELECT id FROM checkpoints WHERE project_id = ?1 AND checkout = ?2 ORDER BY seq DESC LIMIT ${MAX_CHECKPOINTS})`,
        [projectId, checkout],
      );
    },
  },
  {
    kind: 'checkpoint.cleared',
    apply: (tables, payload) => {
      const { checkout, projectId } = payload as { readonly checkout: string; readonly projectId: string };
      tables.run('DELETE FROM checkpoints WHERE project_id = ? AND checkout = ?', [projectId, checkout]);
    },
  },
];

/** Transactions of a checkout whose states outlive every limit: those of checkpoints and of the starts of tasks that are not closed. */
export function pinnedTransactions(records: Pick<Records, 'projectId' | 'query'>, checkout: string): readonly string[] {
  const rows = records.query(
    `SELECT tx_id FROM checkpoints WHERE project_id = ?1 AND checkout = ?2
     UNION SELECT start_tx_id FROM work_containers WHERE project_id = ?1 AND type = 'task' AND start_tx_id IS NOT NULL AND status NOT IN ('completed', 'terminated')`,
    [records.projectId, checkout],
  );
  return rows.map(row => String(row['tx_id']));
}
