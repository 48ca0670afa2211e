/** What the name of a journal segment says. It cannot be damaged with the content, and it stands before the first record is written. */
export interface SegmentName {
  readonly name: string;
  /** Order of the segments of one owner. */
  readonly epoch: number;
  /** Of the ownership that wrote it; 0 before names said it. */
  readonly generation: number;
  /** Number of its first record; `undefined` before names said it. */
  readonly first: number | undefined;
}

const SEGMENT_NAME = /^journal-(\d{8})-(?:g(\d{1,15})f(\d{1,15})x)?[0-9a-z]+\.ndjson$/;

export function segmentName(segment: { readonly epoch: number; readonly generation: number; readonly first: number }, ownerId: string): string {
  return `journal-${String(segment.epoch).padStart(8, '0')}-g${segment.generation}f${segment.first}x${ownerId}.ndjson`;
}

/** `undefined` for a name that is not a segment's. */
export function readSegmentName(name: string): SegmentName | undefined {
  const found = SEGMENT_NAME.exec(name);
  if (found === null) return undefined;
  const [, epoch, generation, first] = found;
  return { name, epoch: Number(epoch), generation: Number(generation ?? 0), first: first === undefined ? undefined : Number(first) };
}

/** Oldest first: by generation, since an owner that was superseded may still have begun a segment. */
export function inOrder(names: readonly string[]): readonly SegmentName[] {
  const segments = names.flatMap(name => readSegmentName(name) ?? []);
  return segments.sort((a, b) => a.generation - b.generation || a.epoch - b.epoch || (a.name < b.name ? -1 : 1));
}
