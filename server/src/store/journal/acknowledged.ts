import { crcHex } from '../checksum';
import type { Disk, NoteFile } from '../disk';

const DIGITS = 15;

/**
 * How far the acknowledgements go, in a file of its own: tells a journal that was cut or lost from one that ended there.
 * Never ahead of the truth; behind it after a power failure, or while a note is under way.
 */
export class Acknowledged {
  #file: Promise<NoteFile> | undefined;
  #wanted: number | undefined;
  #noting: Promise<void> | undefined;

  constructor(
    private readonly disk: Disk,
    private readonly path: string,
  ) {}

  /** Nobody waits for it. */
  note(seq: number): void {
    this.#wanted = seq;
    this.#noting ??= this.#write().finally(() => {
      this.#noting = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#noting;
    const file = await this.#file?.catch(() => undefined);
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  async #write(): Promise<void> {
    try {
      this.#file ??= this.disk.openNote(this.path);
      const file = await this.#file;
      for (let next = this.#wanted; next !== undefined; next = this.#wanted) {
        this.#wanted = undefined;
        await file.overwrite(textOf(next));
      }
    } catch {
      // What it would have said is only needed when the journal itself is damaged.
      this.#file = undefined;
    }
  }
}

/** `undefined` when nothing was noted, or what was is damaged. */
export async function readAcknowledged(disk: Disk, path: string): Promise<number | undefined> {
  const bytes = await disk.read(path);
  const text = bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');
  const seq = Number(text.slice(0, DIGITS));
  return Number.isSafeInteger(seq) && text === textOf(seq) ? seq : undefined;
}

function textOf(seq: number): string {
  const digits = String(seq).padStart(DIGITS, '0');
  return `${digits} ${crcHex(Buffer.from(digits))}\n`;
}
