import type { CancellationToken } from '../../../base/cancellation';
import type { StableId } from '../../../model/ids';
import type { Workspace } from '../../../workspace/snapshot';
import { type FlowStep, flowOf } from './flow';
import { endpointCalled } from './overview';
import { readServices } from './reading';

/** `GET /orders/{id}`, `GRPC /shop.Orders/Get`, or the id of an endpoint. */
const SPELLED = /^(?:endpoint::|(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|ANY|GRPC|QUERY|MUTATION|SUBSCRIPTION)\s+\S)/;

export interface EndpointFlow {
  readonly id: StableId;
  readonly steps: readonly FlowStep[];
}

/** What a request to an endpoint sets off, in at most so many steps; undefined where the target is none. */
export async function endpointFlow(workspace: Workspace, target: string, maxSteps: number, token: CancellationToken): Promise<EndpointFlow | undefined> {
  if (!SPELLED.test(target)) return undefined;
  const read = await readServices(workspace, token);
  const model = read.ok ? read.value.model : undefined;
  const endpoint = model === undefined ? undefined : endpointCalled(model, target.replace(/\s+/, ' '), undefined);
  if (model === undefined || endpoint === undefined || !read.ok) return undefined;
  return { id: endpoint.id, steps: flowOf(model, read.value.snapshot.graph, endpoint, maxSteps).slice(0, maxSteps) };
}
