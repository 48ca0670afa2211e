import type { StableId } from '../model/ids';

/** A search, with a page of it: `limit` hits after `offset`. */
export interface SearchQuery {
  readonly text: string;
  readonly limit: number;
  readonly offset: number;
  /** Keeps a document when it returns true; called once per hit, in no particular order. */
  readonly accept?: (id: StableId) => boolean;
  /** Default: that of the settings. Where there are no vectors every mode is lexical. */
  readonly mode?: SearchMode;
  readonly fusion?: Fusion;
  /** The query's vector, for vectors that were not learned here. */
  readonly vector?: Readonly<Float32Array> | undefined;
}

/** By words, by nearness in meaning, or by both. */
export type SearchMode = 'lexical' | 'vector' | 'hybrid';

/** How two lists become one: scores over the best of their list, or reciprocal ranks. */
export type Fusion = 'linear' | 'rrf';

/** A page of hits, best first. */
export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** All hits before limit and offset. */
  readonly total: number;
}

/** A document that matches. */
export interface SearchHit {
  readonly id: StableId;
  /** Comparable within one answer only; descending. */
  readonly score: number;
  /** Why it matched: the fields that held query terms; none when it is near in meaning only. */
  readonly fields: readonly SearchField[];
}

/** What is said of every document by itself. */
export const OWN_FIELDS = ['name', 'scope', 'signature', 'doc', 'body', 'remarks'] as const;
/** What is said of a file as a whole. Every document of the file profits from it. */
export const FILE_FIELDS = ['path', 'text', 'history'] as const;
export const SEARCH_FIELDS = [...OWN_FIELDS, ...FILE_FIELDS] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** A file, whose id is its path, or a symbol, whose id is `path::…`. */
export interface SearchDocument {
  readonly id: StableId;
  readonly name: string;
  /** Counts for files only: what is in a file is found by its path through the file. */
  readonly path: string;
  readonly signature: string;
  /** What a comment says first. */
  readonly doc: string;
  /** Source of a symbol, or the names that it uses; may be empty. */
  readonly body: string;
  /** What a comment says beside its first sentence. Adds to the score, but a term that is only there does not count as matched. */
  readonly remarks?: string;
  /** Names of what a symbol is in. */
  readonly scope?: string;
  /** Content of a file. */
  readonly text?: string;
  /** Subjects of past commits that changed a file. */
  readonly history?: string;
  /** What the document counts beside others that match as well, 0 to 1; 1 when absent. */
  readonly weight?: number;
  /** A test, an example, a benchmark: counts less unless the query asks for such. */
  readonly isBeside?: boolean;
}

/** Read side of the lexical index at one revision. */
export interface SearchView {
  readonly documentCount: number;
  /** Deterministic: ties by id. */
  search(query: SearchQuery): SearchPage;
  /** The same with a `pause` after each step of some milliseconds. A query without `accept` and `vector` that is being answered is not answered twice. */
  searchInSteps(query: SearchQuery, pause: () => Promise<void>): Promise<SearchPage>;
  /** Names close to `name` (edit distance, prefix), best first: for `data.suggestions`. */
  suggest(name: string, limit: number): readonly StableId[];
}
