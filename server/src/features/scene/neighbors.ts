import type { SceneLane } from '../../../protocol/graphView';
import type { GraphEdge, GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../model/evidence';
import { kindRow } from '../../model/kinds';
import type { Relation } from '../../model/relations';
import { byRank } from '../shared/rows';
import type { SceneFilter } from './sceneFilter';
import type { SceneLink } from './sceneShapes';

export type Side = 'in' | 'out';

/** Everything that joins a node with one other. */
export interface Neighbor {
  readonly node: NodeHandle;
  readonly lane: SceneLane;
  readonly confidence: number;
  readonly count: number;
  /** Surest first. */
  readonly links: readonly SceneLink[];
}

/** Relations that say what a thing is made of rather than what runs. */
const TYPE_RELATIONS: ReadonlySet<Relation> = new Set(['USES_TYPE', 'INHERITS', 'IMPLEMENTS', 'OVERRIDES', 'ASSERTS_TYPE', 'RAISES', 'CATCHES']);

/**
 * Neighbors as a scene shows them: some nodes stand for others (a class for its members, a file for its symbols), and what joins two is one line.
 * Answers are remembered for the life of one question.
 */
export class Neighbors {
  readonly #known = new Map<string, readonly Neighbor[]>();
  readonly #rank: (a: NodeHandle, b: NodeHandle) => number;

  constructor(
    private readonly graph: GraphView,
    private readonly filter: SceneFilter,
    /** Which node is shown for a node; itself when it stands for itself. */
    private readonly shownFor: (node: NodeHandle) => NodeHandle,
    /** The nodes that a shown node stands for, itself included. */
    private readonly standsFor: (node: NodeHandle) => readonly NodeHandle[],
    /** Links that count beside those of the filter. */
    private readonly isAlso: (edge: GraphEdge) => boolean = () => false,
  ) {
    this.#rank = byRank(graph);
  }

  /** Facts first, then the most central. */
  of(node: NodeHandle, side: Side): readonly Neighbor[] {
    const key = `${side}${node}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#collect(node, side);
    this.#known.set(key, found);
    return found;
  }

  #collect(node: NodeHandle, side: Side): Neighbor[] {
    const byOther = new Map<NodeHandle, Map<Relation, SceneLink>>();
    for (const part of this.standsFor(node)) {
      for (const edge of side === 'in' ? this.graph.in(part) : this.graph.out(part)) {
        if (!this.filter.edge(edge) && !this.isAlso(edge)) continue;
        const other = this.shownFor(side === 'in' ? edge.source : edge.target);
        if (other === node || !this.filter.node(other)) continue;
        let links = byOther.get(other);
        if (links === undefined) byOther.set(other, (links = new Map()));
        links.set(edge.relation, merged(links.get(edge.relation), edge));
      }
    }
    return [...byOther]
      .map(([other, links]) => this.#neighbor(other, [...links.values()]))
      .sort((a, b) => certainty(b) - certainty(a) || this.#rank(a.node, b.node));
  }

  #laneOf(node: NodeHandle, isType: boolean): SceneLane {
    if (kindRow(this.graph.kindOf(node)).layer !== 'code') return 'knowledge';
    return this.graph.isTest(node) ? 'tests' : isType ? 'types' : 'main';
  }

  #neighbor(node: NodeHandle, links: SceneLink[]): Neighbor {
    links.sort((a, b) => b.confidence - a.confidence || b.count - a.count);
    const isType = links.every(link => TYPE_RELATIONS.has(link.relation as Relation));
    return {
      node,
      lane: this.#laneOf(node, isType),
      confidence: links[0]?.confidence ?? 0,
      count: links.reduce((sum, link) => sum + link.count, 0),
      links,
    };
  }
}

/** Facts count alike, so that the more central comes first. */
function certainty({ confidence }: Neighbor): number {
  return confidence >= FACT_CONFIDENCE ? 1 : confidence;
}

function merged(known: SceneLink | undefined, { relation, count, confidence, provenance, lines }: GraphEdge): SceneLink {
  const rounded = Math.round(confidence * 1000) / 1000;
  const line = lines[0] ?? 0;
  if (known === undefined) return { relation, count, confidence: rounded, provenance, line };
  const isSurer = rounded > known.confidence;
  return { ...known, count: known.count + count, ...(isSurer ? { confidence: rounded, provenance, line } : {}) };
}
