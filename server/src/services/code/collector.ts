/**
 * Walks over all calls and decorators, binds routers to each other and to parameters until nothing new is learned, then collects routes.
 */

import type { Steps } from '../../base/steps';
import { type CallTerm, type DigestClass, type DigestFunction, type Step, type Term, termName, termPosition } from '../../model/digest';
import { SERVICE_CONFIDENCE } from '../../model/evidence';
import type { StableId } from '../../model/ids';
import type { ClientCall, EventUse, HostedUnit, Place, QueueBound, RouteFact, RpcUse, SkippedUse, StoreUse } from '../surface';
import { COMPUTED, type SkipReason } from './computed';
import type { Configuration } from './configuration';
import type { DependencySet } from './evaluation/dependencies';
import { Evaluator } from './evaluation/evaluator';
import type { Group, LanguageTables, Mounting, Verb } from './framework';
import { type Handler, HandlerResolver, type HandlerRule, placeIn } from './handlers';
import { mountedNames } from './mountedNames';
import { own } from './own';
import { hasImplicitSelf, RECEIVER, selfScope } from './questions';
import type { FileUnit, Scope, Units } from './units';
import { joinPaths, type Origin, type Piece, pathOf, prefixesOf, type Router, type Value, withoutBase, withoutQuery } from './values';
import { type Visit, visitsOf } from './visits';

const MAX_ROUNDS = 8;
const MAX_PATHS = 12;
/** Calls that are walked over between two yields. */
const VISITS_IN_STEP = 16;

/** Reads what no table can say: decorators of classes, file routes. */
export interface Reader {
  read(collector: RouteCollector): void;
}

/** Binds what no row can say, for a call on a router. Returns whether it did. */
export type Binder = (collector: RouteCollector, visit: Visit, router: Router, method: string) => boolean;

interface RouterRoute {
  readonly router: Router;
  readonly methods: readonly string[];
  readonly path: readonly Piece[];
  readonly handler: Handler;
  readonly at: Place;
}

export class RouteCollector {
  readonly evaluator: Evaluator;
  readonly routes: RouteFact[] = [];
  readonly skipped: SkippedUse[] = [];
  readonly starts: Place[] = [];
  readonly calls: ClientCall[] = [];
  readonly events: EventUse[] = [];
  readonly rpcs: RpcUse[] = [];
  readonly stores: StoreUse[] = [];
  readonly hosted: HostedUnit[] = [];
  readonly bindings: QueueBound[] = [];
  readonly visits: readonly Visit[];
  readonly handlers: HandlerResolver;
  readonly #scopes: Scope[] = [];
  readonly #routes: RouterRoute[] = [];

  constructor(
    readonly units: Units,
    private readonly tablesOf: (file: FileUnit) => LanguageTables | undefined,
    readonly configuration: Configuration,
    private readonly binders: readonly Binder[],
    ruleOf: (file: FileUnit) => HandlerRule | undefined,
  ) {
    this.evaluator = new Evaluator(units, tablesOf, (file, key) => configuration.valueFor(file.path, key));
    this.handlers = new HandlerResolver(units, this.evaluator, tablesOf, ruleOf);
    this.visits = [...units.files.values()].filter(file => tablesOf(file) !== undefined).flatMap(file => visitsOf(units, file.scope, this.#scopes));
  }

  *collect(readers: readonly Reader[]): Steps<void> {
    yield* this.#bind();
    yield* this.eachVisit(visit => this.#eachUse(visit, site => this.#collectVisit(visit, site)));
    for (const reader of readers) {
      reader.read(this);
      yield undefined;
    }
    for (const route of this.#routes) this.#emit(route);
  }

  /** Every call and decorator, with a stop after some of them. */
  *eachVisit(each: (visit: Visit) => void): Steps<void> {
    for (const [index, visit] of this.visits.entries()) {
      each(visit);
      if (index % VISITS_IN_STEP === 0) yield undefined;
    }
  }

  placeOf(file: FileUnit, position: number): Place {
    return placeIn(file, position);
  }

  /** Where a route is written: where a function that registers routes is called. */
  placeOfUse({ call, scope }: Visit, site: Origin | undefined): Place {
    return site === undefined ? this.placeOf(scope.file, call.position) : this.placeOf(site.file, site.position);
  }

  add(route: Omit<RouteFact, 'path' | 'handler' | 'handlerPlace'> & { readonly path: string; readonly handler: Handler }): void {
    const { handler, ...rest } = route;
    this.routes.push({ ...rest, path: joinPaths(route.path).replace(/\/{2,}/g, '/'), handler: handler.symbol, handlerPlace: handler.place });
  }

  skip(reason: SkipReason, file: FileUnit, position: number): void {
    this.skipped.push({ reason, place: this.placeOf(file, position) });
  }

  handlerOf(term: Term, scope: Scope): Handler {
    return this.handlers.handlerOf(term, scope);
  }

  handlerOfFunction(fn: { readonly name: string; readonly position: number }, file: FileUnit): Handler {
    return this.handlers.handlerOfFunction(fn, file);
  }

  /** Innermost symbol around a call. */
  symbolAround(scope: Scope, position: number): StableId | undefined {
    const node = this.units.symbolAt(scope.file, position);
    return node === undefined ? undefined : this.units.graph.idOf(node);
  }

  *#bind(): Steps<void> {
    /** Visits that are only repeated when more is known about what they depend on. */
    const settled = new Map<object, DependencySet>();
    const look = (at: object, act: () => void): void => {
      const known = settled.get(at);
      if (known !== undefined && this.evaluator.isValid(known)) return;
      settled.set(at, this.evaluator.track(act));
    };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.evaluator.begin();
      yield* this.eachVisit(visit => look(visit, () => this.#lookAt(visit)));
      for (const [index, scope] of this.#scopes.entries()) {
        for (const step of scope.steps) {
          if (step.kind === 'set') look(step, () => this.evaluator.noteAssignment(step.target, step.value, scope));
          else if (step.kind === 'let' && setsField(step, scope)) {
            const { name, position, value = 0 } = step;
            const target: Term = { kind: 'member', owner: { kind: 'name', name: 'this', position }, name, position };
            look(step, () => this.evaluator.noteAssignment(target, value, scope));
          }
        }
        if (index % VISITS_IN_STEP === 0) yield undefined;
      }
      if (!this.evaluator.end()) break;
    }
  }

  #lookAt(visit: Visit): void {
    if (visit.decorated === undefined) this.evaluator.noteCall(visit.call, visit.scope);
    // Who is mounted where is found anew in each round.
    if (this.#receivers(visit).length > 0) this.evaluator.markTransient();
    this.#eachUse(visit, () => this.#bindVisit(visit));
  }

  /** Does something once for each turn of the loop around a call, and once for each caller where the call is one on a router. */
  #eachUse(visit: Visit, act: (site: Origin | undefined) => void): void {
    if (visit.decorated === undefined && this.#receivers(visit).length > 0) this.evaluator.eachUse(visit.call, visit.scope, act);
    else this.evaluator.eachTurn(visit.call, visit.scope, () => act(undefined));
  }

  /** Routers that a call is made on, with the name of the method. */
  #receivers({ call, scope }: Visit): { readonly router: Router; readonly method: string }[] {
    const callee = call.callee !== 0 && call.callee.kind === 'generic' ? call.callee.base : call.callee;
    if (callee === 0 || callee.kind !== 'member') return [];
    return this.evaluator.values(callee.owner, scope).flatMap(value => (value.kind === 'router' ? [{ router: value.router, method: callee.name }] : []));
  }

  #bindVisit(visit: Visit): void {
    for (const { router, method } of this.#receivers(visit)) {
      const { framework } = router;
      if (this.binders.some(bind => bind(this, visit, router, method))) continue;
      const group = own(framework.groups, method);
      if (group !== undefined) this.#bindGroup(visit, router, group);
      const mounting = own(framework.mounts, method);
      if (mounting !== undefined) this.#bindMount(visit, router, mounting);
    }
  }

  #bindGroup({ call, scope }: Visit, router: Router, group: Group): void {
    if (group.sets === true) {
      const prefix = this.evaluator.textsAt(call, group.path ?? 0, scope)[0];
      if (prefix !== undefined && router.prefix.length === 0) router.prefix = prefix;
      return;
    }
    const callback = group.callback === undefined ? undefined : this.evaluator.argument(call, group.callback, scope);
    if (callback === undefined) return;
    const children = this.evaluator.values(call, scope).filter(value => value.kind === 'router');
    for (const target of this.evaluator.values(callback.term, callback.scope)) {
      if (target.kind !== 'function') continue;
      for (const child of children) {
        this.evaluator.give(target.fn, 0, { value: child });
        if (group.binds === true) this.evaluator.give(target.fn, RECEIVER, { value: child });
      }
    }
  }

  #bindMount({ call, scope }: Visit, parent: Router, mounting: Mounting): void {
    const prefixes = mounting.path === undefined ? [] : this.evaluator.textsAt(call, mounting.path, scope);
    const prefix = prefixes[0] ?? [];
    const child = mounting.child === undefined ? undefined : this.evaluator.argument(call, mounting.child, scope);
    const terms = mounting.child === undefined ? call.args.map(term => ({ term, scope })) : child === undefined ? [] : [child];
    for (const each of terms) {
      for (const value of this.#unwrapped(this.evaluator.values(each.term, each.scope), parent)) {
        if (value.kind === 'router') this.evaluator.mount(value.router, { parent, prefix, replaces: mounting.replaces === true && prefixes.length > 0 });
        else if (value.kind === 'function' && mounting.child !== undefined) {
          this.#giveRouter(value.fn, parent, prefix, scope.file, call.position);
          const options = typeof mounting.child === 'number' ? call.args[mounting.child + 1] : undefined;
          if (options !== undefined && options !== 0) this.evaluator.give(value.fn, 1, { term: options, scope, position: call.position });
        } else if (value.kind === 'module') this.#mountModule(value.file, parent, prefix);
      }
    }
  }

  /** A function that is mounted gets a router below the one it is mounted on. */
  #giveRouter(fn: DigestFunction, parent: Router, prefix: readonly Piece[], file: FileUnit, position: number): void {
    const child = this.evaluator.router(parent.framework, file, position, { key: `given:${parent.file.path}:${parent.position}` });
    this.evaluator.mount(child, { parent, prefix, replaces: false });
    this.evaluator.give(fn, fn.parameters[0]?.name === 'self' ? 1 : 0, { value: { kind: 'router', router: child } });
  }

  #mountModule(file: FileUnit, parent: Router, prefix: readonly Piece[]): void {
    for (const value of [...file.scope.names.keys()].flatMap(name => this.evaluator.values({ kind: 'name', name: name, position: 0 }, file.scope))) {
      if (value.kind === 'router' && value.router.file === file && !value.router.isRoot)
        this.evaluator.mount(value.router, { parent, prefix, replaces: false });
    }
  }

  /** Items of lists, and what stands inside wrappers. */
  #unwrapped(values: readonly Value[], parent: Router): Value[] {
    return this.#flat(values).flatMap(value => {
      if (value.kind === 'instance') return this.evaluator.routersBehind(value).map(router => ({ kind: 'router', router }));
      if (value.kind !== 'made' || value.call === undefined || value.scope === undefined) return [value];
      if (parent.framework.wrappers?.includes(value.path) !== true) return [value];
      return [...this.evaluator.values(value.call.args[0] ?? 0, value.scope)];
    });
  }

  #flat(values: readonly Value[]): Value[] {
    return values.flatMap(value => (value.kind === 'list' ? value.items.flatMap(item => [...this.evaluator.values(item, value.scope)]) : [value]));
  }

  #collectVisit(visit: Visit, site: Origin | undefined): void {
    for (const { router, method } of this.#receivers(visit)) {
      if (router.framework.starts?.includes(method) === true) this.starts.push(this.placeOf(visit.scope.file, visit.call.position));
      const verb = own(router.framework.verbs, method);
      if (verb !== undefined) {
        if (verb.chain === true) this.#collectChain(visit, router, verb, site);
        else this.#collectVerb(visit, router, verb, site);
      }
      const mounting = router.framework.attributes === undefined ? undefined : own(router.framework.mounts, method);
      if (mounting !== undefined) this.#collectAttributes(visit, router, mounting);
    }
  }

  #collectVerb(visit: Visit, router: Router, verb: Verb, site: Origin | undefined): void {
    const { call, scope, decorated } = visit;
    const { evaluator } = this;
    const pathless = router.isPathless && evaluator.textsAt(call, verb.path ?? 0, scope).length === 0;
    if (decorated === undefined && call.args.length < (pathless ? 1 : (verb.least ?? 2))) return;
    if (verb.views === true && this.#collectViews(visit, router, verb, site)) return;
    if (router.framework.delegates !== undefined && this.#delegates(visit, verb, router.framework.delegates)) return;
    const methods = this.#methodsOf(call, verb, scope);
    const handler = this.#handlerIn(visit, verb);
    const at = this.placeOfUse(visit, site);
    if (pathless) {
      this.#routes.push({ router, methods, path: [], handler, at });
      return;
    }
    const paths = evaluator.textsAt(call, verb.path ?? 0, scope).slice(0, MAX_PATHS);
    if (paths.length === 0) {
      if (verb.path !== undefined || decorated !== undefined || methods.length > 0) this.skip(COMPUTED.route, scope.file, call.position);
      return;
    }
    for (const path of paths) {
      const [first] = path;
      const named = verb.methodInPath === true && first?.is === 'text' ? /^([A-Z]+)\s+(\/.*|[\w.-]+\/.*)$/.exec(first.text) : null;
      if (named === null) this.#routes.push({ router, methods, path, handler, at });
      else
        this.#routes.push({
          router,
          methods: [named[1] ?? 'ANY'],
          path: [{ is: 'text', text: (named[2] ?? '/').replace(/^[^/]+/, '') }, ...path.slice(1)],
          handler,
          at,
        });
    }
  }

  /** A route for each method of a class that is made a handler. Returns whether it was one. */
  #collectViews({ call, scope }: Visit, router: Router, verb: Verb, site: Origin | undefined): boolean {
    const given = this.evaluator.argument(call, verb.handler ?? -1, scope);
    const made = given === undefined ? undefined : this.evaluator.declared(given.term, given.scope);
    const { callee } = made !== undefined && made.term !== 0 && made.term.kind === 'call' ? made.term : { callee: 0 as const };
    if (made === undefined || callee === 0 || callee.kind !== 'member' || callee.name !== 'as_view') return false;
    const wanted = this.#methodsOf(call, { ...verb, method: { at: 'methods', otherwise: [] } }, scope);
    const functions = this.evaluator
      .values(callee.owner, made.scope)
      .flatMap(value => (value.kind === 'class' ? this.#viewMethods(value.cls, value.scope, 4) : []));
    const served = functions.filter(({ fn }) => wanted.length === 0 || wanted.includes(fn.name.toUpperCase()));
    const paths = served.length === 0 ? [] : this.evaluator.textsAt(call, verb.path ?? 0, scope).slice(0, MAX_PATHS);
    const at = this.placeOfUse({ call, scope }, site);
    for (const path of paths) {
      for (const { fn, file } of served) this.#routes.push({ router, methods: [fn.name.toUpperCase()], path, handler: this.handlerOfFunction(fn, file), at });
    }
    return paths.length > 0;
  }

  #viewMethods(cls: DigestClass, scope: Scope, depth: number): readonly { readonly fn: DigestFunction; readonly file: FileUnit }[] {
    const served = cls.body.flatMap(step =>
      step.kind === 'fn' && own(CHAINED, step.fn.name) !== undefined && step.fn.name !== 'any' ? [{ fn: step.fn, file: scope.file }] : [],
    );
    const bases = depth === 0 ? [] : cls.bases.flatMap(base => this.evaluator.values(base, scope));
    const inherited = bases.flatMap(base => (base.kind === 'class' ? this.#viewMethods(base.cls, base.scope, depth - 1) : []));
    return [...served, ...inherited.filter(each => !served.some(({ fn }) => fn.name === each.fn.name))];
  }

  /** `route("/x", get(list).post(create))`, `route("/x", web::get().to(list))`, `resource("/x").route(web::get().to(list))` */
  #collectChain(visit: Visit, router: Router, verb: Verb, site: Origin | undefined): void {
    const { call, scope } = visit;
    const at = this.placeOfUse(visit, site);
    const paths = this.evaluator.textsAt(call, verb.path ?? 0, scope);
    const path = paths[0] ?? (router.isPathless ? [] : undefined);
    if (path === undefined) return this.skip(COMPUTED.route, scope.file, call.position);
    for (const { method, handler } of this.#chained(call.args.at(-1) ?? 0, scope, 4)) {
      this.#routes.push({ router, methods: [method], path, handler: this.handlerOf(handler, scope), at });
    }
  }

  /** Methods with their handlers of a chain, innermost last. */
  #chained(term: Term, scope: Scope, depth: number): { readonly method: string; readonly handler: Term }[] {
    const found: { readonly method: string; readonly handler: Term }[] = [];
    let handler: Term = 0;
    let at = term;
    while (at !== 0 && at.kind === 'call') {
      const callee: Term = at.callee !== 0 && at.callee.kind === 'generic' ? at.callee.base : at.callee;
      if (callee === 0 || (callee.kind !== 'member' && callee.kind !== 'name')) break;
      const method = own(CHAINED, callee.name);
      if (callee.name === 'to' || callee.name === 'to_async') handler = at.args[0] ?? 0;
      else if (method !== undefined) found.push({ method, handler: at.args[0] ?? handler });
      else if (callee.kind === 'name' && depth > 0) {
        for (const value of this.evaluator.values(at, scope))
          if (value.kind === 'made' && value.call !== undefined && value.call !== at) found.push(...this.#chained(value.call, value.scope ?? scope, depth - 1));
      }
      at = callee.kind === 'member' ? callee.owner : 0;
    }
    return found;
  }

  /** Functions that a mount names, with attributes that say what they serve. */
  #collectAttributes({ call, scope }: Visit, router: Router, mounting: Mounting): void {
    const prefix = mounting.path === undefined ? [] : withoutBase(this.evaluator.textsAt(call, mounting.path, scope)[0] ?? []);
    const names = call.args.flatMap(term => mountedNames(term, scope, this.evaluator, this.units));
    for (const { term: name, scope: at } of names) {
      if (name === 0 || (name.kind !== 'name' && name.kind !== 'member')) continue;
      for (const { fn, file } of this.functionsOf(name, at)) {
        for (const decorator of fn.decorators ?? []) this.#collectAttribute(decorator, { fn, file }, router, prefix);
      }
    }
  }

  #collectAttribute(decorator: Term, { fn, file }: { readonly fn: DigestFunction; readonly file: FileUnit }, router: Router, prefix: readonly Piece[]): void {
    if (decorator === 0 || decorator.kind !== 'call') return;
    const name = termName(decorator.callee);
    const method = own(router.framework.attributes, name);
    const path = method === undefined ? undefined : this.evaluator.textsAt(decorator, ['path', 'uri', 0], file.scope)[0];
    if (method === undefined || path === undefined) return;
    const given = decorator.args.flatMap(term =>
      term !== 0 && term.kind === 'named' && term.name === 'method' ? methodNames(term.value, file.scope, this.evaluator) : [],
    );
    const first = decorator.args[0] ?? 0;
    const named = first !== 0 && first.kind === 'name' && own(CHAINED, first.name) !== undefined ? [own(CHAINED, first.name) ?? 'ANY'] : [];
    const methods = method !== '' ? [method] : given.length > 0 ? given : named;
    const full = prefix.length === 0 ? path : [...prefix, { is: 'text' as const, text: '/' }, ...path];
    this.#routes.push({ router, methods, path: withoutQuery(full), handler: this.handlerOfFunction(fn, file), at: this.placeOf(file, decorator.position) });
  }

  /** Functions of the workspace that a name may be. */
  functionsOf(term: Term, scope: Scope): readonly { readonly fn: DigestFunction; readonly file: FileUnit }[] {
    return this.evaluator.values(term, scope).flatMap(value => (value.kind === 'function' ? [{ fn: value.fn, file: value.scope.file }] : []));
  }

  #methodsOf(call: CallTerm, verb: Verb, scope: Scope): readonly string[] {
    if (typeof verb.method === 'string') return [verb.method];
    const found = this.evaluator.argument(call, verb.method.at, scope);
    const named = found === undefined ? [] : methodNames(found.term, found.scope, this.evaluator);
    if (verb.method.at === '*') return named.flatMap(name => own(CHAINED, name.toLowerCase()) ?? (/^all$/i.test(name) ? 'ANY' : []));
    return named.length > 0 ? named : verb.method.otherwise;
  }

  /** Whether what answers is another router, or made by one of some functions outside. */
  #delegates({ call, scope }: Visit, verb: Verb, makers: readonly string[]): boolean {
    const found = this.evaluator.argument(call, verb.handler ?? -1, scope);
    const values = found === undefined ? [] : this.evaluator.values(found.term, found.scope);
    return values.some(value => this.evaluator.routersBehind(value).length > 0 || (value.kind === 'made' && makers.includes(value.path)));
  }

  #handlerIn({ call, scope, decorated }: Visit, verb: Verb): Handler {
    if (decorated !== undefined) return this.handlerOfFunction('fn' in decorated ? decorated.fn : decorated.cls, scope.file);
    const found = this.evaluator.argument(call, verb.handler ?? -1, scope) ?? { term: call.args.at(-1) ?? 0, scope };
    const handler = this.handlerOf(found.term, found.scope);
    return handler.place.line <= 1 && termPosition(found.term) === 0 ? { ...handler, place: this.placeOf(scope.file, call.position) } : handler;
  }

  #emit({ router, methods, path, handler, at }: RouterRoute): void {
    const { framework } = router;
    for (const prefix of prefixesOf(router)) {
      for (const method of methods) {
        const confidence = router.isRoot || router.mounts.length > 0 ? SERVICE_CONFIDENCE.writtenRoute : SERVICE_CONFIDENCE.unmountedRoute;
        const full = joinPaths(pathOf(withoutBase(prefix)), pathOf(path));
        if (method === 'ANY' && EVERYTHING.test(full)) continue;
        this.add({
          method: method.toUpperCase(),
          path: this.tablesOf(router.file)?.plainPath?.(full) ?? full,
          handler,
          framework: framework.name,
          confidence,
          place: at,
        });
      }
    }
  }
}

/** `url = base + "/orders"` in a method, where that is a field of its class. */
function setsField(step: Extract<Step, { kind: 'let' }>, scope: Scope): boolean {
  if (scope.fn === undefined || step.value === undefined || step.type !== undefined || !hasImplicitSelf(scope.file)) return false;
  return selfScope(scope)?.cls?.body.some(field => field.kind === 'let' && field.name === step.name) === true;
}

/** A route of every method and path answers what no other one does. */
const EVERYTHING = /^\/(?:\*{1,2}\w*|\(\.\*\)|\{\*{1,2}\w+\})$/;

const CHAINED: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE', any: 'ANY' };

/** Names of methods in a text, a list of texts, or members such as `http.MethodGet`, `HttpMethod.POST`. */
export function methodNames(term: Term, scope: Scope, evaluator: Evaluator): readonly string[] {
  if (term === 0) return [];
  if (term.kind === 'list') return term.items.flatMap(item => methodNames(item, scope, evaluator));
  if (term.kind === 'text') return term.text.split(/[\s,|]+/).filter(word => word !== '');
  if (term.kind === 'member' || term.kind === 'name') {
    const name = /(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT)$/i.exec(term.name)?.[1];
    if (name !== undefined && /^(?:Method)?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT)$/i.test(term.name)) return [name.toUpperCase()];
  }
  if (term.kind === 'call' && term.args.length === 0 && term.callee !== 0 && term.callee.kind === 'member')
    return methodNames(term.callee.owner, scope, evaluator);
  return evaluator.values(term, scope).flatMap(value => {
    if (value.kind === 'list') return value.items.flatMap(item => methodNames(item, value.scope, evaluator));
    // `strings.ToUpper("Get")`
    if (value.kind === 'made' && value.call?.args.length === 1 && value.path.endsWith('ToUpper'))
      return methodNames(value.call.args[0] ?? 0, value.scope ?? scope, evaluator).map(name => name.toUpperCase());
    return value.kind === 'text' ? value.pieces.flatMap(piece => (piece.is === 'text' ? piece.text.split(/[\s,|]+/) : [])) : [];
  });
}
