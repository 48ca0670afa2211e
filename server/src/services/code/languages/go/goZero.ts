/** go-zero, whose server takes lists of routes: `server.AddRoutes([]rest.Route{{Method: http.MethodGet, Path: "/orders", Handler: list(ctx)}}, rest.WithPrefix("/v1"))`. */
import type { CallTerm, Term } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { nameOf, type Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';
import type { Visit } from '../../visits';

const SERVERS = new Set(['MustNewServer', 'NewServer', 'Server', 'Group'].map(name => `github.com/zeromicro/go-zero/rest.${name}`));

export const goZeroReader: Reader = {
  read(collector) {
    for (const visit of collector.visits) {
      const { callee } = visit.call;
      if (callee === 0 || callee.kind !== 'member' || !/^AddRoutes?$/.test(callee.name)) continue;
      if (collector.evaluator.values(callee.owner, visit.scope).some(value => value.kind === 'made' && SERVERS.has(value.path))) readRoutes(collector, visit);
    }
  },
};

function readRoutes(collector: RouteCollector, { call, scope }: Visit): void {
  const [routes = 0, ...options] = call.args;
  const prefix = options.flatMap(option => {
    const isPrefix = option !== 0 && option.kind === 'call' && nameOf(option.callee) === 'WithPrefix';
    return isPrefix ? collector.evaluator.textsAt(option, 0, scope).map(pathOf) : [];
  })[0];
  for (const route of routesIn(collector, routes, scope)) {
    const entry = (key: string): { readonly term: Term; readonly scope: Scope } | undefined => collector.evaluator.entry(route.term, key, route.scope);
    const [path, method, handler] = [entry('Path'), entry('Method'), entry('Handler')];
    const [written] = path === undefined ? [] : collector.evaluator.texts(path.term, path.scope).map(pathOf);
    const position = route.term !== 0 && 'position' in route.term && route.term.position !== 0 ? route.term.position : call.position;
    if (written === undefined || handler === undefined) {
      collector.skip(COMPUTED.route, route.scope.file, position);
      continue;
    }
    for (const name of method === undefined ? ['ANY'] : methodNames(method.term, method.scope, collector.evaluator)) {
      collector.add({
        method: name.toUpperCase(),
        path: joinPaths(prefix ?? '', written),
        handler: collector.handlerOf(handler.term, handler.scope),
        framework: 'go-zero',
        confidence: SERVICE_CONFIDENCE.writtenRoute,
        place: collector.placeOf(route.scope.file, position),
      });
    }
  }
}

/** Literals of routes: one, those of a list, and those that stand behind middleware. */
function routesIn(collector: RouteCollector, term: Term, scope: Scope): readonly { readonly term: Term; readonly scope: Scope }[] {
  if (isRoute(term)) return [{ term, scope }];
  // `routes...`
  if (term !== 0 && term.kind === 'other') return term.parts.flatMap(part => routesIn(collector, part, scope));
  return collector.evaluator.values(term, scope).flatMap(value => {
    if (value.kind === 'list') return value.items.map(item => ({ term: item, scope: value.scope }));
    if (value.kind !== 'made' || value.call === undefined || value.scope === undefined) return [];
    const around = value.scope;
    return /\.WithMiddlewares?$/.test(value.path) ? value.call.args.slice(1).flatMap(each => routesIn(collector, each, around)) : [];
  });
}

function isRoute(term: Term): term is CallTerm {
  return term !== 0 && term.kind === 'call' && term.isConstruction === true && nameOf(term.callee) === 'Route';
}
