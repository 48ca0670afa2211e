import { KINDS, type Kind, type KindGroup } from './kinds';

/** What a node is, with all kinds of symbols as one. */
export type NodeType = (typeof KINDS)[number]['nodeType'];
/** Kind of a declaration in the code, without files and externals. */
export type SymbolKind = Extract<(typeof KINDS)[number], { readonly nodeType: 'symbol' }>['name'];

/** Kinds of nodes that are not symbols, and `symbol` for all that are. */
export const NODE_TYPES: readonly NodeType[] = [...new Set(KINDS.map(row => row.nodeType))];

/** Kinds of symbols. Codes (positions) are stored in facts and graph columns. */
export const SYMBOL_KINDS: readonly SymbolKind[] = KINDS.flatMap(row => (row.nodeType === 'symbol' ? [row.name] : []));

/** Code of each kind in columns: its position in `SYMBOL_KINDS`. */
export const symbolKindCode: Readonly<Record<SymbolKind, number>> = Object.freeze(
  Object.fromEntries(SYMBOL_KINDS.map((kind, code) => [kind, code])) as Record<SymbolKind, number>,
);

/** Kinds by the shorthand that stands for them. */
export const KIND_GROUPS: Readonly<Record<KindGroup, readonly Kind[]>> = {
  FILE: kindsIn('FILE'),
  FUNCTION: kindsIn('FUNCTION'),
  CLASS: kindsIn('CLASS'),
  KNOWLEDGE: kindsIn('KNOWLEDGE'),
  WORK: kindsIn('WORK'),
  SERVICE: kindsIn('SERVICE'),
};

function kindsIn(group: KindGroup): readonly Kind[] {
  return KINDS.flatMap(row => ('group' in row && row.group === group ? [row.name] : []));
}

/** Modifiers of a symbol, as bits of the `modifiers` column; append only. */
export const MODIFIERS = {
  exported: 1,
  defaultExport: 2,
  async: 4,
  static: 8,
  abstract: 16,
  readonly: 32,
  private: 64,
  protected: 128,
  generator: 256,
  getter: 512,
  setter: 1024,
  optional: 2048,
  declared: 4096,
  test: 8192,
  override: 16384,
  /** Called as a value is read: `@property`, getters. */
  property: 32768,
  classMethod: 65536,
  /** The last parameter takes all further arguments. */
  variadic: 131072,
} as const;
/** Name of a bit of `MODIFIERS`. */
export type Modifier = keyof typeof MODIFIERS;

/** Names of the modifiers in a set of bits. */
export function modifierNames(bits: number): Modifier[] {
  return (Object.keys(MODIFIERS) as Modifier[]).filter(name => (bits & MODIFIERS[name]) !== 0);
}
