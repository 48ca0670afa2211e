/** Litestar: functions and controllers with decorators, below the routers that take them in. */

import { type CallTerm, type DigestClass, type DigestFunction, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { selfScope } from '../../questions';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const HANDLER = /^litestar\.(?:handlers\.)?(get|post|put|patch|delete|route)$/;
const ROUTER = /^litestar\.(?:router\.|app\.)?(?:Litestar|Router)$/;
const MAX_DEPTH = 6;

/** What a router takes in: functions, classes of controllers, calls that make other routers. */
interface Router {
  readonly call: CallTerm;
  readonly path: string;
  readonly taken: ReadonlySet<DigestFunction | DigestClass | CallTerm>;
}

export const litestarReader: Reader = {
  read(collector) {
    const routers = routersIn(collector);
    for (const { call, decorated, scope } of collector.visits) {
      if (decorated === undefined || !('fn' in decorated)) continue;
      const name = handlerName(collector, call, scope);
      if (name !== undefined) readHandler(collector, call, scope, decorated.fn, name, routers);
    }
  },
};

function handlerName(collector: RouteCollector, { callee }: CallTerm, scope: Scope): string | undefined {
  for (const value of collector.evaluator.values(callee, scope)) {
    const name = value.kind === 'outside' ? HANDLER.exec(value.path)?.[1] : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function routersIn(collector: RouteCollector): readonly Router[] {
  const { evaluator } = collector;
  return collector.visits.flatMap(({ call, decorated, scope }): Router[] => {
    if (decorated !== undefined || !/^(?:Litestar|Router)$/.test(termName(call.callee))) return [];
    if (!evaluator.values(call.callee, scope).some(value => value.kind === 'outside' && ROUTER.test(value.path))) return [];
    const given = evaluator.argument(call, 'route_handlers', scope);
    const items =
      given === undefined
        ? []
        : evaluator.values(given.term, given.scope).flatMap(value => (value.kind === 'list' ? value.items.map(term => ({ term, scope: value.scope })) : []));
    const taken = items.flatMap(({ scope: at, term }) =>
      evaluator.values(term, at).flatMap((value): (DigestFunction | DigestClass | CallTerm)[] => {
        if (value.kind === 'function') return [value.fn];
        if (value.kind === 'class') return [value.cls];
        return value.kind === 'made' && value.call !== undefined ? [value.call] : [];
      }),
    );
    const path = evaluator.textsAt(call, termName(call.callee) === 'Router' ? ['path', 0] : 'path', scope).map(pathOf)[0] ?? '';
    return [{ call, path, taken: new Set(taken) }];
  });
}

function readHandler(collector: RouteCollector, call: CallTerm, scope: Scope, fn: DigestFunction, name: string, routers: readonly Router[]): void {
  const { evaluator } = collector;
  const cls = selfScope(scope)?.cls;
  const own = cls === undefined ? undefined : collector.units.scopeOfClass(cls, selfScope(scope)?.up ?? scope);
  const [controller = ''] = own === undefined ? [] : evaluator.texts({ kind: 'name', name: 'path', position: Number.MAX_SAFE_INTEGER }, own).map(pathOf);
  const isWritten = evaluator.argument(call, ['path', 0], scope) !== undefined;
  const paths = isWritten ? evaluator.textsAt(call, ['path', 0], scope).map(pathOf) : [''];
  if (paths.length === 0) return collector.skip(COMPUTED.route, scope.file, call.position);
  const given = evaluator.argument(call, 'http_method', scope);
  const methods = name !== 'route' ? [name] : given === undefined ? ['ANY'] : methodNames(given.term, given.scope, evaluator);
  for (const prefix of prefixesOf(cls ?? fn, routers, MAX_DEPTH)) {
    for (const path of paths) {
      for (const method of methods) {
        collector.add({
          method: method.toUpperCase(),
          path: joinPaths(prefix, controller, path),
          handler: collector.handlerOfFunction(fn, scope.file),
          framework: 'litestar',
          confidence: SERVICE_CONFIDENCE.writtenRoute,
          place: collector.placeOf(scope.file, call.position),
        });
      }
    }
  }
}

/** Paths in front of what routers take in; of what none does, which plugins may find, none. */
function prefixesOf(of: DigestFunction | DigestClass | CallTerm, routers: readonly Router[], depth: number): readonly string[] {
  const found =
    depth === 0
      ? []
      : routers
          .filter(({ taken }) => taken.has(of))
          .flatMap(({ call, path }) => prefixesOf(call, routers, depth - 1).map(above => (path === '' ? above : joinPaths(above, path))));
  return found.length === 0 ? [''] : [...new Set(found)];
}
