/**
 * What a term may be: names through scopes, imports and the graph; members; results of functions of the workspace; arguments that callers give.
 *
 * It runs nothing: values are sets, cut at a few alternatives, and circles end. Names nobody declares are taken for what is outside.
 */
import { dirname } from '../../base/path';
import type { CallTerm, DigestClass, DigestFunction, FunctionTerm, Step, Term } from '../../model/digest';
import type { Framework, LanguageTables, Maker, Where } from './framework';
import { NamesAcrossFiles } from './namesAcrossFiles';
import {
  bound,
  distinct,
  hasImplicitSelf,
  holeName,
  isBlock,
  isFolderPackage,
  matchesSpecifier,
  readsEnvironment,
  selfScope,
  sharedFolders,
} from './questions';
import { type Definition, type FileUnit, nameOf, type Scope, type Units } from './units';
import { joined, type Origin, type Piece, type Router, type Value } from './values';

const MAX_VALUES = 8;
const MAX_DEPTH = 40;
/** Names of what holds the configuration of a program. */
const CONFIGURATION = /^(?:cfg|conf|config|configuration|settings)$/i;

export class Evaluator extends NamesAcrossFiles {
  readonly #memo = new Map<Term, Value[]>();
  readonly #active = new Set<unknown>();
  #depth = 0;
  /** How often a value was cut off: by a circle, or for its depth. */
  #cuts = 0;

  constructor(
    units: Units,
    private readonly tablesOf: (file: FileUnit) => LanguageTables | undefined,
    /** Value of a key in the configuration of a file's module. */
    private readonly configuration: (file: FileUnit, key: string) => string | undefined,
  ) {
    super(units);
  }

  /** Begins a round: values are found anew, with what was learned until now. */
  begin(): void {
    this.#memo.clear();
    this.forgetRouters();
  }

  /** Ends a round. Returns whether anything was learned in it. */
  end(): boolean {
    this.#memo.clear();
    return this.takeLearned();
  }

  override values(term: Term, scope: Scope): readonly Value[] {
    if (term === 0) return [];
    const known = this.#memo.get(term);
    if (known !== undefined) return known;
    if (this.#depth > MAX_DEPTH || this.#active.has(term)) return this.cut();
    const before = this.#cuts;
    this.#active.add(term);
    this.#depth++;
    const values = distinct(this.#evaluate(term, scope)).slice(0, MAX_VALUES);
    this.#depth--;
    this.#active.delete(term);
    // Nothing counts as found only where nothing was cut off: elsewhere, a value may be found when the term is asked for by itself.
    if (this.#active.size === 0 || values.length > 0 || this.#cuts === before) this.#memo.set(term, values);
    return values;
  }

  protected override cut(): readonly Value[] {
    this.#cuts++;
    return [];
  }

  #evaluate(term: Exclude<Term, 0>, scope: Scope): readonly Value[] {
    switch (term.k) {
      case 's':
        return [{ k: 'text', of: this.#literal(term.v, scope) }];
      case '+':
        return this.#concatenation(term.of, scope);
      case 'n':
        return this.#name(term.v, term.p, scope);
      case 'm':
        return this.#memberTerm(term, scope);
      case 'call':
        return this.#call(term, scope);
      case 'l':
        return [{ k: 'list', items: term.of, scope }];
      case 'o':
        return [{ k: 'object', entries: term.of, scope }];
      case 'f':
        return [{ k: 'function', fn: term.fn, scope, self: undefined }];
      case '|':
        return this.#alternatives(term.of, scope);
      case '=':
        return this.values(term.of, scope);
      case '<':
        return this.#generic(term.of, term.a, scope);
      case '?':
        return term.of.length === 1 && isBlock(term.of[0] ?? 0) ? this.#result((term.of[0] as FunctionTerm).fn, scope) : [];
    }
  }

  #memberTerm(term: Extract<Term, { k: 'm' }>, scope: Scope): readonly Value[] {
    const values = this.values(term.of, scope).flatMap(value => this.member(value, term.v, term.p, scope));
    if (values.some(value => value.k !== 'outside')) return values;
    if (term.of !== 0 && term.of.k === 'm' && term.of.v === 'config') {
      const setting = this.#setting(term.v, scope.file);
      if (setting.length > 0) return setting;
    }
    const referred = this.referents(scope.file, term.p, term.v);
    const found = referred.length > 0 ? referred : values;
    return found.some(value => value.k !== 'outside' && value.k !== 'made') ? found : (this.#configured(term, scope.file) ?? found);
  }

  /** `server.cfg.Http.OrdersPath`: the key `http.ordersPath` of the file that the configuration is read from. */
  #configured(term: Term, file: FileUnit): readonly Value[] | undefined {
    const keys: string[] = [];
    let at = term;
    while (at !== 0 && at.k === 'm' && !CONFIGURATION.test(at.v)) {
      keys.unshift(at.v);
      at = at.of;
    }
    const isConfiguration = at !== 0 && (at.k === 'm' || (at.k === 'n' && CONFIGURATION.test(at.v)));
    if (!isConfiguration || keys.length < 2) return undefined;
    const value = this.configuration(file, keys.join('.'));
    return value === undefined ? undefined : [{ k: 'text', of: [{ is: 'variable', v: keys.join('.'), fallback: value }] }];
  }

  /** What the settings of an application hold, of the nearest file that sets them. */
  #setting(name: string, file: FileUnit): readonly Value[] {
    const set = this.assignedTo(this.settings, name);
    const nearest = set.toSorted((left, right) => sharedFolders(right.scope.file.path, file.path) - sharedFolders(left.scope.file.path, file.path))[0];
    return nearest === undefined ? [] : this.values(nearest.term, nearest.scope);
  }

  /** A text with keys of configuration, where the language has them. */
  #literal(text: string, scope: Scope): readonly Piece[] {
    if (!text.includes('${') || this.tablesOf(scope.file)?.hasPlaceholders !== true) return [{ is: 'text', v: text }];
    return text.split(/\$\{([^}]*)\}/).flatMap((part, index): Piece[] => {
      if (index % 2 === 0) return part === '' ? [] : [{ is: 'text', v: part }];
      const [key = '', ...rest] = part.split(':');
      const configured = this.configuration(scope.file, key);
      return [{ is: 'variable', v: key, fallback: configured ?? (rest.length === 0 ? undefined : rest.join(':')) }];
    });
  }

  /** `a || 'default'`: a variable of the environment gets its default. */
  #alternatives(terms: readonly Term[], scope: Scope): readonly Value[] {
    const [first, ...rest] = terms.map(term => this.values(term, scope));
    if (first === undefined) return [];
    const others = rest.flat();
    const [fallback] = others;
    if (fallback?.k !== 'text') return [...first, ...others];
    const word = fallback.of.every(piece => piece.is === 'text') ? fallback.of.map(piece => piece.v).join('') : undefined;
    const changed = first.map((value): Value => {
      const [only] = value.k === 'text' ? value.of : [];
      if (value.k !== 'text' || value.of.length !== 1 || only?.is !== 'variable' || only.fallback !== undefined) return value;
      return { k: 'text', of: [{ ...only, fallback: word }] };
    });
    const texts = changed.filter(value => value.k === 'text');
    return texts.length > 0 ? texts : others;
  }

  #concatenation(terms: readonly Term[], scope: Scope): readonly Value[] {
    let all: { readonly of: readonly Piece[]; readonly via: Origin | undefined }[] = [{ of: [], via: undefined }];
    for (const term of terms) {
      const texts = this.values(term, scope)
        .filter(value => value.k === 'text')
        .slice(0, 4);
      const hole: Piece = { is: 'hole', v: holeName(term) };
      const options = texts.length === 0 ? [{ of: [hole], via: undefined }] : texts;
      all = all.flatMap(before => options.map(option => ({ of: [...before.of, ...option.of], via: before.via ?? option.via }))).slice(0, MAX_VALUES);
    }
    return all.map(({ of, via }) => ({ k: 'text', of: joined(of), ...(via === undefined ? {} : { via }) }));
  }

  #generic(of: Term, args: readonly Term[], scope: Scope): readonly Value[] {
    if (of !== 0 && of.k === 'n' && of.v === '*each') {
      return args.flatMap(list =>
        this.values(list, scope).flatMap(value => (value.k === 'list' ? value.items.flatMap(item => this.values(item, value.scope)) : [])),
      );
    }
    if (of !== 0 && of.k === 'n' && of.v === '*typed') return args.flatMap(type => this.instanceOf(type, scope));
    return this.values(of, scope);
  }

  #name(name: string, p: number, scope: Scope): readonly Value[] {
    const self = selfScope(scope);
    if (/^(?:this|self|cls|Self)$/.test(name) && self?.cls !== undefined && self.up !== undefined) return [{ k: 'instance', c: self.cls, scope: self.up }];
    const local = this.#localName(name, scope);
    if (local !== undefined) return local;
    if (hasImplicitSelf(scope.file) && self?.cls !== undefined && self.up !== undefined) {
      const inherited = this.#instanceMember(self.cls, self.up, name, 6);
      if (inherited.length > 0) return inherited;
    }
    return this.outer(name, p, scope.file);
  }

  /** A name of the scopes around; undefined when none declares it, or an import leads nowhere. */
  #localName(name: string, scope: Scope): readonly Value[] | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.up) {
      if (at.fn?.self === name && at.fn.of !== undefined) return this.instanceOf(at.fn.of, at.up ?? at);
      const definitions = at.names.get(name);
      if (definitions === undefined) continue;
      const { cls, up } = at;
      const hasMembers = hasImplicitSelf(at.file);
      if (cls !== undefined && at !== scope && !hasMembers) continue;
      const isMember = cls !== undefined && up !== undefined && hasMembers;
      const values = isMember ? this.#instanceMember(cls, up, name, 6) : definitions.flatMap(definition => this.definition(definition, at));
      return values.length > 0 || definitions.some(each => each.is !== 'import') ? values : undefined;
    }
    return undefined;
  }

  /** A variable that another file declares, which takes this one in: of a framework that its name is usual for. */
  protected override routerNamed(name: string, file: FileUnit): Value | undefined {
    const tables = this.tablesOf(file);
    const wanted = tables?.routerNames?.[name];
    const framework = tables?.frameworks.find(each => each.name === wanted);
    return framework === undefined ? undefined : { k: 'router', router: this.router(framework, file, 0, { key: name }) };
  }

  protected override definition(definition: Definition, scope: Scope): readonly Value[] {
    switch (definition.is) {
      case 'value': {
        const values = definition.value === 0 ? this.#injected(definition.decorators, scope) : this.values(definition.value, scope);
        if (definition.type === 0 || values.some(value => value.k !== 'made' && value.k !== 'outside')) return values;
        const typed = this.#typed(definition.type, scope, definition.p);
        return typed.some(value => value.k === 'router') || values.length === 0 ? typed : values;
      }
      case 'parameter':
        return this.#parameter(definition, scope);
      case 'function':
        return [{ k: 'function', fn: definition.fn, scope, self: undefined }];
      case 'class':
        return [{ k: 'class', c: definition.c, scope }];
      case 'import':
        return this.imported(definition.step, scope.file);
    }
  }

  /** `@Value("${key}") String name` */
  #injected(decorators: readonly Term[], scope: Scope): readonly Value[] {
    for (const term of decorators) {
      if (term === 0 || term.k !== 'call' || !/^(?:Value|ConfigProperty)$/.test(nameOf(term.f))) continue;
      const found = this.textsAt(term, ['name', 0], scope);
      if (found.length > 0) return found.map(of => ({ k: 'text', of }));
    }
    return [];
  }

  #parameter({ fn, index, parameter }: Extract<Definition, { is: 'parameter' }>, scope: Scope): readonly Value[] {
    if (this.#active.has(parameter)) return this.cut();
    this.#active.add(parameter);
    const given = this.givenTo(fn, index);
    const values = given.flatMap(each => {
      if ('value' in each) return [each.value];
      const via = { file: each.scope.file, p: each.p };
      return this.values(each.term, each.scope).map(value => (value.k === 'text' && value.via === undefined ? { ...value, via } : value));
    });
    this.#active.delete(parameter);
    const useful = values.filter(value => value.k !== 'outside');
    if (useful.length > 0) return useful;
    const injected = this.#injected(parameter.d ?? [], scope);
    if (injected.length > 0) return injected;
    if (parameter.x !== undefined) {
      const byDefault = this.values(parameter.x, scope.up ?? scope);
      if (byDefault.length > 0 && parameter.t === undefined) return byDefault;
    }
    return parameter.t === undefined ? [] : this.#typed(parameter.t, scope.up ?? scope, fn.p, `${index}`);
  }

  /** Something of a declared type: a router of its own when the type is one. */
  #typed(type: Term, scope: Scope, p: number, key = ''): readonly Value[] {
    return this.instanceOf(type, scope).map(value => {
      const framework = value.k === 'made' ? this.frameworkOf(value.path, scope.file, true) : undefined;
      return framework === undefined ? value : { k: 'router' as const, router: this.router(framework, scope.file, p, { key: `typed${key}` }) };
    });
  }

  /** An instance of what a type names. */
  instanceOf(type: Term, scope: Scope): readonly Value[] {
    return this.values(type, scope).flatMap((value): Value[] => {
      if (value.k === 'class') return [{ k: 'instance', c: value.c, scope: value.scope }];
      if (value.k === 'outside') return [{ k: 'made', path: value.path, call: undefined, scope: undefined }];
      return [];
    });
  }

  override member(value: Value, name: string, p: number, scope: Scope): readonly Value[] {
    switch (value.k) {
      case 'outside':
        return this.#environmentMember(value.path, name, scope) ?? [{ k: 'outside', path: `${value.path}.${name}` }];
      case 'made':
        return this.#environmentMember(value.path, name, scope) ?? [{ k: 'outside', path: `${value.path}.${name}` }];
      case 'module':
        return this.exported(value.file, name);
      case 'package':
        return value.files.flatMap(file => this.exported(file, name)).slice(0, MAX_VALUES);
      case 'class':
        return this.#instanceMember(value.c, value.scope, name, 6);
      case 'instance':
        return this.#instanceMember(value.c, value.scope, name, 6);
      case 'object':
        return value.entries.flatMap(([key, term]) => {
          if (key === name) return this.values(term, value.scope);
          return key === '' ? this.values(term, value.scope).flatMap(inner => (inner.k === 'object' ? this.member(inner, name, p, scope) : [])) : [];
        });
      case 'function':
        // A module or package that a function is called after.
        return [{ k: 'outside', path: `${value.fn.v}.${name}` }];
      default:
        return [];
    }
  }

  #environmentMember(path: string, name: string, scope: Scope): readonly Value[] | undefined {
    const isEnvironment = this.tablesOf(scope.file)?.environmentObjects.includes(path);
    if (isEnvironment !== true || /^(?:get|setdefault|pop|fetch|GetValue|GetSection|GetConnectionString|GetRequiredSection)$/.test(name)) return undefined;
    return [{ k: 'text', of: [{ is: 'variable', v: name, fallback: undefined }] }];
  }

  #instanceMember(c: DigestClass, outer: Scope, name: string, depth: number): readonly Value[] {
    const mark = this.#activeMembers(c);
    if (depth === 0 || mark.has(name)) return this.cut();
    mark.add(name);
    try {
      const inner = this.units.scopeOfClass(c, outer);
      const assigned = this.assignedTo(c, name)
        .flatMap(each => this.values(each.term, each.scope))
        .filter(value => value.k !== 'outside');
      const found: Value[] = [...assigned];
      if (found.length === 0)
        found.push(...(inner.names.get(name) ?? []).flatMap(definition => this.definition(definition, inner)).map(value => bound(value, c, outer)));
      if (found.length === 0) {
        for (const { fn, file } of this.units.membersOf(outer.file, c.v))
          if (fn.v === name) found.push({ k: 'function', fn, scope: file.scope, self: { k: 'instance', c, scope: outer } });
      }
      if (found.length === 0) found.push(...this.#constructorParameter(c, inner, name));
      if (found.length === 0) {
        for (const other of this.units.classesNamed(c.v)) {
          if (other.c === c || dirname(other.file.path) !== dirname(outer.file.path)) continue;
          const body = this.units.scopeOfClass(other.c, other.file.scope);
          found.push(...(body.names.get(name) ?? []).flatMap(definition => this.definition(definition, body)).map(value => bound(value, c, outer)));
        }
      }
      for (const base of found.length === 0 ? c.bases : []) {
        for (const value of this.values(base, outer)) if (value.k === 'class') found.push(...this.#instanceMember(value.c, value.scope, name, depth - 1));
      }
      return found;
    } finally {
      mark.delete(name);
    }
  }

  /** `constructor(private readonly x: T)` */
  #constructorParameter(c: DigestClass, inner: Scope, name: string): readonly Value[] {
    const made = c.b.find(step => step.s === 'fn' && step.fn.v === 'constructor');
    if (made?.s !== 'fn') return [];
    const index = made.fn.ps.findIndex(parameter => parameter.v === name);
    const parameter = made.fn.ps[index];
    return parameter === undefined ? [] : this.#parameter({ is: 'parameter', fn: made.fn, index, parameter }, this.units.scopeOfFunction(made.fn, inner));
  }

  readonly #membersUnderWay = new Map<object, Set<string>>();
  #activeMembers(c: object): Set<string> {
    let set = this.#membersUnderWay.get(c);
    if (set === undefined) {
      set = new Set();
      this.#membersUnderWay.set(c, set);
    }
    return set;
  }

  #call(call: CallTerm, scope: Scope): readonly Value[] {
    const { f } = call;
    if (f !== 0 && f.k === 'n' && f.v === 'require' && call.a.length === 1) return this.#required(call, scope);
    if (f !== 0 && f.k === 'n' && f.v === 'new' && call.a.length === 1 && isFolderPackage(scope.file)) return this.instanceOf(call.a[0] ?? 0, scope);
    const callee = f !== 0 && f.k === '<' ? f.of : f;
    if (callee !== 0 && callee.k === 'm') {
      const made = this.values(callee.of, scope).flatMap(value => (value.k === 'router' ? this.#routerCall(value.router, callee.v, call, scope) : []));
      if (made.length > 0) return made;
    }
    const environment = this.#environmentCall(call, scope);
    if (environment !== undefined) return environment;
    return this.values(f, scope).flatMap((value): readonly Value[] => {
      if (value.k === 'function') return this.#result(value.fn, value.scope);
      if (value.k === 'class') return [{ k: 'instance', c: value.c, scope: value.scope }];
      if (value.k !== 'outside') return [];
      const maker = this.#maker(value.path, scope.file);
      if (maker !== undefined) {
        const prefix = maker.row.prefix === undefined ? [] : this.textsAt(call, maker.row.prefix, scope)[0];
        const options = { prefix: prefix ?? [], isRoot: maker.row.isRoot === true, isPathless: maker.row.pathless === true };
        return [{ k: 'router', router: this.router(maker.framework, scope.file, call.p, options) }];
      }
      return [{ k: 'made', path: value.path, call, scope }];
    });
  }

  /** Calls on a router that give a router: groups, and methods that go on with it. */
  #routerCall(router: Router, method: string, call: CallTerm, scope: Scope): readonly Value[] {
    const { framework } = router;
    const group = framework.groups?.[method];
    if (group !== undefined && group.sets !== true) {
      const paths = group.path === undefined ? [[]] : this.textsAt(call, group.path, scope);
      const prefix = paths[0] ?? [];
      const child = this.router(framework, scope.file, call.p, {
        isPathless: group.pathless === true || router.isPathless,
        key: `${method}:${router.file.path}:${router.p}`,
      });
      this.mount(child, { parent: router, prefix, replaces: false });
      return [{ k: 'router', router: child }];
    }
    return framework.ends?.includes(method) === true ? [] : [{ k: 'router', router }];
  }

  #required(call: CallTerm, scope: Scope): readonly Value[] {
    const [name] = call.a;
    const from = name !== undefined && name !== 0 && name.k === 's' ? name.v : undefined;
    if (from === undefined) return [];
    const targets = this.units.importTargets(scope.file, call.p).filter(path => matchesSpecifier(path, from));
    if (targets.length === 0) return from.startsWith('.') ? [] : [{ k: 'outside', path: from }];
    return targets.flatMap(path => {
      const unit = this.units.files.get(path);
      if (unit === undefined) return [];
      const whole = this.exported(unit, 'default');
      return whole.length > 0 ? whole : [{ k: 'module' as const, file: unit }];
    });
  }

  #environmentCall(call: CallTerm, scope: Scope): readonly Value[] | undefined {
    const tables = this.tablesOf(scope.file);
    if (tables === undefined) return undefined;
    for (const value of this.values(call.f, scope)) {
      const row = value.k === 'outside' ? tables.environment[value.path] : undefined;
      if (row !== undefined) return this.#variable(call, row.name, row.fallback, scope);
      // A function of the workspace that takes the name of a variable and its default.
      if (value.k === 'function' && /env|config|setting/i.test(value.fn.v) && call.a.length >= 1 && call.a.length <= 2 && readsEnvironment(value.fn)) {
        const [first] = call.a;
        return first !== undefined && first !== 0 && first.k === 'm' && call.a.length === 2
          ? this.#variable(call, 1, undefined, scope)
          : this.#variable(call, 0, 1, scope);
      }
    }
    return undefined;
  }

  #variable(call: CallTerm, name: Where, fallback: Where | undefined, scope: Scope): readonly Value[] {
    const [word] = this.textsAt(call, name, scope);
    const v = word?.map(piece => piece.v).join('');
    if (v === undefined || v === '') return [];
    const byDefault = fallback === undefined ? undefined : this.textsAt(call, fallback, scope)[0];
    const given = byDefault?.every(piece => piece.is === 'text') === true ? byDefault.map(piece => piece.v).join('') : undefined;
    return [{ k: 'text', of: [{ is: 'variable', v, fallback: given }] }];
  }

  #result(fn: DigestFunction, outer: Scope): readonly Value[] {
    const scope = this.units.scopeOfFunction(fn, outer);
    const values: Value[] = [];
    const visit = (steps: readonly Step[]): void => {
      for (const step of steps) if (step.s === 'return') values.push(...this.values(step.x, scope));
    };
    visit(fn.b);
    const known = values.filter(value => value.k !== 'outside');
    if (known.length > 0) return known;
    const passesOn = fn.b.some(
      step => step.s === 'return' && step.x !== 0 && step.x.k === 'n' && fn.ps.some(parameter => step.x !== 0 && step.x.k === 'n' && parameter.v === step.x.v),
    );
    return fn.r === undefined || passesOn ? values : [...this.#typed(fn.r, outer, fn.p, 'result')];
  }

  /** Framework whose router something outside is; `isType` asks for types too. */
  frameworkOf(path: string, file: FileUnit, isType: boolean): Framework | undefined {
    const frameworks = this.tablesOf(file)?.frameworks ?? [];
    return frameworks.find(framework => framework.makers[path] !== undefined || (isType && framework.types.includes(path)));
  }

  #maker(path: string, file: FileUnit): { readonly framework: Framework; readonly row: Maker } | undefined {
    for (const framework of this.tablesOf(file)?.frameworks ?? []) {
      const row = framework.makers[path];
      if (row !== undefined) return { framework, row };
    }
    return undefined;
  }
}
