import type { ColumnOf } from '../../server/src/base/branded';
import { Interner } from '../../server/src/base/interner';
import { CodeGraph } from '../../server/src/code/graph/codeGraph';
import type { GraphView } from '../../server/src/code/graph/graphView';
import type { FileUpsert, GraphDelta } from '../../server/src/model/delta';
import { encodeConfidence, SOURCES, type SourceName, sourceCode } from '../../server/src/model/evidence';
import type { AnyRow, FileFacts } from '../../server/src/model/facts';
import { type NodeHandle, type NodeIds, nodeColumn, symbolId } from '../../server/src/model/ids';
import { MODIFIERS, type Modifier, type SymbolKind, symbolKindCode } from '../../server/src/model/nodes';
import { type Relation, relationCode } from '../../server/src/model/relations';
import type { FileResolution } from '../../server/src/model/resolution';

/** One symbol, named by its qualified name with dots (`Shop.pay`). */
export interface SymbolSketch {
  readonly name: string;
  readonly kind?: SymbolKind;
  /** 1-based first and last line. */
  readonly lines?: readonly [number, number];
  readonly signature?: string;
  readonly doc?: string;
  readonly firstLine?: string;
  readonly modifiers?: readonly Modifier[];
  readonly complexity?: number;
  /** Content hash; one of the name when absent. */
  readonly hash?: string;
}

/** One reference: `from` is a qualified name of this file, `''` for the file, or an id of elsewhere (for DECORATES); `to` is a node id, or several with confidences. */
export interface ReferenceSketch {
  readonly from: string;
  readonly relation: Relation;
  readonly to: string | Readonly<Record<string, number>>;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
  readonly source?: SourceName;
}

export interface FileSketch {
  readonly symbols?: readonly SymbolSketch[];
  readonly references?: readonly ReferenceSketch[];
  readonly isTest?: boolean;
  readonly lines?: number;
  readonly unresolved?: Readonly<Record<string, number>>;
  readonly external?: Readonly<Record<string, number>>;
  /** Content hash; one of the path when absent. */
  readonly hash?: string;
}

export type WorkspaceSketch = Readonly<Record<string, FileSketch>>;

/** A graph from a sketch, without parsing or resolving. */
export function graphOf(
  sketch: WorkspaceSketch,
  interner = new Interner<NodeHandle>(),
): { readonly graph: CodeGraph; readonly view: GraphView; readonly interner: NodeIds } {
  const graph = new CodeGraph(interner);
  return { graph, view: graph.apply(deltaOf(sketch, interner)), interner };
}

export function deltaOf(sketch: WorkspaceSketch, interner: NodeIds, removed: readonly string[] = []): GraphDelta {
  return { upserts: Object.entries(sketch).map(([path, file]) => upsertOf(path, file, interner)), relinked: [], removed };
}

export function upsertOf(path: string, file: FileSketch, interner: NodeIds): FileUpsert {
  const symbols = file.symbols ?? [];
  const language = path.endsWith('.py') ? 'python' : 'typescript';
  return {
    record: {
      path,
      language: path.endsWith('.md') ? undefined : language,
      contentHash: file.hash ?? `hash of ${path}`,
      sizeBytes: 100,
      isTest: file.isTest ?? false,
      isGenerated: false,
    },
    facts: factsOf(language, symbols, file.lines ?? Math.max(1, ...symbols.map(symbol => symbol.lines?.[1] ?? 1))),
    resolution: resolutionOf(path, file, symbols, interner),
  };
}

function resolutionOf(path: string, file: FileSketch, symbols: readonly SymbolSketch[], interner: NodeIds): FileResolution {
  const nodeOf = (name: string): NodeHandle => interner.intern(name === '' ? path : symbolId(path, name.split('.')));
  const references = file.references ?? [];
  const candidates = references.map(reference => Object.entries(typeof reference.to === 'string' ? { [reference.to]: 0 } : reference.to));
  const flat = candidates.flatMap((list, row) => list.map(([id, confidence]) => ({ row, id, confidence })));
  const sourceOf = (row: number): SourceName => references[row]?.source ?? 'scope';
  let next = 0;
  const starts = candidates.map(list => {
    const start = next;
    next += list.length;
    return start;
  });
  const count = (counts: Readonly<Record<string, number>> | undefined): Int32Array =>
    Int32Array.from([...symbols.map(symbol => counts?.[symbol.name] ?? 0), counts?.[''] ?? 0]);
  return {
    path,
    file: nodeOf(''),
    symbolNodes: nodeColumn(Int32Array.from(symbols, symbol => nodeOf(symbol.name))),
    sites: {
      count: references.length,
      relation: Uint8Array.from(references, reference => relationCode[reference.relation]),
      from: nodeColumn(Int32Array.from(references, ({ from }) => (from.includes('::') ? interner.intern(from) : nodeOf(from)))),
      line: Int32Array.from(references, reference => (reference.line ?? 1) - 1),
      column: Int32Array.from(references, reference => reference.column ?? 0),
      length: Int32Array.from(references, () => 4),
      candidateStart: Int32Array.from(starts),
      candidateCount: Int32Array.from(candidates, list => list.length),
      target: nodeColumn(Int32Array.from(flat, candidate => interner.intern(candidate.id))),
      confidence: Uint8Array.from(flat, candidate => encodeConfidence(candidate.confidence || (SOURCES[sourceCode[sourceOf(candidate.row)]]?.confidence ?? 1))),
      source: Uint8Array.from(flat, candidate => sourceCode[sourceOf(candidate.row)]),
    },
    unresolved: count(file.unresolved),
    external: count(file.external),
  };
}

function factsOf(language: FileFacts['language'], symbols: readonly SymbolSketch[], lines: number): FileFacts {
  const strings = [''];
  const keep = (text: string): number => (text === '' ? 0 : strings.push(text) - 1);
  const parents = symbols.map(symbol => {
    const dot = symbol.name.lastIndexOf('.');
    return dot < 0 ? -1 : symbols.findIndex(other => other.name === symbol.name.slice(0, dot));
  });
  const column = (value: (symbol: SymbolSketch, row: number) => number): ColumnOf<AnyRow> => Int32Array.from(symbols, value) as ColumnOf<AnyRow>;
  const none = column(() => -1);
  const empty = { count: 0 } as const;
  const zero = new Int32Array(0) as ColumnOf<AnyRow>;
  const bytes = new Uint8Array(0);
  return {
    language,
    strings,
    symbols: {
      count: symbols.length,
      name: column(symbol => keep(symbol.name.slice(symbol.name.lastIndexOf('.') + 1).replace(/#\d+$/, ''))),
      kind: Uint8Array.from(symbols, symbol => symbolKindCode[symbol.kind ?? 'function']),
      parent: column((_, row) => parents[row] ?? -1),
      container: column(() => 0),
      receiver: none,
      ordinal: column(() => 1),
      modifiers: column(symbol => (symbol.modifiers ?? []).reduce((bits, name) => bits | MODIFIERS[name], 0)),
      startLine: column(symbol => (symbol.lines?.[0] ?? 1) - 1),
      startColumn: column(() => 0),
      endLine: column(symbol => (symbol.lines?.[1] ?? 1) - 1),
      endColumn: column(() => 80),
      nameLine: column(symbol => (symbol.lines?.[0] ?? 1) - 1),
      nameColumn: column(() => 9),
      scope: none,
      function: none,
      type: none,
      value: none,
      signature: column(symbol => keep(symbol.signature ?? '')),
      doc: column(symbol => keep(symbol.doc ?? '')),
      firstLine: column(symbol => keep(symbol.firstLine ?? '')),
      hash: column(symbol => keep(symbol.hash ?? `hash of ${symbol.name}`)),
      complexity: column(symbol => symbol.complexity ?? 0),
    },
    functions: {
      ...empty,
      symbol: zero,
      scope: zero,
      parameterStart: zero,
      parameterCount: zero,
      returnType: zero,
      returnStart: zero,
      returnCount: zero,
      modifiers: zero,
    },
    scopes: { ...empty, kind: bytes, parent: zero, symbol: zero, function: zero, package: zero },
    bindings: { ...empty, scope: zero, name: zero, kind: bytes, symbol: zero, import: zero, type: zero, value: zero, function: zero, position: zero },
    expressions: { ...empty, operator: bytes, a: zero, b: zero, text: zero, listStart: zero, listCount: zero },
    assignments: { ...empty, target: zero, name: zero, value: zero, type: zero, symbol: zero, owner: zero },
    references: { ...empty, kind: bytes, expression: zero, owner: zero, name: zero, line: zero, column: zero },
    heritage: { ...empty, symbol: zero, kind: bytes, expression: zero, receiver: zero, line: zero, column: zero },
    imports: {
      ...empty,
      kind: bytes,
      specifier: zero,
      level: zero,
      importedName: zero,
      localName: zero,
      binding: zero,
      typeOnly: bytes,
      line: zero,
      column: zero,
      aliasLine: zero,
      aliasColumn: zero,
    },
    exports: {
      ...empty,
      kind: bytes,
      exportedName: zero,
      localName: zero,
      importedName: zero,
      import: zero,
      value: zero,
      line: zero,
      column: zero,
      aliasLine: zero,
      aliasColumn: zero,
    },
    lists: zero,
    syntax: { nodes: 100, errorNodes: 0, lines },
    digest: '',
  };
}
