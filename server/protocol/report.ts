/** What the HTML report shows; written into the page as JSON. */
export interface ReportData {
  readonly name: string;
  readonly version: string;
  /** ISO-8601. */
  readonly madeAt: string;
  readonly head: string;
  readonly totals: { readonly files: number; readonly symbols: number; readonly edges: number; readonly lines: number };
  readonly languages: readonly {
    readonly language: string;
    readonly files: number;
    readonly symbols: number;
    readonly lines: number;
    readonly errorShare: number;
  }[];
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  readonly relations: readonly { readonly relation: string; readonly facts: number; readonly maybes: number }[];
  readonly resolution: { readonly resolved: number; readonly unresolved: number; readonly external: number; readonly rate: number };
  /** Files of each import cycle, longest first. */
  readonly cycles: readonly (readonly string[])[];
  readonly hotspots: readonly ReportHotspot[];
  readonly problems: readonly { readonly code: string; readonly count: number }[];
  readonly graph: ReportGraph;
}

export interface ReportHotspot {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  /** Share of the total PageRank. */
  readonly score: number;
  readonly callers: number;
  readonly dependents: number;
  readonly tests: number;
  readonly summary: string;
}

/** The best-connected part of the graph, bounded so that the page stays small. */
export interface ReportGraph {
  readonly nodes: readonly ReportNode[];
  /** `source` and `target` are positions in `nodes`. */
  readonly edges: readonly { readonly source: number; readonly target: number; readonly relation: string; readonly confidence: number }[];
  readonly omittedNodes: number;
}

export interface ReportNode {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly signature: string;
  readonly summary: string;
  readonly isTest: boolean;
  readonly score: number;
}
