import { z } from 'zod';
import { ok } from '../../../base/result';
import { buildServices } from '../../../features/architecture/services/build';
import { defineTool } from '../../tool';
import { block, count, failure } from '../outcome';
import { rendered, serviceBudget, serviceFormat } from './format';

export const buildKnowledgeGraph = defineTool({
  name: 'build_knowledge_graph',
  title: 'Build the service graph',
  description:
    'Find the services of the workspace and build the graph of their contracts, endpoints, events, entities, data stores and calls. Use to list the services, or after large changes; otherwise it is kept up to date automatically. Returns counts, services and what could not be read.',
  group: 'graph',
  effect: 'update',
  defaultProfile: 'balanced',
  input: z.object({
    project_name: z.string().default('').describe('Only if the service map is of this project'),
    force_rebuild: z.boolean().default(true).describe('false: accept a graph younger than 5 minutes'),
    service_interfaces_json: z
      .string()
      .default('')
      .describe('JSON by service name: endpoints, events_published, events_consumed; merged with what the code shows'),
    ...serviceFormat,
  }),
  fields: [
    { key: 'success', priority: 'required', description: 'False if nothing could be built' },
    { key: 'node_count', priority: 'required', description: 'Nodes of the whole graph' },
    { key: 'edge_count', priority: 'required', description: 'Edges of the whole graph' },
    { key: 'services_indexed', priority: 'required', description: 'Names of the services' },
    { key: 'errors', priority: 'high', description: 'What could not be read, with file and line' },
    { key: 'node_types', priority: 'medium', description: 'Nodes by type' },
    { key: 'edge_types', priority: 'medium', description: 'Edges by relation' },
    { key: 'community_count', priority: 'medium', description: 'Communities' },
    { key: 'build_time_ms', priority: 'medium', description: 'Time of the last build' },
    { key: 'matched_entities', priority: 'low', description: 'entity, symbol: what implements domain entities' },
  ],

  check(input) {
    if (input.service_interfaces_json.trim() === '' || isObject(input.service_interfaces_json)) return undefined;
    const message = 'service_interfaces_json must be a JSON object.';
    const hint = 'Use an object by service name, for example {"orders": {"endpoints": []}}.';
    return { code: 'VALIDATION_ERROR', message, hint, data: { field: 'service_interfaces_json' } };
  },

  budgetTokens: serviceBudget,

  async handle(context, input, token) {
    const found = await buildServices(
      context.workspace,
      { projectName: input.project_name, force: input.force_rebuild, interfaces: input.service_interfaces_json },
      token,
    );
    if (!found.ok) return failure(found.error);
    const { buildTimeMs, communityCount, edgeCount, edgeTypes, errors, matched, nodeCount, nodeTypes, services, stamp, success } = found.value;
    const calls = edgeTypes['SERVICE_CALLS'] ?? 0;
    const counts = [
      count(services.length, 'service'),
      count(nodeTypes['endpoint'] ?? 0, 'endpoint'),
      count(nodeTypes['event'] ?? 0, 'event'),
      count(calls, 'call'),
    ];
    return ok({
      summary: `${counts.join(', ')}.${errors.length > 0 ? ` ${count(errors.length, 'problem')}.` : ''}`,
      data: {
        success,
        node_count: nodeCount,
        edge_count: edgeCount,
        node_types: nodeTypes,
        edge_types: edgeTypes,
        community_count: communityCount,
        build_time_ms: buildTimeMs,
        services_indexed: services,
        errors,
        matched_entities: matched,
      },
      stamp,
      keepsEmpty: true,
      ...(services.length > 0 ? {} : { hint: 'No service was found. Name services in lattice.services.yaml.' }),
    });
  },

  render: (data, input) => rendered(data, input, () => [...block('Services', texts(data['services_indexed'])), ...block('Problems', texts(data['errors']))]),
});

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
