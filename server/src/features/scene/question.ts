import { EDGE_BUDGET, type SceneGrouping } from '../../../protocol/graphView';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { Expansions } from './expansions';
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
  ) {
    this.graph = snapshot.graph;
    this.filter = new SceneFilter(this.graph, params);
    this.expansions = new Expansions(params.expand ?? []);
    this.edgeBudget = Math.max(1, params.edgeBudget ?? EDGE_BUDGET);
  }

  /** What every way of drawing needs. */
  get parts(): Pick<Question, 'graph' | 'filter' | 'expansions' | 'edgeBudget'> {
    const { graph, filter, expansions, edgeBudget } = this;
    return { graph, filter, expansions, edgeBudget };
  }

  groups(fallback: SceneGrouping): Groups {
    return new Groups(this.graph, this.params.groupBy ?? fallback);
  }

  get depth(): number {
    return Math.min(6, Math.max(1, this.params.depth ?? 1));
  }

  get keep(): NodeHandle[] {
    return (this.params.keep ?? []).map(id => this.graph.find(id)).filter(node => node !== undefined);
  }
}
