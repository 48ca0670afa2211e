import { degreeCentrality, type PathCentrality, pathCentralitySteps } from '../../algorithms/pathCentrality';
import { finished, simpleGraphSteps } from '../../algorithms/simpleGraph';
import { RELATIONS } from '../../model/relations';
import type { CentralityMethod } from '../../model/settings';
import { adopted, CLUSTERING, clusterSteps, describeCommunities, labelOf, membersByCommunity } from './communities';
import type { GraphView, NodeHandle } from './graphView';
import type { Community, Membership } from './metricTypes';

/** Graphs of more nodes than this have betweenness and closeness estimated from that many of them. */
const SAMPLING = { maxSources: 64, seed: 42 } as const;
/** Up to this size everything is quick enough to compute when asked for. */
const SMALL = 5_000;
/** Every relation counts alike for paths and degrees. */
const ALL_LINKS = Float64Array.from({ length: 256 }, (_, code) => (code < RELATIONS.length ? 1 : 0));

/** Figures of one revision that take a while: computed in steps ahead of the first question, or when first asked for, and kept. */
export class GraphMetrics {
  #nodes: Int32Array | undefined;
  #membership: Membership | undefined;
  #members: ReadonlyMap<number, readonly NodeHandle[]> | undefined;
  readonly #labels = new Map<number, string>();
  #described: readonly Community[] | undefined;
  #scaled = new Map<CentralityMethod, Float32Array>();

  constructor(
    private readonly view: GraphView,
    /** Membership of an earlier revision that this one follows by small changes. */
    private readonly earlier: Membership | undefined,
  ) {}

  /** What the next revision starts from. */
  get known(): Membership | undefined {
    return this.#membership ?? this.earlier;
  }

  get isQuick(): boolean {
    return this.known !== undefined || this.view.nodeCount <= SMALL;
  }

  membership(): Membership {
    this.#membership ??=
      this.earlier === undefined
        ? finished(clusterSteps(this.view.adjacency, this.nodes, this.view.revision, CLUSTERING))
        : adopted(this.earlier, this.view.adjacency, this.nodes);
    return this.#membership;
  }

  members(): ReadonlyMap<number, readonly NodeHandle[]> {
    this.#members ??= membersByCommunity(this.membership(), this.nodes);
    return this.#members;
  }

  label(community: number): string {
    const label = this.#labels.get(community) ?? labelOf(this.view, this.members().get(community) ?? []);
    this.#labels.set(community, label);
    return label;
  }

  described(): readonly Community[] {
    this.#described ??= describeCommunities(this.view, this.membership(), this.members());
    return this.#described;
  }

  /** Values over their maximum, by handle. */
  centrality(method: CentralityMethod): Float32Array {
    const known = this.#scaled.get(method);
    if (known !== undefined) return known;
    if (method === 'pagerank') this.#scaled.set(method, scaled(this.view.pageRank()));
    else finished(this.#pathSteps());
    return this.#scaled.get(method) ?? new Float32Array(this.view.adjacency.size);
  }

  /** Communities and all centralities, in steps. */
  async prepare(pause: () => Promise<void> | undefined): Promise<void> {
    await this.prepareCommunities(pause);
    await pause();
    if (this.#scaled.has('betweenness')) return;
    const steps = this.#pathSteps();
    for (let step = steps.next(); step.done !== true; step = steps.next()) await pause();
  }

  async prepareCommunities(pause: () => Promise<void> | undefined): Promise<void> {
    if (this.#membership === undefined && this.earlier === undefined) {
      const steps = clusterSteps(this.view.adjacency, this.nodes, this.view.revision, CLUSTERING);
      for (let step = steps.next(); this.#membership === undefined; step = steps.next()) {
        if (step.done === true) this.#membership = step.value;
        else await pause();
      }
    }
  }

  *#pathSteps(): Generator<undefined, void, undefined> {
    const { forward, backward, size } = this.view.adjacency;
    const graph = yield* simpleGraphSteps([forward, backward], this.nodes, size, ALL_LINKS);
    const { betweenness, closeness }: PathCentrality = yield* pathCentralitySteps(graph, SAMPLING);
    const byHandle = (values: Float32Array): Float32Array => {
      const column = new Float32Array(size);
      for (let place = 0; place < values.length; place++) column[this.nodes[place] ?? 0] = values[place] ?? 0;
      return scaled(column);
    };
    this.#scaled.set('degree', byHandle(degreeCentrality(graph)));
    this.#scaled.set('betweenness', byHandle(betweenness));
    this.#scaled.set('closeness', byHandle(closeness));
  }

  /** All live nodes in the order that is the same on every machine. */
  private get nodes(): Int32Array {
    this.#nodes ??= Int32Array.from(this.view.nodes());
    return this.#nodes;
  }
}

function scaled(values: Float64Array | Float32Array): Float32Array {
  let top = 0;
  for (const value of values) top = Math.max(top, value);
  return Float32Array.from(values, value => (top === 0 ? 0 : value / top));
}
