import type { BuiltinTable } from '../builtins/spec';
import type { Evaluator, Mode } from '../evaluate/evaluator';
import type { FileState } from '../fileState';
import type { Manifests } from '../modules/manifests';
import type { PackageEntry } from '../packageIndex';

/**
 * What the resolver needs to know of a language beyond its facts: one object per family in `languages/`, chosen by `rulesOf`.
 *
 * The evaluator looks names up in the lexical scopes, in the members of the classes around (`implicitReceiver`), in the package, and then asks `outer`.
 * Rules hold no state of their own; what they derive from paths and manifests they keep in `WeakMap`s by `Manifests` or ask each time.
 */
export interface LanguageRules {
  readonly family: string;

  /** Languages of one space see each other's packages (`jvm`); the family unless given. */
  readonly space?: string;

  /** Packages of namespace scopes are said relative to the file's package (Rust's inline modules). */
  readonly nestsPackages?: boolean;

  /** Separator of package names: `.`, `::`, `\` or `/`. */
  readonly separator: string;

  /** Name of the symbol that constructs (`<init>`, `__construct`, `initialize`, …), '' when the language has none. */
  readonly constructorName: string;

  /** Bare names reach the members of the classes around them (`foo()` for `this.foo()`), inherited ones included. */
  readonly implicitReceiver: boolean;

  /** Several functions of one name in one class or package are overloads told apart by their arguments. */
  readonly overloads: boolean;

  /** Declarations of one qualified name in several files are one type (partial classes, reopened classes, namespaces' classes declared twice). */
  readonly openTypes: boolean;

  /** A type that has every member of an interface implements it without saying so. */
  readonly structural: boolean;

  /** Import bindings of a module or namespace scope are members of its package for others (Rust's `pub use`). */
  readonly reexports: boolean;

  /** Built-in types of this language with their members, under names prefixed by `<family>.` in values. */
  readonly builtins: BuiltinTable;

  /** Results of outside functions and members of outside packages by full name (row `functions`), for those that hand on project values. */
  readonly functions: BuiltinTable;

  /** Spelled outside types to the names in `builtins` (`ArrayList` → `List`). */
  readonly aliases: Readonly<Record<string, string>>;

  /** `text` of a `literal` row to a name in `builtins`. */
  readonly literals: Readonly<Record<string, string>>;

  /** Built-in type of list literals and array types, of booleans, and of results of operators that are not overloaded. */
  readonly arrayType: string;
  readonly booleanType: string;
  readonly numberType: string;

  /** Names that exist outside the project without an import (`println`, `len`, `String`). */
  isGlobal(name: string): boolean;

  /**
   * Package that the module scope of a file belongs to, as a path of names joined by `separator`; `declared` is what the file itself says.
   * `undefined`: the file has none (its names are seen in it alone).
   */
  packageOf(path: string, declared: string, manifests: Manifests): string | undefined;

  /** Declarations that a file sees without naming their package: through wildcard imports and includes. Asked before `outer`. */
  visible?(ev: Evaluator, file: FileState, scope: number, name: number): readonly PackageEntry[];

  /** A name that no scope, class or package around binds: wildcard imports, includes, roots of paths (`crate`, `java`). NOTHING (0): not found. */
  outer?(ev: Evaluator, file: FileState, scope: number, name: number, mode: Mode): number;

  /**
   * What a row of `imports` binds. Left out: `specifier` is a package path of the project, `importedName` a member of it (or '' for the package itself);
   * a path that no package of the project begins is external.
   */
  imported?(ev: Evaluator, file: FileState, row: number, mode: Mode): number;

  /** Files that an import row leads to, as paths. Left out: the files that declare what the row binds, all files of a package it binds. */
  importTargets?(ev: Evaluator, file: FileState, row: number): readonly string[] | 'external' | 'missing';

  /** Member of a value that its declarations, bases and outside members do not have: promoted fields, `method_missing`, delegates. NOTHING: none. */
  member?(ev: Evaluator, value: number, name: number, mode: Mode): number;

  /** What iterating an instance of a project type gives (its iterator protocol), and what `a[b]` on one gives. NOTHING: not known. */
  element?(ev: Evaluator, value: number): number;
  indexed?(ev: Evaluator, value: number): number;
}
