/** Django's URL lists: `urlpatterns` from the root down, includes, view classes, routers and view sets of the REST framework. */

import { dirname } from '../../../../base/path';
import { type CallTerm, type DigestClass, type DigestFunction, lineOfPosition, type Term } from '../../../../model/digest';
import type { Reader, RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
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
};
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
    if (scope.file !== file || lastName(call.f) !== 'include') continue;
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
      if (step.s === 'let' && step.v === 'urlpatterns') this.#list(step.x ?? 0, file.scope, prefix, depth);
    }
    this.#seen.delete(file);
  }

  #list(term: Term, scope: Scope, prefix: string, depth: number): void {
    if (term === 0 || depth === 0) return;
    if (term.k === '+' || term.k === '|') for (const part of term.of) this.#list(part, scope, prefix, depth);
    else if (term.k === 'l') for (const item of term.of) this.#list(item, scope, prefix, depth);
    else if (term.k === 'call') this.#entry(term, scope, prefix, depth);
    else if (term.k === 'm' && term.v === 'urls') this.#router(term.of, scope, prefix);
    else
      for (const value of this.collector.evaluator.values(term, scope))
        if (value.k === 'list') for (const item of value.items) this.#list(item, value.scope, prefix, depth - 1);
  }

  #entry(call: CallTerm, scope: Scope, prefix: string, depth: number): void {
    const name = lastName(call.f);
    if (name !== 'path' && name !== 're_path' && name !== 'url') {
      for (const argument of call.a) if (argument !== 0 && (argument.k === 'l' || argument.k === 'call')) this.#list(argument, scope, prefix, depth - 1);
      return;
    }
    const texts = this.collector.evaluator.textsAt(call, [0, 'route', 'regex'], scope);
    const [first] = texts;
    if (first === undefined) return this.collector.skip(COMPUTED.route, scope.file, call.p);
    const written = pathOf(first);
    const path = joinPaths(prefix, name === 'path' ? written : plainOfPattern(written));
    const view = this.collector.evaluator.argument(call, [1, 'view'], scope);
    if (view === undefined || view.term === 0) return;
    if (view.term.k === 'call' && lastName(view.term.f) === 'include') this.#include(view.term, view.scope, path, depth);
    else this.#view(view.term, view.scope, path, call.p, scope);
  }

  #include(call: CallTerm, scope: Scope, prefix: string, depth: number): void {
    const files = this.included(call, scope);
    for (const file of files) this.file(file, prefix, depth - 1);
    if (files.length > 0) return;
    const [argument = 0] = call.a;
    const inner =
      argument !== 0 && argument.k === 'l' && argument.of[0] !== undefined && argument.of[0] !== 0 && argument.of[0].k !== 'call' ? argument.of[0] : argument;
    this.#list(inner, scope, prefix, depth - 1);
  }

  /** Files that an `include` names. */
  included(call: CallTerm, scope: Scope): readonly FileUnit[] {
    const [first = 0] = call.a;
    const argument = first !== 0 && first.k === 'l' ? (first.of[0] ?? 0) : first;
    if (argument === 0) return [];
    if (argument.k === 's') {
      const wanted = `${argument.v.replaceAll('.', '/')}.py`;
      const files = [...this.collector.units.files.values()].filter(file => file.path === wanted || file.path.endsWith(`/${wanted}`));
      return files.sort((left, right) => shared(right.path, scope.file.path) - shared(left.path, scope.file.path)).slice(0, 1);
    }
    return this.collector.evaluator.values(argument, scope).flatMap(value => (value.k === 'module' ? [value.file] : []));
  }

  #view(term: Term, scope: Scope, path: string, p: number, at: Scope): void {
    const { evaluator } = this.collector;
    if (term !== 0 && term.k === 'call' && term.f !== 0 && term.f.k === 'm' && term.f.v === 'as_view') {
      const viewed = term.f;
      const classes = evaluator.values(viewed.of, scope).filter(value => value.k === 'class');
      for (const value of classes) this.#viewClass(value, term, path, p, at);
      if (classes.length === 0 && lastName(viewed.of) !== 'TemplateView' && lastName(viewed.of) !== 'RedirectView') this.#addPlain(term, scope, path, p, at);
      return;
    }
    // A decorator around a view: `csrf_exempt(view)`, `login_required(View.as_view())`.
    if (term !== 0 && term.k === 'call' && term.a.length > 0 && term.f !== 0) {
      const inner = term.a.at(-1) ?? 0;
      if (inner !== 0 && (inner.k === 'call' || inner.k === 'n' || inner.k === 'm')) return this.#view(inner, scope, path, p, at);
    }
    if (term !== 0 && term.k === 'm' && term.v === 'urls') return;
    this.#addPlain(term, scope, path, p, at);
  }

  #addPlain(term: Term, scope: Scope, path: string, p: number, at: Scope): void {
    const functions = this.collector.evaluator.values(term, scope).filter(value => value.k === 'function');
    const [view] = functions;
    const methods = view?.k === 'function' ? allowedMethods(view.fn) : ['ANY'];
    if (functions.length === 0 && this.collector.evaluator.values(term, scope).every(value => value.k === 'outside')) return;
    for (const method of methods) this.#add(method, path, this.collector.handlerOf(term, scope), p, at);
  }

  #viewClass(value: Extract<Value, { k: 'class' }>, call: CallTerm, path: string, p: number, at: Scope): void {
    const [mapping] = call.a;
    if (mapping !== undefined && mapping !== 0 && mapping.k === 'o') {
      for (const [method, action] of mapping.of) {
        const name = action !== 0 && action.k === 's' ? action.v : '';
        this.#add(method.toUpperCase(), path, this.#methodHandler(value, name), p, at);
      }
      return;
    }
    for (const method of this.#methodsOf(value, 5)) this.#add(method.toUpperCase(), path, this.#methodHandler(value, method), p, at);
  }

  /** Methods that a view class answers: its own, those of its bases in the workspace, those of generic views. */
  #methodsOf(value: Extract<Value, { k: 'class' }>, depth: number): readonly string[] {
    const found = new Set<string>();
    for (const step of value.c.b) if (step.s === 'fn' && (HTTP as readonly string[]).includes(step.fn.v)) found.add(step.fn.v);
    for (const base of depth === 0 ? [] : value.c.bases) {
      const classes = this.collector.evaluator.values(base, value.scope).filter(each => each.k === 'class');
      for (const each of classes) for (const method of this.#methodsOf(each, depth - 1)) found.add(method);
      if (classes.length === 0) for (const method of GENERIC[lastName(base)] ?? mixedMethods(lastName(base), value.c)) found.add(method);
    }
    const names = value.c.b.find(step => step.s === 'let' && step.v === 'http_method_names');
    const allowed =
      names?.s === 'let' && names.x !== undefined && names.x !== 0 && names.x.k === 'l'
        ? names.x.of.map(each => (each !== 0 && each.k === 's' ? each.v : ''))
        : undefined;
    return HTTP.filter(method => found.has(method) && (allowed === undefined || allowed.includes(method)));
  }

  /** The method that answers, else the class. */
  #methodHandler(value: Extract<Value, { k: 'class' }>, method: string): ReturnType<RouteCollector['handlerOf']> {
    const actions: Readonly<Record<string, readonly string[]>> = {
      get: ['get', 'list', 'retrieve'],
      post: ['post', 'create'],
      put: ['put', 'update'],
      patch: ['patch', 'partial_update', 'update'],
      delete: ['delete', 'destroy'],
    };
    for (const name of actions[method] ?? [method]) {
      const fn = this.#method(value, name, 5);
      if (fn !== undefined) return this.collector.handlerOfFunction(fn.fn, fn.file);
    }
    return this.collector.handlerOfFunction(value.c, value.scope.file);
  }

  #method(value: Extract<Value, { k: 'class' }>, name: string, depth: number): { readonly fn: DigestFunction; readonly file: FileUnit } | undefined {
    const own = value.c.b.find(step => step.s === 'fn' && step.fn.v === name);
    if (own?.s === 'fn') return { fn: own.fn, file: value.scope.file };
    for (const base of depth === 0 ? [] : value.c.bases) {
      for (const each of this.collector.evaluator.values(base, value.scope)) {
        const found = each.k === 'class' ? this.#method(each, name, depth - 1) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** `router.urls`: what was registered with the router. */
  #router(term: Term, scope: Scope, prefix: string): void {
    const { collector } = this;
    const made = collector.evaluator.values(term, scope).filter(value => value.k === 'made' && value.path.endsWith('Router'));
    for (const visit of collector.visits) {
      const { f } = visit.call;
      if (f === 0 || f.k !== 'm' || f.v !== 'register') continue;
      const routers = collector.evaluator.values(f.of, visit.scope).filter(value => value.k === 'made' && value.path.endsWith('Router'));
      if (!routers.some(router => made.some(other => other.k === 'made' && router.k === 'made' && other.call === router.call))) continue;
      const name = collector.evaluator.textsAt(visit.call, [0, 'prefix'], visit.scope).map(pathOf)[0];
      if (name === undefined) continue;
      const [router] = routers;
      const isBare = router?.k === 'made' && router.call !== undefined && JSON.stringify(router.call.a).includes('trailing_slash');
      const view = collector.evaluator.argument(visit.call, [1, 'viewset'], visit.scope);
      for (const value of view === undefined ? [] : collector.evaluator.values(view.term, view.scope)) {
        if (value.k === 'class') this.#viewSet(value, joinPaths(prefix, plainOfPattern(name)), isBare ? '' : '/', visit.call.p, visit.scope);
      }
    }
  }

  #viewSet(value: Extract<Value, { k: 'class' }>, path: string, slash: string, p: number, at: Scope): void {
    const lookup = textField(value.c, 'lookup_url_kwarg') ?? textField(value.c, 'lookup_field') ?? 'pk';
    const mixins = this.#mixinsOf(value, 5);
    for (const [name, { method, isDetail, mixin }] of Object.entries(ACTIONS)) {
      const fn = this.#method(value, name, 5);
      if (fn === undefined && !mixins.has(mixin)) continue;
      const handler = fn === undefined ? this.collector.handlerOfFunction(value.c, value.scope.file) : this.collector.handlerOfFunction(fn.fn, fn.file);
      this.#add(method, `${isDetail ? joinPaths(path, `{${lookup}}`) : path}${slash}`, handler, p, at);
    }
    for (const step of value.c.b) {
      if (step.s !== 'fn') continue;
      const action = step.fn.d?.find(term => term !== 0 && term.k === 'call' && /^(?:action|detail_route|list_route)$/.test(lastName(term.f)));
      if (action === undefined || action === 0 || action.k !== 'call') continue;
      const text = JSON.stringify(action.a);
      const isDetail = lastName(action.f) === 'detail_route' || (lastName(action.f) === 'action' && isDetailAction(action, value.scope.file, this.collector));
      const own = this.collector.evaluator.textsAt(action, 'url_path', value.scope).map(pathOf)[0] ?? step.fn.v;
      const methods = [...text.matchAll(/"v":"(get|post|put|patch|delete)"/gi)].map(match => (match[1] ?? '').toUpperCase());
      const base = isDetail ? joinPaths(path, `{${lookup}}`) : path;
      for (const method of methods.length === 0 ? ['GET'] : methods)
        this.#add(method, `${joinPaths(base, plainOfPattern(own))}${slash}`, this.collector.handlerOfFunction(step.fn, value.scope.file), p, at);
    }
  }

  #mixinsOf(value: Extract<Value, { k: 'class' }>, depth: number): ReadonlySet<string> {
    const found = new Set<string>();
    for (const base of depth === 0 ? [] : value.c.bases) {
      const name = lastName(base);
      for (const mixin of VIEWSET_MIXINS[name] ?? []) found.add(mixin);
      const mixin = /^(List|Create|Retrieve|Update|Destroy)ModelMixin$/.exec(name)?.[1];
      if (mixin !== undefined) found.add(mixin);
      for (const each of this.collector.evaluator.values(base, value.scope))
        if (each.k === 'class') for (const one of this.#mixinsOf(each, depth - 1)) found.add(one);
    }
    return found;
  }

  #add(method: string, path: string, handler: ReturnType<RouteCollector['handlerOf']>, p: number, at: Scope): void {
    this.collector.add({ method, path, handler, framework: 'django', confidence: 0.9, place: { file: at.file.path, line: lineOfPosition(p) + 1 } });
  }
}

function mixedMethods(base: string, c: DigestClass): readonly string[] {
  if (base !== 'GenericAPIView' && !base.endsWith('Mixin')) return [];
  const mixin = /^(List|Create|Retrieve|Update|Destroy)ModelMixin$/.exec(base)?.[1];
  return mixin === undefined || c.b.some(step => step.s === 'fn' && (HTTP as readonly string[]).includes(step.fn.v)) ? [] : [];
}

/** `@action(detail=True)`: literals other than texts are not in digests, so a parameter beside the request tells. */
function isDetailAction(action: CallTerm, _file: FileUnit, _collector: RouteCollector): boolean {
  return action.a.some(term => term !== 0 && term.k === '=' && term.v === 'detail' && term.of !== 0 && term.of.k === 'n' && term.of.v === 'True');
}

function textField(c: DigestClass, name: string): string | undefined {
  const step = c.b.find(each => each.s === 'let' && each.v === name);
  return step?.s === 'let' && step.x !== undefined && step.x !== 0 && step.x.k === 's' ? step.x.v : undefined;
}

/** `@api_view(['GET'])`, `@require_http_methods([...])`, `@require_GET` */
function allowedMethods(fn: DigestFunction): readonly string[] {
  for (const term of fn.d ?? []) {
    const name = term !== 0 && term.k === 'call' ? lastName(term.f) : lastName(term);
    if (/^require_(GET|POST|safe)$/.test(name)) return [name === 'require_safe' ? 'GET' : name.slice(8)];
    if (!/^(?:api_view|require_http_methods)$/.test(name)) continue;
    const methods = [...JSON.stringify(term).matchAll(/"v":"(GET|POST|PUT|PATCH|DELETE)"/gi)].map(match => (match[1] ?? '').toUpperCase());
    return methods.length === 0 ? ['GET'] : methods;
  }
  return ['ANY'];
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
  return out.replace(/[\^$]/g, '').replace(/\\(.)/g, '$1').replace(/\/\?$/, '').replace(/[+*?]/g, '');
}

function lastName(term: Term): string {
  if (term === 0) return '';
  if (term.k === 'n' || term.k === 'm') return term.v;
  return term.k === '<' ? lastName(term.of) : '';
}

function shared(left: string, right: string): number {
  const a = dirname(left).split('/');
  const b = dirname(right).split('/');
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}
