/** Routes that Kotlin nests in functions: Ktor's `routing { route("/x") { get { … } } }`, Spring's `router { "/x".nest { GET("/y", handler::list) } }`. */

import { type CallTerm, type DigestFunction, type FunctionTerm, type Step, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { methodNames, type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import type { Handler } from '../../handlers';
import { own } from '../../own';
import type { FileUnit, Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const KTOR: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE', head: 'HEAD' };
const SPRING = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Types whose extension functions add routes where they are called. */
const RECEIVER = /^(?:Route|Routing|RoutingBuilder|Application|RouterFunctionDsl|CoRouterFunctionDsl)$/;
const MAX_DEPTH = 24;

interface Extension {
  readonly fn: DigestFunction;
  readonly file: FileUnit;
  isReached: boolean;
}

export const kotlinRouting: Reader = {
  read(collector) {
    const walker = new Walker(collector);
    for (const file of collector.units.files.values()) if (file.language === 'kotlin') walker.note(file);
    walker.run();
  },
};

class Walker {
  readonly #files: FileUnit[] = [];
  readonly #extensions = new Map<string, Extension[]>();
  #depth = 0;

  constructor(private readonly collector: RouteCollector) {}

  note(file: FileUnit): void {
    this.#files.push(file);
    for (const step of file.scope.steps) {
      if (step.kind !== 'fn' || step.fn.owner === undefined || !RECEIVER.test(termName(step.fn.owner))) continue;
      this.#extensions.set(step.fn.name, [...(this.#extensions.get(step.fn.name) ?? []), { fn: step.fn, file, isReached: false }]);
    }
  }

  /** First what begins an application, then functions for routes that nothing known calls. */
  run(): void {
    for (const file of this.#files) this.#outside(file.scope.steps, file.scope);
    for (const extension of [...this.#extensions.values()].flat()) {
      if (extension.isReached || termName(extension.fn.owner ?? 0) === 'Application') continue;
      this.#function(extension.fn, extension.file, '');
    }
  }

  /** Looks for `routing { … }` and `router { … }`. */
  #outside(steps: readonly Step[], scope: Scope): void {
    for (const step of steps) {
      if (step.kind === 'fn') this.#outside(step.fn.body, this.collector.units.scopeOfFunction(step.fn, scope));
      else if (step.kind === 'class') this.#outside(step.cls.body, this.collector.units.scopeOfClass(step.cls, scope));
      else this.#look(valueOf(step), scope);
    }
  }

  #look(term: Term, scope: Scope): void {
    if (term === 0 || term.kind !== 'call' || this.#depth > MAX_DEPTH) return;
    this.#depth++;
    const name = termName(term.callee);
    const block = term.args.at(-1);
    const isBlock = block !== undefined && block !== 0 && block.kind === 'function';
    if (isBlock && /^(?:routing|router|coRouter)$/.test(name)) this.#walk(block.fn.body, this.collector.units.scopeOfFunction(block.fn, scope), '');
    else
      for (const argument of term.args)
        if (argument !== 0 && argument.kind === 'function') this.#outside(argument.fn.body, this.collector.units.scopeOfFunction(argument.fn, scope));
    if (term.callee !== 0 && term.callee.kind === 'member') this.#look(term.callee.owner, scope);
    this.#depth--;
  }

  #walk(steps: readonly Step[], scope: Scope, prefix: string): void {
    if (this.#depth > MAX_DEPTH) return;
    this.#depth++;
    for (const step of steps) this.#routeTerm(valueOf(step), scope, prefix);
    this.#depth--;
  }

  #routeTerm(term: Term, scope: Scope, prefix: string): void {
    if (term === 0) return;
    if (term.kind === 'other') {
      for (const each of term.parts) this.#routeTerm(each, scope, prefix);
      return;
    }
    if (term.kind !== 'call') return;
    const described = ownerWithBlock(term);
    if (described !== undefined) return this.#routeTerm(described, scope, prefix);
    const name = termName(term.callee);
    const block = blockOf(term);
    const inner = block?.fn;
    if (own(KTOR, name) !== undefined || name === 'handle' || (name === 'method' && inner !== undefined)) return this.#ktor(term, name, inner, scope, prefix);
    if (SPRING.has(name)) return this.#spring(term, name, inner, scope, prefix);
    const below = this.#prefixOf(term, name, scope);
    if (inner !== undefined)
      this.#walk(inner.body, this.collector.units.scopeOfFunction(inner, scope), below === undefined ? prefix : joinPaths(prefix, below));
    else this.#extension(term, name, scope, prefix);
  }

  /** What a nesting adds to the path; undefined for one that adds nothing (`authenticate { … }`). */
  #prefixOf(term: CallTerm, name: string, scope: Scope): string | undefined {
    if (name === 'route' || name === 'path') return this.#path(term, scope);
    if (name !== 'nest') return undefined;
    const on: Term = term.callee !== 0 && term.callee.kind === 'member' ? term.callee.owner : 0;
    const text =
      on !== 0 && on.kind === 'call' && on.callee !== 0 && on.callee.kind === 'member'
        ? on.args.length > 0 && termName(on.callee) === 'path'
          ? (on.args[0] ?? 0)
          : on.callee.owner
        : on;
    return this.collector.evaluator.texts(text, scope).map(pathOf)[0];
  }

  /** Path of a call: its first argument, or that of the class it is typed with (`get<Orders>`). */
  #path(term: CallTerm, scope: Scope): string {
    const [first] = term.args;
    if (first !== undefined && (first === 0 || first.kind !== 'function')) {
      const text = this.collector.evaluator.textsAt(term, ['path', 0], scope).map(pathOf)[0];
      if (text === undefined && methodNames(first, scope, this.collector.evaluator).length === 0)
        this.collector.skip(COMPUTED.route, scope.file, term.position);
      return text ?? '';
    }
    const [type] = term.callee !== 0 && term.callee.kind === 'generic' ? term.callee.args : [];
    return type === undefined ? '' : this.#resource(type, scope, 4);
  }

  /** `@Resource("/orders") class Orders { @Resource("{id}") class Id(val parent: Orders) }` */
  #resource(type: Term, scope: Scope, depth: number): string {
    for (const value of depth === 0 ? [] : this.collector.evaluator.values(type, scope)) {
      if (value.kind !== 'class') continue;
      const mark = (value.cls.decorators ?? []).find(term => term !== 0 && term.kind === 'call' && /^(?:Resource|Location)$/.test(termName(term.callee)));
      const own =
        mark === undefined || mark === 0 || mark.kind !== 'call' ? '' : (this.collector.evaluator.textsAt(mark, ['path', 0], value.scope).map(pathOf)[0] ?? '');
      const parent = value.cls.body.find(step => step.kind === 'let' && step.name === 'parent');
      const above =
        parent?.kind === 'let' && parent.type !== undefined
          ? this.#resource(parent.type, this.collector.units.scopeOfClass(value.cls, value.scope), depth - 1)
          : '';
      return joinPaths(above, own);
    }
    return '';
  }

  #ktor(term: CallTerm, name: string, inner: DigestFunction | undefined, scope: Scope, prefix: string): void {
    if (name === 'method') {
      const [method] = methodNames(term.args[0] ?? 0, scope, this.collector.evaluator);
      if (inner !== undefined) this.#walkMethod(inner, scope, prefix, (method ?? 'ANY').toUpperCase());
      return;
    }
    // A request of a client is no route: it is made on something.
    if (term.callee !== 0 && term.callee.kind === 'member' && termName(term.callee.owner) !== 'this') return;
    this.#add(own(KTOR, name) ?? 'ANY', joinPaths(prefix, this.#path(term, scope)), term, scope, 'ktor');
  }

  /** `method(HttpMethod.Get) { handle { … } }` */
  #walkMethod(inner: DigestFunction, scope: Scope, prefix: string, method: string): void {
    const within = this.collector.units.scopeOfFunction(inner, scope);
    for (const step of inner.body) {
      const call = valueOf(step);
      if (call !== 0 && call.kind === 'call' && termName(call.callee) === 'handle') this.#add(method, prefix === '' ? '/' : prefix, call, within, 'ktor');
    }
  }

  #spring(term: CallTerm, method: string, inner: DigestFunction | undefined, scope: Scope, prefix: string): void {
    const [path] = this.collector.evaluator.textsAt(term, 0, scope).map(pathOf);
    if (path === undefined && inner === undefined) return this.collector.skip(COMPUTED.route, scope.file, term.position);
    this.#add(method, joinPaths(prefix, path ?? ''), term, scope, 'spring-webflux');
  }

  #add(method: string, path: string, term: CallTerm, scope: Scope, framework: string): void {
    const last = term.args.at(-1) ?? 0;
    const place = this.collector.placeOf(scope.file, term.position);
    const named = last !== 0 && last.kind !== 'text' ? this.collector.handlerOf(last, scope) : undefined;
    const handler: Handler = named?.symbol === undefined ? { symbol: undefined, place } : named;
    this.collector.add({
      method,
      path: path.replace(/\{(\w+)(?:\.\.\.|\?)\}/g, '{$1}'),
      handler,
      framework,
      confidence: SERVICE_CONFIDENCE.writtenRoute,
      place,
    });
  }

  /** `orderRoutes()` adds the routes of a function of the workspace. */
  #extension(term: CallTerm, name: string, scope: Scope, prefix: string): void {
    const all = this.#extensions.get(name) ?? [];
    const referred = this.collector.units.referents(scope.file, term.position).map(node => this.collector.units.graph.node(node).path);
    const meant = all.filter(({ file }) => referred.includes(file.path));
    for (const extension of meant.length > 0 ? meant : all) {
      extension.isReached = true;
      this.#function(extension.fn, extension.file, prefix);
    }
  }

  #function(fn: DigestFunction, file: FileUnit, prefix: string): void {
    this.#walk(fn.body, this.collector.units.scopeOfFunction(fn, file.scope), prefix);
  }
}

function blockOf({ args }: CallTerm): FunctionTerm | undefined {
  return args.findLast(argument => argument !== 0 && argument.kind === 'function');
}

/** What a call goes on from where that is a route or a nesting itself: `get("/x") { … }.describe { … }`. */
function ownerWithBlock({ callee }: CallTerm): CallTerm | undefined {
  const owner = callee !== 0 && callee.kind === 'member' ? callee.owner : 0;
  return owner !== 0 && owner.kind === 'call' && blockOf(owner) !== undefined ? owner : undefined;
}

function valueOf(step: Step): Term {
  if (step.kind === 'do' || step.kind === 'return' || step.kind === 'set') return step.value;
  return step.kind === 'let' ? (step.value ?? 0) : 0;
}
