import type { LiveSegment, SegmentVectors } from '../segment';

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

/** Steps of the largest number of a query: sums of 8,192 products stay below 2^31. */
const QUERY_STEPS = 2000;

/** Cosine of each document and a unit vector; 0 where there is none. In whole numbers, four at a time: a third faster than in fractions. */
export function cosines({ dimension, rows, scales }: SegmentVectors, query: Readonly<Float32Array>, into: Float32Array): void {
  let largest = 0;
  for (const value of query) largest = Math.max(largest, Math.abs(value));
  const step = largest / QUERY_STEPS;
  const steps = Int32Array.from({ length: dimension }, (_, at) => (step === 0 ? 0 : Math.round((query[at] ?? 0) / step)));
  const whole = dimension - (dimension % 4);
  for (let document = 0, offset = 0; document < scales.length; document++, offset += dimension) {
    const scale = scales[document] as number;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    if (scale !== 0) {
      for (let at = 0; at < whole; at += 4) {
        const place = offset + at;
        a = (a + Math.imul(rows[place] as number, steps[at] as number)) | 0;
        b = (b + Math.imul(rows[place + 1] as number, steps[at + 1] as number)) | 0;
        c = (c + Math.imul(rows[place + 2] as number, steps[at + 2] as number)) | 0;
        d = (d + Math.imul(rows[place + 3] as number, steps[at + 3] as number)) | 0;
      }
      for (let at = whole; at < dimension; at++) a = (a + Math.imul(rows[offset + at] as number, steps[at] as number)) | 0;
    }
    into[document] = (a + b + c + d) * scale * step;
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
