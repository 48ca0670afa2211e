/**
 * Where tree-sitter's core keeps a tree and a language in its 32-bit WebAssembly memory: `lib/src/{subtree,tree,parser}.h` of tree-sitter 0.27.
 *
 * A `Subtree` is 8 bytes: small leaves are stored in place (bit 0 of the first byte is set), others as a pointer to `SubtreeHeapData`,
 * whose children lie directly before it. Offsets below are in bytes. A grammar's self-check compares what is read through this layout
 * with what the library's own cursor reports, so a runtime laid out otherwise is noticed before it can give wrong facts.
 */

/** Views of the runtime's memory; replaced by the runtime whenever the memory grows. */
export interface RuntimeMemory {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU16: Uint16Array;
  readonly HEAPU32: Uint32Array;
}

export const SUBTREE_BYTES = 8;

/** `SubtreeHeapData`. */
export const HEAP_DATA = {
  paddingBytes: 4,
  sizeBytes: 16,
  childCount: 36,
  symbol: 40,
  /** Two bytes of flag bits. */
  flags: 44,
  visibleChildCount: 48,
  visibleDescendantCount: 56,
  productionId: 66,
} as const;

/** Bits of `HEAP_DATA.flags` read as 16 bits, little-endian. */
export const HEAP_FLAGS = { visible: 1, named: 2, extra: 4, missing: 512 } as const;

/** Bits of the first byte of an in-place leaf. */
export const INLINE_FLAGS = { inline: 1, visible: 2, named: 4, extra: 8, missing: 32 } as const;

/** `TSLanguage`. */
const LANGUAGE = {
  symbolCount: 4,
  aliasCount: 8,
  productionIdCount: 28,
  fieldCount: 32,
  maxAliasSequenceLength: 36,
  fieldMapSlices: 64,
  fieldMapEntries: 68,
  symbolMetadata: 72,
  publicSymbolMap: 76,
  aliasSequences: 84,
} as const;

/** Per-production tables of one grammar, copied out of its memory once. */
export interface ProductionTables {
  /** Children covered per production; rows of `alias` and `field` are this long. */
  readonly width: number;
  /** Alias symbol by `production * width + structural child index`, 0 for none. */
  readonly alias: Uint16Array;
  /** Field by the same index, inherited ones left out. */
  readonly field: Uint16Array;
  /** Symbol that the grammar's users see, by raw symbol; aliases come after the symbols. */
  readonly publicSymbol: Uint16Array;
  /** 1 when nodes aliased to this symbol are named. */
  readonly named: Uint8Array;
}

export function readProductionTables(memory: RuntimeMemory, language: number): ProductionTables {
  const { HEAPU8: bytes, HEAPU16: halves, HEAPU32: words } = memory;
  const word = (offset: number): number => words[(language + offset) >> 2] ?? 0;
  const symbols = word(LANGUAGE.symbolCount) + word(LANGUAGE.aliasCount);
  const productions = word(LANGUAGE.productionIdCount);
  const width = halves[(language + LANGUAGE.maxAliasSequenceLength) >> 1] ?? 0;
  const aliasStart = word(LANGUAGE.aliasSequences) >> 1;
  const alias = halves.slice(aliasStart, aliasStart + productions * width);
  // Production 0 means "no aliases", whatever its row holds.
  alias.fill(0, 0, width);
  const field = new Uint16Array(productions * width);
  if (word(LANGUAGE.fieldCount) > 0) {
    for (let production = 0; production < productions; production++) {
      const slice = (word(LANGUAGE.fieldMapSlices) >> 1) + production * 2;
      const first = halves[slice] ?? 0;
      const length = halves[slice + 1] ?? 0;
      for (let i = first + length - 1; i >= first; i--) {
        const entry = word(LANGUAGE.fieldMapEntries) + i * 4;
        const child = bytes[entry + 2] ?? 0;
        if (bytes[entry + 3] === 0 && child < width) field[production * width + child] = halves[entry >> 1] ?? 0;
      }
    }
  }
  const mapStart = word(LANGUAGE.publicSymbolMap) >> 1;
  const named = new Uint8Array(symbols);
  for (let symbol = 0; symbol < symbols; symbol++) named[symbol] = bytes[word(LANGUAGE.symbolMetadata) + symbol * 3 + 1] ?? 0;
  return { width, alias, field, publicSymbol: halves.slice(mapStart, mapStart + symbols), named };
}
