import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock, Log } from '../base/ports';
import { err, type Failure, ok, type Result } from '../base/result';
import type { BackupInfo, Backups, RestoreReport, TableDifference } from '../model/backups';
import type { Author, Migration, RecordKind, Records, Row, SqlValue, Tables } from '../model/records';
import { replaceFile } from './atomicFile';
import { StoreDatabase } from './database';
import { type Disk, storeFailure } from './disk';
import { migrate } from './migrations';

/** Tables of a room, by the area that its listeners are told of. */
export type RestoredTables = Readonly<Record<string, readonly string[]>>;

export interface StoreBackupsOptions {
  readonly folder: string;
  readonly projectId: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  /** Eight hex digits. */
  readonly random: () => string;
  readonly sqlWasm: () => Promise<Uint8Array>;
  /** Of the store and of all rooms. */
  readonly migrations: readonly Migration[];
  readonly tables: RestoredTables;
  readonly records: Records;
  /** The view as a database file, at this instant. */
  readonly exportView: () => Uint8Array;
  /** False once another process owns the project. */
  readonly mayWrite: () => boolean;
}

interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

interface Manifest {
  readonly format: 1;
  readonly backupId: string;
  readonly label: string | null;
  readonly createdAt: string;
  readonly projectId: string;
  readonly schemaVersion: number;
  /** Of the last transaction of a person or an agent; 0 before the first. */
  readonly lastWrite: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly tables: Readonly<Record<string, TableSum>>;
}

interface TableRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
}

interface Restored {
  readonly backupId: string;
  readonly tables: Readonly<Record<string, TableRows>>;
}

const FORMAT = 1;
const ID = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;
/** Backups older than this go when a new one is made; the newest stays whatever its age. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** The daily backup is due from this hour on, UTC. */
const DUE_HOUR = 3;
/** Between two looks, after one that made no backup. */
const RETRY_MS = 600_000;
const RECENT = 20;

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
  #running: Promise<unknown> = Promise.resolve();
  /** When the newest backup was made, in milliseconds since the epoch; `undefined` until it was looked for. */
  #newest: { readonly at: number; readonly lastWrite: number } | undefined;
  /** No look for whether a backup is due before this time. */
  #notBefore = 0;

  constructor(options: StoreBackupsOptions) {
    this.#options = options;
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async list(): Promise<Result<readonly BackupInfo[], Failure>> {
    try {
      return ok((await this.#manifests()).map(infoOf));
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
          if (!made.ok) this.#options.log.write('warn', `The daily backup was not made: ${made.error.message}`);
        }
      } catch (error) {
        this.#options.log.write('warn', `The daily backup was not made: ${String(error)}`);
      }
    });
  }

  restore(backupId: string, verifyOnly: boolean, author: Author): Promise<Result<RestoreReport, Failure>> {
    return this.#inTurn(async () => {
      const read = await this.#open(backupId);
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

  /** What is wrong with the backups, one sentence each; a sound one has none. */
  async check(): Promise<readonly { readonly backupId: string; readonly problem: string | undefined }[]> {
    const found: { readonly backupId: string; readonly problem: string | undefined }[] = [];
    for (const { backupId } of await this.#manifests()) {
      const read = await this.#open(backupId);
      if (read.ok) read.value.database.close();
      found.push({ backupId, problem: read.ok ? undefined : read.error.message });
    }
    return found;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const outcome = this.#running.then(work);
    this.#running = outcome.catch(() => undefined);
    return outcome;
  }

  get #names(): readonly string[] {
    return Object.values(this.#options.tables).flat();
  }

  async #create(label: string | null): Promise<Result<Manifest, Failure>> {
    const { clock, disk, exportView, folder, projectId, random, records } = this.#options;
    const now = clock.now();
    const content = exportView();
    const manifest: Manifest = {
      format: FORMAT,
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
      const read = await this.#open(manifest.backupId);
      if (!read.ok) return read;
      read.value.database.close();
      this.#newest = { at: now, lastWrite: manifest.lastWrite };
      await this.#dropOld(now);
      return ok(manifest);
    } catch (error) {
      return err(storeFailure(error, 'make a backup'));
    }
  }

  /** Whether something was written before the last due time that no backup has. */
  async #isDue(): Promise<boolean> {
    const { clock, projectId, records } = this.#options;
    const now = clock.now();
    if (now < this.#notBefore) return false;
    if (this.#newest === undefined) {
      const [newest] = await this.#manifests();
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
    const [, ...older] = await this.#manifests();
    for (const { backupId, createdAt } of older) {
      if (now - Date.parse(createdAt) <= KEPT_DAYS * DAY_MS) continue;
      await disk.remove(join(folder, `${backupId}.json`));
      await disk.remove(join(folder, `${backupId}.db`));
    }
  }

  /** Newest first. */
  async #manifests(): Promise<readonly Manifest[]> {
    const { disk, folder } = this.#options;
    const manifests: Manifest[] = [];
    for (const name of await disk.list(folder)) {
      const backupId = name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
      const manifest = ID.test(backupId) ? await this.#manifest(backupId) : undefined;
      if (manifest !== undefined) manifests.push(manifest);
    }
    return manifests.sort((a, b) => (a.backupId < b.backupId ? 1 : -1));
  }

  async #manifest(backupId: string): Promise<Manifest | undefined> {
    const { disk, folder } = this.#options;
    const bytes = await disk.read(join(folder, `${backupId}.json`));
    if (bytes === undefined) return undefined;
    try {
      const read = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<Manifest>;
      return read.format === FORMAT && read.backupId === backupId && typeof read.tables === 'object' ? (read as Manifest) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The database of a backup, with everything about it compared with its manifest, brought to the newest schema. */
  async #open(backupId: string): Promise<Result<{ readonly manifest: Manifest; readonly database: StoreDatabase }, Failure>> {
    const { disk, folder, migrations, projectId, sqlWasm } = this.#options;
    const damaged = (what: string): Result<never, Failure> => err({ code: 'STORE_DAMAGED', message: `The backup ${backupId} cannot be used: ${what}.` });
    const manifest = ID.test(backupId) ? await this.#manifest(backupId) : undefined;
    if (manifest === undefined) return err({ code: 'NOT_FOUND', message: `There is no backup ${backupId}.` });
    if (manifest.projectId !== projectId) return damaged('it is of another project');
    const content = await disk.read(join(folder, `${backupId}.db`));
    if (content === undefined) return damaged('its file is missing');
    if (content.length !== manifest.sizeBytes || sha256(content) !== manifest.sha256) return damaged('its checksum does not match');
    let database: StoreDatabase | undefined;
    try {
      database = await StoreDatabase.create(await sqlWasm(), content);
      const opened = database;
      const problem = opened.problem() ?? wrongTable(manifest, name => opened.all(allRows(name)));
      const migrated = problem === undefined ? migrate(opened, migrations) : damaged(problem);
      if (migrated.ok) return ok({ manifest, database: opened });
      opened.close();
      return migrated;
    } catch (error) {
      database?.close();
      return damaged(error instanceof Error ? error.message : String(error));
    }
  }

  #compare(manifest: Manifest, database: StoreDatabase): RestoreReport {
    const { records } = this.#options;
    const differences = this.#names.flatMap(table => differenceOf(table, database.all(`SELECT * FROM ${table}`), records, keyOf(database, table)) ?? []);
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

  /** The present state is kept as a backup first; whoever writes between the two stops the restore. */
  async #putBack(report: RestoreReport, database: StoreDatabase, author: Author): Promise<Result<RestoreReport, Failure>> {
    const { records, tables } = this.#options;
    const { backupId } = report.backup;
    const kept = await this.#create(`before the restore of ${backupId}`);
    if (!kept.ok) return kept;
    const result: RestoreReport = { ...report, isRestored: true, previousBackupId: kept.value.backupId };
    const written = await records.write(author, () => {
      if (lastWrite(records) !== kept.value.lastWrite) {
        return err({ code: 'CONFLICT', message: 'Something was written while the restore was prepared; nothing was restored. Try again.' });
      }
      const drafts = Object.entries(tables).map(([area, names]) => ({
        kind: `${area}.restored`,
        payload: { backupId, tables: Object.fromEntries(names.map(name => [name, rowsOf(database, name)])) } satisfies Restored,
      }));
      return ok({ records: drafts, result });
    });
    if (!written.ok) return written;
    const expected = sumsOf(this.#names, name => database.all(allRows(name)));
    const wrong = this.#names.find(name => expected[name]?.sha256 !== sumOf(records.query(allRows(name))).sha256);
    if (wrong === undefined || written.value.isRepeated) return ok(written.value.result);
    const message = `After the restore, ${wrong} is not as in the backup. The state before it is kept as backup ${kept.value.backupId}.`;
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

function allRows(table: string): string {
  return `SELECT * FROM ${table}`;
}

function sumsOf(names: readonly string[], rows: (name: string) => readonly Row[]): Record<string, TableSum> {
  return Object.fromEntries(names.map(name => [name, sumOf(rows(name))]));
}

/** Of the rows as a set: their order on disk does not count. */
function sumOf(rows: readonly Row[]): TableSum {
  const lines = rows.map(lineOf).sort();
  return { rows: rows.length, sha256: sha256(Buffer.from(lines.join('\n'))) };
}

function wrongTable({ tables }: Manifest, rows: (name: string) => readonly Row[]): string | undefined {
  for (const [name, { rows: count, sha256: sum }] of Object.entries(tables)) {
    const found = sumOf(rows(name));
    if (found.rows !== count) return `${name} has ${found.rows} rows instead of ${count}`;
    if (found.sha256 !== sum) return `the rows of ${name} are not those that were saved`;
  }
  return undefined;
}

function lineOf(row: Row): string {
  return JSON.stringify(Object.entries(row).map(([column, value]) => [column, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]));
}

function keyOf(database: Tables, table: string): readonly string[] {
  const columns = database.all(`PRAGMA table_info(${table})`);
  const key = columns.filter(column => Number(column['pk']) > 0).map(column => String(column['name']));
  return key.length > 0 ? key : columns.map(column => String(column['name']));
}

function differenceOf(table: string, before: readonly Row[], records: Pick<Records, 'query'>, key: readonly string[]): TableDifference | undefined {
  const nameOf = (row: Row): string => JSON.stringify(key.map(column => row[column]));
  const then = new Map(before.map(row => [nameOf(row), lineOf(row)]));
  let [added, changed, kept] = [0, 0, 0];
  for (const row of records.query(allRows(table))) {
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

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
