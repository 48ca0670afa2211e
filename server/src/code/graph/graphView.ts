import type { WorkspacePath } from '../../base/path';
import type { SourceName } from '../../model/evidence';
import type { NodeColumn, NodeHandle, StableId } from '../../model/ids';
import type { AttributeValues, Kind } from '../../model/kinds';
import type { LanguageId } from '../../model/languages';
import type { Modifier, NodeType, SymbolKind } from '../../model/nodes';
import type { Relation } from '../../model/relations';
import type { CentralityMethod } from '../../model/settings';
import type { Community, Membership } from './metricTypes';

export type { NodeHandle };

/** All that a node says of itself. What does not apply to its kind is `undefined`, empty or 0. */
export interface GraphNode {
  readonly handle: NodeHandle;
  readonly id: StableId;
  readonly nodeType: NodeType;
  readonly name: string;
  /** Symbols only. */
  readonly kind: SymbolKind | undefined;
  readonly path: WorkspacePath;
  readonly language: LanguageId | undefined;
  /** 1-based, inclusive; 0 for files without lines and externals. */
  readonly startLine: number;
  readonly endLine: number;
  /** 1-based line and 0-based UTF-16 column of the name. */
  readonly nameLine: number;
  readonly nameColumn: number;
  readonly signature: string;
  readonly doc: string;
  /** `{name} in {file}: {sentence}` without the prefix: one sentence. */
  readonly summary: string;
  readonly modifiers: readonly Modifier[];
  readonly complexity: number;
  readonly isTest: boolean;
  readonly isExported: boolean;
  /** What is said of its file may be of an earlier text (`FileRecord.isStale`). */
  readonly isStale: boolean;
  /** Symbols: hash of the unit; files: SHA-256. */
  readonly contentHash: string;
  /** What nodes of the layers above say of themselves, by the names of their kind's row. */
  readonly attributes?: AttributeValues;
}

/** An edge is the aggregate of its sites: same source, relation and target. */
export interface GraphEdge {
  readonly source: NodeHandle;
  readonly target: NodeHandle;
  readonly relation: Relation;
  /** Highest confidence of its sites, 0 to 1. */
  readonly confidence: number;
  /** How the most confident site is known. */
  readonly provenance: SourceName;
  /** Number of sites. */
  readonly count: number;
  /** 1-based lines of its sites in the source's file, ascending, at most 20. `[]` for edges without a site (containment). */
  readonly lines: readonly number[];
  /** What edges of the layers above say of themselves, by the names of their relation's row. */
  readonly attributes?: AttributeValues;
}

/**
 * The code as compressed sparse rows over its live nodes, one half per direction. Row `h` of node handle `h` is `starts[h]` to `ends[h]`.
 * Rows lie anywhere in their columns, which several revisions share: never walk a whole column.
 * A row may name a node that has died since: walkers skip targets that are not `live`.
 * Every entry points the way of dependence: DECORATES goes from the decorated symbol to its decorator here (`out` and `in` turn it round).
 */
export interface Adjacency {
  /** One more than the highest handle. */
  readonly size: number;
  readonly forward: HalfAdjacency;
  readonly backward: HalfAdjacency;
  /** 1 for live nodes. */
  readonly live: Uint8Array;
}

/** Edges of all nodes in one direction as compressed sparse rows: those of node `n` are `starts[n]` up to `ends[n]`. */
export interface HalfAdjacency {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly targets: NodeColumn;
  /** Codes from `RELATIONS`. */
  readonly relations: Uint8Array;
  /** `encodeConfidence`. */
  readonly confidences: Uint8Array;
}

/** Rows of several layers, for walkers that take a list of halves; the code's come first. */
export interface Walkable {
  /** 1 for live nodes of every layer; its length is one more than the highest handle. */
  readonly live: Uint8Array;
  readonly forward: readonly HalfAdjacency[];
  readonly backward: readonly HalfAdjacency[];
}

/** How many sites lead where. */
export interface UnresolvedCounts {
  readonly unresolved: number;
  readonly external: number;
  /** Sites with at least one candidate. */
  readonly resolved: number;
}

/** Figures over a whole view. Sites are uses of names; `resolved` have at least one candidate. */
export interface GraphTally {
  /** Candidates of sites that make no edge, because their relation may not end at them. */
  readonly refused: number;
  readonly externals: number;
  readonly symbolsByKind: Readonly<Partial<Record<SymbolKind, number>>>;
  /** Languages in alphabetical order; files of no known language count under `other`. */
  readonly languages: readonly LanguageTally[];
  readonly relations: readonly RelationTally[];
}

export interface LanguageTally {
  readonly language: LanguageId | 'other';
  readonly files: number;
  readonly symbols: number;
  readonly sites: UnresolvedCounts;
}

export interface RelationTally {
  readonly relation: Relation;
  /** Confidence of at least `FACT_CONFIDENCE`, and below it. */
  readonly facts: number;
  readonly maybes: number;
}

/** Immutable read view of one revision of a checkout's graph: the code and the layers above it. */
export interface GraphView {
  readonly revision: number;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly fileCount: number;
  /** The code alone. */
  readonly adjacency: Adjacency;
  /** What links of these kinds (1 = yes, by relation code) lead along: the code, and each layer above that has some of them. */
  walk(kinds: Uint8Array): Walkable;

  find(id: StableId): NodeHandle | undefined;
  isLive(node: NodeHandle): boolean;
  idOf(node: NodeHandle): StableId;
  node(node: NodeHandle): GraphNode;
  /** All live nodes of the code in order of path, then source order; externals last. */
  nodes(): Iterable<NodeHandle>;
  /** All nodes of the layers above, by kind, then name, then id. Communities and transactions only when asked for: communities may have to be computed. */
  nodesAbove(kinds?: ReadonlySet<Kind>): Iterable<NodeHandle>;
  files(): Iterable<NodeHandle>;
  fileOf(path: WorkspacePath): NodeHandle | undefined;
  /**
   * Stands for a file with its symbols and where its references lead: the same object in another view where nothing of that differs, and where all nodes of the
   * file have the same handles. Others may be equal. `undefined` for what is no file of the code.
   */
  fileStateOf(file: NodeHandle): object | undefined;
  /** Symbols of a file in source order. */
  symbolsOf(file: NodeHandle): readonly NodeHandle[];
  /** Direct members of a container symbol, or top-level symbols of a file. */
  childrenOf(node: NodeHandle): readonly NodeHandle[];
  parentOf(node: NodeHandle): NodeHandle | undefined;
  /** The file that a node is in, or is; `undefined` for externals. */
  fileNodeOf(node: NodeHandle): NodeHandle | undefined;
  /** Whether a node is a file of tests, lies in one, or is a test itself. */
  isTest(node: NodeHandle): boolean;
  /** Whether a test framework runs the symbol by itself. What only its name makes a test must lie in a file of tests. */
  runsAsTest(node: NodeHandle): boolean;
  /** Cheaper than asking its `node`. */
  kindOf(node: NodeHandle): Kind;
  /** As its `node` has it, and cheaper; empty for files and externals. */
  signatureOf(node: NodeHandle): string;
  /** Place of a node in `nodes()`: a whole number below 2^40 that ascends by path, then source order. For comparing, cheaper than ids. */
  orderOf(node: NodeHandle): number;
  /** Nodes of the code whose short name is `name` (case-sensitive first; then case-insensitive). */
  named(name: string): readonly NodeHandle[];
  /** Innermost symbol around a place (1-based line, 0-based column). */
  symbolAt(path: WorkspacePath, line: number, column: number): NodeHandle | undefined;
  /**
   * Aggregated edges, both ends live; sorted by relation, then id of the other end. With `keep` only those whose other end it takes: much cheaper at a hub.
   * `kinds` (1 = yes, by relation code) limits the relations; without it all but bookkeeping, which only those have that are there for it (the members of a community).
   */
  out(node: NodeHandle, keep?: (other: NodeHandle) => boolean, kinds?: Uint8Array): readonly GraphEdge[];
  in(node: NodeHandle, keep?: (other: NodeHandle) => boolean, kinds?: Uint8Array): readonly GraphEdge[];
  edge(source: NodeHandle, relation: Relation, target: NodeHandle): GraphEdge | undefined;
  countsOf(node: NodeHandle): UnresolvedCounts;
  /** PageRank of every node by handle, 0 for dead ones; sums to 1. Computed when first asked for. */
  pageRank(): Float64Array;
  /** `pageRank` if it has been computed for this revision. */
  readonly knownPageRank: Float64Array | undefined;
  /** Computes `pageRank` ahead of the first question, calling `pause` between short steps. */
  preparePageRank(pause: () => Promise<void> | undefined): Promise<void>;
  /** Highest value of `pageRank`, 0 for an empty graph. */
  maxPageRank(): number;
  /** Whether `communities` answers at once: they are known, or the graph is small. */
  readonly hasQuickCommunities: boolean;
  /** Communities of all live nodes: a function of nodes and links alone. Computed when first asked for. */
  communities(): Membership;
  /** `communities` if they have been computed for this revision. */
  readonly knownCommunities: Membership | undefined;
  /** Members of a community in the order of `nodes()`. */
  membersOf(community: number): readonly NodeHandle[];
  /** Name of a community, that of no other; `''` for a number that none has. */
  labelOfCommunity(community: number): string;
  /** Communities in words, largest first, then by number. Computed when first asked for. */
  describedCommunities(): readonly Community[];
  /** Importance by handle, 0 to 1 (over its maximum); 0 for dead nodes. Computed when first asked for, all methods but PageRank together. */
  centrality(method: CentralityMethod): Float32Array;
  /** Computes communities and centralities ahead of the first question, calling `pause` between short steps. */
  prepareMetrics(pause: () => Promise<void> | undefined): Promise<void>;
  /** The communities alone. */
  prepareCommunities(pause: () => Promise<void> | undefined): Promise<void>;
  /** Computed when first asked for. */
  tally(): GraphTally;
  /** The candidates of the site at a place: what a reference there may refer to (LSP hover on a use). */
  targetsAt(
    path: WorkspacePath,
    line: number,
    column: number,
  ): readonly { readonly target: NodeHandle; readonly relation: Relation; readonly confidence: number }[];
}
