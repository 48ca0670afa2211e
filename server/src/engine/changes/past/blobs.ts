import { type CancellationToken, neverCancelled } from '../../../base/cancellation';
import type { Failure, Result } from '../../../base/result';

export interface Blob {
  readonly blob: string;
  readonly sizeBytes: number;
}

/** Bytes asked of git at once; it answers with the whole in memory. */
const WINDOW_BYTES = 8 << 20;
/** Bytes kept for repeated requests. */
const HELD_BYTES = 24 << 20;

/** A larger content is left out when git does not give it: its output may be too large to be held. */
const HUGE_BYTES = 32 << 20;

/** Git could not be asked (too slow, not there): whatever is made without the content would be wrong. */
export class BlobUnavailable extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** How many contents are asked for at a time, by name. */
export type ReadBlobs = (blobs: readonly string[], token: CancellationToken) => Promise<Result<ReadonlyMap<string, Uint8Array>, Failure>>;

/**
 * Contents of a commit, read from git's object store in portions: a question for one brings those that will be asked for next.
 * Memory is bounded whatever the size of the commit.
 */
export class Blobs {
  readonly #order: readonly Blob[];
  readonly #places: ReadonlyMap<string, number>;
  /** Where the contents begin that are asked for later, if at all. */
  readonly #later: number;
  readonly #held = new Map<string, Uint8Array>();
  readonly #given = new Set<string>();
  /** Asked for, and not there. */
  readonly missing = new Set<string>();
  /** Why git could not be asked, when that was so. */
  failure: Failure | undefined;
  #heldBytes = 0;
  #reading: Promise<unknown> = Promise.resolve();

  /** `order`: contents that will be asked for, in that order; others can be. `later`: those that may be asked for when all of these are read. */
  constructor(
    private readonly readBlobs: ReadBlobs,
    order: readonly Blob[],
    later: readonly Blob[] = [],
  ) {
    const names = new Set(order.map(({ blob }) => blob));
    this.#order = [...order, ...later.filter(({ blob }) => !names.has(blob))];
    this.#later = order.length;
    this.#places = new Map(this.#order.map(({ blob }, at) => [blob, at]));
  }

  /** `undefined` when the repository does not have it (a partial clone), or it is huge and git does not give it. Throws `Cancelled` and `BlobUnavailable`. */
  async read(blob: string, token: CancellationToken = neverCancelled): Promise<Uint8Array | undefined> {
    const held = this.#held.get(blob);
    if (held !== undefined) return held;
    const reading = this.#reading.then(() => this.#portion(blob, token));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #portion(blob: string, token: CancellationToken): Promise<Uint8Array | undefined> {
    const known = this.#held.get(blob);
    if (known !== undefined) return known;
    let found = await this.readBlobs(this.#next(blob), token);
    // A portion may be too much for a machine that is busy.
    if (!found.ok) found = await this.readBlobs([blob], token);
    if (!found.ok && this.#sizeOf(blob) <= HUGE_BYTES) throw new BlobUnavailable((this.failure = found.error));
    const bytes = found.ok ? found.value.get(blob) : undefined;
    if (bytes === undefined) this.missing.add(blob);
    for (const [name, content] of found.ok ? found.value : []) this.#hold(name, content);
    return bytes;
  }

  #sizeOf(blob: string): number {
    return this.#order[this.#places.get(blob) ?? -1]?.sizeBytes ?? 0;
  }

  #next(blob: string): string[] {
    const names = new Set([blob]);
    const place = this.#places.get(blob);
    if (place === undefined) return [...names];
    let bytes = this.#order[place]?.sizeBytes ?? 0;
    const add = ({ blob: name, sizeBytes }: Blob): void => {
      if (bytes + sizeBytes > WINDOW_BYTES || this.#held.has(name)) return;
      names.add(name);
      bytes += sizeBytes;
    };
    const [first, end] = place < this.#later ? [0, this.#later] : [this.#later, this.#order.length];
    for (let at = place + 1; at < end && bytes < WINDOW_BYTES; at++) add(this.#order[at] as Blob);
    // What was passed over is asked for later; what was read and let go was asked for already.
    for (let at = first; at < place && bytes < WINDOW_BYTES; at++) if (!this.#given.has(this.#order[at]?.blob ?? '')) add(this.#order[at] as Blob);
    return [...names];
  }

  #hold(name: string, bytes: Uint8Array): void {
    this.#given.add(name);
    if (this.#held.has(name)) return;
    this.#held.set(name, bytes);
    this.#heldBytes += bytes.length;
    for (const [oldest, { length }] of this.#held) {
      if (this.#heldBytes <= HELD_BYTES || oldest === name) break;
      this.#held.delete(oldest);
      this.#heldBytes -= length;
    }
  }
}
