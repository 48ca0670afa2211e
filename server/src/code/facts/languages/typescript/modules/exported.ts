/** Which symbols other files can import, where their declarations do not say so: `export { a }`, `export default a`, `exports.a = …`, `module.exports = { … }`. */
import { operandOf } from '../../../../../model/expressions';
import {
  EXPORT_KINDS,
  type ExpressionRow,
  exportRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  type StringIndex,
  type SymbolRow,
} from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import type { Walk } from '../walk';

const LOCAL = EXPORT_KINDS.indexOf('local');
const VALUES: ReadonlySet<number> = new Set((['value', 'whole'] as const).map(kind => EXPORT_KINDS.indexOf(kind)));

/** Marks them, once the whole file is read. */
export function markExported(walk: Walk): void {
  const { exports } = walk.builder;
  if (exports.count === 0) return;
  const named = new Set<StringIndex>();
  for (let row = exportRow(0); row < exports.count; row++) {
    const kind = exports.kind[row] ?? 0;
    if (kind === LOCAL) named.add(exports.localName[row] ?? NO_TEXT);
    else if (VALUES.has(kind)) markValue(walk, exports.value[row] ?? NONE, named);
  }
  const { bindings } = walk.builder;
  for (let row = 0; row < bindings.count; row++) {
    if (bindings.scope[row] === MODULE_SCOPE && named.has(bindings.name[row] ?? NO_TEXT)) mark(walk, bindings.symbol[row] ?? NONE);
  }
}

/** A function or class itself, the members of an object literal, or a name, which is added to `named`. */
function markValue(walk: Walk, row: ExpressionRow, named: Set<StringIndex>): void {
  const { expressions, functions, lists } = walk.builder;
  switch (expressions.operator[row]) {
    case operatorCode.name:
      if (operandOf.scope(expressions, row) === MODULE_SCOPE) named.add(expressions.text[row] ?? NO_TEXT);
      return;
    case operatorCode.function:
      mark(walk, functions.symbol[operandOf.function(expressions, row)] ?? NONE);
      return;
    case operatorCode.class:
      mark(walk, operandOf.class(expressions, row));
      return;
    // An accessor is called when it is read.
    case operatorCode.call:
      if (expressions.listCount[row] === 0 && expressions.operator[operandOf.callee(expressions, row)] === operatorCode.function)
        markValue(walk, operandOf.callee(expressions, row), named);
      return;
    case operatorCode.object: {
      const start = expressions.listStart[row] ?? 0;
      const end = start + (expressions.listCount[row] ?? 0);
      for (let at = start; at + 1 < end; at += 2) markValue(walk, lists[at + 1] ?? NONE, named);
      return;
    }
    default:
  }
}

function mark(walk: Walk, symbol: SymbolRow): void {
  if (symbol === NONE) return;
  const { builder } = walk;
  builder.set('symbols', 'modifiers', symbol, (builder.symbols.modifiers[symbol] ?? 0) | MODIFIERS.exported);
}
