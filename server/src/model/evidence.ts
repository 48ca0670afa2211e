/**
 * How an edge is known, and how sure that makes it. A row's position is its code in stored columns: append only.
 * `confidence` is that of a single candidate; `open` where the site may mean something unknown as well, `weak` where a chain led to it that is
 * likely, not certain. Measured against compilers (docs/accuracy.md).
 */
export const SOURCES = [
  { name: 'syntax', confidence: 1, open: 1, weak: 1 },
  { name: 'scip', confidence: 1, open: 1, weak: 1 },
  { name: 'human', confidence: 1, open: 1, weak: 1 },
  { name: 'import', confidence: 0.95, open: 0.7, weak: 0.6 },
  { name: 'scope', confidence: 0.95, open: 0.7, weak: 0.6 },
  { name: 'type', confidence: 0.9, open: 0.7, weak: 0.6 },
  { name: 'heuristic', confidence: 0.4, open: 0.4, weak: 0.4 },
  { name: 'derived', confidence: 1, open: 1, weak: 1 },
] as const;

/** Most that a candidate is worth for what it is, however it is known. */
export const CEILINGS = {
  /** A class known only as a type of classes (`type[X]`): X itself and not a subclass. */
  anySubclass: 0.4,
  /** A function that a variable or field was seen to hold, where variables vary. */
  heldByVariable: 0.45,
  /** A base given as a parameter (a mixin): the class that its type names. */
  anyOfType: 0.45,
  /** A dependency that only a comment names. */
  inComment: 0.45,
  /** The one function of a name that was assigned to a variable called like the receiver. */
  namesake: 0.6,
  /** The only type that has all members which the file takes from something of unknown type. */
  likelyType: 0.55,
  /** The same where others may have declared a type for it that is not seen. */
  possibleType: 0.45,
  /** One implementation of what is called through its interface. */
  implementation: 0.3,
} as const;

/** How a link was found: the name of a row of `SOURCES`. */
export type SourceName = (typeof SOURCES)[number]['name'];

/** Code of each source in columns: its position in `SOURCES`. */
export const sourceCode: Readonly<Record<SourceName, number>> = Object.freeze(
  Object.fromEntries(SOURCES.map((row, code) => [row.name, code])) as Record<SourceName, number>,
);

/** Confidence of a single candidate that a source names. */
export function confidenceOf(source: SourceName): number {
  return SOURCES[sourceCode[source]]?.confidence ?? 0;
}

/** From this confidence on an edge is a *fact*; below it is a *maybe*. */
export const FACT_CONFIDENCE = 0.8;

/** Confidence is stored in one byte: `Math.round(confidence * 200)`. */
export function encodeConfidence(confidence: number): number {
  return Math.max(0, Math.min(200, Math.round(confidence * 200)));
}

/** Confidence from 0 to 1, from the byte that columns store. */
export function decodeConfidence(byte: number): number {
  return byte / 200;
}
