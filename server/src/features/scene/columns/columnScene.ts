import { counted } from '../../../../protocol/figures';
import type { SceneLane } from '../../../../protocol/graphView';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { SHOWN_CONFIDENCE } from '../../../model/evidence';
import { type Neighbor, Neighbors, type Side } from '../neighbors';
import type { Projection } from '../projections';
import { type Expansions, sideKey } from '../question';
import type { SceneFilter } from '../sceneFilter';
import { framesOf, type Group, type Groups } from '../sceneGroups';
import { nodeDto, placeholderNode } from '../sceneNodes';
import type { SceneEdgeDto, SceneGroupDto, SceneNodeDto, SceneReach } from '../sceneShapes';
import { PlacedNodes } from './placedNodes';

export interface ColumnOptions {
  readonly graph: GraphView;
  readonly filter: SceneFilter;
  readonly projection: Projection;
  readonly groups: Groups;
  readonly expansions: Expansions;
  /** Steps that are followed from the starts without being asked; 0 for none. */
  readonly depth: number;
  readonly edgeBudget: number;
  /** One start per column (a path) rather than all in the first. */
  readonly inARow: boolean;
  readonly keep: readonly NodeHandle[];
}

export interface DrawnScene {
  readonly nodes: readonly SceneNodeDto[];
  readonly edges: readonly SceneEdgeDto[];
  readonly groups: readonly SceneGroupDto[];
  readonly omitted: { readonly nodes: number; readonly edges: number };
}

interface Place {
  readonly column: number;
  readonly lane: SceneLane;
  readonly confidence: number;
  readonly isStart: boolean;
}

/** Neighbors per lane of a start, and of what lies further out, before anything is expanded. */
const AROUND_START = 14;
const FURTHER_OUT = 4;
/** What one expansion adds. */
const MORE = 20;
const LANES: readonly SceneLane[] = ['main', 'types', 'tests', 'knowledge'];

/** Draws starts with who uses them to the left and what they use to the right, ring by ring, within a budget of edges. */
export class ColumnScene {
  readonly neighbors: Neighbors;
  readonly #graph: GraphView;
  readonly #places: PlacedNodes<Place>;

  constructor(private readonly options: ColumnOptions) {
    this.#graph = options.graph;
    const { graph, filter, projection } = options;
    this.neighbors = new Neighbors(graph, filter, projection.shownFor, projection.standsFor);
    this.#places = new PlacedNodes(graph, this.neighbors, options.edgeBudget);
  }

  draw(): DrawnScene {
    const { projection, depth, inARow, keep, expansions } = this.options;
    for (const [place, start] of projection.starts.entries())
      this.#places.place(start, { column: inARow ? place : 0, lane: 'main', confidence: SHOWN_CONFIDENCE.certain, isStart: true }, true);
    let ring: readonly NodeHandle[] = projection.starts;
    for (let step = 0; step < depth; step++) ring = this.#around(ring, step === 0 ? AROUND_START : FURTHER_OUT);
    // The map grows while it is walked: what an expansion brings may be expanded itself.
    for (const node of this.#places.keys()) if (expansions.concerns(this.#graph.idOf(node))) this.#expand(node, ['in', 'out'], 0);
    for (const node of keep) this.#places.place(node, { column: 0, lane: 'main', confidence: SHOWN_CONFIDENCE.certain, isStart: false });
    return this.#scene();
  }

  #around(ring: readonly NodeHandle[], limit: number): NodeHandle[] {
    return ring.flatMap(node => {
      const place = this.#places.get(node);
      if (place === undefined) return [];
      const sides: readonly Side[] = place.isStart ? ['in', 'out'] : [place.column < 0 ? 'in' : 'out'];
      return this.#expand(node, sides, limit);
    });
  }

  /** Places neighbors of a node; returns those placed. */
  #expand(node: NodeHandle, sides: readonly Side[], limit: number): NodeHandle[] {
    const place = this.#places.get(node);
    if (place === undefined) return [];
    const added: NodeHandle[] = [];
    for (const side of sides) {
      const quota = new Quota(this.options.expansions, side, this.#graph.idOf(node), limit);
      for (const neighbor of this.neighbors.of(node, side)) {
        if (!quota.takes(neighbor, this.#places.has(neighbor.node))) continue;
        const column = place.column + (side === 'in' ? -1 : 1);
        const confidence = place.confidence * neighbor.confidence;
        if (this.#places.place(neighbor.node, { column, lane: neighbor.lane, confidence, isStart: false })) added.push(neighbor.node);
      }
    }
    return added;
  }

  #scene(): DrawnScene {
    const groups = new Map<string, Group>();
    const nodes: SceneNodeDto[] = [];
    for (const [node, { isStart, ...place }] of this.#places) {
      const group = this.options.groups.of(node);
      if (group !== undefined) groups.set(group.id, group);
      const dto = nodeDto(this.#graph, node, { ...place, role: isStart ? 'start' : 'step', parent: group?.id });
      nodes.push({ ...dto, confidence: rounded(dto.confidence), reach: this.#reachOf(node) });
    }
    const bundles = [...this.#places].flatMap(([node, place]) => this.#bundlesOf(node, place));
    nodes.push(...bundles.map(bundle => bundle.node));
    const hidden = bundles.reduce((sum, { node }) => sum + node.size, 0);
    return {
      nodes,
      edges: [...this.#places.edges, ...bundles.map(bundle => bundle.edge)],
      groups: framesOf(groups, nodes),
      omitted: { nodes: Math.max(hidden, this.#places.refused), edges: 0 },
    };
  }

  #reachOf(node: NodeHandle): SceneReach[] {
    const id = this.#graph.idOf(node);
    return (['in', 'out'] as const).flatMap(side => {
      const byRelation = new Map<string, { total: number; shown: number }>();
      for (const { node: other, links } of this.neighbors.of(node, side)) {
        for (const { relation } of links) {
          const row = byRelation.get(relation) ?? { total: 0, shown: 0 };
          byRelation.set(relation, { total: row.total + 1, shown: row.shown + (this.#places.has(other) ? 1 : 0) });
        }
      }
      return [...byRelation].map(([relation, row]) => ({ side, relation, ...row, expand: sideKey(side, relation, id) }));
    });
  }

  /** What is left out around a start, or around what was expanded, as one node per side and lane. */
  #bundlesOf(node: NodeHandle, place: Place): { readonly node: SceneNodeDto; readonly edge: SceneEdgeDto }[] {
    const id = this.#graph.idOf(node);
    if ((!place.isStart || this.options.inARow) && !this.options.expansions.concerns(id)) return [];
    return (['in', 'out'] as const).flatMap(side =>
      LANES.flatMap(lane => {
        const hidden = this.neighbors.of(node, side).filter(row => row.lane === lane && !this.#places.has(row.node));
        if (hidden.length === 0) return [];
        const key = sideKey(side, lane, id);
        const bundle = placeholderNode({
          id: `bundle:${key}`,
          label: counted(hidden.length, `more ${WORDS[side][lane]}`, `more ${pluralOf(WORDS[side][lane])}`),
          kind: 'bundle',
          role: 'bundle',
          size: hidden.length,
          column: place.column + (side === 'in' ? -1 : 1),
          lane,
          isTest: lane === 'tests',
          expand: key,
        });
        const [source, target] = side === 'in' ? [bundle.id, id] : [id, bundle.id];
        const count = hidden.reduce((sum, row) => sum + row.count, 0);
        return [{ node: bundle, edge: { source, target, links: [], count, confidence: hidden[0]?.confidence ?? 1 } }];
      }),
    );
  }
}

const WORDS: Readonly<Record<Side, Readonly<Record<SceneLane, string>>>> = {
  in: { main: 'user', types: 'type user', tests: 'test', knowledge: 'knowledge link' },
  out: { main: 'dependency', types: 'type', tests: 'test', knowledge: 'knowledge link' },
};

/** How many more neighbors of a node may come on one side. */
class Quota {
  readonly #taken = new Map<string, number>();

  constructor(
    private readonly expansions: Expansions,
    private readonly side: Side,
    private readonly id: string,
    private readonly limit: number,
  ) {}

  takes({ lane, links }: Neighbor, isThere: boolean): boolean {
    const scopes = [lane, ...links.map(link => link.relation)];
    const open = scopes.filter(scope => (this.#taken.get(scope) ?? 0) < this.#limitOf(scope, scope === lane));
    if (open.length === 0) return false;
    for (const scope of scopes) this.#taken.set(scope, (this.#taken.get(scope) ?? 0) + 1);
    return !isThere;
  }

  #limitOf(scope: string, isLane: boolean): number {
    const asked = this.expansions.times(sideKey(this.side, scope, this.id));
    const all = isLane ? this.expansions.times(sideKey(this.side, '*', this.id)) : 0;
    return (isLane ? this.limit : 0) + MORE * (asked + all);
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function pluralOf(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
