import type { WorkspacePath } from '../../base/path';
import type { AttributeValues, Kind } from '../../model/kinds';
import type { Contract, DataStore, Endpoint, Entity, EventSide, Service, ServiceCall, ServiceEvent, ServiceModel } from '../../services/model';
import type { SchemaField } from '../../services/serviceFile';
import type { LayerDelta, LayerEdge, LayerNode } from '../layer';

type Upsert = LayerDelta['upserts'][number];

/** Most places that an edge between services tells. */
const MAX_EVIDENCE = 20;

/** Every node of the layer with the edges that begin at it, in a fixed order. */
export function upsertsOf(model: ServiceModel, files: Iterable<WorkspacePath>): readonly Upsert[] {
  const contained = new Map<string, WorkspacePath[]>(model.services.map(({ name }) => [name, []]));
  for (const path of files) contained.get(model.serviceOf(path))?.push(path);
  const exposed = new Map<string, Endpoint[]>(model.contracts.map(({ id }) => [id, []]));
  for (const endpoint of model.endpoints) for (const id of new Set(endpoint.contracts)) exposed.get(id)?.push(endpoint);
  return [
    ...model.services.map(service => serviceUpsert(service, model, contained.get(service.name) ?? [])),
    ...model.contracts.map(contract => contractUpsert(contract, model, exposed.get(contract.id) ?? [])),
    ...model.endpoints.map(endpoint => ({ node: endpointNode(endpoint), edges: [] })),
    ...model.events.map(event => ({ node: eventNode(event), edges: [] })),
    ...model.entities.map(entity => ({ node: entityNode(entity), edges: entityEdges(entity, model) })),
    ...model.stores.map(store => ({ node: storeNode(store), edges: [] })),
  ];
}

export function serviceId(name: string): string {
  return `service::${name}`;
}

export function contractNodeId(id: string): string {
  return `contract::${id}`;
}

export function entityId(name: string): string {
  return `domain_entity::${name}`;
}

function node(kind: Kind, id: string, name: string, attributes: AttributeValues, texts: { readonly summary?: string; readonly doc?: string } = {}): LayerNode {
  return { id, kind, name, summary: texts.summary ?? '', doc: texts.doc ?? '', attributes };
}

function serviceUpsert(service: Service, model: ServiceModel, files: readonly WorkspacePath[]): Upsert {
  const id = serviceId(service.name);
  const { aliases, description, domain, estimatedLoc, name, paths, role, sources, stack } = service;
  const attributes = {
    service_name: name,
    domain,
    description,
    stack: JSON.stringify(stack),
    estimated_loc: estimatedLoc,
    root: paths[0] ?? '',
    paths: [...paths],
    role,
    sources: [...sources],
    aliases: [...aliases],
  };
  const edges: LayerEdge[] = [
    ...files.map((path): LayerEdge => ({ source: id, relation: 'CONTAINS_FILE', target: path, provenance: 'derived' })),
    ...model.contracts
      .filter(contract => contract.service === name)
      .map((contract): LayerEdge => ({ source: id, relation: 'PROVIDES_CONTRACT', target: contractNodeId(contract.id), provenance: 'derived' })),
    ...model.events.flatMap(event => eventEdges(id, event, side => side.service === name)),
    ...model.entities.flatMap((entity): LayerEdge[] => {
      const target = entityId(entity.name);
      if (entity.owner === name) return [{ source: id, relation: 'OWNS_ENTITY', target, provenance: 'derived' }];
      return entity.referencedBy.includes(name) ? [{ source: id, relation: 'REFERENCES_ENTITY', target, provenance: 'derived' }] : [];
    }),
    ...model.calls.filter(call => call.source === name).map(callEdge),
    ...(model.storeUses.get(name) ?? []).map(
      (store): LayerEdge => ({ source: id, relation: 'USES_STORE', target: `data_store::${store}`, provenance: 'derived' }),
    ),
  ];
  return { node: node('service', id, name, attributes, { summary: description }), edges };
}

function callEdge(call: ServiceCall): LayerEdge {
  const { confidence, importCount, kinds, places, viaEndpoints } = call;
  return {
    source: serviceId(call.source),
    relation: 'SERVICE_CALLS',
    target: serviceId(call.target),
    provenance: 'heuristic',
    attributes: {
      via_endpoint: viaEndpoints[0] ?? '',
      via_endpoints: [...viaEndpoints],
      import_count: importCount,
      kinds: [...kinds],
      evidence: places.slice(0, MAX_EVIDENCE).map(({ file, line }) => (line > 0 ? `${file}:${line}` : file)),
      confidence,
    },
  };
}

function contractUpsert(contract: Contract, model: ServiceModel, exposed: readonly Endpoint[]): Upsert {
  const { derived, fact, file, id, service } = contract;
  const attributes = {
    contract_id: id,
    contract_type: fact?.type ?? 'openapi',
    version: fact?.version ?? '',
    service_name: service,
    status: fact?.deprecated === true ? 'deprecated' : 'active',
    title: fact?.title ?? '',
    derived,
    path: file,
  };
  const edges: LayerEdge[] = [
    ...exposed.map((endpoint): LayerEdge => ({ source: contractNodeId(id), relation: 'EXPOSES_ENDPOINT', target: endpoint.id, provenance: 'derived' })),
    ...model.events.flatMap(event => eventEdges(contractNodeId(id), event, side => side.contract === id && side.service === '')),
  ];
  return { node: node('contract', contractNodeId(id), fact?.title || id, attributes, { summary: fact?.title ?? '' }), edges };
}

function eventEdges(source: string, { consumers, id, publishers }: ServiceEvent, isOwn: (side: EventSide) => boolean): LayerEdge[] {
  const edge = (relation: 'PUBLISHES_EVENT' | 'CONSUMES_EVENT', { contract, handler, place }: EventSide): LayerEdge => ({
    source,
    relation,
    target: id,
    provenance: contract === '' ? 'heuristic' : 'derived',
    attributes: { contract_id: contract, handler_symbol: handler ?? '', file: place?.file ?? '', line: place?.line ?? 0 },
  });
  return [...publishers.filter(isOwn).map(side => edge('PUBLISHES_EVENT', side)), ...consumers.filter(isOwn).map(side => edge('CONSUMES_EVENT', side))];
}

function endpointNode(endpoint: Endpoint): LayerNode {
  const { confidence, framework, handler, handlerPlace, id, method, operationId, path, place, request, response, security, service, summary } = endpoint;
  const attributes = {
    method,
    path,
    service_name: service,
    handler_symbol: handler ?? '',
    handler_file: handlerPlace?.file ?? '',
    handler_line: handlerPlace?.line ?? 0,
    operation_id: operationId,
    summary,
    framework,
    confidence,
    request_schema: schemaText(request),
    response_schema: schemaText(response),
    security: [...security],
    declared_file: place?.file ?? '',
    declared_line: place?.line ?? 0,
  };
  return node('endpoint', id, `${method} ${path}`, attributes, { summary });
}

/** Edges that begin at code, each once. A handler or a caller without a name is its file. */
export function codeEdges(model: ServiceModel): readonly LayerEdge[] {
  const edges = new Map<string, LayerEdge>();
  const put = (edge: LayerEdge): void => {
    const key = `${edge.source}|${edge.relation}|${edge.target}`;
    if (edge.source !== '' && !edges.has(key)) edges.set(key, edge);
  };
  for (const { handler, handlerPlace, id } of model.endpoints) {
    const source = handler ?? handlerPlace?.file ?? '';
    put({ source, relation: 'HANDLES_ENDPOINT', target: id, provenance: 'heuristic', attributes: { line: handlerPlace?.line ?? 0 } });
  }
  for (const { caller, confidence, endpoint, place } of model.requests) {
    put({
      source: caller ?? place.file,
      relation: 'REQUESTS_ENDPOINT',
      target: endpoint,
      provenance: 'heuristic',
      attributes: { line: place.line, confidence },
    });
  }
  for (const { implementations, name } of model.entities) {
    for (const source of implementations) put({ source, relation: 'IMPLEMENTS_ENTITY', target: entityId(name), provenance: 'heuristic' });
  }
  return [...edges.values()];
}

function eventNode({ aliases, channel, id, name, payload }: ServiceEvent): LayerNode {
  return node('event', id, name, { event_name: name, channel, aliases: [...aliases], payload_schema: schemaText(payload) });
}

function entityNode({ description, fields, name, owner, place }: Entity): LayerNode {
  const attributes = {
    entity_name: name,
    description,
    owning_service: owner,
    fields_json: JSON.stringify(fields.map(field => ({ name: field.name, type: field.type, required: field.required }))),
    declared_file: place?.file ?? '',
    declared_line: place?.line ?? 0,
  };
  return node('domain_entity', entityId(name), name, attributes, { summary: description });
}

function entityEdges({ name }: Entity, model: ServiceModel): LayerEdge[] {
  const id = entityId(name);
  return model.relationships
    .filter(({ source }) => source === name)
    .map(
      ({ cardinality, target, type }): LayerEdge => ({
        source: id,
        relation: 'DOMAIN_RELATIONSHIP',
        target: entityId(target),
        provenance: 'derived',
        attributes: { relationship_type: type, cardinality },
      }),
    );
}

function storeNode({ aliases, kind, name, product }: DataStore): LayerNode {
  return node('data_store', `data_store::${name}`, name, { store_name: name, product, store_kind: kind, aliases: [...aliases] });
}

function schemaText(fields: readonly SchemaField[]): string {
  return fields.length === 0 ? '' : JSON.stringify(Object.fromEntries(fields.map(({ name, required, type }) => [name, `${type}${required ? '*' : ''}`])));
}
