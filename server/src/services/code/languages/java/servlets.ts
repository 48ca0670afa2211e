/** Servlets that say in an annotation which paths they serve. */
import type { DigestClass } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import type { Scope } from '../../units';
import { pathOf } from '../../values';
import { annotation } from './annotations';

const METHODS: Readonly<Record<string, string>> = { doGet: 'GET', doPost: 'POST', doPut: 'PUT', doPatch: 'PATCH', doDelete: 'DELETE', service: 'ANY' };
const ANNOTATIONS = ['jakarta', 'javax'].map(root => `${root}.servlet.annotation.WebServlet`);
const MAX_BASES = 4;

export const servletReader: Reader = {
  read(collector) {
    for (const file of collector.units.files.values()) {
      if (!/\.(?:java|kt)$/.test(file.path)) continue;
      for (const step of file.scope.steps) if (step.kind === 'class') readServlet(collector, step.cls, file.scope);
    }
  },
};

function readServlet(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const [servlet] = ANNOTATIONS.flatMap(path => annotation(cls.decorators, path, scope) ?? []);
  const at = servlet === undefined ? undefined : collector.evaluator.argument(servlet, ['urlPatterns', 'value', 0], scope);
  if (servlet === undefined || at === undefined) return;
  const place = collector.placeOf(scope.file, servlet.position);
  for (const pattern of collector.evaluator.texts(at.term, at.scope).map(pathOf)) {
    // `*.jsp` is no path.
    if (!pattern.startsWith('/')) continue;
    for (const [method, handler] of answered(collector, cls, scope, MAX_BASES)) {
      const isPrefix = pattern.endsWith('/*') ? { isPrefix: true as const } : {};
      const route = { method, path: pattern.replace(/\/\*$/, '') || '/', handler, framework: 'servlet', confidence: SERVICE_CONFIDENCE.writtenRoute, place };
      collector.add({ ...route, ...isPrefix });
    }
  }
}

/** Methods that a class answers, its own before those of what it extends. */
function answered(
  collector: RouteCollector,
  cls: DigestClass,
  scope: Scope,
  depth: number,
): ReadonlyMap<string, ReturnType<RouteCollector['handlerOfFunction']>> {
  const found = new Map<string, ReturnType<RouteCollector['handlerOfFunction']>>();
  for (const step of cls.body) {
    const method = step.kind === 'fn' ? METHODS[step.fn.name] : undefined;
    if (step.kind === 'fn' && method !== undefined && !found.has(method)) found.set(method, collector.handlerOfFunction(step.fn, scope.file));
  }
  for (const base of depth === 0 ? [] : cls.bases.flatMap(each => collector.evaluator.values(each, scope))) {
    if (base.kind !== 'class') continue;
    for (const [method, handler] of answered(collector, base.cls, base.scope, depth - 1)) if (!found.has(method)) found.set(method, handler);
  }
  return found;
}
