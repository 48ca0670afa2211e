import type { BuiltinTable } from '../builtins/spec';
import type { FileState } from '../fileState';
import type { Manifests } from '../modules/manifests';

/** What is particular to a language and needs no evaluation: the data half of `LanguageRules`. */
export interface LanguageTraits {
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

  /** Methods and fields of a type have names of their own: a look-up gives the nearest of either. */
  readonly separateMembers?: boolean;

  /** Name of the method that is called when an object itself is (`__invoke`). */
  readonly callName?: string;

  /** Name of the member through which a function value is called (`Invoke`). */
  readonly invokeName?: string;

  /** A variable or field may be whatever is ever assigned to it; its first value does not fix its type. */
  readonly dynamic?: boolean;

  /** Built-in type that an object literal (a hash, an array with keys) is beside its keys; its type arguments are what it holds. */
  readonly objectType?: string;

  /** An interface with one abstract method is the type of a function. */
  readonly functionalInterfaces?: boolean;

  /** A function behind the other arguments is given to the last parameter, whatever stands between. */
  readonly trailingFunction?: boolean;

  /** Declarations of one qualified name in several files are one type (partial classes, reopened classes, namespaces' classes declared twice). */
  readonly openTypes: boolean;

  /** A type that has every member of an interface implements it without saying so. */
  readonly structural: boolean;

  /** Import bindings of a module or namespace scope are members of its package for others (Rust's `pub use`). */
  readonly reexports: boolean;

  /** Where a base is written it is not said whether it is a class or an interface: what it is decides between INHERITS and IMPLEMENTS. */
  readonly basesByKind?: boolean;

  /** Properties override those of the bases as methods do. */
  readonly overridesProperties?: boolean;

  /** Type whose members a type parameter without a bound has. */
  readonly rootType?: string;

  /** Whether two declarations of one name are parts of one type; with `openTypes`. Left out: all are. */
  arePartsOfOne?(left: FileState, row: number, right: FileState, other: number): boolean;

  /** All that calls can reach in the project stands in its sources: a member of a name that nothing there bears is outside. */
  readonly closed?: boolean;

  /** Name of the method that an operator of a project type calls, `undefined` for operators that cannot be declared. */
  operatorMethod?(operator: string): string | undefined;

  /** Import rows with a level hold for other files of the project too (C#'s `global using`). */
  readonly globalImports?: boolean;

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

  /** Calling a type converts to it and makes nothing (`T(x)` in Go): a use of the type. */
  readonly callsConvert?: boolean;

  /** Calling a variant of an enum makes a value of the enum. */
  readonly variantsAreCalled?: boolean;

  /** Members of an enumeration are members of the type around it too, where they are bound in its scope. */
  readonly opensEnums?: boolean;

  /** Fields may hold pointers to functions, which assignments anywhere in the project show. */
  readonly pointers?: boolean;

  /** True for files that the usual build leaves out (build constraints): where another file declares the same, that one counts. */
  isLeftOut?(path: string, declared: string): boolean;

  /** Functions are declared, and variables that hold them are there to be given others: a call through one is a guess. */
  readonly variablesVary?: boolean;
}
