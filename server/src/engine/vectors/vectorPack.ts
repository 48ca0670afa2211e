import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
import { neverCancelled } from '../../base/cancellation';
import type { Turn } from '../../base/yield';
import type { LiveSegment, Segment, SegmentVectors } from '../../search/segment';
import type { TermModel } from '../../search/termModel';
import type { Disk } from '../../store/disk';
import { PackFile } from '../../store/packs';

/** Raised when models or vectors are made in another way: older packs are then started afresh. */
const VECTORS_VERSION = '2';
const MODEL_KEY = 'model';
const ADDED_KEY = 'added';
/** What is hashed between two checks of the clock. */
const TEXTS_AT_ONCE = 8192;
const BYTES_AT_ONCE = 1 << 20;

/** A model and how many documents came after its training. */
export interface SavedModel {
  readonly model: TermModel;
  readonly addedSince: number;
}

/**
 * Vectors of one checkout on disk by the hash of what they were made from: of a segment its columns, of a text the text.
 * All of it can be made again, so damage costs time and nothing else.
 */
export class VectorPack {
  readonly #hashes = new WeakMap<Segment, string>();
  /** The model that the file holds. */
  #saved: TermModel | undefined;

  static async open(disk: Disk, path: string): Promise<VectorPack | undefined> {
    const opened = await PackFile.open({ path, version: VECTORS_VERSION, disk });
    return opened.ok ? new VectorPack(opened.value) : undefined;
  }

  private constructor(private readonly pack: PackFile) {}

  get sizeBytes(): number {
    return this.pack.stats.fileBytes;
  }

  async model(): Promise<SavedModel | undefined> {
    const packed = await this.pack.get(MODEL_KEY);
    if (packed === undefined) return undefined;
    const model = packr().unpack(packed) as TermModel;
    const added = await this.pack.get(ADDED_KEY);
    const { dimension, rarity, terms, vectors } = model;
    const isSound =
      vectors instanceof Float32Array && rarity instanceof Float32Array && terms.length === rarity.length && vectors.length === terms.length * dimension;
    if (!isSound) return undefined;
    this.#saved = model;
    return { model, addedSince: added === undefined ? 0 : Number(packr().unpack(added)) };
  }

  /** What there is for a segment as it is. */
  async vectorsOf(segment: Segment, model: TermModel, turn: Turn): Promise<SegmentVectors | undefined> {
    const packed = await this.pack.get(await this.#keyOf(segment, model.id, turn));
    if (packed === undefined) return undefined;
    const { rows, scales } = packr().unpack(packed) as SegmentVectors;
    const isSound =
      rows instanceof Int8Array && scales instanceof Float32Array && scales.length === segment.ids.length && rows.length === scales.length * model.dimension;
    return isSound ? { model: model.id, dimension: model.dimension, rows, scales } : undefined;
  }

  /** Durable when it resolves; what no segment needs any more goes when it is more than half of the file. */
  async save({ addedSince, model }: SavedModel, segments: readonly LiveSegment[], turn: Turn): Promise<void> {
    const live = new Set([MODEL_KEY, ADDED_KEY, ...[...this.pack.keys()].filter(key => key.startsWith('text:'))]);
    if (this.#saved !== model) this.pack.put(MODEL_KEY, packr().pack(model));
    this.#saved = model;
    this.pack.put(ADDED_KEY, packr().pack(addedSince));
    await turn.check(neverCancelled);
    for (const { segment, vectors } of segments) {
      if (vectors?.model !== model.id) continue;
      const key = await this.#keyOf(segment, model.id, turn);
      live.add(key);
      if (!this.pack.has(key)) this.pack.put(key, packr().pack({ rows: vectors.rows, scales: vectors.scales }));
      await turn.check(neverCancelled);
    }
    await this.pack.flush();
    await this.pack.compact(live);
    this.pack.releaseImage();
  }

  async textVector(model: string, text: string): Promise<Float32Array | undefined> {
    const packed = await this.pack.get(textKey(model, text));
    return packed === undefined ? undefined : new Float32Array(Uint8Array.from(packed).buffer);
  }

  putTextVector(model: string, text: string, vector: Float32Array): void {
    this.pack.put(textKey(model, text), new Uint8Array(Float32Array.from(vector).buffer));
  }

  async flush(): Promise<void> {
    await this.pack.flush();
    this.pack.releaseImage();
  }

  close(): Promise<void> {
    return this.pack.close();
  }

  async #keyOf(segment: Segment, model: string, turn: Turn): Promise<string> {
    let hash = this.#hashes.get(segment);
    if (hash === undefined) {
      hash = await hashOf(segment, turn);
      this.#hashes.set(segment, hash);
    }
    return `segment:${model}:${hash}`;
  }
}

async function hashOf({ ids, postings, terms }: Segment, turn: Turn): Promise<string> {
  const hash = createHash('sha256');
  for (const texts of [ids, terms]) {
    for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
      hash.update(`${texts.slice(from, from + TEXTS_AT_ONCE).join('\n')}\n`);
      await turn.check(neverCancelled);
    }
  }
  for (const { counts, documents, offsets } of postings) {
    for (const array of [offsets, documents, counts]) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let from = 0; from < bytes.length; from += BYTES_AT_ONCE) {
        hash.update(bytes.subarray(from, from + BYTES_AT_ONCE));
        await turn.check(neverCancelled);
      }
    }
  }
  return hash.digest('hex');
}

function textKey(model: string, text: string): string {
  return `text:${createHash('sha256').update(model).update('\n').update(text).digest('hex')}`;
}

function packr(): Packr {
  return new Packr({ moreTypes: true, useRecords: true, sequential: false });
}
