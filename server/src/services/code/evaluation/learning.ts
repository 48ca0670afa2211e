/**
 * What is learned while calls are walked through: arguments that callers give, assignments to fields, routers and where they are mounted;
 * and how the arguments of a call are read.
 */
import type { CallTerm, DigestFunction, Term } from '../../../model/digest';
import type { ArgumentSelector, Framework } from '../framework';
import { fieldsOf, isSelf, RECEIVER, readsEnvironment, sameValue } from '../questions';
import type { FileUnit, Scope } from '../units';
import type { Mount, Origin, Piece, Router, Value } from '../values';
import { DependencyTracking } from './dependencies';

/** What a caller gives to a parameter. */
type GivenTerm = { readonly term: Term; readonly scope: Scope; readonly position: number };
type Given = GivenTerm | { readonly value: Value };

/** A call of a function of the workspace, with what it gives. */
export interface Site {
  readonly origin: Origin;
  readonly given: readonly GivenTerm[];
}

/** Callers of one function, and mounts of one router, that are followed. */
const MAX_GIVEN = 32;
/** Callers of one function that are known: each may give a path and a handler to a function that registers routes. */
const MAX_SITES = 512;
/** Methods of lists that call a function with each item. */
const ITERATIONS = /^(?:forEach|map|flatMap|each)$/;

export abstract class Learning extends DependencyTracking {
  /** Arguments of known calls by function and position. */
  readonly #given = new Map<DigestFunction, Map<number, Given[]>>();
  /** Routers that functions get: as the last round left it, and as this one finds it. */
  #givenRouters = new Map<DigestFunction, Map<number, Given[]>>();
  #nextRouters = new Map<DigestFunction, Map<number, Given[]>>();
  /** Assignments to fields, by class and name. */
  readonly #fields = new Map<object, Map<string, { readonly term: Term; readonly scope: Scope }[]>>();
  readonly #routers = new Map<string, Router>();
  /** Functions that are called with each item of a list: `routes.forEach(each => …)`. */
  protected readonly iterated = new Map<DigestFunction, { readonly term: Term; readonly scope: Scope }>();
  /** The call of a function that is looked at: its parameters are what that call gives. */
  protected readonly sites = new Map<DigestFunction, Origin>();
  #learned = false;
  /** What was learned in some round. */
  readonly #noted = new Set<string>();
  /** Stands for the settings of applications (`app.config['KEY'] = value`). */
  protected readonly settings = {};

  /** What a term may be. */
  abstract values(term: Term, scope: Scope): readonly Value[];

  /** Routers and who gets them are found anew in each round: what an earlier round took for a router may be known better by now. */
  protected forgetRouters(): void {
    for (const router of this.#routers.values()) router.mounts.length = 0;
  }

  #note(key: string): void {
    if (this.#noted.has(key)) return;
    this.#noted.add(key);
    this.#learned = true;
  }

  /** Ends a round. Returns whether anything was learned in it. */
  protected takeLearned(): boolean {
    const learned = this.#learned;
    this.#learned = false;
    for (const fn of [...this.#givenRouters.keys(), ...this.#nextRouters.keys()]) this.changed(fn);
    this.nextRound();
    this.#givenRouters = this.#nextRouters;
    this.#nextRouters = new Map();
    return learned;
  }

  /** What `this`, `self` and the like mean: what a function around was bound to by what it was handed to, else the instance of the class around. */
  protected selfNamed(name: string, scope: Scope): readonly Value[] | undefined {
    if (!/^(?:this|self|cls|Self)$/.test(name)) return undefined;
    let at: Scope | undefined = scope;
    for (; at !== undefined && at.cls === undefined; at = at.up) {
      const given = at.fn === undefined ? [] : this.givenTo(at.fn, RECEIVER).flatMap(each => ('value' in each ? [each.value] : []));
      if (given.length > 0) return given;
    }
    return at?.cls === undefined || at.up === undefined ? undefined : [{ kind: 'instance', cls: at.cls, scope: at.up }];
  }

  protected givenTo(fn: DigestFunction, index: number): readonly Given[] {
    this.dependOn(fn);
    const given = this.#given.get(fn)?.get(index) ?? [];
    const site = this.sites.get(fn);
    const terms = site === undefined ? given.slice(0, MAX_GIVEN) : given.filter(each => 'term' in each && isAt(each, site));
    return [...(this.#givenRouters.get(fn)?.get(index) ?? []), ...terms];
  }

  /** The calls of a function. */
  protected sitesOf(fn: DigestFunction): readonly Site[] {
    this.dependOn(fn);
    const found: { readonly origin: Origin; readonly given: GivenTerm[] }[] = [];
    for (const list of this.#given.get(fn)?.values() ?? []) {
      for (const each of list) {
        if (!('term' in each)) continue;
        const known = found.find(({ origin }) => isAt(each, origin));
        if (known === undefined) found.push({ origin: { file: each.scope.file, position: each.position }, given: [each] });
        else known.given.push(each);
      }
    }
    return found;
  }

  protected assignedTo(owner: object, name: string): readonly { readonly term: Term; readonly scope: Scope }[] {
    this.dependOn(owner);
    return this.#fields.get(owner)?.get(name) ?? [];
  }

  /** The texts that a term may be; what is not known are holes. */
  texts(term: Term, scope: Scope): readonly (readonly Piece[])[] {
    if (term === 0) return [];
    const texts: (readonly Piece[])[] = [];
    for (const value of this.values(term, scope)) {
      if (value.kind === 'text') texts.push(value.pieces);
      else if (value.kind === 'list') for (const item of value.items) texts.push(...this.texts(item, value.scope));
    }
    return texts;
  }

  /** Terms that stand at a place of a call, each in its scope. */
  argument(call: CallTerm, where: ArgumentSelector, scope: Scope): { readonly term: Term; readonly scope: Scope } | undefined {
    if (typeof where === 'object') {
      for (const each of where) {
        const found = this.argument(call, each, scope);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    const positional = call.args.filter(term => term === 0 || term.kind !== 'named');
    if (typeof where === 'number') {
      const term = positional.at(where);
      return term === undefined || (where < 0 && positional.length < -where) ? undefined : { term, scope };
    }
    for (const term of call.args) if (term !== 0 && term.kind === 'named' && term.name === where) return { term: term.value, scope };
    for (const term of positional) {
      if (term === 0 || term.kind === 'text' || term.kind === 'function') continue;
      const found = this.entry(term, where, scope);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Entry of an object that a term is, also of one that is given to a call outside (`createRoute({…})`). */
  entry(term: Term, key: string, scope: Scope): { readonly term: Term; readonly scope: Scope } | undefined {
    for (const value of this.values(term, scope)) {
      if (value.kind === 'object') {
        const found = value.entries.find(([name]) => name === key);
        if (found !== undefined) return { term: found[1], scope: value.scope };
        for (const [name, spread] of value.entries) {
          const inner = name === '' && spread !== 0 && spread.kind !== 'function' ? this.entry(spread, key, value.scope) : undefined;
          if (inner !== undefined) return inner;
        }
      } else if (value.kind === 'made' && value.call !== undefined && value.scope !== undefined) {
        for (const argument of value.call.args) {
          if (argument === 0 || argument.kind !== 'object') continue;
          const found = argument.entries.find(([name]) => name === key);
          if (found !== undefined) return { term: found[1], scope: value.scope };
        }
      }
    }
    return undefined;
  }

  /** The texts at a place, with the calls that gave them to a parameter. What callers give stands before defaults. */
  originsAt(call: CallTerm, where: ArgumentSelector, scope: Scope): readonly { readonly pieces: readonly Piece[]; readonly via: Origin | undefined }[] {
    const found = this.argument(call, where, scope);
    if (found === undefined) return [];
    const texts = this.values(found.term, found.scope).flatMap(value => {
      if (value.kind === 'text') return [{ pieces: value.pieces, via: value.via }];
      return value.kind === 'list' ? value.items.flatMap(item => this.texts(item, value.scope).map(pieces => ({ pieces, via: value.via }))) : [];
    });
    const given = texts.filter(each => each.via !== undefined);
    return given.length > 0 ? given : texts;
  }

  textsAt(call: CallTerm, where: ArgumentSelector, scope: Scope): readonly (readonly Piece[])[] {
    const found = this.argument(call, where, scope);
    return found === undefined ? [] : this.texts(found.term, found.scope);
  }

  /** Notes what a call gives to the parameters of functions of the workspace. */
  noteCall(call: CallTerm, scope: Scope): void {
    this.#noteIteration(call, scope);
    this.#notePartial(call, scope);
    for (const value of this.values(call.callee, scope)) {
      if (value.kind === 'function') {
        this.noteArguments(value.fn, call, scope, value.given);
        this.#noteRead(value.fn, call, scope);
      } else if (value.kind === 'class') {
        const init = value.cls.body.find(step => step.kind === 'fn' && (step.fn.name === 'constructor' || step.fn.name === '__init__'));
        if (init?.kind === 'fn') this.noteArguments(init.fn, call, scope);
        for (const [name, term] of fieldsOf(call, value.cls)) this.#noteField(value.cls, name, term, scope);
      }
    }
  }

  #noteIteration({ callee, args }: CallTerm, scope: Scope): void {
    if (callee === 0 || callee.kind !== 'member' || !ITERATIONS.test(callee.name)) return;
    for (const term of args) {
      if (term === 0 || term.kind !== 'function' || this.iterated.has(term.fn)) continue;
      this.iterated.set(term.fn, { term: callee.owner, scope });
      this.changed(term.fn);
      this.#learned = true;
    }
  }

  /** `mustMapEnv(&server.ordersAddr, "ORDERS_ADDR")`: the field is the variable. */
  #noteRead(fn: DigestFunction, call: CallTerm, scope: Scope): void {
    const [to = 0, name = 0] = call.args;
    if (call.args.length === 2 && to !== 0 && to.kind === 'member' && name !== 0 && name.kind === 'text' && /env/i.test(fn.name) && readsEnvironment(fn))
      this.noteAssignment(to, call, scope);
  }

  /** `register.bind(null, options)` */
  #notePartial(call: CallTerm, scope: Scope): void {
    const { args, callee } = call;
    if (callee === 0 || callee.kind !== 'member' || callee.name !== 'bind' || args.length < 2) return;
    for (const value of this.values(callee.owner, scope))
      if (value.kind === 'function')
        for (const [at, term] of args.slice(1).entries()) this.give(value.fn, (value.given ?? 0) + at, { term, scope, position: call.position });
  }

  protected noteArguments(fn: DigestFunction, call: CallTerm, scope: Scope, bound = 0): void {
    const offset = bound + (isSelf(fn) ? 1 : 0);
    let position = 0;
    for (const term of call.args) {
      if (term !== 0 && term.kind === 'named') {
        const index = fn.parameters.findIndex(parameter => parameter.name === term.name);
        if (index >= 0) this.give(fn, index, { term: term.value, scope, position: call.position });
      } else this.give(fn, offset + position++, { term, scope, position: call.position });
    }
  }

  /** Tells that a function gets something at a position (`RECEIVER`: as its `this`): a term of its caller, or a router, which it has from the next round on. */
  give(fn: DigestFunction, index: number, given: Given): void {
    if ('term' in given && given.term === 0) return;
    const table = 'term' in given ? this.#given : this.#nextRouters;
    let positions = table.get(fn);
    if (positions === undefined) {
      positions = new Map();
      table.set(fn, positions);
    }
    const list = positions.get(index) ?? [];
    if (list.length >= MAX_SITES) return;
    const isKnown = list.some(each => ('term' in each ? 'term' in given && each.term === given.term : 'value' in given && sameValue(each.value, given.value)));
    if (isKnown) return;
    positions.set(index, [...list, given]);
    this.changed(fn);
    if ('term' in given) this.#learned = true;
    else this.#note(`give ${given.value.kind === 'router' ? given.value.router.id : ''} ${fn.position} ${index}`);
  }

  /** `this.x = value` in a method, `Type{x: value}`. */
  noteAssignment(to: Term, value: Term, scope: Scope): void {
    if (to === 0 || to.kind !== 'member') return;
    if (to.owner !== 0 && to.owner.kind === 'member' && to.owner.name === 'config') this.#noteField(this.settings, to.name, value, scope);
    for (const owner of this.values(to.owner, scope))
      if (owner.kind === 'instance' || owner.kind === 'class') this.#noteField(owner.cls, to.name, value, scope);
  }

  #noteField(owner: object, name: string, term: Term, scope: Scope): void {
    let fields = this.#fields.get(owner);
    if (fields === undefined) {
      fields = new Map();
      this.#fields.set(owner, fields);
    }
    const list = fields.get(name) ?? [];
    if (list.some(each => each.term === term)) return;
    fields.set(name, [...list, { term, scope }]);
    this.changed(owner);
    this.#learned = true;
  }

  /** The router that is made at a place; always the same one. */
  router(
    framework: Framework,
    file: FileUnit,
    position: number,
    options: { prefix?: readonly Piece[]; isRoot?: boolean; isPathless?: boolean; key?: string } = {},
  ): Router {
    const key = `${framework.name}:${file.path}:${position}:${options.key ?? ''}`;
    const known = this.#routers.get(key);
    if (known !== undefined) {
      if (options.prefix !== undefined && known.prefix.length === 0) known.prefix = options.prefix;
      return known;
    }
    const router: Router = {
      id: this.#routers.size,
      framework,
      file,
      position,
      prefix: options.prefix ?? [],
      isRoot: options.isRoot === true,
      isPathless: options.isPathless === true,
      mounts: [],
    };
    this.#routers.set(key, router);
    this.#learned = true;
    return router;
  }

  mount(child: Router, mount: Mount): void {
    if (child === mount.parent) return;
    const key = JSON.stringify(mount.prefix);
    if (child.mounts.some(each => each.parent === mount.parent && JSON.stringify(each.prefix) === key)) return;
    if (child.mounts.length >= MAX_GIVEN) return;
    child.mounts.push(mount);
    this.#note(`mount ${child.id} ${mount.parent.id} ${key}`);
  }
}

function isAt({ position, scope }: GivenTerm, origin: Origin): boolean {
  return position === origin.position && scope.file === origin.file;
}
