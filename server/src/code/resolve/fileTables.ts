/** Look-up tables over the rows of one file's facts: what stands where, what is a part of what. Each is built whole, from the facts alone. */

import type { ColumnOf } from '../../base/branded';
import { operandOf } from '../../model/expressions';
import {
  type AssignmentRow,
  assignmentRow,
  BINDING_KINDS,
  type BindingRow,
  bindingRow,
  type ExpressionRow,
  expressionRow,
  type FileFacts,
  type FunctionRow,
  functionRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  type ScopeRow,
  type SymbolRow,
} from '../../model/facts';
import { MODIFIERS } from '../../model/nodes';
import { PairTable } from './tables/pairTable';

const NARROWED = BINDING_KINDS.indexOf('narrowed');
const PARAMETER = BINDING_KINDS.indexOf('parameter');

/** Rows that have a key, in order. */
export type RowsByKey<Key extends number, Row extends number> = ReadonlyMap<Key, readonly Row[]>;

/** Key of rows that are left out. */
export const LEFT_OUT = -2;

/** Rows, or what `valueOf` gives for them, by key. */
export function rowsBy<Key extends number, Row extends number, Held extends number = Row>(
  count: number,
  keyOf: (row: Row) => Key | typeof LEFT_OUT,
  valueOf: (row: Row) => Held = row => row as number as Held,
): RowsByKey<Key, Held> {
  const out = new Map<Key, Held[]>();
  for (let row = 0 as Row; row < count; row++) {
    const key = keyOf(row);
    if (key === LEFT_OUT) continue;
    const rows = out.get(key);
    if (rows === undefined) out.set(key, [valueOf(row)]);
    else rows.push(valueOf(row));
  }
  return out;
}

/** First row of each pair of keys, and for each row the next one of its pair. */
export function chainsOf<First extends number, Second extends number, Row extends number>(
  count: number,
  first: (row: Row) => First,
  second: (row: Row) => Second,
): { readonly heads: PairTable<First, Second, Row>; readonly next: ColumnOf<Row> } {
  const heads = new PairTable<First, Second, Row>(count);
  const next = new Int32Array(count).fill(NONE) as ColumnOf<Row>;
  for (let row = (count - 1) as Row; row >= 0; row--) {
    const left = first(row);
    const right = second(row);
    next[row] = heads.get(left, right);
    heads.set(left, right, row);
  }
  return { heads, next };
}

/** Rows by a pair of keys: numbers of lists. */
export interface PairedRows<First extends number, Second extends number, Row extends number> {
  readonly lists: readonly (readonly Row[])[];
  readonly numbers: PairTable<First, Second>;
}

export function listsOf<First extends number, Second extends number, Row extends number>(
  count: number,
  first: (row: Row) => First,
  second: (row: Row) => Second,
): PairedRows<First, Second, Row> {
  const numbers = new PairTable<First, Second>(count);
  const lists: Row[][] = [];
  for (let row = 0 as Row; row < count; row++) {
    const left = first(row);
    const right = second(row);
    const list = numbers.get(left, right);
    if (list >= 0) lists[list]?.push(row);
    else numbers.set(left, right, lists.push([row]) - 1);
  }
  return { lists, numbers };
}

/** Visits the operands of a row that are rows themselves. */
function operands(facts: FileFacts, row: ExpressionRow, visit: (operand: ExpressionRow) => void): void {
  const { expressions, lists } = facts;
  const operator = expressions.operator[row] ?? 0;
  if (ROW_OPERANDS.has(operator)) {
    visit(operandOf.inner(expressions, row));
    visit(operandOf.other(expressions, row));
  }
  const start = expressions.listStart[row] ?? 0;
  const count = expressions.listCount[row] ?? 0;
  if (operator === operatorCode.object) for (let i = 1; i < count; i += 2) visit(lists[start + i] ?? NONE);
  else if (ROW_LISTS.has(operator)) for (let i = 0; i < count; i++) visit(lists[start + i] ?? NONE);
}

const ROW_LISTS: ReadonlySet<number> = new Set(
  ['call', 'new', 'array', 'either', 'generic', 'intersection', 'arrayType'].map(name => operatorCode[name as 'call']),
);

const ROW_OPERANDS: ReadonlySet<number> = new Set(
  ['member', 'index', 'call', 'new', 'await', 'unwrap', 'iterate', 'spread', 'valueOfType', 'generic', 'enter', 'caught', 'operation', 'typeof'].map(
    name => operatorCode[name as 'call'],
  ),
);

/** By expression row: the row that it is an operand of, or `NONE`. */
export function parentsOf(facts: FileFacts): ColumnOf<ExpressionRow> {
  const parents = new Int32Array(facts.expressions.count).fill(NONE) as ColumnOf<ExpressionRow>;
  for (let parent = expressionRow(0); parent < facts.expressions.count; parent++) {
    operands(facts, parent, child => {
      if (child >= 0 && child < parents.length) parents[child] = parent;
    });
  }
  return parents;
}

/** By expression: the rows whose value it is. */
export interface ExpressionUsers {
  readonly binding: ReadonlyMap<ExpressionRow, BindingRow>;
  readonly symbol: ReadonlyMap<ExpressionRow, SymbolRow>;
  readonly assignment: ReadonlyMap<ExpressionRow, AssignmentRow>;
  /** Row of `functions`. */
  readonly returnedBy: ReadonlyMap<ExpressionRow, FunctionRow>;
}

export function usersOf({ assignments, bindings, functions, lists, symbols }: FileFacts): ExpressionUsers {
  const returnedBy = new Map<ExpressionRow, FunctionRow>();
  for (let row = functionRow(0); row < functions.count; row++) {
    const start = functions.returnStart[row] ?? 0;
    for (let i = 0; i < (functions.returnCount[row] ?? 0); i++) returnedBy.set(lists[start + i] ?? NONE, row);
  }
  return { binding: firstOf(bindings.value), symbol: firstOf(symbols.value), assignment: firstOf(assignments.value), returnedBy };
}

/** First row of each value. */
function firstOf<Row extends number>(values: ColumnOf<ExpressionRow>): ReadonlyMap<ExpressionRow, Row> {
  const out = new Map<ExpressionRow, Row>();
  for (let row = values.length - 1; row >= 0; row--) {
    const value = values[row] ?? NONE;
    if (value !== NONE) out.set(value, row as Row);
  }
  return out;
}

/** The function behind a property of an object literal that is one, or a getter or setter; `NONE` for others. */
function functionOfProperty({ expressions, functions, symbols }: FileFacts, item: ExpressionRow): FunctionRow | typeof NONE {
  if (expressions.operator[item] === operatorCode.function) return operandOf.function(expressions, item);
  const called = expressions.operator[item] === operatorCode.call ? operandOf.callee(expressions, item) : NONE;
  if (called === NONE || expressions.operator[called] !== operatorCode.function) return NONE;
  const row = operandOf.function(expressions, called);
  const symbol = functions.symbol[row] ?? NONE;
  return symbol !== NONE && ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.property) !== 0 ? row : NONE;
}

/** Symbol of the getter or setter that a property of an object literal is, else `NONE`. */
export function accessorOf(facts: FileFacts, item: ExpressionRow): SymbolRow | typeof NONE {
  const row = facts.expressions.operator[item] === operatorCode.call ? functionOfProperty(facts, item) : NONE;
  return row === NONE ? NONE : (facts.functions.symbol[row] ?? NONE);
}

/** Row of the object literal that holds a function as a property, by function. */
export function objectsOfFunctions(facts: FileFacts): ReadonlyMap<FunctionRow, ExpressionRow> {
  const { expressions, lists } = facts;
  const out = new Map<FunctionRow, ExpressionRow>();
  for (let row = expressionRow(0); row < expressions.count; row++) {
    if (expressions.operator[row] !== operatorCode.object) continue;
    const start = expressions.listStart[row] ?? 0;
    for (let i = 1; i < (expressions.listCount[row] ?? 0); i += 2) {
      const item = lists[start + i] ?? NONE;
      const held = item === NONE ? NONE : functionOfProperty(facts, item as ExpressionRow);
      if (held !== NONE) out.set(held, row);
    }
  }
  return out;
}

/** Row of the `function` expression of each function, `NONE` for declarations. */
export function expressionsOfFunctions({ expressions, functions }: FileFacts): ColumnOf<ExpressionRow> {
  const out = new Int32Array(functions.count).fill(NONE) as ColumnOf<ExpressionRow>;
  for (let row = expressionRow(0); row < expressions.count; row++)
    if (expressions.operator[row] === operatorCode.function) out[operandOf.function(expressions, row)] = row;
  return out;
}

/** Symbols of functions whose body assigns to `this`, or whose prototype is assigned to. */
export function constructorFunctions({ assignments, expressions, symbols }: FileFacts): ReadonlySet<SymbolRow> {
  const out = new Set<SymbolRow>();
  for (let row = assignmentRow(0); row < assignments.count; row++) {
    const defined = assignments.symbol[row] ?? NONE;
    const target = assignments.target[row] ?? NONE;
    if (target >= 0 && expressions.operator[target] === operatorCode.this) out.add(assignments.owner[row] ?? NONE);
    if (defined !== NONE) out.add(symbols.parent[defined] ?? NONE);
  }
  return out;
}

/** First expression that spells each prototype which methods are assigned to (`Request.prototype.url = function …`), by the path and the scope that binds its root. */
export function prototypesGiven({ assignments, expressions, strings }: FileFacts, pathKey: (row: ExpressionRow) => string): ReadonlyMap<string, ExpressionRow> {
  const out = new Map<string, ExpressionRow>();
  for (let row = assignmentRow(0); row < assignments.count; row++) {
    const target = assignments.target[row] ?? NONE;
    if (target < 0 || (assignments.symbol[row] ?? NONE) === NONE || expressions.operator[target] !== operatorCode.member) continue;
    if (strings[expressions.text[target] ?? NO_TEXT] !== PROTOTYPE) continue;
    const key = pathKey(target);
    if (key !== '' && !out.has(key)) out.set(key, target);
  }
  return out;
}

export const PROTOTYPE = 'prototype';

/** Last names of the member paths that guards narrow. */
export function narrowedLastNames({ bindings, strings }: FileFacts): ReadonlySet<string> {
  const out = new Set<string>();
  for (let binding = bindingRow(0); binding < bindings.count; binding++) {
    const name = bindings.kind[binding] === NARROWED ? (strings[bindings.name[binding] ?? NO_TEXT] ?? '') : '';
    if (name.includes('.')) out.add(name.slice(name.lastIndexOf('.') + 1));
  }
  return out;
}

/** Expression rows inside the default values of parameters. */
export function rowsInDefaults(facts: FileFacts): ReadonlySet<ExpressionRow> {
  const { bindings, expressions } = facts;
  const inside = new Set<ExpressionRow>();
  const pending: ExpressionRow[] = [];
  for (let binding = bindingRow(0); binding < bindings.count; binding++) {
    const value = bindings.value[binding] ?? NONE;
    if (bindings.kind[binding] === PARAMETER && value !== NONE) pending.push(value);
  }
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at < 0 || at >= expressions.count || inside.has(at)) continue;
    inside.add(at);
    operands(facts, at, operand => pending.push(operand));
  }
  return inside;
}

/** Scope that first binds each symbol. */
export function declaringScopes({ bindings }: FileFacts): ReadonlyMap<SymbolRow, ScopeRow> {
  const out = new Map<SymbolRow, ScopeRow>();
  for (let row = bindingRow(0); row < bindings.count; row++) {
    const declared = bindings.symbol[row] ?? NONE;
    if (declared !== NONE && !out.has(declared)) out.set(declared, bindings.scope[row] ?? MODULE_SCOPE);
  }
  return out;
}
