import { operandOf } from '../../../model/expressions';
import { type AnyRow, type ExpressionRow, type FileFacts, type FunctionRow, NO_TEXT, NONE, operatorCode, type SymbolRow } from '../../../model/facts';
import { symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import type { BuiltinType } from '../languages/builtinTable';
import { VALUE, type Value, type ValueSet } from '../values';
import type { Arguments, Evaluator } from './evaluator';

export function forList(facts: FileFacts, row: ExpressionRow, visit: (item: AnyRow, index: number) => void): void {
  const start = facts.expressions.listStart[row] ?? 0;
  const count = facts.expressions.listCount[row] ?? 0;
  for (let i = 0; i < count; i++) visit(facts.lists[start + i] ?? NONE, i);
}

export function argumentsOf(file: FileState, row: ExpressionRow): Arguments {
  const { expressions, lists } = file.facts;
  const start = expressions.listStart[row] ?? 0;
  const count = expressions.listCount[row] ?? 0;
  return { file, row, rows: Array.from<AnyRow>(lists.subarray(start, start + count)) };
}

/** Nesting of choices and lists that is looked into for what follows from its place. */
const SHAPE_DEPTH = 4;

/** True for rows whose value follows from where they stand (`new()`, `out var x`), and those with such parts: what the place is must not be asked of them. */
export function isContextuallyTyped(file: FileState, row: ExpressionRow, depth = 0): boolean {
  const { expressions, lists } = file.facts;
  const operator = expressions.operator[row];
  if (operator === operatorCode.either || operator === operatorCode.array) {
    const start = expressions.listStart[row] ?? 0;
    if (depth >= SHAPE_DEPTH) return true;
    for (let i = 0; i < (expressions.listCount[row] ?? 0); i++) if (isContextuallyTyped(file, lists[start + i] ?? NONE, depth + 1)) return true;
    return false;
  }
  const at = operator === operatorCode.new ? operandOf.callee(expressions, row) : row;
  return at >= 0 && expressions.operator[at] === operatorCode.expected && operandOf.remade(expressions, at) === NONE;
}

export function functionRowOf(file: FileState, symbol: SymbolRow): FunctionRow {
  return file.facts.symbols.function[symbol] ?? NONE;
}

/** Declarations of the same name beside a symbol: interfaces and namespaces that merge. */
export function declarationsOf(file: FileState, row: SymbolRow): readonly SymbolRow[] {
  const { symbols } = file.facts;
  return file.membersNamed(symbols.parent[row] ?? NONE, file.name(symbols.name[row] ?? NO_TEXT));
}

const MERGING: ReadonlySet<number> = new Set([symbolKindCode.class, symbolKindCode.interface, symbolKindCode.enum]);

/** Classes, interfaces and enums of one name and place are one. */
export function isMerging(file: FileState, row: SymbolRow): boolean {
  return file.rules.merging === 'types' && MERGING.has(file.facts.symbols.kind[row] ?? 0);
}

/** First of the merged declarations of a class or interface: the one that stands for all. */
export function mergedInto(file: FileState, row: SymbolRow): SymbolRow {
  const { symbols } = file.facts;
  if (!isMerging(file, row)) return row;
  const siblings = declarationsOf(file, row);
  return siblings.length < 2 ? row : (siblings.find(sibling => MERGING.has(symbols.kind[sibling] ?? 0)) ?? row);
}

/** Built-in type of a literal. */
export function literalType(file: FileState, kind: string): string {
  return `${file.family}.${file.rules.literals[kind] ?? kind}`;
}

/** The built-in type that a value is an instance of, or is. */
export function builtinTypeOf(ev: Evaluator, value: Value): BuiltinType | undefined {
  return ev.project.builtinType(ev.values.name(value));
}

/** True for types whose arguments are the elements by position. */
export function isPositional(ev: Evaluator, value: Value): boolean {
  return builtinTypeOf(ev, value)?.isPositional ?? ev.project.names.text(ev.values.name(value)).endsWith('.Tuple');
}

/** Where a field and a method share a name, what stands before a dot is the field. */
export function receiversOf(ev: Evaluator, file: FileState, set: ValueSet): ValueSet {
  const { values } = ev;
  if (file.rules.openObjects === true) return set;
  const members = values.members(set);
  if (members.length < 2) return set;
  const others = members.filter(value => values.kindOf(value) !== VALUE.function);
  return others.length === 0 || others.length === members.length ? set : values.setOf(others);
}

/** … and what is called is the method. */
export function calleesOf(ev: Evaluator, file: FileState, set: ValueSet): ValueSet {
  const { values } = ev;
  if (file.rules.openObjects === true) return set;
  const members = values.members(set);
  if (members.length < 2) return set;
  const isFunction = (value: Value): boolean => values.kindOf(value) === VALUE.function;
  // Where types are not declared, what is only likely stays so.
  const isKept = (value: Value): boolean => isFunction(value) || (file.rules.dynamic === true && values.kindOf(value) === VALUE.weak);
  return members.some(isFunction) ? values.setOf(members.filter(isKept)) : set;
}
