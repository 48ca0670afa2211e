/** What callers of endpoints lose between two models of the services. */
import { type Endpoint, type EndpointRequest, endpointKey, type ServiceModel } from './model';
import { fits } from './paths';

/** A call that did not change, with its line in the newer state. */
export interface BrokenCall {
  readonly request: EndpointRequest;
  readonly line: number;
}

/** An endpoint that no longer answers its callers as before. */
export interface BrokenEndpoint {
  readonly old: Endpoint;
  /** The same one in the newer model, unless it is gone. */
  readonly fresh: Endpoint | undefined;
  /** Fields of the request that it did not require before. */
  readonly required: readonly string[];
  /** Fields of the response that it returned before. */
  readonly lost: readonly string[];
  readonly calls: readonly BrokenCall[];
}

export interface BrokenEndpointsSources {
  readonly before: ServiceModel;
  readonly after: ServiceModel;
  /** The line of a call in the newer state if its file is the same in both, else undefined. */
  readonly lineOfUnchanged: (place: EndpointRequest['place']) => Promise<number | undefined> | number | undefined;
}

/** Endpoints that other services call and that are gone, that no code handles any more, or that ask for more or answer less than before. In the order of the older model. */
export async function brokenEndpoints({ after, before, lineOfUnchanged }: BrokenEndpointsSources): Promise<BrokenEndpoint[]> {
  const now = new Map(after.endpoints.map(endpoint => [endpointKey(endpoint), endpoint]));
  const requests = new Map<string, EndpointRequest[]>();
  for (const request of before.requests) requests.set(request.endpoint, [...(requests.get(request.endpoint) ?? []), request]);
  const found: BrokenEndpoint[] = [];
  for (const old of before.endpoints) {
    const callers = (requests.get(old.id) ?? []).filter(({ source }) => source !== old.service);
    if (callers.length === 0) continue;
    const same = now.get(endpointKey(old));
    const fresh = old.handlerPlace !== undefined && same?.handlerPlace === undefined ? undefined : same;
    const { lost, required } = fresh === undefined ? { lost: [], required: [] } : changedFields(old, fresh);
    if (fresh !== undefined && lost.length + required.length === 0) continue;
    const calls: BrokenCall[] = [];
    for (const request of callers) {
      const line = fresh === undefined ? await lineOfLost(request, old, after, lineOfUnchanged) : lineOfKept(request, fresh, after);
      if (line !== undefined) calls.push({ request, line });
    }
    if (calls.length > 0) found.push({ old, fresh, required, lost, calls });
  }
  return found;
}

/** Why a caller that did not change may fail: something more is required, or something is no longer answered. */
function changedFields(old: Endpoint, fresh: Endpoint): Pick<BrokenEndpoint, 'required' | 'lost'> {
  const required = new Set(old.request.filter(field => field.required).map(({ name }) => name));
  const answered = new Set(fresh.response.map(({ name }) => name));
  return {
    required: fresh.request.filter(field => field.required && !required.has(field.name)).map(({ name }) => name),
    lost: answered.size === 0 ? [] : old.response.map(({ name }) => name).filter(name => !answered.has(name)),
  };
}

/** Line of a call whose endpoint is gone, in the newer state; undefined where the call is gone too or leads elsewhere. */
async function lineOfLost(
  call: EndpointRequest,
  old: Endpoint,
  after: ServiceModel,
  lineOfUnchanged: BrokenEndpointsSources['lineOfUnchanged'],
): Promise<number | undefined> {
  const { caller, place, source } = call;
  const isSame = (other: { readonly source: string; readonly caller: string | undefined; readonly place: { readonly file: string } }): boolean =>
    other.source === source && other.place.file === place.file && other.caller === caller;
  const lost = after.unanswered.find(other => isSame(other) && other.target === old.service && fits(other.path, old.path));
  if (lost !== undefined) return lost.place.line;
  const still = after.requests.find(other => isSame(other) && after.endpoints.some(({ id, path }) => id === other.endpoint && fits(path, old.path)));
  if (still !== undefined) return still.endpoint === old.id ? still.place.line : undefined;
  return lineOfUnchanged(place);
}

function lineOfKept({ caller, place, source }: EndpointRequest, fresh: Endpoint, after: ServiceModel): number | undefined {
  const isSame = (other: EndpointRequest): boolean => other.endpoint === fresh.id && other.source === source && other.place.file === place.file;
  return (after.requests.find(other => isSame(other) && other.caller === caller) ?? after.requests.find(isSame))?.place.line;
}
