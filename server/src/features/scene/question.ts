import { MAX_EDGES, type SceneGrouping } from '../../../protocol/graphView';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import type { Side } from './neighbors';
import { NO_SOURCES, type SceneSources } from './overview/sceneSources';
import { SceneFilter } from './sceneFilter';
import { Groups } from './sceneGroups';
import type { SceneDto, SceneParams } from './sceneShapes';

/** A scene before it is stamped. */
export type Scene = Omit<SceneDto, 'stamp' | 'facets'>;
/** What every scene begins with. */
export class Question {
  readonly graph: GraphView;
  readonly filter: SceneFilter;
  readonly expansions: Expansions;
  readonly edgeBudget: number;

  constructor(
    readonly workspace: Workspace,
    readonly snapshot: Snapshot,
    readonly params: SceneParams,
    readonly sources: SceneSources = NO_SOURCES,
  ) {
    this.graph = snapshot.graph;
    this.filter = new SceneFilter(this.graph, params);
    this.expansions = new Expansions(params.expand ?? []);
    this.edgeBudget = Math.max(1, params.edgeBudget ?? MAX_EDGES);
  }

  /** What every way of drawing needs. */
  get parts(): Pick<Question, 'graph' | 'filter' | 'expansions' | 'edgeBudget'> {
    const { graph, filter, expansions, edgeBudget } = this;
    return { graph, filter, expansions, edgeBudget };
  }

  groups(fallback: SceneGrouping): Groups {
    return new Groups(this.graph, this.params.groupBy ?? fallback, this.sources);
  }

  get depth(): number {
    return Math.min(6, Math.max(1, this.params.depth ?? 1));
  }

  get keep(): NodeHandle[] {
    return (this.params.keep ?? []).map(id => this.graph.find(id)).filter(node => node !== undefined);
  }
}

/**
 * What a reader of a scene has opened. Keys: `in:SCOPE:ID` and `out:SCOPE:ID` show more neighbors of a node (SCOPE is a lane, a relation or `*`),
 * `depth:N` more at a distance, `open:ID` what is in a group, `more:ID` more of what is in it.
 */
export class Expansions {
  readonly #counts = new Map<string, number>();
  readonly #nodes = new Set<string>();

  constructor(readonly keys: readonly string[]) {
    for (const key of keys) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      const neighbor = /^(?:in|out):[^:]*:(?<id>.*)$/s.exec(key)?.groups?.['id'];
      if (neighbor !== undefined) this.#nodes.add(neighbor);
    }
  }

  /** How often a key was given. */
  times(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  isOpen(group: string): boolean {
    return this.#counts.has(openKey(group));
  }

  /** Whether neighbors of a node were asked for. */
  concerns(id: string): boolean {
    return this.#nodes.has(id);
  }
}

export function sideKey(side: Side, scope: string, id: string): string {
  return `${side}:${scope}:${id}`;
}

export function openKey(group: string): string {
  return `open:${group}`;
}

export function moreKey(group: string): string {
  return `more:${group}`;
}
