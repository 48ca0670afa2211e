/** What holds for the facts of any text, however broken. */
import type { FileFacts } from '../../server/src/model/facts';

/** Names of the rules that are broken: every index points into its table, containers come first, positions are ordered. */
export function brokenRules(facts: FileFacts): string[] {
  const { symbols, functions, scopes, bindings, expressions, references, imports, assignments, lists } = facts;
  const within = (column: ArrayLike<number>, limit: number, least = -1): boolean => {
    for (let i = 0; i < column.length; i++) if ((column[i] as number) < least || (column[i] as number) >= limit) return false;
    return true;
  };
  const strings = facts.strings.length;
  const rules = {
    names: within(symbols.name, strings, 0) && within(bindings.name, strings, 0) && within(references.name, strings, 0) && within(expressions.text, strings, 0),
    symbols:
      within(symbols.parent, symbols.count) &&
      within(functions.symbol, symbols.count) &&
      within(references.owner, symbols.count) &&
      within(scopes.symbol, symbols.count),
    parentsFirst: symbols.parent.every((parent, row) => parent < row),
    scopes:
      within(symbols.scope, scopes.count) &&
      within(bindings.scope, scopes.count, 0) &&
      within(functions.scope, scopes.count, 0) &&
      scopes.parent.every((parent, row) => parent < row),
    expressions:
      within(references.expression, expressions.count, 0) && within(bindings.value, expressions.count) && within(assignments.target, expressions.count),
    imports: within(bindings.import, imports.count) && within(imports.binding, bindings.count),
    lists: expressions.listStart.every((start, row) => start + (expressions.listCount[row] ?? 0) <= lists.length),
    positions: symbols.startLine.every((line, row) => line <= (symbols.endLine[row] ?? 0) && line <= (symbols.nameLine[row] ?? 0)),
    lines: within(references.line, facts.syntax.lines, 0),
    health: facts.syntax.errorNodes <= facts.syntax.nodes,
  };
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([name]) => name);
}
