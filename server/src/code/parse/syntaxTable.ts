import type { Branded } from '../../base/branded';

/** Row of a node in a `SyntaxTable`. */
export type SyntaxNode = Branded<'SyntaxNode'>;

/** Says that a number, as loops count them, is a row of a node. */
export function syntaxNode(row: number): SyntaxNode {
  return row as SyntaxNode;
}

/**
 * A parsed file as flat preorder columns, so that extractors walk typed arrays and never cross into WebAssembly.
 * Node 0 is the root. The subtree of node `i` is `i … next[i] - 1`; the first child is `i + 1` when `next[i] > i + 1`;
 * the next sibling of a child `c` is `next[c]` when that is below `next[parent[c]]`. Anonymous tokens are included.
 */
export interface SyntaxTable {
  readonly text: string;
  readonly count: number;
  /** Grammar symbol after aliasing; `ERROR_KIND` for ERROR nodes. */
  readonly kind: Uint16Array;
  /** Grammar field within the parent, 0 for none. */
  readonly field: Uint8Array;
  /** UTF-16 offsets into `text`. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly parent: Int32Array;
  readonly next: Int32Array;
  readonly flags: Uint8Array;
}

export const ERROR_KIND = 65535;

/** Bits of `flags`. */
export const NAMED = 1;
export const MISSING = 2;
/** Flag of a node that may stand anywhere: a comment. */
export const EXTRA = 4;

/** Names of one grammar. Unknown names throw when an extractor is made, so that a grammar update cannot silently lose facts. */
export interface GrammarNames {
  /** All symbol ids with this name (`named` false: anonymous tokens such as `async`). Throws `RangeError` for a name the grammar lacks. */
  kind(name: string, named?: boolean): number;
  /** Like `kind` but 0 (never a node's kind) when the grammar lacks the name: for names only some grammars of a family have. */
  optionalKind(name: string, named?: boolean): number;
  /** Throws `RangeError` for a field the grammar lacks. */
  field(name: string): number;
  /** Like `field` but 255 (never a node's field) when the grammar lacks it. */
  optionalField(name: string): number;
  kindName(kind: number): string;
}
