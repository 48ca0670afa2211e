import { join } from 'node:path';
import { TEMPORARY_ENDING } from './atomicFile';
import { crcHex } from './checksum';
import type { Disk } from './disk';

/** Last record of each segment that a snapshot contains, by segment name. */
export type JournalPositions = Readonly<Record<string, number>>;

export interface Snapshot {
  readonly positions: JournalPositions;
  /** The database file. */
  readonly content: Uint8Array;
}

const FORMAT = 1;
const NAME = /^view-(\d{8})\.db$/;
const NEWLINE = 10;

export function snapshotName(generation: number): string {
  return `view-${String(generation).padStart(8, '0')}.db`;
}

/** Generations of the snapshots in a folder, newest first. */
export async function snapshotGenerations(disk: Disk, folder: string): Promise<readonly number[]> {
  const generations: number[] = [];
  for (const name of await disk.list(folder)) {
    const found = NAME.exec(name)?.[1];
    if (found !== undefined) generations.push(Number(found));
  }
  return generations.sort((a, b) => b - a);
}

/** One checksummed line about the content, then the content. */
export function encodeSnapshot({ content, positions }: Snapshot): readonly Uint8Array[] {
  const about = JSON.stringify({ format: FORMAT, positions, sizeBytes: content.length, crc: crcHex(content) });
  return [Buffer.from(`${crcHex(Buffer.from(about))} ${about}\n`), content];
}

/**
 * Writes a snapshot under the first free generation from `generation` on and gives it; the snapshot of another owner is never overwritten.
 * `prove` is asked for once the content is on the medium. Rejects as the disk and `prove` do; a failure leaves the folder as it was.
 */
export async function writeSnapshot(
  disk: Disk,
  folder: string,
  generation: number,
  snapshot: Snapshot,
  by: { readonly ownerId: string; prove(): Promise<void> },
): Promise<number> {
  const temporary = join(folder, `view-${by.ownerId}${TEMPORARY_ENDING}`);
  for (let free = generation; ; free++) {
    try {
      await disk.write(temporary, encodeSnapshot(snapshot));
      await by.prove();
    } catch (error) {
      // Half a file on a full disk takes the room that the next try needs.
      await disk.remove(temporary).catch(() => undefined);
      throw error;
    }
    if (!(await disk.publish(temporary, join(folder, snapshotName(free))))) continue;
    await disk.syncFolder(folder);
    return free;
  }
}

/** The snapshot, or what is wrong with the file. */
export async function readSnapshot(disk: Disk, folder: string, generation: number): Promise<Snapshot | { readonly problem: string }> {
  const bytes = await disk.read(join(folder, snapshotName(generation)));
  return bytes === undefined ? { problem: 'it was deleted' } : decodeSnapshot(bytes);
}

/** The snapshot, or what is wrong with it. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot | { readonly problem: string } {
  const newline = bytes.indexOf(NEWLINE);
  const line = newline < 0 ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, newline);
  if (line === undefined || line.toString('latin1', 0, 8) !== crcHex(line, 9)) return { problem: 'its first line is damaged' };
  const about = JSON.parse(line.toString('utf8', 9)) as { format: number; positions: JournalPositions; sizeBytes: number; crc: string };
  if (about.format !== FORMAT) return { problem: `its format ${about.format} is not known` };
  const content = bytes.subarray(newline + 1);
  if (content.length !== about.sizeBytes) return { problem: `it has ${content.length} bytes instead of ${about.sizeBytes}` };
  if (crcHex(content) !== about.crc) return { problem: 'its checksum does not match' };
  return { positions: about.positions, content };
}
