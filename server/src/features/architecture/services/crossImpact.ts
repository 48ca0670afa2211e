import { reach, shortestPath } from '../../../algorithms/reach';
import { kindsOf } from '../../../algorithms/rows';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import type { StableId } from '../../../model/ids';
import { RELATIONS } from '../../../model/relations';
import { type Endpoint, NO_SERVICES, type ServiceModel } from '../../../services/model';
import type { Stamp, Workspace } from '../../../workspace/snapshot';
import type { FeatureFailure } from '../../shared/failure';
import { pathOfTarget, resolveTarget } from '../../shared/target';
import { readServices } from './reading';

/** What a change of a node may break in other services: their code by service with the ways to it, contracts, entities and events. */
export interface CrossImpact {
  readonly source: StableId;
  readonly sourceService: string;
  readonly services: readonly {
    readonly service: string;
    readonly count: number;
    readonly paths: readonly (readonly StableId[])[];
    readonly files: readonly string[];
  }[];
  readonly contracts: readonly { readonly contract: string; readonly service: string; readonly endpoints: readonly string[] }[];
  readonly entities: readonly { readonly name: string; readonly owner: string }[];
  readonly events: readonly { readonly name: string; readonly publishers: readonly string[]; readonly consumers: readonly string[] }[];
  readonly total: number;
}

/** All relations of code and services; what people wrote and communities is not what breaks. */
const LINKS = { kinds: kindsOf(RELATIONS.flatMap(({ layer }, code) => (layer === 'memory' ? [] : [code]))), minConfidence: 0 };
const MAX_FILES = 20;

/** What a change of a file or symbol may mean elsewhere: along what it uses and along what uses it, each up to a depth. */
export async function crossServiceImpact(
  workspace: Workspace,
  params: { readonly target: string; readonly maxDepth: number },
  token: CancellationToken,
): Promise<Result<CrossImpact & { readonly stamp: Stamp }, FeatureFailure>> {
  const path = pathOfTarget(workspace, params.target);
  const read = await readServices(workspace, token, { touching: path === undefined ? [] : [path] });
  if (!read.ok) return read;
  const { model = NO_SERVICES, snapshot, stamp } = read.value;
  const target = resolveTarget(snapshot, workspace, params.target);
  if (!target.ok) return target;
  return ok({ ...impactOf(snapshot.graph, model, target.value.node, params.maxDepth), stamp });
}

/** The same for a node. */
export function impactOf(graph: GraphView, model: ServiceModel, node: NodeHandle, maxDepth: number): CrossImpact {
  const { backward, forward, live } = graph.walk(LINKS.kinds);
  const found = new Set<NodeHandle>();
  for (const halves of [forward, backward]) for (const reached of reach(halves, live, [node], maxDepth, LINKS).nodes) found.add(reached);
  for (const id of acrossServices(model, new Set([...found, node].map(one => graph.idOf(one))))) {
    const other = graph.find(id);
    if (other !== undefined) found.add(other);
  }
  found.delete(node);
  const serviceAt = serviceOfNodes(graph, model);
  const own = serviceAt(node);
  const groups = new Map<string, NodeHandle[]>();
  for (const one of found) {
    const service = serviceAt(one);
    if (service !== '' && service !== own) groups.set(service, [...(groups.get(service) ?? []), one]);
  }
  const services = [...groups].map(([service, nodes]) => {
    const id = graph.find(`service::${service}`);
    const way = id === undefined ? undefined : shortestPath([...forward, ...backward], live, node, id, LINKS);
    const files = [...new Set(nodes.flatMap(one => graph.fileNodeOf(one) ?? []))].map(file => graph.idOf(file)).sort();
    return { service, count: nodes.length, paths: way === undefined ? [] : [way.map(one => graph.idOf(one))], files: files.slice(0, MAX_FILES) };
  });
  const ids = new Set([...found, node].map(one => graph.idOf(one)));
  return {
    source: graph.idOf(node),
    sourceService: own,
    services: services.sort((a, b) => b.count - a.count || (a.service < b.service ? -1 : 1)),
    contracts: model.contracts
      .filter(({ id }) => ids.has(`contract::${id}`))
      .map(({ id, service }) => ({
        contract: id,
        service,
        endpoints: model.endpoints.filter(one => one.contracts.includes(id) && ids.has(one.id)).map(endpointName),
      })),
    entities: model.entities.filter(({ name }) => ids.has(`domain_entity::${name}`)).map(({ name, owner }) => ({ name, owner })),
    events: model.events
      .filter(({ id }) => ids.has(id))
      .map(({ consumers, name, publishers }) => ({ name, publishers: sidesOf(publishers), consumers: sidesOf(consumers) })),
    total: found.size,
  };
}

/** What hangs on an interface that was reached: contracts of endpoints, who requests them, both sides of events that reached code publishes or consumes. */
function* acrossServices(model: ServiceModel, reached: ReadonlySet<StableId>): Generator<StableId> {
  for (const { contracts, id } of model.endpoints) if (reached.has(id)) for (const contract of contracts) yield `contract::${contract}`;
  for (const { caller, endpoint, place, source } of model.requests) {
    if (!reached.has(endpoint)) continue;
    yield `service::${source}`;
    yield caller ?? place.file;
  }
  for (const { source, viaEndpoints } of model.calls) if (viaEndpoints.some(id => reached.has(id))) yield `service::${source}`;
  for (const { consumers, id, publishers } of model.events) {
    const sides = [...publishers, ...consumers];
    if (!sides.some(({ handler }) => handler !== undefined && reached.has(handler))) continue;
    yield id;
    for (const { handler, service } of sides) {
      yield `service::${service}`;
      if (handler !== undefined) yield handler;
    }
  }
}

function endpointName({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

export function sidesOf(sides: readonly { readonly service: string }[]): readonly string[] {
  return [...new Set(sides.map(({ service }) => service).filter(service => service !== ''))].sort();
}

/** Service of a node: of code by its file, of the layer by what it says of itself. */
export function serviceOfNodes(graph: GraphView, model: Pick<ServiceModel, 'serviceOf'>): (node: NodeHandle) => string {
  return node => {
    const file = graph.fileNodeOf(node);
    if (file !== undefined) return model.serviceOf(graph.idOf(file));
    const { attributes } = graph.node(node);
    const name = attributes?.['service_name'] ?? attributes?.['owning_service'];
    return typeof name === 'string' ? name : '';
  };
}
