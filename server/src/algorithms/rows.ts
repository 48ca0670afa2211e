/**
 * Graph algorithms on compressed sparse rows: plain arrays in, plain arrays out.
 * This room knows neither code nor ids nor confidence in words; nodes are numbers, kinds of links are small codes.
 *
 * Invariants: nothing here recurses, so depth never overflows the stack; links to nodes that are not live are passed over;
 * results do not depend on anything but the arguments.
 */
export interface Rows {
  /** Row of node `n` is `starts[n]` to `ends[n]`. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly targets: Int32Array;
  /** Kind of each link, a code below 256. */
  readonly relations: Uint8Array;
  readonly confidences: Uint8Array;
}

/** Which links count: by kind (1 = yes, indexed by code) and by least confidence. */
export interface LinkFilter {
  readonly kinds: Uint8Array;
  readonly minConfidence: number;
}

/** Kinds table with the given codes on. */
export function kindsOf(codes: Iterable<number>): Uint8Array {
  const kinds = new Uint8Array(256);
  for (const code of codes) kinds[code] = 1;
  return kinds;
}

/** Whether a link has one of the wanted relations and enough confidence. */
export function accepts(rows: Rows, link: number, filter: LinkFilter): boolean {
  return filter.kinds[rows.relations[link] ?? 0] === 1 && (rows.confidences[link] ?? 0) >= filter.minConfidence;
}
