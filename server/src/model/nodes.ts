/** Kinds of nodes the code graph holds. Codes are the values of the `nodeType` column; append only. */
export const NODE_TYPES = ['file', 'symbol', 'external'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** Kinds of symbols. Codes (positions) are stored in facts and graph columns; append only. */
export const SYMBOL_KINDS = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'enum_member',
  'variable',
  'constant',
  'field',
  'property',
  'module',
  'namespace',
  'struct',
  'trait',
  'constructor',
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

export const symbolKindCode: Readonly<Record<SymbolKind, number>> = Object.freeze(
  Object.fromEntries(SYMBOL_KINDS.map((kind, code) => [kind, code])) as Record<SymbolKind, number>,
);

/** Shorthands accepted wherever a tool filters by kind. */
export const KIND_GROUPS: Readonly<Record<'FILE' | 'FUNCTION' | 'CLASS', readonly (NodeType | SymbolKind)[]>> = {
  FILE: ['file'],
  FUNCTION: ['function', 'method', 'constructor'],
  CLASS: ['class', 'interface', 'enum', 'type', 'struct', 'trait'],
};

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
export type Modifier = keyof typeof MODIFIERS;

export function modifierNames(bits: number): Modifier[] {
  return (Object.keys(MODIFIERS) as Modifier[]).filter(name => (bits & MODIFIERS[name]) !== 0);
}
