import { z } from 'zod';
import { SCENE_COLORINGS, SCENE_GROUPINGS, SCENE_STARTS } from '../../../protocol/graphView';
import { interfaceChangeShape } from '../compare/linkChanges';
import { CHANGES } from '../compare/nodeChanges';
import { choice, flag, integer, number, relations, text, texts } from '../shared/params';
import { object, optional, type Shaped, shape, stampShape } from '../shared/shape';

export const sceneParams = shape(() =>
  object({
    start: choice(SCENE_STARTS),
    /** By start: an id or a file (focus, impact, path), a folder, words, a revision or range of commits (changes), the older state (compare; where the branch began when absent), the number of a community, an endpoint (flow). */
    target: optional(text()),
    /** Other end of a path; the newer state of a comparison, the current code when absent. */
    to: optional(text()),
    /** Steps away from the start, 1 to 6. */
    depth: optional(integer()),
    groupBy: optional(choice(SCENE_GROUPINGS)),
    /** Only these relations; all dependencies when absent. */
    relations: optional(relations()),
    /** Only these kinds of nodes beside the start. */
    kinds: optional(texts()),
    languages: optional(texts()),
    minConfidence: optional(number()),
    /** False leaves tests out. */
    tests: optional(flag()),
    /** Of an overview: true shows what stands beside the code too, tests, documentation, dot folders and files without code. */
    beside: optional(flag()),
    /** True shows what lies outside the workspace. */
    externals: optional(flag()),
    /** True shows atoms, tasks and what they are part of beside the code that they are about. */
    knowledge: optional(flag()),
    /** What was expanded, by the keys that nodes and bundles carry; a key given twice shows twice as many. */
    expand: optional(texts()),
    /** Nodes that stay whatever the start is. */
    keep: optional(texts()),
    edgeBudget: optional(integer()),
    /** What people call the older state of a comparison; the word for it when absent. */
    label: optional(text()),
    /** True leaves only breaking changes in a comparison. */
    breaking: optional(flag()),
    /** `kind` when absent; else the answer has `areas`, or `shades` for `churn` and `coverage`. */
    colorBy: optional(choice(SCENE_COLORINGS)),
    /** An atom: the answer tells which nodes hold files that it covers. */
    atom: optional(text()),
  }),
);
export type SceneParams = Shaped<typeof sceneParams>;

export const sceneReachShape = shape(() =>
  object({
    side: z.enum(['in', 'out']),
    relation: z.string(),
    total: z.number(),
    shown: z.number(),
    /** Key that shows more of these when it is added to `expand`. */
    expand: z.string(),
  }),
);
export type SceneReach = Shaped<typeof sceneReachShape>;

export const sceneNodeDtoShape = shape(() =>
  object({
    id: z.string(),
    label: z.string(),
    /** A symbol kind, `file`, `external`, `folder`, `package`, `service`, `owner`, `community` or `bundle`. */
    kind: z.string(),
    /** A `member` is a part of the start, which is its `parent`. */
    role: z.enum(['start', 'member', 'step', 'box', 'bundle']),
    path: z.string(),
    /** 0 for nodes without a place. */
    line: z.number(),
    language: z.string(),
    isTest: z.boolean(),
    /** Steps from the start; negative for what uses it in a focus view. 0 in views of boxes. */
    column: z.number(),
    lane: z.enum(['types', 'main', 'tests', 'knowledge']),
    /** Confidence of the way that leads from the start to here; below 0.8 it is a maybe. */
    confidence: z.number(),
    /** Group that holds it. */
    parent: optional(z.string()),
    /** In a focus view: where a neighbor that is used as well as it uses stands for the second time, among what is used. */
    again: optional(
      object({
        column: z.number(),
        lane: z.enum(['types', 'main', 'tests', 'knowledge']),
        confidence: z.number(),
        parent: z.string(),
      }),
    ),
    /** Importance, 0 to 1. */
    weight: z.number(),
    signature: z.string(),
    summary: z.string(),
    /** Nodes that it stands for: of a group shown as one node, or of a bundle. */
    size: z.number(),
    /** In an overview: lines of its files or of the symbol. */
    lines: optional(z.number()),
    /** In an overview of a workspace with layers: the position in `layers` of the one that most of its files are in. */
    layer: optional(z.number()),
    /** Of `size`, those that are only possible; absent for none, and in an impact, which has `counts`. */
    possible: optional(z.number()),
    /** Impact: what a group holds, `dependents` without those that are only possible. `tests` are those in it, whatever else is. */
    counts: optional(
      object({
        dependents: z.number(),
        tests: z.number(),
        possible: z.number(),
      }),
    ),
    /** How many neighbors it has by side and relation, and how many of these are shown. */
    reach: z.array(sceneReachShape()),
    /** Impact: the node one step nearer to the start and the use that links to it. */
    via: optional(
      object({
        id: z.string(),
        relation: z.string(),
        line: z.number(),
      }),
    ),
    /** Key that shows more when it is added to `expand`. */
    expand: optional(z.string()),
    /** In a comparison: what became of it; absent for code that did not change. */
    change: optional(z.enum(CHANGES)),
    /** Code that did not change still uses it as it was. */
    breaking: optional(z.literal(true)),
    /** Who is working on it, on its file or on something in it: `AGENT: INTENT` each, oldest first. */
    claimed: optional(z.array(z.string())),
  }),
);
export type SceneNodeDto = Shaped<typeof sceneNodeDtoShape>;

export const sceneLinkShape = shape(() =>
  object({
    relation: z.string(),
    count: z.number(),
    confidence: z.number(),
    provenance: z.string(),
    /** First use, in the file of the source; 0 when unknown. */
    line: z.number(),
  }),
);
export type SceneLink = Shaped<typeof sceneLinkShape>;

/** Everything that leads from one node to another, drawn as one line. */
export const sceneEdgeDtoShape = shape(() =>
  object({
    source: z.string(),
    target: z.string(),
    /** Surest first. */
    links: z.array(sceneLinkShape()),
    /** Uses that it stands for. */
    count: z.number(),
    /** Highest confidence of its links. */
    confidence: z.number(),
    /** In an overview: imports among `count` that load something at run time; absent for none. */
    loads: optional(z.number()),
    /** In an overview: links among `count` that break an architecture rule; absent for none. */
    violations: optional(z.number()),
    /** In a comparison: all of it came or went. */
    change: optional(z.enum(['added', 'removed'])),
  }),
);
export type SceneEdgeDto = Shaped<typeof sceneEdgeDtoShape>;

/** An opened group: a frame around its nodes. */
export const sceneGroupDtoShape = shape(() =>
  object({
    id: z.string(),
    label: z.string(),
    kind: z.enum(['folder', 'package', 'service', 'owner', 'community', 'file']),
    parent: optional(z.string()),
    /** Nodes it holds, shown or not. */
    size: z.number(),
  }),
);
export type SceneGroupDto = Shaped<typeof sceneGroupDtoShape>;

export const sceneAreaShareShape = shape(() =>
  object({
    /** Positions in `list`, that with most parts first; `[]` when all its areas are left out of the list. */
    areas: z.array(z.number()),
    /** Files (molecules) or symbols (communities) that it stands for, and those of them that belong to the first area. */
    parts: z.number(),
    within: z.number(),
  }),
);
export type SceneAreaShare = Shaped<typeof sceneAreaShareShape>;

/** Molecules, communities or owners that nodes of a scene belong to. */
export const sceneAreasDtoShape = shape(() =>
  object({
    by: z.enum(['molecule', 'community', 'owner']),
    /** Those with most nodes first, at most 12. */
    list: z.array(
      object({
        id: z.string(),
        label: z.string(),
        nodes: z.number(),
      }),
    ),
    /** By node; nodes that belong nowhere are absent. */
    of: z.record(z.string(), sceneAreaShareShape()),
  }),
);
export type SceneAreasDto = Shaped<typeof sceneAreasDtoShape>;

/** How much the nodes of an overview change, or are covered by tests. */
export const sceneShadesShape = shape(() =>
  object({
    by: z.enum(['churn', 'coverage']),
    /** What the figures count and over what time, in words; why there are none. */
    about: z.string(),
    /** By node; those of which nothing is known are absent. `level` is 0 (little) to 4 (much), `text` the figure in words. */
    of: z.record(z.string(), object({ level: z.number(), text: z.string() })),
  }),
);
export type SceneShades = Shaped<typeof sceneShadesShape>;

/** Where an impact goes: its dependents by folder, those with most first, and its tests. */
export const sceneSpreadShape = shape(() =>
  object({
    dependents: z.number(),
    /** `isRest`: what is in a folder beside the parts of it that are told of. */
    parts: z.array(object({ label: z.string(), count: z.number(), isRest: z.boolean() })),
    tests: z.number(),
    testFiles: z.number(),
  }),
);
export type SceneSpread = Shaped<typeof sceneSpreadShape>;

/** What of a scene an atom covers. */
export const sceneAtomDtoShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    /** In the whole workspace. */
    files: z.number(),
    nodes: z.array(z.string()),
  }),
);
export type SceneAtomDto = Shaped<typeof sceneAtomDtoShape>;

export const sceneDtoShape = shape(() =>
  object({
    /** `sheet` is placed by distance from the start, in the rows of its groups, `blocks` and `boxes` by what depends on what inside each group (blocks as large as the code that they stand for). */
    layout: z.enum(['sheet', 'blocks', 'boxes']),
    title: z.string(),
    /** One sentence: what the scene shows. */
    summary: z.string(),
    /** Ids asked about. */
    starts: z.array(z.string()),
    nodes: z.array(sceneNodeDtoShape()),
    edges: z.array(sceneEdgeDtoShape()),
    groups: z.array(sceneGroupDtoShape()),
    /** Keys in force: those asked for, or the first ones when none were given. */
    expanded: z.array(z.string()),
    omitted: object({
      nodes: z.number(),
      edges: z.number(),
    }),
    /** Everything the filters can name. */
    facets: object({
      relations: z.array(z.string()),
      kinds: z.array(z.string()),
      languages: z.array(z.string()),
    }),
    /** When `colorBy` asks for them. */
    areas: optional(sceneAreasDtoShape()),
    /** When `colorBy` asks for them. */
    shades: optional(sceneShadesShape()),
    /** Of an overview: how it is grouped. */
    grouping: optional(z.enum(SCENE_GROUPINGS)),
    /** Layers of the architecture rules, those that use others before those that they use. */
    layers: optional(z.array(z.string())),
    /** Of an overview: files beside the code that the workspace has, shown or not. */
    beside: optional(object({ tests: z.number(), docs: z.number(), other: z.number() })),
    /** When there is the atom asked for. */
    atom: optional(sceneAtomDtoShape()),
    /** Impact views. */
    risk: optional(z.enum(['low', 'medium', 'high'])),
    /** Impact views. */
    spread: optional(sceneSpreadShape()),
    /** Of a comparison: endpoints, events and domain entities that came or went; absent for none. */
    interfaces: optional(z.array(interfaceChangeShape())),
    stamp: stampShape(),
  }),
);
export type SceneDto = Shaped<typeof sceneDtoShape>;
