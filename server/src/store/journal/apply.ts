import type { RecordKind } from '../../model/records';
import type { StoreDatabase } from '../database';
import { BATCH_KIND, type JournalRecord } from './journalRecords';
import type { JournalBase } from './reading';

/** How long a repeated key is known, in records. */
const KEY_MEMORY_RECORDS = 20_000;
/** How much of what the newest keys were answered is kept, in characters; the view is read whole at each takeover. */
const ANSWER_MEMORY_CHARACTERS = 1024 * 1024;
const RECORDS_PER_CHECK = 256;

/** Stands in place of an answer that is no longer kept. */
export const FORGOTTEN = '';

/**
 * Carries one record out, with its position in its segment, in one step.
 * A record of an unknown kind (a newer Lattice wrote it) or one that fails is kept in `unapplied_record`; the sentences returned say so.
 */
export function applyRecord(database: StoreDatabase, kinds: ReadonlyMap<string, RecordKind>, segment: string, record: JournalRecord): readonly string[] {
  return database.atomically(() => {
    const problems = applyOrKeep(database, kinds, segment, record);
    advance(database, segment, record);
    return problems;
  });
}

/**
 * The same for all records of a segment, when a view is brought up to date: one step, and the position is noted once, since nobody looks in between.
 * Only when one of them fails is each made a step of its own.
 */
export function applyRecords(
  database: StoreDatabase,
  kinds: ReadonlyMap<string, RecordKind>,
  segment: string,
  records: readonly JournalRecord[],
): readonly string[] {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return [];
  try {
    database.atomically(() => {
      for (const record of records) {
        if (!isRepeated(database, record)) carryOut(database, kinds, record);
        remember(database, record);
      }
      advance(database, segment, last, first);
    });
    return [];
  } catch {
    return database.atomically(() => records.flatMap(record => applyRecord(database, kinds, segment, record)));
  }
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

/** What a view says of the journal; `acknowledged` as `readAcknowledged` gives it. */
export function baseOf(database: StoreDatabase, acknowledged: number | undefined): JournalBase {
  const isEmpty = database.schemaVersion === 0;
  return {
    lastSeq: isEmpty ? 0 : readMeta(database, 'last_seq'),
    positionOf: segment => (isEmpty ? 0 : Number(database.first('SELECT seq FROM journal_position WHERE segment = ?', [segment])?.['seq'] ?? 0)),
    acknowledged,
  };
}

/** The first record that the view was ever told of: two views with the same one come from one journal. `undefined` for an empty view. */
export function firstRecordOf(database: StoreDatabase): string | undefined {
  const row = database.first("SELECT value FROM store_meta WHERE name = 'born'");
  return row === undefined ? undefined : String(row['value']);
}

/** What `birthOf` gives of a view that is told of this record first. */
export function firstRecordFor({ seq, ts }: Pick<JournalRecord, 'seq' | 'ts'>): string {
  return `${seq}:${ts}`;
}

function isRepeated(database: StoreDatabase, record: JournalRecord): boolean {
  return record.key !== undefined && database.first('SELECT 1 FROM applied_key WHERE key = ?', [record.key]) !== undefined;
}

function applyOrKeep(database: StoreDatabase, kinds: ReadonlyMap<string, RecordKind>, segment: string, record: JournalRecord): readonly string[] {
  const problem = isRepeated(database, record) ? undefined : attempt(database, kinds, record);
  remember(database, record);
  if (problem === undefined) return [];
  database.run('INSERT OR REPLACE INTO unapplied_record (segment, seq, record, reason) VALUES (?, ?, ?, ?)', [
    segment,
    record.seq,
    JSON.stringify(record),
    problem,
  ]);
  return [`Record ${record.seq} of the journal (${record.kind}) is kept but has no effect: ${problem}.`];
}

function attempt(database: StoreDatabase, kinds: ReadonlyMap<string, RecordKind>, record: JournalRecord): string | undefined {
  try {
    database.atomically(() => carryOut(database, kinds, record));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function carryOut(database: StoreDatabase, kinds: ReadonlyMap<string, RecordKind>, record: JournalRecord): void {
  const entries = record.kind === BATCH_KIND ? (record.payload as readonly { kind: string; payload: unknown }[]) : [record];
  const stamp = { seq: record.seq, timestamp: record.ts };
  for (const entry of entries) {
    const kind = kinds.get(entry.kind);
    if (kind === undefined) throw new Error(`this version of Lattice does not know the kind "${entry.kind}"`);
    kind.apply(database, entry.payload, stamp);
  }
}

/** A retry is to find the answer; what is too old to be asked for again goes. */
function remember(database: StoreDatabase, record: JournalRecord): void {
  if (record.key !== undefined) {
    const result = record.result === undefined ? null : JSON.stringify(record.result);
    database.run('INSERT OR IGNORE INTO applied_key (key, seq, result) VALUES (?, ?, ?)', [record.key, record.seq, result]);
  }
  if (record.seq % RECORDS_PER_CHECK !== 0) return;
  database.run('DELETE FROM applied_key WHERE seq < ?', [record.seq - KEY_MEMORY_RECORDS]);
  database.run(
    `UPDATE applied_key SET result = '${FORGOTTEN}' WHERE length(result) > 0 AND seq < (
       SELECT max(seq) FROM (SELECT seq, sum(length(result)) OVER (ORDER BY seq DESC) AS total FROM applied_key WHERE length(result) > 0) WHERE total > ?
     )`,
    [ANSWER_MEMORY_CHARACTERS],
  );
}

/** `first` is the first of the records that are noted with this one. */
function advance(database: StoreDatabase, segment: string, last: JournalRecord, first = last): void {
  const { seq, ts } = last;
  database.run('INSERT INTO journal_position (segment, seq) VALUES (?1, ?2) ON CONFLICT (segment) DO UPDATE SET seq = max(seq, ?2)', [segment, seq]);
  database.run("INSERT OR IGNORE INTO store_meta (name, value) VALUES ('born', ?)", [firstRecordFor(first)]);
  if (seq < readMeta(database, 'last_seq')) return;
  for (const [name, value] of [
    ['last_seq', seq],
    ['last_timestamp', ts],
  ] as const) {
    database.run('INSERT INTO store_meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2', [name, value]);
  }
}
