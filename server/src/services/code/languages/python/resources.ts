/** Classes whose methods are routes: Flask's `MethodView`, resources of Flask-RESTful and Flask-RESTX, `HTTPEndpoint`, Tornado and Falcon. */

import type { CallTerm, DigestClass, Term } from '../../../../model/digest';
import { prefixesOf, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { joinPaths, pathOf, type Router } from '../../values';
import type { Visit } from '../../visits';

const HTTP = /^(?:get|post|put|patch|delete)$/;

export const resourceReader: Reader = {
  read(collector) {
    for (const visit of collector.visits) {
      if (!visit.scope.file.path.endsWith('.py')) continue;
      readAddResource(collector, visit);
      readDecoratedResource(collector, visit);
      readRouteTable(collector, visit);
      readHandlers(collector, visit);
    }
  },
};

/** `api.add_resource(Orders, '/orders', '/orders/<id>')` */
function readAddResource(collector: RouteCollector, { call, scope }: Visit): void {
  const { f } = call;
  if (f === 0 || f.k !== 'm' || !/^add_(?:resource|route|url_rule)$/.test(f.v)) return;
  const [resource = 0, ...rest] = f.v === 'add_route' ? call.a.toReversed() : call.a;
  if (f.v === 'add_url_rule') {
    const view = collector.evaluator.argument(call, ['view_func', 2], scope);
    if (view === undefined || view.term === 0 || view.term.k !== 'call') return;
  }
  const routers = routersOf(collector, f.of, scope);
  if (f.v === 'add_resource') {
    for (const value of collector.evaluator.values(resource, scope)) {
      if (value.k !== 'class') continue;
      for (const path of rest)
        if (path === 0 || path.k !== '=') addMethods(collector, routers, value, collector.evaluator.texts(path, scope).map(pathOf), call.p, scope);
    }
  } else if (f.v === 'add_route' && routers.length === 0) {
    for (const value of collector.evaluator.values(resource, scope)) {
      if (value.k === 'instance') addFalcon(collector, value, collector.evaluator.textsAt(call, 0, scope).map(pathOf), call.p, scope);
    }
  }
}

function addFalcon(
  collector: RouteCollector,
  value: { readonly c: DigestClass; readonly scope: Scope },
  paths: readonly string[],
  p: number,
  scope: Scope,
): void {
  for (const step of value.c.b) {
    const method = step.s === 'fn' ? /^on_(get|post|put|patch|delete)$/.exec(step.fn.v)?.[1] : undefined;
    if (step.s !== 'fn' || method === undefined) continue;
    for (const path of paths)
      collector.add({
        method: method.toUpperCase(),
        path,
        handler: collector.handlerOfFunction(step.fn, value.scope.file),
        framework: 'falcon',
        confidence: 0.85,
        place: collector.placeOf(scope.file, p),
      });
  }
}

/** `@ns.route('/orders')` on a class. */
function readDecoratedResource(collector: RouteCollector, { call, scope, decorated }: Visit): void {
  if (decorated === undefined || !('c' in decorated)) return;
  const { f } = call;
  if (f === 0 || f.k !== 'm' || f.v !== 'route') return;
  const paths = collector.evaluator.textsAt(call, 0, scope).map(pathOf);
  addMethods(collector, routersOf(collector, f.of, scope), { c: decorated.c, scope }, paths, call.p, scope);
}

function addMethods(
  collector: RouteCollector,
  routers: readonly Router[],
  value: { readonly c: DigestClass; readonly scope: Scope },
  paths: readonly string[],
  p: number,
  scope: Scope,
): void {
  const methods = value.c.b.flatMap(step => (step.s === 'fn' && HTTP.test(step.fn.v) ? [step.fn] : []));
  for (const router of routers) {
    for (const prefix of restPrefixes(collector, router)) {
      for (const fn of methods) {
        for (const path of paths) {
          const handler = collector.handlerOfFunction(fn, value.scope.file);
          const place = collector.placeOf(scope.file, p);
          collector.add({ method: fn.v.toUpperCase(), path: joinPaths(prefix, path), handler, framework: router.framework.name, confidence: 0.9, place });
        }
      }
    }
  }
}

/** An `Api(blueprint)` stands below its blueprint. */
function restPrefixes(collector: RouteCollector, router: Router): string[] {
  const own = prefixesOf(router).map(pathOf);
  const made = collector.visits.find(visit => visit.call.p === router.p && visit.scope.file === router.file);
  const [app] = made?.call.a ?? [];
  if (made === undefined || app === undefined) return own;
  const above = routersOf(collector, app, made.scope).filter(each => each !== router);
  return above.length === 0 ? own : above.flatMap(each => prefixesOf(each).flatMap(prefix => own.map(path => joinPaths(pathOf(prefix), path))));
}

/** Starlette's `Route('/x', handler, methods=[…])` and `Mount('/x', routes=[…])` in a list given to the application. */
function readRouteTable(collector: RouteCollector, visit: Visit): void {
  const { call, scope } = visit;
  const { f } = call;
  if (f === 0 || (f.k !== 'n' && f.k !== 'm')) return;
  const isApplication = collector.evaluator.values(f, scope).some(value => value.k === 'outside' && value.path === 'starlette.applications.Starlette');
  if (!isApplication) return;
  const routes = collector.evaluator.argument(call, 'routes', scope);
  if (routes !== undefined) readRoutes(collector, routes.term, routes.scope, '', 4);
}

function readRoutes(collector: RouteCollector, term: Term, scope: Scope, prefix: string, depth: number): void {
  if (depth === 0) return;
  for (const list of collector.evaluator.values(term, scope)) {
    if (list.k !== 'list') continue;
    for (const item of list.items) {
      if (item === 0 || item.k !== 'call') continue;
      const path = joinPaths(prefix, collector.evaluator.textsAt(item, [0, 'path'], list.scope).map(pathOf)[0] ?? '');
      const name = item.f !== 0 && (item.f.k === 'n' || item.f.k === 'm') ? item.f.v : '';
      if (name === 'Mount') {
        const inner = collector.evaluator.argument(item, 'routes', list.scope);
        if (inner !== undefined) readRoutes(collector, inner.term, inner.scope, path, depth - 1);
      } else if (name === 'Route') {
        const methods = collector.evaluator.argument(item, 'methods', list.scope);
        const names =
          methods !== undefined && methods.term !== 0 && methods.term.k === 'l'
            ? methods.term.of.flatMap(each => (each !== 0 && each.k === 's' ? [each.v] : []))
            : ['GET'];
        const handler = collector.handlerOf(item.a[1] ?? 0, list.scope);
        for (const method of names)
          collector.add({ method, path, handler, framework: 'starlette', confidence: 0.9, place: collector.placeOf(list.scope.file, item.p) });
      }
    }
  }
}

/** `tornado.web.Application([(r'/x', Handler)])`, `web.get('/x', handler)` of aiohttp in `add_routes`. */
function readHandlers(collector: RouteCollector, { call, scope }: Visit): void {
  const { f } = call;
  if (f === 0 || (f.k !== 'n' && f.k !== 'm')) return;
  const routers = f.k === 'm' && f.v === 'add_routes' ? routersOf(collector, f.of, scope) : [];
  const isTornado =
    f.v === 'Application' && collector.evaluator.values(f, scope).some(value => value.k === 'outside' && value.path === 'tornado.web.Application');
  if (routers.length === 0 && !isTornado) return;
  for (const list of collector.evaluator.values(call.a[0] ?? 0, scope)) {
    if (list.k !== 'list') continue;
    for (const item of list.items) {
      if (isTornado) addTornado(collector, item, list.scope, call);
      else if (item !== 0 && item.k === 'call') addAiohttp(collector, item, list.scope, routers);
    }
  }
}

function addAiohttp(collector: RouteCollector, item: CallTerm, scope: Scope, routers: readonly Router[]): void {
  if (item.f === 0 || item.f.k !== 'm' || !HTTP.test(item.f.v)) return;
  const [path] = collector.evaluator.textsAt(item, 0, scope).map(pathOf);
  if (path === undefined) return collector.skip(COMPUTED.route, scope.file, item.p);
  const handler = collector.handlerOf(item.a[1] ?? 0, scope);
  const method = item.f.v.toUpperCase();
  for (const prefix of routers.flatMap(router => prefixesOf(router))) {
    collector.add({
      method,
      path: joinPaths(pathOf(prefix), path),
      handler,
      framework: 'aiohttp',
      confidence: 0.9,
      place: collector.placeOf(scope.file, item.p),
    });
  }
}

function addTornado(collector: RouteCollector, item: Term, scope: Scope, call: CallTerm): void {
  const [pattern = 0, target = 0] = item !== 0 && item.k === 'l' ? item.of : item !== 0 && item.k === 'call' ? item.a : [];
  const [written] = collector.evaluator.texts(pattern, scope).map(pathOf);
  if (written === undefined) return;
  const path = written
    .replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}')
    .replace(/\([^)]*\)/g, '{value}')
    .replace(/[\^$]/g, '')
    .replace(/\/\?$/, '');
  for (const value of collector.evaluator.values(target, scope)) {
    for (const step of value.k === 'class' ? value.c.b : []) {
      if (step.s !== 'fn' || value.k !== 'class' || !HTTP.test(step.fn.v)) continue;
      const handler = collector.handlerOfFunction(step.fn, value.scope.file);
      collector.add({ method: step.fn.v.toUpperCase(), path, handler, framework: 'tornado', confidence: 0.9, place: collector.placeOf(scope.file, call.p) });
    }
  }
}

function routersOf(collector: RouteCollector, term: Term, scope: Scope): Router[] {
  return collector.evaluator.values(term, scope).flatMap(value => (value.k === 'router' ? [value.router] : []));
}
