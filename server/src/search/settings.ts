import type { Fusion, SearchField, SearchMode } from './searchView';

/**
 * How documents are scored. The constants of BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009).
 * What each of them is worth stands in docs/retrieval-log.md.
 */
export interface SearchSettings {
  /** How soon repetition of a term in the fields of a document's own stops counting: they are added up first, with their boosts (BM25F). */
  readonly ownK1: number;
  /** The same for the fields of a file, each by itself (BM25). */
  readonly fileK1: number;
  /** How much long fields are held back, 0 to 1. */
  readonly b: number;
  /** The same for past commits: a file with many is one that is often worked on. */
  readonly historyB: number;
  /** Lower bound for any occurrence (BM25+, Lv and Zhai 2011). Measured: 0.5 ranks a little worse than 0. */
  readonly delta: number;
  readonly boosts: Readonly<Record<SearchField, number>>;
  /** Exponent of the share of the query's terms that matched. */
  readonly ownCoordination: number;
  readonly fileCoordination: number;
  /** What a comment that says all that the query says adds to an own score, as a share of it; and a name, where there is no comment (`words/queryCoverage.ts`). */
  readonly commentWorth: number;
  readonly nameWorth: number;
  /** Share of the file in the score of what is in it, 0 to 1. */
  readonly fileShare: number;
  /** Weight of a term that matched only as the beginning of longer ones. */
  readonly prefixWeight: number;
  /** Weight of a name that says a word of the query in another way (`words/relatedWords.ts`). */
  readonly relatedWeight: number;
  /** What tests, examples and benchmarks count beside the code they are about. */
  readonly besideWeight: number;
  readonly mode: SearchMode;
  readonly fusion: Fusion;
  /** Share of nearness in meaning in the score, 0 to 1; the words have the rest. */
  readonly vectorShare: number;
  /** Share of the file in how near a symbol is, 0 to 1. */
  readonly vectorFileShare: number;
  /** Documents that nearness in meaning alone brings into the answer, at most. */
  readonly vectorCandidates: number;
  /** Constant of reciprocal rank fusion (Cormack et al. 2009), and what a rank in each list counts. */
  readonly rrfK: number;
  readonly rrfWeights: { readonly lexical: number; readonly vector: number };
}

export const DEFAULT_SEARCH_SETTINGS: SearchSettings = Object.freeze({
  ownK1: 6,
  fileK1: 1.2,
  b: 0.75,
  historyB: 0.4,
  delta: 0,
  boosts: Object.freeze({ name: 10, scope: 2, signature: 4, doc: 0.75, body: 1, remarks: 0.1, path: 2.5, text: 1, history: 1 }),
  ownCoordination: 0.4,
  fileCoordination: 1,
  commentWorth: 1.5,
  nameWorth: 0.85,
  fileShare: 0.5,
  prefixWeight: 0.7,
  relatedWeight: 0.6,
  besideWeight: 0.6,
  mode: 'hybrid',
  fusion: 'linear',
  vectorShare: 0.3,
  vectorFileShare: 0.4,
  vectorCandidates: 300,
  rrfK: 60,
  rrfWeights: Object.freeze({ lexical: 1, vector: 0.3 }),
});
