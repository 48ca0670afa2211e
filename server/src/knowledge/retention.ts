import type { Failure, Result } from '../base/result';
import type { Decision, RecordDraft, Records, Tables } from '../model/records';

/**
 * How long retired versions stay: a version must meet every limit, the newest transactions always stay,
 * and so does what was current when a task began that is still open.
 */
export interface Retention {
  readonly keepDays: number;
  /** Counted over those of people and agents: those of the index retire no knowledge. */
  readonly keepTransactions: number;
  readonly maxBytes: number;
}

export const DEFAULT_RETENTION: Retention = { keepDays: 30, keepTransactions: 1000, maxBytes: 64 * 1024 * 1024 };
const ALWAYS_KEPT_TRANSACTIONS = 20;
/** Writes between two searches for what can be deleted. */
const WRITES_PER_CHECK = 200;
const DAY_MS = 86_400_000;

interface Forgetting {
  /** Versions that ended no later may go; epoch milliseconds. */
  readonly horizon: number;
}

interface Upkeep {
  writesUntilCheck: number;
}

function makeUpkeep(_records: Records): Upkeep {
  return { writesUntilCheck: 0 };
}

/** The decision, now and then with the record that lets old versions go. */
export function withRetention<T, E extends Failure>(records: Records, decided: Result<Decision<T>, E>, retention = DEFAULT_RETENTION): Result<Decision<T>, E> {
  if (!decided.ok || decided.value.records.length === 0) return decided;
  const upkeep = records.companion(makeUpkeep);
  if (upkeep.writesUntilCheck-- > 0) return decided;
  upkeep.writesUntilCheck = WRITES_PER_CHECK - 1;
  const due = forgetting(records, retention);
  return due === undefined ? decided : { ok: true, value: { ...decided.value, records: [...decided.value.records, due] } };
}

function forgetting(records: Records, { keepDays, keepTransactions, maxBytes }: Retention): RecordDraft | undefined {
  const newestKept = transactionTime(records, ALWAYS_KEPT_TRANSACTIONS - 1);
  if (newestKept === undefined) return undefined;
  const [heavy] = records.query(
    `SELECT max(valid_to) AS at FROM (
       SELECT valid_to, sum(octet_length(fields)) OVER (ORDER BY valid_to DESC, rowid DESC) AS total FROM knowledge_versions WHERE valid_to IS NOT NULL
     ) WHERE total > ?`,
    [maxBytes],
  );
  const limits = [records.now() - keepDays * DAY_MS, transactionTime(records, keepTransactions - 1) ?? 0, Number(heavy?.['at'] ?? 0)];
  const horizon = Math.min(newestKept, Math.max(...limits));
  const some = records.query(`SELECT 1 FROM knowledge_versions WHERE ${ENDED_BY} LIMIT 1`, [horizon]);
  return some.length === 0 ? undefined : { kind: FORGET, payload: { horizon } satisfies Forgetting };
}

/** When the transaction was made that so many later ones of people and agents follow. */
function transactionTime(records: Records, later: number): number | undefined {
  const sql = "SELECT timestamp FROM graph_tx WHERE project_id = ? AND type = 'agent_edit' ORDER BY seq DESC LIMIT 1 OFFSET ?";
  const [row] = records.query(sql, [records.projectId, later]);
  return row === undefined ? undefined : Number(row['timestamp']);
}

export const FORGET = 'knowledge.forgetVersions';

/** Of the versions that ended by a time: those before which none ended later, so that no gap comes of a clock that was ahead for a while. */
const ENDED_BY = `valid_to <= ?1 AND ended_seq < coalesce((SELECT min(later.ended_seq) FROM knowledge_versions later WHERE later.valid_to > ?1), 9007199254740991)`;

/** Removes the versions that ended by the horizon, but for those that were current when an open task began. */
export function forget(tables: Tables, { horizon }: Forgetting): void {
  tables.run(
    `DELETE FROM knowledge_versions WHERE ${ENDED_BY} AND NOT EXISTS (
       SELECT 1 FROM work_containers task JOIN graph_tx start ON start.id = task.start_tx_id
       WHERE task.type = 'task' AND task.status NOT IN ('completed', 'terminated') AND start.timestamp >= valid_from AND start.timestamp < valid_to
     )`,
    [horizon],
  );
}
