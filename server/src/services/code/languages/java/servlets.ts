/** Servlets: an annotation or `web.xml` says which paths they serve. */

import type { DigestClass } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Place } from '../../../surface';
import type { Reader, RouteCollector } from '../../collector';
import { own } from '../../own';
import type { FileUnit, Scope } from '../../units';
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
    for (const { className, file, line, module, patterns } of collector.configuration.servlets) {
      for (const { cls, scope } of classesCalled(collector, className, module)) {
        for (const pattern of patterns) addServlet(collector, cls, scope, pattern, { file, line });
      }
    }
  },
};

/** Paths below which `web.xml` has a servlet of a framework answer, for the module that a file is in. */
export function servletPrefix(collector: RouteCollector, { path }: FileUnit, framework: RegExp): string {
  const servlet = collector.configuration.servlets.find(({ className, module }) => framework.test(className) && path.startsWith(module));
  return servlet?.patterns.find(pattern => /^\/.+\/\*$/.test(pattern))?.slice(0, -2) ?? '';
}

function classesCalled(collector: RouteCollector, name: string, module: string): { readonly cls: DigestClass; readonly scope: Scope }[] {
  const at = name.lastIndexOf('.');
  return [...collector.units.files.values()].flatMap(file => {
    if (file.package !== name.slice(0, Math.max(0, at)) || !file.path.startsWith(module)) return [];
    return file.scope.steps.flatMap(step => (step.kind === 'class' && step.cls.name === name.slice(at + 1) ? [{ cls: step.cls, scope: file.scope }] : []));
  });
}

function readServlet(collector: RouteCollector, cls: DigestClass, scope: Scope): void {
  const [servlet] = ANNOTATIONS.flatMap(path => annotation(cls.decorators, path, scope) ?? []);
  const at = servlet === undefined ? undefined : collector.evaluator.argument(servlet, ['urlPatterns', 'value', 0], scope);
  if (servlet === undefined || at === undefined) return;
  const place = collector.placeOf(scope.file, servlet.position);
  for (const pattern of collector.evaluator.texts(at.term, at.scope).map(pathOf)) addServlet(collector, cls, scope, pattern, place);
}

function addServlet(collector: RouteCollector, cls: DigestClass, scope: Scope, pattern: string, place: Place): void {
  // `*.jsp` is no path.
  if (!pattern.startsWith('/')) return;
  for (const [method, handler] of answered(collector, cls, scope, MAX_BASES)) {
    const isPrefix = pattern.endsWith('/*') ? { isPrefix: true as const } : {};
    const route = { method, path: pattern.replace(/\/\*$/, '') || '/', handler, framework: 'servlet', confidence: SERVICE_CONFIDENCE.writtenRoute, place };
    collector.add({ ...route, ...isPrefix });
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
    const method = step.kind === 'fn' ? own(METHODS, step.fn.name) : undefined;
    if (step.kind === 'fn' && method !== undefined && !found.has(method)) found.set(method, collector.handlerOfFunction(step.fn, scope.file));
  }
  for (const base of depth === 0 ? [] : cls.bases.flatMap(each => collector.evaluator.values(each, scope))) {
    if (base.kind !== 'class') continue;
    for (const [method, handler] of answered(collector, base.cls, base.scope, depth - 1)) if (!found.has(method)) found.set(method, handler);
  }
  return found;
}
