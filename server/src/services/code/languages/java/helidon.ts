/** Helidon SE: services that are registered below a path add their routes to what they are given. */
import type { Binder } from '../../collector';

const ROUTES = ['update', 'routing'];

export const bindHelidon: Binder = (collector, { call, scope }, router, method) => {
  if (router.framework.name !== 'helidon' || method !== 'register') return false;
  const prefix = call.args.length > 1 ? (collector.evaluator.textsAt(call, 0, scope)[0] ?? []) : [];
  const last = call.args.at(-1) ?? 0;
  for (const value of collector.evaluator.values(last, scope)) {
    const fns = ROUTES.flatMap(name => (value.kind === 'instance' ? collector.evaluator.member(value, name, 0, scope) : []));
    for (const routes of fns) {
      if (routes.kind !== 'function') continue;
      const child = collector.evaluator.router(router.framework, scope.file, call.position, { key: `registered:${router.file.path}:${router.position}` });
      collector.evaluator.mount(child, { parent: router, prefix, replaces: false });
      collector.evaluator.give(routes.fn, 0, { value: { kind: 'router', router: child } });
    }
  }
  return true;
};
