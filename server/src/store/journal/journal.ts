import { join } from 'node:path';
import type { Clock } from '../../base/ports';
import { err, ok, type Result } from '../../base/result';
import { type AppendFile, type Disk, isMissing, storeFailure } from '../disk';
import { type Fence, moved, superseded } from '../fence';
import { Acknowledged } from './acknowledged';
import { encodeRecord, type JournalRecord } from './journalRecords';
import { segmentName } from './segmentNames';

export interface JournalOptions {
  readonly folder: string;
  /** `Disk.identity` of the folder as it was opened. */
  readonly folderIdentity: string | undefined;
  /** File that says how far the acknowledgements go. */
  readonly acknowledgedPath: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly fence: Fence;
  /** Hex digits that no other owner uses; part of the names of this owner's segments. */
  readonly ownerId: string;
  /** Higher than that of any segment in the folder. */
  readonly nextEpoch: number;
  readonly lastSeq: number;
  readonly lastTimestamp: number;
  /** Called in order of `seq`, once the record is acknowledged and before `append` resolves; what it throws fails that append alone. */
  readonly onSynced: (record: JournalRecord, segment: string) => void;
}

export interface JournalEntry {
  readonly kind: string;
  readonly payload: unknown;
  readonly key?: string;
  readonly result?: unknown;
}

interface Waiting {
  readonly entry: JournalEntry;
  settle(outcome: Result<JournalRecord>): void;
}

/** An open segment and how much of it is acknowledged. */
interface Segment {
  readonly name: string;
  readonly path: string;
  readonly file: AppendFile;
  acknowledgedBytes: number;
}

/** A clock that was set back by less than this is waited for; one that was further ahead had been wrong, and is followed. */
const WAITED_FOR_MS = 24 * 3_600_000;

/** The time of the next record: later than the last one, unless that was stamped by a clock that has been corrected since. */
export function nextTimestamp(now: number, last: number): number {
  return now > last || last - now > WAITED_FOR_MS ? now : last + 1;
}

/**
 * Append side of the journal. A segment is written by one owner only; its name puts it in order.
 * Appends that come while a sync runs share the next one. A record is acknowledged when it is synced, in the file that the path names,
 * and this process is still the owner after that (see `store/fence`).
 */
export class Journal {
  readonly #options: JournalOptions;
  #seq: number;
  #timestamp: number;
  #epoch: number;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #segment: Segment | undefined;
  #appendedBytes = 0;
  #isMissing = false;
  readonly #acknowledged: Acknowledged;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#seq = options.lastSeq;
    this.#timestamp = options.lastTimestamp;
    this.#epoch = options.nextEpoch;
    this.#acknowledged = new Acknowledged(options.disk, options.acknowledgedPath);
    this.#acknowledged.note(options.lastSeq);
  }

  get lastTimestamp(): number {
    return this.#timestamp;
  }

  /** Bytes this owner appended since `rotate`. */
  get appendedBytes(): number {
    return this.#appendedBytes;
  }

  /** What was acknowledged is no longer where its path says. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  get currentSegment(): string | undefined {
    return this.#segment?.name;
  }

  append(entry: JournalEntry): Promise<Result<JournalRecord>> {
    const plain: JournalEntry = JSON.parse(JSON.stringify(entry)) as JournalEntry;
    const outcome = new Promise<Result<JournalRecord>>(settle => this.#waiting.push({ entry: plain, settle }));
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
    return outcome;
  }

  /** Later appends go to a new segment, so that this one can be dropped once two snapshots contain it. */
  async rotate(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
    await this.#leaveSegment();
    this.#appendedBytes = 0;
  }

  async close(): Promise<void> {
    await this.rotate();
    await this.#acknowledged.close();
  }

  /** Rejects with `NotTheOwner` unless this process owns the project and its folder is the one that was opened. */
  async prove(): Promise<void> {
    const { disk, fence, folder, folderIdentity } = this.#options;
    if ((await disk.identity(folder)) !== folderIdentity) this.#leaveOwnership();
    if (!fence.holds()) throw superseded();
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      const written = await this.#write(group);
      for (const [position, { settle }] of group.entries()) settle(written.ok ? this.#hand(written.value.records[position], written.value.segment) : written);
    }
  }

  #hand(record: JournalRecord | undefined, segment: string): Result<JournalRecord> {
    if (record === undefined) return err({ code: 'STORE_IO', message: 'The number of journal records is wrong.' });
    try {
      this.#options.onSynced(record, segment);
      return ok(record);
    } catch (error) {
      return err({ code: 'STORE_NOT_APPLIED', message: `The change was written to the journal but could not be applied: ${String(error)}` });
    }
  }

  async #write(group: readonly Waiting[]): Promise<Result<{ records: readonly JournalRecord[]; segment: string }>> {
    const before = this.#seq;
    try {
      if (!this.#options.fence.holds()) throw superseded();
      const segment = await this.#openSegment();
      const records = group.map(({ entry }) => this.#stamp(entry));
      const lines = records.map(encodeRecord);
      for (const line of lines) await segment.file.append(line);
      await segment.file.sync();
      await this.#proveAcknowledged(segment);
      const bytes = lines.reduce((sum, line) => sum + line.length, 0);
      segment.acknowledgedBytes += bytes;
      this.#appendedBytes += bytes;
      this.#acknowledged.note(this.#seq);
      return ok({ records, segment: segment.name });
    } catch (error) {
      // The number is given again in a segment of its own, whose name says that what stands here under it does not count.
      this.#seq = before;
      await this.#abandonSegment();
      return err(storeFailure(error, 'save the change'));
    }
  }

  /** The last look before an answer, after the sync: see `store/fence` for why this order is enough. */
  async #proveAcknowledged({ file, path }: Segment): Promise<void> {
    if ((await this.#options.disk.identity(path)) !== file.identity) this.#leaveOwnership();
    if (!this.#options.fence.holds()) throw superseded();
  }

  #leaveOwnership(): never {
    this.#isMissing = true;
    this.#options.fence.lose('its data folder was removed or replaced');
    throw moved();
  }

  #stamp(entry: JournalEntry): JournalRecord {
    this.#seq += 1;
    this.#timestamp = nextTimestamp(this.#options.clock.now(), this.#timestamp);
    return { seq: this.#seq, ts: this.#timestamp, ...entry };
  }

  async #openSegment(): Promise<Segment> {
    if (this.#segment !== undefined) return this.#segment;
    const { disk, fence, folder, ownerId } = this.#options;
    await this.prove();
    const name = segmentName({ epoch: this.#epoch, generation: fence.generation, first: this.#seq + 1 }, ownerId);
    const path = join(folder, name);
    const file = await this.#orMoved(disk.openAppend(path));
    this.#epoch += 1;
    this.#segment = { name, path, file, acknowledgedBytes: 0 };
    await this.#orMoved(disk.syncFolder(folder));
    return this.#segment;
  }

  async #orMoved<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (isMissing(error)) this.#leaveOwnership();
      throw error;
    }
  }

  /** After a failed write the file is not trusted further. What stands in it stays, since another owner may have read it; only an empty file goes. */
  async #abandonSegment(): Promise<void> {
    const segment = this.#segment;
    await this.#leaveSegment();
    if (segment === undefined || segment.acknowledgedBytes > 0) return;
    const { disk } = this.#options;
    const found = await disk.stat(segment.path).catch(() => undefined);
    if (found?.sizeBytes === 0) await disk.remove(segment.path).catch(() => undefined);
  }

  async #leaveSegment(): Promise<void> {
    const file = this.#segment?.file;
    this.#segment = undefined;
    try {
      await file?.close();
    } catch {
      // Everything acknowledged was synced before; a failing close changes nothing.
    }
  }
}
