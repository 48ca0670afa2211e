import type { WorkspacePath } from '../../base/path';
import { SERVICE_CONFIDENCE } from '../../model/evidence';
import type { CodeReader, TypeSymbol } from '../codeReader';
import { plainName } from '../discovery/folders';
import type { Contract, Endpoint, Service } from '../model';
import { GRAPHQL_METHODS, plainPath, spellings } from '../paths';
import type { OperationFact, ServiceFile } from '../serviceFile';
import type { CodeSurface, RouteFact } from '../surface';
import { boundRequests } from './httpBindings';
import { isDouble, type Procedures } from './procedures';

export interface EndpointSources {
  readonly contracts: readonly Contract[];
  readonly services: readonly Service[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly surface: CodeSurface;
  readonly procedures: Procedures;
  readonly code: CodeReader;
  readonly files: readonly ServiceFile[];
  readonly handed: ReadonlyMap<WorkspacePath, string>;
}

export const DERIVED = 'derived/';

/** Endpoints of contracts with their handlers, and those of routes that no contract lists, under a contract of their own. */
export function matchEndpoints(sources: EndpointSources): { readonly contracts: readonly Contract[]; readonly endpoints: readonly Endpoint[] } {
  const { contracts, serviceOf, surface } = sources;
  const drafts = new Map<string, Endpoint>();
  const bases = basesOf(sources);
  const index = new Map<string, string>();
  const served = servedRoutes(sources);
  for (const contract of contracts) {
    const own = [...(contract.fact?.basePaths ?? []), ...(bases.get(contract.service) ?? [])];
    const prefix = prefixOf(contract, own, served.get(contract.service));
    const front = prefix === undefined ? frontOf(contract, own, served.get(contract.service)) : undefined;
    for (const operation of contract.fact?.operations ?? []) {
      const bases = prefix === undefined ? own : [...own, prefix];
      const written = ofOperation(contract, operation, providerOf(contract, operation, sources.procedures));
      const endpoint = bases.length === 0 ? written : { ...written, bases };
      const known = drafts.get(endpoint.id);
      drafts.set(endpoint.id, known === undefined ? endpoint : { ...known, contracts: [...new Set([...known.contracts, contract.id])] });
      if (contract.service === '') continue;
      for (const path of [...spellings(operation.path, bases), ...behind(front, operation.path)]) {
        const key = `${contract.service} ${operation.method} ${path}`;
        if (!index.has(key)) index.set(key, endpoint.id);
      }
    }
  }
  const derived = new Map<string, Contract>();
  const given = basesOf({ ...sources, files: sources.files.filter(({ path }) => sources.handed.has(path)) });
  for (const each of surface.routes) {
    const service = serviceOf(each.place.file);
    if (service === '') continue;
    const route = withBase(each, given, service);
    const matched = contractEndpoints(index, service, route);
    for (const id of matched) {
      const known = drafts.get(id);
      if (known !== undefined) drafts.set(id, withHandler(known, route));
    }
    if (matched.length > 0) continue;
    const id = `${DERIVED}${service}`;
    derived.set(service, { id, file: '', fact: undefined, service, derived: true });
    const endpoint = ofRoute(service, id, route);
    const known = drafts.get(endpoint.id);
    drafts.set(endpoint.id, known === undefined || known.handler === undefined ? endpoint : known);
  }
  addBound(sources, drafts, (service, method, path) =>
    spellings(path, bases.get(service) ?? []).flatMap(each => index.get(`${service} ${method} ${each}`) ?? []),
  );
  const generated = new GeneratedServers(sources);
  const endpoints = [...drafts.values()].map(endpoint => generated.withOperation(withProcedure(endpoint, sources.procedures)));
  return { contracts: [...contracts, ...[...derived.values()].sort((a, b) => (a.id < b.id ? -1 : 1))], endpoints };
}

/** Routes of each service, as `GET /orders/{}`. */
function servedRoutes({ serviceOf, surface }: EndpointSources): ReadonlyMap<string, ReadonlySet<string>> {
  const served = new Map<string, Set<string>>();
  for (const { method, path, place } of surface.routes) {
    const service = serviceOf(place.file);
    served.set(service, (served.get(service) ?? new Set()).add(`${method} ${plainPath(path)}`));
  }
  return served;
}

/** Operations below one path that tell where the routes of a contract stand. */
const ENOUGH_OPERATIONS = 3;

/** The path below which a service serves most of a contract that does not name it, if it serves nothing of it elsewhere. */
function prefixOf({ fact }: Contract, bases: readonly string[], routes: ReadonlySet<string> | undefined): string | undefined {
  const operations = (fact?.operations ?? []).map(({ method, path }) => ({ method, path: plainPath(path) }));
  if (routes === undefined || fact?.type !== 'openapi' || operations.length < ENOUGH_OPERATIONS) return undefined;
  if (operations.some(({ method, path }) => spellings(path, bases).some(one => routes.has(`${method} ${one}`)))) return undefined;
  const counts = new Map<string, number>();
  const paths = [...routes].map(route => route.split(' ') as [method: string, path: string]);
  for (const { method, path } of operations) {
    for (const [other, route] of paths)
      if (other === method && path !== '/' && route.endsWith(path))
        counts.set(route.slice(0, -path.length), (counts.get(route.slice(0, -path.length)) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return best !== undefined && best[1] >= ENOUGH_OPERATIONS && best[1] * 2 > operations.length ? best[0] : undefined;
}

/**
 * The path in a contract below which its operations are what a service serves without it: code may be given its routers by a framework that mounts them, and a gateway may take the path off.
 * Only where the service serves nothing of the contract as it is written.
 */
function frontOf({ fact }: Contract, bases: readonly string[], routes: ReadonlySet<string> | undefined): string | undefined {
  const operations = (fact?.operations ?? []).map(({ method, path }) => ({ method, path: plainPath(path) }));
  if (routes === undefined || fact?.type !== 'openapi' || operations.length < ENOUGH_OPERATIONS) return undefined;
  if (operations.some(({ method, path }) => spellings(path, bases).some(one => routes.has(`${method} ${one}`)))) return undefined;
  const paths = [...routes].map(route => route.split(' ') as [method: string, path: string]);
  const counts = new Map<string, number>();
  for (const { method, path } of operations) {
    const fronts = paths.flatMap(([other, route]) => {
      if (other !== method) return [];
      if (route === '/') return [path];
      return path.endsWith(route) ? [path.slice(0, -route.length)] : [];
    });
    for (const front of new Set(fronts)) if (front !== '') counts.set(front, (counts.get(front) ?? 0) + 1);
  }
  const [best, second] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const isClear = best !== undefined && best[1] >= ENOUGH_OPERATIONS && best[1] * 2 > operations.length && best[1] > (second?.[1] ?? 0);
  return isClear ? best[0] : undefined;
}

/** A path without what stands in front of it, if it does. */
function behind(front: string | undefined, path: string): string[] {
  const plain = plainPath(path);
  if (front === undefined) return [];
  if (plain === front) return ['/'];
  return plain.startsWith(`${front}/`) ? [plain.slice(front.length)] : [];
}

/** Requests over HTTP that procedures answer: those of other contracts get the procedure as handler, those of none are endpoints where a server is registered for them. */
function addBound(
  sources: EndpointSources,
  drafts: Map<string, Endpoint>,
  declared: (service: string, method: string, path: string) => readonly string[],
): void {
  for (const { contract, handler, isServed, method, operation, path, service } of boundRequests(sources)) {
    const matched = declared(service, method, path);
    for (const id of matched) {
      const known = drafts.get(id);
      if (known !== undefined && known.handlerPlace === undefined && handler !== undefined) drafts.set(id, { ...known, ...handler });
    }
    if (matched.length > 0 || !isServed) continue;
    const endpoint = { ...ofOperation(contract, { ...operation, method, path }, service), ...handler };
    if (!drafts.has(endpoint.id)) drafts.set(endpoint.id, endpoint);
  }
}

/** Endpoints of contracts that a route serves; one without a method serves all of its path. */
function contractEndpoints(index: ReadonlyMap<string, string>, service: string, { isPrefix, method, path }: RouteFact): string[] {
  const plain = plainPath(path);
  const methods = method === 'ANY' ? ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'] : [method];
  if (isPrefix === true) {
    const beginnings = methods.map(one => `${service} ${one} ${plain === '/' ? '' : plain}`);
    return [...new Set([...index].flatMap(([key, id]) => (beginnings.some(each => key === each || key.startsWith(`${each}/`)) ? [id] : [])))];
  }
  return [...new Set(methods.flatMap(one => index.get(`${service} ${one} ${plain}`) ?? []))];
}

function withHandler(endpoint: Endpoint, { confidence, framework, handler, handlerPlace }: RouteFact): Endpoint {
  return endpoint.handlerPlace !== undefined && endpoint.handler !== undefined ? endpoint : { ...endpoint, handler, handlerPlace, framework, confidence };
}

/** Keys of configuration that put a path in front of all routes. */
const BASE_KEYS = ['server.servlet.context-path', 'spring.webflux.base-path', 'server.servlet.contextPath', 'server.context-path', 'server.contextPath'];

/** Base paths that a service's configuration sets. */
function basesOf({ files, handed, serviceOf }: EndpointSources): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { config, path } of files) {
    const base = BASE_KEYS.map(key => config?.[key] ?? '').find(value => value !== '') ?? '';
    const service = handed.get(path) ?? serviceOf(path);
    if (base.startsWith('/') && base !== '/') found.set(service, [...(found.get(service) ?? []), base]);
  }
  return found;
}

/** A route below the path that a configuration server gives to its service. */
function withBase(route: RouteFact, bases: ReadonlyMap<string, readonly string[]>, service: string): RouteFact {
  const [base] = bases.get(service) ?? [];
  if (base === undefined || !route.framework.startsWith('spring') || plainPath(route.path).startsWith(plainPath(base))) return route;
  return { ...route, path: `${base.replace(/\/+$/, '')}${route.path === '/' ? '' : route.path}` };
}

function idOf(service: string, method: string, path: string): string {
  return `endpoint::${service}::${method}::${path}`;
}

/** One file of Protocol Buffers may describe what several services answer. */
function providerOf({ fact, service }: Contract, { path }: OperationFact, procedures: Procedures): string {
  if (fact?.type !== 'proto') return service;
  const owners = fact.operations.map(operation => procedures.ownerOf(operation.path.split('/')[1] ?? ''));
  const isShared = owners.some(owner => owner !== '' && owner !== service);
  // What nobody answers in a file of several services is no promise of the one that the file is called after.
  return procedures.ownerOf(path.split('/')[1] ?? '') || (isShared ? '' : service);
}

function ofOperation(contract: Contract, operation: OperationFact, service: string): Endpoint {
  const { line, method, operationId, path, request, response, security, summary } = operation;
  return {
    id: idOf(service || contract.id, method, path),
    service,
    method,
    path,
    contracts: [contract.id],
    operationId,
    summary,
    handler: undefined,
    handlerPlace: undefined,
    place: { file: contract.file, line },
    framework: contract.fact?.type ?? '',
    confidence: SERVICE_CONFIDENCE.declared,
    request,
    response,
    security,
  };
}

function ofRoute(service: string, contract: string, { confidence, framework, handler, handlerPlace, method, path, place }: RouteFact): Endpoint {
  return {
    id: idOf(service, method, path),
    service,
    method,
    path,
    contracts: [contract],
    operationId: '',
    summary: '',
    handler,
    handlerPlace,
    place,
    framework,
    confidence,
    request: [],
    response: [],
    security: [],
  };
}

/** Operations that one type must have methods for, before it is taken for what answers a contract; or it has methods for nothing else. */
const MIN_OPERATIONS = 2;

interface AnsweringType {
  readonly type: TypeSymbol;
  /** By plain name. */
  readonly methods: ReadonlyMap<string, TypeSymbol['methods'][number]>;
}

/**
 * Servers that are generated of a contract when the code is built: what answers is a type that extends or implements something which is not in the workspace,
 * with methods that are called after the operations.
 */
class GeneratedServers {
  /** How many types of the code have a name. */
  #known: ReadonlyMap<string, number> | undefined;
  readonly #typesOf = new Map<string, readonly AnsweringType[]>();

  constructor(private readonly sources: EndpointSources) {}

  withOperation(endpoint: Endpoint): Endpoint {
    const { handlerPlace, method: verb, operationId, service } = endpoint;
    // What answers fields of GraphQL is read by itself: much is called as they are.
    if (handlerPlace !== undefined || operationId === '' || service === '' || GRAPHQL_METHODS.has(verb)) return endpoint;
    const wanted = plainName(operationId);
    for (const { methods, type } of this.#types(service)) {
      const method = methods.get(wanted);
      if (method === undefined) continue;
      return { ...endpoint, handler: method.id, handlerPlace: { file: type.path, line: method.line }, confidence: SERVICE_CONFIDENCE.conventionalRoute };
    }
    return endpoint;
  }

  /** Types of a service that answer its contracts, by their methods. */
  #types(service: string): readonly AnsweringType[] {
    const found = this.#typesOf.get(service) ?? this.#answering(service);
    this.#typesOf.set(service, found);
    return found;
  }

  #answering(service: string): readonly AnsweringType[] {
    const { code, contracts, serviceOf } = this.sources;
    const own = contracts.filter(contract => contract.service === service).flatMap(({ fact }) => fact?.operations ?? []);
    const operations = new Set(own.flatMap(({ operationId }) => (operationId === '' ? [] : [plainName(operationId)])));
    this.#known ??= tallied(code.types().map(({ name }) => name));
    const known = this.#known;
    // A base with the name of the type itself is another type.
    const isGenerated = (name: string, base: string): boolean => (known.get(base) ?? 0) - (base === name ? 1 : 0) === 0;
    return code
      .types()
      .filter(type => serviceOf(type.path) === service && type.bases.some(base => isGenerated(type.name, base)))
      .flatMap(type => {
        const methods = new Map(type.methods.map(method => [plainName(method.name), method]));
        const count = [...operations].filter(operation => methods.has(operation)).length;
        return count >= MIN_OPERATIONS || (count > 0 && count === methods.size) ? [{ type, methods, count }] : [];
      })
      .sort((a, b) => Number(isDouble(a.type)) - Number(isDouble(b.type)) || b.count - a.count);
  }
}

function tallied(names: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The method that answers a remote procedure. */
function withProcedure(endpoint: Endpoint, procedures: Procedures): Endpoint {
  if (endpoint.method !== 'GRPC' || endpoint.handler !== undefined || endpoint.service === '') return endpoint;
  const [, full = '', procedure = ''] = endpoint.path.split('/');
  const found = procedures.handlerOf(endpoint.service, full, procedure);
  return found === undefined
    ? endpoint
    : { ...endpoint, handler: found.id, handlerPlace: found.place, framework: 'grpc', confidence: SERVICE_CONFIDENCE.procedure };
}
