/** Django's URL lists: `urlpatterns` from the root down, includes, view classes, routers and view sets of the REST framework. */

import { dirname } from '../../../../base/path';
import { type CallTerm, type DigestClass, type DigestFunction, lineOfPosition, type Term, wordsIn } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import type { FileUnit, Scope } from '../../units';
import { joinPaths, pathOf, type Value } from '../../values';

const HTTP = ['get', 'post', 'put', 'patch', 'delete'] as const;
const MAX_DEPTH = 8;
/** Methods that generic views of the REST framework bring, by words of their names. */
const GENERIC: Readonly<Record<string, readonly string[]>> = {
  ListAPIView: ['get'],
  CreateAPIView: ['post'],
  RetrieveAPIView: ['get'],
  UpdateAPIView: ['put', 'patch'],
  DestroyAPIView: ['delete'],
  ListCreateAPIView: ['get', 'post'],
  RetrieveUpdateAPIView: ['get', 'put', 'patch'],
  RetrieveDestroyAPIView: ['get', 'delete'],
  RetrieveUpdateDestroyAPIView: ['get', 'put', 'patch', 'delete'],
  TemplateView: ['get'],
  ListView: ['get'],
  DetailView: ['get'],
  RedirectView: ['get'],
  FormView: ['get', 'post'],
  CreateView: ['get', 'post'],
  UpdateView: ['get', 'post'],
  DeleteView: ['get', 'post'],
  ObtainAuthToken: ['post'],
  TokenObtainPairView: ['post'],
  TokenObtainSlidingView: ['post'],
  TokenRefreshView: ['post'],
  TokenRefreshSlidingView: ['post'],
  TokenVerifyView: ['post'],
  TokenBlacklistView: ['post'],
};
/** Views of libraries that applications serve as they are. */
const READY_VIEW = /^(?:Obtain|Token)\w+$/;
/** The function of a mixin that does what a method of a view set or a generic view does. */
const ACTIONS: Readonly<Record<string, { readonly method: string; readonly isDetail: boolean; readonly mixin: string }>> = {
  list: { method: 'GET', isDetail: false, mixin: 'List' },
  create: { method: 'POST', isDetail: false, mixin: 'Create' },
  retrieve: { method: 'GET', isDetail: true, mixin: 'Retrieve' },
  update: { method: 'PUT', isDetail: true, mixin: 'Update' },
  partial_update: { method: 'PATCH', isDetail: true, mixin: 'Update' },
  destroy: { method: 'DELETE', isDetail: true, mixin: 'Destroy' },
};
const VIEWSET_MIXINS: Readonly<Record<string, readonly string[]>> = {
  ModelViewSet: ['List', 'Create', 'Retrieve', 'Update', 'Destroy'],
  ReadOnlyModelViewSet: ['List', 'Retrieve'],
};

export const djangoReader: Reader = {
  read(collector) {
    const lists = [...collector.units.files.values()].filter(file => file.path.endsWith('.py') && file.scope.names.has('urlpatterns'));
    const included = new Set<string>();
    for (const file of lists) noteIncludes(collector, file, included);
    for (const file of lists) if (!included.has(file.path)) new UrlList(collector).file(file, '', MAX_DEPTH);
  },
};

function noteIncludes(collector: RouteCollector, file: FileUnit, included: Set<string>): void {
  for (const { call, scope } of collector.visits) {
    if (scope.file !== file || termName(call.callee) !== 'include') continue;
    for (const target of new UrlList(collector).included(call, scope)) if (target !== file) included.add(target.path);
  }
}

class UrlList {
  readonly #seen = new Set<FileUnit>();

  constructor(private readonly collector: RouteCollector) {}

  file(file: FileUnit, prefix: string, depth: number): void {
    if (depth === 0 || this.#seen.has(file)) return;
    this.#seen.add(file);
    for (const step of file.scope.steps) {
      if (step.kind === 'let' && step.name === 'urlpatterns') this.#list(step.value ?? 0, file.scope, prefix, depth);
    }
    this.#seen.delete(file);
  }

  #list(term: Term, scope: Scope, prefix: string, depth: number): void {
    if (term === 0 || depth === 0) return;
    if (term.kind === 'join' || term.kind === 'any') for (const part of term.parts) this.#list(part, scope, prefix, depth);
    else if (term.kind === 'list') for (const item of term.items) this.#list(item, scope, prefix, depth);
    else if (term.kind === 'call') this.#entry(term, scope, prefix, depth);
    else if (term.kind === 'member' && term.name === 'urls') this.#router(term.owner, scope, prefix);
    else
      for (const value of this.collector.evaluator.values(term, scope))
        if (value.kind === 'list') for (const item of value.items) this.#list(item, value.scope, prefix, depth - 1);
  }

  #entry(call: CallTerm, scope: Scope, prefix: string, depth: number): void {
    const name = termName(call.callee);
    if (name !== 'path' && name !== 're_path' && name !== 'url') {
      for (const argument of call.args)
        if (argument !== 0 && (argument.kind === 'list' || argument.kind === 'call')) this.#list(argument, scope, prefix, depth - 1);
      return;
    }
    const texts = this.collector.evaluator.textsAt(call, [0, 'route', 'regex'], scope);
    const [first] = texts;
    if (first === undefined) return this.collector.skip(COMPUTED.route, scope.file, call.position);
    const written = pathOf(first);
    const path = joinPaths(prefix, name === 'path' ? written : plainOfPattern(written));
    const view = this.collector.evaluator.argument(call, [1, 'view'], scope);
    if (view === undefined || view.term === 0) return;
    if (view.term.kind === 'call' && termName(view.term.callee) === 'include') this.#include(view.term, view.scope, path, depth);
    else this.#view(view.term, view.scope, path, call.position, scope);
  }

  #include(call: CallTerm, scope: Scope, prefix: string, depth: number): void {
    const files = this.included(call, scope);
    for (const file of files) this.file(file, prefix, depth - 1);
    if (files.length > 0) return;
    const [argument = 0] = call.args;
    const inner =
      argument !== 0 && argument.kind === 'list' && argument.items[0] !== undefined && argument.items[0] !== 0 && argument.items[0].kind !== 'call'
        ? argument.items[0]
        : argument;
    this.#list(inner, scope, prefix, depth - 1);
  }

  /** Files that an `include` names. */
  included(call: CallTerm, scope: Scope): readonly FileUnit[] {
    const [first = 0] = call.args;
    const argument = first !== 0 && first.kind === 'list' ? (first.items[0] ?? 0) : first;
    if (argument === 0) return [];
    if (argument.kind === 'text') {
      const wanted = `${argument.text.replaceAll('.', '/')}.py`;
      const files = [...this.collector.units.files.values()].filter(file => file.path === wanted || file.path.endsWith(`/${wanted}`));
      return files.sort((left, right) => shared(right.path, scope.file.path) - shared(left.path, scope.file.path)).slice(0, 1);
    }
    return this.collector.evaluator.values(argument, scope).flatMap(value => (value.kind === 'module' ? [value.file] : []));
  }

  #view(term: Term, scope: Scope, path: string, position: number, at: Scope): void {
    if (term !== 0 && term.kind === 'call' && term.callee !== 0 && term.callee.kind === 'member' && term.callee.name === 'as_view')
      return this.#classView(term, term.callee.owner, scope, path, position, at);
    // A decorator around a view: `csrf_exempt(view)`, `login_required(View.as_view())`.
    if (term !== 0 && term.kind === 'call' && term.args.length > 0 && term.callee !== 0) {
      const inner = term.args.at(-1) ?? 0;
      if (inner !== 0 && (inner.kind === 'call' || inner.kind === 'name' || inner.kind === 'member')) return this.#view(inner, scope, path, position, at);
    }
    if (term !== 0 && term.kind === 'member' && term.name === 'urls') return;
    this.#addPlain(term, scope, path, position, at);
  }

  /** `Orders.as_view()` */
  #classView(term: CallTerm, viewed: Term, scope: Scope, path: string, position: number, at: Scope): void {
    const classes = this.collector.evaluator.values(viewed, scope).filter(value => value.kind === 'class');
    for (const value of classes) this.#viewClass(value, term, path, position, at);
    const name = termName(viewed);
    if (classes.length > 0 || name === 'TemplateView' || name === 'RedirectView') return;
    const ready = READY_VIEW.test(name) ? own(GENERIC, name) : undefined;
    if (ready === undefined) this.#addPlain(term, scope, path, position, at);
    for (const method of ready ?? []) this.#add(method.toUpperCase(), path, this.collector.handlerOf(term, scope), position, at);
  }

  #addPlain(term: Term, scope: Scope, path: string, position: number, at: Scope): void {
    const functions = this.collector.evaluator.values(term, scope).filter(value => value.kind === 'function');
    const [view] = functions;
    const methods = view?.kind === 'function' ? allowedMethods(view.fn) : ['ANY'];
    if (functions.length === 0 && this.collector.evaluator.values(term, scope).every(value => value.kind === 'outside')) return;
    for (const method of methods) this.#add(method, path, this.collector.handlerOf(term, scope), position, at);
  }

  #viewClass(value: Extract<Value, { kind: 'class' }>, call: CallTerm, path: string, position: number, at: Scope): void {
    const [mapping] = call.args;
    if (mapping !== undefined && mapping !== 0 && mapping.kind === 'object') {
      for (const [method, action] of mapping.entries) {
        const name = action !== 0 && action.kind === 'text' ? action.text : '';
        this.#add(method.toUpperCase(), path, this.#methodHandler(value, name), position, at);
      }
      return;
    }
    for (const method of this.#methodsOf(value, 5)) this.#add(method.toUpperCase(), path, this.#methodHandler(value, method), position, at);
  }

  /** Methods that a view class answers: its own, those of its bases in the workspace, those of generic views. */
  #methodsOf(value: Extract<Value, { kind: 'class' }>, depth: number): readonly string[] {
    const found = new Set<string>();
    for (const step of value.cls.body) if (step.kind === 'fn' && (HTTP as readonly string[]).includes(step.fn.name)) found.add(step.fn.name);
    for (const base of depth === 0 ? [] : value.cls.bases) {
      const classes = this.collector.evaluator.values(base, value.scope).filter(each => each.kind === 'class');
      for (const each of classes) for (const method of this.#methodsOf(each, depth - 1)) found.add(method);
      if (classes.length === 0) for (const method of own(GENERIC, termName(base)) ?? []) found.add(method);
    }
    const names = value.cls.body.find(step => step.kind === 'let' && step.name === 'http_method_names');
    const allowed =
      names?.kind === 'let' && names.value !== undefined && names.value !== 0 && names.value.kind === 'list'
        ? names.value.items.map(each => (each !== 0 && each.kind === 'text' ? each.text : ''))
        : undefined;
    return HTTP.filter(method => found.has(method) && (allowed === undefined || allowed.includes(method)));
  }

  /** The method that answers, else the class. */
  #methodHandler(value: Extract<Value, { kind: 'class' }>, method: string): ReturnType<RouteCollector['handlerOf']> {
    const actions: Readonly<Record<string, readonly string[]>> = {
      get: ['get', 'list', 'retrieve'],
      post: ['post', 'create'],
      put: ['put', 'update'],
      patch: ['patch', 'partial_update', 'update'],
      delete: ['delete', 'destroy'],
    };
    for (const name of own(actions, method) ?? [method]) {
      const fn = this.#method(value, name, 5);
      if (fn !== undefined) return this.collector.handlerOfFunction(fn.fn, fn.file);
    }
    return this.collector.handlerOfFunction(value.cls, value.scope.file);
  }

  #method(value: Extract<Value, { kind: 'class' }>, name: string, depth: number): { readonly fn: DigestFunction; readonly file: FileUnit } | undefined {
    const own = value.cls.body.find(step => step.kind === 'fn' && step.fn.name === name);
    if (own?.kind === 'fn') return { fn: own.fn, file: value.scope.file };
    for (const base of depth === 0 ? [] : value.cls.bases) {
      for (const each of this.collector.evaluator.values(base, value.scope)) {
        const found = each.kind === 'class' ? this.#method(each, name, depth - 1) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** `router.urls`: what was registered with the router. */
  #router(term: Term, scope: Scope, prefix: string): void {
    const { collector } = this;
    const made = collector.evaluator.values(term, scope).filter(value => value.kind === 'made' && value.path.endsWith('Router'));
    for (const visit of collector.visits) {
      const { callee } = visit.call;
      if (callee === 0 || callee.kind !== 'member' || callee.name !== 'register') continue;
      const routers = collector.evaluator.values(callee.owner, visit.scope).filter(value => value.kind === 'made' && value.path.endsWith('Router'));
      if (!routers.some(router => made.some(other => other.kind === 'made' && router.kind === 'made' && other.call === router.call))) continue;
      const name = collector.evaluator.textsAt(visit.call, [0, 'prefix'], visit.scope).map(pathOf)[0];
      if (name === undefined) continue;
      const [router] = routers;
      const isBare = router?.kind === 'made' && router.call !== undefined && wordsIn(router.call.args).includes('trailing_slash');
      const view = collector.evaluator.argument(visit.call, [1, 'viewset'], visit.scope);
      for (const value of view === undefined ? [] : collector.evaluator.values(view.term, view.scope)) {
        if (value.kind === 'class') this.#viewSet(value, joinPaths(prefix, plainOfPattern(name)), isBare ? '' : '/', visit.call.position, visit.scope);
      }
    }
  }

  #viewSet(value: Extract<Value, { kind: 'class' }>, path: string, slash: string, position: number, at: Scope): void {
    const lookup = textField(value.cls, 'lookup_url_kwarg') ?? textField(value.cls, 'lookup_field') ?? 'pk';
    const mixins = this.#mixinsOf(value, 5);
    for (const [name, { method, isDetail, mixin }] of Object.entries(ACTIONS)) {
      const fn = this.#method(value, name, 5);
      if (fn === undefined && !mixins.has(mixin)) continue;
      const handler = fn === undefined ? this.collector.handlerOfFunction(value.cls, value.scope.file) : this.collector.handlerOfFunction(fn.fn, fn.file);
      this.#add(method, `${isDetail ? joinPaths(path, `{${lookup}}`) : path}${slash}`, handler, position, at);
    }
    for (const { action, file, fn, scope } of this.#actionsOf(value, 5).values()) {
      const isDetail = termName(action.callee) === 'detail_route' || (termName(action.callee) === 'action' && isDetailAction(action));
      const own = this.collector.evaluator.textsAt(action, 'url_path', scope).map(pathOf)[0] ?? fn.name;
      const methods = methodsIn(action.args);
      const base = isDetail ? joinPaths(path, `{${lookup}}`) : path;
      for (const method of methods.length === 0 ? ['GET'] : methods)
        this.#add(method, `${joinPaths(base, plainOfPattern(own))}${slash}`, this.collector.handlerOfFunction(fn, file), position, at);
    }
  }

  /** Functions that a view set serves beside the usual ones, by name: its own before those of its bases in the workspace. */
  #actionsOf({ cls, scope }: Extract<Value, { kind: 'class' }>, depth: number): ReadonlyMap<string, ExtraAction> {
    const found = new Map<string, ExtraAction>();
    for (const base of depth === 0 ? [] : cls.bases.toReversed()) {
      for (const each of this.collector.evaluator.values(base, scope))
        if (each.kind === 'class') for (const [name, action] of this.#actionsOf(each, depth - 1)) found.set(name, action);
    }
    for (const step of cls.body) {
      if (step.kind !== 'fn') continue;
      const action = step.fn.decorators?.find(term => term !== 0 && term.kind === 'call' && /^(?:action|detail_route|list_route)$/.test(termName(term.callee)));
      if (action !== undefined && action !== 0 && action.kind === 'call') found.set(step.fn.name, { action, fn: step.fn, file: scope.file, scope });
      else found.delete(step.fn.name);
    }
    return found;
  }

  #mixinsOf(value: Extract<Value, { kind: 'class' }>, depth: number): ReadonlySet<string> {
    const found = new Set<string>();
    for (const base of depth === 0 ? [] : value.cls.bases) {
      const name = termName(base);
      for (const mixin of own(VIEWSET_MIXINS, name) ?? []) found.add(mixin);
      const mixin = /^(List|Create|Retrieve|Update|Destroy)ModelMixin$/.exec(name)?.[1];
      if (mixin !== undefined) found.add(mixin);
      for (const each of this.collector.evaluator.values(base, value.scope))
        if (each.kind === 'class') for (const one of this.#mixinsOf(each, depth - 1)) found.add(one);
    }
    return found;
  }

  #add(method: string, path: string, handler: ReturnType<RouteCollector['handlerOf']>, position: number, at: Scope): void {
    this.collector.add({
      method,
      path,
      handler,
      framework: 'django',
      confidence: SERVICE_CONFIDENCE.joinedRoute,
      place: { file: at.file.path, line: lineOfPosition(position) + 1 },
    });
  }
}

interface ExtraAction {
  /** Its decorator. */
  readonly action: CallTerm;
  readonly fn: DigestFunction;
  readonly file: FileUnit;
  readonly scope: Scope;
}

/** `@action(detail=True)`: literals other than texts are not in digests, so a parameter beside the request tells. */
function isDetailAction(action: CallTerm): boolean {
  return action.args.some(
    term => term !== 0 && term.kind === 'named' && term.name === 'detail' && term.value !== 0 && term.value.kind === 'name' && term.value.name === 'True',
  );
}

function textField(cls: DigestClass, name: string): string | undefined {
  const step = cls.body.find(each => each.kind === 'let' && each.name === name);
  return step?.kind === 'let' && step.value !== undefined && step.value !== 0 && step.value.kind === 'text' ? step.value.text : undefined;
}

/** `@api_view(['GET'])`, `@require_http_methods([...])`, `@require_GET` */
function allowedMethods(fn: DigestFunction): readonly string[] {
  for (const term of fn.decorators ?? []) {
    const name = term !== 0 && term.kind === 'call' ? termName(term.callee) : termName(term);
    if (/^require_(GET|POST|safe)$/.test(name)) return [name === 'require_safe' ? 'GET' : name.slice(8)];
    if (!/^(?:api_view|require_http_methods)$/.test(name)) continue;
    const methods = methodsIn(term);
    return methods.length === 0 ? ['GET'] : methods;
  }
  return ['ANY'];
}

function methodsIn(part: Term | readonly Term[]): string[] {
  return wordsIn(part)
    .filter(word => /^(?:GET|POST|PUT|PATCH|DELETE)$/i.test(word))
    .map(word => word.toUpperCase());
}

/** A pattern as a path: named groups become parameters. */
function plainOfPattern(pattern: string): string {
  let out = '';
  for (let index = 0; index < pattern.length; index++) {
    if (pattern[index] !== '(') {
      out += pattern[index];
      continue;
    }
    let depth = 1;
    const start = index;
    while (depth > 0 && ++index < pattern.length) depth += pattern[index] === '(' ? 1 : pattern[index] === ')' ? -1 : 0;
    const group = pattern.slice(start, index + 1);
    const name = /^\(\?P?<(\w+)>/.exec(group)?.[1];
    if (name !== undefined) out += `{${name}}`;
    else if (!group.startsWith('(?:')) out += '{value}';
  }
  return out
    .replace(/[\^$]/g, '')
    .replace(/(?<!\\)\.[*+]|\\[dDwWsS][*+]?/g, '{value}')
    .replace(/\\(.)/g, '$1')
    .replace(/\/\?$/, '')
    .replace(/[+*?]/g, '');
}

function termName(term: Term): string {
  if (term === 0) return '';
  if (term.kind === 'name' || term.kind === 'member') return term.name;
  return term.kind === 'generic' ? termName(term.base) : '';
}

function shared(left: string, right: string): number {
  const args = dirname(left).split('/');
  const body = dirname(right).split('/');
  let count = 0;
  while (count < args.length && args[count] === body[count]) count++;
  return count;
}
