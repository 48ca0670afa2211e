/** What is drawn, as a reader sees it: how many names and lines there are, and the texts of those that are cut, overlap, are too small or run through a box. */
export interface Measured {
  readonly names: number;
  readonly cut: readonly string[];
  readonly overlapping: readonly string[];
  readonly small: readonly string[];
  readonly lines: number;
  readonly crossing: readonly string[];
}

/** Measures the graph that the page shows; runs in the page. */
export function measurePicture(): Measured;
