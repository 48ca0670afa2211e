/** Requests over HTTP that remote procedures answer, as their contract says (`google.api.http`). */
import type { WorkspacePath } from '../../base/path';
import { SERVICE_CONFIDENCE } from '../../model/evidence';
import type { Contract, Endpoint } from '../model';
import type { OperationFact } from '../serviceFile';
import type { CodeSurface } from '../surface';
import { keyOf, type Procedures } from './procedures';

export interface BoundRequest {
  readonly contract: Contract;
  readonly operation: OperationFact;
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly handler: Pick<Endpoint, 'handler' | 'handlerPlace' | 'confidence'> | undefined;
  /** Code of the service registers a server over HTTP for it (Kratos): without that a gateway elsewhere may answer. */
  readonly isServed: boolean;
}

interface BindingSources {
  readonly contracts: readonly Contract[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly surface: CodeSurface;
  readonly procedures: Procedures;
}

export function boundRequests({ contracts, procedures, serviceOf, surface }: BindingSources): readonly BoundRequest[] {
  const registered = new Set(surface.rpcs.flatMap(({ place, service, side }) => (side === 'server' ? [`${serviceOf(place.file)} ${keyOf(service)}`] : [])));
  return contracts.flatMap(contract =>
    (contract.fact?.operations ?? []).flatMap((operation): BoundRequest[] => {
      if (operation.bindings === undefined) return [];
      const [, full = '', procedure = ''] = operation.path.split('/');
      const service = procedures.ownerOf(full) || contract.service;
      if (service === '') return [];
      const found = procedures.handlerOf(service, full, procedure);
      const handler = found === undefined ? undefined : { handler: found.id, handlerPlace: found.place, confidence: SERVICE_CONFIDENCE.procedure };
      const isServed = registered.has(`${service} ${keyOf(`${full}HTTP`)}`);
      return operation.bindings.map(binding => ({ contract, operation, service, ...binding, handler, isServed }));
    }),
  );
}
