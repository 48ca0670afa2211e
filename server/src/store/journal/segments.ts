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
 */
export async function mendSegment(disk: Disk, folder: string, name: string): Promise<MendedSegment> {
  const path = join(folder, name);
  const bytes = (await disk.read(path)) ?? new Uint8Array();
  const { records, goodBytes, state } = readSegment(bytes);
  const lostBytes = bytes.length - goodBytes;
  if (state === 'whole') return { records, state, sizeBytes: goodBytes };
  if (state === 'torn') {
    await disk.truncate(path, goodBytes);
    const message = `The journal ${name} ended in an unfinished record of ${lostBytes} bytes, which was never acknowledged; it was dropped.`;
    return { records, state, sizeBytes: goodBytes, message };
  }
  const aside = await freeDamagedPath(disk, path);
  await replaceFile(disk, aside, [bytes.subarray(goodBytes)]);
  await disk.truncate(path, goodBytes);
  const message = `The journal ${name} is damaged at byte ${goodBytes}; the ${lostBytes} bytes from there on were not replayed and are kept as ${aside}.`;
  return { records, state, sizeBytes: goodBytes, message };
}
