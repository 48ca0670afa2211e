/**
 * The read-only pattern queries of `graph_query` with `language: cypher`: a small subset of openCypher over the code graph.
 * `MATCH` and `OPTIONAL MATCH` with labels, properties, typed and variable-length patterns, `WHERE`, `RETURN [DISTINCT]` with `count` and `collect`,
 * `ORDER BY`, `SKIP`, `LIMIT`, `$parameters`.
 *
 * Invariants: nothing can be written; what is outside the subset is refused by name; the same query on the same revision gives the same rows.
 */
export interface PatternQuery {
  readonly matches: readonly MatchClause[];
  readonly distinct: boolean;
  readonly columns: readonly Column[];
  readonly order: readonly { readonly by: Expression; readonly descending: boolean }[];
  readonly skip: Expression | undefined;
  readonly limit: Expression | undefined;
}

export interface MatchClause {
  readonly optional: boolean;
  readonly patterns: readonly Pattern[];
  readonly where: Expression | undefined;
}

/** `nodes[i]` and `nodes[i + 1]` are joined by `links[i]`. */
export interface Pattern {
  readonly nodes: readonly NodePattern[];
  readonly links: readonly LinkPattern[];
}

export interface NodePattern {
  readonly variable: string;
  readonly labels: readonly string[];
  readonly properties: readonly (readonly [string, Expression])[];
}

export interface LinkPattern {
  readonly variable: string;
  readonly types: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  /** Hops; `[1, 1]` for a plain link. */
  readonly hops: readonly [number, number];
  readonly isVariable: boolean;
}

export interface Column {
  readonly name: string;
  readonly value: Expression;
}

export const COMPARISONS = ['=', '<>', '<=', '>=', '<', '>', 'CONTAINS', 'STARTS', 'ENDS', 'IN'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Expression =
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'property'; readonly of: string; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: string; readonly argument: Expression | undefined; readonly distinct: boolean }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'isNull'; readonly of: Expression; readonly negated: boolean }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Expression; readonly right: Expression };

/** Functions over rows and over single values. */
export const AGGREGATES: ReadonlySet<string> = new Set(['count', 'collect']);
export const FUNCTIONS: ReadonlySet<string> = new Set([...AGGREGATES, 'id', 'labels', 'type', 'tolower', 'toupper', 'size', 'length']);

/** Longest path of one link pattern. */
export const MAX_HOPS = 4;

/** Why a query cannot be answered. */
export class PatternProblem extends Error {
  constructor(
    readonly code: 'VALIDATION_ERROR' | 'READ_ONLY' | 'TIMEOUT',
    message: string,
  ) {
    super(message);
  }
}
