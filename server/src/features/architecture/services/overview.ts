import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { err, ok, type Result } from '../../../base/result';
import { compareText } from '../../../base/text';
import { type Endpoint, NO_SERVICES, type ServiceModel } from '../../../services/model';
import { plainPath } from '../../../services/paths';
import type { Stamp, Workspace } from '../../../workspace/snapshot';
import type { FeatureFailure } from '../../shared/failure';
import { feature } from '../../shared/feature';
import { flag, text } from '../../shared/params';
import { object, optional, type Shaped, shape, stamped } from '../../shared/shape';
import { breakingEdits } from './breakingEdits';
import { type FlowStep, flowOf } from './flow';
import { problemsOf, SEVERITIES, type ServiceProblem } from './problems';
import { readServices, similarNames } from './reading';
import { contextOf } from './serviceContext';

const servicesParams = shape(() =>
  object({
    /** Name of one service: only what concerns it. */
    service: optional(text()),
    /** Endpoint whose flow is asked for: its id, or `GET /orders/{id}`. */
    endpoint: optional(text()),
    /** True also writes the context of each service. */
    contexts: optional(flag()),
  }),
);
type ServicesParams = Shaped<typeof servicesParams>;

/** Of all places: `file` is `''` and `line` 0 where nothing names one. */
const sideShape = shape(() => object({ service: z.string(), file: z.string(), line: z.number() }));

const servicesAnswerShape = shape(() =>
  object({
    services: z.array(
      object({
        name: z.string(),
        role: z.string(),
        root: z.string(),
        language: z.string(),
        framework: z.string(),
        file: z.string(),
        line: z.number(),
        stores: z.array(z.string()),
      }),
    ),
    endpoints: z.array(
      object({
        id: z.string(),
        service: z.string(),
        method: z.string(),
        path: z.string(),
        /** Id of the symbol, `''` for one without a name. */
        handler: z.string(),
        file: z.string(),
        line: z.number(),
        /** Where the contract declares it, `''` and 0 without a contract. */
        contractFile: z.string(),
        contractLine: z.number(),
        /** Code of other services that calls it. */
        callers: z.array(sideShape()),
      }),
    ),
    events: z.array(object({ name: z.string(), publishers: z.array(sideShape()), consumers: z.array(sideShape()) })),
    stores: z.array(object({ name: z.string(), product: z.string(), kind: z.string(), usedBy: z.array(z.string()), file: z.string(), line: z.number() })),
    entities: z.array(object({ name: z.string(), owner: z.string(), referencedBy: z.array(z.string()), file: z.string(), line: z.number() })),
    calls: z.array(
      object({ source: z.string(), target: z.string(), kinds: z.array(z.string()), endpoints: z.array(z.string()), file: z.string(), line: z.number() }),
    ),
    problems: z.array(
      object({
        code: z.string(),
        severity: z.enum(SEVERITIES),
        message: z.string(),
        service: z.string(),
        file: z.string(),
        line: z.number(),
        /** Places that the message is about. */
        related: z.array(object({ name: z.string(), file: z.string(), line: z.number() })),
        /** Words of the line that may have to be replaced. */
        fix: optional(object({ from: z.string(), to: z.string() })),
      }),
    ),
    /** What the endpoint that was asked for sets off, in order; empty when none was. */
    flow: z.array(
      object({
        depth: z.number(),
        kind: z.enum(['endpoint', 'handler', 'function', 'publish', 'store']),
        name: z.string(),
        service: z.string(),
        file: z.string(),
        line: z.number(),
        possible: optional(z.literal(true)),
      }),
    ),
    /** Markdown of each service for agents, within `lattice.services.contextTokenBudget`; when asked for. */
    contexts: optional(z.array(object({ service: z.string(), root: z.string(), text: z.string() }))),
    /** Uses of known frameworks that are computed when the code runs. */
    skipped: z.number(),
  }),
);
type Rows = Shaped<typeof servicesAnswerShape>;
export type ServicesAnswer = Rows & { readonly stamp: Stamp };

/** The services of the workspace with what each offers and uses, for people: lists, trees, maps, checks. */
export async function servicesOverview(
  workspace: Workspace,
  params: ServicesParams,
  token: CancellationToken,
): Promise<Result<ServicesAnswer, FeatureFailure>> {
  const read = await readServices(workspace, token);
  if (!read.ok) return read;
  const { model = NO_SERVICES, snapshot, stamp } = read.value;
  const named =
    params.service === undefined ? undefined : model.services.find(({ aliases, name }) => name === params.service || aliases.includes(params.service ?? ''));
  if (params.service !== undefined && named === undefined) {
    return notFound(
      `The service ${params.service} is not in the graph.`,
      params.service,
      model.services.map(({ name }) => name),
    );
  }
  const asked = params.endpoint === undefined ? undefined : endpointCalled(model, params.endpoint, named?.name);
  if (params.endpoint !== undefined && asked === undefined) {
    return notFound(
      `No endpoint is called ${params.endpoint}.`,
      params.endpoint,
      model.endpoints.map(({ method, path }) => `${method} ${path}`),
    );
  }
  const flow = asked === undefined ? [] : flowOf(model, snapshot.graph, asked).map(shownStep);
  const contexts = params.contexts === true ? { contexts: contextsOf(model, workspace, named?.name) } : {};
  const unsaved = await workspace.services?.unsaved?.(token);
  const edited = unsaved === undefined ? [] : await breakingEdits(unsaved);
  return ok({ ...rowsOf(model, named?.name, edited), flow, ...contexts, stamp });
}

function shownStep(step: FlowStep): Omit<FlowStep, 'id'> {
  const { id: _, ...shown } = step;
  return shown;
}

function contextsOf(model: ServiceModel, workspace: Workspace, only: string | undefined): NonNullable<Rows['contexts']> {
  const budget = workspace.services?.settings.contextTokenBudget ?? 2000;
  return model.services
    .filter(({ name }) => only === undefined || name === only)
    .map(({ name, paths }) => ({ service: name, root: paths[0] ?? '', text: contextOf(model, name, WHOLE, budget).text }));
}

const WHOLE = { consumedApis: true, providedApis: true, events: true, entities: true, dependencies: true, maxDepth: 2 };

function notFound(message: string, name: string, known: readonly string[]): Result<never, FeatureFailure> {
  const similar = similarNames(name, known);
  return err({ code: 'NOT_FOUND', message, hint: similar.length > 0 ? `Try ${similar.join(', ')}.` : 'Run lattice services to list them.' });
}

/** The endpoint that is called by its id, `GET /orders/{id}`, or its path; parameters may be spelled in any way (`:id`, `<int:id>`). */
export function endpointCalled(model: ServiceModel, name: string, service: string | undefined): Endpoint | undefined {
  const own = model.endpoints.filter(endpoint => service === undefined || endpoint.service === service);
  const spelled = ({ method, path }: Endpoint): string => `${method} ${path}`;
  const exact = own.find(({ id }) => id === name) ?? own.find(endpoint => spelled(endpoint) === name) ?? own.find(({ path }) => path === name);
  const at = name.indexOf(' ');
  const [method, path] = at < 0 ? [undefined, name] : [name.slice(0, at), name.slice(at + 1)];
  return exact ?? own.find(endpoint => (method === undefined || endpoint.method === method) && plainPath(endpoint.path) === plainPath(path));
}

/** Rows of all services, or of one with its neighbors. */
export function rowsOf(model: ServiceModel, only?: string, edited: readonly ServiceProblem[] = []): Omit<Rows, 'flow'> {
  const concerns = (...names: readonly string[]): boolean => only === undefined || names.includes(only);
  const requests = new Map<string, ServiceModel['requests'][number][]>();
  for (const request of model.requests) requests.set(request.endpoint, [...(requests.get(request.endpoint) ?? []), request]);
  const byId = new Map(model.endpoints.map(endpoint => [endpoint.id, endpoint]));
  const named = (id: string): string => {
    const endpoint = byId.get(id);
    return endpoint === undefined ? id : `${endpoint.method} ${endpoint.path}`;
  };
  const side = ({ place, service }: ServiceModel['events'][number]['publishers'][number]) => ({ service, file: place?.file ?? '', line: place?.line ?? 0 });
  return {
    services: model.services
      .filter(({ name }) => concerns(name))
      .map(({ name, paths, place, role, stack }) => ({
        name,
        role,
        root: paths[0] ?? '',
        language: stack['language'] ?? '',
        framework: stack['framework'] ?? '',
        file: place?.file ?? '',
        line: place?.line ?? 0,
        stores: [...(model.storeUses.get(name) ?? [])],
      })),
    endpoints: model.endpoints
      .filter(({ service }) => concerns(service))
      .map(endpoint => endpointRow(endpoint, requests.get(endpoint.id) ?? []))
      .sort((a, b) => compareText(a.service, b.service) || compareText(a.path, b.path) || compareText(a.method, b.method)),
    events: model.events
      .filter(({ consumers, publishers }) => concerns(...[...publishers, ...consumers].map(({ service }) => service)))
      .map(({ consumers, name, publishers }) => ({ name, publishers: publishers.map(side), consumers: consumers.map(side) })),
    stores: model.stores
      .map(({ kind, name, place, product }) => ({
        name,
        product,
        kind,
        usedBy: [...model.storeUses].filter(([, names]) => names.includes(name)).map(([service]) => service),
        file: place?.file ?? '',
        line: place?.line ?? 0,
      }))
      .filter(({ usedBy }) => concerns(...usedBy)),
    entities: model.entities
      .filter(({ owner, referencedBy }) => concerns(owner, ...referencedBy))
      .map(({ name, owner, place, referencedBy }) => ({ name, owner, referencedBy: [...referencedBy], file: place?.file ?? '', line: place?.line ?? 0 })),
    calls: model.calls
      .filter(({ source, target }) => concerns(source, target))
      .map(({ kinds, places, source, target, viaEndpoints }) => ({
        source,
        target,
        kinds: [...kinds],
        endpoints: viaEndpoints.map(named),
        file: places[0]?.file ?? '',
        line: places[0]?.line ?? 0,
      })),
    problems: problemsOf(model, edited)
      .filter(({ service }) => concerns(service))
      .map(({ fix, related, ...problem }) => ({ ...problem, related: [...related], ...(fix === undefined ? {} : { fix }) })),
    skipped: model.skipped.length,
  };
}

function endpointRow(endpoint: Endpoint, requests: ServiceModel['requests']): Rows['endpoints'][number] {
  const { handler, handlerPlace, id, method, path, place, service } = endpoint;
  const isDeclared = place !== undefined && place.file !== handlerPlace?.file && endpoint.contracts.some(contract => !contract.startsWith('derived/'));
  const at = handlerPlace ?? place;
  return {
    id,
    service,
    method,
    path,
    handler: handler ?? '',
    file: at?.file ?? '',
    line: at?.line ?? 0,
    contractFile: isDeclared ? place.file : '',
    contractLine: isDeclared ? place.line : 0,
    callers: requests.map(({ place: made, source }) => ({ service: source, ...made })),
  };
}

export const servicesFeature = feature({
  name: 'services',
  about: 'Services with their endpoints, events, stores, entities, calls and problems; the flow of an endpoint.',
  params: servicesParams,
  answer: stamped(servicesAnswerShape),
  run: servicesOverview,
});
