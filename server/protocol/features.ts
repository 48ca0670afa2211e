/**
 * What the client reads of the features it asks with `query`. Lines are 1-based, columns 0-based in UTF-16 code units.
 * Only fields the editor shows are named; answers hold more.
 */

/** Feature `searchCode`: code that matches words, best first. */
export interface SearchQuery {
  readonly query: string;
  readonly limit: number;
}

export interface SymbolDto {
  readonly id: string;
  readonly name: string;
  /** A symbol kind (`method`, `class`…), or `file`, or `external`. */
  readonly kind: string;
  /** Inside the workspace folder, `/` between segments. */
  readonly path: string;
  readonly startLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
}

export interface SearchDto {
  readonly hits: readonly (SymbolDto & { readonly summary: string })[];
}

/** Feature `impact`: what depends on `target`, directly or not. */
export interface ImpactQuery {
  readonly target: string;
  /** 1 to 6. */
  readonly maxDepth: number;
}

export interface ImpactedDto {
  readonly id: string;
  readonly kind: string;
  readonly path: string;
  readonly startLine: number;
  readonly isTest: boolean;
  readonly depth: number;
  /** How it depends on the last node but one of `via`: `CALLS`, `IMPORTS`… */
  readonly relation: string;
  /** Line of that use in `path`; 0 when unknown. */
  readonly line: number;
  /** 0 to 1, the product along `via`. */
  readonly confidence: number;
  /** Ids from the target to this node. */
  readonly via: readonly string[];
}

export interface ImpactDto {
  readonly impacted: readonly ImpactedDto[];
  /** Reached only over a reference that could go to several places. */
  readonly maybe: readonly ImpactedDto[];
  readonly blastRadius: number;
  readonly risk: 'low' | 'medium' | 'high';
}
