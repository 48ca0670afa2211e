/**
 * Loops and callers, one at a time: what is read in a turn of a loop, or for one call of the function around it, is of that turn and that call only,
 * so that a path stays with its method and its handler.
 */
import type { CallTerm, DigestFunction, GenericTerm, Term } from '../../../model/digest';
import { isLoopVariable, partsOf } from '../questions';
import type { Definition, Scope } from '../units';
import type { Origin } from '../values';
import { NamesAcrossFiles } from './namesAcrossFiles';

/** What a variable of a loop holds in one of its turns. */
export interface LoopItem {
  readonly term: Term;
  readonly scope: Scope;
}

/** A loop over a list: the term of its variable, or the function that is called with each item. */
interface Loop {
  readonly key: GenericTerm | DigestFunction;
  readonly items: readonly LoopItem[];
}

/** Terms that loops and callers decide. */
interface Use {
  readonly loops: readonly Term[];
  readonly parameters: readonly Term[];
  readonly scope: Scope;
}

interface UseAt {
  readonly depth: number;
  /** One of several turns or callers is looked at. */
  readonly isForked: boolean;
  readonly site: Origin | undefined;
}

const MAX_TURNS = 64;
/** Functions that hand on to each other what a route is made of. */
const MAX_WRAPPERS = 3;

export abstract class Turns extends NamesAcrossFiles {
  /** The turn of the loops that are under way. */
  protected readonly turns = new Map<Loop['key'], LoopItem>();

  /** Does something with values found anew. */
  protected abstract apart(act: () => void): void;

  /** Does something once for each turn of the loop that a call depends on, once when there is none: `for (const each of all) app.use(each.path, each.router)`. */
  eachTurn(call: CallTerm, scope: Scope, act: () => void): void {
    const loop = this.#loopOf([call.callee, ...call.args], scope);
    if (loop === undefined || loop.items.length === 0) return act();
    for (const item of loop.items) {
      this.turns.set(loop.key, item);
      this.apart(act);
    }
    this.turns.delete(loop.key);
  }

  /**
   * The same, and once for each call of the function around it whose parameters it depends on: `get(path, handler) { this.router.get(path, handler) }`.
   * `site` is the outermost of those calls.
   */
  eachUse(call: CallTerm, scope: Scope, act: (site: Origin | undefined) => void): void {
    this.#eachUse({ loops: [call.callee, ...call.args], parameters: argumentsOf(call), scope }, act, { depth: MAX_WRAPPERS, isForked: false, site: undefined });
  }

  /** The same for some arguments of a call only. */
  eachUseOf(terms: readonly Term[], scope: Scope, act: (site: Origin | undefined) => void): void {
    this.#eachUse({ loops: terms, parameters: terms, scope }, act, { depth: MAX_WRAPPERS, isForked: false, site: undefined });
  }

  #eachUse(use: Use, act: (site: Origin | undefined) => void, at: UseAt): void {
    const loop = this.#loopOf(use.loops, use.scope);
    if (loop !== undefined && loop.items.length > 0 && !this.turns.has(loop.key)) {
      for (const item of loop.items) {
        this.turns.set(loop.key, item);
        this.#eachUse(use, act, { ...at, isForked: true });
      }
      this.turns.delete(loop.key);
      return;
    }
    const fn = at.depth === 0 ? undefined : this.#parameterIn(use.parameters, use.scope)?.fn;
    const sites = fn === undefined ? [] : this.sitesOf(fn);
    if (fn === undefined || sites.length === 0) {
      if (at.isForked) this.apart(() => act(at.site));
      else act(at.site);
      return;
    }
    for (const { given, origin } of sites) {
      this.sites.set(fn, origin);
      const terms = given.map(({ term }) => term);
      const above = { loops: terms, parameters: terms, scope: given[0]?.scope ?? use.scope };
      this.#eachUse(above, act, { depth: at.depth - 1, isForked: at.isForked || sites.length > 1, site: origin });
    }
    this.sites.delete(fn);
  }

  /** What the call that is looked at gives for a name, where that is a parameter. */
  givenFor(name: string, scope: Scope): LoopItem | undefined {
    const parameter = definitionOf(name, scope);
    if (parameter?.is !== 'parameter' || !this.sites.has(parameter.fn)) return undefined;
    return this.givenTo(parameter.fn, parameter.index).flatMap(each => ('term' in each ? [each] : []))[0];
  }

  /** What a variable holds that a term names, else the term. */
  declared(term: Term, scope: Scope): LoopItem {
    if (term === 0 || term.kind !== 'name') return { term, scope };
    const given = this.givenFor(term.name, scope);
    if (given !== undefined) return given;
    const definition = definitionOf(term.name, scope);
    return definition?.is === 'value' && definition.value !== 0 ? { term: definition.value, scope } : { term, scope };
  }

  /** A parameter that terms begin with, of a function that is called and not looked at yet; of one that is taken apart, its parts. */
  #parameterIn(terms: readonly Term[], scope: Scope): Extract<Definition, { is: 'parameter' }> | undefined {
    for (const term of terms) {
      const [root, ...inside] = partsOf(term);
      const definition = root === undefined ? this.#parameterIn(inside, scope) : parameterBehind(root, scope);
      if (definition?.is === 'parameter' && !this.sites.has(definition.fn) && !this.iterated.has(definition.fn) && this.sitesOf(definition.fn).length > 0)
        return definition;
    }
    return undefined;
  }

  /** The loop whose variable stands in one of some terms. */
  #loopOf(terms: readonly Term[], scope: Scope): Loop | undefined {
    for (const term of terms) {
      const [root, ...inside] = partsOf(term);
      const loop = root === undefined ? this.#loopOf(inside, scope) : this.#loopOfName(root, scope);
      if (loop !== undefined) return loop;
    }
    return undefined;
  }

  #loopOfName(name: string, scope: Scope): Loop | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.up) {
      const definition = at.names.has(name) ? parameterBehind(name, at) : undefined;
      if (definition === undefined) continue;
      if (definition.is === 'parameter') return definition.index === 0 ? this.loopOfFunction(definition.fn) : undefined;
      const { value } = definition.is === 'value' ? definition : { value: 0 as const };
      return value !== 0 && value.kind === 'generic' && isLoopVariable(value) ? { key: value, items: this.itemsOf(value.args, at) } : undefined;
    }
    return undefined;
  }

  protected loopOfFunction(fn: DigestFunction): Loop | undefined {
    this.dependOn(fn);
    const over = this.iterated.get(fn);
    return over === undefined ? undefined : { key: fn, items: this.itemsOf([over.term], over.scope) };
  }

  protected itemsOf(lists: readonly Term[], scope: Scope): readonly LoopItem[] {
    return lists
      .flatMap(list => this.values(list, scope))
      .flatMap(value => {
        if (value.kind === 'list') return value.items.map(term => ({ term, scope: value.scope }));
        return value.kind === 'object' ? value.entries.map(([, term]) => ({ term, scope: value.scope })) : [];
      })
      .slice(0, MAX_TURNS);
  }
}

/** What a name is; for a part of a parameter that is taken apart, that parameter. */
function parameterBehind(name: string, scope: Scope): Definition | undefined {
  const definition = definitionOf(name, scope);
  if (definition?.is !== 'value') return definition;
  const [part] = definition.value !== 0 && definition.value.kind === 'any' ? definition.value.parts : [definition.value];
  const owner = part !== undefined && part !== 0 && part.kind === 'member' ? part.owner : 0;
  return owner !== 0 && owner.kind === 'name' && owner.name.startsWith('*parts') ? definitionOf(owner.name, scope) : definition;
}

function definitionOf(name: string, scope: Scope): Definition | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.up) {
    const definition = at.names.get(name)?.[0];
    if (definition !== undefined) return definition;
  }
  return undefined;
}

/** Arguments of a call and of the calls that it goes on from: `router.Methods(method).Path(path).Handler(handler)`. */
function argumentsOf({ args, callee }: CallTerm): readonly Term[] {
  const of = callee !== 0 && callee.kind === 'generic' ? callee.base : callee;
  const owner = of !== 0 && of.kind === 'member' ? of.owner : 0;
  return owner !== 0 && owner.kind === 'call' ? [...argumentsOf(owner), ...args] : args;
}
