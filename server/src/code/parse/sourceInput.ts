import type { RuntimeMemory } from './heapLayout';

type ReadInput = (buffer: number, index: number, row: number, column: number, lengthAddress: number) => void;
interface Imports {
  readonly env?: { tree_sitter_parse_callback?: ReadInput };
}
type Receive = (instance: object, module: object) => void;

/** The core's types name no WebAssembly. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly instantiate: (bytes: Uint8Array, imports: Imports) => Promise<{ readonly instance: object; readonly module: object }> };
};

/** Stores the UTF-16 units of `text` in the runtime's memory, beginning at a byte: little-endian, as WebAssembly has them. */
export type WriteUnits = (text: string, memory: Uint8Array, at: number) => void;

/** UTF-16 units that the runtime takes at once, without the zero after them: `INPUT_BUFFER_SIZE` of its binding. */
const MAX_UNITS = 5 * 1024 - 1;

/**
 * How source text gets into the runtime. The library slices the text for each piece and stores it character by character through two functions,
 * which costs 4 % of a parse worker's time; here a text is copied as it stands, by native code where there is any. Only while `reading`: else the library does as it always did.
 */
export class SourceInput {
  /** What the runtime is started with; it receives the views of the memory. */
  readonly options: Partial<RuntimeMemory> & { readonly wasmBinary: Uint8Array; readonly instantiateWasm: (imports: Imports, receive: Receive) => void };
  #text: string | undefined;

  constructor(
    wasmBinary: Uint8Array,
    private readonly write: WriteUnits = writeUnits,
  ) {
    this.options = {
      wasmBinary,
      instantiateWasm: (imports, receive) => {
        this.#readInPlaceOf(imports);
        void WebAssembly.instantiate(wasmBinary, imports).then(({ instance, module }) => receive(instance, module));
      },
    };
  }

  /** `parse` must parse `text` and nothing else. */
  reading<T>(text: string, parse: () => T): T {
    this.#text = text;
    try {
      return parse();
    } finally {
      this.#text = undefined;
    }
  }

  #readInPlaceOf({ env }: Imports): void {
    const theirs = env?.tree_sitter_parse_callback;
    if (env === undefined || theirs === undefined) return;
    env.tree_sitter_parse_callback = (buffer, index, row, column, lengthAddress) => {
      const { HEAPU8: bytes, HEAPU16: units, HEAPU32: words } = this.options;
      if (this.#text === undefined || bytes === undefined || units === undefined || words === undefined) {
        theirs(buffer, index, row, column, lengthAddress);
        return;
      }
      const piece = this.#text.slice(index, index + MAX_UNITS);
      this.write(piece, bytes, buffer);
      units[(buffer >>> 1) + piece.length] = 0;
      words[lengthAddress >>> 2] = piece.length;
    };
  }
}

function writeUnits(text: string, memory: Uint8Array, at: number): void {
  const units = new DataView(memory.buffer, memory.byteOffset + at);
  for (let unit = 0; unit < text.length; unit++) units.setUint16(unit * 2, text.charCodeAt(unit), true);
}
