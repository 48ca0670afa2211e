import { compareText } from '../../../base/text';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import type { Endpoint, EndpointRequest, ServiceModel } from '../../../services/model';
import { fits, plainPath } from '../../../services/paths';
import type { Breaking, BrokenUse, ReadFiles } from '../breaking';

/** Uses told of one endpoint. */
const MAX_USES = 50;

export interface BrokenEndpointsSources {
  readonly before: ServiceModel;
  readonly after: ServiceModel;
  readonly read: ReadFiles;
  /** Whether a file of the older state, which handles or declares an endpoint, is asked about. */
  readonly within: (path: string) => boolean;
}

/**
 * Endpoints that other services call and that are gone, that no code handles any more, or that ask for more or answer less than before; with the
 * calls that did not change. In order of their ids.
 */
export async function brokenEndpoints({ after, before, read, within }: BrokenEndpointsSources): Promise<Breaking[]> {
  const now = new Map(after.endpoints.map(endpoint => [keyOf(endpoint), endpoint]));
  const found: Breaking[] = [];
  for (const old of before.endpoints) {
    if (!within(old.handlerPlace?.file ?? old.place?.file ?? '')) continue;
    const callers = before.requests.filter(({ endpoint, source }) => endpoint === old.id && source !== old.service);
    const fresh = now.get(keyOf(old));
    const isGone = fresh === undefined || (old.handlerPlace !== undefined && fresh.handlerPlace === undefined);
    if (callers.length === 0 || (!isGone && !asksForOther(old, fresh))) continue;
    const uses: BrokenUse[] = [];
    for (const caller of callers) {
      const line = isGone ? await lineOfLost(caller, old, after, read) : lineOfKept(caller, fresh, after);
      if (line !== undefined) uses.push(useOf(caller, line));
    }
    if (uses.length === 0) continue;
    found.push({
      id: old.id,
      kind: 'endpoint',
      reason: isGone ? 'removed' : 'signature',
      ...(isGone ? {} : { nowId: fresh.id, oldSignature: signatureOf(old), signature: signatureOf(fresh) }),
      uses: uses.sort((a, b) => compareText(a.path, b.path) || a.line - b.line).slice(0, MAX_USES),
      total: uses.length,
    });
  }
  return found.sort((a, b) => compareText(a.id, b.id));
}

/** The same endpoint, however its parameters are called. */
function keyOf({ method, path, service }: Endpoint): string {
  return `${service} ${method} ${plainPath(path)}`;
}

/** Whether a caller that did not change may fail: something more is required, or something is no longer answered. */
function asksForOther(old: Endpoint, fresh: Endpoint): boolean {
  const required = new Set(old.request.filter(field => field.required).map(({ name }) => name));
  const answered = new Set(fresh.response.map(({ name }) => name));
  const asksMore = fresh.request.some(({ name, required: isRequired }) => isRequired && !required.has(name));
  return asksMore || (answered.size > 0 && old.response.some(({ name }) => !answered.has(name)));
}

/** Line of a call whose endpoint is gone, in the newer state; undefined where the call is gone too or leads elsewhere. */
async function lineOfLost(call: EndpointRequest, old: Endpoint, after: ServiceModel, read: ReadFiles): Promise<number | undefined> {
  const { caller, place, source } = call;
  const isSame = (other: { readonly source: string; readonly caller: string | undefined; readonly place: { readonly file: string } }): boolean =>
    other.source === source && other.place.file === place.file && other.caller === caller;
  const lost = after.unanswered.find(other => isSame(other) && other.target === old.service && fits(other.path, old.path));
  if (lost !== undefined) return lost.place.line;
  const still = after.requests.find(other => isSame(other) && after.endpoints.some(({ id, path }) => id === other.endpoint && fits(path, old.path)));
  if (still !== undefined) return still.endpoint === old.id ? still.place.line : undefined;
  const texts = await read(place.file);
  return texts !== undefined && texts.before === texts.after ? place.line : undefined;
}

function lineOfKept({ caller, place, source }: EndpointRequest, fresh: Endpoint, after: ServiceModel): number | undefined {
  const isSame = (other: EndpointRequest): boolean => other.endpoint === fresh.id && other.source === source && other.place.file === place.file;
  return (after.requests.find(other => isSame(other) && other.caller === caller) ?? after.requests.find(isSame))?.place.line;
}

function useOf({ caller, confidence, place }: EndpointRequest, line: number): BrokenUse {
  return {
    id: caller ?? place.file,
    path: place.file,
    line,
    relation: 'REQUESTS_ENDPOINT',
    isTest: false,
    ...(confidence < FACT_CONFIDENCE ? { possible: true as const } : {}),
  };
}

/** `GET /orders/{id}(sku*, count) → id, total` */
function signatureOf({ method, path, request, response }: Endpoint): string {
  const asked = request.map(({ name, required }) => `${name}${required ? '*' : ''}`).join(', ');
  return `${method} ${path}(${asked})${response.length === 0 ? '' : ` → ${response.map(({ name }) => name).join(', ')}`}`;
}
