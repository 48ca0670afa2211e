import type { CancellationToken } from '../../../base/cancellation';
import { err, ok, type Result } from '../../../base/result';
import { phrase, toolRef } from '../../../model/hints';
import type { Endpoint, ServiceModel } from '../../../services/model';
import type { Stamp, Workspace } from '../../../workspace/snapshot';
import type { FeatureFailure } from '../../shared/failure';
import type { ConsumedEndpoint, ConsumedEvent, ContextEntity, ProvidedEndpoint, PublishedEvent, ServiceContext } from './contextParts';
import { contextText } from './contextText';
import { readServices, similarNames } from './reading';

export interface ContextParams {
  readonly service: string;
  readonly consumedApis: boolean;
  readonly providedApis: boolean;
  readonly events: boolean;
  readonly entities: boolean;
  readonly dependencies: boolean;
  readonly maxDepth: number;
}

/** What a service offers, uses and shares. Without the layer everything is empty. */
export async function serviceContext(
  workspace: Workspace,
  params: ContextParams,
  token: CancellationToken,
): Promise<Result<ServiceContext & { readonly stamp: Stamp }, FeatureFailure>> {
  const read = await readServices(workspace, token);
  if (!read.ok) return read;
  const { model, stamp } = read.value;
  if (model === undefined) return ok({ ...EMPTY, service: params.service, stamp });
  const service = model.services.find(({ aliases, name }) => name === params.service || aliases.includes(params.service));
  if (service === undefined) {
    const similar = similarNames(
      params.service,
      model.services.map(({ name }) => name),
    );
    const message = `The service ${params.service} is not in the graph.`;
    const hint = similar.length > 0 ? `Try ${similar.join(', ')}.` : phrase`Use ${toolRef('build_knowledge_graph')} to list the services.`;
    return err({ code: 'NOT_FOUND', message, hint, data: { service_name: params.service, error: message, suggestions: similar } });
  }
  const budget = workspace.services?.settings.contextTokenBudget ?? 2000;
  return ok({ ...contextOf(model, service.name, params, budget), stamp });
}

const EMPTY: Omit<ServiceContext, 'service'> = {
  provided: [],
  consumed: [],
  published: [],
  consumedEvents: [],
  owned: [],
  referenced: [],
  dependsOn: [],
  dependedOnBy: [],
  topology: [],
  stores: [],
  text: '',
};

/** The context of a service that there is. */
export function contextOf(model: ServiceModel, name: string, params: Omit<ContextParams, 'service'>, budgetTokens: number): ServiceContext {
  const calls = model.calls.filter(({ source }) => source === name);
  const byId = new Map(model.endpoints.map(endpoint => [endpoint.id, endpoint]));
  const demand = demandOf(model);
  const byDemand = (a: Endpoint, b: Endpoint): number => (demand.get(b.id) ?? 0) - (demand.get(a.id) ?? 0) || (a.id < b.id ? -1 : 1);
  const own = model.endpoints.filter(({ service }) => service === name).sort(byDemand);
  const parts: Omit<ServiceContext, 'text'> = {
    service: name,
    provided: params.providedApis ? own.map(providedOf) : [],
    consumed: params.consumedApis ? calls.flatMap(({ viaEndpoints }) => viaEndpoints.flatMap(id => byId.get(id) ?? [])).map(consumedOf) : [],
    published: params.events ? publishedBy(model, name) : [],
    consumedEvents: params.events ? consumedBy(model, name) : [],
    owned: params.entities ? model.entities.filter(({ owner }) => owner === name).map(entityOf) : [],
    referenced: params.entities ? model.entities.filter(({ referencedBy }) => referencedBy.includes(name)).map(entityOf) : [],
    dependsOn: params.dependencies ? calls.map(({ target }) => target) : [],
    dependedOnBy: params.dependencies ? model.calls.filter(({ target }) => target === name).map(({ source }) => source) : [],
    topology: params.dependencies ? topologyOf(model, name, params.maxDepth) : [],
    stores: model.storeUses.get(name) ?? [],
  };
  return { ...parts, text: contextText(parts, budgetTokens) };
}

/** Callers of each endpoint: what is used most comes first. */
function demandOf({ calls }: ServiceModel): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { viaEndpoints } of calls) for (const id of viaEndpoints) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function providedOf({ contracts, handler, handlerPlace, method, path }: Endpoint): ProvidedEndpoint {
  const place = handlerPlace === undefined ? '' : `${handlerPlace.file}:${handlerPlace.line}`;
  return { method, path, handler: handler ?? handlerPlace?.file ?? '', contractId: contracts[0] ?? '', place };
}

function consumedOf({ method, path, request, response, security, service }: Endpoint): ConsumedEndpoint {
  return { method, path, provider: service, fields: request.length > 0 ? request : response, security };
}

function publishedBy({ events }: ServiceModel, name: string): readonly PublishedEvent[] {
  return events
    .filter(({ publishers }) => publishers.some(({ service }) => service === name))
    .map(({ channel, consumers, name: event, payload }) => ({
      name: event,
      channel,
      fields: payload,
      consumers: consumers.map(({ service }) => service).filter(service => service !== '' && service !== name),
    }));
}

function consumedBy({ events }: ServiceModel, name: string): readonly ConsumedEvent[] {
  return events
    .filter(({ consumers }) => consumers.some(({ service }) => service === name))
    .map(({ name: event, payload, publishers }) => ({
      name: event,
      publisher:
        publishers
          .map(({ service }) => service)
          .filter(service => service !== '')
          .sort()[0] ?? '',
      fields: payload,
    }));
}

function entityOf({ fields, name, owner }: ServiceModel['entities'][number]): ContextEntity {
  return { name, owner, fields };
}

function topologyOf({ calls }: ServiceModel, name: string, maxDepth: number): ServiceContext['topology'] {
  const walk = (direction: 'depends_on' | 'depended_on_by'): ServiceContext['topology'] => {
    const [from, to] = direction === 'depends_on' ? (['source', 'target'] as const) : (['target', 'source'] as const);
    const depths = new Map([[name, 0]]);
    const queue = [name];
    for (const at of queue) {
      const depth = (depths.get(at) ?? 0) + 1;
      if (depth > maxDepth) break;
      for (const call of calls) {
        if (call[from] !== at || depths.has(call[to])) continue;
        depths.set(call[to], depth);
        queue.push(call[to]);
      }
    }
    return queue.slice(1).map(service => ({ service, depth: depths.get(service) ?? 0, direction }));
  };
  return [...walk('depends_on'), ...walk('depended_on_by')];
}
