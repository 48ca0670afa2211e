import { join } from 'node:path';
import type { Clock, Log } from '../../base/ports';
import { err, type Failure, ok, type Result } from '../../base/result';
import type { BackupInfo, Backups, RestoreReport, TableDifference } from '../../model/backups';
import type { Author, RecordDraft, RecordKind, Records, Row, SqlValue, Tables } from '../../model/records';
import { replaceFile } from '../atomicFile';
import type { StoreDatabase } from '../database';
import { storeFailure } from '../disk';
import { allRows, BACKUP_FORMAT, BackupFolder, type BackupFolderOptions, lineOf, type Manifest, sha256, sumOf, type TableSum } from './backupFolder';

/** Tables of a room, by the area that its listeners are told of. */
export type RestoredTables = Readonly<Record<string, readonly string[]>>;

/** How an area brings rows back that have versions: as new ones, so that nobody who knows a version that came since overwrites them unseen. */
export interface VersionedRestore {
  /** Tables of rows with versions. */
  readonly versioned: readonly string[];
  /** Tables of what these were before; they go on. */
  readonly logs: readonly string[];
  decide(now: Records, then: Pick<Records, 'query' | 'projectId'>, author: Author, reason: string): readonly RecordDraft[];
}

export interface StoreBackupsOptions extends BackupFolderOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Eight hex digits. */
  readonly random: () => string;
  readonly tables: RestoredTables;
  /** By area; the rows of all other tables are put back as they were. */
  readonly revising: Readonly<Record<string, VersionedRestore>>;
  readonly records: Records;
  /** The view as a database file, at this instant. */
  readonly exportView: () => Uint8Array;
  /** False once another process owns the project. */
  readonly mayWrite: () => boolean;
}

interface TableRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
}

interface Restored {
  readonly backupId: string;
  readonly tables: Readonly<Record<string, TableRows>>;
}

/** Backups older than this go when a new one is made; the newest stays whatever its age. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** The daily backup is due from this hour on, UTC. */
const DUE_HOUR = 3;
/** Between two attempts, after one that made no backup. */
const RETRY_MS = 600_000;
const RECENT = 20;
/** Columns that each new version moves on: not compared between rows with versions. */
const MOVED_ON = ['version', 'updated_at', 'last_task_id'];

/** Puts the rows of a room's tables in place of those that are there. One kind per area. */
export function restoreKinds(tables: RestoredTables): readonly RecordKind[] {
  return Object.entries(tables).map(([area, names]) => ({
    kind: `${area}.restored`,
    apply: (view, payload) => {
      for (const [name, content] of Object.entries((payload as Restored).tables)) if (names.includes(name)) replaceRows(view, name, content);
    },
  }));
}

/** Copies of what people and agents wrote, beside the store: made daily and when asked, checked when made and before they are put back. */
export class StoreBackups implements Backups {
  readonly #options: StoreBackupsOptions;
  readonly #folder: BackupFolder;
  #running: Promise<unknown> = Promise.resolve();
  /** When the newest backup was made, in milliseconds since the epoch; `undefined` until it was looked for. */
  #newest: { readonly at: number; readonly lastWrite: number } | undefined;
  /** No look for whether a backup is due before this time. */
  #notBefore = 0;

  constructor(options: StoreBackupsOptions) {
    this.#options = options;
    this.#folder = new BackupFolder(options);
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async list(): Promise<Result<readonly BackupInfo[], Failure>> {
    try {
      return ok((await this.#folder.manifests()).map(infoOf));
    } catch (error) {
      return err(storeFailure(error, 'list its backups'));
    }
  }

  create(label: string | undefined): Promise<Result<BackupInfo, Failure>> {
    return this.#inTurn(async () => {
      const made = await this.#create(label ?? null);
      return made.ok ? ok(infoOf(made.value)) : made;
    });
  }

  /** The daily backup, when one is due: the day's hour has passed, and something written before it is in no backup. Never rejects. */
  async createIfDue(): Promise<void> {
    await this.#inTurn(async () => {
      try {
        if (this.#options.mayWrite() && (await this.#isDue())) {
          const made = await this.#create('daily');
          if (!made.ok) this.#options.log.write('warn', `The daily backup could not be created: ${made.error.message}`);
        }
      } catch (error) {
        this.#options.log.write('warn', `The daily backup could not be created: ${String(error)}`);
      }
    });
  }

  restore(backupId: string, verifyOnly: boolean, author: Author): Promise<Result<RestoreReport, Failure>> {
    return this.#inTurn(async () => {
      const read = await this.#folder.open(backupId);
      if (!read.ok) return read;
      const { database, manifest } = read.value;
      try {
        const report = this.#compare(manifest, database);
        return verifyOnly ? ok(report) : await this.#putBack(report, database, author);
      } finally {
        database.close();
      }
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const outcome = this.#running.then(work);
    this.#running = outcome.catch(() => undefined);
    return outcome;
  }

  get #names(): readonly string[] {
    return Object.values(this.#options.tables).flat();
  }

  /** Tables whose rows are afterwards what they were. */
  get #restored(): readonly string[] {
    const logs = Object.values(this.#options.revising).flatMap(area => area.logs);
    return this.#names.filter(name => !logs.includes(name));
  }

  /** Rows with versions without what each version moves on. */
  #compared(table: string, rows: readonly Row[]): readonly Row[] {
    const isVersioned = Object.values(this.#options.revising).some(area => area.versioned.includes(table));
    return isVersioned ? rows.map(row => Object.fromEntries(Object.entries(row).filter(([column]) => !MOVED_ON.includes(column)))) : rows;
  }

  async #create(label: string | null): Promise<Result<Manifest, Failure>> {
    const { clock, disk, exportView, folder, projectId, random, records } = this.#options;
    const now = clock.now();
    const content = exportView();
    const manifest: Manifest = {
      format: BACKUP_FORMAT,
      backupId: `${new Date(now).toISOString().replace(/[-:.]/g, '')}-${random().slice(0, 8)}`,
      label,
      createdAt: new Date(now).toISOString(),
      projectId,
      schemaVersion: Number(records.query('PRAGMA user_version')[0]?.['user_version'] ?? 0),
      lastWrite: lastWrite(records),
      sizeBytes: content.length,
      sha256: sha256(content),
      tables: sumsOf(this.#names, name => records.query(allRows(name))),
    };
    try {
      await disk.makeFolder(folder);
      await replaceFile(disk, join(folder, `${manifest.backupId}.db`), [content]);
      // A backup is there once its manifest is.
      await replaceFile(disk, join(folder, `${manifest.backupId}.json`), [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
      const read = await this.#folder.open(manifest.backupId);
      if (!read.ok) return read;
      read.value.database.close();
      this.#newest = { at: now, lastWrite: manifest.lastWrite };
      await this.#dropOld(now);
      return ok(manifest);
    } catch (error) {
      return err(storeFailure(error, 'create a backup'));
    }
  }

  /** Whether something was written before the last due time that no backup has. */
  async #isDue(): Promise<boolean> {
    const { clock, projectId, records } = this.#options;
    const now = clock.now();
    if (now < this.#notBefore) return false;
    if (this.#newest === undefined) {
      const [newest] = await this.#folder.manifests();
      this.#newest = newest === undefined ? { at: 0, lastWrite: 0 } : { at: Date.parse(newest.createdAt), lastWrite: newest.lastWrite };
    }
    const today = Math.floor(now / DAY_MS) * DAY_MS + DUE_HOUR * 3_600_000;
    const due = today <= now ? today : today - DAY_MS;
    if (this.#newest.at >= due) return false;
    this.#notBefore = now + RETRY_MS;
    const unsaved = "SELECT 1 FROM graph_tx WHERE project_id = ? AND seq > ? AND type = 'agent_edit' AND timestamp < ? LIMIT 1";
    return records.query(unsaved, [projectId, this.#newest.lastWrite, due]).length > 0;
  }

  async #dropOld(now: number): Promise<void> {
    const { disk, folder } = this.#options;
    const [, ...older] = await this.#folder.manifests();
    for (const { backupId, createdAt } of older) {
      if (now - Date.parse(createdAt) <= KEPT_DAYS * DAY_MS) continue;
      await disk.remove(join(folder, `${backupId}.json`));
      await disk.remove(join(folder, `${backupId}.db`));
    }
  }

  #compare(manifest: Manifest, database: StoreDatabase): RestoreReport {
    const { records } = this.#options;
    const differences = this.#restored.flatMap(table => {
      const [then, now] = [database.all(allRows(table)), records.query(allRows(table))].map(rows => this.#compared(table, rows));
      return differenceOf(table, then ?? [], now ?? [], keyOf(database, table)) ?? [];
    });
    const since = [manifest.lastWrite];
    const recent = records.query(`SELECT id, agent_id, timestamp FROM graph_tx WHERE type = 'agent_edit' AND seq > ? ORDER BY seq DESC LIMIT ${RECENT}`, since);
    const [count] = records.query("SELECT count(*) AS n FROM graph_tx WHERE type = 'agent_edit' AND seq > ?", since);
    return {
      backup: infoOf(manifest),
      recent: recent.map(row => ({
        txId: String(row['id']),
        agentId: row['agent_id'] === null ? null : String(row['agent_id']),
        at: new Date(Number(row['timestamp'])).toISOString(),
      })),
      transactionsSince: Number(count?.['n'] ?? 0),
      differences,
      isRestored: false,
    };
  }

  /** The present state is kept as a backup first; a write between the two stops the restore. */
  async #putBack(report: RestoreReport, database: StoreDatabase, author: Author): Promise<Result<RestoreReport, Failure>> {
    const { records, revising, tables } = this.#options;
    const { backupId } = report.backup;
    const kept = await this.#create(`before the restore of ${backupId}`);
    if (!kept.ok) return kept;
    const result: RestoreReport = { ...report, isRestored: true, previousBackupId: kept.value.backupId };
    const written = await records.write(author, () => {
      if (lastWrite(records) !== kept.value.lastWrite) {
        return err({ code: 'CONFLICT', message: 'The data was changed during the restore, so nothing was restored. Try again.' });
      }
      const then = { projectId: records.projectId, query: (sql: string, params?: readonly SqlValue[]) => database.all(sql, params) };
      const drafts = Object.entries(tables).flatMap(([area, names]) => {
        const { decide, logs = [], versioned = [] } = revising[area] ?? {};
        const asTheyWere = names.filter(name => !versioned.includes(name) && !logs.includes(name));
        const payload: Restored = { backupId, tables: Object.fromEntries(asTheyWere.map(name => [name, rowsOf(database, name)])) };
        return [...(decide?.(records, then, author, `restored from backup ${backupId}`) ?? []), { kind: `${area}.restored`, payload }];
      });
      return ok({ records: drafts, result });
    });
    if (!written.ok) return written;
    const sum = (name: string, rows: readonly Row[]): string => sumOf(this.#compared(name, rows)).sha256;
    const wrong = this.#restored.find(name => sum(name, database.all(allRows(name))) !== sum(name, records.query(allRows(name))));
    if (wrong === undefined || written.value.isRepeated) return ok(written.value.result);
    const message = `After the restore, ${wrong} does not match the backup. The previous state is saved as backup ${kept.value.backupId}.`;
    return err({ code: 'STORE_NOT_APPLIED', message });
  }
}

function infoOf({ backupId, createdAt, label, sha256: sum, sizeBytes, tables }: Manifest): BackupInfo {
  const counts = Object.fromEntries(Object.entries(tables).map(([name, { rows }]) => [name, rows]));
  return { backupId, label, createdAt, sha256: sum, sizeBytes, counts };
}

function lastWrite(records: Pick<Records, 'query' | 'projectId'>): number {
  const rows = records.query("SELECT seq FROM graph_tx WHERE project_id = ? AND type = 'agent_edit' ORDER BY seq DESC LIMIT 1", [records.projectId]);
  return Number(rows[0]?.['seq'] ?? 0);
}

function sumsOf(names: readonly string[], rows: (name: string) => readonly Row[]): Record<string, TableSum> {
  return Object.fromEntries(names.map(name => [name, sumOf(rows(name))]));
}

function keyOf(database: Tables, table: string): readonly string[] {
  const columns = database.all(`PRAGMA table_info(${table})`);
  const key = columns.filter(column => Number(column['pk']) > 0).map(column => String(column['name']));
  return key.length > 0 ? key : columns.map(column => String(column['name']));
}

function differenceOf(table: string, before: readonly Row[], after: readonly Row[], key: readonly string[]): TableDifference | undefined {
  const nameOf = (row: Row): string => JSON.stringify(key.map(column => row[column]));
  const then = new Map(before.map(row => [nameOf(row), lineOf(row)]));
  let [added, changed, kept] = [0, 0, 0];
  for (const row of after) {
    const line = then.get(nameOf(row));
    if (line === undefined) added++;
    else {
      kept++;
      if (line !== lineOf(row)) changed++;
    }
  }
  const removed = then.size - kept;
  return added + changed + removed === 0 ? undefined : { table, added, changed, removed };
}

function rowsOf(database: Tables, table: string): TableRows {
  const columns = database.all(`PRAGMA table_info(${table})`).map(column => String(column['name']));
  return { columns, rows: database.all(allRows(table)).map(row => columns.map(column => row[column] ?? null)) };
}

function replaceRows(view: Tables, table: string, { columns, rows }: TableRows): void {
  view.run(`DELETE FROM ${table}`);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  for (const row of rows) view.run(sql, row);
}
