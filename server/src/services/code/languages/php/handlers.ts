/** Handlers as PHP frameworks write them: `[Controller::class, 'show']`, `Controller::class`, `'Controller@show'`, `'Controller:show'`. */
import type { Term } from '../../../../model/digest';
import type { Handler, RouteCollector } from '../../collector';
import type { Scope } from '../../units';
import type { Value } from '../../values';

const NAMED = /^\\?([\w\\]+)(?:@|::?|->)(\w+)$/;

export function phpHandler(collector: RouteCollector, term: Term, scope: Scope): Handler | undefined {
  if (term === 0) return undefined;
  if (term.k === 'l') {
    const [of, method] = term.of;
    if (of === undefined || method === undefined || method === 0 || method.k !== 's') return undefined;
    return methodOf(collector, classesOf(collector, of, scope), method.v);
  }
  if (term.k === 's') {
    const match = NAMED.exec(term.v);
    return match === null
      ? actionOf(collector, classNamed(collector, term.v, scope))
      : methodOf(collector, classNamed(collector, match[1] ?? '', scope), match[2] ?? '');
  }
  if (term.k === '+') {
    // `Controller::class . ':show'`
    const [of = 0, method = 0] = term.of;
    const name = method !== 0 && method.k === 's' ? /^[:@](\w+)$/.exec(method.v)?.[1] : undefined;
    return name === undefined ? undefined : methodOf(collector, classesOf(collector, of, scope), name);
  }
  if (term.k === 'n' || term.k === 'm') return actionOf(collector, classesOf(collector, term, scope));
  return undefined;
}

function classesOf(collector: RouteCollector, term: Term, scope: Scope): readonly Value[] {
  if (term !== 0 && term.k === 's') return classNamed(collector, term.v, scope);
  return collector.evaluator.values(term, scope).filter(value => value.k === 'class' || value.k === 'instance');
}

/** Classes by the last part of their name: in the namespace of controllers that frameworks put in front. The nearest first. */
export function classNamed(collector: RouteCollector, name: string, scope: Scope): readonly Value[] {
  const parts = name.replace(/^\\/, '').split('\\');
  const found = collector.units.classesNamed(parts.at(-1) ?? '').filter(({ file }) => file.language === 'php');
  const namespace = parts.slice(0, -1).join('.');
  const fitting = namespace === '' ? found : found.filter(({ file }) => file.package.endsWith(namespace));
  const [root = ''] = scope.file.path.split('/routes/');
  const near = fitting.filter(({ file }) => file.path.startsWith(root));
  return (near.length > 0 ? near : fitting).map(({ c, file }) => ({ k: 'class' as const, c, scope: file.scope }));
}

function methodOf(collector: RouteCollector, classes: readonly Value[], method: string): Handler | undefined {
  for (const value of classes) {
    if (value.k !== 'class' && value.k !== 'instance') continue;
    for (const found of collector.evaluator.member({ k: 'class', c: value.c, scope: value.scope }, method, 0, value.scope)) {
      if (found.k === 'function') return collector.handlerOfFunction(found.fn, found.scope.file);
    }
  }
  return undefined;
}

/** A class that is an action by itself. */
function actionOf(collector: RouteCollector, classes: readonly Value[]): Handler | undefined {
  const [value] = classes;
  if (value?.k !== 'class') return undefined;
  return methodOf(collector, classes, '__invoke') ?? methodOf(collector, classes, 'handle') ?? collector.handlerOfFunction(value.c, value.scope.file);
}
