/** NestJS: controllers with their paths, versions left out, the prefix of the application, message patterns. */

import { dirname } from '../../../../base/path';
import type { CallTerm, DigestClass, Term } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const METHODS: Readonly<Record<string, string>> = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE', All: 'ANY', Sse: 'GET' };

export const nestReader: Reader = {
  read(collector) {
    const prefixes = globalPrefixes(collector);
    for (const { call, scope, decorated } of collector.visits) {
      if (decorated === undefined || !('c' in decorated) || !isNest(collector, call, scope, /Controller$/)) continue;
      const prefix =
        prefixes.filter(each => scope.file.path.startsWith(each.folder)).sort((left, right) => right.folder.length - left.folder.length)[0]?.prefix ?? '';
      for (const path of pathsOf(collector, call, scope)) readController(collector, decorated.c, scope, joinPaths(prefix, path));
    }
  },
};

function readController(collector: RouteCollector, c: DigestClass, scope: Scope, prefix: string): void {
  for (const step of c.b) {
    if (step.s !== 'fn') continue;
    for (const decorator of step.fn.d ?? []) {
      if (decorator === 0 || decorator.k !== 'call') continue;
      const method = METHODS[nameOf(decorator.f)];
      if (method === undefined || !isNest(collector, decorator, scope, /./)) continue;
      for (const path of pathsOf(collector, decorator, scope)) {
        const handler = collector.handlerOfFunction(step.fn, scope.file);
        const place = collector.placeOf(scope.file, decorator.p);
        collector.add({ method, path: joinPaths(prefix, path), handler, framework: 'nestjs', confidence: 0.95, place });
      }
    }
  }
}

function pathsOf(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  const [first] = call.a;
  if (first === undefined) return [''];
  const at = first !== 0 && first.k === 'o' ? collector.evaluator.argument(call, 'path', scope) : { term: first, scope };
  if (at === undefined) return [''];
  const paths = collector.evaluator.texts(at.term, at.scope).map(pathOf);
  if (paths.length === 0) collector.skip(COMPUTED.route, scope.file, call.p);
  return paths;
}

function globalPrefixes(collector: RouteCollector): { readonly folder: string; readonly prefix: string }[] {
  const found: { folder: string; prefix: string }[] = [];
  for (const { call, scope } of collector.visits) {
    if (call.f === 0 || call.f.k !== 'm' || call.f.v !== 'setGlobalPrefix') continue;
    const prefix = collector.evaluator.textsAt(call, 0, scope).map(pathOf)[0];
    if (prefix === undefined) collector.skip(COMPUTED.prefix, scope.file, call.p);
    else found.push({ folder: dirname(scope.file.path) === '' ? '' : `${dirname(scope.file.path)}/`, prefix });
  }
  return found;
}

function isNest(collector: RouteCollector, call: CallTerm, scope: Scope, name: RegExp): boolean {
  return name.test(nameOf(call.f)) && collector.evaluator.values(call.f, scope).some(value => value.k === 'outside' && value.path.startsWith('@nestjs/'));
}

function nameOf(term: Term): string {
  return term !== 0 && (term.k === 'n' || term.k === 'm') ? term.v : '';
}
