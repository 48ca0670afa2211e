/**
 * How an edge is known. A row's position is its code in stored columns: append only.
 * `confidence` is the starting value for a single candidate; calibration may move it.
 */
export const SOURCES = [
  { name: 'syntax', confidence: 1 },
  { name: 'scip', confidence: 1 },
  { name: 'human', confidence: 1 },
  { name: 'import', confidence: 0.95 },
  { name: 'scope', confidence: 0.95 },
  { name: 'type', confidence: 0.9 },
  { name: 'heuristic', confidence: 0.4 },
  { name: 'derived', confidence: 1 },
] as const;

export type SourceName = (typeof SOURCES)[number]['name'];

export const sourceCode: Readonly<Record<SourceName, number>> = Object.freeze(
  Object.fromEntries(SOURCES.map((row, code) => [row.name, code])) as Record<SourceName, number>,
);

/** From this confidence on an edge is a *fact*; below it is a *maybe*. */
export const FACT_CONFIDENCE = 0.8;

/** Confidence is stored in one byte: `Math.round(confidence * 200)`. */
export function encodeConfidence(confidence: number): number {
  return Math.max(0, Math.min(200, Math.round(confidence * 200)));
}

export function decodeConfidence(byte: number): number {
  return byte / 200;
}
