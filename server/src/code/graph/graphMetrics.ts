import { degreeCentrality, type PathCentrality, pathCentralitySteps } from '../../algorithms/pathCentrality';
import { simpleGraphSteps } from '../../algorithms/simpleGraph';
import { runAtOnce, runSteps, type Steps } from '../../base/steps';
import { NO_NODE, type NodeColumn, nodeColumn } from '../../model/ids';
import { RELATIONS } from '../../model/relations';
import type { CentralityMethod } from '../../model/settings';
import { adopted, CLUSTERING, clusterSteps, describeSteps, membersByCommunity } from './communities';
import type { GraphView, NodeHandle } from './graphView';
import type { Community, Membership } from './metricTypes';

/** Graphs of more nodes than this have betweenness and closeness estimated from that many of them. */
const SAMPLING = { maxSources: 64, seed: 42 } as const;
/** Up to this size everything is quick enough to compute when asked for. */
const SMALL = 5_000;
/** Nodes listed between two steps. */
const NODES_PER_STEP = 16_384;
/** Every relation counts alike for paths and degrees. */
const ALL_LINKS = Float64Array.from({ length: 256 }, (_, code) => (code < RELATIONS.length ? 1 : 0));

/** Figures of one revision that take a while: computed in steps ahead of the first question, or when first asked for, and kept. */
export class GraphMetrics {
  #nodes: NodeColumn | undefined;
  #membership: Membership | undefined;
  #members: ReadonlyMap<number, readonly NodeHandle[]> | undefined;
  #labels: ReadonlyMap<number, string> | undefined;
  #described: readonly Community[] | undefined;
  #clustering: Promise<void> | undefined;
  #scaled = new Map<CentralityMethod, Float32Array>();

  constructor(
    private readonly view: GraphView,
    known: Membership | undefined,
    /** Of what is saved, where the view shows unsaved text. */
    private readonly saved: GraphMetrics | undefined,
  ) {
    this.#membership = known;
  }

  /** The membership if it has been computed for this very content. */
  get known(): Membership | undefined {
    return this.saved === undefined ? this.#membership : undefined;
  }

  /** For a graph that was saved with its communities; before anyone has the view. */
  know(membership: Membership): void {
    this.#membership = membership;
  }

  get isQuick(): boolean {
    return this.#described !== undefined || this.saved?.isQuick === true || this.view.nodeCount <= SMALL;
  }

  membership(): Membership {
    const earlier = this.saved?.isQuick === true ? this.saved.membership() : undefined;
    this.#membership ??= earlier === undefined ? runAtOnce(clusterSteps(this.view, this.nodes, CLUSTERING)) : adopted(earlier, this.view, this.nodes);
    return this.#membership;
  }

  members(): ReadonlyMap<number, readonly NodeHandle[]> {
    this.#members ??= membersByCommunity(this.membership(), this.nodes);
    return this.#members;
  }

  label(community: number): string {
    const earlier = this.saved?.isQuick === true ? this.saved.label(community) : '';
    if (earlier !== '') return earlier;
    this.#labels ??= new Map(this.described().map(({ id, label }) => [id, label]));
    return this.#labels.get(community) ?? '';
  }

  described(): readonly Community[] {
    this.#described ??= runAtOnce(describeSteps(this.view, this.membership(), this.nodes, CLUSTERING));
    return this.#described;
  }

  /** Values over their maximum, by handle. */
  centrality(method: CentralityMethod): Float32Array {
    const known = this.#scaled.get(method);
    if (known !== undefined) return known;
    if (method === 'pagerank') this.#scaled.set(method, scaled(this.view.pageRank()));
    else runAtOnce(this.#pathSteps());
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

  /** One computation at a time: a second caller waits for the first, and continues if that one was cancelled. */
  async prepareCommunities(pause: () => Promise<void> | undefined): Promise<void> {
    while (this.#clustering !== undefined) await this.#clustering.catch(() => undefined);
    if (this.#described !== undefined || (this.isQuick && this.view.nodeCount > SMALL)) return;
    this.#clustering = this.#cluster(pause).finally(() => {
      this.#clustering = undefined;
    });
    await this.#clustering;
  }

  async #cluster(pause: () => Promise<void> | undefined): Promise<void> {
    this.#nodes ??= await runSteps(this.#nodeSteps(), pause);
    this.#membership ??= await runSteps(clusterSteps(this.view, this.nodes, CLUSTERING), pause);
    this.#described ??= await runSteps(describeSteps(this.view, this.#membership, this.nodes, CLUSTERING), pause);
  }

  *#pathSteps(): Steps<void> {
    const { forward, backward, size } = this.view.adjacency;
    const graph = yield* simpleGraphSteps([forward, backward], this.nodes, size, ALL_LINKS);
    const { betweenness, closeness }: PathCentrality = yield* pathCentralitySteps(graph, SAMPLING);
    const { nodes } = this;
    const measured = { degree: degreeCentrality(graph), closeness, betweenness } as const;
    for (const method of ['degree', 'closeness', 'betweenness'] as const) {
      yield;
      const values = measured[method];
      const column = new Float32Array(size);
      for (let place = 0; place < values.length; place++) column[nodes[place] ?? NO_NODE] = values[place] ?? 0;
      yield;
      this.#scaled.set(method, scaled(column));
    }
  }

  /** All live nodes in the order that is the same on every machine. */
  private get nodes(): NodeColumn {
    this.#nodes ??= runAtOnce(this.#nodeSteps());
    return this.#nodes;
  }

  *#nodeSteps(): Steps<NodeColumn> {
    const nodes = new Int32Array(this.view.nodeCount);
    let count = 0;
    for (const node of this.view.nodes()) {
      nodes[count++] = node;
      if (count % NODES_PER_STEP === 0) yield;
    }
    return nodeColumn(nodes.subarray(0, count));
  }
}

function scaled(values: Float64Array | Float32Array): Float32Array {
  let top = 0;
  for (let at = 0; at < values.length; at++) top = Math.max(top, values[at] ?? 0);
  const over = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) over[at] = top === 0 ? 0 : (values[at] ?? 0) / top;
  return over;
}
