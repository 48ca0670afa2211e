import {
  type AnyRow,
  type BindingRow,
  type ExpressionRow,
  type FunctionRow,
  type ImportRow,
  NO_TEXT,
  NONE,
  type ScopeRow,
  type StringIndex,
  type SymbolRow,
} from './facts';

/** The columns of operands, of finished facts and of those that are being built. */
interface Operands {
  readonly a: ArrayLike<AnyRow>;
  readonly b: ArrayLike<AnyRow>;
}

/**
 * Reads an operand of an expression by what it is to the operator; each says of which operators it may be asked. Rows that are not there have `NONE`.
 * Which column an operand stands in is known here, by the builder of facts and their codec.
 */
export const operandOf = {
  /** `name`, `this`, `super`: the scope that it is seen from. */
  scope: (table: Operands, row: ExpressionRow): ScopeRow => table.a[row] ?? NONE,
  /** `name`: the binding that it certainly means, where its place alone does not say it. */
  exact: (table: Operands, row: ExpressionRow): BindingRow => table.b[row] ?? NONE,
  /** `member`, `index`: what the member or item is taken of. */
  receiver: (table: Operands, row: ExpressionRow): ExpressionRow => table.a[row] ?? NONE,
  /** `index`, `computedType`: what stands in the brackets. */
  key: (table: Operands, row: ExpressionRow): ExpressionRow => table.b[row] ?? NONE,
  /** `call`, `new`: what is called or made. */
  callee: (table: Operands, row: ExpressionRow): ExpressionRow => table.a[row] ?? NONE,
  /** `call`, `new`: the callee with its explicit type arguments (`generic`). */
  applied: (table: Operands, row: ExpressionRow): ExpressionRow => table.b[row] ?? NONE,
  /** `call`: the block that it is given beside its arguments (Ruby). */
  block: (table: Operands, row: ExpressionRow): ExpressionRow => table.b[row] ?? NONE,
  /** Operators of one operand, and the left one of `operation` and `computedType`: what they are applied to. Of `generic` its type, of `arrayType` its element. */
  inner: (table: Operands, row: ExpressionRow): ExpressionRow => table.a[row] ?? NONE,
  /** `operation`, `computedType`: the right one, or what else there is beside `inner`. */
  other: (table: Operands, row: ExpressionRow): ExpressionRow => table.b[row] ?? NONE,
  /** `function`: its row of `functions`. */
  function: (table: Operands, row: ExpressionRow): FunctionRow => table.a[row] ?? NONE,
  /** `class`: its symbol. */
  class: (table: Operands, row: ExpressionRow): SymbolRow => table.a[row] ?? NONE,
  /** `module`: the row of `imports` that loads it. */
  import: (table: Operands, row: ExpressionRow): ImportRow => table.a[row] ?? NONE,
  /** `functionType`: the type that is returned. */
  result: (table: Operands, row: ExpressionRow): ExpressionRow => table.a[row] ?? NONE,
  /** `functionType`: the row of `functions`, when it is a declared method of an object type. */
  declared: (table: Operands, row: ExpressionRow): FunctionRow => table.b[row] ?? NONE,
  /** `literal`: the text itself, where it is kept. */
  literal: (table: Operands, row: ExpressionRow): StringIndex => table.b[row] ?? NO_TEXT,
  /** `expected`: the row whose place asks for it. */
  place: (table: Operands, row: ExpressionRow): ExpressionRow => table.a[row] ?? NONE,
  /** `expected`: the row whose value is made anew. */
  remade: (table: Operands, row: ExpressionRow): ExpressionRow => table.b[row] ?? NONE,
} as const;

/**
 * Members whose name is only known in part: `getattr(self, f"visit_{kind}")`, `this["on" + event]`, `send("visit_#{kind}")`.
 * Their text is what is known with `*` behind it, which is no name in any language.
 */
const PREFIX = /^_*[A-Za-z]\w+$/;

/** Name for members that begin with a text; undefined where that could be the beginning of nearly anything. */
export function nameBeginningWith(text: string): string | undefined {
  return PREFIX.test(text) ? `${text}*` : undefined;
}

/** What a name says that names begin with; undefined for a name of one member. */
export function prefixIn(name: string): string | undefined {
  return name.endsWith('*') && PREFIX.test(name.slice(0, -1)) ? name.slice(0, -1) : undefined;
}

/** The word that a name begins with: `visit` of `visit_For` and of `visitFor`. Names that begin with one text, which ends with a word, have one. */
export function firstWordOf(name: string): string {
  return /^_*[A-Za-z][a-z0-9]*/.exec(name)?.[0] ?? '';
}
