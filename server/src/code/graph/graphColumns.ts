import type { Steps } from '../../base/steps';
import type { FileRecord } from '../../model/delta';
import { NO_NODE, type NodeColumn, type NodeHandle, type NodeIds, nodeColumn } from '../../model/ids';
import type { SiteTable } from '../../model/resolution';
import type { CodeGraph } from './codeGraph';
import { type FileEntry, SYMBOL_STRIDE } from './fileEntry';
import type { GraphView } from './graphView';

/** Raised whenever the shape below changes; columns of another format are not read. */
export const GRAPH_FORMAT = 5;

const IDS_PER_COLUMN = 8192;

/** A whole graph as plain data for a pack: node handles become indexes into `ids`, which mean the same in every process. */
export interface GraphColumns {
  readonly format: number;
  readonly revision: number;
  /** One column after the other, each of at most `IDS_PER_COLUMN`. */
  readonly ids: readonly TextColumn[];
  readonly files: readonly FileColumns[];
  /** PageRank by place in `ids`, when it was known; saves the first question of the next process from computing it. */
  readonly ranks?: Float64Array | undefined;
  /** Number of the community by place in `ids`, when they were known. */
  readonly communities?: Int32Array | undefined;
}

/** Texts one after the other and where each ends: read in one piece, which is many times faster than text by text. */
export interface TextColumn {
  readonly text: string;
  readonly ends: Int32Array;
}

/** Where the references of a file lead. */
export type FileLinks = Pick<FileEntry, 'file' | 'nodes' | 'sites' | 'unresolved' | 'external'>;

/** `links` holds, one after the other: file, nodes, then per site relation, from, line, column, length, candidateStart, candidateCount, then per candidate target, confidence, source, then unresolved and external. */
export interface LinkColumns {
  readonly sites: number;
  readonly candidates: number;
  readonly links: Int32Array;
}

interface FileColumns extends LinkColumns {
  readonly record: FileRecord;
  readonly lines: number;
  readonly texts: TextColumn;
  readonly symbols: Int32Array;
}

const SITE_FIELDS = ['relation', 'from', 'line', 'column', 'length', 'candidateStart', 'candidateCount'] as const;
const CANDIDATE_FIELDS = ['target', 'confidence', 'source'] as const;

/** Packs entries piece by piece, so that saving a large graph can yield in between. `ids` is complete after the last piece. */
export class ColumnWriter {
  readonly #ids: string[] = [];
  /** Index into `ids` plus one, by handle. */
  readonly #local: Int32Array;

  constructor(private readonly interner: NodeIds) {
    this.#local = new Int32Array(interner.size);
  }

  /** How many `ids` gives. */
  get idColumns(): number {
    return Math.ceil(this.#ids.length / IDS_PER_COLUMN);
  }

  *ids(): Generator<TextColumn> {
    for (let from = 0; from < this.#ids.length; from += IDS_PER_COLUMN) yield columnOf(this.#ids.slice(from, from + IDS_PER_COLUMN));
  }

  /** Of the nodes written so far, where `view` has them computed. */
  ranksOf(view: GraphView): Float64Array | undefined {
    const ranks = view.knownPageRank;
    return ranks === undefined ? undefined : this.#byPlace(ranks, new Float64Array(this.#ids.length));
  }

  /** Of the nodes written so far, where `view` has them computed. */
  communitiesOf(view: GraphView): Int32Array | undefined {
    const of = view.knownCommunities?.of;
    return of === undefined ? undefined : this.#byPlace(of, new Int32Array(this.#ids.length).fill(-1));
  }

  #byPlace<T extends Float64Array | Int32Array>(byHandle: T, byPlace: T): T {
    const local = this.#local;
    const end = Math.min(local.length, byHandle.length);
    for (let handle = 0; handle < end; handle++) {
      const place = (local[handle] ?? 0) - 1;
      if (place >= 0) byPlace[place] = byHandle[handle] ?? 0;
    }
    return byPlace;
  }

  write(entries: readonly FileEntry[]): FileColumns[] {
    return entries.map(entry => pack(entry, handle => this.#toLocal(handle)));
  }

  #toLocal(handle: NodeHandle): number {
    const known = this.#local[handle] ?? 0;
    if (known > 0) return known - 1;
    const length = this.#ids.push(this.interner.text(handle));
    this.#local[handle] = length;
    return length - 1;
  }
}

export function toColumns(graph: CodeGraph, interner: NodeIds): GraphColumns {
  const writer = new ColumnWriter(interner);
  const files = writer.write(graph.entries());
  return {
    format: GRAPH_FORMAT,
    revision: graph.view.revision,
    ids: [...writer.ids()],
    files,
    ranks: writer.ranksOf(graph.view),
    communities: writer.communitiesOf(graph.view),
  };
}

/** Puts saved columns into an empty graph; `undefined`, and nothing changed, when they are of another format or damaged. */
export function* fromColumns(graph: CodeGraph, columns: GraphColumns, interner: NodeIds): Steps<GraphView | undefined> {
  if (columns.format !== GRAPH_FORMAT) return undefined;
  const toHandle = yield* handlesOf(columns.ids, interner);
  const entries: FileEntry[] = [];
  for (const file of columns.files) {
    const entry = unpack(file, toHandle);
    if (entry === undefined) return undefined;
    entries.push(entry);
    yield undefined;
  }
  const { communities, ranks } = columns;
  if ((ranks ?? toHandle).length !== toHandle.length || (communities ?? toHandle).length !== toHandle.length) return undefined;
  yield* graph.replaceInSteps(entries, []);
  if (ranks !== undefined) graph.setPageRank(toHandle, ranks);
  if (communities !== undefined) graph.setCommunities(byHandle(graph, toHandle, communities));
  return graph.view;
}

function* handlesOf(columns: GraphColumns['ids'], interner: NodeIds): Steps<Int32Array> {
  const handles = new Int32Array(columns.reduce((sum, { ends }) => sum + ends.length, 0));
  let at = 0;
  for (const column of columns) {
    for (const id of textsOf(column)) handles[at++] = interner.intern(id);
    yield undefined;
  }
  return handles;
}

function byHandle(graph: CodeGraph, handles: Int32Array, values: Int32Array): Int32Array {
  const column = new Int32Array(graph.view.adjacency.size).fill(-1);
  for (let at = 0; at < handles.length; at++) column[handles[at] ?? 0] = values[at] ?? -1;
  return column;
}

export function columnOf(texts: readonly string[]): TextColumn {
  let end = 0;
  return { text: texts.join(''), ends: Int32Array.from(texts, text => (end += text.length)) };
}

export function textsOf({ ends, text }: TextColumn): string[] {
  return Array.from(ends, (end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
}

function pack(entry: FileEntry, toLocal: (handle: NodeHandle) => number): FileColumns {
  return { record: entry.record, lines: entry.lines, texts: columnOf(entry.texts), symbols: entry.symbols, ...packLinks(entry, toLocal) };
}

function unpack({ symbols, texts, ...file }: FileColumns, toHandle: Int32Array): FileEntry | undefined {
  const links = unpackLinks(file, symbols.length / SYMBOL_STRIDE, toHandle);
  return links === undefined ? undefined : { record: file.record, symbols, texts: textsOf(texts), lines: file.lines, ...links };
}

/** `toLocal` numbers the nodes. */
export function packLinks(entry: FileLinks, toLocal: (handle: NodeHandle) => number): LinkColumns {
  const { sites } = entry;
  const candidates = candidateCount(sites);
  const links = new Int32Array(
    1 + entry.nodes.length + sites.count * SITE_FIELDS.length + candidates * CANDIDATE_FIELDS.length + entry.unresolved.length + entry.external.length,
  );
  let at = 0;
  links[at++] = toLocal(entry.file);
  for (const node of entry.nodes) links[at++] = toLocal(node);
  for (const field of SITE_FIELDS) {
    const column = sites[field];
    for (let i = 0; i < sites.count; i++) links[at++] = field === 'from' ? toLocal(sites.from[i] ?? NO_NODE) : (column[i] ?? 0);
  }
  for (const field of CANDIDATE_FIELDS) {
    const column = sites[field];
    for (let i = 0; i < candidates; i++) links[at++] = field === 'target' ? toLocal(sites.target[i] ?? NO_NODE) : (column[i] ?? 0);
  }
  for (const value of entry.unresolved) links[at++] = value;
  for (const value of entry.external) links[at++] = value;
  return { sites: sites.count, candidates, links };
}

/** `undefined` for columns that are damaged. `symbols`: number of the symbols of the file; `toHandle`: handles by the numbers of the nodes. */
export function unpackLinks(columns: LinkColumns, symbols: number, toHandle: Int32Array): FileLinks | undefined {
  const { candidates, links } = columns;
  const counters = links.length - 1 - symbols - columns.sites * SITE_FIELDS.length - candidates * CANDIDATE_FIELDS.length;
  if (!Number.isInteger(symbols) || counters < 0 || counters % 2 !== 0) return undefined;
  let at = 0;
  const take = (length: number): Int32Array => links.slice(at, (at += length));
  const handles = (length: number): NodeColumn => nodeColumn(take(length).map(index => toHandle[index] ?? -1));
  const file = handles(1)[0] ?? NO_NODE;
  const nodes = handles(symbols);
  const sites: SiteTable = {
    count: columns.sites,
    relation: Uint8Array.from(take(columns.sites)),
    from: handles(columns.sites),
    line: take(columns.sites),
    column: take(columns.sites),
    length: take(columns.sites),
    candidateStart: take(columns.sites),
    candidateCount: take(columns.sites),
    target: handles(candidates),
    confidence: Uint8Array.from(take(candidates)),
    source: Uint8Array.from(take(candidates)),
  };
  if (file < 0 || nodes.includes(NO_NODE) || sites.from.includes(NO_NODE) || sites.target.includes(NO_NODE)) return undefined;
  return { file, nodes, sites, unresolved: take(counters / 2), external: take(counters / 2) };
}

/** Candidates in use: the columns may be longer than the last slice needs. */
export function candidateCount(sites: SiteTable): number {
  let end = 0;
  for (let site = 0; site < sites.count; site++) end = Math.max(end, (sites.candidateStart[site] ?? 0) + (sites.candidateCount[site] ?? 0));
  return end;
}
