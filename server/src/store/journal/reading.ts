import { join } from 'node:path';
import type { Disk } from '../disk';
import { type JournalRecord, readSegment, type SegmentContent } from './journalRecords';
import { inOrder, type SegmentName } from './segmentNames';

/** What is known before the journal is read. */
export interface JournalBase {
  /** Number of the last record that the view contains; 0 for an empty view. */
  readonly lastSeq: number;
  /** Last record of a segment that the view contains. */
  positionOf(segment: string): number;
  /** Number of the last record that was acknowledged, as far as it was noted. */
  readonly acknowledged: number | undefined;
}

export interface SegmentReading extends SegmentContent {
  readonly name: string;
  readonly sizeBytes: number;
  /** Records of a superseded owner, which nobody was told are saved. */
  readonly refused: number;
  /** Damage may have cost something that was acknowledged. */
  readonly isLossy: boolean;
}

/** Numbers from `first` to `last`. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

export interface JournalContent {
  readonly segments: readonly SegmentReading[];
  /** What the view does not contain, in order of the numbers, cut where the segment changes. */
  readonly runs: readonly { readonly segment: string; readonly records: readonly JournalRecord[] }[];
  /** Numbers that were given to records that are not there. */
  readonly missing: readonly NumberRange[];
  /** Records of two owners of a time before ownership was proven on every write: one of each pair counts. */
  readonly overruled: readonly number[];
  /** Highest number that was given to a record, whether it is there or not. */
  readonly lastSeq: number;
}

/** A segment as it was read, before it is known which of its records count. */
export interface SegmentFile extends SegmentName, SegmentContent {
  readonly sizeBytes: number;
}

interface Fresh {
  readonly segment: string;
  readonly record: JournalRecord;
}

/** Reads all segments, oldest first. Changes nothing. Rejects as the disk does. */
export async function readSegments(disk: Disk, folder: string): Promise<readonly SegmentFile[]> {
  const read: SegmentFile[] = [];
  for (const segment of inOrder(await disk.list(folder))) {
    const bytes = (await disk.read(join(folder, segment.name))) ?? new Uint8Array();
    read.push({ ...segment, ...readSegment(bytes), sizeBytes: bytes.length });
  }
  return read;
}

/** Decides which records count (see `store/fence`), and says which are missing. */
export function journalAfter(base: JournalBase, read: readonly SegmentFile[]): JournalContent {
  const seals = sealsOf(read);
  const { fresh, overruled } = freshOf(read, seals, base);
  const lastFresh = Math.max(base.lastSeq, fresh.at(-1)?.record.seq ?? 0);
  const lastSeq = Math.max(lastFresh, base.acknowledged ?? 0, ...read.map(({ first = 1 }) => first - 1));
  const missing = missingBetween(base.lastSeq, fresh, lastSeq);
  const segments = read.map((segment, at) => ({
    ...segment,
    refused: segment.records.filter(({ seq }) => seq >= (seals[at] ?? Number.POSITIVE_INFINITY)).length,
    isLossy: isLossy(segment, seals[at] ?? Number.POSITIVE_INFINITY, missing, { base, lastFresh }),
  }));
  return { segments, runs: runsOf(fresh), missing, overruled, lastSeq };
}

/** For each segment the number from which on its records do not count: the lowest first number of all later ones. Names that do not say it seal nothing. */
function sealsOf(read: readonly SegmentFile[]): readonly number[] {
  let lowest = Number.POSITIVE_INFINITY;
  return [...read]
    .reverse()
    .map(({ first }) => {
      const seal = first === undefined ? Number.POSITIVE_INFINITY : lowest;
      lowest = Math.min(lowest, first ?? Number.POSITIVE_INFINITY);
      return seal;
    })
    .reverse();
}

function freshOf(
  read: readonly SegmentFile[],
  seals: readonly number[],
  base: JournalBase,
): { readonly fresh: readonly Fresh[]; readonly overruled: readonly number[] } {
  const fresh: Fresh[] = [];
  const counted = new Set<number>();
  const overruled: number[] = [];
  // Newest first: where a segment of old says the same number as one that proves its order, the latter counts.
  for (const [at, { first, name, records }] of [...read.entries()].reverse()) {
    const isProven = first !== undefined;
    const after = isProven ? base.lastSeq : base.positionOf(name);
    for (const record of records) {
      if (record.seq <= after || record.seq >= (seals[at] ?? 0)) continue;
      if (isProven) counted.add(record.seq);
      if (isProven || !counted.has(record.seq)) fresh.push({ segment: name, record });
      else overruled.push(record.seq);
    }
  }
  const order = new Map(read.map(({ name }, at) => [name, at]));
  fresh.sort((a, b) => a.record.seq - b.record.seq || (order.get(a.segment) ?? 0) - (order.get(b.segment) ?? 0));
  return { fresh, overruled: overruled.sort((a, b) => a - b) };
}

/** Records are numbered without a gap: the numbers up to `until` that are missing were there once. */
function missingBetween(lastSeq: number, fresh: readonly Fresh[], until: number): readonly NumberRange[] {
  const missing: NumberRange[] = [];
  let newest = lastSeq;
  const expect = (seq: number): void => {
    if (seq > newest + 1) missing.push({ first: newest + 1, last: seq - 1 });
    newest = Math.max(newest, seq);
  };
  for (const { record } of fresh) expect(record.seq);
  expect(until + 1);
  return missing;
}

interface Known {
  readonly base: JournalBase;
  /** Number of the last record that there is. */
  readonly lastFresh: number;
}

/** Damage costs something when a number that the segment must have had is missing, and possibly when nothing says how far the segment went. */
function isLossy(segment: SegmentFile, seal: number, missing: readonly NumberRange[], { base, lastFresh }: Known): boolean {
  if (segment.damagedAt.length === 0 && segment.tornAt === undefined) return false;
  const from = segment.first ?? segment.records[0]?.seq ?? 0;
  if (missing.some(({ first, last }) => last >= from && first < seal)) return true;
  const last = segment.records.at(-1)?.seq ?? (segment.first ?? Math.min(1, base.positionOf(segment.name))) - 1;
  // A write that did not end leaves no line break; of a damaged line only a note that is not behind (as it is after a power failure) says that nobody was told of it.
  const isNoted = base.acknowledged !== undefined && (segment.tornAt !== undefined || base.acknowledged >= lastFresh);
  const isEndKnown = seal !== Number.POSITIVE_INFINITY || isNoted || last < lastFresh;
  return segment.linesAtEnd > 0 && !isEndKnown && last + segment.linesAtEnd > base.lastSeq;
}

function runsOf(fresh: readonly Fresh[]): JournalContent['runs'] {
  const runs: { readonly segment: string; readonly records: JournalRecord[] }[] = [];
  for (const { record, segment } of fresh) {
    const run = runs.at(-1);
    if (run?.segment === segment) run.records.push(record);
    else runs.push({ segment, records: [record] });
  }
  return runs;
}
