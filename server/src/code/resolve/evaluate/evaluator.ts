/**
 * Lazy evaluation of the facts: what an expression, a type, a binding, a symbol or a call may be.
 *
 * Answers are sets of abstract values. Every query that leaves its row's unit says so to `Dependencies`; circles end at their least fixed point
 * in `Solver`. Nothing here knows sites or edges. Memos belong to one update: `begin` starts afresh.
 */
import { BINDING_KINDS, NONE } from '../../../model/facts';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import { bodyOf, type Dependencies } from '../dependencies';
import type { FileState } from '../fileState';
import type { ModuleResolver } from '../modules/moduleResolver';
import type { Project } from '../project';
import { NOTHING, SET_UNKNOWN, SET_WEAK, VALUE, type Values } from '../values';
import type { Arguments } from './calls';
import { elementsPushed } from './containers';
import { parameterFromContext, resolvedBy } from './context';
import { elementsOf, evaluateExpression } from './expressions';
import { type ClassLink, declarationsOf, linkClasses, mergedInto } from './hierarchy';
import { awaited, type ExportedBinding, exportNamed, importedValue } from './imports';
import { Solver } from './solver';
import { evaluateType, instancesOf } from './types';

/** What a name is asked for: the thing itself, or an instance of the type it names. */
export type Mode = 0 | 1;
export const AS_VALUE: Mode = 0;
export const AS_TYPE: Mode = 1;

const kinds = symbolKindCode;
const binding = Object.fromEntries(BINDING_KINDS.map((kind, code) => [kind, code])) as Record<(typeof BINDING_KINDS)[number], number>;

/** Deepest nesting of expressions, across queries, that is followed: what the stack of a worker or the main thread surely holds. */
const MAX_NESTING = 300;

/** Depth of type arguments inside type arguments that is kept. */
const MAX_TYPE_DEPTH = 3;

interface Memos {
  readonly value: Int32Array;
  readonly valueOwner: Int32Array;
  readonly type: Int32Array;
  readonly typeOwner: Int32Array;
  /** First slots of the tables, both modes after each other where there are two. */
  readonly bindings: number;
  readonly symbols: number;
  readonly returns: number;
  readonly imports: number;
}

export class Evaluator {
  readonly solver: Solver;
  /** Numbers of names that are asked for again and again. */
  readonly known: KnownNames;
  readonly #memos: (Memos | undefined)[] = [];
  readonly #exportSlots = new Map<string, number>();
  readonly #searching = new Set<number>();
  #cuts = 0;
  readonly #exportedBindings = new Map<number, ExportedBinding | undefined>();
  readonly #guardSlots = new Map<number, number>();
  readonly #hierarchies = new Map<number, readonly ClassLink[]>();
  readonly #linking = new Set<number>();
  #depth = 0;

  constructor(
    readonly project: Project,
    readonly values: Values,
    readonly dependencies: Dependencies,
    readonly modules: ModuleResolver,
  ) {
    this.solver = new Solver(values);
    this.known = knownNames(name => project.names.intern(name));
  }

  /** Forgets every answer: facts have changed. */
  begin(): void {
    this.values.clear();
    this.solver.clear();
    this.#memos.length = 0;
    this.#exportSlots.clear();
    this.#guardSlots.clear();
    this.#exportedBindings.clear();
    this.#searching.clear();
    this.#hierarchies.clear();
    this.#linking.clear();
    this.#depth = 0;
    this.dependencies.current = -1;
  }

  nameOf(text: string): number {
    return this.project.names.intern(text);
  }

  valueOf(file: FileState, row: number): number {
    if (row < 0) return NOTHING;
    const memos = this.#memosOf(file);
    return this.#expression(file, row, memos.value, memos.valueOwner, evaluateExpression);
  }

  /** Instances of the type that a row spells. */
  typeOf(file: FileState, row: number): number {
    if (row < 0) return NOTHING;
    const memos = this.#memosOf(file);
    return this.#expression(file, row, memos.type, memos.typeOwner, evaluateType);
  }

  /** Binding row that a name means when seen from a scope, or `NONE`. */
  lookup(file: FileState, scope: number, name: number): number {
    const { scopes, bindings } = file.facts;
    const skipsClasses = file.family === 'python';
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

  /** What the bindings of one name in one scope are; `first` is the first of them. */
  binding(file: FileState, first: number, mode: Mode): number {
    const slot = this.#memosOf(file).bindings + first * 2 + mode;
    return this.query(slot, this.unitOfBinding(file, first), () => this.#bindingRows(file, first, mode));
  }

  symbol(file: FileState, row: number, mode: Mode): number {
    const slot = this.#memosOf(file).symbols + row * 2 + mode;
    return this.query(slot, this.unitOfSymbol(file, row), () => (mode === AS_TYPE ? this.#symbolType(file, row) : this.#symbolValue(file, row)));
  }

  /** What calling a function gives, before type arguments are put in. */
  returned(file: FileState, functionRow: number): number {
    const slot = this.#memosOf(file).returns + functionRow;
    const known = this.solver.peek(slot);
    const unit = this.unitOfFunction(file, functionRow);
    if (known >= 0) {
      this.dependencies.consult(unit);
      return known;
    }
    return this.query(slot, unit, () => this.#returnedBy(file, functionRow));
  }

  imported(file: FileState, row: number, mode: Mode): number {
    const slot = this.#memosOf(file).imports + row * 2 + mode;
    const unit = this.dependencies.importRow(file.id, row);
    return this.query(slot, unit, () => importedValue(this, file, row, mode));
  }

  /** What importing `name` from a file gives. */
  exported(file: FileState, name: number, mode: Mode): number {
    const key = `${file.id},${name},${mode}`;
    let slot = this.#exportSlots.get(key);
    if (slot === undefined) {
      slot = this.solver.allocate(1);
      this.#exportSlots.set(key, slot);
    }
    return this.query(slot, this.dependencies.unit(file.id, name), () => exportNamed(this, file, name, mode));
  }

  /** The class and everything it inherits from, nearest first. */
  hierarchy(node: number): readonly ClassLink[] {
    const file = this.project.ownerOf(node);
    if (file === undefined) return [];
    const unit = this.unitOfSymbol(file, this.project.rowOf(node));
    this.dependencies.consult(unit);
    const known = this.#hierarchies.get(node);
    if (known !== undefined) return known;
    if (this.#linking.has(node)) return [{ node, args: 0, open: false }];
    const before = this.dependencies.current;
    this.dependencies.current = unit;
    this.#linking.add(node);
    const outerLow = this.solver.low;
    const links = linkClasses(this, file, this.project.rowOf(node), node);
    this.#linking.delete(node);
    this.dependencies.current = before;
    if (this.#linking.size === 0 && this.solver.low === outerLow) this.#hierarchies.set(node, links);
    return links;
  }

  /** Keeps the binding behind an exported name for this update; circles find nothing. */
  remembered(file: FileState, name: number, find: () => ExportedBinding | undefined): ExportedBinding | undefined {
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

  /** Computes a member look-up that may meet itself; its answer is not kept, since whoever asks must note what it rests on. */
  guarded(value: number, name: number, mode: Mode, compute: () => number): number {
    const key = (value * 2 + mode) * 4194304 + name;
    let slot = this.#guardSlots.get(key);
    if (slot === undefined) {
      slot = this.solver.allocate(1);
      this.#guardSlots.set(key, slot);
    }
    const known = this.solver.peek(slot);
    if (known >= 0) return known;
    const answer = this.solver.solve(slot, compute);
    this.solver.forget(slot);
    return answer;
  }

  query(slot: number, unit: number, compute: () => number): number {
    const { dependencies, solver } = this;
    dependencies.consult(unit);
    const known = solver.peek(slot);
    if (known >= 0) return known;
    const before = dependencies.current;
    dependencies.current = unit;
    const answer = solver.solve(slot, compute);
    dependencies.current = before;
    return answer;
  }

  /** Runs `compute` on behalf of the body of a unit: sites do. */
  inBody<T>(unit: number, compute: () => T): T {
    const before = this.dependencies.current;
    this.dependencies.current = bodyOf(unit);
    const answer = compute();
    this.dependencies.current = before;
    return answer;
  }

  unitOfSymbol(file: FileState, row: number): number {
    const { dependencies } = this;
    const unit = row < 0 ? NONE : file.unitOfSymbol(row);
    if (unit === NONE) return dependencies.unit(file.id, -1);
    const { symbols } = file.facts;
    const parent = symbols.parent[unit] ?? NONE;
    const name = file.name(symbols.name[unit] ?? 0);
    if (parent === NONE) return dependencies.unit(file.id, name);
    return dependencies.member(dependencies.unit(file.id, file.name(symbols.name[parent] ?? 0)), name, file.id);
  }

  unitOfScope(file: FileState, scope: number): number {
    return this.unitOfSymbol(file, file.unitOfScope(scope));
  }

  unitOfBinding(file: FileState, row: number): number {
    const { bindings } = file.facts;
    const symbol = bindings.symbol[row] ?? NONE;
    if (symbol !== NONE) return this.unitOfSymbol(file, symbol);
    const scope = bindings.scope[row] ?? 0;
    return scope === 0 ? this.dependencies.unit(file.id, file.name(bindings.name[row] ?? 0)) : this.unitOfScope(file, scope);
  }

  unitOfFunction(file: FileState, row: number): number {
    const symbol = file.facts.functions.symbol[row] ?? NONE;
    return symbol !== NONE ? this.unitOfSymbol(file, symbol) : this.unitOfScope(file, file.facts.functions.scope[row] ?? 0);
  }

  /** Unit of a member of a class, there or not: asking for it is a dependency. */
  consultMember(file: FileState, container: number, name: number): void {
    const { symbols } = file.facts;
    if ((symbols.parent[container] ?? NONE) !== NONE) return;
    const { dependencies } = this;
    dependencies.consult(dependencies.member(dependencies.unit(file.id, file.name(symbols.name[container] ?? 0)), name, file.id));
  }

  #expression(file: FileState, row: number, memo: Int32Array, owners: Int32Array, evaluate: (ev: Evaluator, file: FileState, row: number) => number): number {
    const { dependencies, solver } = this;
    const known = memo[row] ?? -1;
    if (known >= 0) {
      dependencies.consult(owners[row] ?? -1);
      return known;
    }
    if (this.#depth > MAX_NESTING) return SET_UNKNOWN;
    const outerLow = solver.low;
    solver.low = Number.MAX_SAFE_INTEGER;
    this.#depth++;
    const answer = evaluate(this, file, row);
    this.#depth--;
    if (solver.low === Number.MAX_SAFE_INTEGER) {
      memo[row] = answer;
      owners[row] = dependencies.current;
    }
    solver.low = Math.min(outerLow, solver.low);
    return answer;
  }

  #memosOf(file: FileState): Memos {
    const known = this.#memos[file.id];
    if (known !== undefined) return known;
    const { facts } = file;
    const rows = facts.expressions.count;
    const memos: Memos = {
      value: new Int32Array(rows).fill(-1),
      valueOwner: new Int32Array(rows),
      type: new Int32Array(rows).fill(-1),
      typeOwner: new Int32Array(rows),
      bindings: this.solver.allocate(facts.bindings.count * 2),
      symbols: this.solver.allocate(facts.symbols.count * 2),
      returns: this.solver.allocate(facts.functions.count),
      imports: this.solver.allocate(facts.imports.count * 2),
    };
    this.#memos[file.id] = memos;
    return memos;
  }

  /** Python's `global` and `nonlocal`: the nearest enclosing function that binds the name, else the module. */
  #outer(file: FileState, scope: number, name: number): number {
    const { scopes, bindings } = file.facts;
    for (let at = scopes.parent[scope] ?? NONE; at !== NONE; at = scopes.parent[at] ?? NONE) {
      if (file.isClassScope(at)) continue;
      const row = file.firstBinding(at, name);
      if (row !== NONE && bindings.kind[row] !== binding.global) return row;
    }
    return NONE;
  }

  #bindingRows(file: FileState, first: number, mode: Mode): number {
    let answer = NOTHING;
    let declared = NOTHING;
    const { bindings } = file.facts;
    const initial = mode === AS_VALUE && file.family !== 'python' ? this.#initialType(file, first) : NOTHING;
    if (initial !== NOTHING) return initial;
    for (let row = first; row !== NONE; row = file.nextBinding(row)) {
      const type = bindings.type[row] ?? NONE;
      const kind = bindings.kind[row] ?? 0;
      if (type !== NONE && kind === binding.variable && mode === AS_VALUE && file.family !== 'python')
        declared = this.values.union(declared, this.typeOf(file, type));
      else if (bindings.symbol[row] !== NONE && kind === binding.variable)
        answer = this.values.union(answer, this.symbol(file, bindings.symbol[row] ?? 0, mode));
      else answer = this.values.union(answer, this.#bindingRow(file, row, kind, mode));
    }
    return declared === NOTHING ? answer : declared;
  }

  /** A variable that starts as an object keeps that type in TypeScript, whatever is assigned later; functions and unknowns do not decide. */
  #initialType(file: FileState, first: number): number {
    const { bindings } = file.facts;
    if (file.nextBinding(first) === NONE) return NOTHING;
    const symbol = bindings.symbol[first] ?? NONE;
    const value = bindings.value[first] ?? NONE;
    if (symbol === NONE ? bindings.kind[first] !== binding.variable : !this.#isVariable(file, symbol)) return NOTHING;
    if ((value === NONE && symbol === NONE) || (bindings.type[first] ?? NONE) !== NONE) return NOTHING;
    const set = symbol === NONE ? this.valueOf(file, value) : this.symbol(file, symbol, AS_VALUE);
    const isObject =
      set !== NOTHING &&
      this.values.members(set).every(member => {
        const kind = this.values.kindOf(member);
        return kind === VALUE.instance || kind === VALUE.object || kind === VALUE.objectType;
      });
    return isObject ? set : NOTHING;
  }

  #isVariable(file: FileState, symbol: number): boolean {
    const kind = file.facts.symbols.kind[symbol];
    return kind === kinds.variable || kind === kinds.constant;
  }

  #bindingRow(file: FileState, row: number, kind: number, mode: Mode): number {
    const { bindings } = file.facts;
    const type = bindings.type[row] ?? NONE;
    const value = bindings.value[row] ?? NONE;
    switch (kind) {
      case binding.symbol: {
        const symbol = bindings.symbol[row] ?? 0;
        const held = this.symbol(file, symbol, mode);
        const isAssigned = mode === AS_VALUE && value !== NONE && value !== file.facts.symbols.value[symbol] && this.#isVariable(file, symbol);
        return isAssigned && (file.facts.symbols.type[symbol] ?? NONE) === NONE ? this.values.union(held, this.valueOf(file, value)) : held;
      }
      case binding.import:
        return this.imported(file, bindings.import[row] ?? 0, mode);
      case binding.parameter:
        return mode === AS_TYPE ? instancesOf(this, this.#parameter(file, row)) : this.#parameter(file, row);
      case binding.self:
        return this.selfOf(file, row);
      case binding.typeParameter:
        return this.values.single(this.values.value(VALUE.typeParameter, file.id, row));
      default: {
        if (mode === AS_TYPE) return value === NONE ? NOTHING : this.typeOf(file, value);
        const held = value === NONE ? NOTHING : this.valueOf(file, value);
        if (type === NONE) return held;
        return file.family === 'python' && this.#isPrecise(held) ? held : this.typeOf(file, type);
      }
    }
  }

  /** Python narrows a declared variable to what is assigned. */
  #isPrecise(set: number): boolean {
    const members = this.values.members(set);
    return members.length > 0 && members.every(value => this.values.kindOf(value) === VALUE.instance);
  }

  #parameter(file: FileState, row: number): number {
    const { bindings } = file.facts;
    const type = bindings.type[row] ?? NONE;
    if (type !== NONE) return this.typeOf(file, type);
    const value = bindings.value[row] ?? NONE;
    const fallback = value === NONE ? NOTHING : this.valueOf(file, value);
    const context = parameterFromContext(this, file, row);
    return context === NOTHING && fallback === NOTHING ? SET_UNKNOWN : this.values.union(context, fallback);
  }

  /** Value of the receiver parameter of a method. */
  selfOf(file: FileState, row: number): number {
    const { bindings, functions, symbols } = file.facts;
    const symbol = functions.symbol[bindings.function[row] ?? NONE] ?? NONE;
    const owner = symbol === NONE ? (bindings.symbol[row] ?? NONE) : (symbols.parent[symbol] ?? NONE);
    if (owner === NONE) return NOTHING;
    const node = file.symbolNodes[owner] ?? 0;
    const isClass = symbol !== NONE && ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.classMethod) !== 0;
    return this.values.single(this.values.value(isClass ? VALUE.class : VALUE.instance, node, 1));
  }

  #symbolType(file: FileState, row: number): number {
    const { symbols } = file.facts;
    const kind = symbols.kind[row] ?? 0;
    const node = file.symbolNodes[mergedInto(file, row)] ?? 0;
    switch (kind) {
      case kinds.class:
      case kinds.interface:
      case kinds.enum:
      case kinds.struct:
      case kinds.trait:
        return this.values.single(this.values.value(VALUE.instance, node));
      case kinds.enum_member:
        return this.values.single(this.values.value(VALUE.instance, file.symbolNodes[symbols.parent[row] ?? row] ?? node));
      case kinds.type:
        return this.typeOf(file, symbols.type[row] ?? NONE);
      case kinds.namespace:
      case kinds.module:
        return declarationsOf(file, row).length > 1 ? NOTHING : this.values.single(this.values.value(VALUE.namespace, node));
      case kinds.function:
        return NOTHING;
      default: {
        const value = symbols.value[row] ?? NONE;
        return value === NONE ? NOTHING : this.typeOf(file, value);
      }
    }
  }

  #symbolValue(file: FileState, row: number): number {
    const { symbols } = file.facts;
    const kind = symbols.kind[row] ?? 0;
    const node = file.symbolNodes[mergedInto(file, row)] ?? 0;
    const { values } = this;
    switch (kind) {
      case kinds.interface:
        return file.family === 'python' ? values.single(values.value(VALUE.class, node)) : NOTHING;
      case kinds.class:
      case kinds.enum:
      case kinds.struct:
      case kinds.trait:
        return values.single(values.value(VALUE.class, node));
      case kinds.namespace:
      case kinds.module:
        return values.single(values.value(VALUE.namespace, node));
      case kinds.type:
        return NOTHING;
      case kinds.enum_member:
        return values.single(values.value(VALUE.instance, file.symbolNodes[symbols.parent[row] ?? row] ?? node));
      default: {
        const functionRow = symbols.function[row] ?? NONE;
        const modifiers = symbols.modifiers[row] ?? 0;
        if (functionRow !== NONE && (modifiers & (MODIFIERS.getter | MODIFIERS.property)) !== 0) return this.returned(file, functionRow);
        if (functionRow !== NONE || kind === kinds.function || kind === kinds.method || kind === kinds.constructor) {
          if ((modifiers & MODIFIERS.setter) !== 0) return NOTHING;
          return values.single(values.value(VALUE.function, node));
        }
        return this.#held(file, row);
      }
    }
  }

  /** What a variable, field or property holds. */
  #held(file: FileState, row: number): number {
    const { symbols, assignments } = file.facts;
    const { values } = this;
    const type = symbols.type[row] ?? NONE;
    const isPython = file.family === 'python';
    if (type !== NONE && !isPython) return this.typeOf(file, type);
    const value = symbols.value[row] ?? NONE;
    let answer = value === NONE ? NOTHING : this.valueOf(file, value);
    let declared = type === NONE ? NOTHING : this.typeOf(file, type);
    for (const assignment of file.assignmentsTo(row)) {
      const assignedType = assignments.type[assignment] ?? NONE;
      if (assignedType !== NONE) declared = values.union(declared, this.typeOf(file, assignedType));
      const assigned = assignments.value[assignment] ?? NONE;
      if (assigned !== value) answer = values.union(answer, this.valueOf(file, assigned));
    }
    if (declared !== NOTHING) return declared;
    return answer;
  }

  #returnedBy(file: FileState, row: number): number {
    const { functions, lists } = file.facts;
    const { values } = this;
    const modifiers = functions.modifiers[row] ?? 0;
    const isAsync = (modifiers & MODIFIERS.async) !== 0;
    const isGenerator = (modifiers & MODIFIERS.generator) !== 0;
    const isPython = file.family === 'python';
    const declared = functions.returnType[row] ?? NONE;
    if (declared !== NONE) {
      const type = this.typeOf(file, declared);
      return isPython && isAsync && !isGenerator ? this.builtin('Coroutine', [type]) : type;
    }
    let answer = NOTHING;
    const start = functions.returnStart[row] ?? 0;
    for (let i = 0; i < (functions.returnCount[row] ?? 0); i++) answer = values.union(answer, this.valueOf(file, lists[start + i] ?? NONE));
    if (isGenerator) return this.builtin(isAsync ? 'AsyncIterator' : 'Iterator', [answer]);
    if (isAsync) return this.builtin(isPython ? 'Coroutine' : 'Promise', [awaited(this, answer)]);
    return answer;
  }

  builtin(type: string, args: readonly number[] = []): number {
    const { values } = this;
    return values.single(values.value(VALUE.builtin, this.nameOf(type), 0, -1, this.boundedArgs(args)));
  }

  /** Number of a list of type arguments, cut off below a fixed depth: a list that holds itself is the same from wherever one starts. */
  boundedArgs(args: readonly number[]): number {
    if (args.length === 0) return 0;
    return this.values.argsOf(this.#nesting(args) > MAX_TYPE_DEPTH ? args.map(set => this.#cutOff(set, MAX_TYPE_DEPTH - 1)) : args);
  }

  #cutOff(set: number, depth: number): number {
    const { values } = this;
    let answer = NOTHING;
    for (const value of values.members(set)) {
      const args = values.argsId(value);
      const inner = args === 0 || depth === 0 ? 0 : values.argsOf(values.args(value).map(arg => this.#cutOff(arg, depth - 1)));
      const cut = args === inner ? value : values.value(values.kindOf(value), values.a(value), values.b(value), values.c(value), inner);
      answer = values.union(answer, values.single(cut));
    }
    return answer;
  }

  /** Type arguments of a new built-in container that its constructor's arguments show. */
  containers(args: Arguments, type: string): readonly number[] {
    const first = args.rows[0];
    const pushed = elementsPushed(this, args.file, args.row);
    const given = first === undefined ? NOTHING : elementsOf(this, this.valueOf(args.file, first));
    if (type === 'Map' || type === 'WeakMap') {
      const entries = this.values.members(given).find(value => this.values.args(value).length === 2);
      const [key, value] = entries === undefined ? [SET_UNKNOWN, NOTHING] : this.values.args(entries);
      const held = this.values.union(value ?? NOTHING, pushed);
      return held === NOTHING ? [] : [key ?? SET_UNKNOWN, held];
    }
    if (type === 'Set' || type === 'WeakSet' || type === 'Array') {
      const held = this.values.union(type === 'Array' ? NOTHING : given, pushed);
      return held === NOTHING ? [] : [held];
    }
    if (type === 'Promise') return [resolvedBy(this, args)];
    return [];
  }

  /** Depth of type arguments inside type arguments: bounded so that circles end. */
  #nesting(args: readonly number[]): number {
    let deepest = 0;
    for (const set of args) {
      for (const value of this.values.members(set)) {
        if (this.values.argsId(value) !== 0) deepest = Math.max(deepest, this.#nesting(this.values.args(value)));
      }
    }
    return deepest + 1;
  }

  weaken(set: number): number {
    return set === NOTHING ? NOTHING : this.values.union(set, SET_WEAK);
  }
}

export interface KnownNames {
  readonly default: number;
  readonly stars: number;
  readonly whole: number;
  readonly call: number;
  readonly constructor: number;
  /** Key of call signatures in object types. */
  readonly signature: number;
}

function knownNames(intern: (name: string) => number): KnownNames {
  return {
    default: intern('default'),
    stars: intern('*stars'),
    whole: intern('*whole'),
    call: intern('__call__'),
    constructor: intern('constructor'),
    signature: intern('()'),
  };
}
