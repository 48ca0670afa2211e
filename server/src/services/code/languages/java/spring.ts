/** Spring MVC and WebFlux by annotations and by functions, Feign clients, JAX-RS resources, request builders (`WebClient`, `RestClient`). */

import type { CallTerm, DigestClass, DigestFunction, Term } from '../../../../model/digest';
import { lastName, methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { FileUnit, Scope } from '../../units';
import { callOf } from '../../uses';
import { joinPaths, literalOf, type Piece, pathOf } from '../../values';
import type { Visit } from '../../visits';

const MAPPINGS: Readonly<Record<string, string>> = {
  GetMapping: 'GET',
  PostMapping: 'POST',
  PutMapping: 'PUT',
  PatchMapping: 'PATCH',
  DeleteMapping: 'DELETE',
  RequestMapping: '',
  GetExchange: 'GET',
  PostExchange: 'POST',
  PutExchange: 'PUT',
  PatchExchange: 'PATCH',
  DeleteExchange: 'DELETE',
  HttpExchange: '',
};
const JAX_METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const PATH = ['value', 'path', 'url', 0] as const;

export const springReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (!/\.(?:java|kt)$/.test(file.path)) continue;
      for (const step of file.scope.steps) if (step.s === 'class') readClass(collector, step.c, file.scope);
    }
    for (const visit of collector.visits) {
      if (!/\.(?:java|kt)$/.test(visit.scope.file.path)) continue;
      readFunctional(collector, visit);
      readBuilder(collector, visit);
    }
  },
};

function readClass(collector: RouteCollector, c: DigestClass, scope: Scope): void {
  for (const step of c.b) if (step.s === 'class') readClass(collector, step.c, collector.units.scopeOfClass(c, scope));
  const feign = annotation(c.d, 'FeignClient') ?? annotation(c.d, 'RegisterRestClient');
  const exchange = c.i === 1 ? annotation(c.d, 'HttpExchange') : undefined;
  if (feign !== undefined || exchange !== undefined || (c.i === 1 && hasExchanges(c))) return readFeign(collector, c, feign ?? exchange, scope);
  const isController = annotation(c.d, 'RestController') ?? annotation(c.d, 'Controller');
  const isMapped = c.i !== 1 && annotation(c.d, 'RequestMapping') !== undefined;
  if (isController !== undefined || isMapped) readController(collector, c, scope);
  else if (c.i !== 1) readResource(collector, c, scope);
}

/** An interface whose methods say `@GetExchange` makes requests. */
function hasExchanges(c: DigestClass): boolean {
  return c.b.some(step => step.s === 'fn' && (step.fn.d ?? []).some(term => term !== 0 && term.k === 'call' && lastName(term.f).endsWith('Exchange')));
}

function readController(collector: RouteCollector, c: DigestClass, scope: Scope): void {
  const context = contextPath(collector, scope.file);
  const inherited = interfacesOf(collector, c, scope, 4);
  const own = annotation(c.d, 'RequestMapping');
  const typed =
    own === undefined
      ? inherited.map(each => ({ call: annotation(each.c.d, 'RequestMapping'), scope: each.scope })).find(each => each.call !== undefined)
      : { call: own, scope };
  const prefixes = typed?.call === undefined ? [''] : pathsOf(collector, typed.call, typed.scope);
  const seen = new Set<string>();
  const methodsOf = (each: { readonly c: DigestClass; readonly scope: Scope }): void => {
    for (const step of each.c.b) {
      if (step.s !== 'fn' || (each.c !== c && seen.has(`${step.fn.v}/${step.fn.ps.length}`))) continue;
      const mapped = mappingOf(step.fn, each.scope) ?? inherited.flatMap(other => mappedAs(other, step.fn)).at(0);
      if (mapped === undefined) continue;
      seen.add(`${step.fn.v}/${step.fn.ps.length}`);
      addMapped(
        collector,
        mapped,
        step.fn,
        each.scope,
        prefixes.map(prefix => joinPaths(context, prefix)),
      );
    }
  };
  methodsOf({ c, scope });
  for (const base of inherited) if (base.c.i !== 1 || base.c.b.some(step => step.s === 'fn' && step.fn.b.length > 0)) methodsOf(base);
}

interface Mapped {
  readonly call: CallTerm;
  readonly scope: Scope;
}

function mappingOf(fn: DigestFunction, scope: Scope): Mapped | undefined {
  for (const term of fn.d ?? []) if (term !== 0 && term.k === 'call' && MAPPINGS[lastName(term.f)] !== undefined) return { call: term, scope };
  return undefined;
}

function mappedAs({ c, scope }: { readonly c: DigestClass; readonly scope: Scope }, fn: DigestFunction): Mapped[] {
  return c.b.flatMap(step => {
    const mapped = step.s === 'fn' && step.fn.v === fn.v && step.fn.ps.length === fn.ps.length ? mappingOf(step.fn, scope) : undefined;
    return mapped === undefined ? [] : [mapped];
  });
}

function addMapped(collector: RouteCollector, { call, scope: at }: Mapped, fn: DigestFunction, scope: Scope, prefixes: readonly string[]): void {
  const handler = collector.handlerOfFunction(fn, scope.file);
  for (const prefix of prefixes) {
    for (const path of pathsOf(collector, call, at)) {
      for (const method of methodsIn(collector, call, at)) {
        collector.add({ method, path: joinPaths(prefix, path), handler, framework: 'spring', confidence: 0.95, place: collector.placeOf(scope.file, call.p) });
      }
    }
  }
}

function methodsIn(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  const fixed = MAPPINGS[lastName(call.f)];
  if (fixed !== undefined && fixed !== '') return [fixed];
  const found = collector.evaluator.argument(call, 'method', scope);
  const names = found === undefined ? [] : methodNames(found.term, found.scope, collector.evaluator);
  return names.length > 0 ? names : ['ANY'];
}

function pathsOf(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  const at = collector.evaluator.argument(call, PATH, scope);
  if (at === undefined) return [''];
  const paths = collector.evaluator.texts(at.term, at.scope).map(pieces => pathOf(pieces).replace(/\{(\w+):[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '{$1}'));
  if (paths.length === 0) {
    if (at.term !== 0 && at.term.k === 'l' && at.term.of.length === 0) return [''];
    collector.skip(COMPUTED.route, scope.file, call.p);
  }
  return paths;
}

function contextPath(collector: RouteCollector, file: FileUnit): string {
  for (const key of [
    'server.servlet.context-path',
    'server.context-path',
    'spring.webflux.base-path',
    'server.servlet.contextPath',
    'micronaut.server.context-path',
  ]) {
    const value = collector.configuration.valueFor(file.path, key);
    if (value !== undefined && value !== '/') return value;
  }
  return '';
}

/** Interfaces and base classes in the workspace. */
function interfacesOf(collector: RouteCollector, c: DigestClass, scope: Scope, depth: number): { readonly c: DigestClass; readonly scope: Scope }[] {
  if (depth === 0) return [];
  return c.bases.flatMap(base =>
    collector.evaluator
      .values(base, scope)
      .flatMap(value => (value.k === 'class' ? [{ c: value.c, scope: value.scope }, ...interfacesOf(collector, value.c, value.scope, depth - 1)] : [])),
  );
}

/** A client written as an interface: its methods are requests. */
function readFeign(collector: RouteCollector, c: DigestClass, call: CallTerm | undefined, scope: Scope): void {
  const host = call === undefined ? [] : feignHost(collector, call, scope);
  const prefix = call === undefined ? [] : (collector.evaluator.textsAt(call, 'path', scope)[0] ?? []);
  const mapped = annotation(c.d, 'RequestMapping') ?? annotation(c.d, 'Path');
  const below = mapped === undefined ? '' : (pathsOf(collector, mapped, scope)[0] ?? '');
  const front: readonly Piece[] = [...host, { is: 'text', v: joinPaths(pathOf(prefix), below) }];
  for (const step of c.b) {
    if (step.s !== 'fn') continue;
    const { symbol } = collector.handlerOfFunction(step.fn, scope.file);
    for (const { at, method, path } of requestsOf(collector, step.fn, scope)) {
      collector.calls.push({ ...callOf(collector, at, scope, 'feign', method, [...front, { is: 'text', v: path === '' ? '' : joinPaths(path) }]), symbol });
    }
  }
}

/** The address of a client interface, else the name of the service. */
function feignHost(collector: RouteCollector, call: CallTerm, scope: Scope): readonly Piece[] {
  const isExchange = lastName(call.f) === 'HttpExchange';
  const [url = []] = collector.evaluator.textsAt(call, isExchange ? ['url', 'value', 0] : ['url', 'baseUri'], scope);
  if (url.length > 0 || isExchange) return url;
  const [name = []] = collector.evaluator.textsAt(call, ['name', 'value', 'serviceId', 'configKey', 0], scope);
  return name.length === 0 ? [] : [{ is: 'text', v: `http://${literalOf(name) ?? pathOf(name)}` }];
}

/** What a method of a client interface asks for, by the annotations of Spring, JAX-RS or Feign itself. */
function requestsOf(collector: RouteCollector, fn: DigestFunction, scope: Scope): { readonly at: CallTerm; readonly method: string; readonly path: string }[] {
  const mapped = mappingOf(fn, scope);
  if (mapped !== undefined) {
    const [path = ''] = pathsOf(collector, mapped.call, scope);
    return methodsIn(collector, mapped.call, scope).map(method => ({ at: mapped.call, method, path }));
  }
  const resource = jaxMapping(fn, scope);
  if (resource !== undefined) {
    const own = annotation(fn.d, 'Path');
    const [path = ''] = own === undefined ? [''] : pathsOf(collector, own, scope);
    return [{ at: resource.call, method: lastName(resource.call.f), path }];
  }
  const request = annotation(fn.d, 'RequestLine');
  const line = request === undefined ? null : /^(\w+)\s+(\S*)/.exec(pathsOf(collector, request, scope)[0] ?? '');
  return request === undefined || line === null ? [] : [{ at: request, method: line[1] ?? 'ANY', path: line[2] ?? '' }];
}

function jaxMapping(fn: DigestFunction, scope: Scope): Mapped | undefined {
  for (const term of fn.d ?? []) if (term !== 0 && term.k === 'call' && JAX_METHODS.has(lastName(term.f))) return { call: term, scope };
  return undefined;
}

/** JAX-RS: `@Path` on class and method, `@ApplicationPath` of the application in the same module. */
function readResource(collector: RouteCollector, c: DigestClass, scope: Scope): void {
  const inherited = interfacesOf(collector, c, scope, 3);
  const path = annotation(c.d, 'Path') ?? annotation(inherited[0]?.c.d, 'Path');
  if (path === undefined) return;
  const prefixes = pathsOf(collector, path, scope);
  const application = applicationPath(collector, scope.file);
  for (const step of c.b) {
    if (step.s !== 'fn') continue;
    const candidates = [step.fn, ...inherited.flatMap(base => base.c.b.flatMap(each => (each.s === 'fn' && each.fn.v === step.fn.v ? [each.fn] : [])))];
    const mapped = candidates.map(fn => jaxMapping(fn, scope)).find(each => each !== undefined);
    if (mapped === undefined) continue;
    const own = candidates.map(fn => annotation(fn.d, 'Path')).find(each => each !== undefined);
    const handler = collector.handlerOfFunction(step.fn, scope.file);
    for (const prefix of prefixes) {
      for (const each of own === undefined ? [''] : pathsOf(collector, own, scope)) {
        const full = joinPaths(application, prefix, each);
        collector.add({
          method: lastName(mapped.call.f),
          path: full,
          handler,
          framework: 'jax-rs',
          confidence: 0.9,
          place: collector.placeOf(scope.file, mapped.call.p),
        });
      }
    }
  }
}

function applicationPath(collector: RouteCollector, file: FileUnit): string {
  const module = file.path.split('/src/')[0] ?? '';
  for (const unit of collector.units.files.values()) {
    if (!unit.path.startsWith(module)) continue;
    for (const step of unit.scope.steps) {
      const call = step.s === 'class' ? annotation(step.c.d, 'ApplicationPath') : undefined;
      if (call !== undefined) return pathsOf(collector, call, unit.scope)[0] ?? '';
    }
  }
  return '';
}

/** `route(GET("/x"), handler::list).andRoute(POST("/x"), handler::create)` */
function readFunctional(collector: RouteCollector, { call, scope }: Visit): void {
  const name = lastName(call.f);
  if ((name !== 'route' && name !== 'andRoute') || call.a.length !== 2) return;
  const predicates: CallTerm[] = [];
  const gather = (term: Term): void => {
    if (term === 0 || term.k !== 'call') return;
    if (JAX_METHODS.has(lastName(term.f)) || lastName(term.f) === 'path') predicates.push(term);
    if (term.f !== 0 && term.f.k === 'm' && lastName(term.f) !== 'GET') gather(term.f.of);
    if (/^(?:and|or|nest)$/.test(lastName(term.f))) for (const argument of term.a) gather(argument);
  };
  gather(call.a[0] ?? 0);
  const isReactive =
    collector.evaluator.values(call.f, scope).some(value => value.k === 'outside' && value.path.includes('RouterFunctions')) || name === 'andRoute';
  for (const predicate of isReactive ? predicates : []) {
    const method = lastName(predicate.f) === 'path' ? 'ANY' : lastName(predicate.f);
    for (const path of collector.evaluator.textsAt(predicate, 0, scope).map(pathOf)) {
      const handler = collector.handlerOf(call.a[1] ?? 0, scope);
      collector.add({
        method,
        path: joinPaths(contextPath(collector, scope.file), path),
        handler,
        framework: 'spring-webflux',
        confidence: 0.9,
        place: collector.placeOf(scope.file, predicate.p),
      });
    }
  }
}

const BUILDER = /(?:WebClient|RestClient|WebTestClient)/;

/** `webClient.get().uri("/x")`, `restClient.method(HttpMethod.GET).uri(…)` */
function readBuilder(collector: RouteCollector, { call, scope }: Visit): void {
  if (call.f === 0 || call.f.k !== 'm' || call.f.v !== 'uri') return;
  const verb = call.f.of;
  if (verb === 0 || verb.k !== 'call' || verb.f === 0 || verb.f.k !== 'm') return;
  const method = builderMethod(collector, verb, scope);
  if (method === undefined) return;
  const roots = collector.evaluator.values(verb.f.of, scope).filter(value => (value.k === 'made' || value.k === 'outside') && BUILDER.test(value.path));
  const [root] = roots;
  if (root === undefined) return;
  const base = root.k === 'made' && root.call !== undefined && root.scope !== undefined ? baseUrl(collector, root.call, root.scope) : [];
  const [url] = collector.evaluator.textsAt(call, 0, scope);
  const built = url ?? builtPath(collector, call.a[0] ?? 0, scope);
  if (built === undefined) return collector.skip(COMPUTED.address, scope.file, call.p);
  const [first] = built;
  const isAbsolute = first?.is === 'variable' || (first?.is === 'text' && /^\w+:\/\//.test(first.v));
  collector.calls.push(callOf(collector, call, scope, 'spring-webclient', method, isAbsolute ? built : [...base, ...built]));
}

/** `get()`, `method(HttpMethod.GET)` */
function builderMethod(collector: RouteCollector, verb: CallTerm, scope: Scope): string | undefined {
  const name = lastName(verb.f);
  if (/^(?:get|post|put|patch|delete|head|options)$/.test(name)) return name.toUpperCase();
  return name === 'method' ? (methodNames(verb.a[0] ?? 0, scope, collector.evaluator)[0] ?? 'ANY') : undefined;
}

/** `baseUrl("…")` or `create("…")` in the chain that made a client. */
function baseUrl(collector: RouteCollector, call: CallTerm, scope: Scope): readonly Piece[] {
  let at: Term = call;
  for (let depth = 0; depth < 12 && at !== 0 && at.k === 'call' && at.f !== 0 && at.f.k === 'm'; depth++) {
    if (at.f.v === 'baseUrl' || at.f.v === 'create') {
      const found = collector.evaluator.textsAt(at, 0, scope)[0];
      if (found !== undefined) return found;
    }
    at = at.f.of;
  }
  return [];
}

/** `uriBuilder -> uriBuilder.path("/x").build()` */
function builtPath(collector: RouteCollector, term: Term, scope: Scope): readonly Piece[] | undefined {
  if (term === 0 || term.k !== 'f') return undefined;
  const inner = collector.units.scopeOfFunction(term.fn, scope);
  let found: readonly Piece[] | undefined;
  const look = (each: Term): void => {
    if (each === 0 || each.k !== 'call') return;
    if (lastName(each.f) === 'path') found = collector.evaluator.textsAt(each, 0, inner)[0];
    if (each.f !== 0 && each.f.k === 'm') look(each.f.of);
  };
  for (const step of term.fn.b) if (step.s === 'return' || step.s === 'do') look(step.x);
  return found;
}

function annotation(decorators: readonly Term[] | undefined, name: string): CallTerm | undefined {
  for (const term of decorators ?? []) if (term !== 0 && term.k === 'call' && lastName(term.f) === name) return term;
  return undefined;
}
