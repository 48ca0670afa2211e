import { z } from 'zod';
import { ok } from '../../../base/result';
import { validateBoundaries } from '../../../features/architecture/services/boundaries';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, textIn } from '../outcome';
import { rendered, serviceBudget, serviceFormat } from './format';

export const validateServiceBoundaries = defineTool({
  name: 'validate_service_boundaries',
  title: 'Validate service boundaries',
  description:
    'Compare the declared services with the groups that files form by their imports. Use to find files that are in the wrong service and services that are coupled too closely. For declared architecture rules use arch_validate.',
  group: 'graph',
  effect: 'read',
  defaultProfile: 'balanced',
  input: z.object({
    resolution: z.number().min(0.1).max(10).default(1).describe('Below 1: larger groups; above 1: smaller ones'),
    ...serviceFormat,
  }),
  fields: [
    { key: 'alignment_score', priority: 'required', description: 'Share of files that are in the service that their imports suggest, 0 to 1' },
    { key: 'communities_detected', priority: 'required', description: 'Groups of files' },
    { key: 'services_declared', priority: 'required', description: 'Services with files' },
    { key: 'misplaced_files', priority: 'high', description: 'file, declared_service, community_service, confidence' },
    { key: 'service_coupling', priority: 'high', description: 'service_a, service_b, cross_edges; most first' },
    { key: 'isolated_files', priority: 'medium', description: 'Files that import no files and are not imported' },
  ],

  budgetTokens: serviceBudget,

  async handle(context, input, token) {
    const found = await validateBoundaries(context.workspace, { resolution: input.resolution }, token);
    if (!found.ok) return failure(found.error);
    const { alignment, communities, coupling, isolated, misplaced, services, stamp } = found.value;
    return ok({
      summary: `Alignment ${alignment}: ${count(misplaced.length, 'misplaced file')} in ${count(services, 'service')}.`,
      data: {
        communities_detected: communities,
        services_declared: services,
        alignment_score: alignment,
        misplaced_files: misplaced.map(({ community, confidence, declared, file }) => ({
          file,
          declared_service: declared,
          community_service: community,
          confidence,
        })),
        isolated_files: isolated,
        service_coupling: coupling.map(({ a, b, edges }) => ({ service_a: a, service_b: b, cross_edges: edges })),
      },
      stamp,
      keepsEmpty: true,
    });
  },

  render(data, input) {
    const misplaced = rowsIn(data, 'misplaced_files').map(
      row => `${textIn(row, 'file')}: declared in ${textIn(row, 'declared_service')}, imports suggest ${textIn(row, 'community_service')}`,
    );
    const coupling = rowsIn(data, 'service_coupling').map(row => `${textIn(row, 'service_a')} – ${textIn(row, 'service_b')}: ${textIn(row, 'cross_edges')}`);
    return rendered(data, input, () => [...block('Misplaced files', misplaced), ...block('Coupling', coupling)]);
  },
});
