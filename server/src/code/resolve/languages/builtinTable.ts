/**
 * Results of built-in members, written as types: `Array<T>`, `Map<K,V>`, `string`, `A|B`.
 * `T`, `K`, `V` are the type arguments of the receiver in the order its type lists them; `this` is the receiver; `$0`, `$1` the arguments;
 * `ret<$0>` what the function given as that argument returns; `elem<X>` what iterating X gives; `await<X>` what awaiting X gives;
 * `new<X>` an instance of class X; `props<X>` the values of an object's properties; `self<X>` X as it is.
 */
export interface Spec {
  readonly name: string;
  readonly args: readonly Spec[];
}

export interface BuiltinMember {
  readonly result: Spec;
  /** Types of the parameters of a function given as argument `callbackAt`. */
  readonly callback: readonly Spec[] | undefined;
  readonly callbackAt: number;
  /** Read without a call (`name!: result` in a row). */
  readonly isProperty: boolean;
}

export interface BuiltinType {
  readonly parameters: readonly string[];
  /** What iterating an instance gives. */
  readonly element: Spec | undefined;
  /** What `a[b]`, unwrapping (`?`), awaiting an instance give. */
  readonly index: Spec | undefined;
  /** What the first variable of a loop with two gets (the key of a map). */
  readonly key: Spec | undefined;
  readonly unwrap: Spec | undefined;
  readonly awaits: Spec | undefined;
  /** Whose members an instance has beside its own (`Box<T>`: T). */
  readonly delegate: Spec | undefined;
  /** What entering an instance as a resource gives. */
  readonly entered: Spec | undefined;
  /** What members that it does not list are. */
  readonly other: Spec | undefined;
  /** Its type arguments are the elements by position. */
  readonly isPositional: boolean;
  /** Its values are classes of its type argument. */
  readonly isOfClasses: boolean;
  /** What calling an instance takes and gives: functional types. */
  readonly call: BuiltinMember | undefined;
  readonly members: ReadonlyMap<string, BuiltinMember>;
  /** Members of the class object itself. */
  readonly statics: ReadonlyMap<string, BuiltinMember>;
}

/** `parameters | element`, then members `name: result` or `name(callback parameters): result`, `@n` after the name saying which argument is the callback; `name!: result` is read without a call. */
export interface BuiltinRow {
  readonly type: string;
  readonly parameters?: string;
  readonly element?: string;
  readonly index?: string;
  readonly key?: string;
  readonly unwrap?: string;
  readonly awaits?: string;
  readonly delegate?: string;
  readonly entered?: string;
  readonly other?: string;
  readonly isPositional?: boolean;
  readonly isOfClasses?: boolean;
  /** `(parameters): result` of a functional type. */
  readonly call?: string;
  readonly members?: string;
  readonly statics?: string;
}

export class BuiltinTable {
  readonly #rows: ReadonlyMap<string, BuiltinRow>;
  /** Read when first asked for: most processes ask for few of them, and many for none. */
  readonly #types = new Map<string, BuiltinType>();

  constructor(rows: readonly BuiltinRow[]) {
    this.#rows = new Map(rows.map(row => [row.type, row]));
  }

  type(name: string): BuiltinType | undefined {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const row = this.#rows.get(name);
    if (row === undefined) return undefined;
    const type = typeOf(row);
    this.#types.set(name, type);
    return type;
  }

  has(name: string): boolean {
    return this.#rows.has(name);
  }
}

function typeOf(row: BuiltinRow): BuiltinType {
  return {
    parameters: row.parameters === undefined ? [] : row.parameters.split(','),
    element: optionalSpec(row.element),
    index: optionalSpec(row.index),
    key: optionalSpec(row.key),
    unwrap: optionalSpec(row.unwrap),
    awaits: optionalSpec(row.awaits),
    delegate: optionalSpec(row.delegate),
    entered: optionalSpec(row.entered),
    other: optionalSpec(row.other),
    isPositional: row.isPositional ?? row.type === 'Tuple',
    isOfClasses: row.isOfClasses === true,
    call: row.call === undefined ? undefined : parseMembers(`call${row.call}`).get('call'),
    members: parseMembers(row.members ?? ''),
    statics: parseMembers(row.statics ?? ''),
  };
}

function optionalSpec(text: string | undefined): Spec | undefined {
  return text === undefined ? undefined : parseSpec(text);
}

function parseMembers(text: string): ReadonlyMap<string, BuiltinMember> {
  const members = new Map<string, BuiltinMember>();
  for (const part of text.split(';')) {
    const colon = part.lastIndexOf(':');
    if (colon < 0) continue;
    const result = parseSpec(part.slice(colon + 1));
    for (const head of part.slice(0, colon).matchAll(/(?<name>[\w$.?]+)(?<property>!?)\s*(?:(?<at>@\d)?\((?<callback>[^)]*)\))?/g)) {
      const { name, at, callback, property } = head.groups ?? {};
      if (name === undefined) continue;
      members.set(name, {
        result,
        callback: callback === undefined ? undefined : splitTop(callback, ',').map(parseSpec),
        callbackAt: Number(at?.slice(1) ?? 0),
        isProperty: property === '!',
      });
    }
  }
  return members;
}

function parseSpec(text: string): Spec {
  const trimmed = text.trim();
  const alternatives = splitTop(trimmed, '|');
  if (alternatives.length > 1) return { name: '|', args: alternatives.map(parseSpec) };
  const open = trimmed.indexOf('<');
  if (open < 0) return { name: trimmed, args: [] };
  return { name: trimmed.slice(0, open), args: splitTop(trimmed.slice(open + 1, -1), ',').map(parseSpec) };
}

function splitTop(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '<') depth++;
    else if (char === '>') depth--;
    else if (char === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  const last = text.slice(start);
  if (last.trim() !== '' || parts.length > 0) parts.push(last);
  return parts;
}
