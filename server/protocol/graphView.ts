/**
 * What the graph panel asks of the feature `graphScene`, and what it gets. Plain data; lines are 1-based, confidences 0 to 1.
 * A scene is a whole: it is asked for again when anything changes, and the page works out what is new.
 */

export const SCENE_STARTS = ['workspace', 'folder', 'focus', 'search', 'impact', 'changes', 'community', 'path'] as const;
export type SceneStart = (typeof SCENE_STARTS)[number];

export const SCENE_GROUPINGS = ['none', 'folder', 'package', 'community'] as const;
export type SceneGrouping = (typeof SCENE_GROUPINGS)[number];

/** What colours tell apart: kinds and certainty, or the area that a node belongs to. */
export const SCENE_COLOURINGS = ['kind', 'molecule', 'community'] as const;
export type SceneColouring = (typeof SCENE_COLOURINGS)[number];

/** Most edges drawn unless asked otherwise. */
export const EDGE_BUDGET = 600;

export interface SceneQuery {
  readonly start: SceneStart;
  /** By start: an id or a file (focus, impact, path), a folder, words, a revision or range of commits (changes), the number of a community. */
  readonly target?: string;
  /** Other end of a path. */
  readonly to?: string;
  /** Steps away from the start, 1 to 6. */
  readonly depth?: number;
  readonly groupBy?: SceneGrouping;
  /** Only these relations; all dependencies when absent. */
  readonly relations?: readonly string[];
  /** Only these kinds of nodes beside the start. */
  readonly kinds?: readonly string[];
  readonly languages?: readonly string[];
  readonly minConfidence?: number;
  /** False leaves tests out. */
  readonly tests?: boolean;
  /** True shows what lies outside the workspace. */
  readonly externals?: boolean;
  /** True shows atoms, tasks and what they are part of beside the code that they are about. */
  readonly knowledge?: boolean;
  /** What was expanded, by the keys that nodes and bundles carry; a key given twice shows twice as many. */
  readonly expand?: readonly string[];
  /** Nodes that stay whatever the start is. */
  readonly keep?: readonly string[];
  readonly edgeBudget?: number;
  /** `kind` when absent; else the answer has `areas`. */
  readonly colourBy?: SceneColouring;
  /** An atom: the answer tells which nodes hold files that it covers. */
  readonly atom?: string;
}

/** `start` is what was asked about, `step` a node on the path to it or from it; `box` is a group shown as one node. */
export type SceneRole = 'start' | 'step' | 'box' | 'bundle';

/** Where a node stands beside others of its column: what a symbol is made of and what tests it are apart from who calls it. */
export type SceneLane = 'types' | 'main' | 'tests' | 'knowledge';

export interface SceneNodeDto {
  readonly id: string;
  readonly label: string;
  /** A symbol kind, `file`, `external`, `folder`, `package`, `community` or `bundle`. */
  readonly kind: string;
  readonly role: SceneRole;
  readonly path: string;
  /** 0 for nodes without a place. */
  readonly line: number;
  readonly language: string;
  readonly isTest: boolean;
  /** Steps from the start; negative for what uses it in a focus view. 0 in views of boxes. */
  readonly column: number;
  readonly lane: SceneLane;
  /** Confidence of the way that leads from the start to here; below 0.8 it is a maybe. */
  readonly confidence: number;
  /** Group that holds it. */
  readonly parent?: string;
  /** Importance, 0 to 1. */
  readonly weight: number;
  readonly signature: string;
  readonly summary: string;
  /** Nodes that it stands for: of a group shown as one node, or of a bundle. */
  readonly size: number;
  /** How many neighbours it has by side and relation, and how many of these are shown. */
  readonly reach: readonly SceneReach[];
  /** Impact: the node one step nearer to the start and the use that links to it. */
  readonly via?: { readonly id: string; readonly relation: string; readonly line: number };
  /** Key that shows more when it is added to `expand`. */
  readonly expand?: string;
}

export interface SceneReach {
  readonly side: 'in' | 'out';
  readonly relation: string;
  readonly total: number;
  readonly shown: number;
  /** Key that shows more of these when it is added to `expand`. */
  readonly expand: string;
}

/** Everything that leads from one node to another, drawn as one line. */
export interface SceneEdgeDto {
  readonly source: string;
  readonly target: string;
  /** Surest first. */
  readonly links: readonly SceneLink[];
  /** Uses that it stands for. */
  readonly count: number;
  /** Highest confidence of its links. */
  readonly confidence: number;
}

export interface SceneLink {
  readonly relation: string;
  readonly count: number;
  readonly confidence: number;
  readonly provenance: string;
  /** First use, in the file of the source; 0 when unknown. */
  readonly line: number;
}

/** An opened group: a frame around its nodes. */
export interface SceneGroupDto {
  readonly id: string;
  readonly label: string;
  readonly kind: 'folder' | 'package' | 'community' | 'file';
  readonly parent?: string;
  /** Nodes it holds, shown or not. */
  readonly size: number;
}

/** Molecules or communities that nodes of a scene belong to. */
export interface SceneAreasDto {
  readonly by: Exclude<SceneColouring, 'kind'>;
  /** Those with most nodes first, at most 12. */
  readonly list: readonly { readonly id: string; readonly label: string; readonly nodes: number }[];
  /** By node; nodes that belong nowhere are absent. */
  readonly of: Readonly<Record<string, SceneAreaShare>>;
}

export interface SceneAreaShare {
  /** Positions in `list`, that with most parts first; `[]` when all its areas are left out of the list. */
  readonly areas: readonly number[];
  /** Files (molecules) or symbols (communities) that it stands for, and those of them that belong to the first area. */
  readonly parts: number;
  readonly within: number;
}

/** What of a scene an atom covers. */
export interface SceneAtomDto {
  readonly id: string;
  readonly name: string;
  /** In the whole workspace. */
  readonly files: number;
  readonly nodes: readonly string[];
}

export interface SceneDto {
  /** `columns` are placed by distance from the start, `boxes` by what depends on what inside each group. */
  readonly layout: 'columns' | 'boxes';
  readonly title: string;
  /** One sentence: what the scene shows. */
  readonly summary: string;
  /** Ids asked about. */
  readonly starts: readonly string[];
  readonly nodes: readonly SceneNodeDto[];
  readonly edges: readonly SceneEdgeDto[];
  readonly groups: readonly SceneGroupDto[];
  /** Keys in force: those asked for, or the first ones when none were given. */
  readonly expanded: readonly string[];
  readonly omitted: { readonly nodes: number; readonly edges: number };
  /** Everything the filters can name. */
  readonly facets: { readonly relations: readonly string[]; readonly kinds: readonly string[]; readonly languages: readonly string[] };
  /** When `colourBy` asks for them. */
  readonly areas?: SceneAreasDto;
  /** When there is the atom asked for. */
  readonly atom?: SceneAtomDto;
  /** Impact views. */
  readonly risk?: 'low' | 'medium' | 'high';
  readonly stamp: { readonly revision: number; readonly head: string; readonly pendingFiles: number; readonly unsavedFiles?: number };
}
