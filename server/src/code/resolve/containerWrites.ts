/** Containers by the name or field that holds them, and what the file puts into them: arguments of adding calls, values assigned under a key. */
import { operandOf } from '../../model/expressions';
import {
  assignmentRow,
  type BindingRow,
  type ExpressionRow,
  expressionRow,
  type FileFacts,
  NO_TEXT,
  NONE,
  OPERATORS,
  operatorCode,
  type ScopeRow,
  type StringIndex,
  type SymbolRow,
} from '../../model/facts';
import type { ExpressionUsers } from './fileTables';
import type { NameNumber } from './numbers';

/** What is asked of the file. */
interface HoldingFile {
  readonly facts: FileFacts;
  name(text: StringIndex): NameNumber;
  text(index: StringIndex): string;
  users(): ExpressionUsers;
  parentOf(row: ExpressionRow): ExpressionRow;
  isContainer(symbol: SymbolRow): boolean;
  firstBinding(scope: ScopeRow, name: NameNumber): BindingRow;
}

/** A value that goes into a container; `iterated` when its elements do. */
export interface ContainerWrite {
  readonly value: ExpressionRow;
  readonly iterated: boolean;
}

const NO_USES: readonly ContainerWrite[] = [];

/** Methods that put their arguments into a container: which argument is the element, and whether it is iterated first. */
const ADDING: ReadonlyMap<string, { readonly at: number; readonly iterated: boolean }> = new Map([
  ['push', { at: 0, iterated: false }],
  ['unshift', { at: 0, iterated: false }],
  ['append', { at: 0, iterated: false }],
  ['<<', { at: 0, iterated: false }],
  ['appendleft', { at: 0, iterated: false }],
  ['add', { at: 0, iterated: false }],
  ['insert', { at: 1, iterated: false }],
  ['set', { at: 1, iterated: false }],
  ['setdefault', { at: 1, iterated: false }],
  ['extend', { at: 0, iterated: true }],
]);

export class ContainerWrites {
  readonly #uses: ReadonlyMap<string, readonly ContainerWrite[]>;

  constructor(private readonly file: HoldingFile) {
    this.#uses = this.#collect();
  }

  /** By holder. */
  get all(): ReadonlyMap<string, readonly ContainerWrite[]> {
    return this.#uses;
  }

  uses(holder: string): readonly ContainerWrite[] {
    return this.#uses.get(holder) ?? NO_USES;
  }

  /** Key of the name or field that holds what an expression makes, alone or as one of several (`given || []`); undefined when nothing named does. */
  of(made: ExpressionRow): string | undefined {
    const { file } = this;
    const { assignments, bindings, expressions } = file.facts;
    const users = file.users();
    let expression = made;
    for (let parent = file.parentOf(made); parent !== NONE && expressions.operator[parent] === operatorCode.either; parent = file.parentOf(parent))
      expression = parent;
    const symbol = users.symbol.get(expression);
    if (symbol !== undefined) return this.#ofSymbol(symbol);
    const binding = users.binding.get(expression);
    if (binding !== undefined) {
      const bound = bindings.symbol[binding] ?? NONE;
      return bound !== NONE ? this.#ofSymbol(bound) : `b${bindings.scope[binding]}:${file.name(bindings.name[binding] ?? NO_TEXT)}`;
    }
    const assignment = users.assignment.get(expression);
    return assignment === undefined ? undefined : `f${file.name(assignments.name[assignment] ?? NO_TEXT)}`;
  }

  #ofSymbol(symbol: SymbolRow): string {
    const { file } = this;
    const { symbols } = file.facts;
    const parent = symbols.parent[symbol] ?? NONE;
    return parent !== NONE && file.isContainer(parent) ? `f${file.name(symbols.name[symbol] ?? NO_TEXT)}` : `s${symbol}`;
  }

  /** Holder that an expression names, seen from its own scope. */
  #named(expression: ExpressionRow): string | undefined {
    const { file } = this;
    const { expressions, bindings, scopes } = file.facts;
    const operator = OPERATORS[expressions.operator[expression] ?? 0];
    const name = file.name(expressions.text[expression] ?? NO_TEXT);
    if (operator === 'member') return `f${name}`;
    if (operator !== 'name') return undefined;
    for (let scope: ScopeRow = operandOf.scope(expressions, expression); scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
      const row = file.firstBinding(scope, name);
      if (row === NONE) continue;
      const symbol = bindings.symbol[row] ?? NONE;
      return symbol !== NONE ? this.#ofSymbol(symbol) : `b${scope}:${name}`;
    }
    return undefined;
  }

  #collect(): ReadonlyMap<string, readonly ContainerWrite[]> {
    const { file } = this;
    const uses = new Map<string, ContainerWrite[]>();
    const note = (container: ExpressionRow, use: ContainerWrite): void => {
      const holder = this.#named(container);
      if (holder === undefined) return;
      const list = uses.get(holder);
      if (list === undefined) uses.set(holder, [use]);
      else list.push(use);
    };
    const { expressions, lists, assignments } = file.facts;
    for (let row = expressionRow(0); row < expressions.count; row++) {
      if (expressions.operator[row] !== operatorCode.call) continue;
      const callee = operandOf.callee(expressions, row);
      if (callee < 0 || expressions.operator[callee] !== operatorCode.member) continue;
      const adding = ADDING.get(file.text(expressions.text[callee] ?? NO_TEXT));
      const value = adding === undefined ? undefined : lists[(expressions.listStart[row] ?? 0) + adding.at];
      if (adding === undefined || value === undefined || adding.at >= (expressions.listCount[row] ?? 0)) continue;
      note(operandOf.receiver(expressions, callee), { value, iterated: adding.iterated });
    }
    for (let row = assignmentRow(0); row < assignments.count; row++) {
      const target = assignments.target[row] ?? NONE;
      if (target >= 0 && (assignments.name[row] ?? NO_TEXT) === NO_TEXT) note(target, { value: assignments.value[row] ?? NONE, iterated: false });
    }
    return uses;
  }
}
