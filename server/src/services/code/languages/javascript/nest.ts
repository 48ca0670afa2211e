/** NestJS: controllers with their paths, versions left out, the prefix of the application, message patterns. */

import { dirname } from '../../../../base/path';
import type { CallTerm, DigestClass, Term } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const METHODS: Readonly<Record<string, string>> = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE', All: 'ANY', Sse: 'GET' };

export const nestReader: Reader = {
  read(collector) {
    const prefixes = globalPrefixes(collector);
    for (const { call, scope, decorated } of collector.visits) {
      if (decorated === undefined || !('cls' in decorated) || !isNest(collector, call, scope, /Controller$/)) continue;
      const prefix =
        prefixes.filter(each => scope.file.path.startsWith(each.folder)).sort((left, right) => right.folder.length - left.folder.length)[0]?.prefix ?? '';
      for (const path of pathsOf(collector, call, scope)) readController(collector, decorated.cls, scope, joinPaths(prefix, path));
    }
  },
};

function readController(collector: RouteCollector, cls: DigestClass, scope: Scope, prefix: string): void {
  for (const step of cls.body) {
    if (step.kind !== 'fn') continue;
    for (const decorator of step.fn.decorators ?? []) {
      if (decorator === 0 || decorator.kind !== 'call') continue;
      const method = METHODS[nameOf(decorator.callee)];
      if (method === undefined || !isNest(collector, decorator, scope, /./)) continue;
      for (const path of pathsOf(collector, decorator, scope)) {
        const handler = collector.handlerOfFunction(step.fn, scope.file);
        const place = collector.placeOf(scope.file, decorator.position);
        collector.add({ method, path: joinPaths(prefix, path), handler, framework: 'nestjs', confidence: SERVICE_CONFIDENCE.writtenRoute, place });
      }
    }
  }
}

function pathsOf(collector: RouteCollector, call: CallTerm, scope: Scope): readonly string[] {
  const [first] = call.args;
  if (first === undefined) return [''];
  const at = first !== 0 && first.kind === 'object' ? collector.evaluator.argument(call, 'path', scope) : { term: first, scope };
  if (at === undefined) return [''];
  const paths = collector.evaluator.texts(at.term, at.scope).map(pathOf);
  if (paths.length === 0) collector.skip(COMPUTED.route, scope.file, call.position);
  return paths;
}

function globalPrefixes(collector: RouteCollector): { readonly folder: string; readonly prefix: string }[] {
  const found: { folder: string; prefix: string }[] = [];
  for (const { call, scope } of collector.visits) {
    if (call.callee === 0 || call.callee.kind !== 'member' || call.callee.name !== 'setGlobalPrefix') continue;
    const prefix = collector.evaluator.textsAt(call, 0, scope).map(pathOf)[0];
    if (prefix === undefined) collector.skip(COMPUTED.prefix, scope.file, call.position);
    else found.push({ folder: dirname(scope.file.path) === '' ? '' : `${dirname(scope.file.path)}/`, prefix });
  }
  return found;
}

function isNest(collector: RouteCollector, call: CallTerm, scope: Scope, name: RegExp): boolean {
  return (
    name.test(nameOf(call.callee)) &&
    collector.evaluator.values(call.callee, scope).some(value => value.kind === 'outside' && value.path.startsWith('@nestjs/'))
  );
}

function nameOf(term: Term): string {
  return term !== 0 && (term.kind === 'name' || term.kind === 'member') ? term.name : '';
}
