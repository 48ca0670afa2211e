import type { LiveSegment, SegmentVectors } from '../segment';
import type { DotProducts } from './dotProducts';

const MAX_INT8 = 127;

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
  scales[document] = isUsable ? largest / MAX_INT8 / Math.sqrt(squares) : 0;
  const offset = document * dimension;
  for (let at = 0; at < dimension; at++) rows[offset + at] = isUsable ? Math.round(((vector[at] ?? 0) / largest) * MAX_INT8) : 0;
}

/** Steps of the largest number of a query: sums of 8,192 products stay below 2^31. */
const QUERY_STEPS = 2000;

/** Dot product of each document's row and a unit vector, in whole numbers; times the document's scale and the step that is returned it is their cosine. */
export function productsWith({ dimension, rows }: SegmentVectors, query: Readonly<Float32Array>, into: Int32Array, products: DotProducts): number {
  let largest = 0;
  for (const value of query) largest = Math.max(largest, Math.abs(value));
  const step = largest / QUERY_STEPS;
  const steps = Int32Array.from({ length: dimension }, (_, at) => (step === 0 ? 0 : Math.round((query[at] ?? 0) / step)));
  products.of(rows, steps, into);
  return step;
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
