/** Routes of Laravel: the facade `Route` with groups, resources and files of routes, in the order in which they are nested. */

import { dirname, type WorkspacePath } from '../../../../base/path';
import type { CallTerm, DigestFunction, Step, Term } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Handler } from '../../handlers';
import { own } from '../../own';
import type { FileUnit, Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';
import { classNamed, phpHandler } from './handlers';

const VERBS: Readonly<Record<string, string>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  any: 'ANY',
  view: 'GET',
  livewire: 'GET',
};
/** Actions of a resource: method, path behind the collection (`{}` is the parameter). */
const ACTIONS: readonly (readonly [action: string, method: string, tail: string])[] = [
  ['index', 'GET', ''],
  ['create', 'GET', '/create'],
  ['store', 'POST', ''],
  ['show', 'GET', '/{}'],
  ['edit', 'GET', '/{}/edit'],
  ['update', 'PUT', '/{}'],
  ['update', 'PATCH', '/{}'],
  ['destroy', 'DELETE', '/{}'],
];
const MAX_PREFIXES = 8;
const FORMS: ReadonlySet<string> = new Set(['create', 'edit']);

interface Context {
  readonly prefix: string;
  readonly controller: Term;
}

/** One link of a chain: `Route::prefix('x')->group(…)` has two. */
interface Link {
  readonly name: string;
  readonly call: CallTerm;
}

export const laravelReader: Reader = {
  read(collector) {
    const files = [...collector.units.files.values()].filter(file => file.language === 'php');
    const isRouteFile = (file: FileUnit): boolean => /(?:^|\/)routes?\/[^/]+\.php$/i.test(file.path) || /Route/.test([...file.scope.names.keys()].join(' '));
    const walker = new Walker(collector);
    const candidates = files.filter(isRouteFile);
    // What other files include or mount is known before the files themselves are read.
    for (const file of candidates) walker.noteMounts(file);
    for (const file of candidates) for (const prefix of walker.prefixesOf(file.path)) walker.walk(file.scope.steps, file.scope, { prefix, controller: 0 });
  },
};

class Walker {
  /** Which files include a file of routes, under which prefixes. */
  readonly #mounts = new Map<WorkspacePath, { readonly from: WorkspacePath; readonly prefix: string }[]>();
  #depth = 0;
  #isNoting = false;

  constructor(private readonly collector: RouteCollector) {}

  noteMounts(file: FileUnit): void {
    this.#isNoting = true;
    this.walk(file.scope.steps, file.scope, { prefix: '', controller: 0 });
    this.#isNoting = false;
  }

  /** Prefixes that providers and the application give, else what the framework gives files of its names. */
  prefixesOf(path: WorkspacePath, depth = 4): readonly string[] {
    const mounted = depth === 0 ? undefined : this.#mounts.get(path);
    if (mounted !== undefined) {
      const all = mounted.flatMap(({ from, prefix }) => this.prefixesOf(from, depth - 1).map(above => joinPaths(above, prefix)));
      return [...new Set(all)].slice(0, MAX_PREFIXES);
    }
    return [/(?:^|\/)routes\/api\.php$/.test(path) ? 'api' : ''];
  }

  walk(steps: readonly Step[], scope: Scope, context: Context): void {
    if (this.#depth > 24) return;
    this.#depth++;
    for (const step of steps) {
      if (step.kind === 'do' || step.kind === 'return' || step.kind === 'set') this.#term(step.value, scope, context);
      else if (step.kind === 'let' && step.value !== undefined) this.#term(step.value, scope, context);
      else if (step.kind === 'class') {
        const inner = this.collector.units.scopeOfClass(step.cls, scope);
        for (const member of step.cls.body) if (member.kind === 'fn') this.#function(member.fn, inner, context);
      } else if (step.kind === 'fn') this.#function(step.fn, scope, context);
    }
    this.#depth--;
  }

  #function(fn: DigestFunction, scope: Scope, context: Context): void {
    this.walk(fn.body, this.collector.units.scopeOfFunction(fn, scope), context);
  }

  #term(term: Term, scope: Scope, context: Context): void {
    if (term === 0 || term.kind !== 'call') return;
    if (term.callee !== 0 && term.callee.kind === 'name' && term.callee.name === 'require') return this.#include(term.args[0] ?? 0, scope, context.prefix);
    const links = this.#chain(term, scope);
    if (links === undefined) {
      this.#application(term, scope);
      // Functions that something else is given: `$this->routes(function () { … })`.
      for (const argument of term.args) if (argument !== 0 && argument.kind === 'function') this.#function(argument.fn, scope, context);
      if (term.callee !== 0 && term.callee.kind === 'member') this.#term(term.callee.owner, scope, context);
      return;
    }
    this.#read(links, scope, context);
  }

  /** Links of a chain that begins at the facade. */
  #chain(term: CallTerm, scope: Scope): Link[] | undefined {
    const links: Link[] = [];
    let at: Term = term;
    while (at !== 0 && at.kind === 'call' && at.callee !== 0 && at.callee.kind === 'member') {
      links.unshift({ name: at.callee.name, call: at });
      at = at.callee.owner;
    }
    if (at === 0 || at.kind !== 'name' || links.length === 0) return undefined;
    const isFacade = this.collector.evaluator
      .values(at, scope)
      .some(value => value.kind === 'outside' && (value.path === 'Illuminate.Support.Facades.Route' || value.path === 'Route'));
    return isFacade ? links : undefined;
  }

  #read(links: readonly Link[], scope: Scope, outer: Context): void {
    let { controller, prefix } = outer;
    const served: Link[] = [];
    for (const link of links) {
      const { call, name } = link;
      if (name === 'prefix') prefix = joinPaths(prefix, this.#text(call, 0, scope));
      else if (name === 'controller') controller = call.args[0] ?? 0;
      else if (name === 'group') this.#group(call, scope, { prefix, controller });
      else if (own(VERBS, name) !== undefined || /^(?:match|redirect|permanentRedirect|(?:api)?(?:[rR]esources?|[sS]ingletons?))$/.test(name))
        served.push(link);
    }
    if (this.#isNoting) return;
    for (const { call, name } of served) {
      if (/[rR]esource|[sS]ingleton/.test(name)) this.#resource(name, call, links, scope, { prefix, controller });
      else this.#route(name, call, scope, { prefix, controller });
    }
  }

  /** `group([...], fn)`, `group(fn)`, `group(base_path('routes/api.php'))` */
  #group(call: CallTerm, scope: Scope, context: Context): void {
    const given = this.collector.evaluator.argument(call, 'prefix', scope);
    const own = given === undefined ? '' : (this.collector.evaluator.texts(given.term, given.scope).map(pathOf)[0] ?? '');
    const prefix = own === '' ? context.prefix : joinPaths(context.prefix, own);
    const by = this.collector.evaluator.argument(call, 'controller', scope)?.term ?? context.controller;
    const last = call.args.at(-1) ?? 0;
    if (last !== 0 && last.kind === 'function') this.#function(last.fn, scope, { prefix, controller: by });
    else this.#include(last, scope, prefix);
  }

  /** A file of routes that another one takes in. */
  #include(term: Term, scope: Scope, prefix: string): void {
    const named = pathWords(term).join('');
    const tail = /[\w/.-]*\w\.php$/.exec(named)?.[0].replace(/^(?:\.{0,2}\/)+/, '');
    if (tail === undefined || !this.#isNoting) return;
    const near = dirname(scope.file.path);
    const fitting = [...this.collector.units.files.keys()].filter(path => path.endsWith(tail) && path !== scope.file.path);
    const target = fitting.toSorted((left, right) => shared(right, near) - shared(left, near))[0];
    if (target !== undefined) this.#mounts.set(target, [...(this.#mounts.get(target) ?? []), { from: scope.file.path, prefix }]);
  }

  /** `->withRouting(api: __DIR__.'/../routes/api.php', apiPrefix: 'x')` */
  #application(term: CallTerm, scope: Scope): void {
    if (term.callee === 0 || term.callee.kind !== 'member' || term.callee.name !== 'withRouting') return;
    const given = (name: string): Term => term.args.flatMap(each => (each !== 0 && each.kind === 'named' && each.name === name ? [each.value] : []))[0] ?? 0;
    const prefix = this.collector.evaluator.texts(given('apiPrefix'), scope).map(pathOf)[0] ?? 'api';
    this.#include(given('api'), scope, prefix);
    this.#include(given('web'), scope, '');
  }

  #text(call: CallTerm, at: number, scope: Scope): string {
    const texts = this.collector.evaluator.textsAt(call, at, scope).map(pathOf);
    if (texts.length === 0 && !this.#isNoting) this.collector.skip(COMPUTED.route, scope.file, call.position);
    return texts[0] ?? '';
  }

  #route(name: string, call: CallTerm, scope: Scope, { controller, prefix }: Context): void {
    const at = name === 'match' ? 1 : 0;
    if (call.args.length <= at) return;
    const methods =
      name === 'match' ? methodNames(call.args[0] ?? 0, scope, this.collector.evaluator).map(method => method.toUpperCase()) : [own(VERBS, name) ?? 'ANY'];
    const target = call.args[at + 1] ?? 0;
    for (const text of this.collector.evaluator.textsAt(call, at, scope).map(pathOf)) {
      for (const method of methods) {
        const handler =
          name === 'view' || /redirect/i.test(name)
            ? { symbol: undefined, place: this.collector.placeOf(scope.file, call.position) }
            : this.#handler(target, controller, call, scope);
        this.#add(method, joinPaths(prefix, text), handler, call, scope);
      }
    }
    if (this.collector.evaluator.textsAt(call, at, scope).length === 0) this.collector.skip(COMPUTED.route, scope.file, call.position);
  }

  /** A method by its name alone is one of the controller of the group. */
  #handler(target: Term, controller: Term, call: CallTerm, scope: Scope): Handler {
    const own =
      controller !== 0 && target !== 0 && target.kind === 'text'
        ? phpHandler(this.collector.handlers, { kind: 'list', items: [controller, target] }, scope)
        : undefined;
    const uses = target !== 0 && target.kind === 'object' ? target.entries.find(([key]) => key === 'uses')?.[1] : undefined;
    const found = own ?? this.collector.handlerOf(uses ?? target, scope);
    return found.symbol === undefined && found.place.line <= 1 ? { ...found, place: this.collector.placeOf(scope.file, call.position) } : found;
  }

  #add(method: string, path: string, handler: Handler, call: CallTerm, scope: Scope): void {
    const plain = path.replace(/\{(\w+)(?::\w+)?\??\}/g, '{$1}');
    this.collector.add({
      method,
      path: plain,
      handler,
      framework: 'laravel',
      confidence: SERVICE_CONFIDENCE.writtenRoute,
      place: this.collector.placeOf(scope.file, call.position),
    });
  }

  /** `resource('photos', PhotoController::class)->only([...])`, `resources([...])`, nested ones by dots. */
  #resource(kind: string, call: CallTerm, links: readonly Link[], scope: Scope, { prefix }: Context): void {
    const [first = 0, controller = 0] = call.args;
    if (first !== 0 && first.kind === 'object') {
      for (const [name, each] of first.entries) this.#actions(kind, name, each, call, links, scope, prefix);
      return;
    }
    const [name] = this.collector.evaluator.textsAt(call, 0, scope).map(pathOf);
    if (name === undefined) return this.collector.skip(COMPUTED.route, scope.file, call.position);
    this.#actions(kind, name, controller, call, links, scope, prefix);
  }

  #actions(kind: string, name: string, controller: Term, call: CallTerm, links: readonly Link[], scope: Scope, prefix: string): void {
    const isSingleton = /[sS]ingleton/.test(kind);
    const isApi = kind.startsWith('api') || this.#listed(links, call, 'only', scope)?.length === 0;
    const only = this.#listed(links, call, 'only', scope);
    const except = this.#listed(links, call, 'except', scope) ?? [];
    const isShallow = links.some(link => link.name === 'shallow');
    const parts = name.replace(/^\/|\/$/g, '').split('.');
    const own = parts.at(-1) ?? '';
    const parents = parts.slice(0, -1).map(part => `${part}/{${parameterOf(part)}}`);
    const classes =
      controller !== 0 && controller.kind === 'text' ? classNamed(this.collector, controller.text, scope) : this.collector.evaluator.values(controller, scope);
    for (const [action, method, tail] of ACTIONS) {
      if ((isApi && FORMS.has(action)) || (only !== undefined && !only.includes(action)) || except.includes(action)) continue;
      if (isSingleton && !['show', 'edit', 'update'].includes(action)) continue;
      const [found] = classes.flatMap(value => (value.kind === 'class' ? this.collector.evaluator.member(value, action, 0, scope) : []));
      const handler =
        found?.kind === 'function'
          ? this.collector.handlerOfFunction(found.fn, found.scope.file)
          : { symbol: undefined, place: this.collector.placeOf(scope.file, call.position) };
      const end = isSingleton ? tail.replace('/{}', '') : tail.replace('{}', `{${parameterOf(own)}}`);
      const above = isShallow && tail.startsWith('/{}') ? [] : parents;
      this.#add(method, joinPaths(prefix, ...above, own) + end, handler, call, scope);
    }
  }

  /** Actions that `only` or `except` list, as a link or among the options. */
  #listed(links: readonly Link[], call: CallTerm, word: 'only' | 'except', scope: Scope): readonly string[] | undefined {
    const link = links.find(each => each.name === word);
    if (link !== undefined) return link.call.args.flatMap(term => this.collector.evaluator.texts(term, scope).map(pathOf));
    const option = this.collector.evaluator.argument(call, word, scope);
    return option === undefined ? undefined : this.collector.evaluator.texts(option.term, option.scope).map(pathOf);
  }
}

/** The singular that names the parameter: `photos` → `photo`, `categories` → `category`, `user-posts` → `user_post`. */
export function parameterOf(plural: string): string {
  const last = plural.split('/').at(-1) ?? plural;
  const word = last.replaceAll('-', '_');
  if (word.endsWith('ies')) return word.replace(/ies$/, 'y');
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.replace(/es$/, '');
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Literal parts of a path. */
function pathWords(term: Term): string[] {
  if (term === 0) return [];
  if (term.kind === 'text') return [term.text];
  if (term.kind === 'join') return term.parts.flatMap(pathWords);
  return term.kind === 'call' ? term.args.flatMap(pathWords).slice(-1) : [];
}

function shared(left: string, right: string): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count++;
  return count;
}
