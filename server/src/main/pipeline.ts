import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import type { Disposable } from '../base/disposable';
import type { Log } from '../base/ports';
import { createExtractor } from '../code/facts/registry';
import type { Extractor } from '../code/facts/extractor';
import { inspectContent } from '../code/files/content';
import { decodeText } from '../code/files/host';
import { SyntaxParser } from '../code/parse/syntaxParser';
import { type FileFacts, qualifiedName } from '../model/facts';
import { symbolId } from '../model/ids';
import { languageRow } from '../model/languages';
import type { IndexState } from '../engine/indexState';
import type { ParseAnswer, ParseRequest, Parsing } from '../engine/parsing';
import type { Resolving } from '../engine/resolving';
import { systemClock } from './platform';

/** The steps of the pipeline as this process runs them. */
export function makeParsing(distFolder: string, log: Log): Parsing & Disposable {
  const packr = new Packr({ moreTypes: true, useRecords: false });
  let parser: Promise<SyntaxParser> | undefined;
  const extractors = new Map<string, Extractor | undefined>();
  const run = async (request: ParseRequest): Promise<ParseAnswer> => {
    const empty = { contentHash: '', sizeBytes: 0, isBinary: false, isGenerated: false, isMinified: false, facts: undefined, packed: undefined };
    try {
      const bytes = request.text === undefined ? await readFile(request.absolutePath) : Buffer.from(request.text);
      const text = decodeText(bytes);
      const kind = inspectContent(bytes, text);
      const base = { ...kind, contentHash: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };
      if (request.language === undefined || kind.isBinary || kind.isMinified) return { ...base, facts: undefined, packed: undefined, problem: undefined };
      parser ??= readFile(join(distFolder, 'web-tree-sitter.wasm')).then(runtimeWasm =>
        SyntaxParser.create({ runtimeWasm, readGrammar: name => readFile(join(distFolder, 'grammars', `${name}.wasm`)), clock: systemClock, log }),
      );
      const syntax = await parser;
      const { grammar } = languageRow(request.language);
      const names = await syntax.load(grammar);
      if (!extractors.has(request.language)) extractors.set(request.language, createExtractor(names, request.language));
      const table = syntax.parse(grammar, text);
      if (!table.ok) return { ...base, facts: undefined, packed: undefined, problem: table.error };
      const facts = extractors.get(request.language)?.extract(table.value);
      return { ...base, facts, packed: facts === undefined ? undefined : Uint8Array.from(packr.pack(facts)), problem: undefined };
    } catch (error) {
      return { ...empty, problem: { code: 'unreadable', message: String(error) } };
    }
  };
  return { concurrency: 4, run, decode: packed => packr.unpack(packed) as FileFacts, dispose: () => undefined };
}

export function makeResolver(state: IndexState): Resolving {
  return {
    isManifest: () => false,
    update: ({ upserts }) => {
      const none = new Int32Array(0);
      const bytes = new Uint8Array(0);
      const sites = {
        count: 0,
        relation: bytes,
        from: none,
        line: none,
        column: none,
        length: none,
        candidateStart: none,
        candidateCount: none,
        target: none,
        confidence: bytes,
        source: bytes,
      };
      const resolutions = upserts.map(({ record, facts }) => ({
        path: record.path,
        file: state.interner.intern(record.path),
        symbolNodes: Int32Array.from({ length: facts.symbols.count }, (_, row) => state.interner.intern(symbolId(record.path, qualifiedName(facts, row)))),
        sites,
        unresolved: new Int32Array(facts.symbols.count + 1),
        external: new Int32Array(facts.symbols.count + 1),
      }));
      return Promise.resolve({ resolutions, relinked: [] });
    },
  };
}
