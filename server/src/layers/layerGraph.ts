import { MultiDirectedGraph } from 'graphology';
import { invariant } from '../base/result';
import { runAtOnce, runSteps, type Steps } from '../base/steps';
import type { NodeHandle } from '../code/graph/graphView';
import { headOf, SEPARATOR, type StableId } from '../model/ids';
import { type Attributes, type AttributeType, type AttributeValues, type Kind, kindOfPrefix, kindRow } from '../model/kinds';
import { joins, RELATIONS, relationCode } from '../model/relations';
import { freezeSteps } from './freeze';
import type { FrozenLayer, LayerDelta, LayerEdge, LayerNode } from './layer';

/** Nodes of the layers below have no attributes here: they are there because an edge ends at them. */
interface NodeAttributes {
  readonly node?: LayerNode;
}

/** The write side of one layer. */
export class LayerGraph {
  readonly #graph = new MultiDirectedGraph<NodeAttributes, LayerEdge>();
  #frozen: FrozenLayer | undefined;
  /** Deltas applied so far. */
  #deltas = 0;

  get isEmpty(): boolean {
    return this.#graph.order === 0;
  }

  has(id: StableId): boolean {
    return this.node(id) !== undefined;
  }

  node(id: StableId): LayerNode | undefined {
    return this.#graph.hasNode(id) ? this.#graph.getNodeAttributes(id).node : undefined;
  }

  nodes(): readonly LayerNode[] {
    return this.#graph.mapNodes((_, { node }) => node).filter(node => node !== undefined);
  }

  /** Edges that begin at a node, by key. */
  edgesFrom(id: StableId): readonly LayerEdge[] {
    return this.#graph.hasNode(id) ? this.#graph.mapOutEdges(id, (_, edge) => edge) : [];
  }

  edgesTo(id: StableId): readonly LayerEdge[] {
    return this.#graph.hasNode(id) ? this.#graph.mapInEdges(id, (_, edge) => edge) : [];
  }

  /** Applies a delta whole. Throws `InvariantViolated` for an edge with wrong ends and for attributes that are not in the tables; then nothing is changed. */
  apply({ linked, removed, unlinked, upserts }: LayerDelta): void {
    for (const { node, edges } of upserts) {
      checkAttributes(node.id, kindRow(node.kind).attributes, node.attributes);
      for (const edge of edges) checkEdge(edge);
    }
    for (const edge of linked) checkEdge(edge);
    if (upserts.length + removed.length + linked.length + unlinked.length === 0) return;
    this.#frozen = undefined;
    this.#deltas++;
    for (const id of removed) this.#remove(id);
    for (const { node, edges } of upserts) {
      this.#dropEdges(this.edgesFrom(node.id));
      this.#graph.mergeNode(node.id, { node });
      for (const edge of edges) this.#link(edge);
    }
    this.#dropEdges(unlinked);
    for (const edge of linked) this.#link(edge);
  }

  /** The same object until the next delta. */
  frozen(intern: (id: StableId) => NodeHandle): FrozenLayer {
    this.#frozen ??= runAtOnce(this.#freezing(intern));
    return this.#frozen;
  }

  /** Does in steps what the next `frozen` would do at once; without use when a delta comes in between. */
  async freeze(intern: (id: StableId) => NodeHandle, pause: () => Promise<void> | undefined): Promise<void> {
    const began = this.#deltas;
    const frozen = this.#frozen ?? (await runSteps(this.#freezing(intern), pause));
    if (this.#deltas === began) this.#frozen = frozen;
  }

  #freezing(intern: (id: StableId) => NodeHandle): Steps<FrozenLayer> {
    return freezeSteps(
      this.nodes(),
      this.#graph.mapEdges((_, edge) => edge),
      intern,
    );
  }

  #link(edge: LayerEdge): void {
    for (const end of [edge.source, edge.target]) if (!this.#graph.hasNode(end)) this.#graph.addNode(end);
    this.#graph.mergeDirectedEdgeWithKey(keyOf(edge), edge.source, edge.target, edge);
  }

  #dropEdges(edges: readonly Pick<LayerEdge, 'source' | 'relation' | 'target'>[]): void {
    for (const edge of edges) {
      if (!this.#graph.hasEdge(keyOf(edge))) continue;
      this.#graph.dropEdge(keyOf(edge));
      this.#dropUnused(edge.source);
      this.#dropUnused(edge.target);
    }
  }

  /** Edges of others to it stay, and show when it comes back. */
  #remove(id: StableId): void {
    if (!this.#graph.hasNode(id)) return;
    this.#dropEdges(this.edgesFrom(id));
    if (!this.#graph.hasNode(id)) return;
    this.#graph.replaceNodeAttributes(id, {});
    this.#dropUnused(id);
  }

  #dropUnused(id: StableId): void {
    if (this.#graph.hasNode(id) && !this.has(id) && this.#graph.degree(id) === 0) this.#graph.dropNode(id);
  }
}

function keyOf({ relation, source, target }: Pick<LayerEdge, 'source' | 'relation' | 'target'>): string {
  return `${source}|${relation}|${target}`;
}

/** What an id says of its kind; a symbol's own kind is not in it. */
function kindOfId(id: StableId): Kind {
  return kindOfPrefix(headOf(id)) ?? (id.includes(SEPARATOR) ? 'function' : 'file');
}

function checkEdge(edge: LayerEdge): void {
  const { relation, source, target } = edge;
  const [from, to] = [kindOfId(source), kindOfId(target)];
  invariant(joins(relation, from, to), `${relation} cannot join ${from} to ${to} (${source}, ${target})`);
  const { attributes, layer } = RELATIONS[relationCode[relation]] ?? RELATIONS[0];
  invariant(layer !== 'code', `${relation} is an edge of the code`);
  checkAttributes(keyOf(edge), attributes, edge.attributes ?? {});
}

function checkAttributes(of: string, known: Attributes, given: AttributeValues): void {
  for (const [name, value] of Object.entries(given)) {
    const type = known[name];
    invariant(type !== undefined, `${of} has an attribute ${name} that is in no table`);
    invariant(value === null || fits(type, value), `${name} of ${of} is not a ${type}`);
  }
}

function fits(type: AttributeType, value: NonNullable<AttributeValues[string]>): boolean {
  if (type === 'texts') return Array.isArray(value) && value.every(item => typeof item === 'string');
  return typeof value === ({ text: 'string', number: 'number', boolean: 'boolean' } as const)[type];
}
