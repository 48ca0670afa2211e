/** What calls of libraries give: routers of frameworks, modules that are required, variables of the environment. */

import type { CallTerm, DigestClass } from '../../../model/digest';
import type { ArgumentSelector, Framework, LanguageTables, Maker } from '../framework';
import { own } from '../own';
import { isFolderPackage, matchesSpecifier, readsEnvironment } from '../questions';
import type { FileUnit, Scope, Units } from '../units';
import { type Piece, pathOf, type Router, type Value, wordOf } from '../values';
import { Turns } from './turns';

interface FrameworkMaker {
  readonly framework: Framework;
  readonly row: Maker;
}

export abstract class LibraryCalls extends Turns {
  constructor(
    units: Units,
    protected readonly tablesOf: (file: FileUnit) => LanguageTables | undefined,
  ) {
    super(units);
  }

  override noteCall(call: CallTerm, scope: Scope): void {
    super.noteCall(call, scope);
    const { callee } = call;
    const callers = callee !== 0 && callee.kind === 'member' ? this.tablesOf(scope.file)?.callers : undefined;
    if (callers === undefined || callee === 0 || callee.kind !== 'member') return;
    if (!Object.keys(callers).some(path => path.endsWith(`.${callee.name}`))) return;
    for (const value of this.values(callee.owner, scope)) {
      const at = value.kind === 'made' ? own(callers, `${value.path}.${callee.name}`) : undefined;
      if (value.kind !== 'made' || at === undefined || value.call === undefined || value.scope === undefined) continue;
      for (const called of this.values(value.call.args[at] ?? 0, value.scope))
        if (called.kind === 'function') this.noteArguments(called.fn, call, scope, called.given);
    }
  }

  protected made(maker: FrameworkMaker | undefined, call: CallTerm, scope: Scope): Value[] {
    if (maker === undefined) return [];
    const prefix = maker.row.prefix === undefined ? [] : this.textsAt(call, maker.row.prefix, scope)[0];
    const options = { prefix: this.#versioned(maker, call, scope, prefix ?? []), isRoot: maker.row.isRoot === true, isPathless: maker.row.pathless === true };
    const router = this.router(maker.framework, scope.file, call.position, options);
    if (maker.row.takesIn === true) this.#takeIn(router, call, scope);
    return [{ kind: 'router', router }];
  }

  #takeIn(parent: Router, call: CallTerm, scope: Scope): void {
    for (const term of call.args) {
      for (const value of term === 0 || term.kind === 'named' ? [] : this.values(term, scope)) {
        const items = value.kind === 'list' ? value.items.flatMap(item => this.values(item, value.scope)) : [value];
        for (const item of items) if (item.kind === 'router') this.mount(item.router, { parent, prefix: [], replaces: false });
      }
    }
    // Each round mounts anew.
    this.markTransient();
  }

  #versioned({ row }: FrameworkMaker, call: CallTerm, scope: Scope, prefix: readonly Piece[]): readonly Piece[] {
    const [version] = row.version === undefined ? [] : this.textsAt(call, row.version, scope).map(pathOf);
    return version === undefined
      ? prefix
      : [{ is: 'text', text: `/v${version.replace(/^[/v]+/, '')}` }, ...(prefix.length === 0 ? [] : [{ is: 'text', text: '/' } as const, ...prefix])];
  }

  /** What makes routers and is a base of a class of the workspace: `class AdminRouter(APIRouter)`. */
  protected makerOfClass(cls: DigestClass, scope: Scope, depth = 4): FrameworkMaker | undefined {
    for (const value of depth === 0 ? [] : cls.bases.flatMap(base => this.values(base, scope))) {
      const maker =
        value.kind === 'outside'
          ? this.maker(value.path, scope.file)
          : value.kind === 'class'
            ? this.makerOfClass(value.cls, value.scope, depth - 1)
            : undefined;
      if (maker !== undefined) return maker;
    }
    return undefined;
  }

  /** Calls on a router that give a router: groups, and methods that go on with it. */
  protected routerCall(router: Router, method: string, call: CallTerm, scope: Scope): readonly Value[] {
    const { framework } = router;
    const group = own(framework.groups, method);
    if (group !== undefined && group.sets !== true) {
      const paths = group.path === undefined ? [[]] : this.textsAt(call, group.path, scope);
      const prefix = paths[0] ?? [];
      const child = this.router(framework, scope.file, call.position, {
        isPathless: group.pathless === true || router.isPathless,
        key: `${method}:${router.file.path}:${router.position}`,
      });
      this.mount(child, { parent: router, prefix, replaces: false });
      // Each round mounts anew.
      this.markTransient();
      return [{ kind: 'router', router: child }];
    }
    return framework.ends?.includes(method) === true ? [] : [{ kind: 'router', router }];
  }

  /**
   * Routers that answer for a value: a router itself, and the one that a type of Go hands its requests on to,
   * by a handler that it embeds (`struct { http.Handler }`) or in its `ServeHTTP`.
   */
  routersBehind(value: Value): readonly Router[] {
    if (value.kind === 'router') return [value.router];
    if (value.kind !== 'instance' || !isFolderPackage(value.scope.file)) return [];
    const embedded = this.member(value, 'Handler', 0, value.scope);
    const asked = this.member(value, 'ServeHTTP', 0, value.scope).flatMap(served => {
      if (served.kind !== 'function') return [];
      const inner = this.units.scopeOfFunction(served.fn, served.scope);
      return served.fn.body.flatMap(step => {
        const call = step.kind === 'do' || step.kind === 'return' ? step.value : 0;
        const callee = call !== 0 && call.kind === 'call' ? call.callee : 0;
        return callee !== 0 && callee.kind === 'member' && callee.name === 'ServeHTTP' ? [...this.values(callee.owner, inner)] : [];
      });
    });
    return [...embedded, ...asked].flatMap(inside => (inside.kind === 'router' ? [inside.router] : []));
  }

  /** `register.bind(null, options)`: the function with its first arguments. */
  protected partial({ args, callee }: CallTerm, scope: Scope): readonly Value[] | undefined {
    if (callee === 0 || callee.kind !== 'member' || callee.name !== 'bind') return undefined;
    const bound = this.values(callee.owner, scope).flatMap(value => (value.kind === 'function' ? [value] : []));
    return bound.length === 0 ? undefined : bound.map(value => ({ ...value, given: (value.given ?? 0) + Math.max(0, args.length - 1) }));
  }

  protected required(call: CallTerm, scope: Scope): readonly Value[] {
    const [name] = call.args;
    const from = name !== undefined && name !== 0 && name.kind === 'text' ? name.text : undefined;
    if (from === undefined) return [];
    const targets = this.units.importTargets(scope.file, call.position).filter(path => matchesSpecifier(path, from));
    if (targets.length === 0) return from.startsWith('.') ? [] : [{ kind: 'outside', path: from }];
    return targets.flatMap(path => {
      const unit = this.units.files.get(path);
      if (unit === undefined) return [];
      const whole = this.exported(unit, 'default');
      return whole.length > 0 ? whole : [{ kind: 'module' as const, file: unit }];
    });
  }

  protected environmentCall(call: CallTerm, scope: Scope): readonly Value[] | undefined {
    const tables = this.tablesOf(scope.file);
    if (tables === undefined) return undefined;
    for (const value of this.values(call.callee, scope)) {
      const row = value.kind === 'outside' ? own(tables.environment, value.path) : undefined;
      if (row !== undefined) return this.variable(call, row.name, row.fallback, scope);
      // A function of the workspace that takes the name of a variable and its default.
      if (
        value.kind === 'function' &&
        /env|config|setting/i.test(value.fn.name) &&
        call.args.length >= 1 &&
        call.args.length <= 2 &&
        readsEnvironment(value.fn)
      ) {
        const [first] = call.args;
        return first !== undefined && first !== 0 && first.kind === 'member' && call.args.length === 2
          ? this.variable(call, 1, undefined, scope)
          : this.variable(call, 0, 1, scope);
      }
    }
    return undefined;
  }

  private variable(call: CallTerm, name: ArgumentSelector, fallback: ArgumentSelector | undefined, scope: Scope): readonly Value[] {
    const [word] = this.textsAt(call, name, scope);
    const v = word?.map(wordOf).join('');
    if (v === undefined || v === '') return [];
    const byDefault = fallback === undefined ? undefined : this.textsAt(call, fallback, scope)[0];
    const given = byDefault?.every(piece => piece.is === 'text') === true ? byDefault.map(piece => piece.text).join('') : undefined;
    return [{ kind: 'text', pieces: [{ is: 'variable', name: v, fallback: given }] }];
  }

  /** Framework whose router something outside is; `isType` asks for types too. */
  frameworkOf(path: string, file: FileUnit, isType: boolean): Framework | undefined {
    const frameworks = this.tablesOf(file)?.frameworks ?? [];
    return frameworks.find(framework => own(framework.makers, path) !== undefined || (isType && framework.types.includes(path)));
  }

  protected maker(path: string, file: FileUnit): FrameworkMaker | undefined {
    for (const framework of this.tablesOf(file)?.frameworks ?? []) {
      const row = own(framework.makers, path);
      if (row !== undefined) return { framework, row };
    }
    return undefined;
  }

  /** Constants outside, and variables of the environment. */
  protected environmentMember(path: string, name: string, scope: Scope): readonly Value[] | undefined {
    const constant = own(this.tablesOf(scope.file)?.constants, `${path}.${name}`);
    if (constant !== undefined) return [{ kind: 'text', pieces: [{ is: 'text', text: constant }] }];
    const isEnvironment = this.tablesOf(scope.file)?.environmentObjects.includes(path);
    if (isEnvironment !== true || /^(?:get|setdefault|pop|fetch|GetValue|GetSection|GetConnectionString|GetRequiredSection)$/.test(name)) return undefined;
    return [{ kind: 'text', pieces: [{ is: 'variable', name: name, fallback: undefined }] }];
  }
}
