import type { LiveSegment, Segment } from './segment';

/** Files of one segment: `rowOf` gives the place in `paths` for each document, `documentOf` the document that a file is itself, or -1. */
interface SegmentFiles {
  readonly paths: readonly string[];
  readonly rowOf: Int32Array;
  readonly documentOf: Int32Array;
}

/** `numbers` gives for a place in the segment's list the number over all segments. */
export interface FileNumbers extends Pick<SegmentFiles, 'rowOf' | 'documentOf'> {
  readonly numbers: Int32Array;
}

export interface NumberedFiles {
  readonly count: number;
  /** By segment. */
  readonly parts: readonly FileNumbers[];
}

/** Ids gone through between two steps: a few milliseconds. */
const IDS_PER_STEP = 16_384;

/** Knows which file each document belongs to, by its id. What is known of a segment is kept as long as the segment is. */
export class FilePlaces {
  readonly #known = new WeakMap<Segment, SegmentFiles>();
  #last: { readonly segments: readonly LiveSegment[]; readonly files: NumberedFiles } | undefined;

  /** In steps: the first query after a large change goes through all ids. */
  *of(segments: readonly LiveSegment[]): Generator<void, NumberedFiles> {
    if (this.#last?.segments === segments) return this.#last.files;
    const numberOf = new Map<string, number>();
    const parts: FileNumbers[] = [];
    for (const { segment } of segments) {
      const { documentOf, paths, rowOf } = yield* this.#filesOf(segment);
      const numbers = new Int32Array(paths.length);
      for (const [at, path] of paths.entries()) {
        if (at % IDS_PER_STEP === IDS_PER_STEP - 1) yield;
        const known = numberOf.get(path);
        numbers[at] = known ?? numberOf.size;
        if (known === undefined) numberOf.set(path, numberOf.size);
      }
      parts.push({ rowOf, documentOf, numbers });
    }
    const files = { count: numberOf.size, parts };
    this.#last = { segments, files };
    return files;
  }

  *#filesOf(segment: Segment): Generator<void, SegmentFiles> {
    const known = this.#known.get(segment);
    if (known !== undefined) return known;
    const rowByPath = new Map<string, number>();
    const rowOf = new Int32Array(segment.ids.length);
    let last = '';
    for (const [document, id] of segment.ids.entries()) {
      if (document % IDS_PER_STEP === IDS_PER_STEP - 1) yield;
      if (document === 0 || !isOf(id, last)) {
        const end = id.indexOf('::');
        last = end < 0 ? id : id.slice(0, end);
        if (!rowByPath.has(last)) rowByPath.set(last, rowByPath.size);
      }
      rowOf[document] = rowByPath.get(last) ?? 0;
    }
    const documentOf = new Int32Array(rowByPath.size).fill(-1);
    for (const [document, id] of segment.ids.entries()) {
      if (document % IDS_PER_STEP === IDS_PER_STEP - 1) yield;
      const row = rowByPath.get(id);
      if (row !== undefined) documentOf[row] = document;
    }
    const files = { paths: [...rowByPath.keys()], rowOf, documentOf };
    this.#known.set(segment, files);
    return files;
  }
}

function isOf(id: string, path: string): boolean {
  return id.startsWith(path) && (id.length === path.length || id.startsWith('::', path.length));
}
