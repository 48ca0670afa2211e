/** Handlers as PHP frameworks write them: `[Controller::class, 'show']`, `Controller::class`, `'Controller@show'`, `'Controller:show'`. */
import type { Term } from '../../../../model/digest';
import type { Handler, HandlerResolver } from '../../handlers';
import type { Scope, Units } from '../../units';
import type { Value } from '../../values';

const NAMED = /^\\?([\w\\]+)(?:@|::?|->)(\w+)$/;

export function phpHandler(resolver: HandlerResolver, term: Term, scope: Scope): Handler | undefined {
  if (term === 0) return undefined;
  if (term.kind === 'list') {
    const [of, method] = term.items;
    if (of === undefined || method === undefined || method === 0 || method.kind !== 'text') return undefined;
    return methodOf(resolver, classesOf(resolver, of, scope), method.text) ?? methodReferred(resolver, of, method.text, scope);
  }
  if (term.kind === 'text') {
    const match = NAMED.exec(term.text);
    return match === null
      ? actionOf(resolver, classNamed(resolver, term.text, scope))
      : methodOf(resolver, classNamed(resolver, match[1] ?? '', scope), match[2] ?? '');
  }
  if (term.kind === 'join') {
    // `Controller::class . ':show'`
    const [of = 0, method = 0] = term.parts;
    const name = method !== 0 && method.kind === 'text' ? /^[:@](\w+)$/.exec(method.text)?.[1] : undefined;
    return name === undefined ? undefined : methodOf(resolver, classesOf(resolver, of, scope), name);
  }
  if (term.kind === 'name' || term.kind === 'member') return actionOf(resolver, classesOf(resolver, term, scope));
  return undefined;
}

function classesOf(resolver: HandlerResolver, term: Term, scope: Scope): readonly Value[] {
  if (term !== 0 && term.kind === 'text') return classNamed(resolver, term.text, scope);
  const found = resolver.evaluator.values(term, scope).filter(value => value.kind === 'class' || value.kind === 'instance');
  return found.length > 0 || term === 0 || term.kind !== 'member' ? found : classNamed(resolver, namesIn(term).join('\\'), scope);
}

/** Parts of a qualified name. */
function namesIn(term: Term): readonly string[] {
  if (term === 0) return [];
  return term.kind === 'member' ? [...namesIn(term.owner), term.name] : term.kind === 'name' ? [term.name] : [];
}

/** Classes by the last part of their name: in the namespace of controllers that frameworks put in front. The nearest first. */
export function classNamed({ units }: { readonly units: Units }, name: string, scope: Scope): readonly Value[] {
  const parts = aliased(name.replace(/^\\/, '').split('\\'), scope);
  const found = units.classesNamed(parts.at(-1) ?? '').filter(({ file }) => file.language === 'php');
  const namespace = parts.slice(0, -1).join('.');
  const fitting = namespace === '' ? found : found.filter(({ file }) => file.package.endsWith(namespace));
  const [root = ''] = scope.file.path.split('/routes/');
  const near = fitting.filter(({ file }) => file.path.startsWith(root));
  return (near.length > 0 ? near : fitting).map(({ cls, file }) => ({ kind: 'class' as const, cls, scope: file.scope }));
}

/** `use Shop\Orders\Controllers as OrderControllers;`: the namespace behind the first part of a name. */
function aliased(parts: readonly string[], scope: Scope): readonly string[] {
  const [first = '', ...rest] = parts;
  const [imported] = (scope.file.scope.names.get(first) ?? []).flatMap(each => (each.is === 'import' ? [each.step] : []));
  return imported === undefined ? parts : [...`${imported.from}.${imported.name}`.split(/[.\\]/).filter(part => part !== ''), ...rest];
}

function methodOf(resolver: HandlerResolver, classes: readonly Value[], method: string): Handler | undefined {
  for (const value of classes) {
    if (value.kind !== 'class' && value.kind !== 'instance') continue;
    for (const found of resolver.evaluator.member({ kind: 'class', cls: value.cls, scope: value.scope }, method, 0, value.scope)) {
      if (found.kind === 'function') return resolver.handlerOfFunction(found.fn, found.scope.file);
    }
  }
  return undefined;
}

/** The same of a class whose file shows no sign of the web: by its name in the graph, in the folder that is called as its namespace ends. */
function methodReferred({ units }: HandlerResolver, of: Term, method: string, scope: Scope): Handler | undefined {
  const { graph } = units;
  const parts = aliased(namesIn(of), scope);
  const file = `/${parts.slice(-2).join('/')}.php`;
  const classes = graph.named(parts.at(-1) ?? '').filter(node => graph.kindOf(node) === 'class' && !graph.isTest(node));
  const named = classes.length > 1 ? classes.filter(node => `/${graph.node(node).path}`.endsWith(file)) : classes;
  for (const handle of named) {
    const found = graph.find(`${graph.idOf(handle)}::${method}`);
    const node = found === undefined ? undefined : graph.node(found);
    if (node?.path.endsWith('.php') === true) return { symbol: node.id, place: { file: node.path, line: node.nameLine } };
  }
  return undefined;
}

/** A class that is an action by itself. */
function actionOf(resolver: HandlerResolver, classes: readonly Value[]): Handler | undefined {
  const [value] = classes;
  if (value?.kind !== 'class') return undefined;
  return methodOf(resolver, classes, '__invoke') ?? methodOf(resolver, classes, 'handle') ?? resolver.handlerOfFunction(value.cls, value.scope.file);
}
