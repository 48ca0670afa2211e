/**
 * Text to syntax table, with web-tree-sitter.
 *
 * It reads no file (the caller gives the bytes of the runtime and of each grammar), knows no language beyond its grammar, and hands out no tree:
 * a tree lives only inside `parse` and is deleted there, because WebAssembly memory is never given back.
 * Invariants: a grammar is loaded once; a table is valid until the next `parse` of the same `SyntaxParser` (`copyTable` keeps one);
 * tables are read from the runtime's memory only for grammars on which that agrees with the library's own cursor.
 */
import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { Clock, Log } from '../../base/ports';
import { err, type Failure, ok, type Result } from '../../base/result';
import { flattenByCursor } from './flattenByCursor';
import { HeapFlattener } from './flattenFromHeap';
import { grammarNames } from './grammarNames';
import { type RuntimeMemory, readProductionTables } from './heapLayout';
import { SELF_CHECK_SNIPPETS, tableDifference } from './selfCheck';
import { SourceInput, type WriteUnits } from './sourceInput';
import type { GrammarNames, SyntaxTable } from './syntaxTable';
import { copyTable, TableBuffers } from './tableBuffers';

/** Longest time, in milliseconds, that parsing one file may take: what follows must fit into 2 s with it. */
const PARSE_TIMEOUT_MS = 1500;

export interface SyntaxParserOptions {
  /** Bytes of `web-tree-sitter.wasm`; used by the first parser of a thread only. */
  readonly runtimeWasm: Uint8Array;
  /** Bytes of a grammar by the name in `LANGUAGES`. */
  readonly readGrammar: (grammar: string, isRare: boolean) => Uint8Array | Promise<Uint8Array>;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs?: number;
  /** How source text is stored; for the first parser of a thread only. One character after the other unless given. */
  readonly writeUnits?: WriteUnits;
  /** Processor time that this process has had, in milliseconds. On a busy machine the time that went by would take away files that are fine. */
  readonly processorMs?: () => number;
  /** `cursor` never reads the runtime's memory; for tests and comparisons. */
  readonly flatten?: 'heap' | 'cursor';
}

export interface ParseFailure extends Failure {
  readonly code: 'parse_timeout';
}

interface Grammar {
  readonly parser: Parser;
  readonly names: GrammarNames;
  readonly flattener: HeapFlattener | undefined;
}

/** The library's runtime is one per thread, however many parsers there are; the object it is started with receives its memory views. */
const runtime: { started?: Promise<SourceInput> } = {};

function startRuntime(wasm: Uint8Array, write: WriteUnits | undefined): Promise<SourceInput> {
  runtime.started ??= (async () => {
    const input = new SourceInput(wasm, write);
    await Parser.init(input.options as unknown as NonNullable<Parameters<typeof Parser.init>[0]>);
    return input;
  })();
  return runtime.started;
}

/** Parses text with web-tree-sitter into syntax tables. Grammars are loaded when they are first needed; one instance serves one thread. */
export class SyntaxParser {
  readonly #grammars = new Map<string, Grammar>();
  readonly #buffers = new TableBuffers();

  private constructor(
    private readonly options: SyntaxParserOptions,
    private readonly input: SourceInput,
  ) {}

  static async create(options: SyntaxParserOptions): Promise<SyntaxParser> {
    return new SyntaxParser(options, await startRuntime(options.runtimeWasm, options.writeUnits));
  }

  /** Loads a grammar on first use; a rare one is to parse little. Rejects when its bytes cannot be read or are no grammar. */
  async load(grammar: string, isRare = false): Promise<GrammarNames> {
    const known = this.#grammars.get(grammar);
    if (known !== undefined) return known.names;
    const language = await Language.load(await this.options.readGrammar(grammar, isRare));
    const parser = new Parser();
    parser.setLanguage(language);
    const loaded: Grammar = { parser, names: grammarNames(language), flattener: this.#checkedFlattener(grammar, language, parser) };
    this.#grammars.set(grammar, loaded);
    return loaded.names;
  }

  /** Parses with a grammar that `load` has loaded. Never fails on broken source. */
  parse(grammar: string, text: string): Result<SyntaxTable, ParseFailure> {
    const loaded = this.#grammars.get(grammar);
    if (loaded === undefined) throw new RangeError(`grammar ${grammar} is not loaded`);
    const { clock, processorMs = () => clock.monotonic() } = this.options;
    const timeoutMs = this.options.timeoutMs ?? PARSE_TIMEOUT_MS;
    const deadline = clock.monotonic() + timeoutMs;
    const spent = processorMs() + timeoutMs;
    const isLate = (): boolean => clock.monotonic() > deadline && processorMs() > spent;
    const tree = this.input.reading(text, () => loaded.parser.parse(text, null, { progressCallback: isLate }));
    if (tree === null) {
      loaded.parser.reset();
      return err({ code: 'parse_timeout', message: `Parsing took longer than ${timeoutMs} ms. The file is indexed by name only.` });
    }
    try {
      return ok(loaded.flattener === undefined ? flattenByCursor(tree, text, this.#buffers) : loaded.flattener.flatten(addressOf(tree), text, this.#buffers));
    } finally {
      tree.delete();
    }
  }

  dispose(): void {
    for (const { parser } of this.#grammars.values()) parser.delete();
    this.#grammars.clear();
  }

  /** A flattener that has read the snippets as the cursor does, or `undefined` with the reason logged. */
  #checkedFlattener(grammar: string, language: Language, parser: Parser): HeapFlattener | undefined {
    if (this.options.flatten === 'cursor') return undefined;
    const difference = this.#heapDifference(language, parser);
    if (typeof difference !== 'string') return difference;
    this.options.log.write('warn', `grammar ${grammar}: using the slower tree cursor (${difference})`);
    return undefined;
  }

  #heapDifference(language: Language, parser: Parser): HeapFlattener | string {
    const { options: memory } = this.input;
    if (!hasViews(memory)) return 'the runtime shows no memory';
    try {
      const flattener = new HeapFlattener(memory, readProductionTables(memory, addressOf(language)));
      for (const snippet of SELF_CHECK_SNIPPETS) {
        const tree = parser.parse(snippet);
        if (tree === null) return 'a snippet does not parse';
        try {
          const expected = copyTable(flattenByCursor(tree, snippet, this.#buffers));
          const difference = tableDifference(flattener.flatten(addressOf(tree), snippet, this.#buffers), expected);
          if (difference !== undefined) return difference;
        } finally {
          tree.delete();
        }
      }
      return flattener;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function hasViews(memory: Partial<RuntimeMemory>): memory is RuntimeMemory {
  return memory.HEAPU8 !== undefined && memory.HEAPU16 !== undefined && memory.HEAPU32 !== undefined;
}

/** Trees and languages keep their address in property 0, which the typings leave out. */
function addressOf(handle: Tree | Language): number {
  const address = (handle as unknown as { readonly 0?: unknown })[0];
  if (typeof address !== 'number') throw new TypeError('the runtime hides the address of its objects');
  return address;
}
