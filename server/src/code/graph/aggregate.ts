import { encodeConfidence, sourceCode } from '../../model/evidence';
import { NONE } from '../../model/facts';
import { NO_NODE, type NodeHandle, type NodeIds } from '../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../model/nodes';
import { type CodeEnd, endOfId, joinsCode, relationCode } from '../../model/relations';
import type { SiteTable } from '../../model/resolution';
import { type EdgePool, MAX_LINES } from './edgePool';
import { type FileEntry, parentRow, type SymbolRow, symbolCell, symbolRow } from './fileEntry';
import type { GraphState } from './graphState';

/** Says for each appended node where its row lies. */
export type RowPlaced = (node: NodeHandle, start: number, end: number) => void;

interface Draft {
  readonly source: NodeHandle;
  readonly target: NodeHandle;
  readonly relation: number;
  confidence: number;
  provenance: number;
  count: number;
  readonly lines: number[];
}

const SYNTAX = sourceCode.syntax;
const CERTAIN = encodeConfidence(1);

/**
 * Appends the edges of one file to the pool, one contiguous row per node of the file: structure first, then one edge per
 * (relation, target) of its sites. A site whose owner is not a node of this file counts for the file.
 * A candidate makes no edge if the relation may not join such ends; `tallyOf` counts those.
 */
export function appendEdges(entry: FileEntry, pool: EdgePool, placed: RowPlaced, endOf: EndOf): void {
  const rows = entry.nodes.length;
  const bySource = sitesBySource(entry);
  const members = membersOf(entry);
  const drafts: Draft[] = [];

  for (let place = NONE; place < rows; place++) {
    const row = place === NONE ? undefined : symbolRow(place);
    const source = row === undefined ? entry.file : (entry.nodes[row] ?? NO_NODE);
    const start = pool.length;
    if (row === undefined) {
      for (const target of entry.nodes) structural(pool, source, target, relationCode.DEFINES_SYMBOL);
    } else {
      for (const member of members.get(row) ?? []) structural(pool, source, entry.nodes[member] ?? NO_NODE, relationCode.CONTAINS);
    }
    for (const member of members.get(row) ?? []) {
      const relation = definingRelation(entry, row, member);
      if (relation !== undefined) structural(pool, source, entry.nodes[member] ?? NO_NODE, relation);
    }
    drafts.length = 0;
    const range = { start: bySource.starts[place + 1] ?? 0, end: bySource.starts[place + 2] ?? 0, source };
    collect(entry.sites, bySource.sites, range, row === undefined ? 'file' : 'symbol', drafts, endOf);
    for (const draft of drafts) {
      const lines = tidyLines(draft.lines);
      pool.append(draft, lines, 0, lines.length);
    }
    placed(source, start, pool.length);
  }
}

const NO_LINES: readonly number[] = [];

function structural(pool: EdgePool, source: NodeHandle, target: NodeHandle, relation: number): void {
  pool.append({ source, target, relation, confidence: CERTAIN, provenance: SYNTAX, count: 1 }, NO_LINES, 0, 0);
}

/** How a file or type defines a constant, enum member, class-level attribute or instance field; undefined for what is none of these. */
function definingRelation(entry: FileEntry, container: SymbolRow | undefined, member: SymbolRow): number | undefined {
  const kind = symbolCell(entry, member, 'kind');
  if (kind === symbolKindCode.constant) return relationCode.DEFINES_CONSTANT;
  if (container === undefined) return undefined;
  if (kind === symbolKindCode.enum_member) return relationCode.DEFINES_ENUM_MEMBER;
  if (!FIELDS.has(kind) || !OWNERS.has(symbolCell(entry, container, 'kind'))) return undefined;
  return (symbolCell(entry, member, 'modifiers') & MODIFIERS.static) === 0 ? relationCode.DEFINES_FIELD : relationCode.DEFINES_CLASS_ATTR;
}

const FIELDS: ReadonlySet<number> = new Set([symbolKindCode.field, symbolKindCode.property, symbolKindCode.variable]);
const OWNERS: ReadonlySet<number> = new Set((['class', 'interface', 'struct', 'trait', 'enum', 'type'] as const).map(kind => symbolKindCode[kind]));

/** Symbol rows by the row they stand in; those at the top under `undefined`. */
function membersOf(entry: FileEntry): Map<SymbolRow | undefined, SymbolRow[]> {
  const members = new Map<SymbolRow | undefined, SymbolRow[]>();
  for (let place = 0; place < entry.nodes.length; place++) {
    const row = symbolRow(place);
    const parent = parentRow(entry, row);
    const list = members.get(parent);
    if (list === undefined) members.set(parent, [row]);
    else list.push(row);
  }
  return members;
}

/** Counting sort of the sites by owner; bucket 0 is the file, bucket `row + 1` a symbol. `starts` has one more entry than there are buckets. */
function sitesBySource(entry: FileEntry): { readonly sites: Int32Array; readonly starts: Int32Array } {
  const { sites } = entry;
  const rowOf = rowFinder(entry);
  const bucketOf = new Int32Array(sites.count);
  const starts = new Int32Array(entry.nodes.length + 2);
  for (let site = 0; site < sites.count; site++) {
    const bucket = rowOf(ownerOf(sites, site)) + 1;
    bucketOf[site] = bucket;
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + 1;
  }
  for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
  const next = starts.slice();
  const order = new Int32Array(sites.count);
  for (let site = 0; site < sites.count; site++) {
    const bucket = bucketOf[site] ?? 0;
    const at = next[bucket] ?? 0;
    order[at] = site;
    next[bucket] = at + 1;
  }
  return { sites: order, starts };
}

/** Says the row of a node, `NONE` when it is not of this file. Handles of one file mostly follow one another; a map is made for those that do not. */
function rowFinder({ file, nodes }: FileEntry): (node: NodeHandle) => number {
  const first = nodes[0] ?? NO_NODE;
  let others: Map<number, number> | undefined;
  return node => {
    if (nodes[node - first] === node) return node - first;
    if (node === file) return NONE;
    others ??= new Map(Array.from(nodes, (each, row) => [each, row]));
    return others.get(node) ?? NONE;
  };
}

/** The end of a site that is in this file: where the edge starts, but what is decorated for DECORATES, whose row it is in. */
export function ownerOf(sites: SiteTable, site: number): NodeHandle {
  const isTurned = sites.relation[site] === relationCode.DECORATES;
  return (isTurned ? sites.target[sites.candidateStart[site] ?? 0] : sites.from[site]) ?? NO_NODE;
}

/** What a node is as the end of an edge. */
export type EndOf = (node: NodeHandle) => CodeEnd;

/** Reads it off the columns; of a node that is not in the graph off its ID. */
export function endIn({ rowOf, slotOf }: Pick<GraphState, 'rowOf' | 'slotOf'>, ids: NodeIds): EndOf {
  return node => {
    if ((slotOf[node] ?? -1) >= 0) return (rowOf[node] ?? -1) < 0 ? 'file' : 'symbol';
    // Saved columns may be damaged: a handle of nothing is found out later.
    return endOfId(node < ids.size ? ids.text(node) : '');
  };
}

/** The end of a reference that is in another row: what is named, but for DECORATES what decorates. */
export function otherEnd(sites: SiteTable, site: number, candidate: number): NodeHandle {
  return (sites.relation[site] === relationCode.DECORATES ? sites.from[site] : sites.target[candidate]) ?? NO_NODE;
}

/** Whether the relation may not join what is in this file to the other end. */
export function isRefused(relation: number, own: CodeEnd, other: CodeEnd): boolean {
  return relation === relationCode.DECORATES ? !joinsCode(relation, other, own) : !joinsCode(relation, own, other);
}

interface Range {
  readonly start: number;
  readonly end: number;
  /** The node of this file that all sites of the range have. */
  readonly source: NodeHandle;
}

/** Rows up to this length are searched straight through; longer ones get a map. */
const SHORT_ROW = 16;

/** Adds a draft for each edge of a range of sites, whose ends in this file are one node. */
function collect(sites: SiteTable, order: Int32Array, { end, source, start }: Range, own: CodeEnd, drafts: Draft[], endOf: EndOf): void {
  let index: Map<number, Draft> | undefined;
  const find = (relation: number, target: NodeHandle): Draft | undefined => {
    if (index !== undefined) return index.get(target * 256 + relation);
    return drafts.find(draft => draft.target === target && draft.relation === relation);
  };
  for (let i = start; i < end; i++) {
    const site = order[i] ?? 0;
    const relation = sites.relation[site] ?? 0;
    const first = sites.candidateStart[site] ?? 0;
    for (let candidate = first; candidate < first + (sites.candidateCount[site] ?? 0); candidate++) {
      const target = otherEnd(sites, site, candidate);
      if (isRefused(relation, own, endOf(target))) continue;
      const confidence = sites.confidence[candidate] ?? 0;
      const provenance = sites.source[candidate] ?? 0;
      let draft = find(relation, target);
      if (draft === undefined) {
        draft = { source, target, relation, confidence, provenance, count: 0, lines: [] };
        drafts.push(draft);
        if (index !== undefined) index.set(target * 256 + relation, draft);
        else if (drafts.length > SHORT_ROW) index = new Map(drafts.map(each => [each.target * 256 + each.relation, each]));
      } else if (confidence > draft.confidence || (confidence === draft.confidence && provenance < draft.provenance)) {
        draft.confidence = confidence;
        draft.provenance = provenance;
      }
      draft.count++;
      draft.lines.push(sites.line[site] ?? 0);
    }
  }
}

function tidyLines(lines: number[]): number[] {
  if (lines.length < 2) return lines;
  lines.sort((a, b) => a - b);
  const distinct: number[] = [];
  for (const line of lines) if (line !== distinct[distinct.length - 1] && distinct.length < MAX_LINES) distinct.push(line);
  return distinct;
}
