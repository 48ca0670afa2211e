import { type FileFacts, NONE } from '../../server/src/model/facts';

/** Columns of facts in which some row points at one that is not there. */
export function danglingRows(facts: FileFacts): string[] {
  const { symbols, functions, scopes, bindings, expressions, assignments, references, heritage, imports } = facts;
  const columns: readonly (readonly [string, Int32Array, number])[] = [
    ['symbols.parent', symbols.parent, symbols.count],
    ['symbols.receiver', symbols.receiver, expressions.count],
    ['symbols.scope', symbols.scope, scopes.count],
    ['symbols.function', symbols.function, functions.count],
    ['symbols.type', symbols.type, expressions.count],
    ['symbols.value', symbols.value, expressions.count],
    ['symbols.signature', symbols.signature, facts.strings.length],
    ['functions.symbol', functions.symbol, symbols.count],
    ['functions.scope', functions.scope, scopes.count],
    ['functions.returnType', functions.returnType, expressions.count],
    ['scopes.parent', scopes.parent, scopes.count],
    ['scopes.function', scopes.function, functions.count],
    ['bindings.scope', bindings.scope, scopes.count],
    ['bindings.symbol', bindings.symbol, symbols.count],
    ['bindings.import', bindings.import, imports.count],
    ['bindings.type', bindings.type, expressions.count],
    ['bindings.value', bindings.value, expressions.count],
    ['assignments.target', assignments.target, expressions.count],
    ['assignments.symbol', assignments.symbol, symbols.count],
    ['references.expression', references.expression, expressions.count],
    ['references.owner', references.owner, symbols.count],
    ['heritage.symbol', heritage.symbol, symbols.count],
    ['heritage.expression', heritage.expression, expressions.count],
    ['imports.binding', imports.binding, bindings.count],
  ];
  return columns.filter(([, column, count]) => column.some(row => row < NONE || row >= count)).map(([name]) => name);
}
