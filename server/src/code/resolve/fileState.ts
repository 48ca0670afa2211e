import type { ColumnOf } from '../../base/branded';
import type { Interner } from '../../base/interner';
import { operandOf } from '../../model/expressions';
import {
  type AnyRow,
  type AssignmentRow,
  BINDING_KINDS,
  type BindingRow,
  type ExportRow,
  type ExpressionRow,
  expressionRow,
  type FileFacts,
  type FunctionRow,
  GLOBAL_NAMES,
  type HeritageRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  REFERENCE_KINDS,
  SCOPE_KINDS,
  type ScopeRow,
  type StringIndex,
  type SymbolRow,
  scopeRow,
} from '../../model/facts';
import type { NodeColumn, NodeHandle } from '../../model/ids';
import { SYMBOL_KINDS } from '../../model/nodes';
import { ContainerWrites } from './containerWrites';
import {
  chainsOf,
  constructorFunctions,
  declaringScopes,
  type ExpressionUsers,
  expressionsOfFunctions,
  LEFT_OUT,
  listsOf,
  narrowedLastNames,
  objectsOfFunctions,
  type PairedRows,
  PROTOTYPE,
  parentsOf,
  prototypesGiven,
  type RowsByKey,
  rowsBy,
  rowsInDefaults,
  usersOf,
} from './fileTables';
import type { LanguageTraits } from './languages/languageTraits';
import { type DependencyKey, type FileNumber, type NameNumber, NO_KEY, NO_NAME, type PackageNumber } from './numbers';
import { UsedMembers } from './sites/usedMembers';
import type { PairTable } from './tables/pairTable';

/** Family of languages, as `model/languages` names them. */
export type Family = string;

const CLASS_KIND = SCOPE_KINDS.indexOf('class');
const MODULE_KIND = SCOPE_KINDS.indexOf('module');
const NAMESPACE_KIND = SCOPE_KINDS.indexOf('namespace');
const TYPE_PARAMETER = BINDING_KINDS.indexOf('typeParameter');
const DECORATOR = REFERENCE_KINDS.indexOf('decorator');
/** Kinds of symbols whose members are looked up on instances or on the symbol itself. */
const CONTAINERS: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'struct', 'trait', 'namespace', 'module', 'type']);
const CONTAINER_CODES: readonly boolean[] = SYMBOL_KINDS.map(kind => CONTAINERS.has(kind));

/** Look-up tables over the rows of one file, each built when first asked for; freed all at once by letting go of this object. */
interface Tables {
  bindingHeads?: PairTable<ScopeRow, NameNumber, BindingRow>;
  bindingNext?: ColumnOf<BindingRow>;
  members?: PairedRows<SymbolRow, NameNumber, SymbolRow>;
  unitKeys?: ColumnOf<DependencyKey>;
  exported?: RowsByKey<NameNumber, ExportRow>;
  scopeUnits?: ColumnOf<SymbolRow>;
  heritage?: RowsByKey<SymbolRow, HeritageRow>;
  assignmentsBySymbol?: RowsByKey<SymbolRow, AssignmentRow>;
  assignmentsByName?: RowsByKey<NameNumber, AssignmentRow>;
  typeParameters?: RowsByKey<ScopeRow, BindingRow>;
  decorators?: RowsByKey<SymbolRow, ExpressionRow>;
  parents?: ColumnOf<ExpressionRow>;
  users?: ExpressionUsers;
  objectOfFunction?: ReadonlyMap<FunctionRow, ExpressionRow>;
  constructors?: ReadonlySet<SymbolRow>;
  narrowedLast?: ReadonlySet<string>;
  children?: RowsByKey<SymbolRow, SymbolRow>;
  declaringScopes?: ReadonlyMap<SymbolRow, ScopeRow>;
  defaults?: ReadonlySet<ExpressionRow>;
  functionExpressions?: ColumnOf<ExpressionRow>;
  holders?: ContainerWrites;
  usedMembers?: UsedMembers;
  prototypes?: ReadonlyMap<string, ExpressionRow>;
}

/**
 * One file as the resolver sees it: its facts, the project's numbers for its names, and look-up tables built when first asked for.
 * Tables hold rows of these facts only, so they live as long as the facts do; `dropTables` frees them all.
 */
export class FileState {
  /** Path of the file, told apart by kind. */
  readonly family: Family;
  /** Files are joined by imports of files, not by packages. */
  readonly isModular: boolean;
  readonly symbolNodes: NodeColumn;
  readonly #names: ColumnOf<NameNumber>;
  readonly #packages = new Map<ScopeRow, PackageNumber>();
  /** Text of scopes that declare global names; not above 0 where there are none. */
  readonly #globalText: StringIndex;
  #tables: Tables = {};

  constructor(
    readonly id: FileNumber,
    readonly path: string,
    readonly facts: FileFacts,
    readonly isTest: boolean,
    readonly fileNode: NodeHandle,
    symbolNodes: NodeColumn,
    private readonly nameTable: Interner<NameNumber>,
    /** What is particular to the language. */
    readonly rules: LanguageTraits,
  ) {
    this.symbolNodes = symbolNodes;
    this.#names = new Int32Array(facts.strings.length).fill(NO_NAME) as ColumnOf<NameNumber>;
    this.family = rules.family;
    this.isModular = rules.modules !== undefined;
    this.#globalText = rules.globalNames === true ? (facts.strings.indexOf(GLOBAL_NAMES) as StringIndex) : NO_TEXT;
  }

  /** Project-wide number of a string of these facts. */
  name(text: StringIndex): NameNumber {
    const known = this.#names[text];
    if (known !== undefined && known >= 0) return known;
    const name = this.nameTable.intern(this.facts.strings[text] ?? '');
    if (text < this.#names.length) this.#names[text] = name;
    return name;
  }

  /** Package of a scope, kept once computed. */
  packageIn(scope: ScopeRow, compute: () => PackageNumber): PackageNumber {
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
  lastName(row: ExpressionRow): NameNumber {
    const { expressions } = this.facts;
    for (let at = row, steps = 0; at >= 0 && steps < 20; at = operandOf.inner(expressions, at), steps++) {
      const operator = expressions.operator[at];
      if (operator === operatorCode.name || operator === operatorCode.member) return this.name(expressions.text[at] ?? NO_TEXT);
      if (operator === operatorCode.class) return this.name(this.facts.symbols.name[operandOf.class(expressions, at)] ?? NO_TEXT);
      if (operator !== operatorCode.generic && operator !== operatorCode.valueOfType && operator !== operatorCode.call) return NO_NAME;
    }
    return NO_NAME;
  }

  /** Project-wide number of any text. */
  projectName(text: string): NameNumber {
    return this.nameTable.intern(text);
  }

  text(index: StringIndex): string {
    return this.facts.strings[index] ?? '';
  }

  /** Builds the tables that every look-up needs and numbers the names that expressions use. */
  prepareTables(): void {
    this.#tables.bindingHeads ??= this.#indexBindings();
    this.#tables.members ??= this.#indexMembers();
    const { expressions } = this.facts;
    for (let row = expressionRow(0); row < expressions.count; row++) {
      const operator = expressions.operator[row];
      if (operator === operatorCode.name || operator === operatorCode.member) this.name(expressions.text[row] ?? NO_TEXT);
    }
  }

  /** Frees what can be rebuilt from the facts. */
  dropTables(): void {
    this.#tables = {};
  }

  /** First binding row of a name in a scope, or `NONE`; follow with `nextBinding`. */
  firstBinding(scope: ScopeRow, name: NameNumber): BindingRow {
    this.#tables.bindingHeads ??= this.#indexBindings();
    return this.#tables.bindingHeads.get(scope, name);
  }

  nextBinding(row: BindingRow): BindingRow {
    return this.#tables.bindingNext?.[row] ?? NONE;
  }

  #indexBindings(): PairTable<ScopeRow, NameNumber, BindingRow> {
    const { heads, next } = chainsOf(
      this.facts.bindings.count,
      (row: BindingRow) => this.facts.bindings.scope[row] ?? MODULE_SCOPE,
      row => this.name(this.facts.bindings.name[row] ?? NO_TEXT),
    );
    this.#tables.bindingNext = next;
    return heads;
  }

  /** Symbol rows called `name` directly inside the symbol `parent` (`NONE`: top of the file), in source order. */
  membersNamed(parent: SymbolRow, name: NameNumber): readonly SymbolRow[] {
    this.#tables.members ??= this.#indexMembers();
    const { lists, numbers } = this.#tables.members;
    const list = numbers.get(parent, name);
    return list < 0 ? NO_ROWS : (lists[list] ?? NO_ROWS);
  }

  #indexMembers(): PairedRows<SymbolRow, NameNumber, SymbolRow> {
    const { symbols } = this.facts;
    return listsOf(
      symbols.count,
      row => symbols.parent[row] ?? NONE,
      row => this.name(symbols.name[row] ?? NO_TEXT),
    );
  }

  /** Rows of `exports` with an exported name, in order. */
  exportsNamed(name: NameNumber): readonly ExportRow[] {
    const { count, exportedName } = this.facts.exports;
    this.#tables.exported ??= rowsBy(count, row => this.name(exportedName[row] ?? NO_TEXT));
    return this.#tables.exported.get(name) ?? NO_ROWS;
  }

  /** Keys of the units of symbols, as they become known; `-1` for others. The last is that of module level. */
  get unitKeys(): ColumnOf<DependencyKey> {
    this.#tables.unitKeys ??= new Int32Array(this.facts.symbols.count + 1).fill(NO_KEY) as ColumnOf<DependencyKey>;
    return this.#tables.unitKeys;
  }

  childrenOf(parent: SymbolRow): readonly SymbolRow[] {
    const { symbols } = this.facts;
    this.#tables.children ??= rowsBy(symbols.count, row => symbols.parent[row] ?? NONE);
    return this.#tables.children.get(parent) ?? NO_ROWS;
  }

  isContainer(symbol: SymbolRow): boolean {
    return CONTAINER_CODES[this.facts.symbols.kind[symbol] ?? 0] === true;
  }

  /**
   * Symbol that stands for the unit of dependency a row belongs to: a top-level symbol, or a direct member of a top-level container; `NONE` for module level.
   */
  unitOfSymbol(symbol: SymbolRow): SymbolRow {
    const { parent } = this.facts.symbols;
    let row = symbol;
    let below: SymbolRow = NONE;
    while (row !== NONE) {
      const up = parent[row] ?? NONE;
      if (up === NONE) return below !== NONE && this.isContainer(row) ? below : row;
      below = row;
      row = up;
    }
    return NONE;
  }

  /** The same for a scope. */
  unitOfScope(scope: ScopeRow): SymbolRow {
    if (this.#tables.scopeUnits === undefined) {
      const { scopes } = this.facts;
      const units = new Int32Array(scopes.count).fill(NONE) as ColumnOf<SymbolRow>;
      for (let row = scopeRow(0); row < scopes.count; row++) {
        const symbol = scopes.symbol[row] ?? NONE;
        const up = scopes.parent[row] ?? NONE;
        units[row] = symbol !== NONE ? this.unitOfSymbol(symbol) : up === NONE ? NONE : (units[up] ?? NONE);
      }
      this.#tables.scopeUnits = units;
    }
    return this.#tables.scopeUnits[scope] ?? NONE;
  }

  heritageOf(symbol: SymbolRow): readonly HeritageRow[] {
    const { heritage } = this.facts;
    this.#tables.heritage ??= rowsBy(heritage.count, row => heritage.symbol[row] ?? NONE);
    return this.#tables.heritage.get(symbol) ?? NO_ROWS;
  }

  /** Rows of `assignments` that define or set the symbol. */
  assignmentsTo(symbol: SymbolRow): readonly AssignmentRow[] {
    const { assignments } = this.facts;
    this.#tables.assignmentsBySymbol ??= rowsBy(assignments.count, row => assignments.symbol[row] ?? NONE);
    return symbol === NONE ? NO_ROWS : (this.#tables.assignmentsBySymbol.get(symbol) ?? NO_ROWS);
  }

  /** Rows of `assignments` that set a property called `name`. */
  assignmentsNamed(name: NameNumber): readonly AssignmentRow[] {
    const { assignments } = this.facts;
    this.#tables.assignmentsByName ??= rowsBy(assignments.count, row => this.name(assignments.name[row] ?? NO_TEXT));
    return this.#tables.assignmentsByName.get(name) ?? NO_ROWS;
  }

  /** Type parameter bindings of a scope in order. */
  typeParametersOf(scope: ScopeRow): readonly BindingRow[] {
    const { bindings } = this.facts;
    this.#tables.typeParameters ??= rowsBy(bindings.count, row => (bindings.kind[row] === TYPE_PARAMETER ? (bindings.scope[row] ?? MODULE_SCOPE) : LEFT_OUT));
    return this.#tables.typeParameters.get(scope) ?? NO_ROWS;
  }

  /** Expressions of the decorators of a symbol. */
  decoratorsOf(symbol: SymbolRow): readonly ExpressionRow[] {
    const { references } = this.facts;
    this.#tables.decorators ??= rowsBy(
      references.count,
      row => (references.kind[row] === DECORATOR ? (references.owner[row] ?? NONE) : LEFT_OUT),
      row => references.expression[row] ?? NONE,
    );
    return this.#tables.decorators.get(symbol) ?? NO_ROWS;
  }

  /** Row of the expression that an expression is an operand of, or `NONE`. */
  parentOf(row: ExpressionRow): ExpressionRow {
    this.#tables.parents ??= parentsOf(this.facts);
    return this.#tables.parents[row] ?? NONE;
  }

  /** Which bindings, symbols, assignments and functions an expression is the value of. */
  users(): ExpressionUsers {
    this.#tables.users ??= usersOf(this.facts);
    return this.#tables.users;
  }

  /** Row of the object literal that holds a function as a property, or `NONE`. */
  objectOfFunction(functionRow: FunctionRow): ExpressionRow {
    this.#tables.objectOfFunction ??= objectsOfFunctions(this.facts);
    return this.#tables.objectOfFunction.get(functionRow) ?? NONE;
  }

  /** Row of the `function` expression of a function, or `NONE` for declarations. */
  expressionOfFunction(functionRow: FunctionRow): ExpressionRow {
    this.#tables.functionExpressions ??= expressionsOfFunctions(this.facts);
    return this.#tables.functionExpressions[functionRow] ?? NONE;
  }

  isThis(expression: ExpressionRow): boolean {
    return expression >= 0 && this.facts.expressions.operator[expression] === operatorCode.this;
  }

  /** True for a function whose body assigns to `this`, or whose prototype is assigned to. */
  isConstructorFunction(symbol: SymbolRow): boolean {
    this.#tables.constructors ??= constructorFunctions(this.facts);
    return this.#tables.constructors.has(symbol);
  }

  /** For an expression that spells a prototype to which the file assigns methods: the first one that spells the same. `NONE` for others. */
  prototypeGiven(row: ExpressionRow): ExpressionRow {
    if (this.text(this.facts.expressions.text[row] ?? NO_TEXT) !== PROTOTYPE) return NONE;
    this.#tables.prototypes ??= prototypesGiven(this.facts, spelled => this.pathKey(spelled));
    return this.#tables.prototypes.get(this.pathKey(row)) ?? NONE;
  }

  /** Member path that an expression spells, with the scope that binds the name before the first dot; empty for other expressions. */
  pathKey(row: ExpressionRow): string {
    const { expressions, scopes } = this.facts;
    let path = '';
    let at = row;
    for (; at >= 0 && expressions.operator[at] === operatorCode.member; at = operandOf.receiver(expressions, at))
      path = `.${this.text(expressions.text[at] ?? NO_TEXT)}${path}`;
    if (at < 0 || expressions.operator[at] !== operatorCode.name) return '';
    const name = this.name(expressions.text[at] ?? NO_TEXT);
    let scope: ScopeRow = operandOf.scope(expressions, at);
    while (scope !== NONE && this.firstBinding(scope, name) === NONE) scope = scopes.parent[scope] ?? NONE;
    return `${scope}:${name}${path}`;
  }

  /** Binding row of a guard that narrows the member path an expression spells, or `NONE`. */
  narrowedPath(row: ExpressionRow): BindingRow {
    const { expressions, scopes } = this.facts;
    this.#tables.narrowedLast ??= narrowedLastNames(this.facts);
    if (this.#tables.narrowedLast.size === 0 || !this.#tables.narrowedLast.has(this.text(expressions.text[row] ?? NO_TEXT))) return NONE;
    let path = '';
    let at = row;
    for (; at >= 0 && expressions.operator[at] === operatorCode.member; at = operandOf.receiver(expressions, at))
      path = `.${this.text(expressions.text[at] ?? NO_TEXT)}${path}`;
    if (at < 0) return NONE;
    const operator = expressions.operator[at];
    if (operator !== operatorCode.name && operator !== operatorCode.this) return NONE;
    const name = this.nameTable.find(`${operator === operatorCode.this ? 'this' : this.text(expressions.text[at] ?? NO_TEXT)}${path}`);
    if (name === undefined) return NONE;
    for (let scope: ScopeRow = operandOf.scope(expressions, at); scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
      const found = this.firstBinding(scope, name);
      if (found !== NONE) return found;
    }
    return NONE;
  }

  /** Type argument rows of a call or `new` written `f<X>()`. */
  genericArguments(call: ExpressionRow): readonly ExpressionRow[] {
    const { expressions, lists } = this.facts;
    const applied = operandOf.applied(expressions, call);
    if (applied < 0 || expressions.operator[applied] !== operatorCode.generic) return NO_ROWS;
    const start = expressions.listStart[applied] ?? 0;
    return Array.from<AnyRow>(lists.subarray(start, start + (expressions.listCount[applied] ?? 0)));
  }

  /** Names and fields that hold containers, and what is put into them. */
  get holders(): ContainerWrites {
    this.#tables.holders ??= new ContainerWrites(this);
    return this.#tables.holders;
  }

  /** Which members are taken from what is called by one name. */
  get usedMembers(): UsedMembers {
    this.#tables.usedMembers ??= new UsedMembers(this);
    return this.#tables.usedMembers;
  }

  /** True for a row inside the default value of a parameter. */
  isInDefault(row: ExpressionRow): boolean {
    this.#tables.defaults ??= rowsInDefaults(this.facts);
    return this.#tables.defaults.has(row);
  }

  /** Scope that binds a symbol, or -1. */
  scopeDeclaring(symbol: SymbolRow): ScopeRow {
    this.#tables.declaringScopes ??= declaringScopes(this.facts);
    return this.#tables.declaringScopes.get(symbol) ?? NONE;
  }

  /** Scopes whose names belong to a package: the module and namespaces. */
  isPackageScope(scope: ScopeRow): boolean {
    const kind = this.facts.scopes.kind[scope];
    return kind === MODULE_KIND || kind === NAMESPACE_KIND;
  }

  /** Some scope of the file declares global names. */
  get hasGlobalNames(): boolean {
    return this.#globalText > 0;
  }

  /** Scopes whose names all files see. */
  isGlobalScope(scope: ScopeRow): boolean {
    return this.#globalText > 0 && this.facts.scopes.package[scope] === this.#globalText;
  }

  /** True for a symbol at the top of a scope whose names all files see. */
  isGlobal(symbol: SymbolRow): boolean {
    return this.#globalText > 0 && (this.facts.symbols.parent[symbol] ?? NONE) === NONE && this.isGlobalScope(this.scopeDeclaring(symbol));
  }

  isClassScope(scope: ScopeRow): boolean {
    return this.facts.scopes.kind[scope] === CLASS_KIND;
  }
}

const NO_ROWS: readonly never[] = [];
