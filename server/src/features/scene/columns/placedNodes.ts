import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import type { Neighbors } from '../neighbors';
import type { SceneEdgeDto } from '../sceneShapes';

/** The nodes that a scene shows so far, with the lines between them, within a budget of lines. */
export class PlacedNodes<Place> {
  readonly #places = new Map<NodeHandle, Place>();
  readonly #edges = new Map<string, SceneEdgeDto>();
  #refused = 0;

  constructor(
    private readonly graph: GraphView,
    private readonly neighbors: Neighbors,
    private readonly edgeBudget: number,
    /** What is shown without having a place, such as the parts of the node in the middle: lines go there, too. */
    private readonly isShownAnyway: (node: NodeHandle) => boolean = () => false,
  ) {}

  /** Nodes that found no room. */
  get refused(): number {
    return this.#refused;
  }

  get edges(): readonly SceneEdgeDto[] {
    return [...this.#edges.values()];
  }

  has(node: NodeHandle): boolean {
    return this.#places.has(node);
  }

  get(node: NodeHandle): Place | undefined {
    return this.#places.get(node);
  }

  /** In the order of their placing; nodes placed meanwhile follow. */
  keys(): Iterable<NodeHandle> {
    return this.#places.keys();
  }

  [Symbol.iterator](): Iterator<readonly [NodeHandle, Place]> {
    return this.#places.entries();
  }

  /** Adds a line that stands for others; it is not held against the budget. */
  draw(edge: SceneEdgeDto): void {
    this.#edges.set(keyOf(edge), edge);
  }

  /** Adds a node with its lines to what is there. `false` when it is there already or, unless it `mustBeShown`, its lines exceed the budget. */
  place(node: NodeHandle, place: Place, mustBeShown = false): boolean {
    if (this.#places.has(node)) return false;
    const lines = this.#linesOf(node);
    if (!mustBeShown && this.#edges.size + lines.size > this.edgeBudget) {
      this.#refused++;
      return false;
    }
    for (const [key, line] of lines) this.#edges.set(key, line);
    this.#places.set(node, place);
    return true;
  }

  #linesOf(node: NodeHandle): Map<string, SceneEdgeDto> {
    const id = this.graph.idOf(node);
    const lines = new Map<string, SceneEdgeDto>();
    for (const side of ['in', 'out'] as const) {
      for (const { node: other, links, count, confidence } of this.neighbors.of(node, side)) {
        if (!this.#places.has(other) && !this.isShownAnyway(other)) continue;
        const [source, target] = side === 'in' ? [this.graph.idOf(other), id] : [id, this.graph.idOf(other)];
        const line = { source, target, links, count, confidence };
        lines.set(keyOf(line), line);
      }
    }
    return lines;
  }
}

function keyOf({ source, target }: Pick<SceneEdgeDto, 'source' | 'target'>): string {
  return `${source}→${target}`;
}
