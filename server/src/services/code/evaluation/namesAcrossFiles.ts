/** What names mean that their file does not declare: siblings of the package, imports and what they export, what the graph says, the outside. */
import { basename, dirname } from '../../../base/path';
import { lineOfPosition, type Term } from '../../../model/digest';
import { isFolderPackage, outsidePath } from '../questions';
import { type Definition, type FileUnit, keyOf, moduleName, type Scope, type Units } from '../units';
import type { Value } from '../values';
import { Learning } from './learning';

export abstract class NamesAcrossFiles extends Learning {
  readonly #exportKeys = new Map<object, Map<string, object>>();
  /** Exports that are being looked for: a cycle of exports ends. */
  readonly #looking = new Set<object>();

  constructor(readonly units: Units) {
    super();
  }

  abstract member(value: Value, name: string, position: number, scope: Scope): readonly Value[];
  /** The router that a file which takes this one in has under a name, where its framework has a usual name for it. */
  protected abstract routerNamed(name: string, file: FileUnit): Value | undefined;
  /** Nothing, because it is being looked for already. */
  protected abstract cut(): readonly Value[];
  /** What was found for a key, as long as it holds. */
  protected abstract remembered(key: object, find: () => readonly Value[]): readonly Value[];
  /** What a declaration in a scope may be. */
  protected abstract definition(definition: Definition, scope: Scope): readonly Value[];

  /** A name that its file does not declare: of the package, of a wildcard import, by the graph, else something outside. */
  protected outer(name: string, position: number, file: FileUnit): readonly Value[] {
    const siblings = file.package === '' ? [] : isFolderPackage(file) ? this.units.folder(dirname(file.path)) : this.units.packageNamed(file.package);
    for (const sibling of siblings) {
      if (sibling === file) continue;
      const found = this.exported(sibling, name);
      if (found.length > 0) return found;
    }
    for (const step of file.wildcards) {
      for (const value of this.imported(step, file)) {
        const found = value.kind === 'outside' ? [] : this.member(value, name, 0, file.scope);
        if (found.length > 0) return found;
      }
    }
    const referred = this.referents(file, position, name);
    if (referred.length > 0) return referred;
    const router = this.routerNamed(name, file);
    if (router !== undefined) return [router];
    const outside = file.wildcards.filter(step => this.units.importTargets(file, step.position).length === 0).map(step => outsidePath(step.from, name));
    return [{ kind: 'outside', path: name }, ...outside.map(path => ({ kind: 'outside' as const, path }))];
  }

  /** What the graph says that the name at a position refers to. */
  protected referents(file: FileUnit, position: number, name: string): readonly Value[] {
    for (const handle of this.units.referents(file, position)) {
      const target = this.units.fileAround(handle);
      if (target === undefined) continue;
      const { name: declared, nameLine } = this.units.graph.node(handle);
      // Another name than that of the declaration is an alias.
      for (const one of new Set([name, declared])) {
        const found = this.declaredAt(target, one, nameLine - 1);
        if (found.length > 0) return found;
      }
    }
    return [];
  }

  /** What is declared in a file under a name on a line. */
  declaredAt(file: FileUnit, name: string, line: number): readonly Value[] {
    const look = (scope: Scope): readonly Value[] => {
      for (const step of scope.steps) {
        if (step.kind === 'fn' && step.fn.name === name && lineOfPosition(step.fn.position) === line)
          return [{ kind: 'function', fn: step.fn, scope, self: undefined }];
        if (step.kind === 'class' && step.cls.name === name && lineOfPosition(step.cls.position) === line) return [{ kind: 'class', cls: step.cls, scope }];
        if (step.kind === 'let' && step.name === name && lineOfPosition(step.position) === line)
          return this.definition(
            { is: 'value', value: step.value ?? 0, type: step.type ?? 0, position: step.position, decorators: step.decorators ?? [] },
            scope,
          );
        if (step.kind === 'class') {
          const found = look(this.units.scopeOfClass(step.cls, scope));
          if (found.length > 0) return found;
        }
      }
      return [];
    };
    return look(file.scope);
  }

  /** Where the variable is declared that a name, or the member of an object or a module, leads to. */
  declarationOf(term: Term, scope: Scope, depth = 4): { readonly position: number; readonly scope: Scope } | undefined {
    if (term === 0 || depth === 0) return undefined;
    if (term.kind === 'name') {
      for (let at: Scope | undefined = scope; at !== undefined; at = at.up) {
        const definition = at.names.get(term.name)?.[0];
        if (definition?.is === 'value') return { position: definition.position, scope: at };
        if (definition !== undefined) return undefined;
      }
    }
    if (term.kind !== 'member') return undefined;
    for (const owner of this.values(term.owner, scope)) {
      const inside =
        owner.kind === 'object'
          ? { term: owner.entries.find(([key]) => key === term.name)?.[1] ?? 0, scope: owner.scope }
          : owner.kind === 'module'
            ? { term: { kind: 'name' as const, name: term.name, position: 0 }, scope: owner.file.scope }
            : undefined;
      const found = inside === undefined ? undefined : this.declarationOf(inside.term, inside.scope, depth - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  protected imported(step: { readonly from: string; readonly name: string; readonly as: string; readonly position: number }, file: FileUnit): readonly Value[] {
    const targets = this.units.importTargets(file, step.position);
    if (targets.length === 0) {
      const referred = this.referents(file, step.position, step.name);
      if (referred.length > 0) return referred;
      return this.#byPath(step, file) ?? [{ kind: 'outside', path: outsidePath(step.from, step.name) }];
    }
    const units = targets.flatMap(path => this.units.files.get(path) ?? []);
    if (isFolderPackage(file)) {
      const [first] = targets;
      return first === undefined ? [] : [{ kind: 'package', files: this.units.folder(dirname(first)) }];
    }
    if (step.name === '*') {
      const tail = step.as === '' ? units : units.filter(unit => moduleName(unit.path) === step.from.split('.').at(-1));
      return (tail.length > 0 ? tail : units).map(unit => ({ kind: 'module' as const, file: unit }));
    }
    const siblings = /^\.+$/.test(step.from) ? units.filter(unit => unit !== file && moduleName(unit.path) === step.name) : [];
    if (siblings.length > 0) return siblings.map(unit => ({ kind: 'module' as const, file: unit }));
    // A list of imports on one line leads to several modules.
    const last = step.from.includes('::') ? step.from.split('::').at(-1) : undefined;
    const meant = units.filter(unit => moduleName(unit.path) === last);
    const named = (meant.length > 0 ? meant : units).flatMap(unit => this.exported(unit, step.name));
    if (named.length > 0) return named;
    const modules = [...this.#submodules(units, step.name, file), ...units.filter(unit => unit !== file && moduleName(unit.path) === step.name)];
    if (modules.length > 0) return modules.map(unit => ({ kind: 'module' as const, file: unit }));
    return this.#byPath(step, file) ?? [];
  }

  /** Modules of the package that a file is and imports from itself: `from . import orders` in its `__init__`. */
  #submodules(units: readonly FileUnit[], name: string, file: FileUnit): readonly FileUnit[] {
    if (!units.includes(file)) return [];
    const folder = dirname(file.path);
    // The file that stands for the folder, not one in it that is called the same.
    const packages = this.units.folder(folder === '' ? name : `${folder}/${name}`).filter(unit => moduleName(unit.path) === name);
    const index = packages.filter(unit => !basename(unit.path).startsWith(`${name}.`));
    return [...this.units.folder(folder).filter(unit => unit !== file && moduleName(unit.path) === name), ...index];
  }

  /** Rust's modules and Java's packages by the path that is written. */
  #byPath(step: { readonly from: string; readonly name: string }, file: FileUnit): readonly Value[] | undefined {
    if (step.from === '' && step.name === '') return undefined;
    if (step.from.includes('::') || /^(?:crate|self|super)$/.test(step.from)) {
      const parts = step.from.split('::').filter(part => !/^(?:crate|self|super)$/.test(part));
      const last = parts.at(-1);
      const root = dirname(file.path).replace(/\/src(?:\/.*)?$/, '/src');
      for (const unit of this.units.files.values()) {
        if (unit.language !== file.language || !unit.path.startsWith(root.split('/src')[0] ?? '')) continue;
        if (last === undefined ? moduleName(unit.path) === step.name : moduleName(unit.path) === last) {
          const found = last === undefined ? [{ kind: 'module' as const, file: unit }] : this.exported(unit, step.name);
          if (found.length > 0) return found;
        }
      }
    }
    for (const unit of this.units.packageNamed(step.from)) {
      const found = this.exported(unit, step.name);
      if (found.length > 0) return found;
    }
    return undefined;
  }

  /** What other files see under a name. */
  protected exported(file: FileUnit, name: string): readonly Value[] {
    const key = keyOf(this.#exportKeys, file, name);
    if (this.#looking.has(key)) return this.cut();
    this.#looking.add(key);
    const values = this.remembered(key, () => this.#exportedNow(file, name));
    this.#looking.delete(key);
    return values;
  }

  #exportedNow(file: FileUnit, name: string): readonly Value[] {
    for (const step of file.exports) {
      if (step.as !== name && !(step.as === '*' && step.from !== undefined)) continue;
      if (step.from !== undefined) {
        const values = this.imported({ from: step.from, name: step.as === '*' ? name : (step.name ?? name), as: name, position: step.position }, file);
        if (values.length > 0 && !(step.as === '*' && values.every(value => value.kind === 'outside'))) return values;
      } else if (step.value !== undefined) return this.values(step.value, file.scope);
    }
    const definitions = file.scope.names.get(name) ?? [];
    const declared = definitions.flatMap(definition => this.definition(definition, file.scope));
    if (declared.length > 0) return declared;
    const whole = name === 'default' ? undefined : file.exports.find(step => step.as === 'default' && step.value !== undefined);
    if (whole?.value === undefined)
      return name === 'default' && file.exports.length > 0 && file.exports.every(step => step.as !== 'default') ? [{ kind: 'module', file }] : [];
    return this.values(whole.value, file.scope).flatMap(value =>
      value.kind === 'object' || value.kind === 'class' ? this.member(value, name, 0, file.scope) : [],
    );
  }
}
