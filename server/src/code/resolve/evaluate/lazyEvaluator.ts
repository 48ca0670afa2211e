/**
 * Lazy evaluation of the facts: what an expression, a type, a binding, a symbol or a call may be.
 *
 * Answers are sets of abstract values. Every query that leaves its row's unit says so to `Dependencies`; cycles end at their least fixed point
 * in `Solver`. Nothing here knows sites or edges. Memos belong to one update: `begin` starts afresh.
 */
import type { ColumnOf } from '../../../base/branded';
import {
  BINDING_KINDS,
  type BindingRow,
  type ExpressionRow,
  type FunctionRow,
  type ImportRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  type ScopeRow,
  type SymbolRow,
} from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import type { CallSiteIndex } from '../callSites';
import { bodyOf, type Dependencies, isBody } from '../dependencies';
import type { FileState } from '../fileState';
import type { ModuleResolver } from '../modules/moduleResolver';
import { type DependencyKey, type NameNumber, NO_KEY, NO_NAME } from '../numbers';
import type { PackageIndex } from '../packages/packageIndex';
import type { Project } from '../project';
import { PairTable } from '../tables/pairTable';
import { NO_ARGUMENTS, NOTHING, SET_UNKNOWN, VALUE, type Value, type ValueSet, type Values } from '../values';
import { builtinForm } from './builtinCalls';
import { bindingRows, returnedBy, symbolType, symbolValue } from './declared/declarations';
import {
  AS_TYPE,
  AS_VALUE,
  type BuiltinForm,
  type ClassLink,
  type Evaluator,
  type ExportedBinding,
  type KnownNames,
  type LanguageHooks,
  type Mode,
} from './evaluator';
import { evaluateExpression } from './expressions';
import { linkClasses } from './hierarchy';
import { exportNamed, importedValue } from './imports';
import { memberOfValue } from './members';
import { canonicalNode } from './packages/openTypes';
import { SETTLED, Solver } from './solver';
import { evaluateType } from './types';

const GUARDED_KINDS: ReadonlySet<number> = new Set([
  VALUE.instance,
  VALUE.class,
  VALUE.object,
  VALUE.function,
  VALUE.module,
  VALUE.typeParameter,
  VALUE.package,
]);

const binding = Object.fromEntries(BINDING_KINDS.map((kind, code) => [kind, code])) as Record<(typeof BINDING_KINDS)[number], number>;

/** Deepest nesting of expressions, across queries, that is followed: what the stack of a worker or the main thread surely holds. */
const MAX_NESTING = 300;

/** Answers one kind of query. */
type Rule<Subject, Row> = (ev: Evaluator, subject: Subject, row: Row, mode: Mode) => ValueSet;

/** By kind of value: whether its members are looked up in the project's own declarations and so may lead back to themselves. */
const GUARDED: readonly boolean[] = Object.values(VALUE).map(kind => GUARDED_KINDS.has(kind));

interface Memos {
  readonly value: ColumnOf<ValueSet>;
  readonly valueOwner: ColumnOf<DependencyKey>;
  readonly type: ColumnOf<ValueSet>;
  readonly typeOwner: ColumnOf<DependencyKey>;
  /** First slots of the tables, both modes after each other where there are two. */
  readonly bindings: number;
  readonly symbols: number;
  readonly returns: number;
  readonly imports: number;
}

export class LazyEvaluator implements Evaluator {
  readonly #solver: Solver;
  readonly known: KnownNames;
  readonly #memos: (Memos | undefined)[] = [];
  readonly #exportSlots = new Map<number, number>();
  readonly #searching = new Set<DependencyKey>();
  #cuts = 0;
  readonly #exportedBindings = new Map<DependencyKey, ExportedBinding | undefined>();
  readonly #guardSlots = new PairTable();
  readonly #hierarchies = new Map<NodeHandle, readonly ClassLink[]>();
  readonly #linking = new Set<NodeHandle>();
  #linkCuts = 0;
  readonly #kept = new Map<symbol, Map<number, unknown>>();
  #depth = 0;

  constructor(
    readonly project: Project,
    readonly values: Values,
    readonly dependencies: Dependencies,
    readonly modules: ModuleResolver,
    readonly packages: PackageIndex,
    readonly callSites: CallSiteIndex,
    private readonly rulesOf: (family: string) => LanguageHooks,
  ) {
    this.#solver = new Solver(values);
    this.known = knownNames(name => project.names.intern(name));
  }

  /** Forgets every answer: facts have changed. */
  begin(): void {
    this.values.clear();
    this.#solver.clear();
    this.#memos.length = 0;
    this.#exportSlots.clear();
    this.#guardSlots.clear();
    this.#exportedBindings.clear();
    this.#searching.clear();
    this.#hierarchies.clear();
    this.#linking.clear();
    this.#kept.clear();
    this.#depth = 0;
    this.dependencies.current = NO_KEY;
  }

  nameOf(text: string): NameNumber {
    return this.project.names.intern(text);
  }

  valueOf(file: FileState, row: ExpressionRow): ValueSet {
    if (row < 0) return NOTHING;
    const memos = this.#memosOf(file);
    return this.#expression(file, row, memos.value, memos.valueOwner, evaluateExpression);
  }

  typeOf(file: FileState, row: ExpressionRow): ValueSet {
    if (row < 0) return NOTHING;
    const memos = this.#memosOf(file);
    return this.#expression(file, row, memos.type, memos.typeOwner, evaluateType);
  }

  memberOf(receivers: ValueSet, name: NameNumber, mode: Mode): ValueSet {
    const { values } = this;
    let answer = NOTHING;
    for (const value of values.members(receivers))
      answer = values.union(answer, GUARDED[values.kindOf(value)] === true ? this.#guarded(value, name, mode) : memberOfValue(this, value, name, mode));
    return answer;
  }

  lookup(file: FileState, scope: ScopeRow, name: NameNumber): BindingRow {
    const { scopes, bindings } = file.facts;
    const skipsClasses = file.rules.closedClassScopes === true;
    for (let at = scope, first = true; at !== NONE; at = scopes.parent[at] ?? NONE, first = false) {
      if (skipsClasses && !first && file.isClassScope(at)) continue;
      const row = file.firstBinding(at, name);
      if (row === NONE) continue;
      if (bindings.kind[row] === binding.global) {
        const outer = this.#outer(file, at, name);
        if (outer !== NONE) return outer;
        continue;
      }
      return row;
    }
    this.dependencies.consult(this.dependencies.unit(file.id, name));
    return NONE;
  }

  binding(file: FileState, first: BindingRow, mode: Mode): ValueSet {
    const slot = this.#memosOf(file).bindings + first * 2 + mode;
    return this.#query(slot, this.#unitOfBinding(file, first), bindingRows, file, first, mode);
  }

  symbol(file: FileState, row: SymbolRow, mode: Mode): ValueSet {
    const slot = this.#memosOf(file).symbols + row * 2 + mode;
    return this.#query(slot, this.unitOfSymbol(file, row), mode === AS_TYPE ? symbolType : symbolValue, file, row, mode);
  }

  returned(file: FileState, functionRow: FunctionRow): ValueSet {
    const slot = this.#memosOf(file).returns + functionRow;
    return this.#query(slot, this.#unitOfFunction(file, functionRow), returnedBy, file, functionRow, AS_VALUE);
  }

  imported(file: FileState, row: ImportRow, mode: Mode): ValueSet {
    const slot = this.#memosOf(file).imports + row * 2 + mode;
    return this.#query(slot, this.dependencies.importRow(file.id, row), importedValue, file, row, mode);
  }

  exported(file: FileState, name: NameNumber, mode: Mode): ValueSet {
    const unit = this.dependencies.unit(file.id, name);
    const key = unit * 2 + mode;
    let slot = this.#exportSlots.get(key);
    if (slot === undefined) {
      slot = this.#solver.allocate(1);
      this.#exportSlots.set(key, slot);
    }
    return this.#query(slot, unit, exportNamed, file, name, mode);
  }

  hierarchy(node: NodeHandle): readonly ClassLink[] {
    const file = this.project.ownerOf(node);
    if (file === undefined) return [];
    const unit = this.unitOfSymbol(file, this.project.rowOf(node));
    this.dependencies.consult(unit);
    const known = this.#hierarchies.get(node);
    if (known !== undefined) return known;
    if (this.#linking.has(node)) {
      this.#linkCuts++;
      return [{ node, args: NO_ARGUMENTS, open: false }];
    }
    const cuts = this.#linkCuts;
    const before = this.dependencies.current;
    this.dependencies.current = unit;
    this.#linking.add(node);
    const outerLow = this.#solver.low;
    const links = linkClasses(this, file, this.project.rowOf(node), node);
    this.#linking.delete(node);
    this.dependencies.current = before;
    if ((this.#linkCuts === cuts || this.#linking.size === 0) && this.#solver.low === outerLow) this.#hierarchies.set(node, links);
    return links;
  }

  remembered(file: FileState, name: NameNumber, find: () => ExportedBinding | undefined): ExportedBinding | undefined {
    const unit = this.dependencies.unit(file.id, name);
    this.dependencies.consult(unit);
    if (this.#searching.has(unit)) {
      this.#cuts++;
      return undefined;
    }
    if (this.#exportedBindings.has(unit)) return this.#exportedBindings.get(unit);
    const cuts = this.#cuts;
    this.#searching.add(unit);
    const before = this.dependencies.current;
    this.dependencies.current = unit;
    const found = find();
    this.dependencies.current = before;
    this.#searching.delete(unit);
    if (this.#cuts === cuts || this.#searching.size === 0) this.#exportedBindings.set(unit, found);
    return found;
  }

  hooks(file: FileState): LanguageHooks {
    return this.rulesOf(file.family);
  }

  builtinForm(value: Value, form: BuiltinForm): ValueSet {
    return builtinForm(this, value, form);
  }

  canonical(file: FileState, row: SymbolRow): NodeHandle {
    return canonicalNode(this, file, row);
  }

  inBody<T>(unit: DependencyKey, compute: () => T): T {
    const before = this.dependencies.current;
    this.dependencies.current = bodyOf(unit);
    const answer = compute();
    this.dependencies.current = before;
    return answer;
  }

  unitOfSymbol(file: FileState, row: SymbolRow): DependencyKey {
    const keys = file.unitKeys;
    const at = row < 0 ? keys.length - 1 : row;
    const known = keys[at] ?? NO_KEY;
    if (known >= 0) return known;
    const key = this.#unitKey(file, row);
    keys[at] = key;
    return key;
  }

  #unitKey(file: FileState, row: SymbolRow): DependencyKey {
    const { dependencies } = this;
    const unit = row < 0 ? NONE : file.unitOfSymbol(row);
    if (unit === NONE) return dependencies.unit(file.id, NO_NAME);
    const { symbols } = file.facts;
    const parent = symbols.parent[unit] ?? NONE;
    const name = file.name(symbols.name[unit] ?? NO_TEXT);
    if (parent === NONE) return dependencies.unit(file.id, name);
    return dependencies.member(dependencies.unit(file.id, file.name(symbols.name[parent] ?? NO_TEXT)), name, file.id);
  }

  unitOfScope(file: FileState, scope: ScopeRow): DependencyKey {
    return this.unitOfSymbol(file, file.unitOfScope(scope));
  }

  #unitOfBinding(file: FileState, row: BindingRow): DependencyKey {
    const { bindings } = file.facts;
    const symbol = bindings.symbol[row] ?? NONE;
    if (symbol !== NONE) return this.unitOfSymbol(file, symbol);
    const scope = bindings.scope[row] ?? MODULE_SCOPE;
    return scope === 0 ? this.dependencies.unit(file.id, file.name(bindings.name[row] ?? NO_TEXT)) : this.unitOfScope(file, scope);
  }

  #unitOfFunction(file: FileState, row: FunctionRow): DependencyKey {
    const symbol = file.facts.functions.symbol[row] ?? NONE;
    return symbol !== NONE ? this.unitOfSymbol(file, symbol) : this.unitOfScope(file, file.facts.functions.scope[row] ?? MODULE_SCOPE);
  }

  consultMember(file: FileState, container: SymbolRow, name: NameNumber): void {
    const { symbols } = file.facts;
    if ((symbols.parent[container] ?? NONE) !== NONE) return;
    const { dependencies } = this;
    dependencies.consult(dependencies.member(this.unitOfSymbol(file, container), name, file.id));
  }

  /**
   * Computes a member look-up that may meet itself. Members of plain classes and their instances are asked for again and again: they are kept, with
   * a unit that notes what they rest on. Other values have no number that outlives an update, so the caller must note what their members depend on.
   */
  #guarded(value: Value, name: NameNumber, mode: Mode): ValueSet {
    const { values } = this;
    const key = value * 2 + mode;
    let slot = this.#guardSlots.get(key, name);
    if (slot < 0) {
      slot = this.#solver.allocate(1);
      this.#guardSlots.set(key, name, slot);
    }
    const kind = values.kindOf(value);
    if (values.argsId(value) === 0 && (kind === VALUE.instance || kind === VALUE.class)) {
      const form = (kind === VALUE.instance ? 0 : 4) + values.mark(value);
      const unit = this.dependencies.memberQuery(values.node(value) * 16 + form * 2 + mode, name);
      this.dependencies.consult(unit);
      const known = this.#solver.peek(slot);
      if (known >= 0) return known;
      const answer = this.#solved(slot, unit, memberOfValue, value, name, mode);
      if (this.#solver.closedCircle) this.#solver.forget(slot);
      return answer;
    }
    const known = this.#solver.peek(slot);
    if (known >= 0) return known;
    const answer = this.#solver.solve(slot, memberOfValue, this, value, name, mode);
    this.#solver.forget(slot);
    return answer;
  }

  #query<Row>(slot: number, unit: DependencyKey, rule: Rule<FileState, Row>, file: FileState, row: Row, mode: Mode): ValueSet {
    this.dependencies.consult(unit);
    const known = this.#solver.peek(slot);
    return known >= 0 ? known : this.#solved(slot, unit, rule, file, row, mode);
  }

  /** Computes on behalf of a unit. */
  #solved<Subject, Row>(slot: number, unit: DependencyKey, rule: Rule<Subject, Row>, subject: Subject, row: Row, mode: Mode): ValueSet {
    const { dependencies } = this;
    const before = dependencies.current;
    dependencies.current = unit;
    const answer = this.#solver.solve(slot, rule, this, subject, row, mode);
    dependencies.current = before;
    return answer;
  }

  #expression(
    file: FileState,
    row: ExpressionRow,
    memo: ColumnOf<ValueSet>,
    owners: ColumnOf<DependencyKey>,
    evaluate: (ev: Evaluator, file: FileState, row: ExpressionRow) => ValueSet,
  ): ValueSet {
    const { dependencies } = this;
    const solver = this.#solver;
    const known = memo[row] ?? UNKNOWN_YET;
    const { current } = dependencies;
    if (known >= 0) {
      const owner = owners[row] ?? NO_KEY;
      // What a body asked for rests, for others, on this row alone and not on all that the body asks for.
      if (owner < 0 || current < 0 || !isBody(owner) || isBody(current)) {
        dependencies.consult(owner);
        return known;
      }
    }
    if (this.#depth > MAX_NESTING) return known >= 0 ? known : SET_UNKNOWN;
    const isOwn = current < 0 || dependencies.fileOf(current) === file.id;
    const owner = isOwn ? current : dependencies.row(file.id, row);
    dependencies.consult(owner);
    dependencies.current = owner;
    const outerLow = solver.low;
    solver.low = SETTLED;
    this.#depth++;
    const answer = evaluate(this, file, row);
    this.#depth--;
    dependencies.current = current;
    if (solver.low === SETTLED) {
      if (known < 0) memo[row] = answer;
      owners[row] = owner;
    }
    solver.low = Math.min(outerLow, solver.low);
    return known >= 0 ? known : answer;
  }

  #memosOf(file: FileState): Memos {
    const known = this.#memos[file.id];
    if (known !== undefined) return known;
    const { facts } = file;
    const rows = facts.expressions.count;
    const memos: Memos = {
      value: noSets(rows),
      valueOwner: new Int32Array(rows) as ColumnOf<DependencyKey>,
      type: noSets(rows),
      typeOwner: new Int32Array(rows) as ColumnOf<DependencyKey>,
      bindings: this.#solver.allocate(facts.bindings.count * 2),
      symbols: this.#solver.allocate(facts.symbols.count * 2),
      returns: this.#solver.allocate(facts.functions.count),
      imports: this.#solver.allocate(facts.imports.count * 2),
    };
    this.#memos[file.id] = memos;
    return memos;
  }

  /** A name declared to be one from further out (`global`, `nonlocal`): the nearest enclosing function that binds the name, else the module. */
  #outer(file: FileState, scope: ScopeRow, name: NameNumber): BindingRow {
    const { scopes, bindings } = file.facts;
    for (let at = scopes.parent[scope] ?? NONE; at !== NONE; at = scopes.parent[at] ?? NONE) {
      if (file.isClassScope(at)) continue;
      const row = file.firstBinding(at, name);
      if (row !== NONE && bindings.kind[row] !== binding.global) return row;
    }
    return NONE;
  }

  kept(key: symbol): Map<number, unknown> {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = new Map<number, unknown>();
    this.#kept.set(key, made);
    return made;
  }

  builtin(type: string, args: readonly ValueSet[] = []): ValueSet {
    const { values } = this;
    return values.single(values.builtin(this.nameOf(type), this.values.boundedArgs(args)));
  }
}

/** Where a memo has no answer yet. */
const UNKNOWN_YET = -1 as ValueSet;

function noSets(rows: number): ColumnOf<ValueSet> {
  return new Int32Array(rows).fill(UNKNOWN_YET) as ColumnOf<ValueSet>;
}

function knownNames(intern: (name: string) => NameNumber): KnownNames {
  return {
    default: intern('default'),
    stars: intern('*stars'),
    whole: intern('*whole'),
    exports: intern('exports'),
    module: intern('module'),
    signature: intern('()'),
  };
}
