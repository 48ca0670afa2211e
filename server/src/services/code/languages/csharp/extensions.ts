/** Extension methods that the workspace adds to builders of routes. */

import { type DigestFunction, termName } from '../../../../model/digest';
import type { Binder, RouteCollector } from '../../collector';
import { own } from '../../own';
import type { FileUnit } from '../../units';

type Extension = { readonly fn: DigestFunction; readonly file: FileUnit };

const known = new WeakMap<RouteCollector, ReadonlyMap<string, readonly Extension[]>>();

/** Extensions by name: functions whose first parameter is `this`. */
function extensionsOf(collector: RouteCollector): ReadonlyMap<string, readonly Extension[]> {
  const found = known.get(collector);
  if (found !== undefined) return found;
  const byName = new Map<string, Extension[]>();
  for (const file of collector.units.files.values()) {
    for (const step of file.scope.steps) {
      if (step.kind !== 'class') continue;
      for (const inner of step.cls.body) {
        const [receiver] = inner.kind === 'fn' ? (inner.fn.parameters[0]?.decorators ?? []) : [];
        if (inner.kind !== 'fn' || receiver === undefined || termName(receiver) !== 'this') continue;
        byName.set(inner.fn.name, [...(byName.get(inner.fn.name) ?? []), { fn: inner.fn, file }]);
      }
    }
  }
  known.set(collector, byName);
  return byName;
}

/** `group.MapOrders()`: the router goes to the parameter `this`. */
export const bindExtension: Binder = (collector, { call, scope }, router, method) => {
  const { groups, mounts, verbs } = router.framework;
  if (scope.file.language !== 'csharp' || [verbs, groups, mounts].some(each => own<unknown>(each, method) !== undefined)) return false;
  const all = extensionsOf(collector).get(method) ?? [];
  const referred = collector.units.referents(scope.file, call.position).map(node => collector.units.graph.node(node).path);
  const meant = all.filter(({ file }) => referred.includes(file.path));
  for (const { fn } of meant.length > 0 ? meant : all) {
    collector.evaluator.give(fn, 0, { value: { kind: 'router', router } });
    for (const [index, term] of call.args.entries()) collector.evaluator.give(fn, index + 1, { term, scope, position: call.position });
  }
  return all.length > 0;
};
