/** What Spring derives from declarations: resources of repositories (Spring Data REST), bindings of functions (Spring Cloud Stream). */

import { type CallTerm, type DigestClass, type DigestFunction, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { type Reader, type RouteCollector } from '../../collector';
import type { Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const COLLECTION = ['GET', 'POST'] as const;
const ITEM = ['GET', 'PUT', 'PATCH', 'DELETE'] as const;

export const springDataReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (file.language !== 'java' && file.language !== 'kotlin') continue;
      for (const step of file.scope.steps) if (step.kind === 'class') readClass(collector, step.cls, file.scope);
    }
  },
};

function readClass(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const resource = annotation(cls.decorators, /^(?:Repository)?RestResource$/);
  if (cls.isInterface === true && resource !== undefined) readRepository(collector, cls, resource, scope);
  for (const step of cls.body) {
    if (step.kind === 'class') readClass(collector, step.cls, collector.units.scopeOfClass(cls, scope));
    else if (step.kind === 'fn' && annotation(step.fn.decorators, /^Bean$/) !== undefined) readBinding(collector, step.fn, scope);
  }
}

function annotation(decorators: readonly Term[] | undefined, name: RegExp): CallTerm | undefined {
  for (const term of decorators ?? []) if (term !== 0 && term.kind === 'call' && name.test(termName(term.callee))) return term;
  return undefined;
}

/** The collection, its items and the search methods of a repository. */
function readRepository(collector: RouteCollector, cls: DigestClass, resource: CallTerm, scope: Scope): void {
  if (isHidden(collector, resource, scope)) return;
  const base = collector.configuration.valueFor(scope.file.path, 'spring.data.rest.base-path') ?? '';
  const own = collector.evaluator.textsAt(resource, 'path', scope).map(pathOf)[0] ?? pathOfEntity(cls);
  if (own === '') return;
  const path = joinPaths(base, own);
  const add = (method: string, full: string, of: { readonly name: string; readonly position: number }): void =>
    collector.add({
      method,
      path: full,
      handler: collector.handlerOfFunction(of, scope.file),
      framework: 'spring-data-rest',
      confidence: SERVICE_CONFIDENCE.conventionalRoute,
      place: collector.placeOf(scope.file, of.position),
    });
  for (const method of COLLECTION) add(method, path, cls);
  for (const method of ITEM) add(method, `${path}/{id}`, cls);
  for (const step of cls.body) {
    // What the repository declares itself and does not override is a search.
    if (step.kind !== 'fn' || !/^(?:find|read|get|query|search|count|exists|stream)\w*By/.test(step.fn.name)) continue;
    const given = annotation(step.fn.decorators, /^RestResource$/);
    if (given !== undefined && isHidden(collector, given, scope)) continue;
    const name = given === undefined ? undefined : collector.evaluator.textsAt(given, 'path', scope).map(pathOf)[0];
    add('GET', joinPaths(path, 'search', name ?? step.fn.name), step.fn);
  }
}

function isHidden(collector: RouteCollector, call: CallTerm, scope: Scope): boolean {
  const at = collector.evaluator.argument(call, 'exported', scope)?.term;
  return at === 0 || (at !== undefined && at.kind === 'name' && at.name === 'false');
}

/** The plural of the entity that a repository is of: `JpaRepository<Person, Long>` → `persons`. */
function pathOfEntity(cls: DigestClass): string {
  const base = cls.bases.find(each => each !== 0 && each.kind === 'generic' && termName(each.base).endsWith('Repository'));
  const entity = base !== undefined && base !== 0 && base.kind === 'generic' ? termName(base.args[0] ?? 0) : '';
  if (entity === '') return '';
  const name = entity.slice(0, 1).toLowerCase() + entity.slice(1);
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

/** `@Bean Function<In, Out> process()` is bound to what the configuration names for `process-in-0` and `process-out-0`. */
function readBinding(collector: RouteCollector, fn: DigestFunction, scope: Scope): void {
  const kind = /^(?:java\.util\.function\.)?(Function|Consumer|Supplier)$/.exec(termName(fn.result ?? 0))?.[1];
  if (kind === undefined || collector.configuration.keysFor(scope.file.path, 'spring.cloud.stream').size === 0) return;
  const sides = [...(kind === 'Supplier' ? [] : (['in'] as const)), ...(kind === 'Consumer' ? [] : (['out'] as const))];
  for (const side of sides) {
    const binding = `${fn.name}-${side}-0`;
    const renamed = collector.configuration.valueFor(scope.file.path, `spring.cloud.stream.function.bindings.${binding}`);
    const name = collector.configuration.valueFor(scope.file.path, `spring.cloud.stream.bindings.${renamed ?? binding}.destination`);
    const { place, symbol } = collector.handlerOfFunction(fn, scope.file);
    const direction = side === 'in' ? ('consume' as const) : ('publish' as const);
    const use = { direction, aliases: [binding], symbol, framework: 'spring-cloud-stream', confidence: SERVICE_CONFIDENCE.event, place };
    // One binding may be of several destinations.
    for (const each of (name ?? '').split(',').map(one => one.trim())) if (each !== '') collector.events.push({ ...use, name: each, channel: each });
  }
}
