import type { Branded } from '../../base/branded';
import type { BindingRow, ExpressionRow, FunctionRow } from '../../model/facts';
import type { NodeHandle } from '../../model/ids';
import type { FileNumber, NameNumber, PackageNumber } from './numbers';
import { NumberedLists } from './tables/numberedLists';
import { PairTable } from './tables/pairTable';

/** An abstract value. */
export type Value = Branded<'Value'>;
/** A set of values: what an expression may be. */
export type ValueSet = Branded<'ValueSet'>;
/** A list of sets: the type arguments of a value. */
export type TypeArguments = Branded<'TypeArguments'>;

/**
 * Abstract values and sets of them, hash-consed: equal values and equal sets have equal numbers, so a comparison is `===` and a memo is an `Int32Array`.
 *
 * A set is what an expression may be. Three members are marks rather than values: `UNKNOWN` (may also be anything else), `WEAK` (known by a chain
 * that is likely, not certain) and `EXTERNAL` (something outside the project). A set with more than `MAX_ALTERNATIVES` values collapses to unknown.
 * Numbers are valid until `clear()`. Values are made and read by name: what a number of one kind means is said by the accessor that gives it.
 */
export const VALUE = {
  unknown: 0,
  weak: 1,
  external: 2,
  /** Instance of a built-in type, with its type arguments. */
  builtin: 3,
  /** A built-in class object. */
  builtinClass: 4,
  /** Member of a built-in receiver value, by name. */
  builtinMethod: 5,
  /** Class-like symbol as a value, with type arguments. */
  class: 6,
  /** Instance of a class-like symbol; marked `SELF` for `this`/`self`, which stands for subclasses too. */
  instance: 7,
  /** Function or method symbol, with the receiver value or -1. */
  function: 8,
  /** Anonymous function: file and row of its functions. */
  lambda: 9,
  /** Namespace of a module. */
  module: 10,
  /** Folder that is a package by itself. */
  folder: 11,
  /** Object literal: file and expression row. */
  object: 12,
  /** Object type: file and expression row. */
  objectType: 13,
  /** Function type: file and expression row. */
  functionType: 14,
  /** `super` in a class, in a static context or not. */
  super: 15,
  /** Type parameter: file and binding row. */
  typeParameter: 16,
  /** Namespace, enum object or other container symbol. */
  namespace: 17,
  /** Package, by its number in `PackageIndex`. */
  package: 18,
} as const;

/** Kinds whose subject is a node. */
const OF_NODES: ReadonlySet<number> = new Set([VALUE.class, VALUE.instance, VALUE.function, VALUE.namespace, VALUE.super]);

/** Marks a class or an instance that is the receiver's own: it stands for subclasses too. */
export const SELF = 1;
/** Marks a class known only as a type of classes: it may be a subclass. */
export const OPEN_CLASS = 2;

/** Sets made before all others. */
export const NOTHING = 0 as ValueSet;
export const SET_UNKNOWN = 1 as ValueSet;
export const SET_WEAK = 2 as ValueSet;
export const SET_EXTERNAL = 3 as ValueSet;

/** The mark that a set may be anything else, too. */
export const UNKNOWN_VALUE = 0 as Value;
/** Stands for no receiver. */
export const NO_VALUE = -1 as Value;
export const NO_ARGUMENTS = 0 as TypeArguments;

const MAX_ALTERNATIVES = 24;
/** Depth of type arguments inside type arguments that is kept. */
const MAX_TYPE_DEPTH = 3;

/** Values that move to a table of twice the size with each value that is added. */
const MOVED_AT_ONCE = 4;
/** Columns of a value. */
const COLUMNS = 5;
/** Tables of more slots than this are made anew by `clear` instead of wiped. */
const KEPT_SLOTS = 1 << 16;

export class Values {
  /** Kind, subject, second and third part, and type arguments of each value, one after the other. */
  #rows = new Int32Array(1024 * COLUMNS);
  #count = 0;
  /** Open addressing over values: number plus one, 0 for free. */
  #table = new Int32Array(4096);
  /** The table before this one, as long as not all of its values have moved. */
  #before: Int32Array | undefined;
  /** Values below this are in `#table`, as are all that were added since it was made. */
  #moved = 0;
  /** Values that `#before` holds. */
  #toMove = 0;
  readonly #argLists = new NumberedLists<TypeArguments, ValueSet>();
  readonly #sets = new NumberedLists<ValueSet, Value>();
  #singletons: ValueSet[] = [];
  readonly #unions = new PairTable<ValueSet, ValueSet, ValueSet>();
  /** Sets cut off below a depth. */
  readonly #cuts = new PairTable<ValueSet, number, ValueSet>();
  /** Depth of type arguments inside type arguments, by the number of their list. */
  readonly #depths: (number | undefined)[] = [];

  constructor() {
    this.clear();
  }

  clear(): void {
    this.#count = 0;
    if (this.#table.length > KEPT_SLOTS) this.#table = new Int32Array(4096);
    else this.#table.fill(0);
    this.#before = undefined;
    if (this.#rows.length > KEPT_SLOTS * COLUMNS) this.#rows = new Int32Array(1024 * COLUMNS);
    this.#argLists.clear();
    this.#sets.clear();
    this.#singletons = [];
    this.#unions.clear();
    this.#cuts.clear();
    this.#depths.length = 0;
    for (const kind of [VALUE.unknown, VALUE.weak, VALUE.external]) this.single(this.#value(kind, 0));
  }

  /** A class-like symbol as a value. `mark`: `SELF`, `OPEN_CLASS` or 0; `args`: number of its type arguments. */
  classOf(node: NodeHandle, mark = 0, args = NO_ARGUMENTS): Value {
    return this.#value(VALUE.class, node, mark, -1, args);
  }

  /** An instance of a class-like symbol. `mark`: `SELF` or 0. */
  instance(node: NodeHandle, mark = 0, args = NO_ARGUMENTS): Value {
    return this.#value(VALUE.instance, node, mark, -1, args);
  }

  /** An instance of a built-in type by the number of its name, `family.type`. */
  builtin(name: NameNumber, args = NO_ARGUMENTS): Value {
    return this.#value(VALUE.builtin, name, 0, -1, args);
  }

  builtinClass(name: NameNumber, args = NO_ARGUMENTS): Value {
    return this.#value(VALUE.builtinClass, name, 0, -1, args);
  }

  /** A member of a built-in value; `callsReceiver` 1: a way to call the receiver itself (`f.call`, `f.bind`). */
  builtinMethod(callsReceiver: number, name: NameNumber, receiver: Value): Value {
    return this.#value(VALUE.builtinMethod, callsReceiver, name, receiver);
  }

  /** Something outside the project by its name. */
  external(name: NameNumber): Value {
    return this.#value(VALUE.external, name);
  }

  /** A function or method symbol, bound to a receiver value or to none (-1). */
  functionOf(node: NodeHandle, receiver = NO_VALUE): Value {
    return this.#value(VALUE.function, node, 0, receiver);
  }

  /** An anonymous function by its row of `functions`. */
  lambda(file: FileNumber, row: FunctionRow): Value {
    return this.#value(VALUE.lambda, file, row);
  }

  /** The names of a module. `mark`: that they stand beside what the module is as a whole. */
  module(file: FileNumber, mark = 0): Value {
    return this.#value(VALUE.module, file, mark);
  }

  /** A folder that is a package by itself, by its path, with the family of those who import it. */
  folder(path: NameNumber, family: NameNumber): Value {
    return this.#value(VALUE.folder, path, family);
  }

  object(file: FileNumber, row: ExpressionRow): Value {
    return this.#value(VALUE.object, file, row);
  }

  objectType(file: FileNumber, row: ExpressionRow): Value {
    return this.#value(VALUE.objectType, file, row);
  }

  /** A function type by its row; `form` 1: the row is the type of the result alone. */
  functionType(file: FileNumber, row: ExpressionRow, form = -1): Value {
    return this.#value(VALUE.functionType, file, row, form);
  }

  /** `super` in a class; `isStatic` 1 in a static context. */
  superOf(node: NodeHandle, isStatic: number): Value {
    return this.#value(VALUE.super, node, isStatic);
  }

  typeParameter(file: FileNumber, binding: BindingRow): Value {
    return this.#value(VALUE.typeParameter, file, binding);
  }

  namespace(node: NodeHandle): Value {
    return this.#value(VALUE.namespace, node);
  }

  packageOf(number: PackageNumber): Value {
    return this.#value(VALUE.package, number);
  }

  /** The value with other type arguments. */
  withArgs(value: Value, args: TypeArguments): Value {
    return this.#value(this.kindOf(value), this.subject(value), this.#second(value), this.#third(value), args);
  }

  /** A class for its instance, an instance for its class, of built-in types too; type arguments stay. */
  ofKind(value: Value, kind: number, mark = 0): Value {
    return this.#value(kind, this.subject(value), mark, -1, this.argsId(value));
  }

  /** Number of a list of sets (type arguments); 0 for none. */
  argsOf(sets: readonly ValueSet[]): TypeArguments {
    return this.#argLists.number(sets);
  }

  kindOf(value: Value): number {
    return this.#rows[value * COLUMNS] ?? 0;
  }

  /** What a value is about: its node, name, file or package, as its kind has it. For comparisons of values of one kind. */
  subject(value: Value): number {
    return this.#rows[value * COLUMNS + 1] ?? 0;
  }

  /** Node of a class, instance, function, namespace or `super`. */
  node(value: Value): NodeHandle {
    return this.subject(value) as NodeHandle;
  }

  /** True for a class, instance, function, namespace or `super` of this node; the subject of other kinds is another sort of number. */
  isOf(value: Value, node: NodeHandle): boolean {
    return OF_NODES.has(this.kindOf(value)) && this.subject(value) === node;
  }

  /** Number of the name of a built-in type, of something outside (0: not known), or of a folder. */
  name(value: Value): NameNumber {
    return this.subject(value) as NameNumber;
  }

  /** Number of the file of a module, lambda, object, type or type parameter. */
  file(value: Value): FileNumber {
    return this.subject(value) as FileNumber;
  }

  package(value: Value): PackageNumber {
    return this.subject(value) as PackageNumber;
  }

  /** Row of a lambda in `functions`, of a type parameter in `bindings`, of an object or type in `expressions`. */
  row(value: Value): FunctionRow & BindingRow & ExpressionRow {
    return this.#second(value) as FunctionRow & BindingRow & ExpressionRow;
  }

  /** How a class, an instance or a module is meant: `SELF`, `OPEN_CLASS`, … */
  mark(value: Value): number {
    return this.#second(value);
  }

  /** Name of the member that a built-in method is; of a folder the family of those who import it. */
  member(value: Value): NameNumber {
    return this.#second(value) as NameNumber;
  }

  isStaticSuper(value: Value): boolean {
    return this.#second(value) === 1;
  }

  /** Value that a method is bound to, or -1. */
  receiver(value: Value): Value {
    return this.#third(value) as Value;
  }

  /** True for the ways to call a function value itself. */
  callsReceiver(value: Value): boolean {
    return this.subject(value) === 1;
  }

  /** True for a function type whose row is the type of its result. */
  isResultOnly(value: Value): boolean {
    return this.#third(value) === 1;
  }

  #second(value: Value): number {
    return this.#rows[value * COLUMNS + 2] ?? 0;
  }

  #third(value: Value): number {
    return this.#rows[value * COLUMNS + 3] ?? -1;
  }

  argsId(value: Value): TypeArguments {
    return (this.#rows[value * COLUMNS + 4] ?? 0) as TypeArguments;
  }

  args(value: Value): readonly ValueSet[] {
    return this.#argLists.list(this.argsId(value));
  }

  argList(args: TypeArguments): readonly ValueSet[] {
    return this.#argLists.list(args);
  }

  single(value: Value): ValueSet {
    const known = this.#singletons[value];
    if (known !== undefined) return known;
    const set = this.#sets.number([value]);
    this.#singletons[value] = set;
    return set;
  }

  members(set: ValueSet): readonly Value[] {
    return this.#sets.list(set);
  }

  union(left: ValueSet, right: ValueSet): ValueSet {
    if (left === right || right === NOTHING) return left;
    if (left === NOTHING) return right;
    const low = left < right ? left : right;
    const high = left < right ? right : left;
    const known = this.#unions.get(low, high);
    if (known >= 0) return known;
    const set = this.#setOf([...this.members(left), ...this.members(right)]);
    this.#unions.set(low, high, set);
    return set;
  }

  /** Set of values given in any order, with repetitions. */
  setOf(values: readonly Value[]): ValueSet {
    if (values.length === 0) return NOTHING;
    if (values.length === 1) return this.single(values[0] ?? UNKNOWN_VALUE);
    return this.#setOf([...values]);
  }

  has(set: ValueSet, value: Value): boolean {
    return this.members(set).includes(value);
  }

  /** Number of a list of type arguments, cut off below a fixed depth: a list that holds itself is the same from wherever one starts. */
  boundedArgs(args: readonly ValueSet[]): TypeArguments {
    if (args.length === 0) return NO_ARGUMENTS;
    return this.argsOf(this.#nesting(args) > MAX_TYPE_DEPTH ? args.map(set => this.#cutOff(set, MAX_TYPE_DEPTH - 1)) : args);
  }

  #cutOff(set: ValueSet, depth: number): ValueSet {
    const known = this.#cuts.get(set, depth);
    if (known >= 0) return known;
    const cut = this.members(set).map(value => {
      const args = this.argsId(value);
      const inner = args === NO_ARGUMENTS || depth === 0 ? NO_ARGUMENTS : this.argsOf(this.args(value).map(arg => this.#cutOff(arg, depth - 1)));
      return args === inner ? value : this.withArgs(value, inner);
    });
    const answer = this.setOf(cut);
    this.#cuts.set(set, depth, answer);
    return answer;
  }

  /** Depth of type arguments inside type arguments: bounded so that cycles end. */
  #nesting(args: readonly ValueSet[]): number {
    let deepest = 0;
    for (const set of args) {
      for (const value of this.members(set)) {
        const inner = this.argsId(value);
        if (inner === NO_ARGUMENTS) continue;
        this.#depths[inner] ??= this.#nesting(this.#argLists.list(inner));
        deepest = Math.max(deepest, this.#depths[inner] ?? 0);
      }
    }
    return deepest + 1;
  }

  #value(kind: number, subject: number, second = 0, third = -1, args: number = NO_ARGUMENTS): Value {
    const slot = this.#find(this.#table, kind, subject, second, third, args);
    if (slot < 0) return ~slot as Value;
    if (this.#before === undefined) return this.#add(slot, kind, subject, second, third, args);
    const earlier = this.#find(this.#before, kind, subject, second, third, args);
    if (earlier < 0) return ~earlier as Value;
    this.#moveSome();
    // What has moved may have taken the slot.
    return this.#add(this.#find(this.#table, kind, subject, second, third, args), kind, subject, second, third, args);
  }

  /** The number of a value as its complement, or the free slot for it. */
  #find(table: Int32Array, kind: number, subject: number, second: number, third: number, args: number): number {
    const rows = this.#rows;
    const mask = table.length - 1;
    let slot = hashOf(kind, subject, second, third, args) & mask;
    for (let found = table[slot] ?? 0; found !== 0; found = table[slot] ?? 0) {
      const at = (found - 1) * COLUMNS;
      if (rows[at + 1] === subject && rows[at] === kind && rows[at + 2] === second && rows[at + 3] === third && rows[at + 4] === args) return ~(found - 1);
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #setOf(values: Value[]): ValueSet {
    values.sort((left, right) => left - right);
    const unique: Value[] = [];
    let marks = 0;
    for (const value of values) {
      if (value === unique[unique.length - 1]) continue;
      unique.push(value);
      if (value <= 2) marks++;
    }
    if (unique.length === 1) return this.single(unique[0] ?? UNKNOWN_VALUE);
    if (unique.length - marks > MAX_ALTERNATIVES) return SET_UNKNOWN;
    return this.#sets.number(unique);
  }

  #add(slot: number, kind: number, subject: number, second: number, third: number, args: number): Value {
    const id = this.#count++ as Value;
    const at = id * COLUMNS;
    if (at + COLUMNS > this.#rows.length) {
      const rows = new Int32Array(this.#rows.length * 2);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    const rows = this.#rows;
    rows[at] = kind;
    rows[at + 1] = subject;
    rows[at + 2] = second;
    rows[at + 3] = third;
    rows[at + 4] = args;
    this.#table[slot] = id + 1;
    if (this.#count * 2 > this.#table.length) this.#enlarge();
    return id;
  }

  /** Values move in small steps, not all at once: as many come in before the next time as there are now. */
  #enlarge(): void {
    this.#before = this.#table;
    this.#table = new Int32Array(this.#table.length * 2);
    this.#moved = 0;
    this.#toMove = this.#count;
  }

  #moveSome(): void {
    const rows = this.#rows;
    const mask = this.#table.length - 1;
    const end = Math.min(this.#toMove, this.#moved + MOVED_AT_ONCE);
    for (; this.#moved < end; this.#moved++) {
      const at = this.#moved * COLUMNS;
      let slot = hashOf(rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0, rows[at + 3] ?? 0, rows[at + 4] ?? 0) & mask;
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
      this.#table[slot] = this.#moved + 1;
    }
    if (this.#moved === this.#toMove) this.#before = undefined;
  }
}

function hashOf(kind: number, subject: number, second: number, third: number, args: number): number {
  const mixed = Math.imul(subject * 32 + kind, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b) ^ Math.imul(third + 2, 0xc2b2ae35) ^ Math.imul(args, 0x27d4eb2f);
  return mixed ^ (mixed >>> 15);
}
