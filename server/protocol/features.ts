/**
 * What the client reads of the features it asks with `query`. Lines are 1-based, columns 0-based in UTF-16 code units.
 * Only fields the editor shows are named; answers hold more.
 */

/** Feature `search`: code that matches words, best first. */
export interface SearchQuery {
  readonly query: string;
  readonly limit: number;
}

export interface SymbolDto {
  readonly id: string;
  readonly name: string;
  /** A symbol kind (`method`, `class`…), or `file`, or `external`. */
  readonly kind: string;
  /** Inside the workspace folder, `/` between segments. */
  readonly path: string;
  readonly startLine: number;
  readonly nameLine: number;
  readonly nameColumn: number;
}

export interface SearchDto {
  readonly hits: readonly (SymbolDto & { readonly summary: string })[];
}

/** Feature `impact`: what depends on `target`, or on what changed in git `since` a revision, directly or not. */
export interface ImpactQuery {
  readonly target?: string;
  readonly since?: string;
  /** 1 to 6. */
  readonly maxDepth: number;
  /** Walks only these, as `CALLS`; all dependency relations when absent. */
  readonly relations?: readonly string[];
  /** Most rows of each list. */
  readonly limit: number;
}

export interface ImpactedDto {
  readonly id: string;
  readonly kind: string;
  readonly path: string;
  readonly startLine: number;
  readonly isTest: boolean;
  readonly depth: number;
  /** How it depends on the last node but one of `via`: `CALLS`, `IMPORTS`… */
  readonly relation: string;
  /** Line of that use in `path`; 0 when unknown. */
  readonly line: number;
  /** 0 to 1, the product along `via`. */
  readonly confidence: number;
  /** Ids from the target to this node. */
  readonly via: readonly string[];
}

export interface ImpactDto {
  /** Ids of what was taken as changed. */
  readonly targets: readonly string[];
  /** Of everything, also of what the lists leave out. */
  readonly counts: {
    /** Dependents that are no tests, one hop away and further. */
    readonly direct: number;
    readonly transitive: number;
    readonly directTests: number;
    readonly transitiveTests: number;
    readonly maybe: number;
    /** Files, other than tests, that hold something impacted. */
    readonly files: number;
  };
  /** Facts, tests and what they stand on included. */
  readonly impacted: readonly ImpactedDto[];
  /** Facts that are no tests. */
  readonly directDependents: readonly ImpactedDto[];
  readonly transitiveDependents: readonly ImpactedDto[];
  readonly directTests: readonly ImpactedDto[];
  readonly transitiveTests: readonly ImpactedDto[];
  /** Reached only over a reference that could go to several places. */
  readonly maybe: readonly ImpactedDto[];
  readonly blastRadius: number;
  readonly risk: 'low' | 'medium' | 'high';
}

/** Feature `explain`: what a symbol is, what it uses and who uses it, nearest first. */
export interface ExplainQuery {
  readonly target: string;
  /** Most neighbours per side. */
  readonly limit: number;
}

export interface NeighbourDto {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** `CALLS` for what the symbol uses, `called_by` for who uses it. */
  readonly rel: string;
  /** First line of the use, in the file of whichever end uses the other; 0 when unknown. */
  readonly line: number;
  readonly confidence: number;
}

export interface ExplainDto {
  readonly symbol: SymbolDto & { readonly endLine: number };
  /** One sentence about it. */
  readonly sentence: string;
  readonly signature: string;
  readonly doc: string;
  readonly modifiers: readonly string[];
  readonly complexity: number;
  readonly dependencies: readonly NeighbourDto[];
  readonly dependents: readonly NeighbourDto[];
  readonly counts: {
    readonly dependencies: number;
    readonly dependents: number;
    readonly tests: number;
    readonly references: { readonly resolved: number; readonly unresolved: number; readonly external: number };
  };
  readonly members: readonly SymbolDto[];
  readonly tests: readonly string[];
  /** What is known about its file. */
  readonly atoms: readonly { readonly id: string; readonly name: string }[];
}

/** Feature `nodesById`: those of the ids that there are. */
export interface NodesQuery {
  readonly ids: readonly string[];
}

export interface NodesDto {
  readonly nodes: readonly SymbolDto[];
}

/** Feature `structure`: how the workspace is built. */
export interface StructureDto {
  readonly communities: readonly {
    readonly id: number;
    readonly label: string;
    readonly summary: string;
    readonly memberCount: number;
    /** The most central ones. */
    readonly members: readonly SymbolDto[];
  }[];
  readonly communityCount: number;
  /** Paths of files that import each other. */
  readonly cycles: readonly (readonly string[])[];
  readonly cycleCount: number;
  readonly hotspots: readonly (SymbolDto & { readonly dependents: number })[];
}
