/** Classes whose methods are routes: Flask's `MethodView`, resources of Flask-RESTful and Flask-RESTX, `HTTPEndpoint`, Tornado and Falcon. */

import type { CallTerm, DigestClass, Term } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { joinPaths, pathOf, prefixesOf, type Router } from '../../values';
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
  const { callee } = call;
  if (callee === 0 || callee.kind !== 'member' || !/^add_(?:(?:\w+_)?resource|route|url_rule)$/.test(callee.name)) return;
  const [resource = 0, ...rest] = callee.name === 'add_route' ? call.args.toReversed() : call.args;
  if (callee.name === 'add_url_rule') {
    const view = collector.evaluator.argument(call, ['view_func', 2], scope);
    if (view === undefined || view.term === 0 || view.term.kind !== 'call') return;
  }
  const routers = routersOf(collector, callee.owner, scope);
  if (callee.name.endsWith('resource')) {
    for (const value of collector.evaluator.values(resource, scope)) {
      if (value.kind !== 'class') continue;
      for (const path of rest)
        if (path === 0 || path.kind !== 'named')
          addMethods(collector, routers, value, collector.evaluator.texts(path, scope).map(pathOf), call.position, scope);
    }
  } else if (callee.name === 'add_route' && routers.length === 0) {
    for (const value of collector.evaluator.values(resource, scope)) {
      if (value.kind === 'instance') addFalcon(collector, value, collector.evaluator.textsAt(call, 0, scope).map(pathOf), call.position, scope);
    }
  }
}

function addFalcon(
  collector: RouteCollector,
  value: { readonly cls: DigestClass; readonly scope: Scope },
  paths: readonly string[],
  position: number,
  scope: Scope,
): void {
  for (const step of value.cls.body) {
    const method = step.kind === 'fn' ? /^on_(get|post|put|patch|delete)$/.exec(step.fn.name)?.[1] : undefined;
    if (step.kind !== 'fn' || method === undefined) continue;
    for (const path of paths)
      collector.add({
        method: method.toUpperCase(),
        path,
        handler: collector.handlerOfFunction(step.fn, value.scope.file),
        framework: 'falcon',
        confidence: SERVICE_CONFIDENCE.conventionalRoute,
        place: collector.placeOf(scope.file, position),
      });
  }
}

/** `@ns.route('/orders')` on a class. */
function readDecoratedResource(collector: RouteCollector, { call, scope, decorated }: Visit): void {
  if (decorated === undefined || !('cls' in decorated)) return;
  const { callee } = call;
  if (callee === 0 || callee.kind !== 'member' || callee.name !== 'route') return;
  const paths = collector.evaluator.textsAt(call, 0, scope).map(pathOf);
  addMethods(collector, routersOf(collector, callee.owner, scope), { cls: decorated.cls, scope }, paths, call.position, scope);
}

function addMethods(
  collector: RouteCollector,
  routers: readonly Router[],
  value: { readonly cls: DigestClass; readonly scope: Scope },
  paths: readonly string[],
  position: number,
  scope: Scope,
): void {
  const methods = value.cls.body.flatMap(step => (step.kind === 'fn' && HTTP.test(step.fn.name) ? [step.fn] : []));
  for (const router of routers) {
    for (const prefix of restPrefixes(collector, router)) {
      for (const fn of methods) {
        for (const path of paths) {
          const handler = collector.handlerOfFunction(fn, value.scope.file);
          const place = collector.placeOf(scope.file, position);
          collector.add({
            method: fn.name.toUpperCase(),
            path: joinPaths(prefix, path),
            handler,
            framework: router.framework.name,
            confidence: SERVICE_CONFIDENCE.joinedRoute,
            place,
          });
        }
      }
    }
  }
}

/** An `Api(blueprint)` stands below its blueprint. */
function restPrefixes(collector: RouteCollector, router: Router): string[] {
  const own = prefixesOf(router).map(pathOf);
  const made = collector.visits.find(visit => visit.call.position === router.position && visit.scope.file === router.file);
  const [app] = made?.call.args ?? [];
  if (made === undefined || app === undefined) return own;
  const above = routersOf(collector, app, made.scope).filter(each => each !== router);
  return above.length === 0 ? own : above.flatMap(each => prefixesOf(each).flatMap(prefix => own.map(path => joinPaths(pathOf(prefix), path))));
}

/** Starlette's `Route('/x', handler, methods=[…])` and `Mount('/x', routes=[…])` in a list given to the application. */
function readRouteTable(collector: RouteCollector, visit: Visit): void {
  const { call, scope } = visit;
  const { callee } = call;
  if (callee === 0 || (callee.kind !== 'name' && callee.kind !== 'member')) return;
  const isApplication = collector.evaluator.values(callee, scope).some(value => value.kind === 'outside' && value.path === 'starlette.applications.Starlette');
  if (!isApplication) return;
  const routes = collector.evaluator.argument(call, 'routes', scope);
  if (routes !== undefined) readRoutes(collector, routes.term, routes.scope, '', 4);
}

function readRoutes(collector: RouteCollector, term: Term, scope: Scope, prefix: string, depth: number): void {
  if (depth === 0) return;
  for (const list of collector.evaluator.values(term, scope)) {
    if (list.kind !== 'list') continue;
    for (const item of list.items) {
      if (item === 0 || item.kind !== 'call') continue;
      const path = joinPaths(prefix, collector.evaluator.textsAt(item, [0, 'path'], list.scope).map(pathOf)[0] ?? '');
      const name = item.callee !== 0 && (item.callee.kind === 'name' || item.callee.kind === 'member') ? item.callee.name : '';
      if (name === 'Mount') {
        const inner = collector.evaluator.argument(item, 'routes', list.scope);
        if (inner !== undefined) readRoutes(collector, inner.term, inner.scope, path, depth - 1);
      } else if (name === 'Route') {
        const methods = collector.evaluator.argument(item, 'methods', list.scope);
        const names =
          methods !== undefined && methods.term !== 0 && methods.term.kind === 'list'
            ? methods.term.items.flatMap(each => (each !== 0 && each.kind === 'text' ? [each.text] : []))
            : ['GET'];
        const handler = collector.handlerOf(item.args[1] ?? 0, list.scope);
        for (const method of names)
          collector.add({
            method,
            path,
            handler,
            framework: 'starlette',
            confidence: SERVICE_CONFIDENCE.joinedRoute,
            place: collector.placeOf(list.scope.file, item.position),
          });
      }
    }
  }
}

/** `tornado.web.Application([(r'/x', Handler)])`, `web.get('/x', handler)` of aiohttp in `add_routes`. */
function readHandlers(collector: RouteCollector, { call, scope }: Visit): void {
  const { callee } = call;
  if (callee === 0 || (callee.kind !== 'name' && callee.kind !== 'member')) return;
  const routers = callee.kind === 'member' && callee.name === 'add_routes' ? routersOf(collector, callee.owner, scope) : [];
  const isTornado =
    callee.name === 'Application' &&
    collector.evaluator.values(callee, scope).some(value => value.kind === 'outside' && value.path === 'tornado.web.Application');
  if (routers.length === 0 && !isTornado) return;
  for (const list of collector.evaluator.values(call.args[0] ?? 0, scope)) {
    if (list.kind !== 'list') continue;
    for (const item of list.items) {
      if (isTornado) addTornado(collector, item, list.scope, call);
      else if (item !== 0 && item.kind === 'call') addAiohttp(collector, item, list.scope, routers);
    }
  }
}

function addAiohttp(collector: RouteCollector, item: CallTerm, scope: Scope, routers: readonly Router[]): void {
  if (item.callee === 0 || item.callee.kind !== 'member' || !HTTP.test(item.callee.name)) return;
  const [path] = collector.evaluator.textsAt(item, 0, scope).map(pathOf);
  if (path === undefined) return collector.skip(COMPUTED.route, scope.file, item.position);
  const handler = collector.handlerOf(item.args[1] ?? 0, scope);
  const method = item.callee.name.toUpperCase();
  for (const prefix of routers.flatMap(router => prefixesOf(router))) {
    collector.add({
      method,
      path: joinPaths(pathOf(prefix), path),
      handler,
      framework: 'aiohttp',
      confidence: SERVICE_CONFIDENCE.joinedRoute,
      place: collector.placeOf(scope.file, item.position),
    });
  }
}

function addTornado(collector: RouteCollector, item: Term, scope: Scope, call: CallTerm): void {
  const [pattern = 0, target = 0] = item !== 0 && item.kind === 'list' ? item.items : item !== 0 && item.kind === 'call' ? item.args : [];
  const [written] = collector.evaluator.texts(pattern, scope).map(pathOf);
  if (written === undefined) return;
  const path = written
    .replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}')
    .replace(/\([^)]*\)/g, '{value}')
    .replace(/[\^$]/g, '')
    .replace(/\/\?$/, '');
  for (const value of collector.evaluator.values(target, scope)) {
    for (const step of value.kind === 'class' ? value.cls.body : []) {
      if (step.kind !== 'fn' || value.kind !== 'class' || !HTTP.test(step.fn.name)) continue;
      const handler = collector.handlerOfFunction(step.fn, value.scope.file);
      collector.add({
        method: step.fn.name.toUpperCase(),
        path,
        handler,
        framework: 'tornado',
        confidence: SERVICE_CONFIDENCE.joinedRoute,
        place: collector.placeOf(scope.file, call.position),
      });
    }
  }
}

function routersOf(collector: RouteCollector, term: Term, scope: Scope): Router[] {
  return collector.evaluator.values(term, scope).flatMap(value => (value.kind === 'router' ? [value.router] : []));
}
