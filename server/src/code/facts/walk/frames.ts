/** What the frames of all families have: where a piece of code stands. Frames are replaced, never changed. */
import {
  type ExpressionRow,
  type FunctionRow,
  NONE,
  type Operator,
  type ReferenceKind,
  type ScopeRow,
  type SomeRow,
  type StringIndex,
  type SymbolRow,
} from '../../../model/facts';
import type { FactsBuilder } from '../factsBuilder';

/** What the statements of one function body share. Languages add to it. */
export interface FunctionBody {
  /** Row of `functions`. */
  readonly row: FunctionRow;
  /** Rows of what it gives back. */
  readonly returns: ExpressionRow[];
  /** Decision points; shared with the anonymous functions inside. */
  readonly decisions: { count: number };
}

/** The same where values can also be handed out one by one. */
export interface GeneratorBody extends FunctionBody {
  readonly yields: ExpressionRow[];
}

/** The type whose body a piece of code stands in. */
export interface TypeBody<Kind> {
  readonly symbol: SymbolRow;
  readonly scope: ScopeRow;
  readonly kind: Kind;
}

interface Counted {
  readonly body: Pick<FunctionBody, 'decisions'> | undefined;
}

/** A file that rows are written to. */
interface WrittenFile {
  readonly builder: FactsBuilder;
  row(operator: Operator, a?: SomeRow): ExpressionRow;
}

/** Counts a decision point (McCabe) in the function around; outside of functions none is counted. */
export function countDecision({ body }: Counted): void {
  if (body !== undefined) body.decisions.count++;
}

/** The same place with a block scope of its own. */
export function inBlock<Frame extends { readonly scope: ScopeRow }>({ builder }: Pick<WrittenFile, 'builder'>, frame: Frame): Frame {
  return { ...frame, scope: builder.addScope('block', frame.scope) };
}

/** Where names of a type are looked up, who uses them, and as what. */
export interface TypePlace {
  readonly scope: ScopeRow;
  readonly owner: SymbolRow;
  readonly use: ReferenceKind;
}

export function typePlace({ scope, owner }: Pick<TypePlace, 'scope' | 'owner'>, use: ReferenceKind = 'type'): TypePlace {
  return { scope, owner, use };
}

/** A function whose parameters are bound and whose body is still to be run. */
export interface OpenFunction {
  readonly scope: ScopeRow;
  readonly row: FunctionRow;
}

/** Adds the scope and the row of a function and joins them with its symbol; `NONE` for one without. */
export function openFunction({ builder }: Pick<WrittenFile, 'builder'>, parent: ScopeRow, symbol: SymbolRow, modifiers = 0): OpenFunction {
  const scope = builder.addScope('function', parent, symbol);
  const row = builder.addFunction({ symbol, scope, modifiers });
  builder.set('scopes', 'function', scope, row);
  if (symbol !== NONE) {
    builder.set('symbols', 'scope', symbol, scope);
    builder.set('symbols', 'function', symbol, row);
  }
  return { scope, row };
}

/** Type that a guard proves of a name or a path of names, as rows. */
interface Narrowed {
  /** Interned; the whole path joined by dots. */
  readonly name: StringIndex;
  readonly type: ExpressionRow;
}

/** The place in which guards hold: a block scope with the narrowed names when there are any. `rowsOf` gives the rows of one guard. */
export function narrowed<Guard, Frame extends { readonly scope: ScopeRow }>(
  file: WrittenFile,
  guards: readonly Guard[],
  frame: Frame,
  rowsOf: (guard: Guard) => Narrowed,
): Frame {
  if (guards.length === 0) return frame;
  const inside = inBlock(file, frame);
  for (const guard of guards) bindNarrowed(file, inside.scope, rowsOf(guard));
  return inside;
}

/** Binds what a guard proves, in a scope that was made for it. */
export function bindNarrowed(file: WrittenFile, scope: ScopeRow, { name, type }: Narrowed): void {
  file.builder.addBinding({ scope, name, kind: 'narrowed', type, value: type === NONE ? NONE : file.row('valueOfType', type) });
}
