import type { RecordKind } from '../../model/records';
import type { StoreDatabase } from '../database';
import { BATCH_KIND, type JournalRecord } from './journalRecords';

/** How long a retry finds the answer of its first try, in records. */
const KEY_MEMORY_RECORDS = 20_000;

/**
 * Carries one record out, with its position in its segment, in one step.
 * A record of an unknown kind (a newer Lattice wrote it) or one that fails is kept in `unapplied_record`; the sentences returned say so.
 */
export function applyRecord(database: StoreDatabase, kinds: ReadonlyMap<string, RecordKind>, segment: string, record: JournalRecord): readonly string[] {
  return database.atomically(() => {
    const problem = isRepeated(database, record) ? undefined : attempt(database, kinds, record);
    if (problem !== undefined) {
      database.run('INSERT OR REPLACE INTO unapplied_record (segment, seq, record, reason) VALUES (?, ?, ?, ?)', [
        segment,
        record.seq,
        JSON.stringify(record),
        problem,
      ]);
    }
    advance(database, segment, record);
    return problem === undefined ? [] : [`Record ${record.seq} of the journal (${record.kind}) is kept but has no effect: ${problem}.`];
  });
}

/** Tries the records again that an earlier version could not carry out; those that still fail stay where they are. */
export function retryUnapplied(database: StoreDatabase, kinds: ReadonlyMap<string, RecordKind>): void {
  for (const row of database.all('SELECT segment, seq, record FROM unapplied_record ORDER BY seq, segment')) {
    const record = JSON.parse(String(row['record'])) as JournalRecord;
    if (attempt(database, kinds, record) !== undefined) continue;
    database.run('DELETE FROM unapplied_record WHERE segment = ? AND seq = ?', [row['segment'] ?? '', row['seq'] ?? 0]);
  }
}

export function readMeta(database: StoreDatabase, name: 'last_seq' | 'last_timestamp'): number {
  return Number(database.first('SELECT value FROM store_meta WHERE name = ?', [name])?.['value'] ?? 0);
}

function isRepeated(database: StoreDatabase, record: JournalRecord): boolean {
  return record.key !== undefined && database.first('SELECT 1 FROM applied_key WHERE key = ?', [record.key]) !== undefined;
}

function attempt(database: StoreDatabase, kinds: ReadonlyMap<string, RecordKind>, record: JournalRecord): string | undefined {
  try {
    database.atomically(() => {
      const entries = record.kind === BATCH_KIND ? (record.payload as readonly { kind: string; payload: unknown }[]) : [record];
      for (const entry of entries) {
        const kind = kinds.get(entry.kind);
        if (kind === undefined) throw new Error(`this version of Lattice does not know the kind "${entry.kind}"`);
        kind.apply(database, entry.payload, { seq: record.seq, timestamp: record.ts });
      }
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function advance(database: StoreDatabase, segment: string, record: JournalRecord): void {
  if (record.key !== undefined) {
    const result = record.result === undefined ? null : JSON.stringify(record.result);
    database.run('INSERT OR IGNORE INTO applied_key (key, seq, result) VALUES (?, ?, ?)', [record.key, record.seq, result]);
    if (record.seq % 256 === 0) database.run('DELETE FROM applied_key WHERE seq < ?', [record.seq - KEY_MEMORY_RECORDS]);
  }
  database.run('INSERT INTO journal_position (segment, seq) VALUES (?1, ?2) ON CONFLICT (segment) DO UPDATE SET seq = max(seq, ?2)', [segment, record.seq]);
  for (const [name, value] of [
    ['last_seq', record.seq],
    ['last_timestamp', record.ts],
  ] as const) {
    database.run('INSERT INTO store_meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = max(value, ?2)', [name, value]);
  }
}
