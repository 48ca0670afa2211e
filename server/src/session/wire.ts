import { err, ok, type Result } from '../base/result';

/**
 * Frames between guest and owner: 4 bytes length (big endian), then that many bytes of JSON in UTF-8.
 * A frame is a JSON object. Anything else ends the connection, never the process.
 */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;

export type Frame = Readonly<Record<string, unknown>>;

const HEADER_BYTES = 4;

/** Throws `RangeError` when the frame is larger than `MAX_FRAME_BYTES`. */
export function encodeFrame(frame: Frame): Buffer {
  const body = Buffer.from(JSON.stringify(frame), 'utf8');
  if (body.length > MAX_FRAME_BYTES) throw new RangeError(`a frame of ${body.length} bytes is larger than ${MAX_FRAME_BYTES}`);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  bytes.writeUInt32BE(body.length, 0);
  body.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** Cuts a byte stream into frames. After the first error it stays broken. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #held = 0;
  #wanted: number | undefined;
  #broken = false;

  /** `maxBytes` may be raised once the peer has proved who it is. */
  constructor(public maxBytes: number) {}

  push(chunk: Buffer): Result<readonly Frame[]> {
    if (this.#broken) return this.#fail('the connection was already broken');
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      if (this.#wanted === undefined) {
        if (this.#held < HEADER_BYTES) return ok(frames);
        this.#wanted = this.#take(HEADER_BYTES).readUInt32BE(0);
        if (this.#wanted > this.maxBytes) return this.#fail(`a frame of ${this.#wanted} bytes was announced, the limit is ${this.maxBytes}`);
      }
      if (this.#held < this.#wanted) return ok(frames);
      const body = this.#take(this.#wanted);
      this.#wanted = undefined;
      const frame = parseObject(body);
      if (frame === undefined) return this.#fail('a frame is not a JSON object');
      frames.push(frame);
    }
  }

  #take(count: number): Buffer {
    const all = this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const rest = all.subarray(count);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    return all.subarray(0, count);
  }

  #fail(message: string): Result<never> {
    this.#broken = true;
    this.#chunks = [];
    this.#held = 0;
    return err({ code: 'MALFORMED', message });
  }
}

function parseObject(body: Buffer): Frame | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Frame) : undefined;
  } catch {
    return undefined;
  }
}
