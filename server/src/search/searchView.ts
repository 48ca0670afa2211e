import type { StableId } from '../model/ids';

export interface SearchQuery {
  readonly text: string;
  readonly limit: number;
  readonly offset: number;
  /** Keeps a document when it returns true; called once per hit, in rank order until the page is full, then in no particular order for `total`. */
  readonly accept?: (id: StableId) => boolean;
}

export interface SearchHit {
  readonly id: StableId;
  /** Comparable within one answer only; descending. */
  readonly score: number;
  /** Why it matched: the fields that held query terms. */
  readonly fields: readonly SearchField[];
}

export const SEARCH_FIELDS = ['name', 'path', 'signature', 'doc', 'body'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface SearchDocument {
  readonly id: StableId;
  readonly name: string;
  readonly path: string;
  readonly signature: string;
  readonly doc: string;
  /** Words of the body that are not in the other fields; may be empty. */
  readonly body: string;
}

/** Read side of the lexical index at one revision. */
export interface SearchView {
  readonly documentCount: number;
  /** Deterministic: ties by id. `total` counts all hits before limit and offset. */
  search(query: SearchQuery): { readonly hits: readonly SearchHit[]; readonly total: number };
  /** Names close to `name` (edit distance, prefix), best first: for `data.suggestions`. */
  suggest(name: string, limit: number): readonly StableId[];
}
