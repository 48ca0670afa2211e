import { join } from 'node:path';
import { err, ok, type Result } from '../base/result';
import type { Migration, RecordKind } from '../model/records';
import { setAside, TEMPORARY_ENDING } from './atomicFile';
import { StoreDatabase } from './database';
import type { ProjectFolder } from './dataFolder';
import { type Disk, storeFailure } from './disk';
import { applyRecords, readMeta, retryUnapplied } from './journal/apply';
import { epochOf } from './journal/journal';
import { missingBetween } from './journal/journalRecords';
import { mendSegment, RESTORE_ADVICE, segmentNames } from './journal/segments';
import { migrate } from './migrations';
import { readSnapshot, snapshotGenerations, snapshotName } from './snapshots';

export interface RecoveryOptions {
  readonly disk: Disk;
  readonly project: ProjectFolder;
  readonly sqlWasm: Uint8Array;
  readonly kinds: ReadonlyMap<string, RecordKind>;
  readonly migrations: readonly Migration[];
}

export interface Recovered {
  readonly database: StoreDatabase;
  /** What was found damaged, one sentence each. */
  readonly messages: readonly string[];
  /** Acknowledged records may be lost: whoever relies on them compares all files by hash. */
  readonly needsHashCheck: boolean;
  readonly nextEpoch: number;
  readonly nextGeneration: number;
  /** Bytes of journal that no snapshot contains yet. */
  readonly replayedBytes: number;
}

/**
 * Brings the view to the state of the last acknowledged write: newest snapshot that is sound, else the older one, else an empty view;
 * then every journal record it does not contain. Nothing damaged is deleted; it is set aside and named.
 */
export async function recover(options: RecoveryOptions): Promise<Result<Recovered>> {
  try {
    return await new Recovery(options).run();
  } catch (error) {
    return err(storeFailure(error, 'open its store'));
  }
}

class Recovery {
  readonly #options: RecoveryOptions;
  readonly #messages: string[] = [];
  #needsHashCheck = false;
  #replayedBytes = 0;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  async run(): Promise<Result<Recovered>> {
    const { disk, project, kinds, migrations } = this.#options;
    await this.#dropUnfinished();
    const generations = await snapshotGenerations(disk, project.view);
    const database = (await this.#newestSound(generations)) ?? (await StoreDatabase.create(this.#options.sqlWasm));
    const migrated = migrate(database, migrations);
    if (!migrated.ok) {
      database.close();
      return migrated;
    }
    retryUnapplied(database, kinds);
    const segments = await segmentNames(disk, project.journal);
    if (generations.length === 0 && segments.length === 0) await this.#lookForBackups();
    for (const name of segments) await this.#replay(database, name);
    database.run("UPDATE graph_tx SET status = 'aborted' WHERE status = 'open'");
    return ok({
      database,
      messages: this.#messages,
      needsHashCheck: this.#needsHashCheck,
      nextEpoch: Math.max(0, ...segments.map(name => epochOf(name) ?? 0), lastKnownEpoch(database)) + 1,
      nextGeneration: (generations[0] ?? 0) + 1,
      replayedBytes: this.#replayedBytes,
    });
  }

  async #dropUnfinished(): Promise<void> {
    const { disk, project } = this.#options;
    for (const name of await disk.list(project.view)) if (name.endsWith(TEMPORARY_ENDING)) await disk.remove(join(project.view, name));
  }

  async #newestSound(generations: readonly number[]): Promise<StoreDatabase | undefined> {
    const { disk, project, sqlWasm } = this.#options;
    for (const generation of generations) {
      const snapshot = await readSnapshot(disk, project.view, generation);
      const opened = 'problem' in snapshot ? snapshot : await openSound(sqlWasm, snapshot.content);
      if (opened instanceof StoreDatabase) return opened;
      const aside = await setAside(disk, join(project.view, snapshotName(generation)));
      this.#messages.push(`The saved view ${snapshotName(generation)} could not be used (${opened.problem}); it was kept as ${aside}.`);
    }
    if (generations.length > 0) {
      this.#needsHashCheck = true;
      this.#messages.push('No saved view could be used; the view was rebuilt from the journal, and entries older than its first record are not in it.');
    }
    return undefined;
  }

  /** Whoever made backups had something to lose. */
  async #lookForBackups(): Promise<void> {
    const { disk, project } = this.#options;
    if ((await disk.list(project.backups)).length === 0) return;
    this.#needsHashCheck = true;
    this.#messages.push(`The saved views and the journal of this project are gone; it begins anew. ${RESTORE_ADVICE}`);
  }

  async #replay(database: StoreDatabase, name: string): Promise<void> {
    const { disk, project, kinds } = this.#options;
    const position = Number(database.first('SELECT seq FROM journal_position WHERE segment = ?', [name])?.['seq'] ?? 0);
    const { records, state, sizeBytes, message } = await mendSegment(disk, project.journal, name, position);
    const fresh = records.filter(record => record.seq > position);
    for (const { first, last } of missingBetween(readMeta(database, 'last_seq'), fresh)) {
      this.#needsHashCheck = true;
      this.#messages.push(`The records ${first} to ${last} of the journal are missing. ${RESTORE_ADVICE}`);
    }
    this.#messages.push(...applyRecords(database, kinds, name, fresh));
    if (fresh.length > 0) this.#replayedBytes += sizeBytes;
    if (message !== undefined) this.#messages.push(message);
    if (state === 'damaged') this.#needsHashCheck = true;
  }
}

/** The checksum says that this is what was saved, and only sound views are saved: looking through all of it again would cost more than all else. */
async function openSound(sqlWasm: Uint8Array, content: Uint8Array): Promise<StoreDatabase | { readonly problem: string }> {
  try {
    const database = await StoreDatabase.create(sqlWasm, content);
    database.first('SELECT count(*) FROM sqlite_master');
    return database;
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function lastKnownEpoch(database: StoreDatabase): number {
  return Math.max(0, ...database.all('SELECT segment FROM journal_position').map(row => epochOf(String(row['segment'])) ?? 0));
}
