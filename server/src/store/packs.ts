import { setImmediate as othersTurn } from 'node:timers/promises';
import { neverCancelled } from '../base/cancellation';
import { err, ok, type Result } from '../base/result';
import { runSteps } from '../base/steps';
import { replaceFile } from './atomicFile';
import { crc32 } from './checksum';
import { type AppendFile, type Disk, storeFailure } from './disk';
import { encodePackRecord, PACK_HEADER_BYTES, type PackRecord, packFileHeader, scanPack } from './packFormat';

export interface PackOptions {
  readonly path: string;
  /** Version of the code that makes the values; a pack of another version is replaced. */
  readonly version: string;
  readonly disk: Disk;
}

/** Below this size a pack is never compacted. */
const MIN_COMPACTION_BYTES = 1024 * 1024;
/** Share of the live bytes that records nobody refers to may keep, newest first: going back to a branch then needs no parsing. */
const KEPT_DEAD_SHARE = 0.5;
/** Size of one write of a large flush. */
const WRITE_BYTES = 4 * 1024 * 1024;

/** Records that lie closer together are read in one piece, with what is between them. */
const MAX_GAP_BYTES = 64 * 1024;
/** Size of one read of several records. */
const READ_BYTES = 1024 * 1024;
const PIECES_AT_ONCE = 16;

/** A record that somebody waits for. */
interface Asked {
  readonly key: string;
  readonly resolve: (value: Uint8Array | undefined) => void;
}

interface FoundRecord extends Asked {
  readonly record: PackRecord;
}

/**
 * The rebuildable index: values by key in one append-only file with checksums, one writer, all keys in memory.
 * Values are cheap to lose: what is damaged is dropped and named in `problems`, a file that is no pack is deleted.
 */
export class PackFile {
  readonly #options: PackOptions;
  readonly #index: Map<string, PackRecord>;
  readonly #problems: string[];
  /** Not yet flushed. */
  readonly #pending = new Map<string, Uint8Array>();
  #file: AppendFile;
  #image: Uint8Array | undefined;
  #fileBytes: number;
  #busy: Promise<unknown> = Promise.resolve();
  /** Records to be read when it is their turn, together. */
  #asked: Asked[] = [];

  static async open(options: PackOptions): Promise<Result<PackFile>> {
    const { disk, path, version } = options;
    try {
      const found = await disk.read(path);
      const scan = await runSteps(scanPack(found, version), othersTurn, neverCancelled);
      if (scan.hopeless) await replaceFile(disk, path, [packFileHeader(version)]);
      else if (found !== undefined && scan.endBytes < found.length) await disk.truncate(path, scan.endBytes);
      const file = await disk.openAppend(path);
      const problems = scan.problems.map(problem => `${path}: ${problem}`);
      const pack = new PackFile(options, file, scan.index, scan.hopeless ? undefined : found, scan.endBytes, problems);
      if (scan.hasHoles) await pack.#closeHoles();
      return ok(pack);
    } catch (error) {
      return err(storeFailure(error, 'open the index of parsed files'));
    }
  }

  private constructor(
    options: PackOptions,
    file: AppendFile,
    index: Map<string, PackRecord>,
    image: Uint8Array | undefined,
    fileBytes: number,
    problems: string[],
  ) {
    this.#options = options;
    this.#file = file;
    this.#index = index;
    this.#image = image;
    this.#fileBytes = fileBytes;
    this.#problems = problems;
  }

  get size(): number {
    let unsaved = 0;
    for (const key of this.#pending.keys()) if (!this.#index.has(key)) unsaved++;
    return this.#index.size + unsaved;
  }

  /** What was dropped because it was damaged, one sentence each. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  get stats(): { readonly fileBytes: number; readonly records: number } {
    return { fileBytes: this.#fileBytes, records: this.#index.size };
  }

  has(key: string): boolean {
    return this.#pending.has(key) || this.#index.has(key);
  }

  *keys(): Iterable<string> {
    yield* this.#index.keys();
    for (const key of this.#pending.keys()) if (!this.#index.has(key)) yield key;
  }

  /** At once, but only until `releaseImage`: the file was read whole at open. The bytes are shared; do not change them. */
  preloaded(key: string): Uint8Array | undefined {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const record = this.#index.get(key);
    if (record === undefined || this.#image === undefined || record.offset + record.length > this.#image.length) return undefined;
    return this.#checked(key, record, this.#image.subarray(record.offset, record.offset + record.length));
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const pending = this.#pending.get(key) ?? this.preloaded(key);
    if (pending !== undefined) return pending;
    if (!this.#index.has(key)) return undefined;
    return new Promise(resolve => {
      this.#asked.push({ key, resolve });
      if (this.#asked.length === 1) void this.#alone(() => this.#answer());
    });
  }

  /** Gives back the memory of the file read at open. */
  releaseImage(): void {
    this.#image = undefined;
  }

  /** Readable at once, durable after `flush`. */
  put(key: string, value: Uint8Array): void {
    this.#pending.set(key, value);
  }

  /** Writes all that was put, in one piece, and syncs it. On failure everything stays put and can be flushed again. */
  flush(): Promise<Result<void>> {
    return this.#alone(async () => {
      const batch = [...this.#pending];
      if (batch.length === 0) return ok(undefined);
      try {
        await this.#append(batch);
        for (const [key, value] of batch) if (this.#pending.get(key) === value) this.#pending.delete(key);
        return ok(undefined);
      } catch (error) {
        await this.#takeBack();
        return err(storeFailure(error, 'save the index of parsed files'));
      }
    });
  }

  /**
   * Rewrites the file without dead records when it is more than twice as large as what `live` keys need. True when it did.
   * Reads and writes wait meanwhile; a crash leaves the old file or the new one.
   */
  compact(live: ReadonlySet<string>): Promise<Result<boolean>> {
    return this.#alone(async () => {
      let liveBytes = 0;
      for (const [key, record] of this.#index) if (live.has(key)) liveBytes += PACK_HEADER_BYTES + key.length + record.length;
      if (this.#fileBytes < MIN_COMPACTION_BYTES || this.#fileBytes <= 2 * liveBytes) return ok(false);
      try {
        await this.#rewrite(live, liveBytes * KEPT_DEAD_SHARE);
        return ok(true);
      } catch (error) {
        return err(storeFailure(error, 'compact the index of parsed files'));
      }
    });
  }

  /** Reads every record; the keys of those that are damaged. They are dropped. */
  async verify(): Promise<readonly string[]> {
    const damaged: string[] = [];
    for (const key of this.#index.keys()) if ((await this.get(key)) === undefined) damaged.push(key);
    return damaged;
  }

  /** What was not flushed is lost. */
  async close(): Promise<void> {
    await this.#alone(async () => {
      this.#pending.clear();
      this.releaseImage();
      await this.#file.close();
    });
  }

  async #append(batch: readonly (readonly [string, Uint8Array])[]): Promise<void> {
    const records: (readonly [string, PackRecord])[] = [];
    let end = this.#fileBytes;
    const parts = function* (): Generator<Uint8Array> {
      for (const [key, content] of batch) {
        const { crc, head, value } = encodePackRecord(key, content);
        records.push([key, { offset: end + head.length, length: value.length, crc }]);
        end += head.length + value.length;
        yield head;
        yield value;
      }
    };
    // Encoded as they are written: the disk's answer to each chunk is everybody's turn.
    for (const chunk of chunksOf(parts())) await this.#file.append(chunk);
    await this.#file.sync();
    for (const [key, record] of records) this.#index.set(key, record);
    this.#fileBytes = end;
  }

  /** After a failed write: cuts off what may have reached the file. When even that fails, the next open drops it. */
  async #takeBack(): Promise<void> {
    try {
      await this.#options.disk.truncate(this.#options.path, this.#fileBytes);
    } catch (error) {
      const size = (await this.#options.disk.stat(this.#options.path).catch(() => undefined))?.sizeBytes;
      this.#fileBytes = Math.max(this.#fileBytes, size ?? 0);
      this.#problems.push(storeFailure(error, 'undo an unfinished write').message);
    }
  }

  /** Takes damaged bytes between records out of the file, so that they are named at this start and not at each. Left for the next one when that fails. */
  async #closeHoles(): Promise<void> {
    await this.#alone(() => this.#rewrite(new Set(this.#index.keys()), 0)).catch((error: unknown) => {
      this.#problems.push(storeFailure(error, 'repair the index of parsed files').message);
    });
  }

  async #rewrite(live: ReadonlySet<string>, spareBytes: number): Promise<void> {
    const { disk, path, version } = this.#options;
    const parts: Uint8Array[] = [packFileHeader(version)];
    const index = new Map<string, PackRecord>();
    let at = parts[0]?.length ?? 0;
    for (const key of this.#worthKeeping(live, spareBytes)) {
      const record = this.#index.get(key);
      if (record === undefined) continue;
      const value = this.#checked(key, record, await this.#file.read(record.offset, record.length));
      if (value === undefined) continue;
      const part = encodePackRecord(key, value);
      parts.push(part.head, part.value);
      index.set(key, { offset: at + part.head.length, length: value.length, crc: part.crc });
      at += part.head.length + value.length;
    }
    const old = this.#file;
    await old.close();
    try {
      await replaceFile(disk, path, parts);
      this.#index.clear();
      for (const [key, record] of index) this.#index.set(key, record);
      this.#image = undefined;
      this.#fileBytes = at;
    } finally {
      this.#file = await disk.openAppend(path);
    }
  }

  /** Live keys and the newest of the others that fit, oldest first. */
  #worthKeeping(live: ReadonlySet<string>, spareBytes: number): string[] {
    const byAge = [...this.#index].sort(([, a], [, b]) => b.offset - a.offset);
    let spare = spareBytes;
    const kept = byAge.filter(([key, record]) => {
      if (live.has(key)) return true;
      spare -= record.length;
      return spare >= 0;
    });
    return kept.map(([key]) => key).reverse();
  }

  /** Reads what was asked for meanwhile: a call of the system for each record would cost more than most records. */
  async #answer(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    const found: FoundRecord[] = [];
    for (const { key, resolve } of asked) {
      const record = this.#index.get(key);
      // It may have been written anew, or dropped, since it was asked for.
      if (record === undefined) resolve(this.#pending.get(key));
      else found.push({ key, record, resolve });
    }
    const pieces = piecesOf(found);
    for (let at = 0; at < pieces.length; at += PIECES_AT_ONCE) await Promise.all(pieces.slice(at, at + PIECES_AT_ONCE).map(piece => this.#read(piece)));
  }

  /** Records that lie side by side, in one piece. */
  async #read(piece: readonly FoundRecord[]): Promise<void> {
    const start = piece[0]?.record.offset ?? 0;
    const length = piece.reduce((end, { record }) => Math.max(end, record.offset + record.length), start) - start;
    try {
      const bytes = await this.#file.read(start, length);
      for (const { key, record, resolve } of piece) {
        const at = record.offset - start;
        // A copy: who keeps a small value is not to keep all that was read with it.
        resolve(this.#checked(key, record, piece.length === 1 ? bytes : new Uint8Array(bytes.subarray(at, at + record.length))));
      }
    } catch (error) {
      const [first] = piece;
      if (first !== undefined && piece.length === 1) {
        this.#drop(first.key, storeFailure(error, 'read it').message);
        first.resolve(undefined);
        return;
      }
      // One bad place on the disk costs no more than the record that is there.
      for (const record of piece) await this.#read([record]);
    }
  }

  #checked(key: string, record: PackRecord, value: Uint8Array): Uint8Array | undefined {
    if (value.length === record.length && crc32(value) === record.crc) return value;
    this.#drop(key, 'its checksum does not match');
    return undefined;
  }

  #drop(key: string, reason: string): void {
    this.#index.delete(key);
    this.#problems.push(`${this.#options.path}: the record ${key} was dropped: ${reason}.`);
  }

  /** Operations on the file one after the other: a read never meets a file that is being replaced. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#busy.then(work);
    this.#busy = turn.catch(() => undefined);
    return turn;
  }
}

/** Records that are read together; sorts them by place. */
function piecesOf(records: FoundRecord[]): readonly (readonly FoundRecord[])[] {
  const pieces: FoundRecord[][] = [];
  let [start, end] = [0, 0];
  for (const found of records.sort((a, b) => a.record.offset - b.record.offset)) {
    const { length, offset } = found.record;
    const piece = pieces[pieces.length - 1];
    if (piece !== undefined && offset - end <= MAX_GAP_BYTES && offset + length - start <= READ_BYTES) piece.push(found);
    else {
      pieces.push([found]);
      start = offset;
    }
    end = offset + length;
  }
  return pieces;
}

function* chunksOf(parts: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    waiting.push(part);
    bytes += part.length;
    if (bytes < WRITE_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (waiting.length > 0) yield Buffer.concat(waiting);
}
