/** Controllers as classes with decorators of their own: routing-controllers, tsoa, OvernightJS. */

import { type CallTerm, type DigestClass, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

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
];

export const decoratedControllerReader: Reader = {
  read(collector) {
    for (const { call, decorated, scope } of collector.visits) {
      if (decorated === undefined || !('cls' in decorated)) continue;
      const style = STYLES.find(each => isOf(collector, call, scope, each, each.controller));
      if (style === undefined) continue;
      for (const path of pathsOf(collector, call, scope)) readController(collector, decorated.cls, scope, style, joinPaths(prefixOf(collector, style), path));
    }
  },
};

function readController(collector: RouteCollector, cls: DigestClass, scope: Scope, style: Style, prefix: string): void {
  for (const step of cls.body) {
    if (step.kind !== 'fn') continue;
    for (const decorator of step.fn.decorators ?? []) {
      if (decorator === 0 || decorator.kind !== 'call') continue;
      const method = own(style.methods, termName(decorator.callee));
      if (method === undefined || !isOf(collector, decorator, scope, style, /./)) continue;
      const handler = collector.handlerOfFunction(step.fn, scope.file);
      const place = collector.placeOf(scope.file, decorator.position);
      for (const path of pathsOf(collector, decorator, scope))
        collector.add({ method, path: joinPaths(prefix, path), handler, framework: style.name, confidence: SERVICE_CONFIDENCE.writtenRoute, place });
    }
  }
}

function prefixOf(collector: RouteCollector, { server }: Style): string {
  if (server === undefined) return '';
  for (const { call, decorated, scope } of collector.visits) {
    if (decorated !== undefined || !server.call.test(termName(call.callee))) continue;
    const [prefix] = collector.evaluator.textsAt(call, server.option, scope);
    if (prefix !== undefined) return pathOf(prefix);
  }
  return '';
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
