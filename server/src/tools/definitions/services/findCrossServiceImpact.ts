import { z } from 'zod';
import { ok } from '../../../base/result';
import { crossServiceImpact } from '../../../features/architecture/services/crossImpact';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, textIn } from '../outcome';
import { rendered, serviceBudget, serviceFormat } from './format';

export const findCrossServiceImpact = defineTool({
  name: 'find_cross_service_impact',
  title: 'Find impact on other services',
  description:
    'Find what a change to a file or symbol may affect in other services: services with paths to them, contracts with their endpoints, domain entities, events. Use before changing a handler, a contract or a shared type. For dependents in the code use impact_analyze.',
  group: 'graph',
  effect: 'read',
  defaultProfile: 'balanced',
  aliases: { target: 'node_id', symbol: 'node_id', depth: 'max_depth' },
  input: z.object({
    node_id: z.string().min(1).describe('ID, path or unique name of a file or symbol'),
    max_depth: z.number().int().min(1).max(6).default(3).describe('Hops in each direction'),
    ...serviceFormat,
  }),
  fields: [
    { key: 'source_node', priority: 'required', description: 'ID of the node' },
    { key: 'source_service', priority: 'required', description: 'Its service' },
    { key: 'impacted_services', priority: 'required', description: 'service_name, impact_count, impact_paths, files; largest first' },
    { key: 'impacted_contracts', priority: 'high', description: 'contract_id, service_name, endpoints_affected' },
    { key: 'impacted_entities', priority: 'high', description: 'entity_name, owning_service' },
    { key: 'impacted_events', priority: 'high', description: 'event_name, publishers, consumers' },
    { key: 'total_impacted_nodes', priority: 'high', description: 'Nodes reached, in all services' },
  ],

  budgetTokens: serviceBudget,

  async handle(context, input, token) {
    const found = await crossServiceImpact(context.workspace, { target: input.node_id, maxDepth: input.max_depth }, token);
    if (!found.ok) return failure(found.error);
    const { contracts, entities, events, services, source, sourceService, stamp, total } = found.value;
    const names = services.map(({ service }) => service);
    return ok({
      summary:
        names.length === 0
          ? `No other service is affected by ${source}.`
          : `${count(names.length, 'other service')} may be affected: ${names.slice(0, 5).join(', ')}.`,
      data: {
        source_node: source,
        source_service: sourceService,
        impacted_services: services.map(({ count: impacted, files, paths, service }) => ({
          service_name: service,
          impact_count: impacted,
          impact_paths: paths,
          files,
        })),
        impacted_contracts: contracts.map(({ contract, endpoints, service }) => ({
          contract_id: contract,
          service_name: service,
          endpoints_affected: endpoints,
        })),
        impacted_entities: entities.map(({ name, owner }) => ({ entity_name: name, owning_service: owner })),
        impacted_events: events.map(({ consumers, name, publishers }) => ({ event_name: name, publishers, consumers })),
        total_impacted_nodes: total,
      },
      stamp,
      keepsEmpty: true,
    });
  },

  render(data, input) {
    const services = rowsIn(data, 'impacted_services').map(row => `${textIn(row, 'service_name')} (${count(Number(row['impact_count']), 'node')})`);
    const contracts = rowsIn(data, 'impacted_contracts').map(row => {
      const endpoints = Array.isArray(row['endpoints_affected']) ? row['endpoints_affected'].map(String) : [];
      return `${textIn(row, 'contract_id')}: ${endpoints.join(', ')}`;
    });
    const entities = rowsIn(data, 'impacted_entities').map(row => `${textIn(row, 'entity_name')} (${textIn(row, 'owning_service')})`);
    const events = rowsIn(data, 'impacted_events').map(row => textIn(row, 'event_name'));
    return rendered(data, input, () => [
      ...block('Services', services),
      ...block('Contracts', contracts),
      ...block('Entities', entities),
      ...block('Events', events),
    ]);
  },
});
