/** Parsing and extracting in process, for tests that need the facts of a text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../server/src/base/ports';
import type { Extractor } from '../../server/src/code/facts/extractor';
import { type ColumnVisitor, visitColumns } from '../../server/src/code/facts/factRows';
import { createExtractor } from '../../server/src/code/facts/registry';
import { SyntaxParser, type SyntaxParserOptions } from '../../server/src/code/parse/syntaxParser';
import { ERROR_KIND, type GrammarNames, MISSING, type SyntaxTable } from '../../server/src/code/parse/syntaxTable';
import type { FileFacts } from '../../server/src/model/facts';
import { type LanguageId, languageOfExtension, languageRow } from '../../server/src/model/languages';

interface GrammarRow {
  readonly grammar?: string;
  readonly package: string;
  readonly file: string;
}

const root = join(import.meta.dirname, '..', '..');
const lock = JSON.parse(readFileSync(join(root, 'server', 'grammars', 'grammars.lock.json'), 'utf8')) as readonly GrammarRow[];

/** Bytes of a grammar, or of the parser runtime when `grammar` is undefined. */
export function readWasm(grammar: string | undefined): Uint8Array {
  const row = lock.find(candidate => candidate.grammar === grammar);
  if (row === undefined) throw new RangeError(`no grammar ${grammar}`);
  return readFileSync(join(root, 'node_modules', row.package, row.file));
}

export function createParser(options: Partial<SyntaxParserOptions> = {}): Promise<SyntaxParser> {
  const log: Log = {
    write(level, message) {
      if (level !== 'debug') throw new Error(message);
    },
  };
  return SyntaxParser.create({
    runtimeWasm: readWasm(undefined),
    readGrammar: readWasm,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    log,
    timeoutMs: 60_000,
    ...options,
  });
}

/** Processor time of this process in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Rows are lent: a test that holds the facts of two files needs its own. */
const COPY: ColumnVisitor = {
  count: rows => rows,
  words: <Column extends Int32Array>(column: Column, count: number) => column.slice(0, count) as Int32Array as Column,
  bytes: (column, count) => column.slice(0, count),
};

export class FactsReader {
  readonly #extractors = new Map<LanguageId, Extractor>();

  private constructor(readonly parser: SyntaxParser) {}

  /** Files have their time in processor time: what else the machine does takes none away. */
  static async create(options: Partial<SyntaxParserOptions> = {}): Promise<FactsReader> {
    return new FactsReader(await createParser({ processorMs, ...options }));
  }

  /** The table is valid until the next call. */
  async table(language: LanguageId, text: string): Promise<{ readonly table: SyntaxTable; readonly names: GrammarNames }> {
    const { grammar } = languageRow(language);
    const names = await this.parser.load(grammar);
    const parsed = this.parser.parse(grammar, text);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return { table: parsed.value, names };
  }

  /** Nodes of a text as it is parsed, and where the grammar cannot read it: 1-based line and what stands there. */
  async syntaxErrors(language: LanguageId, text: string): Promise<{ readonly nodes: number; readonly errors: readonly string[] }> {
    const extractor = await this.#extractor(language);
    const { table } = await this.table(language, extractor.prepare?.(text) ?? text);
    const errors: string[] = [];
    for (let node = 0; node < table.count; node++) {
      if (table.kind[node] !== ERROR_KIND && ((table.flags[node] ?? 0) & MISSING) === 0) continue;
      const start = table.start[node] ?? 0;
      const end = table.text.indexOf('\n', start);
      errors.push(
        `${table.text.slice(0, start).split('\n').length}: ${table.text
          .slice(table.text.lastIndexOf('\n', start - 1) + 1, end < 0 ? undefined : end)
          .trim()
          .slice(0, 200)}`,
      );
    }
    return { nodes: table.count, errors };
  }

  async facts(language: LanguageId, text: string, path = ''): Promise<FileFacts> {
    const extractor = await this.#extractor(language);
    const { table } = await this.table(language, extractor.prepare?.(text) ?? text);
    const lent = extractor.extract(table, path, text);
    return { ...lent, ...visitColumns(lent, COPY) };
  }

  async #extractor(language: LanguageId): Promise<Extractor> {
    const known = this.#extractors.get(language);
    if (known !== undefined) return known;
    const made = createExtractor(await this.parser.load(languageRow(language).grammar), language);
    if (made === undefined) throw new RangeError(`no extractor for ${language}`);
    this.#extractors.set(language, made);
    return made;
  }

  /** Facts by the extension of a path. */
  async factsOfFile(path: string, text: string): Promise<FileFacts> {
    const language = languageOfExtension(path.slice(path.lastIndexOf('.')).toLowerCase());
    if (language === undefined) throw new RangeError(`no language for ${path}`);
    return this.facts(language, text, path);
  }
}
