import type { LiveSegment } from '../segment';

/** Vectors of unit length of the documents of one segment. */
export interface SegmentVectors {
  readonly model: string;
  readonly dimension: number;
  /** `dimension` numbers per document, in steps of the document's scale. */
  readonly rows: Int8Array;
  /** 0 for a document that has no vector (yet). */
  readonly scales: Float32Array;
}

const LARGEST = 127;

export function emptyVectors(model: string, dimension: number, documentCount: number): SegmentVectors {
  return { model, dimension, rows: new Int8Array(documentCount * dimension), scales: new Float32Array(documentCount) };
}

/** Writes a vector of any length as the unit vector of its direction; one without length counts as none. */
export function putVector({ dimension, rows, scales }: SegmentVectors, document: number, vector: Readonly<Float32Array>): void {
  let squares = 0;
  let largest = 0;
  for (let at = 0; at < dimension; at++) {
    const value = vector[at] ?? 0;
    squares += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  const isUsable = largest > 0 && Number.isFinite(squares);
  scales[document] = isUsable ? largest / LARGEST / Math.sqrt(squares) : 0;
  const offset = document * dimension;
  for (let at = 0; at < dimension; at++) rows[offset + at] = isUsable ? Math.round(((vector[at] ?? 0) / largest) * LARGEST) : 0;
}

/** Cosine of each document and a unit vector; 0 where there is none. */
export function cosines({ dimension, rows, scales }: SegmentVectors, query: Readonly<Float32Array>, into: Float32Array): void {
  for (let document = 0, offset = 0; document < scales.length; document++, offset += dimension) {
    const scale = scales[document] as number;
    if (scale === 0) {
      into[document] = 0;
      continue;
    }
    let sum = 0;
    for (let at = 0; at < dimension; at++) sum += (rows[offset + at] as number) * (query[at] as number);
    into[document] = sum * scale;
  }
}

/** Unit vector of the same direction; `undefined` when there is none. */
export function unit(vector: Readonly<Float32Array>): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length > 0 && Number.isFinite(length) ? Float32Array.from(vector, value => value / length) : undefined;
}

/** Vectors of the live documents of all parts in their order; documents of parts without vectors of the model get none. */
export function mergedVectors(parts: readonly LiveSegment[], model: string): SegmentVectors | undefined {
  const dimension = parts.find(({ vectors }) => vectors?.model === model)?.vectors?.dimension;
  if (dimension === undefined) return undefined;
  const merged = emptyVectors(
    model,
    dimension,
    parts.reduce((sum, { liveCount }) => sum + liveCount, 0),
  );
  let place = 0;
  for (const { dead, segment, vectors } of parts) {
    const known = vectors?.model === model ? vectors : undefined;
    for (let document = 0; document < segment.ids.length; document++) {
      if (dead?.[document] === 1) continue;
      if (known !== undefined) {
        merged.rows.set(known.rows.subarray(document * dimension, (document + 1) * dimension), place * dimension);
        merged.scales[place] = known.scales[document] as number;
      }
      place++;
    }
  }
  return merged;
}
