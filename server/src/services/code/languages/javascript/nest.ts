/** NestJS: controllers with their paths, versions in them, the prefix of the application. */

import { dirname } from '../../../../base/path';
import type { CallTerm, DigestClass, Term } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const METHODS: Readonly<Record<string, string>> = { Get: 'GET', Post: 'POST', Put: 'PUT', Patch: 'PATCH', Delete: 'DELETE', All: 'ANY', Sse: 'GET' };

export const nestReader: Reader = {
  read(collector) {
    const prefixes = globalPrefixes(collector);
    const versions = versionings(collector);
    for (const { call, scope, decorated } of collector.visits) {
      if (decorated === undefined || !('cls' in decorated) || !isNest(collector, call, scope, /Controller$/)) continue;
      const prefix = nearest(prefixes, scope)?.prefix ?? '';
      const versioning = nearest(versions, scope);
      const own = versionsOf(collector, call, 'version', scope);
      const { cls } = decorated;
      for (const path of pathsOf(collector, call, scope)) readController(collector, { cls, scope, prefix, path, versioning, versions: own });
    }
  },
};

interface OfFolder {
  readonly folder: string;
  readonly prefix: string;
}

/** How an application puts versions into its paths. */
interface Versioning extends OfFolder {
  /** Of what names none. */
  readonly otherwise: readonly string[];
}

interface Controller {
  readonly cls: DigestClass;
  readonly scope: Scope;
  readonly prefix: string;
  readonly path: string;
  readonly versioning: Versioning | undefined;
  readonly versions: readonly string[];
}

function nearest<Item extends OfFolder>(items: readonly Item[], scope: Scope): Item | undefined {
  return items.filter(each => scope.file.path.startsWith(each.folder)).sort((left, right) => right.folder.length - left.folder.length)[0];
}

/** What stands in front of a path: a segment for each version. */
function versionPrefixes({ versioning, versions }: Controller, own: readonly string[]): readonly string[] {
  if (versioning === undefined) return [''];
  const [named = []] = [own, versions, versioning.otherwise].filter(each => each.length > 0);
  return named.length === 0 ? [''] : named.map(version => `/${versioning.prefix}${version}`);
}

function readController(collector: RouteCollector, controller: Controller): void {
  const { cls, scope } = controller;
  for (const step of cls.body) {
    if (step.kind !== 'fn') continue;
    for (const decorator of step.fn.decorators ?? []) {
      if (decorator === 0 || decorator.kind !== 'call') continue;
      const method = own(METHODS, nameOf(decorator.callee));
      if (method === undefined || !isNest(collector, decorator, scope, /./)) continue;
      const version = step.fn.decorators?.find(each => each !== 0 && each.kind === 'call' && nameOf(each.callee) === 'Version');
      const versions = version !== undefined && version !== 0 && version.kind === 'call' ? versionsOf(collector, version, 0, scope) : [];
      for (const path of pathsOf(collector, decorator, scope)) {
        const handler = collector.handlerOfFunction(step.fn, scope.file);
        const place = collector.placeOf(scope.file, decorator.position);
        for (const front of versionPrefixes(controller, versions)) {
          const full = joinPaths(controller.prefix, front, controller.path, path);
          collector.add({ method, path: full, handler, framework: 'nestjs', confidence: SERVICE_CONFIDENCE.writtenRoute, place });
        }
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

function versionsOf(collector: RouteCollector, call: CallTerm, where: number | string, scope: Scope): readonly string[] {
  return collector.evaluator.textsAt(call, where, scope).map(pathOf);
}

/** `app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' })`: other types leave the paths as they are. */
function versionings(collector: RouteCollector): Versioning[] {
  return collector.visits.flatMap(({ call, scope }) => {
    if (call.callee === 0 || call.callee.kind !== 'member' || call.callee.name !== 'enableVersioning') return [];
    const type = collector.evaluator.argument(call, 'type', scope)?.term ?? 0;
    if (nameOf(type) !== '' && nameOf(type) !== 'URI') return [];
    const [prefix = 'v'] = versionsOf(collector, call, 'prefix', scope);
    return [{ folder: folderOf(scope), prefix, otherwise: versionsOf(collector, call, 'defaultVersion', scope) }];
  });
}

function folderOf({ file }: Scope): string {
  return dirname(file.path) === '' ? '' : `${dirname(file.path)}/`;
}

function globalPrefixes(collector: RouteCollector): OfFolder[] {
  const found: OfFolder[] = [];
  for (const { call, scope } of collector.visits) {
    if (call.callee === 0 || call.callee.kind !== 'member' || call.callee.name !== 'setGlobalPrefix') continue;
    const prefix = collector.evaluator.textsAt(call, 0, scope).map(pathOf)[0];
    if (prefix === undefined) collector.skip(COMPUTED.prefix, scope.file, call.position);
    else found.push({ folder: folderOf(scope), prefix });
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
