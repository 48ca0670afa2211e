/**
 * Abstract values and sets of them, hash-consed: equal values and equal sets have equal numbers, so a comparison is `===` and a memo is an `Int32Array`.
 *
 * A set is what an expression may be. Three members are marks rather than values: `UNKNOWN` (may also be anything else), `WEAK` (known by a chain
 * that is likely, not certain) and `EXTERNAL` (something outside the project). A set with more than `MAX_ALTERNATIVES` values collapses to unknown.
 * Numbers are valid until `clear()`.
 */
export const VALUE = {
  unknown: 0,
  weak: 1,
  external: 2,
  /** Instance of a built-in type: `a` type name, `args` its type arguments. */
  builtin: 3,
  /** A built-in class object: `a` type name. */
  builtinClass: 4,
  /** Member `b` (name) of the built-in receiver value `c`. */
  builtinMethod: 5,
  /** Class-like symbol as a value: `a` node, `args` type arguments. */
  class: 6,
  /** Instance of the class-like symbol `a`; `b` is 1 for `this`/`self`, which stands for subclasses too. */
  instance: 7,
  /** Function or method symbol `a` (node), `c` the receiver value or -1. */
  function: 8,
  /** Anonymous function: file `a`, row `b` of its functions. */
  lambda: 9,
  /** Module namespace of file `a`. */
  module: 10,
  /** Folder `a` (name of a path) that is a Python namespace package. */
  folder: 11,
  /** Object literal: file `a`, expression row `b`. */
  object: 12,
  /** Object type: file `a`, expression row `b`. */
  objectType: 13,
  /** Function type: file `a`, expression row `b`. */
  functionType: 14,
  /** `super` in class `a` (node); `b` is 1 in a static context; `c` the receiver value. */
  super: 15,
  /** Type parameter: file `a`, binding row `b`. */
  typeParameter: 16,
  /** Namespace, enum object or other container symbol `a` (node). */
  namespace: 17,
} as const;

/** Sets made before all others. */
export const NOTHING = 0;
export const SET_UNKNOWN = 1;
export const SET_WEAK = 2;
export const SET_EXTERNAL = 3;

const MAX_ALTERNATIVES = 12;
/** Depth of type arguments inside type arguments that is kept. */
const MAX_TYPE_DEPTH = 3;
const NO_ARGS: readonly number[] = [];

export class Values {
  #kind: number[] = [];
  #a: number[] = [];
  #b: number[] = [];
  #c: number[] = [];
  #args: number[] = [];
  readonly #byKey = new Map<number, number>();
  readonly #byText = new Map<string, number>();
  #argLists: (readonly number[])[] = [NO_ARGS];
  readonly #argsByText = new Map<string, number>();
  #sets: (readonly number[])[] = [];
  readonly #setsByText = new Map<string, number>();
  #singletons: number[] = [];
  readonly #unions = new Map<number, number>();

  constructor() {
    this.clear();
  }

  clear(): void {
    this.#kind = [];
    this.#a = [];
    this.#b = [];
    this.#c = [];
    this.#args = [];
    this.#argLists = [NO_ARGS];
    this.#sets = [NO_ARGS];
    this.#singletons = [];
    for (const map of [this.#byKey, this.#byText, this.#argsByText, this.#setsByText, this.#unions]) map.clear();
    for (const kind of [VALUE.unknown, VALUE.weak, VALUE.external]) this.single(this.value(kind, 0));
  }

  value(kind: number, a: number, b = 0, c = -1, args = 0): number {
    if (c === -1 && args === 0 && b >= 0 && b < 1 << 21 && a >= 0 && a < 1 << 26) {
      const key = (a * 32 + kind) * 2097152 + b;
      const known = this.#byKey.get(key);
      if (known !== undefined) return known;
      const id = this.#add(kind, a, b, c, args);
      this.#byKey.set(key, id);
      return id;
    }
    const text = `${kind},${a},${b},${c},${args}`;
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const id = this.#add(kind, a, b, c, args);
    this.#byText.set(text, id);
    return id;
  }

  /** Number of a list of sets (type arguments); 0 for none. */
  argsOf(sets: readonly number[]): number {
    if (sets.length === 0) return 0;
    const text = sets.join(',');
    const known = this.#argsByText.get(text);
    if (known !== undefined) return known;
    const id = this.#argLists.length;
    this.#argLists.push(sets);
    this.#argsByText.set(text, id);
    return id;
  }

  kindOf(value: number): number {
    return this.#kind[value] ?? 0;
  }
  a(value: number): number {
    return this.#a[value] ?? 0;
  }
  b(value: number): number {
    return this.#b[value] ?? 0;
  }
  c(value: number): number {
    return this.#c[value] ?? -1;
  }
  argsId(value: number): number {
    return this.#args[value] ?? 0;
  }
  args(value: number): readonly number[] {
    return this.#argLists[this.#args[value] ?? 0] ?? NO_ARGS;
  }

  argList(args: number): readonly number[] {
    return this.#argLists[args] ?? NO_ARGS;
  }

  single(value: number): number {
    const known = this.#singletons[value];
    if (known !== undefined) return known;
    const set = this.#sets.length;
    this.#sets.push([value]);
    this.#singletons[value] = set;
    return set;
  }

  members(set: number): readonly number[] {
    return this.#sets[set] ?? NO_ARGS;
  }

  union(left: number, right: number): number {
    if (left === right || right === NOTHING) return left;
    if (left === NOTHING) return right;
    const key = left < right ? left * 16777216 + right : right * 16777216 + left;
    const known = this.#unions.get(key);
    if (known !== undefined) return known;
    const set = this.#setOf([...this.members(left), ...this.members(right)]);
    this.#unions.set(key, set);
    return set;
  }

  /** Set of values given in any order, with repetitions. */
  setOf(values: readonly number[]): number {
    if (values.length === 0) return NOTHING;
    if (values.length === 1) return this.single(values[0] ?? 0);
    return this.#setOf([...values]);
  }

  has(set: number, value: number): boolean {
    return this.members(set).includes(value);
  }

  /** Number of a list of type arguments, cut off below a fixed depth: a list that holds itself is the same from wherever one starts. */
  boundedArgs(args: readonly number[]): number {
    if (args.length === 0) return 0;
    return this.argsOf(this.#nesting(args) > MAX_TYPE_DEPTH ? args.map(set => this.#cutOff(set, MAX_TYPE_DEPTH - 1)) : args);
  }

  #cutOff(set: number, depth: number): number {
    let answer = NOTHING;
    for (const value of this.members(set)) {
      const args = this.argsId(value);
      const inner = args === 0 || depth === 0 ? 0 : this.argsOf(this.args(value).map(arg => this.#cutOff(arg, depth - 1)));
      const cut = args === inner ? value : this.value(this.kindOf(value), this.a(value), this.b(value), this.c(value), inner);
      answer = this.union(answer, this.single(cut));
    }
    return answer;
  }

  /** Depth of type arguments inside type arguments: bounded so that circles end. */
  #nesting(args: readonly number[]): number {
    let deepest = 0;
    for (const set of args) {
      for (const value of this.members(set)) {
        if (this.argsId(value) !== 0) deepest = Math.max(deepest, this.#nesting(this.args(value)));
      }
    }
    return deepest + 1;
  }

  #setOf(values: number[]): number {
    values.sort((left, right) => left - right);
    const unique: number[] = [];
    let marks = 0;
    for (const value of values) {
      if (value === unique[unique.length - 1]) continue;
      unique.push(value);
      if (value <= 2) marks++;
    }
    if (unique.length === 1) return this.single(unique[0] ?? 0);
    if (unique.length - marks > MAX_ALTERNATIVES) return SET_UNKNOWN;
    const text = unique.join(',');
    const known = this.#setsByText.get(text);
    if (known !== undefined) return known;
    const set = this.#sets.length;
    this.#sets.push(unique);
    this.#setsByText.set(text, set);
    return set;
  }

  #add(kind: number, a: number, b: number, c: number, args: number): number {
    const id = this.#kind.length;
    this.#kind.push(kind);
    this.#a.push(a);
    this.#b.push(b);
    this.#c.push(c);
    this.#args.push(args);
    return id;
  }
}
