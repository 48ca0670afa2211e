import type { WorkspacePath } from '../../base/path';
import { SERVICE_CONFIDENCE } from '../../model/evidence';
import type { StableId } from '../../model/ids';
import type { CodeReader } from '../codeReader';
import { isToCall } from '../discovery/configNames';
import { plainName } from '../discovery/folders';
import { productOfImage } from '../discovery/infrastructure';
import type { Endpoint, EndpointRequest, Service, ServiceCall, UnansweredRequest } from '../model';
import { fitsPlain, GRAPHQL_METHODS, isPrivateHost, literalSegments, plainPath } from '../paths';
import type { ProxyRoute, ServiceFile } from '../serviceFile';
import type { ClientCall, CodeSurface, Forwarding, Place, RpcUse } from '../surface';
import { type Addresses, ownerOfProxies, routeFor } from './addresses';
import type { Import } from './imports';
import { isGenerated, keyOf, type Procedures } from './procedures';
import type { UsersOf } from './users';

export interface CallSources {
  readonly files: readonly ServiceFile[];
  readonly services: readonly Service[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly surface: CodeSurface;
  /** Imports from one service to another (`importsBetween`). */
  readonly imports: readonly Import[];
  readonly addresses: Addresses;
  readonly endpoints: readonly Endpoint[];
  readonly procedures: Procedures;
  readonly code: CodeReader;
  readonly usersOf: UsersOf;
  /** Whether the code of a service names a variable or a key of configuration. */
  readonly mentions: (service: string, key: string) => boolean;
}

const MAX_PLACES = 20;
const RPC_METHODS: ReadonlySet<string> = new Set(['GRPC', ...GRAPHQL_METHODS]);

interface Draft {
  readonly source: string;
  readonly target: string;
  importCount: number;
  readonly via: Set<StableId>;
  readonly kinds: Set<string>;
  readonly places: Place[];
  readonly callers: Set<StableId>;
  confidence: number;
}

/** Frameworks to which `/Orders` and `/orders` are one path. */
const IGNORES_CASE = /^(?:aspnet|fast-endpoints|express|koa-router)/;

interface PlainEndpoint {
  readonly endpoint: Endpoint;
  readonly plain: string;
  readonly ignoresCase: boolean;
  readonly segments: readonly string[];
}

/** A gateway's way from a path to a service. */
interface GatewayRoute extends Pick<ProxyRoute, 'path' | 'rewritten'> {
  readonly target: string | undefined;
  /** What is below the path goes elsewhere. */
  readonly isExact: boolean;
}

/** What is left of a path, whatever it is. */
const REST_OF_PATH = /\/?\{\w*(?:path|rest|tail|wildcard|url|uri)\w*\}$/i;

export interface MatchedCalls {
  readonly calls: readonly ServiceCall[];
  readonly requests: readonly EndpointRequest[];
  readonly unanswered: readonly UnansweredRequest[];
}

/** Which service calls which, whatever the transport: one call per pair, with all that shows it. */
export function matchCalls(sources: CallSources): MatchedCalls {
  return new Matcher(sources).run();
}

class Matcher {
  readonly #calls = new Map<string, Draft>();
  readonly #byService = new Map<string, Endpoint[]>();
  readonly #plain = new Map<string, readonly PlainEndpoint[]>();
  readonly #names: ReadonlySet<string>;
  readonly #proxies = new Map<string, GatewayRoute[]>();
  readonly #requestsMade: EndpointRequest[] = [];
  readonly #unanswered: UnansweredRequest[] = [];

  constructor(private readonly sources: CallSources) {
    this.#names = new Set(sources.services.map(({ name }) => name));
    for (const endpoint of sources.endpoints) {
      const known = this.#byService.get(endpoint.service);
      if (known !== undefined) known.push(endpoint);
      else if (endpoint.service !== '') this.#byService.set(endpoint.service, [endpoint]);
    }
  }

  run(): MatchedCalls {
    this.#gateways();
    this.#configured();
    this.#forwarding();
    this.#requests();
    this.#remoteProcedures();
    this.#imports();
    const calls = [...this.#calls.values()]
      .map(
        ({ callers, confidence, importCount, kinds, places, source, target, via }): ServiceCall => ({
          source,
          target,
          importCount,
          viaEndpoints: [...via],
          kinds: [...kinds],
          places: places.slice(0, MAX_PLACES),
          confidence,
          callers: [...callers],
        }),
      )
      .sort((a, b) => (a.source === b.source ? (a.target < b.target ? -1 : 1) : a.source < b.source ? -1 : 1));
    return { calls, requests: this.#requestsMade, unanswered: this.#unanswered };
  }

  #add(
    source: string,
    target: string | undefined,
    kind: string,
    found: { readonly place?: Place; readonly confidence: number; readonly caller?: StableId | undefined },
  ): Draft | undefined {
    if (target === undefined || source === target || !this.#names.has(source) || !this.#names.has(target)) return undefined;
    const key = `${source} ${target}`;
    let draft = this.#calls.get(key);
    if (draft === undefined) {
      draft = { source, target, importCount: 0, via: new Set(), kinds: new Set(), places: [], callers: new Set(), confidence: 0 };
      this.#calls.set(key, draft);
    }
    draft.kinds.add(kind);
    draft.confidence = Math.max(draft.confidence, found.confidence);
    if (found.place !== undefined) draft.places.push(found.place);
    if (found.caller !== undefined) draft.callers.add(found.caller);
    return draft;
  }

  /** Gateways call what they forward to. */
  #gateways(): void {
    const { addresses, files, serviceOf, services } = this.sources;
    for (const file of files) {
      const owner = ownerOfProxies(file, services, serviceOf, addresses.handed) || this.#federating(file);
      for (const route of file.proxies ?? []) {
        const target = addresses.serviceAt(owner, route.target);
        this.#noteRoute(owner, { path: route.path, rewritten: route.rewritten, target, isExact: false });
        if (owner === '') continue;
        const draft = this.#add(owner, target, 'gateway', { place: { file: file.path, line: route.line }, confidence: SERVICE_CONFIDENCE.proxied });
        if (draft !== undefined && target !== undefined) {
          for (const endpoint of this.#byService.get(target) ?? []) if (isBelow(endpoint.path, route.rewritten)) draft.via.add(endpoint.id);
        }
      }
    }
  }

  #noteRoute(gateway: string, route: GatewayRoute): void {
    this.#proxies.set(gateway, [...(this.#proxies.get(gateway) ?? []), route]);
  }

  /** Gateways in code forward what comes, whether it is served or not. */
  #forwarding(): void {
    const { addresses, surface, usersOf } = this.sources;
    for (const { confidence, forwards, method, place, symbol, url } of surface.calls) {
      for (const source of forwards === undefined ? [] : usersOf(place.file, symbol)) {
        const target = addresses.serviceOf(source, url);
        const draft = this.#add(source, target, 'gateway', { place, caller: symbol, confidence });
        if (forwards === undefined || forwards.covers === 'unknown' || target === undefined) continue;
        const base = `${addresses.basePathOf(source, url)}${url.path}`;
        const meant = forwards.rewritten.map(path => this.#forwardedTo(target, forwards.covers, method, `${base}${path}`));
        const at = Math.max(
          0,
          meant.findIndex(ids => ids.length > 0),
        );
        for (const id of meant[at] ?? []) draft?.via.add(id);
        this.#noteRoute(source, { path: forwards.path, rewritten: `${base}${forwards.rewritten[at] ?? ''}`, target, isExact: forwards.covers === 'path' });
      }
    }
  }

  /** A request with the method and the rest of the path that came in: of a gateway that picks the service by the path. */
  #handedOn(source: string, target: string, { confidence, place, symbol }: ClientCall, path: string): void {
    const draft = this.#add(source, target, 'gateway', { place, caller: symbol, confidence: Math.max(SERVICE_CONFIDENCE.addressed, confidence) });
    for (const id of this.#forwardedTo(target, 'below', 'ANY', path)) draft?.via.add(id);
  }

  #forwardedTo(target: string, covers: Forwarding['covers'], method: string, path: string): StableId[] {
    return (this.#byService.get(target) ?? []).flatMap(endpoint => {
      const isMeant = covers === 'below' ? isBelow(endpoint.path, path) : plainPath(endpoint.path) === plainPath(path);
      return isMeant && (method === 'ANY' || endpoint.method === 'ANY' || endpoint.method === method) ? [endpoint.id] : [];
    });
  }

  /** A schema of several services that lies beside them is that of the only gateway without one of its own: it is mounted when that runs. */
  #federating({ proxies }: ServiceFile): string {
    if (proxies?.[0]?.kind !== 'graphql') return '';
    const { files, serviceOf, services } = this.sources;
    const having = new Set(files.filter(file => file.proxies?.[0]?.kind === 'graphql').map(({ path }) => serviceOf(path)));
    const gateways = services.filter(({ name, role }) => role === 'gateway' && !having.has(name));
    return gateways.length === 1 ? (gateways[0]?.name ?? '') : '';
  }

  #requests(): void {
    for (const call of this.sources.surface.calls) {
      if (call.forwards !== undefined) continue;
      for (const source of this.sources.usersOf(call.place.file, call.symbol)) this.#request(source, call);
    }
  }

  #request(source: string, call: ClientCall): void {
    if (GRAPHQL_METHODS.has(call.method)) return this.#asked(source, call);
    const { addresses } = this.sources;
    const { method, place, symbol, url } = call;
    const path = `${addresses.basePathOf(source, url)}${url.path}`;
    const evidence = { place, caller: symbol };
    const direct = addresses.serviceOf(source, url);
    if (direct !== undefined && method === 'ANY' && REST_OF_PATH.test(path)) return this.#handedOn(source, direct, call, path.replace(REST_OF_PATH, ''));
    if (direct !== undefined) {
      const confidence = Math.max(SERVICE_CONFIDENCE.addressed, call.confidence);
      if (this.#endpointIn(direct, method, path) === undefined && this.#throughGateway(source, direct, call, path, confidence)) return;
      return this.#to(source, direct, { method, path }, 'http', { ...evidence, confidence });
    }
    // A public host is none of ours.
    if (url.host?.includes('.') === true && !isPrivateHost(url.host)) return;
    if (this.#endpointIn(source, method, path) !== undefined) return;
    const gateways = [source, ...[...this.#proxies.keys()].filter(name => name !== source)];
    if (gateways.some(gateway => this.#throughGateway(source, gateway, call, path, SERVICE_CONFIDENCE.toGateway))) return;
    this.#byPath(source, call, path);
  }

  /** A request that a gateway forwards calls both: the gateway, as surely as `confidence` says, and what it leads to. Returns whether it forwards it. */
  #throughGateway(source: string, gateway: string, { method, place, symbol }: ClientCall, path: string, confidence: number): boolean {
    const plain = plainPath(path);
    const route = routeFor(
      (this.#proxies.get(gateway) ?? []).filter(({ path: prefix }) => prefix !== ''),
      plain,
    );
    if (route?.target === undefined) return false;
    const evidence = { place, caller: symbol };
    if (gateway !== source && gateway !== '') this.#add(source, gateway, 'http', { ...evidence, confidence });
    const forwarded = `${route.rewritten}${plain.slice(route.path.length)}`;
    this.#to(source, route.target, { method, path: forwarded }, 'gateway', { ...evidence, confidence: SERVICE_CONFIDENCE.throughGateway });
    return true;
  }

  /** A root field of GraphQL that a document asks for: of the only other service that has it, of several the gateway. */
  #asked(source: string, { method, place, symbol, url }: ClientCall): void {
    const having = [...this.#byService.keys()].flatMap(name => {
      const endpoint = this.#endpointIn(name, method, url.path);
      return endpoint === undefined ? [] : [{ name, endpoint }];
    });
    const gateways = having.filter(({ name }) => this.sources.services.some(service => service.name === name && service.role === 'gateway'));
    const [only, ...others] = having.length > 1 ? gateways : having;
    if (only === undefined || others.length > 0 || having.some(({ name }) => name === source)) return;
    const found = { place, caller: symbol, confidence: SERVICE_CONFIDENCE.onlyFittingEndpoint };
    const draft = this.#add(source, only.name, 'graphql', found);
    if (draft !== undefined) this.#via(draft, only.endpoint, source, found);
  }

  #to(
    source: string,
    target: string,
    { method, path }: { readonly method: string; readonly path: string },
    kind: string,
    found: { readonly place: Place; readonly caller: StableId | undefined; readonly confidence: number },
  ): void {
    const endpoint = path === '' ? undefined : this.#endpointIn(target, method, path);
    const draft = this.#add(source, target, kind, found);
    if (endpoint !== undefined && draft !== undefined) this.#via(draft, endpoint, source, found);
    else if (draft !== undefined && literalSegments(path) > 0 && this.#answersHttp(target)) {
      this.#unanswered.push({ source, target, method, path, caller: found.caller, place: found.place });
    }
  }

  /** Whether requests to a service can be compared with what it serves: its routes are read, and none of them takes all paths. */
  #answersHttp(service: string): boolean {
    const endpoints = (this.#byService.get(service) ?? []).filter(({ method }) => !RPC_METHODS.has(method));
    return endpoints.length > 0 && endpoints.every(({ path }) => !/\*|\.\.\./.test(path)) && !this.#proxies.has(service);
  }

  #via(
    draft: Draft,
    endpoint: Endpoint,
    source: string,
    { caller, confidence, place }: { readonly place: Place; readonly caller: StableId | undefined; readonly confidence: number },
  ): void {
    draft.via.add(endpoint.id);
    this.#requestsMade.push({ endpoint: endpoint.id, source, caller, place, confidence });
  }

  /** A request to an unknown host: its method and path fit an endpoint of exactly one other service. */
  #byPath(source: string, { method, place, symbol, url }: ClientCall, path: string): void {
    const isOurs = url.hostFrom !== undefined || (url.host !== undefined && isPrivateHost(url.host));
    if (literalSegments(path) < (isOurs ? 1 : 2)) return;
    const fitting = [...this.#byService].flatMap(([name]) => {
      const endpoint = name === source ? undefined : this.#endpointIn(name, method, path);
      return endpoint === undefined ? [] : [{ name, endpoint }];
    });
    // Who is told addresses calls those: a path that fits another's is forwarded by one of them.
    const configured = [...this.#calls.values()].filter(call => call.source === source && call.kinds.has('configuration'));
    const targets = configured.length === 0 ? fitting : fitting.filter(({ name }) => configured.some(({ target }) => target === name));
    const [only] = targets;
    if (targets.length !== 1 || only === undefined) return;
    const found = { place, caller: symbol, confidence: SERVICE_CONFIDENCE.onlyFittingEndpoint };
    const draft = this.#add(source, only.name, 'http', found);
    if (draft !== undefined) this.#via(draft, only.endpoint, source, found);
  }

  #endpointIn(service: string, method: string, path: string): Endpoint | undefined {
    const plain = plainPath(path);
    const segments = plain.split('/');
    const lower = plain.toLowerCase().split('/');
    const fitting = this.#plainIn(service).filter(
      each =>
        (method === 'ANY' || each.endpoint.method === 'ANY' || each.endpoint.method === method) &&
        fitsPlain(each.ignoresCase ? lower : segments, each.segments),
    );
    return (fitting.find(each => each.plain === plain) ?? fitting[0])?.endpoint;
  }

  /** Endpoints of a service with their plain paths: many requests are compared with them. */
  #plainIn(service: string): readonly PlainEndpoint[] {
    const known = this.#plain.get(service);
    if (known !== undefined) return known;
    const made = (this.#byService.get(service) ?? []).flatMap(endpoint => {
      const ignoresCase = IGNORES_CASE.test(endpoint.framework);
      return [endpoint.path, ...(endpoint.bases ?? []).map(base => `${base}${endpoint.path}`)].map(path => {
        const plain = plainPath(path);
        return { endpoint, plain, ignoresCase, segments: (ignoresCase ? plain.toLowerCase() : plain).split('/') };
      });
    });
    this.#plain.set(service, made);
    return made;
  }

  /** Clients of remote procedures call who provides them. */
  #remoteProcedures(): void {
    const { addresses, endpoints, procedures, surface } = this.sources;
    const offered = new Map<string, Endpoint[]>();
    for (const endpoint of endpoints) {
      if (endpoint.method !== 'GRPC' || endpoint.service === '') continue;
      const key = keyOf(endpoint.path.split('/')[1] ?? '');
      offered.set(key, [...(offered.get(key) ?? []), endpoint]);
    }
    for (const use of surface.rpcs) {
      const { confidence, place, procedure, service, side, symbol, url } = use;
      if (side !== 'client') continue;
      const answering = offered.get(keyOf(service)) ?? [];
      if (procedure !== undefined) {
        this.#procedureCall(
          use,
          answering.find(endpoint => isProcedure(endpoint, procedure)),
        );
        continue;
      }
      for (const source of this.sources.usersOf(place.file, symbol)) {
        const addressed = url === undefined ? undefined : addresses.serviceOf(source, url);
        const target = addressed ?? answering[0]?.service ?? procedures.ownerOf(service);
        const draft = this.#add(source, target, 'grpc', { place, caller: symbol, confidence: Math.max(SERVICE_CONFIDENCE.procedureCall, confidence) });
        for (const endpoint of answering) if (endpoint.service === target) draft?.via.add(endpoint.id);
      }
    }
  }

  /** Code that calls a procedure on a client. What generated code hands on is no call of its own. */
  #procedureCall({ confidence, place, symbol }: RpcUse, endpoint: Endpoint | undefined): void {
    if (endpoint === undefined || isGenerated(place.file)) return;
    for (const source of this.sources.usersOf(place.file, symbol)) {
      const found = { place, caller: symbol, confidence: Math.max(SERVICE_CONFIDENCE.procedureCall, confidence) };
      const draft = this.#add(source, endpoint.service, 'grpc', found);
      if (draft !== undefined) this.#via(draft, endpoint, source, found);
    }
  }

  /** An address in a service's own deployment is one that it calls; of what many are given, those that its code names. */
  #configured(): void {
    const { addresses, mentions, services } = this.sources;
    for (const { name, units } of services) {
      const own = ownKeys(units);
      for (const [key, value] of addresses.settingsOf(name)) {
        if (value === '' && own.has(key)) this.#given(name, addresses.serviceNamedBy(key), key, SERVICE_CONFIDENCE.configured);
        if (!isAddress(key, value)) continue;
        const target = addresses.serviceAt(name, value);
        const isOwn = own.has(key) && !isToldItself(services, target, key, value);
        if (isOwn || mentions(name, key)) this.#given(name, target, key, isOwn ? SERVICE_CONFIDENCE.configured : SERVICE_CONFIDENCE.configuredAndNamed);
      }
    }
  }

  #given(name: string, target: string | undefined, key: string, confidence: number): void {
    const place = this.#placeOfSetting(name, key);
    this.#add(name, target, 'configuration', { confidence, ...(place === undefined ? {} : { place }) });
  }

  /** Where a service is given a variable: its entry in a deployment, else the file of configuration in its folders. */
  #placeOfSetting(name: string, key: string): Place | undefined {
    const { files, serviceOf, services } = this.sources;
    const units = services.find(service => service.name === name)?.units.filter(({ env }) => Object.hasOwn(env, key)) ?? [];
    for (const { path, units: entries = [] } of files) {
      const entry = entries.find(({ env, name: called }) => Object.hasOwn(env, key) && units.some(unit => unit.name === called));
      if (entry !== undefined) return { file: path, line: entry.line };
    }
    const file = files.find(({ config, docker, path }) => serviceOf(path) === name && Object.hasOwn(config ?? docker?.env ?? {}, key));
    return file === undefined ? undefined : { file: file.path, line: 0 };
  }

  #imports(): void {
    const { imports, serviceOf } = this.sources;
    const files = new Map<string, Set<WorkspacePath>>();
    for (const { count, source, target } of imports) {
      const [from, to] = [serviceOf(source), serviceOf(target)];
      const draft = this.#add(from, to, 'imports', { place: { file: source, line: 0 }, confidence: SERVICE_CONFIDENCE.imported });
      if (draft === undefined) continue;
      draft.importCount += count;
      files.set(`${from} ${to}`, (files.get(`${from} ${to}`) ?? new Set()).add(target));
    }
    for (const [key, imported] of files) {
      const draft = this.#calls.get(key);
      const handled = (this.#byService.get(draft?.target ?? '') ?? []).find(
        ({ handlerPlace }) => handlerPlace !== undefined && imported.has(handlerPlace.file),
      );
      if (handled !== undefined) draft?.via.add(handled.id);
    }
  }
}

/** Whether a name that code calls is that of a procedure, in the spelling of its language: `PlaceOrder`, `placeOrder`, `place_order`, `PlaceOrderAsync`. */
function isProcedure({ path }: Endpoint, called: string): boolean {
  const wanted = plainName(path.split('/').at(-1) ?? '');
  const name = plainName(called);
  return name === wanted || name === `${wanted}async`;
}

/** Names of variables that hold where something is. */
const ADDRESS_KEY =
  /(?:^|[_.-])(?:url|uri|host|hostname|addr|address|endpoint|service|base|api|server|target|upstream|backend)s?(?:$|[_.-])|(?:url|uri|host|addr|address|endpoint)$/i;

function isBelow(path: string, prefix: string): boolean {
  const [given, base] = [plainPath(path), plainPath(prefix)];
  return base === '/' || given === base || given.startsWith(`${base}/`);
}

/** Whether it depends on the code (`CallSources.mentions`) which addresses services are meant to call. */
export function needsMentions(services: readonly Service[], addresses: Addresses): boolean {
  return services.some(({ name, units }) => {
    const own = ownKeys(units);
    return addresses
      .settingsOf(name)
      .some(([key, value]) => isAddress(key, value) && (!own.has(key) || isToldItself(services, addresses.serviceAt(name, value), key, value)));
  });
}

/** Whether a service is told its own address under the same name: all are given the same variables, whoever calls whom. */
function isToldItself(services: readonly Service[], target: string | undefined, key: string, value: string): boolean {
  return target !== undefined && services.some(({ name, units }) => name === target && units.some(({ env }) => env[key] === value));
}

/** Keys of addresses that only this service is given. */
function ownKeys(units: Service['units']): ReadonlySet<string> {
  return new Set(units.flatMap(({ env }) => Object.keys(env).filter(key => ADDRESS_KEY.test(key))));
}

/** Of another service that is called, not of infrastructure. */
function isAddress(key: string, value: string): boolean {
  return isToCall(key) && (ADDRESS_KEY.test(key) || /:\/\/|:\d+/.test(value)) && productOfImage(value.split(':')[0] ?? '') === undefined;
}
