import { join } from 'node:path';
import { freeDamagedPath, replaceFile } from '../atomicFile';
import type { Disk } from '../disk';
import { epochOf } from './journal';
import { type JournalRecord, readSegment, type SegmentContent } from './journalRecords';

/** Names of the segments in a folder, oldest epoch first. */
export async function segmentNames(disk: Disk, folder: string): Promise<readonly string[]> {
  return (await disk.list(folder)).filter(name => epochOf(name) !== undefined);
}

export interface MendedSegment {
  readonly records: readonly JournalRecord[];
  readonly state: SegmentContent['state'];
  readonly sizeBytes: number;
  /** What was found and done; absent when the segment was whole. */
  readonly message?: string;
}

/**
 * Reads a segment and makes it whole: an unfinished last record is cut off, since nobody was told that it was saved;
 * from damage on, everything goes to a side file before it is cut off, so that a crash between the two leaves both.
 * Damage in records up to `coveredSeq`, which the saved view contains, is left where it is: the segment goes by itself.
 */
export async function mendSegment(disk: Disk, folder: string, name: string, coveredSeq: number): Promise<MendedSegment> {
  const path = join(folder, name);
  const bytes = (await disk.read(path)) ?? new Uint8Array();
  const { coveredDamageAt, records, goodBytes, state } = readSegment(bytes, coveredSeq);
  const lostBytes = bytes.length - goodBytes;
  if (state === 'whole') {
    const whole = { records, state, sizeBytes: bytes.length };
    if (coveredDamageAt === undefined) return whole;
    return { ...whole, message: `The journal ${name} is damaged at byte ${coveredDamageAt}, in records that the saved view contains; nothing is lost.` };
  }
  if (state === 'torn') {
    await disk.truncate(path, goodBytes);
    const message = `The journal ${name} ended in an unfinished record of ${lostBytes} bytes, as a write leaves it that was never acknowledged; it was dropped.`;
    return { records, state, sizeBytes: goodBytes, message };
  }
  const aside = await freeDamagedPath(disk, path);
  await replaceFile(disk, aside, [bytes.subarray(goodBytes)]);
  await disk.truncate(path, goodBytes);
  const message = `The journal ${name} is damaged at byte ${goodBytes}; the ${lostBytes} bytes from there on were not replayed and are kept as ${aside}. ${RESTORE_ADVICE}`;
  return { records, state, sizeBytes: goodBytes, message };
}

/** Ends a sentence about a loss. */
export const RESTORE_ADVICE = 'What it changed is lost unless a backup has it: lattice doctor names the newest, graph_restore puts it back.';
