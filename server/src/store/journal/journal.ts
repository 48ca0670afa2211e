import { join } from 'node:path';
import type { Clock } from '../../base/ports';
import { err, ok, type Result } from '../../base/result';
import { type AppendFile, type Disk, storeFailure } from '../disk';
import { encodeRecord, type JournalRecord } from './journalRecords';

export interface JournalOptions {
  readonly folder: string;
  readonly disk: Disk;
  readonly clock: Clock;
  /** Hex digits that no other owner uses; part of the names of this owner's segments. */
  readonly ownerId: string;
  /** Higher than that of any segment in the folder. */
  readonly nextEpoch: number;
  readonly lastSeq: number;
  readonly lastTimestamp: number;
  /** Called in order of `seq`, after the sync and before `append` resolves; what it throws fails that append alone. */
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

/**
 * Append side of the journal. A segment is written by one owner only; the epoch in its name puts segments in order.
 * Appends that come while a sync runs share the next one. A record that was not synced is never acknowledged.
 */
export class Journal {
  readonly #options: JournalOptions;
  #seq: number;
  #timestamp: number;
  #epoch: number;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #segment: { readonly name: string; readonly file: AppendFile } | undefined;
  #segmentBytes = 0;
  #appendedBytes = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#seq = options.lastSeq;
    this.#timestamp = options.lastTimestamp;
    this.#epoch = options.nextEpoch;
  }

  /** Bytes this owner appended since `rotate`. */
  get appendedBytes(): number {
    return this.#appendedBytes;
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
    if (record === undefined) return err({ code: 'STORE_IO', message: 'Lattice lost count of its journal records.' });
    try {
      this.#options.onSynced(record, segment);
      return ok(record);
    } catch (error) {
      return err({ code: 'STORE_NOT_APPLIED', message: `The change was written to the journal but could not be carried out: ${String(error)}` });
    }
  }

  async #write(group: readonly Waiting[]): Promise<Result<{ records: readonly JournalRecord[]; segment: string }>> {
    const before = this.#seq;
    const records = group.map(({ entry }) => this.#stamp(entry));
    try {
      const { name, file } = await this.#openSegment();
      let bytes = 0;
      for (const record of records) {
        const line = encodeRecord(record);
        await file.append(line);
        bytes += line.length;
      }
      await file.sync();
      this.#segmentBytes += bytes;
      this.#appendedBytes += bytes;
      return ok({ records, segment: name });
    } catch (error) {
      // A number that no record has would look like a record that was lost.
      if (await this.#abandonTail()) this.#seq = before;
      return err(storeFailure(error, 'save the change'));
    }
  }

  #stamp(entry: JournalEntry): JournalRecord {
    this.#seq += 1;
    this.#timestamp = Math.max(this.#options.clock.now(), this.#timestamp + 1);
    return { seq: this.#seq, ts: this.#timestamp, ...entry };
  }

  async #openSegment(): Promise<{ readonly name: string; readonly file: AppendFile }> {
    if (this.#segment !== undefined) return this.#segment;
    const name = segmentName(this.#epoch, this.#options.ownerId);
    const file = await this.#options.disk.openAppend(join(this.#options.folder, name));
    this.#epoch += 1;
    this.#segment = { name, file };
    this.#segmentBytes = 0;
    await this.#options.disk.syncFolder(this.#options.folder);
    return this.#segment;
  }

  /** Takes back what was written but not synced; false when it could not. After a failed sync the file is not trusted further: the next append starts a new segment. */
  async #abandonTail(): Promise<boolean> {
    const segment = this.#segment;
    if (segment === undefined) return true;
    const path = join(this.#options.folder, segment.name);
    const keep = this.#segmentBytes;
    await this.#leaveSegment();
    try {
      if (keep === 0) await this.#options.disk.remove(path);
      else await this.#options.disk.truncate(path, keep);
      return true;
    } catch {
      // The tail stays: recovery drops it when it is torn; whole records in it are applied although their writer was told of a failure.
      return false;
    }
  }

  async #leaveSegment(): Promise<void> {
    const file = this.#segment?.file;
    this.#segment = undefined;
    this.#segmentBytes = 0;
    try {
      await file?.close();
    } catch {
      // Everything acknowledged was synced before; a failing close changes nothing.
    }
  }
}

const SEGMENT_NAME = /^journal-(\d{8})-([0-9a-z]+)\.ndjson$/;

export function segmentName(epoch: number, ownerId: string): string {
  return `journal-${String(epoch).padStart(8, '0')}-${ownerId}.ndjson`;
}

/** `undefined` for a name that is not a segment's. */
export function epochOf(name: string): number | undefined {
  const found = SEGMENT_NAME.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}
