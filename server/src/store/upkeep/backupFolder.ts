import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { err, type Failure, ok, type Result } from '../../base/result';
import type { Migration, Row } from '../../model/records';
import { StoreDatabase } from '../database';
import type { Disk } from '../disk';
import { migrate } from '../migrations';

export interface BackupFolderOptions {
  readonly folder: string;
  readonly projectId: string;
  readonly disk: Disk;
  readonly sqlWasm: () => Promise<Uint8Array>;
  /** Of the store and of all rooms. */
  readonly migrations: readonly Migration[];
}

export interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

export interface Manifest {
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

export const BACKUP_FORMAT = 1;
const ID = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;

/** The backups of a project as they lie on disk: a database and a manifest each. Reads and never writes. */
export class BackupFolder {
  readonly #options: BackupFolderOptions;

  constructor(options: BackupFolderOptions) {
    this.#options = options;
  }

  /** Newest first. */
  async manifests(): Promise<readonly Manifest[]> {
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
      return read.format === BACKUP_FORMAT && read.backupId === backupId && typeof read.tables === 'object' ? (read as Manifest) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The database of a backup, with everything about it compared with its manifest, brought to the newest schema. */
  async open(backupId: string): Promise<Result<{ readonly manifest: Manifest; readonly database: StoreDatabase }, Failure>> {
    const { disk, folder, migrations, projectId, sqlWasm } = this.#options;
    const damaged = (what: string): Result<never, Failure> => err({ code: 'STORE_DAMAGED', message: `The backup ${backupId} cannot be used: ${what}.` });
    const manifest = ID.test(backupId) ? await this.#manifest(backupId) : undefined;
    if (manifest === undefined) return err({ code: 'NOT_FOUND', message: `The backup ${backupId} does not exist.` });
    if (manifest.projectId !== projectId) return damaged('it belongs to another project');
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

  /** What is wrong with the backups, one sentence each; a sound one has none. */
  async check(): Promise<readonly { readonly backupId: string; readonly problem: string | undefined }[]> {
    const found: { readonly backupId: string; readonly problem: string | undefined }[] = [];
    for (const { backupId } of await this.manifests()) {
      const read = await this.open(backupId);
      if (read.ok) read.value.database.close();
      found.push({ backupId, problem: read.ok ? undefined : read.error.message });
    }
    return found;
  }
}

export function allRows(table: string): string {
  return `SELECT * FROM ${table}`;
}

/** Of the rows as a set: their order on disk does not count. */
export function sumOf(rows: readonly Row[]): TableSum {
  const lines = rows.map(lineOf).sort();
  return { rows: rows.length, sha256: sha256(Buffer.from(lines.join('\n'))) };
}

function wrongTable({ tables }: Manifest, rows: (name: string) => readonly Row[]): string | undefined {
  for (const [name, { rows: count, sha256: sum }] of Object.entries(tables)) {
    const found = sumOf(rows(name));
    if (found.rows !== count) return `the number of rows of ${name} is ${found.rows} instead of ${count}`;
    if (found.sha256 !== sum) return `the rows of ${name} are not those that were saved`;
  }
  return undefined;
}

export function lineOf(row: Row): string {
  return JSON.stringify(Object.entries(row).map(([column, value]) => [column, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]));
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
