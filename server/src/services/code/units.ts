/**
 * The files that have a digest, with what names mean in them: scopes, imports, members of classes and packages.
 *
 * Links between files are those of the graph: an import leads where the graph's import leads.
 */
import { basename, dirname, type WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import {
  columnOfPosition,
  type Digest,
  type DigestClass,
  type DigestFunction,
  type DigestParameter,
  lineOfPosition,
  type Step,
  type Term,
} from '../../model/digest';
import { digestOfText } from '../../model/digestText';
import type { LanguageId } from '../../model/languages';
import { relationMask } from '../../model/relations';

/** Where names are looked up: a function, a class or a file, inside another one. */
export interface Scope {
  readonly file: FileUnit;
  readonly up: Scope | undefined;
  readonly fn: DigestFunction | undefined;
  readonly cls: DigestClass | undefined;
  readonly names: ReadonlyMap<string, readonly Definition[]>;
  readonly steps: readonly Step[];
}

export type Definition =
  | { readonly is: 'value'; readonly value: Term; readonly type: Term; readonly position: number; readonly decorators: readonly Term[] }
  | { readonly is: 'parameter'; readonly fn: DigestFunction; readonly index: number; readonly parameter: DigestParameter }
  | { readonly is: 'function'; readonly fn: DigestFunction }
  | { readonly is: 'class'; readonly cls: DigestClass }
  | { readonly is: 'import'; readonly step: Extract<Step, { kind: 'import' }> };

export interface FileUnit {
  readonly path: WorkspacePath;
  readonly node: NodeHandle;
  readonly language: LanguageId;
  readonly package: string;
  readonly scope: Scope;
  readonly exports: readonly Extract<Step, { kind: 'export' }>[];
  /** Imports of all names of something. */
  readonly wildcards: readonly Extract<Step, { kind: 'import' }>[];
}

const IMPORTS = relationMask('IMPORTS');

export class Units {
  readonly files = new Map<WorkspacePath, FileUnit>();
  readonly #scopes = new WeakMap<object, Scope>();
  readonly #importTargets = new Map<WorkspacePath, Map<number, WorkspacePath[]>>();
  readonly #referents = new Map<WorkspacePath, Map<number, readonly NodeHandle[]>>();
  /** By folder. */
  readonly #folders = new Map<string, FileUnit[]>();
  /** By package name. */
  readonly #packages = new Map<string, FileUnit[]>();
  /** Methods written outside the body of their type, by folder and type; further bodies of a type. */
  readonly #members = new Map<string, { readonly fn: DigestFunction; readonly file: FileUnit }[]>();
  readonly #classes = new Map<string, { readonly cls: DigestClass; readonly file: FileUnit }[]>();

  readonly #subclasses = new Map<string, { readonly cls: DigestClass; readonly file: FileUnit }[]>();

  constructor(readonly graph: GraphView) {}

  /** A file by its digest, as JSON. Files of tests are left out. */
  add(path: WorkspacePath, json: string): void {
    const node = this.graph.fileOf(path);
    if (json === '' || node === undefined) return;
    const { isTest, language } = this.graph.node(node);
    if (!isTest && language !== undefined) this.#add(path, node, language, digestOfText(json));
  }

  #add(path: WorkspacePath, node: NodeHandle, language: LanguageId, digest: Digest): void {
    const exports = digest.steps.filter(step => step.kind === 'export');
    const wildcards = allImports(digest.steps).filter(step => step.as === '');
    const names = namesOf(digest.steps);
    const file = { path, node, language, package: digest.package, exports, wildcards } as unknown as FileUnit & { scope: Scope };
    (file as { scope: Scope }).scope = { file, up: undefined, fn: undefined, cls: undefined, names, steps: digest.steps };
    this.files.set(path, file);
    append(this.#folders, dirname(path), file);
    if (digest.package !== '') append(this.#packages, digest.package, file);
    for (const step of digest.steps) {
      if (step.kind === 'fn' && step.fn.owner !== undefined) append(this.#members, `${dirname(path)}:${nameOf(step.fn.owner)}`, { fn: step.fn, file });
      if (step.kind === 'class') this.#noteClass(step.cls, file);
    }
  }

  #noteClass(cls: DigestClass, file: FileUnit): void {
    for (const base of cls.bases) append(this.#subclasses, nameOf(base), { cls, file });
    append(this.#classes, cls.name, { cls, file });
    for (const step of cls.body) if (step.kind === 'class') this.#noteClass(step.cls, file);
  }

  classesNamed(name: string): readonly { readonly cls: DigestClass; readonly file: FileUnit }[] {
    return this.#classes.get(name) ?? [];
  }

  /** Classes with a base of this name. */
  subclassesNamed(name: string): readonly { readonly cls: DigestClass; readonly file: FileUnit }[] {
    return this.#subclasses.get(name) ?? [];
  }

  /** Methods of a type that stand outside its body, in the same folder. */
  membersOf(file: FileUnit, type: string): readonly { readonly fn: DigestFunction; readonly file: FileUnit }[] {
    return this.#members.get(`${dirname(file.path)}:${type}`) ?? [];
  }

  folder(path: string): readonly FileUnit[] {
    return this.#folders.get(path) ?? [];
  }

  packageNamed(name: string): readonly FileUnit[] {
    return this.#packages.get(name) ?? [];
  }

  scopeOfFunction(fn: DigestFunction, up: Scope): Scope {
    const known = this.#scopes.get(fn);
    if (known !== undefined) return known;
    const names = namesOf(fn.body);
    for (const [index, parameter] of fn.parameters.entries()) prepend(names, parameter.name, { is: 'parameter', fn, index, parameter });
    const scope: Scope = { file: up.file, up, fn, cls: undefined, names, steps: fn.body };
    this.#scopes.set(fn, scope);
    return scope;
  }

  scopeOfClass(cls: DigestClass, up: Scope): Scope {
    const known = this.#scopes.get(cls);
    if (known !== undefined) return known;
    const scope: Scope = { file: up.file, up, fn: undefined, cls, names: namesOf(cls.body), steps: cls.body };
    this.#scopes.set(cls, scope);
    return scope;
  }

  /** Files of the workspace that the import on a line leads to. */
  importTargets(file: FileUnit, position: number): readonly WorkspacePath[] {
    let lines = this.#importTargets.get(file.path);
    if (lines === undefined) {
      lines = new Map();
      for (const edge of this.graph.out(file.node, undefined, IMPORTS)) {
        const target = this.graph.fileNodeOf(edge.target);
        if (target === undefined) continue;
        const path = this.graph.idOf(target);
        for (const line of edge.lines) append(lines, line - 1, path);
      }
      this.#importTargets.set(file.path, lines);
    }
    return lines.get(lineOfPosition(position)) ?? [];
  }

  /** The file with a digest that a node of the graph is in. */
  fileAround(node: NodeHandle): FileUnit | undefined {
    const file = this.graph.fileNodeOf(node);
    return file === undefined ? undefined : this.files.get(this.graph.idOf(file));
  }

  /** Symbols that a name may refer to by the graph, likeliest first. */
  referents(file: FileUnit, position: number): readonly NodeHandle[] {
    if (position === 0) return [];
    let known = this.#referents.get(file.path);
    if (known === undefined) {
      known = new Map();
      this.#referents.set(file.path, known);
    }
    let targets = known.get(position);
    if (targets === undefined) {
      const found = this.graph.targetsAt(file.path, lineOfPosition(position) + 1, columnOfPosition(position));
      targets = found.filter(({ relation }) => relation !== 'IMPORTS' && relation !== 'IMPORTS_TYPES').map(({ target }) => target);
      known.set(position, targets);
    }
    return targets;
  }

  /** Innermost symbol around a position. */
  symbolAt(file: FileUnit, position: number): NodeHandle | undefined {
    return this.graph.symbolAt(file.path, lineOfPosition(position) + 1, columnOfPosition(position));
  }
}

/** Imports anywhere in the steps, those inside functions too. */
function allImports(steps: readonly Step[]): Extract<Step, { kind: 'import' }>[] {
  return steps.flatMap(step => (step.kind === 'import' ? [step] : step.kind === 'fn' ? allImports(step.fn.body) : []));
}

function namesOf(steps: readonly Step[]): Map<string, Definition[]> {
  const names = new Map<string, Definition[]>();
  for (const step of steps) {
    if (step.kind === 'let')
      append(names, step.name, { is: 'value', value: step.value ?? 0, type: step.type ?? 0, position: step.position, decorators: step.decorators ?? [] });
    else if (step.kind === 'fn' && step.fn.owner === undefined) append(names, step.fn.name, { is: 'function', fn: step.fn });
    else if (step.kind === 'class') append(names, step.cls.name, { is: 'class', cls: step.cls });
    else if (step.kind === 'import' && step.as !== '') append(names, step.as, { is: 'import', step });
  }
  return names;
}

/** Last name of a type. */
export function nameOf(term: Term): string {
  if (term === 0) return '';
  if (term.kind === 'name' || term.kind === 'member') return term.name;
  return term.kind === 'generic' ? nameOf(term.base) : '';
}

/** Name of a file without folder and extension; of an index that of its folder. */
export function moduleName(path: WorkspacePath): string {
  const name = basename(path).replace(/\.[^.]*$/, '');
  return name === '__init__' || name === 'index' || name === 'mod' ? basename(dirname(path)) : name;
}

export function append<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}

function prepend<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.unshift(item);
}

/** One object for an owner and a name, always the same. */
export function keyOf(keys: Map<object, Map<string, object>>, owner: object, name: string): object {
  let names = keys.get(owner);
  if (names === undefined) {
    names = new Map();
    keys.set(owner, names);
  }
  let key = names.get(name);
  if (key === undefined) {
    key = {};
    names.set(name, key);
  }
  return key;
}
