import type { FileFacts, SymbolRow } from '../../../model/facts';
import type { LanguageId } from '../../../model/languages';
import type { FileState } from '../fileState';
import type { Manifests } from '../modules/manifests';
import type { ModuleFinder } from '../modules/moduleFinder';
import type { BuiltinTable } from './builtinTable';

/** What is particular to a language and needs no evaluation: the data half of `LanguageRules`. */
export interface LanguageTraits {
  readonly family: string;

  /**
   * Names of other files are reached by importing the file, which says what it exports; no package joins files. The finder says which file a
   * specifier names. Left out: declarations belong to packages (`packageOf`), whatever file they stand in.
   */
  readonly modules?: (manifests: Manifests) => ModuleFinder;

  /** File names of the manifests whose texts the language reads (`Manifests.texts`). */
  readonly manifests?: RegExp;

  /**
   * What the manifests decide of the files in a folder beside where imports lead, as a text. Given: that is all they decide, so a change of them concerns
   * only the imports that lead elsewhere and the files of which this differs.
   */
  readonly beyondImports?: (manifests: Manifests, folder: string) => string;

  /** All of a manifest that the language reads, as a text: what else it says may change without a look at any import. The whole text unless given. */
  readonly manifestMeaning?: (path: string, text: string) => string;

  /** By file name of a manifest: where it says the name of its package. */
  readonly packageNames?: Readonly<Record<string, RegExp>>;

  /** Languages of one space see each other's packages (`jvm`); the family unless given. */
  readonly space?: string;

  /** Packages of namespace scopes are said relative to the file's package (Rust's inline modules). */
  readonly nestsPackages?: boolean;

  /** Separator of package names: `.`, `::`, `\` or `/`. */
  readonly separator: string;

  /** Name of the symbol that constructs (`<init>`, `__construct`, `initialize`, …), '' when the language has none. */
  readonly constructorName: string;
  /** `object.constructor` is the class of an object, not its constructor alone. */
  readonly classUnderConstructor?: boolean;

  /** Name of the method that `new` calls: a class or module may have one of its own. */
  readonly makerName?: string;

  /** Further methods that making an instance runs, where a class has or inherits them. */
  readonly constructorParts?: readonly string[];

  /** Bare names reach the members of the classes around them (`foo()` for `this.foo()`), inherited ones included. */
  readonly implicitReceiver: boolean;

  /** Several functions of one name in one class or package are overloads told apart by their arguments. */
  readonly overloads: boolean;

  /** Methods and fields of a type have names of their own: a look-up gives the nearest of either. */
  readonly separateMembers?: boolean;

  /** Name of the method that is called when an object itself is (`__invoke`). */
  readonly callName?: string;

  /** Static methods of the type that all derive from, which are seen by their bare name everywhere (`Equals(a, b)`). */
  readonly rootStatics?: ReadonlySet<string>;

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
  arePartsOfOne?(left: FileState, row: SymbolRow, right: FileState, other: SymbolRow): boolean;

  /** All that calls can reach in the project stands in its sources: a member of a name that nothing there bears is outside. */
  readonly closed?: boolean;

  /** Name of the method that an operator of a project type calls, `undefined` for operators that cannot be declared. `isUnary`: it has one operand. */
  operatorMethod?(operator: string, isUnary: boolean): string | undefined;

  /** An operator may be declared in the type of either operand. */
  readonly eitherOperand?: boolean;

  /** Methods of a type that stand in for members which it does not declare: run where those are read, and where they are assigned to. */
  readonly memberStandIns?: { readonly read: string; readonly write: string };

  /** Methods that syntax runs without naming them belong to traits: others of their names do not count. */
  readonly implementsTraits?: boolean;

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

  /**
   * Objects, classes and functions are alike: each has properties, which assignments may add and which go before what the language gives all of them;
   * classes are values like others.
   */
  readonly openObjects?: boolean;

  /** The name in the place of a type may be that of a value (a variable that holds types, a variant): everywhere, or only in tests of a value and where errors are caught. */
  readonly typesAreValues?: 'everywhere' | 'inTests';

  /** Static members and those of instances are told apart: neither is reached through the other, or, where types say what there is, only if there is no other. */
  readonly apartStatics?: boolean;

  /** Types and interfaces are there for the compiler alone: as values they are nothing. */
  readonly erasesTypes?: boolean;

  /** Declarations of one name in one place are one: their members are looked for together. `types`: one node stands for them, too. */
  readonly merging?: 'members' | 'types';

  /** Signatures without a body stand before the one that has it, and say what a call gives. */
  readonly signatures?: boolean;

  /** The first parameter of a method is its receiver. */
  readonly explicitSelf?: boolean;

  /** Name of the parameter by which a function declares what its receiver is. */
  readonly receiverParameter?: string;

  /** Of several definitions of a name the last counts. */
  readonly lastDefinitionCounts?: boolean;

  /** Declared types are hints: what is assigned says more. */
  readonly hintedTypes?: boolean;
  /** Built-in types that say of a value only that it is one, or some class. */
  readonly vagueTypes?: readonly string[];

  /** Names bound in the body of a class are not seen by the functions in it. */
  readonly closedClassScopes?: boolean;

  /** Files that are no modules, and blocks in others that say so, declare names that all files see (`GLOBAL_NAMES`). */
  readonly globalNames?: boolean;

  /** Names outside the project of objects whose members are the global names (`window`). */
  readonly globalObjects?: ReadonlySet<string>;

  /** Global interface (`String`) whose declarations in the project add to a built-in type, by name of the type. */
  readonly addedTo?: (builtin: string) => string;

  /** Names outside the project (`document`) of what is an instance of a type to which the project may add, by name of the type (`Document`). */
  readonly outsideInstances?: Readonly<Record<string, readonly string[]>>;

  /** Every name of a module can be imported, whatever it says that it exports. */
  readonly exportsEverything?: boolean;

  /** A call of what is known by its bound alone says nothing: what is given may be called otherwise. */
  readonly opaqueBounds?: boolean;

  /** Results of outside functions have no name of their own. */
  readonly anonymousResults?: boolean;

  /** A mixin that is not known hides nothing: its host is no less known. */
  readonly looseMixins?: boolean;

  /** Order in which bases are searched: C3 linearization; left out: depth first. */
  readonly baseOrder?: 'c3';

  /** Built-in types that, as bases, bring no members worth a doubt. */
  readonly plainBases?: ReadonlySet<string>;

  /** Names of methods that override nothing, constructors above all. */
  readonly neverOverrides?: ReadonlySet<string>;

  /** Where private methods and those of the class are looked up like all others: the names of methods that heirs may have of their own. */
  readonly unmangled?: RegExp;

  /** Calling `super` itself gives the receiver as its bases see it. */
  readonly callsSuper?: boolean;

  /** A decorator may give something else than what it decorates: that is what stands before a dot. */
  readonly decoratorsReplace?: boolean;

  /** A position in a tuple may be given by a constant. */
  readonly namedPositions?: boolean;

  /** Built-in types of list literals by form ('' for the plain one): `exact` has the elements by position, `joined` one type for all of them. */
  readonly listForms?: Readonly<Record<string, { readonly exact?: string; readonly joined: string }>>;

  /** Built-in type of tuple types; `Tuple` unless given. */
  readonly tupleType?: string;

  /** Built-in type of what asking for the type of a value gives; of the keys that a loop over an object takes; of those that iterating an object literal gives. */
  readonly typeofType?: string;
  readonly loopKeyType?: string;
  readonly literalKeyType?: string;

  /** Built-in types that alternatives without any members have, beside `literals.null`. */
  readonly emptyTypes?: ReadonlySet<string>;

  /** Built-in type that an asynchronous function gives; `asyncDeclared`: its declared type is what awaiting that gives. */
  readonly asyncType?: string;
  readonly asyncDeclared?: boolean;

  /** Built-in type that an asynchronous generator gives; that of others unless given. */
  readonly asyncIteratorType?: string;

  /** Methods that entering a resource calls, in its plain and its asynchronous form. */
  readonly enterMethods?: { readonly plain: string; readonly async: string };

  /** Methods that syntax runs without naming them are read, as properties are; elsewhere they are called. */
  readonly readsImplicitly?: boolean;
  /** Those of them that set or delete something: they are assigned to. */
  readonly implicitSetters?: ReadonlySet<string>;
  /** Methods that entering and leaving a resource runs, a list for each protocol. */
  readonly managerProtocols?: readonly (readonly string[])[];

  /** Parameters mostly have no declared type in files of that language: the project's own calls show what they get. */
  readonly untypedParameters?: (language: LanguageId) => boolean;

  /** Types are hardly ever declared in such files: which members code takes from a thing says what it is. */
  readonly membersTell?: (facts: FileFacts) => boolean;

  /** Names seen beside those of the package around need no import for it. */
  readonly seesUnimported?: boolean;

  /** Members of a package in other files are seen by including them. */
  readonly includes?: boolean;

  /** Name of the package outside that a specifier belongs to. Left out: the path as written. */
  readonly outsidePackage?: (specifier: string) => string;

  /** Members of an enumeration are members of the type around it too, where they are bound in its scope. */
  readonly opensEnums?: boolean;

  /** A decorator alone makes code of other files reach what it stands on. */
  readonly decoratorsReach?: boolean;

  /** Fields may hold pointers to functions, which assignments anywhere in the project show. */
  readonly pointers?: boolean;

  /** True for files that the usual build leaves out (build constraints): where another file declares the same, that one counts. */
  isLeftOut?(path: string, declared: string): boolean;

  /** Functions are declared, and variables that hold them are there to be given others: a call through one is a guess. */
  readonly variablesVary?: boolean;
}
