import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Emitter } from '../../server/src/base/emitter';
import { type Failure, ok, type Result } from '../../server/src/base/result';
import { SYNC_KINDS, SYNC_MIGRATIONS } from '../../server/src/knowledge/sync/syncTables';
import { KNOWLEDGE_KINDS, KNOWLEDGE_MIGRATIONS } from '../../server/src/knowledge/tables';
import { MEMORY_KINDS, MEMORY_MIGRATIONS } from '../../server/src/memory/tables';
import type { Author, Decision, RecordDraft, Records, RecordsWritten, SqlValue } from '../../server/src/model/records';
import { StoreDatabase } from '../../server/src/store/database';
import { STORE_MIGRATIONS } from '../../server/src/store/migrations';
import { agentEdit, TRANSACTION_KINDS } from '../../server/src/store/transactions';
import { restoreKinds } from '../../server/src/store/upkeep/backups';
import { WORK_KINDS, WORK_MIGRATIONS } from '../../server/src/work/tables';

const SQL_WASM = readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));

/** Nobody, for a test that does not care who writes. */
export const SOMEBODY: Author = { agentId: undefined, sessionId: undefined, key: undefined };

export interface MemoryRecords extends Records {
  /** Milliseconds since the epoch; moves on by one with each write. */
  time: number;
  /** Kinds of the records written, in order. */
  readonly kinds: string[];
}

/** The real tables and record kinds without a journal. Ids are `00000000-0000-4000-8000-` and a counter of twelve digits. */
export async function memoryRecords(projectId = 'p'): Promise<MemoryRecords> {
  const database = await StoreDatabase.create(SQL_WASM);
  const migrations = [...STORE_MIGRATIONS, ...KNOWLEDGE_MIGRATIONS, ...SYNC_MIGRATIONS, ...WORK_MIGRATIONS, ...MEMORY_MIGRATIONS].sort(
    (a, b) => a.version - b.version,
  );
  for (const migration of migrations) migration.apply(database);
  const byKind = new Map(
    [...TRANSACTION_KINDS, ...KNOWLEDGE_KINDS, ...SYNC_KINDS, ...WORK_KINDS, ...MEMORY_KINDS, ...restoreKinds({ knowledge: [] })].map(kind => [
      kind.kind,
      kind,
    ]),
  );
  const written = new Emitter<readonly string[]>();
  const applied = new Emitter<readonly RecordDraft[]>();
  const answered = new Map<string, { result: unknown; txId: string }>();
  const companions = new Map<(records: Records) => unknown, unknown>();
  let seq = 0;
  let ids = 0;
  const records: MemoryRecords = {
    projectId,
    time: Date.UTC(2026, 0, 1),
    kinds: [],
    now: () => records.time,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    query: (sql: string, params: readonly SqlValue[] = []) => database.all(sql, params),
    write: async <T, E extends Failure>(author: Author, decide: () => Result<Decision<T>, E>): Promise<Result<RecordsWritten<T>, E | Failure>> => {
      const known = author.key === undefined ? undefined : answered.get(author.key);
      if (known !== undefined) return ok({ result: known.result as T, txId: known.txId, isRepeated: true });
      const decided = decide();
      if (!decided.ok) return decided;
      const { records: drafts, result } = decided.value;
      if (drafts.length === 0) return ok({ result, txId: undefined, isRepeated: false });
      seq++;
      records.time++;
      for (const { kind, payload } of drafts) {
        const known = byKind.get(kind);
        if (known === undefined) throw new Error(`no record kind ${kind}`);
        records.kinds.push(kind);
        known.apply(database, JSON.parse(JSON.stringify(payload)), { seq, timestamp: records.time });
      }
      const txId = `tx-${seq}`;
      byKind.get('tx.record')?.apply(database, agentEdit({ id: txId, projectId, checkout: '/home/ada/shop' }, author), { seq, timestamp: records.time });
      if (author.key !== undefined) answered.set(author.key, { result, txId });
      applied.fire(drafts);
      written.fire([...new Set(drafts.map(draft => draft.kind.split('.', 1)[0] ?? ''))]);
      return ok({ result, txId, isRepeated: false });
    },
    onWritten: written.event,
    onApplied: applied.event,
    companion: <T>(make: (records: Records) => T): T => {
      if (!companions.has(make)) companions.set(make, make(records));
      return companions.get(make) as T;
    },
  };
  return records;
}
