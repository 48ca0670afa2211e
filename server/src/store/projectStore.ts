/**
 * Door of the store: what people and agents wrote and the transaction log of one project, in an append-only journal with a view in memory.
 *
 * Does not know: what the records of other rooms mean, who owns the project, where the sources are.
 * Invariants: an append is acknowledged only when it is on the medium, in the file that its path names, and this process still owns the project
 * (`fence` says why that is enough); nothing damaged is deleted; a journal segment goes only when the two newest snapshots contain it;
 * no file of another owner is changed or overwritten.
 */
import { join } from 'node:path';
import type { Disposable } from '../base/disposable';
import type { Clock, Log, Timers } from '../base/ports';
import { err, ok, type Result } from '../base/result';
import type { Migration, RecordKind, Row, SqlValue } from '../model/records';
import type { StoreDatabase } from './database';
import { highestGeneration, type ProjectFolder, sizeOf } from './dataFolder';
import { type Disk, storeFailure } from './disk';
import { type Fence, superseded } from './fence';
import { applyRecord, FORGOTTEN, firstRecordOf, readMeta } from './journal/apply';
import { Journal, type JournalEntry, nextTimestamp } from './journal/journal';
import { BATCH_KIND } from './journal/journalRecords';
import { inOrder } from './journal/segmentNames';
import { STORE_MIGRATIONS } from './migrations';
import { type Recovered, recover } from './recovery/recovery';
import { rescueView } from './recovery/rescuedViews';
import { type JournalPositions, readSnapshot, snapshotGenerations, snapshotName, writeSnapshot } from './snapshots';
import { TRANSACTION_KINDS, Transactions } from './transactions';

export interface ProjectStoreOptions {
  readonly project: ProjectFolder;
  readonly projectId: string;
  readonly disk: Disk;
  /** This process's hold on the project. */
  readonly fence: Fence;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** At least eight hex digits that no other owner has. */
  readonly random: () => string;
  /** Content of `sql-wasm.wasm`. */
  readonly sqlWasm: () => Promise<Uint8Array>;
  /** Records and tables of other rooms; their migrations are numbered after the store's own. */
  readonly kinds?: readonly RecordKind[];
  readonly migrations?: readonly Migration[];
}

export interface Written {
  /** 0 when `repeated`. */
  readonly seq: number;
  readonly timestamp: number;
  /** The key was known: nothing was written, `result` is what the first write gave. */
  readonly repeated: boolean;
  readonly result?: unknown;
}

/** `key` makes a retry harmless; `result` is what a retry is answered. Both plain JSON. */
export interface AppendOptions {
  readonly key?: string;
  readonly result?: unknown;
}

/** A snapshot is due this long after the last write … */
const SNAPSHOT_AFTER_MS = 30_000;
/** … or as soon as this much journal has no snapshot … */
const SNAPSHOT_AFTER_BYTES = 4 * 1024 * 1024;
/** … or at the start, when this much had to be replayed: owners that are killed young must not leave more and more to the next. */
const SNAPSHOT_AFTER_REPLAYED_BYTES = 1024 * 1024;

/** Record of what a recovery found damaged. */
export const RECOVERED_KIND: RecordKind = {
  kind: 'store.recovered',
  apply: (database, payload, stamp) => {
    for (const [position, message] of (payload as { messages: readonly string[] }).messages.entries()) {
      database.run('INSERT OR IGNORE INTO store_recovery (seq, position, timestamp, message) VALUES (?, ?, ?, ?)', [
        stamp.seq,
        position,
        stamp.timestamp,
        message,
      ]);
    }
  },
};

/** The records of a project that must not be lost: a journal, synced before a write is acknowledged, with a sql.js view for reading. One owner at a time. */
export class ProjectStore {
  readonly transactions: Transactions;
  /** Acknowledged records may be lost: compare all files by hash before trusting what was saved. */
  readonly needsHashCheck: boolean;

  readonly #options: ProjectStoreOptions;
  readonly #database: StoreDatabase;
  readonly #journal: Journal;
  readonly #kinds: ReadonlyMap<string, RecordKind>;
  readonly #inFlight = new Map<string, Promise<Result<Written>>>();
  readonly #unsavedNotes: string[] = [];
  readonly #ownerId: string;
  readonly #folderIdentity: string | undefined;
  #nextGeneration: number;
  /** Journal of earlier owners that no snapshot has. */
  #replayedBytes: number;
  #changed: boolean;
  #due: Disposable | undefined;
  #snapshotting: Promise<Result<void>> | undefined;
  #closed = false;
  #ended = false;

  static async open(options: ProjectStoreOptions): Promise<Result<ProjectStore>> {
    const kinds = new Map([RECOVERED_KIND, ...TRANSACTION_KINDS, ...(options.kinds ?? [])].map(kind => [kind.kind, kind]));
    const migrations = [...STORE_MIGRATIONS, ...(options.migrations ?? [])];
    const { disk, project } = options;
    try {
      for (const folder of [project.folder, project.journal, project.view]) await disk.makeFolder(folder);
      const folderIdentity = await disk.identity(project.journal);
      if (inOrder(await disk.list(project.journal)).some(({ generation }) => generation >= options.fence.generation)) throw superseded();
      const recovered = await recover({ disk, project, kinds, migrations, sqlWasm: await options.sqlWasm() });
      if (!recovered.ok) return recovered;
      const store = new ProjectStore(options, kinds, recovered.value, folderIdentity);
      await store.noteRecovered(recovered.value.messages);
      await store.#keepRescued(recovered.value.rescued);
      return ok(store);
    } catch (error) {
      return err(storeFailure(error, 'open its store'));
    }
  }

  private constructor(options: ProjectStoreOptions, kinds: ReadonlyMap<string, RecordKind>, recovered: Recovered, folderIdentity: string | undefined) {
    this.#options = options;
    this.#kinds = kinds;
    this.#database = recovered.database;
    this.needsHashCheck = recovered.needsHashCheck;
    this.#nextGeneration = recovered.nextGeneration;
    this.#replayedBytes = recovered.replayedBytes;
    this.#changed = recovered.replayedBytes > 0 || recovered.messages.length > 0;
    this.#ownerId = options.random();
    this.#folderIdentity = folderIdentity;
    this.#journal = new Journal({
      folder: options.project.journal,
      folderIdentity,
      acknowledgedPath: options.project.acknowledged,
      disk: options.disk,
      clock: options.clock,
      fence: options.fence,
      ownerId: this.#ownerId,
      nextEpoch: recovered.nextEpoch,
      lastSeq: recovered.lastSeq,
      lastTimestamp: readMeta(this.#database, 'last_timestamp'),
      onSynced: (record, segment) => {
        const problems = applyRecord(this.#database, this.#kinds, segment, record);
        this.#noteChange();
        if (problems.length > 0) throw new Error(problems.join(' '));
      },
    });
    this.transactions = new Transactions(this.#database, options.projectId, entry => this.append(entry));
    if (this.#changed) this.#noteChange();
  }

  /** Resolves when the record is on the medium and in the view. */
  append(entry: { readonly kind: string; readonly payload: unknown } & AppendOptions): Promise<Result<Written>> {
    const { key } = entry;
    if (key === undefined) return this.#appendNow(entry);
    const known = this.resultOf(key);
    if (known !== undefined) return Promise.resolve(ok({ seq: 0, timestamp: 0, repeated: true, result: known.result }));
    const running = this.#inFlight.get(key);
    if (running !== undefined) return running.then(outcome => (outcome.ok ? ok({ ...outcome.value, repeated: true }) : outcome));
    const outcome = this.#appendNow(entry).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, outcome);
    return outcome;
  }

  /** All or nothing, as one record. */
  appendAll(entries: readonly { readonly kind: string; readonly payload: unknown }[], options: AppendOptions = {}): Promise<Result<Written>> {
    return this.append({ kind: BATCH_KIND, payload: entries, ...options });
  }

  /** What the write with this key gave, if it was one of the last 20,000 records. `isForgotten`: it was carried out, and only that is known any more. */
  resultOf(key: string): { readonly result: unknown; readonly isForgotten?: true } | undefined {
    const row = this.#database.first('SELECT result FROM applied_key WHERE key = ?', [key]);
    if (row === undefined) return undefined;
    const { result } = row;
    if (result === FORGOTTEN) return { result: undefined, isForgotten: true };
    return { result: result === null || result === undefined ? undefined : JSON.parse(String(result)) };
  }

  /** Epoch milliseconds: what a record that is written now is stamped with at the least. */
  now(): number {
    return nextTimestamp(this.#options.clock.now(), this.#journal.lastTimestamp);
  }

  /** What `look` gives of a view in which the entries are carried out; they are taken back after it. `undefined` when they cannot be. */
  rehearse<T>(entries: readonly { readonly kind: string; readonly payload: unknown }[], look: () => T): T | undefined {
    let seen: { readonly value: T } | undefined;
    try {
      this.#database.atomically(() => {
        for (const { kind, payload } of entries) this.#kinds.get(kind)?.apply(this.#database, payload, { seq: 0, timestamp: 0 });
        seen = { value: look() };
        throw new Error('only a rehearsal');
      });
    } catch {
      return seen?.value;
    }
    return undefined;
  }

  /** Reads the view. Changes go through `append`, else they would be lost. */
  query(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    return this.#database.all(sql, params);
  }

  /** The view as a database file, at this instant. */
  exportView(): Uint8Array {
    return this.#database.export();
  }

  /** What was found damaged since the data folder was made, one sentence each, newest last, at most 100. */
  get recovered(): readonly string[] {
    const rows = this.#database.all('SELECT message FROM store_recovery ORDER BY seq DESC, position DESC LIMIT 100');
    return [...rows.map(row => String(row['message'])).reverse(), ...this.#unsavedNotes];
  }

  /** Adds to `recovered`, also for what other files of the project suffered. When it cannot be saved it is kept until the end of the process. */
  async noteRecovered(found: readonly string[]): Promise<void> {
    // What is not put right until a snapshot is taken is found again by an owner that comes before it.
    const messages = [...new Set(found)].filter(message => this.#database.first('SELECT 1 FROM store_recovery WHERE message = ?', [message]) === undefined);
    if (messages.length === 0) return;
    for (const message of messages) this.#options.log.write('warn', message);
    const saved = await this.append({ kind: RECOVERED_KIND.kind, payload: { messages } });
    if (!saved.ok) this.#unsavedNotes.push(...messages);
  }

  async sizes(): Promise<{ readonly journal: number; readonly view: number }> {
    const { disk, project } = this.#options;
    return { journal: await sizeOf(disk, project.journal), view: await sizeOf(disk, project.view) };
  }

  /** Writes the view out if it changed. Comes by itself 30 s after the last write, when 4 MB of journal have piled up, and on `close`. */
  snapshot(): Promise<Result<void>> {
    this.#due?.dispose();
    this.#due = undefined;
    this.#snapshotting ??= this.#writeSnapshot().finally(() => {
      this.#snapshotting = undefined;
    });
    return this.#snapshotting;
  }

  /**
   * For an owner that has been superseded: writes nothing any more, whatever was under way. When its folder was removed or replaced, what it holds in
   * memory is first put where the next owner finds it. Never rejects.
   */
  async abandon(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#due?.dispose();
    this.#due = undefined;
    await this.#journal.close();
    await this.#snapshotting;
    await this.#rescue();
    this.#ended = true;
  }

  /**
   * Waits for what is being written, takes a last snapshot and lets go of the memory; when the folder was removed or replaced, what it holds is put there
   * first. Appends after it fail with `STORE_CLOSED`.
   */
  async close(): Promise<Result<void>> {
    if (this.#closed) return ok(undefined);
    this.#closed = true;
    await this.#journal.close();
    await this.#snapshotting;
    const outcome = await this.snapshot();
    await this.#rescue();
    await this.#journal.close();
    this.#ended = true;
    this.#database.close();
    return outcome;
  }

  async #appendNow(entry: JournalEntry): Promise<Result<Written>> {
    if (this.#closed) return err({ code: 'STORE_CLOSED', message: 'The store is closed, so the change was not saved. Try again.' });
    const outcome = await this.#journal.append(entry);
    if (!outcome.ok) return outcome;
    const written: Written = { seq: outcome.value.seq, timestamp: outcome.value.ts, repeated: false };
    return ok(entry.result === undefined ? written : { ...written, result: entry.result });
  }

  #noteChange(): void {
    this.#changed = true;
    this.#due?.dispose();
    this.#due = undefined;
    if (this.#closed) return;
    if (this.#replayedBytes > SNAPSHOT_AFTER_REPLAYED_BYTES || this.#journal.appendedBytes > SNAPSHOT_AFTER_BYTES) void this.snapshot();
    else this.#due = this.#options.timers.after(SNAPSHOT_AFTER_MS, () => void this.#snapshotAtIdle());
  }

  /** Nobody waits: the view is looked through first. One with a flaw is not saved; the next start makes it anew from what was saved before. */
  async #snapshotAtIdle(): Promise<void> {
    const flaw = this.#ended || !this.#changed ? undefined : this.#database.flaw();
    if (flaw === undefined) await this.snapshot();
    else
      this.#options.log.write(
        'error',
        `The database snapshot was not saved because SQLite reports an error in it (${flaw}). No data is lost. Restart Lattice.`,
      );
  }

  async #writeSnapshot(): Promise<Result<void>> {
    if (!this.#changed || this.#ended) return ok(undefined);
    const { disk, project, log } = this.#options;
    try {
      await this.#journal.rotate();
      await this.#journal.prove();
      await disk.makeFolder(project.view);
      this.#replayedBytes = 0;
      const positions = this.#positions();
      const content = this.#database.export();
      this.#changed = false;
      const by = { ownerId: this.#ownerId, prove: () => this.#journal.prove() };
      this.#nextGeneration = 1 + (await writeSnapshot(disk, project.view, this.#nextGeneration, { positions, content }, by));
      await this.#dropContained();
      return ok(undefined);
    } catch (error) {
      this.#changed = true;
      const failure = storeFailure(error, 'save its view (no data is lost)');
      log.write('warn', failure.message);
      return err(failure);
    }
  }

  /** Nothing is rescued while folder and segment are those that were opened, or another owner goes on from them: they have all that was acknowledged. */
  async #rescue(): Promise<void> {
    const { disk, fence, log, project } = this.#options;
    try {
      const isThere = fence.isGone !== true && (await disk.identity(project.journal)) === this.#folderIdentity;
      if (isThere && (!this.#journal.isMissing || (await highestGeneration(disk, project)) > fence.generation)) return;
      if (firstRecordOf(this.#database) === undefined) return;
      await rescueView(disk, project.view, this.#ownerId, { positions: {}, content: this.#database.export() });
    } catch (error) {
      log.write('error', storeFailure(error, 'restore its data after the data folder was removed').message);
    }
  }

  /** What was rescued goes only when it is saved as a view of this folder. */
  async #keepRescued(paths: readonly string[]): Promise<void> {
    if (paths.length === 0 || !(await this.snapshot()).ok) return;
    for (const path of paths) await this.#options.disk.remove(path);
  }

  #positions(): JournalPositions {
    return Object.fromEntries(this.#database.all('SELECT segment, seq FROM journal_position').map(row => [String(row['segment']), Number(row['seq'])]));
  }

  /**
   * Keeps the two newest snapshots and the segments that one of them lacks. Decided by what is on the disk alone, so that it stays right when
   * another owner takes over meanwhile: its snapshots contain all that these two do.
   */
  async #dropContained(): Promise<void> {
    const { disk, project } = this.#options;
    const [newest, previous, ...older] = await snapshotGenerations(disk, project.view);
    for (const generation of older) await disk.remove(join(project.view, snapshotName(generation)));
    if (newest === undefined || previous === undefined) return;
    const [after, before] = [await readSnapshot(disk, project.view, newest), await readSnapshot(disk, project.view, previous)];
    if ('problem' in after || 'problem' in before) return;
    for (const [segment, seq] of Object.entries(before.positions)) {
      if (segment === this.#journal.currentSegment || seq < (after.positions[segment] ?? Number.POSITIVE_INFINITY)) continue;
      await disk.remove(join(project.journal, segment));
      this.#database.run('DELETE FROM journal_position WHERE segment = ?', [segment]);
    }
  }
}
