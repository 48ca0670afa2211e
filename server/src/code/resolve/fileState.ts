import type { Interner } from '../../base/interner';
import { BINDING_KINDS, type FileFacts, NONE, OPERATORS, operatorCode, SCOPE_KINDS } from '../../model/facts';
import { SYMBOL_KINDS } from '../../model/nodes';
import type { LanguageTraits } from './languages/languageTraits';
import { PairTable } from './pairTable';

/** Family of languages, as `model/languages` names them. */
export type Family = string;

const CLASS_SCOPE = SCOPE_KINDS.indexOf('class');
const MODULE_SCOPE = SCOPE_KINDS.indexOf('module');
const NAMESPACE_SCOPE = SCOPE_KINDS.indexOf('namespace');
const NARROWED = BINDING_KINDS.indexOf('narrowed');
const PARAMETER = BINDING_KINDS.indexOf('parameter');
const TYPE_PARAMETER = BINDING_KINDS.indexOf('typeParameter');
/** Kinds of symbols whose members are looked up on instances or on the symbol itself. */
const CONTAINERS: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'struct', 'trait', 'namespace', 'module', 'type']);
const CONTAINER_CODES: readonly boolean[] = SYMBOL_KINDS.map(kind => CONTAINERS.has(kind));

/**
 * One file as the resolver sees it: its facts, the project's numbers for its names, and look-up tables built when first asked for.
 * Tables hold rows of these facts only, so they live as long as the facts do; memos are dropped after each update.
 */
export class FileState {
  /** Path of the file, told apart by kind. */
  readonly family: Family;
  /** Files are joined by imports of files, not by packages. */
  readonly isModular: boolean;
  readonly symbolNodes: Int32Array;
  readonly #names: Int32Array;
  readonly #packages = new Map<number, number>();
  #bindingHeads: PairTable | undefined;
  #bindingNext: Int32Array | undefined;
  #members: PairTable | undefined;
  #memberLists: number[][] = [];
  #unitKeys: Int32Array | undefined;
  #exported: Map<number, number[]> | undefined;
  #scopeUnits: Int32Array | undefined;
  #heritage: Map<number, number[]> | undefined;
  #assignmentsBySymbol: Map<number, number[]> | undefined;
  #assignmentsByName: Map<number, number[]> | undefined;
  #typeParameters: Map<number, number[]> | undefined;
  #decorators: Map<number, number[]> | undefined;
  #parents: Int32Array | undefined;
  #users: ExpressionUsers | undefined;
  #objectOfFunction: Map<number, number> | undefined;
  #constructors: Set<number> | undefined;
  #narrowedLast: Set<string> | undefined;
  #children: Map<number, number[]> | undefined;
  #declaringScopes: Map<number, number> | undefined;
  #defaults: ReadonlySet<number> | undefined;
  #functionExpressions: Int32Array | undefined;
  #holderUses: Map<string, HolderUse[]> | undefined;

  constructor(
    readonly id: number,
    readonly path: string,
    readonly facts: FileFacts,
    readonly isTest: boolean,
    readonly fileNode: number,
    symbolNodes: Int32Array,
    private readonly nameTable: Interner,
    /** What is particular to the language. */
    readonly rules: LanguageTraits,
  ) {
    this.symbolNodes = symbolNodes;
    this.#names = new Int32Array(facts.strings.length).fill(-1);
    this.family = rules.family;
    this.isModular = rules.modules !== undefined;
  }

  /** Project-wide number of a string of these facts. */
  name(text: number): number {
    const known = this.#names[text];
    if (known !== undefined && known >= 0) return known;
    const name = this.nameTable.intern(this.facts.strings[text] ?? '');
    if (text < this.#names.length) this.#names[text] = name;
    return name;
  }

  /** Package of a scope, kept once computed. */
  packageIn(scope: number, compute: () => number): number {
    const known = this.#packages.get(scope);
    if (known !== undefined) return known;
    const found = compute();
    this.#packages.set(scope, found);
    return found;
  }

  /** Manifests changed: packages may be others. */
  forgetPackages(): void {
    this.#packages.clear();
  }

  /** Last name of a type or callee row (`c` of `a.b.c<T>`), or -1. */
  lastName(row: number): number {
    const { expressions } = this.facts;
    for (let at = row, steps = 0; at >= 0 && steps < 20; at = expressions.a[at] ?? NONE, steps++) {
      const operator = expressions.operator[at];
      if (operator === operatorCode.name || operator === operatorCode.member) return this.name(expressions.text[at] ?? 0);
      if (operator === operatorCode.class) return this.name(this.facts.symbols.name[expressions.a[at] ?? 0] ?? 0);
      if (operator !== operatorCode.generic && operator !== operatorCode.valueOfType && operator !== operatorCode.call) return -1;
    }
    return -1;
  }

  /** Project-wide number of any text. */
  projectName(text: string): number {
    return this.nameTable.intern(text);
  }

  text(index: number): string {
    return this.facts.strings[index] ?? '';
  }

  /** Builds the tables that every look-up needs and numbers the names that expressions use. */
  prepareTables(): void {
    this.#bindingHeads ??= this.#indexBindings();
    this.#members ??= this.#indexMembers();
    const { expressions } = this.facts;
    for (let row = 0; row < expressions.count; row++) {
      const operator = expressions.operator[row];
      if (operator === operatorCode.name || operator === operatorCode.member) this.name(expressions.text[row] ?? 0);
    }
  }

  /** Frees what can be rebuilt from the facts. */
  dropTables(): void {
    this.#bindingHeads = undefined;
    this.#bindingNext = undefined;
    this.#members = undefined;
    this.#memberLists = [];
    this.#unitKeys = undefined;
    this.#exported = undefined;
    this.#scopeUnits = undefined;
    this.#heritage = undefined;
    this.#assignmentsBySymbol = undefined;
    this.#assignmentsByName = undefined;
    this.#typeParameters = undefined;
    this.#decorators = undefined;
    this.#parents = undefined;
    this.#users = undefined;
    this.#objectOfFunction = undefined;
    this.#constructors = undefined;
    this.#children = undefined;
    this.#declaringScopes = undefined;
    this.#defaults = undefined;
    this.#functionExpressions = undefined;
    this.#holderUses = undefined;
  }

  /** First binding row of a name in a scope, or `NONE`; follow with `nextBinding`. */
  firstBinding(scope: number, name: number): number {
    this.#bindingHeads ??= this.#indexBindings();
    return this.#bindingHeads.get(scope, name);
  }

  nextBinding(row: number): number {
    return this.#bindingNext?.[row] ?? NONE;
  }

  #indexBindings(): PairTable {
    const { bindings } = this.facts;
    const heads = new PairTable(bindings.count);
    const next = new Int32Array(bindings.count).fill(NONE);
    for (let row = bindings.count - 1; row >= 0; row--) {
      const scope = bindings.scope[row] ?? 0;
      const name = this.name(bindings.name[row] ?? 0);
      next[row] = heads.get(scope, name);
      heads.set(scope, name, row);
    }
    this.#bindingNext = next;
    return heads;
  }

  /** Symbol rows called `name` directly inside the symbol `parent` (`NONE`: top of the file), in source order. */
  membersNamed(parent: number, name: number): readonly number[] {
    this.#members ??= this.#indexMembers();
    const list = this.#members.get(parent, name);
    return list < 0 ? NO_ROWS : (this.#memberLists[list] ?? NO_ROWS);
  }

  #indexMembers(): PairTable {
    const { symbols } = this.facts;
    const members = new PairTable(symbols.count);
    const lists: number[][] = [];
    for (let row = 0; row < symbols.count; row++) {
      const parent = symbols.parent[row] ?? NONE;
      const name = this.name(symbols.name[row] ?? 0);
      const list = members.get(parent, name);
      if (list >= 0) lists[list]?.push(row);
      else members.set(parent, name, lists.push([row]) - 1);
    }
    this.#memberLists = lists;
    return members;
  }

  /** Rows of `exports` with an exported name, in order. */
  exportsNamed(name: number): readonly number[] {
    if (this.#exported === undefined) {
      const { exports } = this.facts;
      this.#exported = new Map();
      for (let row = 0; row < exports.count; row++) push(this.#exported, this.name(exports.exportedName[row] ?? 0), row);
    }
    return this.#exported.get(name) ?? NO_ROWS;
  }

  /** Keys of the units of symbols, as they become known; `-1` for others. The last is that of module level. */
  get unitKeys(): Int32Array {
    this.#unitKeys ??= new Int32Array(this.facts.symbols.count + 1).fill(-1);
    return this.#unitKeys;
  }

  childrenOf(parent: number): readonly number[] {
    if (this.#children === undefined) {
      this.#children = new Map();
      const { symbols } = this.facts;
      for (let row = 0; row < symbols.count; row++) push(this.#children, symbols.parent[row] ?? NONE, row);
    }
    return this.#children.get(parent) ?? NO_ROWS;
  }

  isContainer(symbol: number): boolean {
    return CONTAINER_CODES[this.facts.symbols.kind[symbol] ?? 0] === true;
  }

  /**
   * Symbol that stands for the unit of dependency a row belongs to: a top-level symbol, or a direct member of a top-level container; `NONE` for module level.
   */
  unitOfSymbol(symbol: number): number {
    const { parent } = this.facts.symbols;
    let row = symbol;
    let below = NONE;
    while (row !== NONE) {
      const up = parent[row] ?? NONE;
      if (up === NONE) return below !== NONE && this.isContainer(row) ? below : row;
      below = row;
      row = up;
    }
    return NONE;
  }

  /** The same for a scope. */
  unitOfScope(scope: number): number {
    if (this.#scopeUnits === undefined) {
      const { scopes } = this.facts;
      const units = new Int32Array(scopes.count).fill(NONE);
      for (let row = 0; row < scopes.count; row++) {
        const symbol = scopes.symbol[row] ?? NONE;
        const up = scopes.parent[row] ?? NONE;
        units[row] = symbol !== NONE ? this.unitOfSymbol(symbol) : up === NONE ? NONE : (units[up] ?? NONE);
      }
      this.#scopeUnits = units;
    }
    return this.#scopeUnits[scope] ?? NONE;
  }

  heritageOf(symbol: number): readonly number[] {
    if (this.#heritage === undefined) {
      this.#heritage = new Map();
      for (let row = 0; row < this.facts.heritage.count; row++) push(this.#heritage, this.facts.heritage.symbol[row] ?? NONE, row);
    }
    return this.#heritage.get(symbol) ?? NO_ROWS;
  }

  /** Rows of `assignments` that define or set the symbol. */
  assignmentsTo(symbol: number): readonly number[] {
    if (this.#assignmentsBySymbol === undefined) {
      this.#assignmentsBySymbol = new Map();
      const { assignments } = this.facts;
      for (let row = 0; row < assignments.count; row++) {
        const target = assignments.symbol[row] ?? NONE;
        if (target !== NONE) push(this.#assignmentsBySymbol, target, row);
      }
    }
    return this.#assignmentsBySymbol.get(symbol) ?? NO_ROWS;
  }

  /** Rows of `assignments` that set a property called `name`. */
  assignmentsNamed(name: number): readonly number[] {
    if (this.#assignmentsByName === undefined) {
      this.#assignmentsByName = new Map();
      const { assignments } = this.facts;
      for (let row = 0; row < assignments.count; row++) push(this.#assignmentsByName, this.name(assignments.name[row] ?? 0), row);
    }
    return this.#assignmentsByName.get(name) ?? NO_ROWS;
  }

  /** Type parameter bindings of a scope in order. */
  typeParametersOf(scope: number): readonly number[] {
    if (this.#typeParameters === undefined) {
      this.#typeParameters = new Map();
      const { bindings } = this.facts;
      for (let row = 0; row < bindings.count; row++) {
        if (bindings.kind[row] === TYPE_PARAMETER) push(this.#typeParameters, bindings.scope[row] ?? 0, row);
      }
    }
    return this.#typeParameters.get(scope) ?? NO_ROWS;
  }

  /** Expressions of the decorators of a symbol, as rows of `references`. */
  decoratorsOf(symbol: number, decoratorKind: number): readonly number[] {
    if (this.#decorators === undefined) {
      this.#decorators = new Map();
      const { references } = this.facts;
      for (let row = 0; row < references.count; row++) {
        if (references.kind[row] === decoratorKind) push(this.#decorators, references.owner[row] ?? NONE, references.expression[row] ?? NONE);
      }
    }
    return this.#decorators.get(symbol) ?? NO_ROWS;
  }

  /** Row of the expression that an expression is an operand of, or `NONE`. `listParents` names the operators whose list holds rows, by code. */
  parentOf(row: number, operands: OperandReader): number {
    if (this.#parents === undefined) {
      const parents = new Int32Array(this.facts.expressions.count).fill(NONE);
      for (let parent = 0; parent < this.facts.expressions.count; parent++) {
        operands(this.facts, parent, child => {
          if (child >= 0 && child < parents.length) parents[child] = parent;
        });
      }
      this.#parents = parents;
    }
    return this.#parents[row] ?? NONE;
  }

  /** Which bindings, symbols, assignments and functions an expression is the value of. */
  users(): ExpressionUsers {
    if (this.#users === undefined) this.#users = collectUsers(this.facts);
    return this.#users;
  }

  /** Row of the object literal that holds a function as a property, or `NONE`. */
  objectOfFunction(functionRow: number): number {
    if (this.#objectOfFunction === undefined) {
      const { expressions, lists } = this.facts;
      this.#objectOfFunction = new Map();
      for (let row = 0; row < expressions.count; row++) {
        if (expressions.operator[row] !== operatorCode.object) continue;
        const start = expressions.listStart[row] ?? 0;
        for (let i = 1; i < (expressions.listCount[row] ?? 0); i += 2) {
          const item = lists[start + i] ?? NONE;
          if (item !== NONE && expressions.operator[item] === operatorCode.function) this.#objectOfFunction.set(expressions.a[item] ?? NONE, row);
        }
      }
    }
    return this.#objectOfFunction.get(functionRow) ?? NONE;
  }

  /** Row of the `function` expression of a function, or `NONE` for declarations. */
  expressionOfFunction(functionRow: number): number {
    if (this.#functionExpressions === undefined) {
      const { expressions, functions } = this.facts;
      this.#functionExpressions = new Int32Array(functions.count).fill(NONE);
      for (let row = 0; row < expressions.count; row++) {
        if (expressions.operator[row] === operatorCode.function) this.#functionExpressions[expressions.a[row] ?? 0] = row;
      }
    }
    return this.#functionExpressions[functionRow] ?? NONE;
  }

  isThis(expression: number): boolean {
    return expression >= 0 && this.facts.expressions.operator[expression] === operatorCode.this;
  }

  /** True for a function whose body assigns to `this`, or whose prototype is assigned to. */
  isConstructorFunction(symbol: number): boolean {
    if (this.#constructors === undefined) {
      this.#constructors = new Set();
      const { assignments, symbols } = this.facts;
      for (let row = 0; row < assignments.count; row++) {
        const defined = assignments.symbol[row] ?? NONE;
        if (this.isThis(assignments.target[row] ?? NONE)) this.#constructors.add(assignments.owner[row] ?? NONE);
        if (defined !== NONE) this.#constructors.add(symbols.parent[defined] ?? NONE);
      }
    }
    return this.#constructors.has(symbol);
  }

  /** Binding row of a guard that narrows the member path an expression spells, or `NONE`. */
  narrowedPath(row: number): number {
    const { bindings, expressions, scopes } = this.facts;
    if (this.#narrowedLast === undefined) {
      this.#narrowedLast = new Set();
      for (let binding = 0; binding < bindings.count; binding++) {
        const name = bindings.kind[binding] === NARROWED ? this.text(bindings.name[binding] ?? 0) : '';
        if (name.includes('.')) this.#narrowedLast.add(name.slice(name.lastIndexOf('.') + 1));
      }
    }
    if (this.#narrowedLast.size === 0 || !this.#narrowedLast.has(this.text(expressions.text[row] ?? 0))) return NONE;
    let path = '';
    let at = row;
    for (; at >= 0 && expressions.operator[at] === operatorCode.member; at = expressions.a[at] ?? NONE)
      path = `.${this.text(expressions.text[at] ?? 0)}${path}`;
    if (at < 0) return NONE;
    const operator = expressions.operator[at];
    if (operator !== operatorCode.name && operator !== operatorCode.this) return NONE;
    const name = this.nameTable.find(`${operator === operatorCode.this ? 'this' : this.text(expressions.text[at] ?? 0)}${path}`);
    if (name === undefined) return NONE;
    for (let scope = expressions.a[at] ?? NONE; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
      const found = this.firstBinding(scope, name);
      if (found !== NONE) return found;
    }
    return NONE;
  }

  /** Type argument rows of a call or `new` written `f<X>()`. */
  genericArguments(call: number): readonly number[] {
    const { expressions, lists } = this.facts;
    const applied = expressions.b[call] ?? NONE;
    if (applied < 0 || expressions.operator[applied] !== operatorCode.generic) return NO_ROWS;
    const start = expressions.listStart[applied] ?? 0;
    return Array.from(lists.subarray(start, start + (expressions.listCount[applied] ?? 0)));
  }

  /** Key of the name or field that holds what an expression makes; undefined when nothing named does. */
  holderOf(expression: number): string | undefined {
    const users = this.users();
    const symbol = users.symbol.get(expression);
    if (symbol !== undefined) return this.#holderOfSymbol(symbol);
    const binding = users.binding.get(expression);
    if (binding !== undefined) {
      const { bindings } = this.facts;
      const bound = bindings.symbol[binding] ?? NONE;
      return bound !== NONE ? this.#holderOfSymbol(bound) : `b${bindings.scope[binding]}:${this.name(bindings.name[binding] ?? 0)}`;
    }
    const assignment = users.assignment.get(expression);
    if (assignment === undefined) return undefined;
    const { assignments } = this.facts;
    return `f${this.name(assignments.name[assignment] ?? 0)}`;
  }

  #holderOfSymbol(symbol: number): string {
    const { symbols } = this.facts;
    const parent = symbols.parent[symbol] ?? NONE;
    const name = this.name(symbols.name[symbol] ?? 0);
    return parent !== NONE && this.isContainer(parent) ? `f${name}` : `s${symbol}`;
  }

  /** What is put into the container that a holder names: arguments of adding calls and values assigned under a key. */
  usesOfHolder(holder: string): readonly HolderUse[] {
    if (this.#holderUses === undefined) this.#holderUses = collectHolderUses(this);
    return this.#holderUses.get(holder) ?? NO_USES;
  }

  holders(): ReadonlyMap<string, readonly HolderUse[]> {
    this.usesOfHolder('');
    return this.#holderUses ?? new Map();
  }

  /** Holder that an expression names, seen from its own scope. */
  holderNamed(expression: number): string | undefined {
    const { expressions, bindings, scopes } = this.facts;
    const operator = OPERATORS[expressions.operator[expression] ?? 0];
    if (operator === 'member') return `f${this.name(expressions.text[expression] ?? 0)}`;
    if (operator !== 'name') return undefined;
    const name = this.name(expressions.text[expression] ?? 0);
    for (let scope = expressions.a[expression] ?? NONE; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
      const row = this.firstBinding(scope, name);
      if (row === NONE) continue;
      const symbol = bindings.symbol[row] ?? NONE;
      return symbol !== NONE ? this.#holderOfSymbol(symbol) : `b${scope}:${name}`;
    }
    return undefined;
  }

  /** True for a row inside the default value of a parameter. */
  isInDefault(row: number, operands: OperandReader): boolean {
    if (this.#defaults === undefined) {
      const { bindings, expressions } = this.facts;
      const inside = new Set<number>();
      const pending: number[] = [];
      for (let binding = 0; binding < bindings.count; binding++) {
        const value = bindings.value[binding] ?? NONE;
        if (bindings.kind[binding] === PARAMETER && value !== NONE) pending.push(value);
      }
      for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
        if (at < 0 || at >= expressions.count || inside.has(at)) continue;
        inside.add(at);
        operands(this.facts, at, operand => pending.push(operand));
      }
      this.#defaults = inside;
    }
    return this.#defaults.has(row);
  }

  /** Scope that binds a symbol, or -1. */
  scopeDeclaring(symbol: number): number {
    if (this.#declaringScopes === undefined) {
      const { bindings } = this.facts;
      this.#declaringScopes = new Map();
      for (let row = 0; row < bindings.count; row++) {
        const declared = bindings.symbol[row] ?? NONE;
        if (declared !== NONE && !this.#declaringScopes.has(declared)) this.#declaringScopes.set(declared, bindings.scope[row] ?? 0);
      }
    }
    return this.#declaringScopes.get(symbol) ?? -1;
  }

  /** Scopes whose names belong to a package: the module and namespaces. */
  isPackageScope(scope: number): boolean {
    const kind = this.facts.scopes.kind[scope];
    return kind === MODULE_SCOPE || kind === NAMESPACE_SCOPE;
  }

  isClassScope(scope: number): boolean {
    return this.facts.scopes.kind[scope] === CLASS_SCOPE;
  }
}

export type OperandReader = (facts: FileFacts, row: number, visit: (operand: number) => void) => void;

export interface ExpressionUsers {
  readonly binding: ReadonlyMap<number, number>;
  readonly symbol: ReadonlyMap<number, number>;
  readonly assignment: ReadonlyMap<number, number>;
  readonly returnedBy: ReadonlyMap<number, number>;
}

/** A value that goes into a container; `iterated` when its elements do. */
export interface HolderUse {
  readonly value: number;
  readonly iterated: boolean;
}

const NO_ROWS: readonly number[] = [];
const NO_USES: readonly HolderUse[] = [];

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

function collectHolderUses(file: FileState): Map<string, HolderUse[]> {
  const uses = new Map<string, HolderUse[]>();
  const note = (container: number, use: HolderUse): void => {
    const holder = file.holderNamed(container);
    if (holder === undefined) return;
    const list = uses.get(holder);
    if (list === undefined) uses.set(holder, [use]);
    else list.push(use);
  };
  const { expressions, lists, assignments } = file.facts;
  for (let row = 0; row < expressions.count; row++) {
    if (expressions.operator[row] !== operatorCode.call) continue;
    const callee = expressions.a[row] ?? NONE;
    if (callee < 0 || expressions.operator[callee] !== operatorCode.member) continue;
    const adding = ADDING.get(file.text(expressions.text[callee] ?? 0));
    const value = adding === undefined ? undefined : lists[(expressions.listStart[row] ?? 0) + adding.at];
    if (adding === undefined || value === undefined || adding.at >= (expressions.listCount[row] ?? 0)) continue;
    note(expressions.a[callee] ?? NONE, { value, iterated: adding.iterated });
  }
  for (let row = 0; row < assignments.count; row++) {
    const target = assignments.target[row] ?? NONE;
    if (target >= 0 && (assignments.name[row] ?? 0) === 0) note(target, { value: assignments.value[row] ?? NONE, iterated: false });
  }
  return uses;
}

function push(map: Map<number, number[]>, key: number, row: number): void {
  const rows = map.get(key);
  if (rows === undefined) map.set(key, [row]);
  else rows.push(row);
}

function collectUsers(facts: FileFacts): ExpressionUsers {
  const binding = new Map<number, number>();
  const symbol = new Map<number, number>();
  const assignment = new Map<number, number>();
  const returnedBy = new Map<number, number>();
  const note = (map: Map<number, number>, rows: Int32Array): void => {
    for (let row = rows.length - 1; row >= 0; row--) {
      const value = rows[row] ?? NONE;
      if (value !== NONE) map.set(value, row);
    }
  };
  note(binding, facts.bindings.value);
  note(symbol, facts.symbols.value);
  note(assignment, facts.assignments.value);
  const { functions, lists } = facts;
  for (let row = 0; row < functions.count; row++) {
    const start = functions.returnStart[row] ?? 0;
    for (let i = 0; i < (functions.returnCount[row] ?? 0); i++) returnedBy.set(lists[start + i] ?? NONE, row);
  }
  return { binding, symbol, assignment, returnedBy };
}
