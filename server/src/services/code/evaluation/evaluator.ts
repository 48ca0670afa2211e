/**
 * What a term may be: names through scopes, imports and the graph; members; results of functions of the workspace; arguments that callers give.
 *
 * It runs nothing: values are sets, cut at a few alternatives, and cycles end. Names nobody declares are taken for what is outside.
 */

import { dirname } from '../../../base/path';
import type { CallTerm, DigestClass, DigestFunction, FunctionTerm, GenericTerm, Term } from '../../../model/digest';
import type { Framework, LanguageTables } from '../framework';
import { own } from '../own';
import {
  bound,
  distinct,
  fieldIn,
  fieldsSetBy,
  hasImplicitSelf,
  isBlock,
  isFolderPackage,
  isKnown,
  isLoopVariable,
  isProperty,
  listed,
  orOfType,
  returnsParameter,
  selfScope,
  sharedFolders,
  withoutGet,
} from '../questions';
import { type Definition, type FileUnit, keyOf, nameOf, type Scope, type Units } from '../units';
import { literalOf, type Piece, type Value, withDefault } from '../values';
import type { DependencySet } from './dependencies';
import { Dictionaries } from './dictionaries';
import { MAX_VALUES } from './texts';
import type { LoopItem } from './turns';

const MAX_DEPTH = 40;
/** Classes from a class up to the base that has a member. */
const MAX_BASES = 6;
/** Terms that are looked at to find the values of one: chains that lead back to each other would multiply. */
const MAX_TERMS = 10_000;
/** Names of what holds the configuration of a program. */
const CONFIGURATION = /^(?:cfg|conf|config|configuration|settings)$/i;

interface Found {
  readonly values: readonly Value[];
  readonly dependencies: DependencySet;
}

export class Evaluator extends Dictionaries {
  /** By term, and by what else is asked for often: imports, exports, members of classes. */
  #memo = new Map<object, Found>();
  readonly #memberKeys = new Map<object, Map<string, object>>();
  readonly #membersUnderWay = new Set<object>();
  readonly #active = new Set<unknown>();
  #depth = 0;
  /** Terms looked at for the outermost one. */
  #terms = 0;
  /** How often a value was cut off: by a cycle, or for its depth. */
  #cuts = 0;

  constructor(
    units: Units,
    tablesOf: (file: FileUnit) => LanguageTables | undefined,
    /** Value of a key in the configuration of a file's module. */
    private readonly configuration: (file: FileUnit, key: string) => string | undefined,
  ) {
    super(units, tablesOf);
  }

  /** Begins a round: values that rest on what was learned since are found anew. */
  begin(): void {
    this.forgetRouters();
  }

  /** Ends a round. Returns whether anything was learned in it. */
  end(): boolean {
    return this.takeLearned();
  }

  protected override apart(act: () => void): void {
    const memo = this.#memo;
    this.#memo = new Map();
    act();
    this.#memo = memo;
  }

  override values(term: Term, scope: Scope): readonly Value[] {
    if (term === 0) return [];
    const known = this.#memo.get(term);
    if (known !== undefined && this.isValid(known.dependencies)) {
      this.dependOnAll(known.dependencies);
      return known.values;
    }
    if (this.#depth === 0) this.#terms = 0;
    if (this.#depth > MAX_DEPTH || this.#terms++ > MAX_TERMS || this.#active.has(term)) return this.cut();
    const before = this.#cuts;
    this.#active.add(term);
    this.#depth++;
    let values: readonly Value[] = [];
    const dependencies = this.track(() => {
      values = distinct(this.#evaluate(term, scope));
      if (values.length > MAX_VALUES) values = values.slice(0, MAX_VALUES);
    });
    this.#depth--;
    this.#active.delete(term);
    // Nothing counts as found only where nothing was cut off: elsewhere, a value may be found when the term is asked for by itself.
    if (this.#active.size === 0 || values.length > 0 || this.#cuts === before) this.#memo.set(term, { values, dependencies });
    return values;
  }

  /** What was found for a key, as long as it holds. What was cut off on the way is found again. */
  protected override remembered(key: object, find: () => readonly Value[]): readonly Value[] {
    const known = this.#memo.get(key);
    if (known !== undefined && this.isValid(known.dependencies)) {
      this.dependOnAll(known.dependencies);
      return known.values;
    }
    const before = this.#cuts;
    let values: readonly Value[] = [];
    const dependencies = this.track(() => {
      values = find();
    });
    if (this.#cuts === before) this.#memo.set(key, { values, dependencies });
    return values;
  }

  protected override cut(): readonly Value[] {
    this.#cuts++;
    this.markTransient();
    return [];
  }

  #evaluate(term: Exclude<Term, 0>, scope: Scope): readonly Value[] {
    switch (term.kind) {
      case 'text':
        return [{ kind: 'text', pieces: this.#literal(term.text, scope) }];
      case 'join':
        return this.concatenation(term.parts, scope);
      case 'name':
        return this.#name(term.name, term.position, scope);
      case 'member':
        return this.#memberTerm(term, scope);
      case 'call':
        return this.#call(term, scope);
      case 'list':
        return [{ kind: 'list', items: term.items, scope }];
      case 'object':
        return [{ kind: 'object', entries: term.entries, scope }];
      case 'function':
        return [{ kind: 'function', fn: term.fn, scope, self: undefined }];
      case 'any':
        return this.#alternatives(term.parts, scope);
      case 'named':
        return this.values(term.value, scope);
      case 'generic':
        return this.#generic(term, scope);
      case 'other':
        return term.parts.length === 1 && isBlock(term.parts[0] ?? 0) ? this.#result((term.parts[0] as FunctionTerm).fn, scope) : [];
    }
  }

  #memberTerm(term: Extract<Term, { kind: 'member' }>, scope: Scope): readonly Value[] {
    const values = this.values(term.owner, scope).flatMap(value => this.member(value, term.name, term.position, scope));
    if (values.some(isKnown)) return values;
    if (values.some(value => value.kind === 'made')) return this.#configured(term, scope.file) ?? values;
    if (term.owner !== 0 && term.owner.kind === 'member' && term.owner.name === 'config') {
      const setting = this.#setting(term.name, scope.file);
      if (setting.length > 0) return setting;
    }
    const referred = this.referents(scope.file, term.position, term.name);
    const found = referred.length > 0 ? referred : values;
    return found.some(isKnown) ? found : (this.#configured(term, scope.file) ?? found);
  }

  /** `server.cfg.Http.OrdersPath`: the key `http.ordersPath` of the file that the configuration is read from. */
  #configured(term: Term, file: FileUnit): readonly Value[] | undefined {
    const keys: string[] = [];
    let at = term;
    while (at !== 0 && at.kind === 'member' && !CONFIGURATION.test(at.name)) {
      keys.unshift(at.name);
      at = at.owner;
    }
    const isConfiguration = at !== 0 && (at.kind === 'member' || (at.kind === 'name' && CONFIGURATION.test(at.name)));
    if (!isConfiguration || keys.length < 2) return undefined;
    const value = this.configuration(file, keys.join('.'));
    return value === undefined ? undefined : [{ kind: 'text', pieces: [{ is: 'variable', name: keys.join('.'), fallback: value }] }];
  }

  /** What the settings of an application hold, of the nearest file that sets them. */
  #setting(name: string, file: FileUnit): readonly Value[] {
    const set = this.assignedTo(this.settings, name);
    const nearest = set.toSorted((left, right) => sharedFolders(right.scope.file.path, file.path) - sharedFolders(left.scope.file.path, file.path))[0];
    return nearest === undefined ? [] : this.values(nearest.term, nearest.scope);
  }

  /** A text with keys of configuration, where the language has them. */
  #literal(text: string, scope: Scope): readonly Piece[] {
    if (!text.includes('${') || this.tablesOf(scope.file)?.hasPlaceholders !== true) return [{ is: 'text', text: text }];
    return text.split(/\$\{([^}]*)\}/).flatMap((part, index): Piece[] => {
      if (index % 2 === 0) return part === '' ? [] : [{ is: 'text', text: part }];
      const [key = '', ...rest] = part.split(':');
      const configured = this.configuration(scope.file, key);
      return [{ is: 'variable', name: key, fallback: configured ?? (rest.length === 0 ? undefined : rest.join(':')) }];
    });
  }

  /** `a || 'default'`: a variable of the environment gets its default. */
  #alternatives(terms: readonly Term[], scope: Scope): readonly Value[] {
    const [first, ...rest] = terms.map(term => this.values(term, scope));
    if (first === undefined) return [];
    return withDefault(first, rest.flat());
  }

  #generic(term: GenericTerm, scope: Scope): readonly Value[] {
    const { base: of, args } = term;
    if (isLoopVariable(term)) {
      const turn = this.turns.get(term);
      return (turn === undefined ? this.itemsOf(args, scope) : [turn]).flatMap(item => this.values(item.term, item.scope));
    }
    if (of !== 0 && of.kind === 'name' && of.name === '*typed') return args.flatMap(type => this.instanceOf(type, scope));
    if (of !== 0 && of.kind === 'name' && of.name === '*item') return this.items(this.values(args[0] ?? 0, scope), args[1] ?? 0, scope);
    const values = this.values(of, scope);
    // `SERVICES[name]` of Python is spelled like a type with arguments.
    return values.some(value => value.kind === 'object') ? this.items(values, args[0] ?? 0, scope) : values;
  }

  #name(name: string, position: number, scope: Scope): readonly Value[] {
    const self = selfScope(scope);
    const local = this.selfNamed(name, scope) ?? this.#localName(name, position, scope);
    if (local !== undefined) return local;
    if (hasImplicitSelf(scope.file) && self?.cls !== undefined && self.up !== undefined) {
      const inherited = this.#instanceMember(self.cls, self.up, name);
      if (inherited.length > 0) return inherited;
    }
    return this.outer(name, position, scope.file);
  }

  /** A name of the scopes around; undefined when none declares it, or an import leads nowhere. */
  #localName(name: string, position: number, scope: Scope): readonly Value[] | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.up) {
      if (at.fn?.self === name && at.fn.owner !== undefined) return this.instanceOf(at.fn.owner, at.up ?? at);
      const all = at.names.get(name);
      if (all === undefined) continue;
      const definitions = at === scope ? this.#before(position, all) : all;
      const { cls, up } = at;
      const hasMembers = hasImplicitSelf(at.file);
      if (cls !== undefined && at !== scope && !hasMembers) continue;
      const isMember = cls !== undefined && up !== undefined && hasMembers;
      const values = isMember ? this.#instanceMember(cls, up, name) : definitions.flatMap(definition => this.definition(definition, at));
      return values.length > 0 || definitions.some(each => each.is !== 'import') ? values : undefined;
    }
    return undefined;
  }

  /** Of several definitions of a name, those that may hold where it is read: `let query = query.filter(…)` reads the ones before. */
  #before(position: number, all: readonly Definition[]): readonly Definition[] {
    if (all.length < 2) return all;
    const before = all.filter(each => each.is !== 'value' || (each.position <= position && !this.#active.has(each.value)));
    return before.length > 0 ? before : all;
  }

  /** A variable that another file declares, which takes this one in: of a framework that its name is usual for. */
  protected override routerNamed(name: string, file: FileUnit): Value | undefined {
    const framework = this.#frameworkNamed(this.tablesOf(file)?.routerNames, name, file);
    return framework === undefined ? undefined : { kind: 'router', router: this.router(framework, file, 0, { key: name }) };
  }

  #frameworkNamed(names: Readonly<Record<string, string>> | undefined, name: string, file: FileUnit): Framework | undefined {
    const wanted = own(names, name);
    return wanted === undefined ? undefined : this.tablesOf(file)?.frameworks.find(each => each.name === wanted);
  }

  protected override definition(definition: Definition, scope: Scope): readonly Value[] {
    switch (definition.is) {
      case 'value': {
        const values = definition.value === 0 ? this.#injected(definition.decorators, scope) : this.values(definition.value, scope);
        if (definition.type === 0 || values.some(isKnown)) return values;
        // A field of Go may be called as the package of its type: `echo *echo.Echo`.
        const around = scope.cls !== undefined && isFolderPackage(scope.file) ? (scope.up ?? scope) : scope;
        const typed = this.#typed(definition.type, around, definition.position);
        return typed.some(value => value.kind === 'router') || values.length === 0 ? typed : values;
      }
      case 'parameter':
        return this.#parameter(definition, scope);
      case 'function':
        return isProperty(definition.fn) ? this.#result(definition.fn, scope) : [{ kind: 'function', fn: definition.fn, scope, self: undefined }];
      case 'class':
        return [{ kind: 'class', cls: definition.cls, scope }];
      case 'import':
        return this.remembered(definition.step, () => this.imported(definition.step, scope.file));
    }
  }

  /** `@Value("${key}") String name` */
  #injected(decorators: readonly Term[], scope: Scope): readonly Value[] {
    for (const term of decorators) {
      if (term === 0 || term.kind !== 'call' || !/^(?:Value|ConfigProperty)$/.test(nameOf(term.callee))) continue;
      const found = this.textsAt(term, ['name', 0], scope);
      if (found.length > 0) return found.map(pieces => ({ kind: 'text', pieces }));
    }
    return [];
  }

  #parameter({ fn, index, parameter }: Extract<Definition, { is: 'parameter' }>, scope: Scope): readonly Value[] {
    if (this.#active.has(parameter)) return this.cut();
    this.#active.add(parameter);
    const turn = index === 0 ? this.turns.get(fn) : undefined;
    const given = turn === undefined ? [...this.givenTo(fn, index), ...this.#turnsGiven(fn, index)] : [{ ...turn, position: fn.position }];
    const values = given.flatMap(each => {
      if ('value' in each) return [each.value];
      const via = { file: each.scope.file, position: each.position };
      return this.values(each.term, each.scope).map(value =>
        (value.kind === 'text' || value.kind === 'list') && value.via === undefined ? { ...value, via } : value,
      );
    });
    this.#active.delete(parameter);
    const useful = values.filter(value => value.kind !== 'outside');
    if (useful.length > 0) return orOfType(useful, () => this.instanceOf(parameter.type ?? 0, scope.up ?? scope));
    const injected = this.#injected(parameter.decorators ?? [], scope);
    if (injected.length > 0) return injected;
    if (parameter.initial !== undefined) {
      const byDefault = this.values(parameter.initial, scope.up ?? scope);
      if (byDefault.length > 0 && parameter.type === undefined) return byDefault;
    }
    if (parameter.type !== undefined) return this.#typed(parameter.type, scope.up ?? scope, fn.position, `${index}`);
    const framework =
      index === 0 && given.length === 0 ? this.#frameworkNamed(this.tablesOf(scope.file)?.routerParameters, parameter.name, scope.file) : undefined;
    return framework === undefined ? [] : [{ kind: 'router', router: this.router(framework, scope.file, fn.position, { key: 'started' }) }];
  }

  #turnsGiven(fn: DigestFunction, index: number): readonly (LoopItem & { readonly position: number })[] {
    return index === 0 ? (this.loopOfFunction(fn)?.items ?? []).map(item => ({ ...item, position: fn.position })) : [];
  }

  /** Something of a declared type: a router of its own when the type is one. */
  #typed(type: Term, scope: Scope, position: number, key = ''): readonly Value[] {
    return this.instanceOf(type, scope).map(value => {
      const framework = value.kind === 'made' ? this.frameworkOf(value.path, scope.file, true) : undefined;
      return framework === undefined ? value : { kind: 'router' as const, router: this.router(framework, scope.file, position, { key: `typed${key}` }) };
    });
  }

  /** An instance of what a type names. */
  instanceOf(type: Term, scope: Scope): readonly Value[] {
    return this.values(type, scope).flatMap((value): Value[] => {
      if (value.kind === 'class') return [{ kind: 'instance', cls: value.cls, scope: value.scope }];
      if (value.kind === 'outside') return [{ kind: 'made', path: value.path, call: undefined, scope: undefined }];
      return [];
    });
  }

  override member(value: Value, name: string, position: number, scope: Scope): readonly Value[] {
    switch (value.kind) {
      case 'outside':
        return this.environmentMember(value.path, name, scope) ?? [{ kind: 'outside', path: `${value.path}.${name}` }];
      case 'made':
        return this.environmentMember(value.path, name, scope) ?? [{ kind: 'outside', path: `${value.path}.${name}` }];
      case 'module':
        return this.exported(value.file, name);
      case 'package':
        return value.files.flatMap(file => this.exported(file, name)).slice(0, MAX_VALUES);
      case 'class':
        return this.#instanceMember(value.cls, value.scope, name);
      case 'instance': {
        const set = fieldIn(value.fields, name, this.tablesOf(scope.file)?.hasPlaceholders === true);
        const values = set === undefined ? [] : this.values(set, value.fields?.scope ?? value.scope);
        return values.length > 0 ? values : this.#instanceMember(value.cls, value.scope, name);
      }
      case 'object':
        return this.#entry(value, name, position, scope);
      case 'list':
        return /^\d+$/.test(name) ? this.values(value.items[Number(name)] ?? 0, value.scope) : [];
      case 'router':
        return value.router.framework.selves?.includes(name) === true ? [value] : [];
      case 'function':
        // A module or package that a function is called after.
        return [{ kind: 'outside', path: `${value.fn.name}.${name}` }];
      default:
        return [];
    }
  }

  /** What an object holds under a name, itself or by what is spread in it (`options = { ...options, base }` holds itself). */
  #entry(object: Extract<Value, { kind: 'object' }>, name: string, position: number, scope: Scope): readonly Value[] {
    const key = keyOf(this.#memberKeys, object.entries, name);
    if (this.#membersUnderWay.has(key)) return this.cut();
    this.#membersUnderWay.add(key);
    const found = object.entries.flatMap(([key, term]) => {
      if (key === name) return this.values(term, object.scope);
      if (key !== '') return [];
      return this.values(term, object.scope).flatMap(inner => (inner.kind === 'object' ? this.member(inner, name, position, scope) : []));
    });
    this.#membersUnderWay.delete(key);
    return found;
  }

  /** A member of the instances of a class or, where it has none of this name, of a base. */
  #instanceMember(cls: DigestClass, outer: Scope, name: string): readonly Value[] {
    return this.remembered(keyOf(this.#memberKeys, cls, name), () => this.#memberFound(cls, outer, name, MAX_BASES));
  }

  #memberFound(cls: DigestClass, outer: Scope, name: string, depth: number): readonly Value[] {
    const key = keyOf(this.#memberKeys, cls, name);
    if (depth === 0 || this.#membersUnderWay.has(key)) return this.cut();
    this.#membersUnderWay.add(key);
    try {
      const inner = this.units.scopeOfClass(cls, outer);
      const property = this.#property(cls, inner, name);
      if (property.length > 0) return property;
      const assigned = this.assignedTo(cls, name)
        .flatMap(each => this.values(each.term, each.scope))
        .filter(value => value.kind !== 'outside');
      const found: Value[] = [...assigned];
      if (found.length === 0)
        found.push(...(inner.names.get(name) ?? []).flatMap(definition => this.definition(definition, inner)).map(value => bound(value, cls, outer)));
      if (found.length === 0) {
        for (const { fn, file } of this.units.membersOf(outer.file, cls.name))
          if (fn.name === name) found.push({ kind: 'function', fn, scope: file.scope, self: { kind: 'instance', cls, scope: outer } });
      }
      if (found.length === 0) found.push(...this.#constructorParameter(cls, inner, name));
      if (found.length === 0) {
        for (const other of this.units.classesNamed(cls.name)) {
          if (other.cls === cls || dirname(other.file.path) !== dirname(outer.file.path)) continue;
          const body = this.units.scopeOfClass(other.cls, other.file.scope);
          found.push(...(body.names.get(name) ?? []).flatMap(definition => this.definition(definition, body)).map(value => bound(value, cls, outer)));
        }
      }
      for (const base of found.length === 0 ? cls.bases : []) {
        for (const value of this.values(base, outer)) if (value.kind === 'class') found.push(...this.#memberFound(value.cls, value.scope, name, depth - 1));
      }
      return found;
    } finally {
      this.#membersUnderWay.delete(key);
    }
  }

  /** `constructor(private readonly x: T)` */
  #constructorParameter(cls: DigestClass, inner: Scope, name: string): readonly Value[] {
    const made = cls.body.find(step => step.kind === 'fn' && step.fn.name === 'constructor');
    if (made?.kind !== 'fn') return [];
    const index = made.fn.parameters.findIndex(parameter => parameter.name === name);
    const parameter = made.fn.parameters[index];
    return parameter === undefined ? [] : this.#parameter({ is: 'parameter', fn: made.fn, index, parameter }, this.units.scopeOfFunction(made.fn, inner));
  }

  /** `@ConfigurationProperties(prefix = "orders") class Settings { private String serviceUrl; }`: the key `orders.serviceUrl`. */
  #property(cls: DigestClass, inner: Scope, name: string): readonly Value[] {
    const field = [name, withoutGet(name)].find(each => inner.names.get(each)?.[0]?.is === 'value');
    const settings = cls.decorators?.find(term => term !== 0 && term.kind === 'call' && nameOf(term.callee) === 'ConfigurationProperties');
    if (settings === undefined || settings === 0 || settings.kind !== 'call' || field === undefined) return [];
    const prefix = this.textsAt(settings, ['prefix', 'value', 0], inner).map(literalOf)[0];
    const key = prefix === undefined ? field : `${prefix}.${field}`;
    return [{ kind: 'text', pieces: [{ is: 'variable', name: key, fallback: this.configuration(inner.file, key) }] }];
  }

  #call(call: CallTerm, scope: Scope): readonly Value[] {
    const { callee: f } = call;
    if (f !== 0 && f.kind === 'name' && f.name === 'require' && call.args.length === 1) return this.required(call, scope);
    if (f !== 0 && f.kind === 'name' && f.name === 'new' && call.args.length === 1 && isFolderPackage(scope.file))
      return this.instanceOf(call.args[0] ?? 0, scope);
    const callee = f !== 0 && f.kind === 'generic' ? f.base : f;
    if (callee !== 0 && callee.kind === 'member') {
      const made = this.values(callee.owner, scope).flatMap(value => (value.kind === 'router' ? this.routerCall(value.router, callee.name, call, scope) : []));
      if (made.length > 0) return made;
    }
    const environment =
      this.environmentCall(call, scope) ??
      this.formatted(call, scope) ??
      this.joinedItems(call, scope) ??
      this.appended(call, scope) ??
      this.trimmed(call, scope) ??
      this.uriBuilt(call, scope) ??
      this.partial(call, scope) ??
      this.ofDictionary(call, scope);
    if (environment !== undefined) return environment;
    return this.values(f, scope).flatMap((value): readonly Value[] => {
      if (value.kind === 'function') return this.#result(value.fn, value.scope);
      // The accessor of a property that is set by configuration.
      if (value.kind === 'text') return call.args.length === 0 && this.tablesOf(scope.file)?.hasPlaceholders === true ? [value] : [];
      if (value.kind === 'class') {
        const items = listed(call, value.cls);
        if (items !== undefined) return [{ kind: 'list', items, scope }];
        const made = this.made(this.makerOfClass(value.cls, value.scope), call, scope);
        const entries = fieldsSetBy(call, value.cls, scope.file);
        return [...made, { kind: 'instance', cls: value.cls, scope: value.scope, ...(entries === undefined ? {} : { fields: { entries, scope } }) }];
      }
      if (value.kind !== 'outside') return [];
      const made = this.made(this.maker(value.path, scope.file), call, scope);
      return made.length > 0 ? made : [{ kind: 'made', path: value.path, call, scope }];
    });
  }

  #result(fn: DigestFunction, outer: Scope): readonly Value[] {
    const scope = this.units.scopeOfFunction(fn, outer);
    const values = fn.body.flatMap(step => (step.kind === 'return' ? [...this.values(step.value, scope)] : []));
    const known = values.filter(value => value.kind !== 'outside');
    if (known.length > 0) return known;
    return fn.result === undefined || returnsParameter(fn) ? values : [...this.#typed(fn.result, outer, fn.position, 'result')];
  }
}
