/**
 * What the graph panel may choose of the feature `graphScene` (`SceneParams`, `SceneDto`).
 * A scene is a whole: it is asked for again when anything changes, and the page works out what is new.
 */
import type { SceneNodeDto } from './features';

/** What a scene can start from. */
export const SCENE_STARTS = ['workspace', 'folder', 'focus', 'search', 'impact', 'changes', 'compare', 'community', 'path', 'flow'] as const;
/** What a scene starts from. */
export type SceneStart = (typeof SCENE_STARTS)[number];

/** What the frames and boxes of a scene stand for. */
export const SCENE_GROUPINGS = ['none', 'folder', 'package', 'service', 'owner', 'community'] as const;
/** By what nodes are framed. */
export type SceneGrouping = (typeof SCENE_GROUPINGS)[number];

/** What colors tell apart: kinds and certainty, the area that a node belongs to, or in an overview how much it changes or is covered by tests. */
export const SCENE_COLORINGS = ['kind', 'molecule', 'community', 'owner', 'churn', 'coverage'] as const;
/** By what nodes are colored. */
export type SceneColoring = (typeof SCENE_COLORINGS)[number];

/** Columns of a comparison, from the first one on: what breaks stands beside what breaks it. */
export const COMPARED = ['Code that breaks', 'Breaking', 'Changed', 'Added', 'Removed'] as const;

/** Most edges drawn unless asked otherwise. */
export const MAX_EDGES = 600;

/** What a node is in a scene, beside its kind. */
export type SceneRole = SceneNodeDto['role'];
/** Band of a column: where a node stands beside others of its distance. */
export type SceneLane = SceneNodeDto['lane'];
