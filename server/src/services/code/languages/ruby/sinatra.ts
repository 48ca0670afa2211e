/** Routes of Sinatra and Grape: methods called in the body of a class, or of a file that requires Sinatra. */

import { type CallTerm, type DigestClass, type Step, type Term, termName } from '../../../../model/digest';
import { SERVICE_CONFIDENCE } from '../../../../model/evidence';
import { type Reader, type RouteCollector } from '../../collector';
import { COMPUTED } from '../../computed';
import { own } from '../../own';
import type { FileUnit, Scope } from '../../units';
import { joinPaths, pathOf } from '../../values';

const VERBS: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' };
const NESTED = /^(?:namespace|resources?|group|segment|requires_auth)$/;
const MAX_DEPTH = 16;

interface Application {
  readonly cls: DigestClass;
  readonly scope: Scope;
  readonly library: 'sinatra' | 'grape';
}

export const sinatraReader: Reader = {
  read(collector) {
    const files = [...collector.units.files.values()].filter(file => file.language === 'ruby');
    if (files.length > 0) new Walker(collector, files).run();
  },
};

class Walker {
  readonly #applications: Application[] = [];
  /** By class: prefixes under which another file or application mounts it. */
  readonly #mounts = new Map<DigestClass, { readonly prefix: string; readonly by: DigestClass | undefined }[]>();
  #depth = 0;

  constructor(
    private readonly collector: RouteCollector,
    private readonly files: readonly FileUnit[],
  ) {}

  run(): void {
    for (const file of this.files) this.#find(file.scope.steps, file.scope);
    for (const { cls, scope } of this.#applications) this.#noteMounts(cls.body, this.collector.units.scopeOfClass(cls, scope), '', cls);
    for (const file of this.files) this.#noteMounts(file.scope.steps, file.scope, '', undefined);
    for (const application of this.#applications) {
      const body = this.collector.units.scopeOfClass(application.cls, application.scope);
      for (const prefix of this.#prefixesOf(application.cls, 4)) this.#walk(application.cls.body, body, prefix, application.library);
    }
    for (const file of this.files) {
      if (isClassic(file.scope.steps)) this.#walk(file.scope.steps, file.scope, '', 'sinatra');
    }
  }

  #find(steps: readonly Step[], scope: Scope): void {
    for (const step of steps) {
      if (step.kind !== 'class') continue;
      const library = this.#libraryOf(step.cls, scope, 4);
      if (library !== undefined) this.#applications.push({ cls: step.cls, scope, library });
      this.#find(step.cls.body, this.collector.units.scopeOfClass(step.cls, scope));
    }
  }

  #libraryOf(cls: DigestClass, scope: Scope, depth: number): Application['library'] | undefined {
    for (const value of depth === 0 ? [] : cls.bases.flatMap(base => this.collector.evaluator.values(base, scope))) {
      if (value.kind === 'outside' && /^Sinatra\.(?:Base|Application)$/.test(value.path)) return 'sinatra';
      if (value.kind === 'outside' && /^Grape\.API(?:\.Instance)?$/.test(value.path)) return 'grape';
      const above = value.kind === 'class' && value.cls !== cls ? this.#libraryOf(value.cls, value.scope, depth - 1) : undefined;
      if (above !== undefined) return above;
    }
    return undefined;
  }

  /** `map('/x') { run A }`, `run Rack::URLMap.new('/x' => A)`, `mount A => '/x'` */
  #noteMounts(steps: readonly Step[], scope: Scope, prefix: string, by: DigestClass | undefined): void {
    for (const step of steps) {
      const term = step.kind === 'do' || step.kind === 'return' || step.kind === 'set' ? step.value : 0;
      if (term === 0 || term.kind !== 'call') continue;
      const name = termName(term.callee);
      const block = term.args.at(-1);
      if (block !== undefined && block !== 0 && block.kind === 'function') {
        const inner = this.collector.units.scopeOfFunction(block.fn, scope);
        const below = name === 'map' || NESTED.test(name) ? joinPaths(prefix, this.#text(term, scope) ?? '') : prefix;
        this.#noteMounts(block.fn.body, inner, below, by);
      }
      if (name === 'run' || name === 'mount' || name === 'use') for (const argument of term.args) this.#noteMount(argument, scope, prefix, by);
    }
  }

  #noteMount(argument: Term, scope: Scope, prefix: string, by: DigestClass | undefined): void {
    if (argument === 0) return;
    // `A => '/x'` keeps its key as a name only where it is a text.
    if (argument.kind === 'object') {
      for (const [path, value] of argument.entries) if (path !== '') this.#noteMount(value, scope, joinPaths(prefix, path), by);
      return;
    }
    if (argument.kind === 'call') {
      for (const each of argument.args) this.#noteMount(each, scope, prefix, by);
      if (argument.callee !== 0 && argument.callee.kind === 'member' && argument.callee.name === 'new')
        this.#noteMount(argument.callee.owner, scope, prefix, by);
      return;
    }
    const known = this.collector.evaluator.values(argument, scope).flatMap(value => (value.kind === 'class' ? [value.cls] : []));
    const meant = known.length > 0 ? known : this.collector.units.classesNamed(termName(argument)).map(({ cls }) => cls);
    for (const cls of meant) {
      if (this.#applications.some(each => each.cls === cls)) this.#mounts.set(cls, [...(this.#mounts.get(cls) ?? []), { prefix, by }]);
    }
  }

  #prefixesOf(cls: DigestClass, depth: number): string[] {
    const mounts = depth === 0 ? [] : (this.#mounts.get(cls) ?? []).filter(({ by }) => by !== cls);
    const above =
      mounts.length === 0
        ? ['']
        : mounts.flatMap(({ by, prefix }) => (by === undefined ? [''] : this.#prefixesOf(by, depth - 1)).map(front => joinPaths(front, prefix)));
    const own = this.#ownPrefix(cls);
    return [...new Set(above.map(front => (own === '' ? front : joinPaths(front, own))))].slice(0, 8);
  }

  /** `prefix :api` and `version 'v1', using: :path` of Grape. */
  #ownPrefix(cls: DigestClass): string {
    const application = this.#applications.find(each => each.cls === cls);
    if (application?.library !== 'grape') return '';
    const scope = this.collector.units.scopeOfClass(cls, application.scope);
    const calls = cls.body.flatMap(step => (step.kind === 'do' && step.value !== 0 && step.value.kind === 'call' ? [step.value] : []));
    const prefix = calls.find(call => termName(call.callee) === 'prefix');
    const version = calls.find(call => termName(call.callee) === 'version');
    const using = version === undefined ? undefined : this.collector.evaluator.textsAt(version, 'using', scope).map(pathOf)[0];
    const parts = [
      prefix === undefined ? undefined : this.#text(prefix, scope),
      version === undefined || (using !== undefined && using !== 'path') ? undefined : this.#text(version, scope),
    ];
    const known = parts.filter(part => part !== undefined && part !== '') as string[];
    return known.length === 0 ? '' : joinPaths(...known);
  }

  #text(call: CallTerm, scope: Scope): string | undefined {
    const [first] = call.args;
    if (first === undefined || first === 0 || first.kind === 'function' || first.kind === 'named') return undefined;
    return this.collector.evaluator.texts(first, scope).map(pathOf)[0];
  }

  #walk(steps: readonly Step[], scope: Scope, prefix: string, library: Application['library']): void {
    if (this.#depth > MAX_DEPTH) return;
    this.#depth++;
    for (const step of steps) {
      const term = step.kind === 'do' || step.kind === 'return' ? step.value : 0;
      if (term !== 0 && term.kind === 'call' && term.callee !== 0 && term.callee.kind === 'name') this.#call(term, scope, prefix, library);
    }
    this.#depth--;
  }

  #call(term: CallTerm, scope: Scope, prefix: string, library: Application['library']): void {
    const name = termName(term.callee);
    const block = term.args.at(-1);
    const inner = block !== undefined && block !== 0 && block.kind === 'function' ? block.fn : undefined;
    if (own(VERBS, name) !== undefined) {
      if (inner !== undefined || library === 'grape') this.#route(term, own(VERBS, name) ?? 'ANY', scope, prefix, library);
      return;
    }
    if (inner === undefined) return;
    const within = this.collector.units.scopeOfFunction(inner, scope);
    if (NESTED.test(name)) this.#walk(inner.body, within, joinPaths(prefix, this.#text(term, scope) ?? ''), library);
    else if (name === 'route_param') this.#walk(inner.body, within, joinPaths(prefix, `:${this.#text(term, scope) ?? 'id'}`), library);
    else if (library === 'grape' && name === 'route_setting') this.#walk(inner.body, within, prefix, library);
  }

  #route(term: CallTerm, method: string, scope: Scope, prefix: string, library: Application['library']): void {
    const place = this.collector.placeOf(scope.file, term.position);
    const positional = term.args.filter(argument => argument !== 0 && argument.kind !== 'function' && argument.kind !== 'named' && argument.kind !== 'object');
    const texts = positional.flatMap(argument => this.collector.evaluator.texts(argument, scope).map(pathOf));
    if (texts.length === 0 && (positional.length > 0 || library === 'sinatra')) return this.collector.skip(COMPUTED.route, scope.file, term.position);
    for (const text of texts.length === 0 ? [''] : texts) {
      const path = joinPaths(prefix, text === '/' && prefix !== '' ? '' : text).replace(/\/\?$/, '');
      const handler = { symbol: undefined, place };
      this.collector.add({ method, path: path === '' ? '/' : path, handler, framework: library, confidence: SERVICE_CONFIDENCE.writtenRoute, place });
    }
  }
}

/** A file of the classic style: it requires Sinatra and has its routes at the top. */
function isClassic(steps: readonly Step[]): boolean {
  return steps.some(step => {
    const term = step.kind === 'do' ? step.value : 0;
    const [name] = term !== 0 && term.kind === 'call' && termName(term.callee) === 'require' ? term.args : [];
    return name !== undefined && name !== 0 && name.kind === 'text' && (name.text === 'sinatra' || name.text === 'sinatra/reloader');
  });
}
