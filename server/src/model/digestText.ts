/**
 * Digests as text: JSON with short keys, since every file that says something of services has one, in the pack of facts and in memory.
 * Elsewhere terms and steps are read by the names of `digest.ts`.
 */
import type { Digest, DigestClass, DigestFunction, DigestParameter, Step, Term } from './digest';

/** What a value is that stands under a key: plain, a mark (1 for true), or of a shape below. */
type Kind = 'plain' | 'mark' | 'term' | 'step' | 'function' | 'class' | 'parameter';

/** One short key. */
type Key = Readonly<Record<string, Kind>>;

interface Shape {
  /** Name in the text, of terms and steps. */
  readonly code: string;
  /** Short key of each property, with what stands under it. */
  readonly keys: Readonly<Record<string, Key>>;
}

const name = { name: { v: 'plain' } } as const;
const position = { position: { p: 'plain' } } as const;
const decorators = { decorators: { d: 'term' } } as const;

/** A short key for each property that a type has. */
type ShapeOf<Type> = { readonly code: string; readonly keys: Readonly<Record<Exclude<keyof Type, 'kind'>, Key>> };
type ShapesOf<Union extends { readonly kind: string }> = { readonly [Name in Union['kind']]: ShapeOf<Extract<Union, { kind: Name }>> };

const TERMS: ShapesOf<Exclude<Term, 0>> = {
  text: { code: 's', keys: { text: { v: 'plain' } } },
  join: { code: '+', keys: { parts: { of: 'term' } } },
  name: { code: 'n', keys: { ...name, ...position } },
  member: { code: 'm', keys: { owner: { of: 'term' }, ...name, ...position } },
  call: { code: 'call', keys: { callee: { f: 'term' }, args: { a: 'term' }, isConstruction: { n: 'mark' }, ...position } },
  list: { code: 'l', keys: { items: { of: 'term' } } },
  object: { code: 'o', keys: { entries: { of: 'term' } } },
  function: { code: 'f', keys: { fn: { fn: 'function' } } },
  any: { code: '|', keys: { parts: { of: 'term' } } },
  named: { code: '=', keys: { ...name, value: { of: 'term' } } },
  generic: { code: '<', keys: { base: { of: 'term' }, args: { a: 'term' } } },
  other: { code: '?', keys: { parts: { of: 'term' } } },
};

const STEPS: ShapesOf<Step> = {
  let: { code: 'let', keys: { ...name, ...position, type: { t: 'term' }, value: { x: 'term' }, ...decorators } },
  set: { code: 'set', keys: { target: { to: 'term' }, value: { x: 'term' } } },
  do: { code: 'do', keys: { value: { x: 'term' } } },
  return: { code: 'return', keys: { value: { x: 'term' } } },
  fn: { code: 'fn', keys: { fn: { fn: 'function' } } },
  class: { code: 'class', keys: { cls: { c: 'class' } } },
  import: { code: 'import', keys: { from: { from: 'plain' }, name: { name: 'plain' }, as: { as: 'plain' }, ...position } },
  export: { code: 'export', keys: { as: { v: 'plain' }, value: { x: 'term' }, from: { from: 'plain' }, name: { name: 'plain' }, ...position } },
};

const PARTS: { readonly function: ShapeOf<DigestFunction>; readonly class: ShapeOf<DigestClass>; readonly parameter: ShapeOf<DigestParameter> } = {
  function: {
    code: '',
    keys: {
      ...name,
      ...position,
      parameters: { ps: 'parameter' },
      body: { b: 'step' },
      ...decorators,
      result: { r: 'term' },
      owner: { of: 'term' },
      self: { self: 'plain' },
    },
  },
  class: { code: '', keys: { ...name, ...position, bases: { bases: 'term' }, ...decorators, body: { b: 'step' }, isInterface: { i: 'mark' } } },
  parameter: { code: '', keys: { ...name, type: { t: 'term' }, initial: { x: 'term' }, ...decorators } },
};

/** A shape as it is used: properties with their short keys, and the other way around. */
interface Row {
  readonly name: string;
  readonly code: string;
  readonly short: ReadonlyMap<string, readonly [key: string, kind: Kind]>;
  readonly long: ReadonlyMap<string, readonly [key: string, kind: Kind]>;
}

function rowOf(name: string, { code, keys }: Shape): Row {
  const short = Object.entries(keys).flatMap(([long, key]) => Object.entries(key).map(([letter, kind]) => [long, [letter, kind]] as const));
  return { name, code, short: new Map(short), long: new Map(short.map(([long, [letter, kind]]) => [letter, [long, kind]])) };
}

/** What terms or steps may be, by name and by code, and the key that the code stands under. */
class Variants {
  readonly #byName: ReadonlyMap<unknown, Row>;
  readonly #byCode: ReadonlyMap<unknown, Row>;

  constructor(
    readonly codeKey: string,
    shapes: Readonly<Record<string, Shape>>,
  ) {
    const rows = Object.entries(shapes).map(([name, shape]) => rowOf(name, shape));
    this.#byName = new Map(rows.map(row => [row.name, row]));
    this.#byCode = new Map(rows.map(row => [row.code, row]));
  }

  named(name: unknown): Row {
    return this.#known(this.#byName.get(name), name);
  }

  coded(code: unknown): Row {
    return this.#known(this.#byCode.get(code), code);
  }

  #known(row: Row | undefined, name: unknown): Row {
    if (row === undefined) throw new Error(`No digest has ${String(name)}.`);
    return row;
  }
}

const VARIANTS = { term: new Variants('k', TERMS), step: new Variants('s', STEPS) } as const;
const PART_ROWS = { function: rowOf('', PARTS.function), class: rowOf('', PARTS.class), parameter: rowOf('', PARTS.parameter) } as const;

type Plain = Readonly<Record<string, unknown>>;

/** JSON of a digest. Properties keep their order. */
export function textOfDigest({ package: own, steps }: Digest): string {
  return JSON.stringify({ package: own, steps: shortened(steps, 'step') });
}

/** The digest of a text that `textOfDigest` wrote. Throws for a text that names a term or step that no digest has. */
export function digestOfText(text: string): Digest {
  const { package: own, steps } = JSON.parse(text) as { readonly package: string; readonly steps: unknown };
  return { package: own, steps: restored(steps, 'step') as Digest['steps'] };
}

function shortened(value: unknown, kind: Kind): unknown {
  if (kind === 'mark') return value === true ? 1 : undefined;
  if (kind === 'plain' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(item => shortened(item, kind));
  const plain = value as Plain;
  const out: Record<string, unknown> = {};
  const variants = kind === 'term' || kind === 'step' ? VARIANTS[kind] : undefined;
  const row = kind === 'term' || kind === 'step' ? VARIANTS[kind].named(plain['kind']) : PART_ROWS[kind];
  for (const [key, inner] of Object.entries(plain)) {
    if (variants !== undefined && key === 'kind') out[variants.codeKey] = row.code;
    const short = row.short.get(key);
    if (short !== undefined) out[short[0]] = shortened(inner, short[1]);
  }
  return out;
}

function restored(value: unknown, kind: Kind): unknown {
  if (kind === 'mark') return value === 1;
  if (kind === 'plain' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(item => restored(item, kind));
  const plain = value as Plain;
  const out: Record<string, unknown> = {};
  const variants = kind === 'term' || kind === 'step' ? VARIANTS[kind] : undefined;
  const row = kind === 'term' || kind === 'step' ? VARIANTS[kind].coded(plain[VARIANTS[kind].codeKey]) : PART_ROWS[kind];
  if (variants !== undefined) out['kind'] = row.name;
  for (const key of Object.keys(plain)) {
    const long = row.long.get(key);
    if (long !== undefined) out[long[0]] = restored(plain[key], long[1]);
  }
  return out;
}
