import type { SearchField } from './searchView';

/** How documents are scored. The constants of BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
export interface SearchSettings {
  /** How soon repetition of a term stops counting. */
  readonly k1: number;
  /** How much long fields are held back, 0 to 1. */
  readonly b: number;
  /** Lower bound for any occurrence (BM25+, Lv and Zhai 2011). Measured: 0.5 ranks a little worse than 0. */
  readonly delta: number;
  readonly boosts: Readonly<Record<SearchField, number>>;
  /** Weight of a term that matched only as the beginning of longer ones. */
  readonly prefixWeight: number;
}

export const DEFAULT_SEARCH_SETTINGS: SearchSettings = Object.freeze({
  k1: 1.2,
  b: 0.75,
  delta: 0,
  boosts: Object.freeze({ name: 3, path: 1, signature: 1, doc: 1.5, body: 0.5 }),
  prefixWeight: 0.7,
});
