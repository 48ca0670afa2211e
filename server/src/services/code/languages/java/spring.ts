/** Spring MVC and WebFlux by annotations and by functions, Feign clients, JAX-RS resources, request builders (`WebClient`, `RestClient`). */

import { type CallTerm, type DigestClass, type DigestFunction, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import type { FileUnit, Scope } from '../../units';
import { callOf } from '../../uses';
import { joinPaths, literalOf, type Piece, pathOf } from '../../values';
import type { Visit } from '../../visits';
import { readGatewayRoute } from './gateway';
import { servletPrefix } from './servlets';

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
      for (const step of file.scope.steps) if (step.kind === 'class') readClass(collector, step.cls, file.scope);
    }
    for (const visit of collector.visits) {
      if (!/\.(?:java|kt)$/.test(visit.scope.file.path)) continue;
      readFunctional(collector, visit);
      readBuilder(collector, visit);
      readGatewayRoute(collector, visit);
    }
  },
};

function readClass(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  for (const step of cls.body) if (step.kind === 'class') readClass(collector, step.cls, collector.units.scopeOfClass(cls, scope));
  const feign = annotation(cls.decorators, 'FeignClient') ?? annotation(cls.decorators, 'RegisterRestClient');
  const exchange = cls.isInterface === true ? annotation(cls.decorators, 'HttpExchange') : undefined;
  if (feign !== undefined || exchange !== undefined || (cls.isInterface === true && hasExchanges(cls)))
    return readFeign(collector, cls, feign ?? exchange, scope);
  const isController =
    annotation(cls.decorators, 'RestController') ?? annotation(cls.decorators, 'Controller') ?? annotation(cls.decorators, 'RepositoryRestController');
  const isMapped = cls.isInterface !== true && annotation(cls.decorators, 'RequestMapping') !== undefined;
  if (isController !== undefined || isMapped) readController(collector, cls, scope);
  else if (cls.isInterface !== true) readResource(collector, cls, scope);
}

/** An interface whose methods say `@GetExchange` makes requests. */
function hasExchanges(cls: DigestClass): boolean {
  return cls.body.some(
    step => step.kind === 'fn' && (step.fn.decorators ?? []).some(term => term !== 0 && term.kind === 'call' && termName(term.callee).endsWith('Exchange')),
  );
}

function readController(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const context = contextPath(collector, scope.file);
  const inherited = interfacesOf(collector, cls, scope, 4);
  const own = annotation(cls.decorators, 'RequestMapping');
  const typed =
    own === undefined
      ? inherited.map(each => ({ call: annotation(each.cls.decorators, 'RequestMapping'), scope: each.scope })).find(each => each.call !== undefined)
      : { call: own, scope };
  const prefixes = typed?.call === undefined ? [''] : pathsOf(collector, typed.call, typed.scope);
  const seen = new Set<string>();
  const methodsOf = (each: { readonly cls: DigestClass; readonly scope: Scope }): void => {
    for (const step of each.cls.body) {
      if (step.kind !== 'fn' || (each.cls !== cls && seen.has(`${step.fn.name}/${step.fn.parameters.length}`))) continue;
      const mapped = mappingOf(step.fn, each.scope) ?? inherited.flatMap(other => mappedAs(other, step.fn)).at(0);
      if (mapped === undefined) continue;
      seen.add(`${step.fn.name}/${step.fn.parameters.length}`);
      addMapped(
        collector,
        mapped,
        step.fn,
        each.scope,
        prefixes.map(prefix => joinPaths(context, prefix)),
      );
    }
  };
  methodsOf({ cls, scope });
  for (const base of inherited) if (base.cls.isInterface !== true || base.cls.body.some(step => step.kind === 'fn' && step.fn.body.length > 0)) methodsOf(base);
}

interface Mapped {
  readonly call: CallTerm;
  readonly scope: Scope;
}

function mappingOf(fn: DigestFunction, scope: Scope): Mapped | undefined {
  for (const term of fn.decorators ?? [])
    if (term !== 0 && term.kind === 'call' && own(MAPPINGS, termName(term.callee)) !== undefined) return { call: term, scope };
  return undefined;
}

function mappedAs({ cls, scope }: { readonly cls: DigestClass; readonly scope: Scope }, fn: DigestFunction): Mapped[] {
  return cls.body.flatMap(step => {
    const mapped = step.kind === 'fn' && step.fn.name === fn.name && step.fn.parameters.length === fn.parameters.length ? mappingOf(step.fn, scope) : undefined;
    return mapped === undefined ? [] : [mapped];
  });
}

function addMapped(collector: RouteCollector, { call, scope: at }: Mapped, fn: DigestFunction, scope: Scope, prefixes: readonly string[]): void {
  const handler = collector.handlerOfFunction(fn, scope.file);
  for (const prefix of prefixes) {
    for (const path of pathsOf(collector, call, at)) {
      for (const method of methodsIn(collector, call, at)) {
        collector.add({
          method,
          path: joinPaths(prefix, path),
          handler,
          framework: 'spring',
          confidence: SERVICE_CONFIDENCE.writtenRoute,
          place: collector.placeOf(scope.file, call.position),
        });
      }
    }
  }
}

function methodsIn(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  const fixed = own(MAPPINGS, termName(call.callee));
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
    if (at.term !== 0 && at.term.kind === 'list' && at.term.items.length === 0) return [''];
    collector.skip(COMPUTED.route, scope.file, call.position);
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
  return servletPrefix(collector, file, /\.DispatcherServlet$/);
}

/** Interfaces and base classes in the workspace. */
function interfacesOf(collector: RouteCollector, cls: DigestClass, scope: Scope, depth: number): { readonly cls: DigestClass; readonly scope: Scope }[] {
  if (depth === 0) return [];
  return cls.bases.flatMap(base =>
    collector.evaluator
      .values(base, scope)
      .flatMap(value =>
        value.kind === 'class' ? [{ cls: value.cls, scope: value.scope }, ...interfacesOf(collector, value.cls, value.scope, depth - 1)] : [],
      ),
  );
}

/** A client written as an interface: its methods are requests. */
function readFeign(collector: RouteCollector, cls: DigestClass, call: CallTerm | undefined, scope: Scope): void {
  const host = call === undefined ? [] : feignClientHost(collector, call, scope);
  const prefix = call === undefined ? [] : (collector.evaluator.textsAt(call, 'path', scope)[0] ?? []);
  const mapped = annotation(cls.decorators, 'RequestMapping') ?? annotation(cls.decorators, 'Path');
  const below = mapped === undefined ? '' : (pathsOf(collector, mapped, scope)[0] ?? '');
  const base = joinPaths(pathOf(prefix), below);
  for (const step of cls.body) {
    if (step.kind !== 'fn') continue;
    const { symbol } = collector.handlerOfFunction(step.fn, scope.file);
    for (const { at, method, path } of requestsOf(collector, step.fn, scope)) {
      const text = path === '' ? base : joinPaths(base, path);
      collector.calls.push({ ...callOf(collector, at, scope, 'feign', method, [...host, { is: 'text', text }]), symbol });
    }
  }
}

/** The address of a client interface, else the name of the service. */
function feignClientHost(collector: RouteCollector, call: CallTerm, scope: Scope): readonly Piece[] {
  const isExchange = termName(call.callee) === 'HttpExchange';
  const [url = []] = collector.evaluator.textsAt(call, isExchange ? ['url', 'value', 0] : ['url', 'baseUri'], scope);
  if (url.length > 0 || isExchange) return url;
  const [name = []] = collector.evaluator.textsAt(call, ['name', 'value', 'serviceId', 'configKey', 0], scope);
  return name.length === 0 ? [] : [{ is: 'text', text: `http://${literalOf(name) ?? pathOf(name)}` }];
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
    const own = annotation(fn.decorators, 'Path');
    const [path = ''] = own === undefined ? [''] : pathsOf(collector, own, scope);
    return [{ at: resource.call, method: termName(resource.call.callee), path }];
  }
  const request = annotation(fn.decorators, 'RequestLine');
  const line = request === undefined ? null : /^(\w+)\s+(\S*)/.exec(pathsOf(collector, request, scope)[0] ?? '');
  return request === undefined || line === null ? [] : [{ at: request, method: line[1] ?? 'ANY', path: line[2] ?? '' }];
}

function jaxMapping(fn: DigestFunction, scope: Scope): Mapped | undefined {
  for (const term of fn.decorators ?? []) if (term !== 0 && term.kind === 'call' && JAX_METHODS.has(termName(term.callee))) return { call: term, scope };
  return undefined;
}

/** JAX-RS: `@Path` on class and method, `@ApplicationPath` of the application in the same module. */
function readResource(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const inherited = interfacesOf(collector, cls, scope, 3);
  const path = annotation(cls.decorators, 'Path') ?? annotation(inherited[0]?.cls.decorators, 'Path');
  if (path === undefined) return;
  const prefixes = pathsOf(collector, path, scope);
  const application = applicationPath(collector, scope.file);
  const own = { cls, scope };
  const seen = new Set<string>();
  // Resources have the methods of their base classes too.
  const methods = [own, ...inherited.filter(base => base.cls.isInterface !== true)].flatMap(each =>
    each.cls.body.flatMap(step => (step.kind === 'fn' && isFirst(seen, step.fn) ? [{ fn: step.fn, scope: each.scope }] : [])),
  );
  for (const step of methods) {
    const candidates = [
      step.fn,
      ...inherited.flatMap(base => base.cls.body.flatMap(each => (each.kind === 'fn' && each.fn.name === step.fn.name ? [each.fn] : []))),
    ];
    const mapped = candidates.map(fn => jaxMapping(fn, scope)).find(each => each !== undefined);
    if (mapped === undefined) continue;
    const below = candidates.map(fn => annotation(fn.decorators, 'Path')).find(each => each !== undefined);
    const handler = collector.handlerOfFunction(step.fn, step.scope.file);
    for (const prefix of prefixes) {
      for (const each of below === undefined ? [''] : pathsOf(collector, below, step.scope)) {
        const full = joinPaths(application, prefix, each);
        collector.add({
          method: termName(mapped.call.callee),
          path: full,
          handler,
          framework: 'jax-rs',
          confidence: SERVICE_CONFIDENCE.joinedRoute,
          place: step.scope === scope ? collector.placeOf(scope.file, mapped.call.position) : collector.placeOf(scope.file, path.position),
        });
      }
    }
  }
}

/** Whether a method is not overridden by one that was seen before. */
function isFirst(seen: Set<string>, { name, parameters }: DigestFunction): boolean {
  const key = `${name} ${parameters.length}`;
  return !seen.has(key) && seen.add(key) !== undefined;
}

/** Servlets in which Jersey, RESTEasy and CXF answer; a servlet that is called after the application of JAX-RS itself. */
const JAX_SERVLET = /(?:\bServletContainer|HttpServletDispatcher|HttpServlet30Dispatcher|CXF\w*Servlet|ws\.rs\.core\.Application)$/;

function applicationPath(collector: RouteCollector, file: FileUnit): string {
  const module = file.path.split('/src/')[0] ?? '';
  for (const unit of collector.units.files.values()) {
    if (!unit.path.startsWith(module)) continue;
    for (const step of unit.scope.steps) {
      const call = step.kind === 'class' ? annotation(step.cls.decorators, 'ApplicationPath') : undefined;
      if (call !== undefined) return pathsOf(collector, call, unit.scope)[0] ?? '';
    }
  }
  return servletPrefix(collector, file, JAX_SERVLET);
}

/** `route(GET("/x"), handler::list).andRoute(POST("/x"), handler::create)` */
function readFunctional(collector: RouteCollector, { call, scope }: Visit): void {
  const name = termName(call.callee);
  if ((name !== 'route' && name !== 'andRoute') || call.args.length !== 2) return;
  const predicates: CallTerm[] = [];
  const gather = (term: Term): void => {
    if (term === 0 || term.kind !== 'call') return;
    if (JAX_METHODS.has(termName(term.callee)) || termName(term.callee) === 'path') predicates.push(term);
    if (term.callee !== 0 && term.callee.kind === 'member' && termName(term.callee) !== 'GET') gather(term.callee.owner);
    if (/^(?:and|or|nest)$/.test(termName(term.callee))) for (const argument of term.args) gather(argument);
  };
  gather(call.args[0] ?? 0);
  const isReactive =
    collector.evaluator.values(call.callee, scope).some(value => value.kind === 'outside' && value.path.includes('RouterFunctions')) || name === 'andRoute';
  for (const predicate of isReactive ? predicates : []) {
    const method = termName(predicate.callee) === 'path' ? 'ANY' : termName(predicate.callee);
    for (const path of collector.evaluator.textsAt(predicate, 0, scope).map(pathOf)) {
      const handler = collector.handlerOf(call.args[1] ?? 0, scope);
      collector.add({
        method,
        path: joinPaths(contextPath(collector, scope.file), path),
        handler,
        framework: 'spring-webflux',
        confidence: SERVICE_CONFIDENCE.joinedRoute,
        place: collector.placeOf(scope.file, predicate.position),
      });
    }
  }
}

const BUILDER = /(?:WebClient|RestClient|WebTestClient)/;

/** `webClient.get().uri("/x")`, `restClient.method(HttpMethod.GET).uri(…)` */
function readBuilder(collector: RouteCollector, { call, scope }: Visit): void {
  if (call.callee === 0 || call.callee.kind !== 'member' || call.callee.name !== 'uri') return;
  const verb = call.callee.owner;
  if (verb === 0 || verb.kind !== 'call' || verb.callee === 0 || verb.callee.kind !== 'member') return;
  const method = builderMethod(collector, verb, scope);
  if (method === undefined) return;
  const roots = collector.evaluator
    .values(verb.callee.owner, scope)
    .filter(value => (value.kind === 'made' || value.kind === 'outside') && BUILDER.test(value.path));
  const [root] = roots;
  if (root === undefined) return;
  const base = root.kind === 'made' && root.call !== undefined && root.scope !== undefined ? baseUrl(collector, root.call, root.scope) : [];
  const [url] = collector.evaluator.textsAt(call, 0, scope);
  const built = url ?? builtPath(collector, call.args[0] ?? 0, scope);
  if (built === undefined) return collector.skip(COMPUTED.address, scope.file, call.position);
  const [first] = built;
  const isAbsolute = first?.is === 'variable' || (first?.is === 'text' && /^\w+:\/\//.test(first.text));
  collector.calls.push(callOf(collector, call, scope, 'spring-webclient', method, isAbsolute ? built : [...base, ...built]));
}

/** `get()`, `method(HttpMethod.GET)` */
function builderMethod(collector: RouteCollector, verb: CallTerm, scope: Scope): string | undefined {
  const name = termName(verb.callee);
  if (/^(?:get|post|put|patch|delete|head|options)$/.test(name)) return name.toUpperCase();
  return name === 'method' ? (methodNames(verb.args[0] ?? 0, scope, collector.evaluator)[0] ?? 'ANY') : undefined;
}

/** `baseUrl("…")` or `create("…")` in the chain that made a client. */
function baseUrl(collector: RouteCollector, call: CallTerm, scope: Scope): readonly Piece[] {
  let at: Term = call;
  for (let depth = 0; depth < 12 && at !== 0 && at.kind === 'call' && at.callee !== 0 && at.callee.kind === 'member'; depth++) {
    if (at.callee.name === 'baseUrl' || at.callee.name === 'create') {
      const found = collector.evaluator.textsAt(at, 0, scope)[0];
      if (found !== undefined) return found;
    }
    at = at.callee.owner;
  }
  return [];
}

/** `uriBuilder -> uriBuilder.path("/x").build()` */
function builtPath(collector: RouteCollector, term: Term, scope: Scope): readonly Piece[] | undefined {
  if (term === 0 || term.kind !== 'function') return undefined;
  const inner = collector.units.scopeOfFunction(term.fn, scope);
  let found: readonly Piece[] | undefined;
  const look = (each: Term): void => {
    if (each === 0 || each.kind !== 'call') return;
    if (termName(each.callee) === 'path') found = collector.evaluator.textsAt(each, 0, inner)[0];
    if (each.callee !== 0 && each.callee.kind === 'member') look(each.callee.owner);
  };
  for (const step of term.fn.body) if (step.kind === 'return' || step.kind === 'do') look(step.value);
  return found;
}

function annotation(decorators: readonly Term[] | undefined, name: string): CallTerm | undefined {
  for (const term of decorators ?? []) if (term !== 0 && term.kind === 'call' && termName(term.callee) === name) return term;
  return undefined;
}
