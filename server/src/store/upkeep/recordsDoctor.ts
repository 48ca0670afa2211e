import type { Migration, RecordKind, RowCheck } from '../../model/records';
import { StoreDatabase } from '../database';
import type { ProjectFolder } from '../dataFolder';
import type { Disk } from '../disk';
import { readAcknowledged } from '../journal/acknowledged';
import { applyRecords, baseOf, retryUnapplied } from '../journal/apply';
import type { JournalRecord } from '../journal/journalRecords';
import { journalAfter, type NumberRange, readSegments, type SegmentFile } from '../journal/reading';
import { migrate } from '../migrations';
import type { ProjectStore } from '../projectStore';
import { readSnapshot, snapshotGenerations } from '../snapshots';
import { sumOf } from './backupFolder';

export interface RecordsToCheck {
  readonly disk: Disk;
  readonly project: ProjectFolder;
  readonly sqlWasm: Uint8Array;
  readonly kinds: readonly RecordKind[];
  /** Of the store and of all rooms. */
  readonly migrations: readonly Migration[];
  readonly checks: readonly RowCheck[];
  /** Tables of what people and agents wrote. */
  readonly tables: readonly string[];
}

export interface RecordFinding {
  readonly severity: 'ok' | 'warning' | 'damaged';
  readonly message: string;
  /** `repairRows` can put it right. */
  readonly isRepairable?: boolean;
}

/** Carries out what `repairRows` decided. */
export function repairKind(checks: readonly RowCheck[]): RecordKind {
  return {
    kind: 'store.repaired',
    apply: (view, payload) => {
      const { name } = payload as { readonly name: string };
      for (const sql of checks.find(check => check.name === name)?.repair ?? []) view.run(sql);
    },
  };
}

/**
 * Looks at what people and agents wrote as the next start would find it: rows that point nowhere, records that had no effect, and whether every saved view
 * with the journal after it gives the same rows. Changes nothing; may run beside an owner. Rejects as the disk does.
 */
export async function checkRecords(options: RecordsToCheck): Promise<readonly RecordFinding[]> {
  const { disk, project } = options;
  const acknowledged = await readAcknowledged(disk, project.acknowledged);
  const segments = await readSegments(disk, project.journal);
  const generations = (await snapshotGenerations(disk, project.view)).slice(0, 2);
  const views: StoreDatabase[] = [];
  const isMigrated = new Set<StoreDatabase>();
  let missing: readonly string[] | undefined;
  try {
    for (const generation of generations.length === 0 ? [undefined] : generations) {
      const made = await viewFrom(options, generation, { acknowledged, segments });
      if (made === undefined) continue;
      views.push(made.view);
      missing ??= made.missing;
      if (made.isMigrated) isMigrated.add(made.view);
    }
    const [newest] = views;
    if (newest === undefined) return [];
    return [
      ...countFindings(options, newest),
      ...(missing ?? []).map((message): RecordFinding => ({ severity: 'damaged', message })),
      ...recoveredFindings(newest),
      ...structureFindings(views),
      ...rowFindings(options, newest),
      ...unappliedFindings(newest),
      ...differenceFindings(options, views, isMigrated.size > 0),
    ];
  } finally {
    for (const view of views) view.close();
  }
}

/** Puts right what can be, each as one journal record. Gives what it did. Only as the owner of the store. */
export async function repairRows(store: ProjectStore, checks: readonly RowCheck[]): Promise<readonly string[]> {
  const done: string[] = [];
  for (const check of checks) {
    const { length } = check.repair === undefined ? [] : store.query(check.broken);
    if (length === 0) continue;
    const repaired = await store.append({ kind: 'store.repaired', payload: { name: check.name } });
    done.push(repaired.ok ? `Repaired: ${check.says} (${length}).` : `Not repaired: ${check.says} (${length}): ${repaired.error.message}`);
  }
  return done;
}

interface MadeView {
  readonly view: StoreDatabase;
  readonly isMigrated: boolean;
  /** Records that the journal lacks, one sentence each. */
  readonly missing: readonly string[];
}

/** A saved view with the journal after it; `undefined` when it cannot be read (which the check of the files tells). */
async function viewFrom(
  { disk, kinds, migrations, project, sqlWasm }: RecordsToCheck,
  generation: number | undefined,
  { acknowledged, segments }: { readonly acknowledged: number | undefined; readonly segments: readonly SegmentFile[] },
): Promise<MadeView | undefined> {
  const snapshot = generation === undefined ? undefined : await readSnapshot(disk, project.view, generation);
  if (snapshot !== undefined && 'problem' in snapshot) return undefined;
  const view = await StoreDatabase.create(sqlWasm, snapshot?.content);
  const byKind = new Map(kinds.map(kind => [kind.kind, kind]));
  const before = view.schemaVersion;
  if (!migrate(view, migrations).ok) {
    view.close();
    return undefined;
  }
  retryUnapplied(view, byKind);
  const { missing, runs } = journalAfter(baseOf(view, acknowledged), segments);
  for (const { records, segment } of runs) applyRecords(view, byKind, segment, records);
  return { view, isMigrated: snapshot !== undefined && view.schemaVersion > before, missing: missing.map(rangeText) };
}

function rangeText({ first, last }: NumberRange): string {
  return `the records ${first} to ${last} of the journal are missing`;
}

function countFindings({ tables }: RecordsToCheck, view: StoreDatabase): RecordFinding[] {
  const counts = tables.map(table => [table, Number(view.first(`SELECT count(*) AS n FROM ${table}`)?.['n'] ?? 0)] as const);
  const filled = counts.filter(([, count]) => count > 0).map(([table, count]) => `${table} ${count}`);
  return [{ severity: 'ok', message: filled.length === 0 ? 'nothing written yet' : filled.join(', ') }];
}

/** What was found damaged before, the newest few. */
function recoveredFindings(view: StoreDatabase): RecordFinding[] {
  const rows = view.all('SELECT timestamp, message FROM store_recovery ORDER BY seq DESC, position DESC LIMIT 5');
  return [...rows]
    .reverse()
    .map(row => ({ severity: 'warning', message: `found on ${new Date(Number(row['timestamp'])).toISOString().slice(0, 10)}: ${String(row['message'])}` }));
}

function structureFindings(views: readonly StoreDatabase[]): RecordFinding[] {
  const problems = [...new Set(views.flatMap(view => view.problem() ?? []))];
  return problems.map(problem => ({ severity: 'damaged', message: `SQLite reports an error in a saved view: ${problem}` }));
}

function rowFindings({ checks }: RecordsToCheck, view: StoreDatabase): RecordFinding[] {
  return checks.flatMap(check => {
    const broken = view.all(check.broken);
    if (broken.length === 0) return [];
    const some = broken.slice(0, 3).map(row => String(row['id']));
    return [
      {
        severity: 'warning',
        message: `${check.says} (${broken.length}): ${some.join(', ')}${broken.length > 3 ? '…' : ''}`,
        isRepairable: check.repair !== undefined,
      },
    ];
  });
}

function unappliedFindings(view: StoreDatabase): RecordFinding[] {
  const rows = view.all('SELECT record, reason FROM unapplied_record ORDER BY seq');
  if (rows.length === 0) return [];
  const kinds = [...new Set(rows.map(row => (JSON.parse(String(row['record'])) as JournalRecord).kind))];
  const first = String(rows[0]?.['reason'] ?? '');
  return [{ severity: 'warning', message: `journal records that are kept but have no effect: ${rows.length} (${kinds.join(', ')}): ${first}` }];
}

/** A migration makes rows of what it finds, which is more or less by the age of a view: views of an older Lattice tell nothing by differing. */
function differenceFindings({ tables }: RecordsToCheck, [newest, older]: readonly StoreDatabase[], areMigrated: boolean): RecordFinding[] {
  if (newest === undefined || older === undefined || areMigrated) return [];
  const differing = tables.filter(table => sumOf(newest.all(`SELECT * FROM ${table}`)).sha256 !== sumOf(older.all(`SELECT * FROM ${table}`)).sha256);
  if (differing.length === 0) return [{ severity: 'ok', message: 'the saved views and the journal agree' }];
  return [{ severity: 'damaged', message: `the newest saved view and the journal after the older one disagree about ${differing.join(', ')}` }];
}
