/** What handles a route: a function by name, a class, a function in place, or what a wrapper makes of one. */

import { type CallTerm, type DigestFunction, lineOfPosition, type Term, termPosition } from '../../model/digest';
import type { StableId } from '../../model/ids';
import type { Place } from '../surface';
import type { Evaluator } from './evaluation/evaluator';
import type { LanguageTables } from './framework';
import { own } from './own';
import { isFolderPackage } from './questions';
import type { FileUnit, Scope, Units } from './units';

export interface Handler {
  readonly symbol: StableId | undefined;
  readonly place: Place;
}

/** Handlers that are no functions by name: `'Controller@method'`, `[Controller, 'method']`. */
export type HandlerRule = (resolver: HandlerResolver, term: Term, scope: Scope) => Handler | undefined;

export function placeIn(file: FileUnit, position: number): Place {
  return { file: file.path, line: lineOfPosition(position) + 1 };
}

export class HandlerResolver {
  constructor(
    readonly units: Units,
    readonly evaluator: Evaluator,
    private readonly tablesOf: (file: FileUnit) => LanguageTables | undefined,
    private readonly ruleOf: (file: FileUnit) => HandlerRule | undefined,
  ) {}

  /** Symbol and place of what handles: a function by name, a class, a function in place. */
  handlerOf(term: Term, scope: Scope): Handler {
    const inner = term !== 0 && term.kind === 'named' ? term.value : term;
    const here = termPosition(inner);
    const place = placeIn(scope.file, here);
    if (inner === 0) return { symbol: undefined, place };
    const particular = this.ruleOf(scope.file)?.(this, inner, scope);
    if (particular !== undefined) return particular;
    const given = inner.kind === 'name' ? this.evaluator.givenFor(inner.name, scope) : undefined;
    if (given !== undefined) return this.handlerOf(given.term, given.scope);
    if (inner.kind === 'function') return { symbol: undefined, place: placeIn(scope.file, inner.fn.position) };
    const wrapped = inner.kind === 'call' ? this.#wrapped(inner, scope) : undefined;
    for (const value of this.evaluator.values(inner, scope)) {
      if (value.kind === 'function' && value.fn.name === '' && inner.kind === 'call') return wrapped ?? this.#returned(value.fn, value.scope.file);
      if (value.kind === 'function') return this.#assigned(inner, value.fn, scope) ?? this.handlerOfFunction(value.fn, value.scope.file);
      if (value.kind === 'class') return this.handlerOfFunction(value.cls, value.scope.file);
    }
    return wrapped ?? this.#held(inner, scope) ?? this.#referred(inner, scope) ?? this.#declared(inner, scope) ?? { symbol: undefined, place };
  }

  /** What stands in a wrapper that a variable holds: `const traced = trace(list)`. */
  #held(term: Term, scope: Scope): Handler | undefined {
    if (term === 0 || term.kind !== 'name') return undefined;
    const held = this.evaluator.declared(term, scope);
    return held.term !== 0 && held.term.kind === 'call' ? this.#wrapped(held.term, held.scope) : undefined;
  }

  /** What stands in a wrapper: `asyncHandler(list)`, `View.as_view()`, `controller.list.bind(controller)`. */
  #wrapped({ args, callee }: CallTerm, scope: Scope): Handler | undefined {
    const makers = this.tablesOf(scope.file)?.handlerMakers;
    for (const value of makers === undefined ? [] : this.evaluator.values(callee, scope)) {
      const at = value.kind === 'outside' ? own(makers, value.path) : undefined;
      if (at !== undefined) return this.handlerOf(args[at] ?? 0, scope);
    }
    const inside = callee !== 0 && callee.kind === 'member' && /^(?:as_view|bind|as_asgi|into_service)$/.test(callee.name) ? callee.owner : undefined;
    for (const candidate of inside === undefined ? args.toReversed() : [inside]) {
      const found = this.handlerOf(candidate, scope);
      if (found.symbol !== undefined || (candidate !== 0 && candidate.kind === 'function')) return found;
    }
    return undefined;
  }

  /** A function without a name that another one makes is called after that one: `server.handleList()`. */
  #returned(fn: DigestFunction, file: FileUnit): Handler {
    const maker = this.units.symbolAt(file, fn.position);
    return { symbol: maker === undefined ? undefined : this.units.graph.idOf(maker), place: placeIn(file, fn.position) };
  }

  /** The constant that holds a function without a name of its own, or what a wrapper makes of one: `const list = wrap(async () => …)`. */
  #assigned(term: Term, fn: DigestFunction, scope: Scope): Handler | undefined {
    return fn.name === '' ? (this.#referred(term, scope) ?? this.#declared(term, scope)) : undefined;
  }

  /** The same through objects of functions: `module.exports = { list }`, then `controller.list`. */
  #declared(term: Term, scope: Scope): Handler | undefined {
    const declaration = this.evaluator.declarationOf(term, scope);
    const node = declaration === undefined ? undefined : this.units.symbolAt(declaration.scope.file, declaration.position);
    if (declaration === undefined || node === undefined) return undefined;
    return { symbol: this.units.graph.idOf(node), place: placeIn(declaration.scope.file, declaration.position) };
  }

  #referred(term: Term, scope: Scope): Handler | undefined {
    for (const handle of term !== 0 && (term.kind === 'name' || term.kind === 'member') ? this.units.referents(scope.file, term.position) : []) {
      const node = this.units.graph.node(handle);
      // What a field of a literal holds is not declared where the field is.
      if (node.nodeType === 'symbol' && !(node.kind === 'field' && isFolderPackage(scope.file)))
        return { symbol: node.id, place: { file: node.path, line: node.nameLine } };
    }
    return undefined;
  }

  handlerOfFunction(fn: { readonly name: string; readonly position: number }, file: FileUnit): Handler {
    const node = fn.name === '' ? undefined : this.units.symbolAt(file, fn.position);
    return { symbol: node === undefined ? undefined : this.units.graph.idOf(node), place: placeIn(file, fn.position) };
  }
}
