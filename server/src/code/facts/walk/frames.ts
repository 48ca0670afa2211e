/** What the frames of all families have: where a piece of code stands. Frames are replaced, never changed. */
import { type ExpressionRow, type FunctionRow, NONE, type Operator, type ScopeRow, type SomeRow, type StringIndex, type SymbolRow } from '../../../model/facts';
import type { FactsBuilder } from '../factsBuilder';

/** Decision points of a function, shared with the anonymous functions inside. */
interface Counted {
  readonly body: { readonly decisions: { count: number } } | undefined;
}

/** A file that rows are written to. */
interface WrittenFile {
  readonly builder: FactsBuilder;
  row(operator: Operator, a?: SomeRow): ExpressionRow;
}

export function countDecision({ body }: Counted): void {
  if (body !== undefined) body.decisions.count++;
}

/** The same place with a block scope of its own. */
export function inBlock<Frame extends { readonly scope: ScopeRow }>({ builder }: Pick<WrittenFile, 'builder'>, frame: Frame): Frame {
  return { ...frame, scope: builder.addScope('block', frame.scope) };
}

/** A function whose parameters are bound and whose body is still to be run. */
export interface OpenFunction {
  readonly scope: ScopeRow;
  readonly row: FunctionRow;
}

/** Adds the scope and the row of a function and joins them with its symbol; `NONE` for one without. */
export function openFunction({ builder }: Pick<WrittenFile, 'builder'>, parent: ScopeRow, symbol: SymbolRow): OpenFunction {
  const scope = builder.addScope('function', parent, symbol);
  const row = builder.addFunction({ symbol, scope });
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
  for (const guard of guards) {
    const { name, type } = rowsOf(guard);
    file.builder.addBinding({ scope: inside.scope, name, kind: 'narrowed', type, value: type === NONE ? NONE : file.row('valueOfType', type) });
  }
  return inside;
}
