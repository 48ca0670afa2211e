/** Controllers as classes with decorators of their own: routing-controllers, tsoa, OvernightJS, inversify-express-utils; methods alone: LoopBack. */

import { type CallTerm, type DigestClass, type DigestFunction, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import { sharedFolders } from '../../questions';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';
import type { Visit } from '../../visits';

interface Style {
  readonly name: string;
  /** Package of the decorators. */
  readonly from: RegExp;
  readonly controller: RegExp;
  /** Decorators of methods with the method of HTTP. */
  readonly methods: Readonly<Record<string, string>>;
  /** What begins to serve, with the option that puts a path in front of all. */
  readonly server?: { readonly call: RegExp; readonly option: string };
}

const METHODS = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE', All: 'ANY' };

const STYLES: readonly Style[] = [
  {
    name: 'routing-controllers',
    from: /^routing-controllers(?:\.|$)/,
    controller: /^(?:Json)?Controller$/,
    methods: METHODS,
    server: { call: /^(?:create|use)(?:Express|Koa)Server$/, option: 'routePrefix' },
  },
  { name: 'tsoa', from: /^(?:tsoa|@tsoa\/runtime)(?:\.|$)/, controller: /^Route$/, methods: METHODS },
  { name: 'overnight', from: /^@overnightjs\/core(?:\.|$)/, controller: /^Controller$/, methods: METHODS },
  {
    name: 'inversify-express',
    from: /^inversify-express-utils(?:\.|$)/,
    controller: /^controller$/,
    methods: { httpGet: 'GET', httpPost: 'POST', httpPut: 'PUT', httpPatch: 'PATCH', httpDelete: 'DELETE', all: 'ANY' },
    server: { call: /^InversifyExpressServer$/, option: 'rootPath' },
  },
];

/** Methods of LoopBack say their whole path. */
const LOOPBACK: Style = {
  name: 'loopback',
  from: /^@loopback\/(?:rest|openapi-v3)(?:\.|$)/,
  controller: /^api$/,
  methods: { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', del: 'DELETE' },
};

export const decoratedControllerReader: Reader = {
  read(collector) {
    for (const { call, decorated, scope } of collector.visits) {
      if (decorated === undefined) continue;
      if (!('cls' in decorated)) {
        if (own(LOOPBACK.methods, termName(call.callee)) !== undefined) readMethod(collector, call, decorated.fn, scope, LOOPBACK, '');
        continue;
      }
      const style = STYLES.find(each => isOf(collector, call, scope, each, each.controller));
      if (style === undefined) continue;
      for (const path of pathsOf(collector, call, scope))
        readController(collector, decorated.cls, scope, style, joinPaths(prefixOf(collector, style, scope), path));
    }
  },
};

function readController(collector: RouteCollector, cls: DigestClass, scope: Scope, style: Style, prefix: string): void {
  for (const step of cls.body) {
    if (step.kind !== 'fn') continue;
    for (const decorator of step.fn.decorators ?? []) {
      if (decorator === 0 || decorator.kind !== 'call') continue;
      readMethod(collector, decorator, step.fn, scope, style, prefix);
    }
  }
}

function readMethod(collector: RouteCollector, call: CallTerm, fn: DigestFunction, scope: Scope, style: Style, prefix: string): void {
  const method = own(style.methods, termName(call.callee));
  if (method === undefined || !isOf(collector, call, scope, style, /./)) return;
  const handler = collector.handlerOfFunction(fn, scope.file);
  const place = collector.placeOf(scope.file, call.position);
  for (const path of pathsOf(collector, call, scope)) {
    if (method === 'ANY' && path === '*') continue;
    collector.add({ method, path: joinPaths(prefix, path), handler, framework: style.name, confidence: SERVICE_CONFIDENCE.writtenRoute, place });
  }
}

/** Path in front of all, of the server that is nearest: each program of a workspace has its own. */
function prefixOf(collector: RouteCollector, { server }: Style, { file }: Scope): string {
  const servers =
    server === undefined ? [] : collector.visits.filter(({ call, decorated }) => decorated === undefined && server.call.test(termName(call.callee)));
  const near = (visit: Visit): number => sharedFolders(visit.scope.file.path, file.path);
  const [nearest] = servers.toSorted((left, right) => near(right) - near(left));
  const [prefix] = nearest === undefined || server === undefined ? [] : collector.evaluator.textsAt(nearest.call, server.option, nearest.scope);
  return prefix === undefined ? '' : pathOf(prefix);
}

function pathsOf(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  if (call.args.length === 0) return [''];
  const paths = collector.evaluator.textsAt(call, 0, scope).map(pathOf);
  if (paths.length === 0) collector.skip(COMPUTED.route, scope.file, call.position);
  return paths;
}

function isOf(collector: RouteCollector, { callee }: CallTerm, scope: Scope, { from }: Style, name: RegExp): boolean {
  return name.test(termName(callee)) && collector.evaluator.values(callee, scope).some(value => value.kind === 'outside' && from.test(value.path));
}
