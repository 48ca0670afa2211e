import { z } from 'zod';
import { ok } from '../../../base/result';
import type { ContextEntity } from '../../../features/architecture/services/contextParts';
import { serviceContext } from '../../../features/architecture/services/serviceContext';
import { defineTool } from '../../tool';
import { count, failure } from '../outcome';
import { rendered, serviceBudget, serviceFormat } from './format';

export const getServiceContext = defineTool({
  name: 'get_service_context',
  title: 'Show the context of a service',
  description:
    'Show what a service offers, calls and shares: endpoints with their handlers, consumed APIs with their fields, events, domain entities, dependencies. Use before writing code that touches another service. For what a change breaks use find_cross_service_impact.',
  group: 'graph',
  effect: 'read',
  defaultProfile: 'balanced',
  aliases: { service: 'service_name' },
  input: z.object({
    service_name: z.string().min(1).describe('Name of the service'),
    include_consumed_apis: z.boolean().default(true),
    include_provided_apis: z.boolean().default(true),
    include_events: z.boolean().default(true),
    include_entities: z.boolean().default(true),
    include_dependencies: z.boolean().default(true),
    max_depth: z.number().int().min(1).max(10).default(2).describe('Hops of dependency_topology'),
    ...serviceFormat,
  }),
  fields: [
    { key: 'service_name', priority: 'required', description: 'Name' },
    { key: 'context_text', priority: 'high', description: 'All of it as Markdown, within lattice.services.contextTokenBudget' },
    { key: 'provided_endpoints', priority: 'high', description: 'method, path, handler, contract_id' },
    { key: 'consumed_endpoints', priority: 'high', description: 'method, path, provider_service' },
    { key: 'depends_on', priority: 'high', description: 'Services that it calls' },
    { key: 'depended_on_by', priority: 'high', description: 'Services that call it' },
    { key: 'events_published', priority: 'medium', description: 'event_name, channel' },
    { key: 'events_consumed', priority: 'medium', description: 'event_name, publisher_service' },
    { key: 'owned_entities', priority: 'medium', description: 'name, fields' },
    { key: 'referenced_entities', priority: 'medium', description: 'name, owning_service, fields' },
    { key: 'data_stores', priority: 'medium', description: 'Names of databases, caches and brokers' },
    { key: 'dependency_topology', priority: 'low', description: 'service, depth, direction up to max_depth' },
  ],

  budgetTokens: serviceBudget,

  async handle(context, input, token) {
    const found = await serviceContext(
      context.workspace,
      {
        service: input.service_name,
        consumedApis: input.include_consumed_apis,
        providedApis: input.include_provided_apis,
        events: input.include_events,
        entities: input.include_entities,
        dependencies: input.include_dependencies,
        maxDepth: input.max_depth,
      },
      token,
    );
    if (!found.ok) return failure(found.error);
    const { consumed, consumedEvents, dependedOnBy, dependsOn, owned, provided, published, referenced, service, stamp, stores, text, topology } = found.value;
    return ok({
      summary: `${service} provides ${count(provided.length, 'endpoint')}, calls ${count(dependsOn.length, 'service')} and is called by ${dependedOnBy.length}.`,
      data: {
        service_name: service,
        context_text: text,
        provided_endpoints: provided.map(({ contractId, handler, method, path }) => ({ method, path, handler, contract_id: contractId })),
        consumed_endpoints: consumed.map(({ method, path, provider }) => ({ method, path, provider_service: provider })),
        depends_on: dependsOn,
        depended_on_by: dependedOnBy,
        events_published: published.map(({ channel, name }) => ({ event_name: name, channel })),
        events_consumed: consumedEvents.map(({ name, publisher }) => ({ event_name: name, publisher_service: publisher })),
        owned_entities: owned.map(({ name, fields }) => ({ name, fields: fieldsOf(fields) })),
        referenced_entities: referenced.map(({ fields, name, owner }) => ({ name, owning_service: owner, fields: fieldsOf(fields) })),
        data_stores: stores,
        dependency_topology: topology,
      },
      stamp,
      keepsEmpty: true,
    });
  },

  render: (data, input) => rendered(data, input, () => [typeof data['context_text'] === 'string' ? data['context_text'] : '']),
});

function fieldsOf(fields: ContextEntity['fields']): readonly string[] {
  return fields.map(({ name, required, type }) => `${name}: ${type}${required ? '*' : ''}`);
}
