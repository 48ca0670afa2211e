/** Handlers as PHP frameworks write them: `[Controller::class, 'show']`, `Controller::class`, `'Controller@show'`, `'Controller:show'`. */
import type { Term } from '../../../../model/digest';
import type { Handler, RouteCollector } from '../../collector';
import type { Scope } from '../../units';
import type { Value } from '../../values';

const NAMED = /^\\?([\w\\]+)(?:@|::?|->)(\w+)$/;

export function phpHandler(collector: RouteCollector, term: Term, scope: Scope): Handler | undefined {
  if (term === 0) return undefined;
  if (term.kind === 'list') {
    const [of, method] = term.items;
    if (of === undefined || method === undefined || method === 0 || method.kind !== 'text') return undefined;
    return methodOf(collector, classesOf(collector, of, scope), method.text);
  }
  if (term.kind === 'text') {
    const match = NAMED.exec(term.text);
    return match === null
      ? actionOf(collector, classNamed(collector, term.text, scope))
      : methodOf(collector, classNamed(collector, match[1] ?? '', scope), match[2] ?? '');
  }
  if (term.kind === 'join') {
    // `Controller::class . ':show'`
    const [of = 0, method = 0] = term.parts;
    const name = method !== 0 && method.kind === 'text' ? /^[:@](\w+)$/.exec(method.text)?.[1] : undefined;
    return name === undefined ? undefined : methodOf(collector, classesOf(collector, of, scope), name);
  }
  if (term.kind === 'name' || term.kind === 'member') return actionOf(collector, classesOf(collector, term, scope));
  return undefined;
}

function classesOf(collector: RouteCollector, term: Term, scope: Scope): readonly Value[] {
  if (term !== 0 && term.kind === 'text') return classNamed(collector, term.text, scope);
  return collector.evaluator.values(term, scope).filter(value => value.kind === 'class' || value.kind === 'instance');
}

/** Classes by the last part of their name: in the namespace of controllers that frameworks put in front. The nearest first. */
export function classNamed(collector: RouteCollector, name: string, scope: Scope): readonly Value[] {
  const parts = name.replace(/^\\/, '').split('\\');
  const found = collector.units.classesNamed(parts.at(-1) ?? '').filter(({ file }) => file.language === 'php');
  const namespace = parts.slice(0, -1).join('.');
  const fitting = namespace === '' ? found : found.filter(({ file }) => file.package.endsWith(namespace));
  const [root = ''] = scope.file.path.split('/routes/');
  const near = fitting.filter(({ file }) => file.path.startsWith(root));
  return (near.length > 0 ? near : fitting).map(({ cls, file }) => ({ kind: 'class' as const, cls, scope: file.scope }));
}

function methodOf(collector: RouteCollector, classes: readonly Value[], method: string): Handler | undefined {
  for (const value of classes) {
    if (value.kind !== 'class' && value.kind !== 'instance') continue;
    for (const found of collector.evaluator.member({ kind: 'class', cls: value.cls, scope: value.scope }, method, 0, value.scope)) {
      if (found.kind === 'function') return collector.handlerOfFunction(found.fn, found.scope.file);
    }
  }
  return undefined;
}

/** A class that is an action by itself. */
function actionOf(collector: RouteCollector, classes: readonly Value[]): Handler | undefined {
  const [value] = classes;
  if (value?.kind !== 'class') return undefined;
  return methodOf(collector, classes, '__invoke') ?? methodOf(collector, classes, 'handle') ?? collector.handlerOfFunction(value.cls, value.scope.file);
}
