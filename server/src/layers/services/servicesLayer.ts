/**
 * The services layer: services, their contracts, endpoints, events, entities and stores as nodes, with their edges to code.
 * It follows the model of the services room; where that comes from it does not know.
 */
import { Emitter } from '../../base/emitter';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { StableId } from '../../model/ids';
import { relationsIn } from '../../model/relations';
import type { ServiceModel } from '../../services/model';
import type { FrozenLayer, LayerDelta, LayerEdge, LayerSource } from '../layer';
import { LayerGraph } from '../layerGraph';
import { codeEdges, upsertsOf } from './serviceNodes';

type Upsert = LayerDelta['upserts'][number];

/** The layer of the services. It follows their model: what differs from the one before changes. */
export class ServicesLayer implements LayerSource {
  readonly relations = relationsIn('services');
  readonly kinds = ['service', 'contract', 'endpoint', 'event', 'domain_entity', 'data_store'] as const;
  readonly isOnRequest = false;
  readonly #graph = new LayerGraph();
  readonly #change = new Emitter<void>();
  /** What each node and its edges said when they were last taken over. */
  #known: ReadonlyMap<StableId, string> = new Map();
  /** The same for edges that begin at code, by key. */
  #links: ReadonlyMap<string, { readonly edge: LayerEdge; readonly said: string }> = new Map();
  #version = 0;

  get version(): number {
    return this.#version;
  }

  get onChange(): LayerSource['onChange'] {
    return this.#change.event;
  }

  /** Takes over a model: what differs from the one before changes, nothing else. `files` are all files of the code, which services contain. */
  follow(model: ServiceModel, files: Iterable<string>): void {
    const upserts = upsertsOf(model, files);
    const serialized = new Map(upserts.map(upsert => [upsert.node.id, JSON.stringify(upsert)]));
    const changed = upserts.filter(({ node }: Upsert) => this.#known.get(node.id) !== serialized.get(node.id));
    const removed = [...this.#known.keys()].filter(id => !serialized.has(id));
    const links = new Map(codeEdges(model).map(edge => [`${edge.source}|${edge.relation}|${edge.target}`, { edge, said: JSON.stringify(edge) }]));
    const linked = [...links].filter(([key, link]) => this.#links.get(key)?.said !== link.said).map(([, { edge }]) => edge);
    const unlinked = [...this.#links].filter(([key]) => !links.has(key)).map(([, { edge }]) => edge);
    const isSame = changed.length + removed.length + unlinked.length === 0 && linked.length === 0;
    this.#known = serialized;
    this.#links = links;
    if (isSame) return;
    this.#graph.apply({ upserts: changed, removed, linked, unlinked });
    this.#version++;
    this.#change.fire();
  }

  frozen(_code: GraphView, intern: (id: StableId) => NodeHandle): FrozenLayer | undefined {
    return this.#graph.isEmpty ? undefined : this.#graph.frozen(intern);
  }

  dispose(): void {
    this.#change.dispose();
  }
}
