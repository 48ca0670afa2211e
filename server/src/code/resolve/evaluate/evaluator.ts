import type { BindingRow, ExpressionRow, FunctionRow, ImportRow, ScopeRow, SymbolRow } from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import type { CallSiteIndex } from '../callSites';
import type { Dependencies } from '../dependencies';
import type { FileState } from '../fileState';
import type { ModuleRef, ModuleResolver } from '../modules/moduleResolver';
import type { DependencyKey, NameNumber, PackageNumber } from '../numbers';
import type { PackageEntry } from '../packages/packageEntries';
import type { PackageIndex } from '../packages/packageIndex';
import type { Project } from '../project';
import type { TypeArguments, Value, ValueSet, Values } from '../values';

/** What a name is asked for: the thing itself, or an instance of the type it names. */
export type Mode = 0 | 1;
export const AS_VALUE: Mode = 0;
export const AS_TYPE: Mode = 1;

/** One class of a hierarchy. `args` are its type arguments as the class asked about gives them; `open` says that some base is outside the project. */
export interface ClassLink {
  readonly node: NodeHandle;
  readonly args: TypeArguments;
  readonly open: boolean;
}

/** Module-level binding behind an exported name. */
export interface ExportedBinding {
  readonly file: FileState;
  readonly binding: BindingRow;
}

/** Numbers of names that are asked for again and again. */
export interface KnownNames {
  readonly default: NameNumber;
  readonly stars: NameNumber;
  readonly whole: NameNumber;
  readonly exports: NameNumber;
  readonly module: NameNumber;
  /** Key of call signatures in object types. */
  readonly signature: NameNumber;
}

/**
 * What the rules ask of one another: what an expression, a type, a binding, a symbol or a call may be.
 *
 * Answers are sets of abstract values. Each kind of row has its rules in a file of its own; whatever leads back up goes through here, so that
 * the rules depend on this alone and every answer is remembered and noted in one place (`lazyEvaluator.ts`).
 */
export interface Evaluator {
  readonly project: Project;
  readonly values: Values;
  readonly dependencies: Dependencies;
  readonly modules: ModuleResolver;
  readonly packages: PackageIndex;
  readonly callSites: CallSiteIndex;
  readonly known: KnownNames;

  /** What the language of a file answers itself. */
  hooks(file: FileState): LanguageHooks;

  nameOf(text: string): NameNumber;

  valueOf(file: FileState, row: ExpressionRow): ValueSet;

  /** Instances of the type that a row spells. */
  typeOf(file: FileState, row: ExpressionRow): ValueSet;

  /** What property `name` of the alternatives is. Alternatives without it are left out. */
  memberOf(receivers: ValueSet, name: NameNumber, mode: Mode): ValueSet;

  /** Binding row that a name means when seen from a scope, or `NONE`. */
  lookup(file: FileState, scope: ScopeRow, name: NameNumber): BindingRow;

  /** What the bindings of one name in one scope are; `first` is the first of them. */
  binding(file: FileState, first: BindingRow, mode: Mode): ValueSet;

  symbol(file: FileState, row: SymbolRow, mode: Mode): ValueSet;

  /** What calling a function gives, before type arguments are put in. */
  returned(file: FileState, functionRow: FunctionRow): ValueSet;

  imported(file: FileState, row: ImportRow, mode: Mode): ValueSet;

  /** What importing `name` from a file gives. */
  exported(file: FileState, name: NameNumber, mode: Mode): ValueSet;

  /** The class and everything it inherits from, nearest first. */
  hierarchy(node: NodeHandle): readonly ClassLink[];

  /** Keeps the binding behind an exported name for this update; cycles find nothing. */
  remembered(file: FileState, name: NameNumber, find: () => ExportedBinding | undefined): ExportedBinding | undefined;

  /** Runs `compute` on behalf of the body of a unit: sites do. */
  inBody<T>(unit: DependencyKey, compute: () => T): T;

  /** What a form of a built-in type gives; NOTHING when it has none. */
  builtinForm(value: Value, form: BuiltinForm): ValueSet;

  /** Node that stands for a container symbol with all its declarations. */
  canonical(file: FileState, row: SymbolRow): NodeHandle;

  unitOfSymbol(file: FileState, row: SymbolRow): DependencyKey;

  /** Unit of a member of a class, there or not: asking for it is a dependency. */
  consultMember(file: FileState, container: SymbolRow, name: NameNumber): void;

  /** What a language keeps for this update under a key of its own: dropped with all other answers. */
  kept(key: symbol): Map<number, unknown>;

  /** Instance of a built-in type. */
  builtin(type: string, args?: readonly ValueSet[]): ValueSet;
}

/** A symbol row of a file. */
export interface DeclaredSymbol {
  readonly file: FileState;
  readonly row: SymbolRow;
}

/** A function that is called for another one. */
export interface Injection {
  /** Symbol row of the function that gets what the call gives. */
  readonly from: SymbolRow;
  /** What is called. */
  readonly node: NodeHandle;
}

/** An extension that is looked for. */
export interface SoughtExtension {
  readonly receivers: ValueSet;
  readonly name: NameNumber;
  /** It is called right there: a function, where a property bears the name, too. */
  readonly isCalled: boolean;
}

/** A declared member that a look-up ended at. */
export interface MemberHit extends DeclaredSymbol {
  /** Class of the hierarchy that declares it, and its type arguments. */
  readonly owner: NodeHandle;
  readonly args: TypeArguments;
}

/** Arguments of a call: rows of one file. */
export interface Arguments {
  readonly file: FileState;
  readonly row: ExpressionRow;
  readonly rows: readonly ExpressionRow[];
}

/** What a built-in type says beside its members; see `BuiltinType`. */
export type BuiltinForm = 'index' | 'unwrap' | 'awaits' | 'delegate' | 'element' | 'key' | 'entered' | 'other' | 'result';

/** What a language answers itself, where the evaluator asks it. All optional. */
export interface LanguageHooks {
  /** Declarations that a file sees without naming their package: through wildcard imports and includes. Asked before `outer`. */
  visible?(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber): readonly PackageEntry[];

  /** Types whose members a file sees by their names alone, nearest first (`use Enum::*`). Left out: none. */
  starred?(ev: Evaluator, file: FileState, scope: ScopeRow): Iterable<Value>;

  /** Of the declarations of a name in a package, those that a file means. Left out: all of them. */
  select?(ev: Evaluator, from: FileState, entries: readonly PackageEntry[]): readonly PackageEntry[];

  /** Method that runs when one is called which is only another name for it. */
  aliased?(ev: Evaluator, node: NodeHandle): NodeHandle | undefined;

  /** Node that stands for a declaration which is defined elsewhere: what calls and reads point at. */
  definition?(ev: Evaluator, node: NodeHandle): NodeHandle;

  /** What a variable or field of a declared type holds (`declared`: instances of the type), where the project shows more than its type. */
  held?(ev: Evaluator, symbol: DeclaredSymbol, declared: ValueSet): ValueSet;

  /** What unwrapping an instance of a project type gives. NOTHING: itself. */
  dereferenced?(ev: Evaluator, value: Value): ValueSet;

  /** Of several declarations of one name in a package, those meant from a file. Left out: all. */
  nearest?(ev: Evaluator, file: FileState, entries: readonly PackageEntry[]): readonly PackageEntry[];

  /** A name that no scope, class or package around binds: wildcard imports, includes, roots of paths (`crate`, `java`). NOTHING (0): not found. */
  outer?(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet;

  /**
   * What a row of `imports` binds. Left out: `specifier` is a package path of the project, `importedName` a member of it (or '' for the package itself);
   * a path that no package of the project begins is external. So it is for rows that give `undefined`.
   */
  imported?(ev: Evaluator, file: FileState, row: ImportRow, mode: Mode): ValueSet | undefined;

  /** What the path in front of the name that a row of `imports` binds leads to. Left out: `specifier` is a package path of the project. */
  importedFrom?(ev: Evaluator, file: FileState, row: ImportRow): ValueSet;

  /** Files that an import row leads to, as paths; `nothing`: inside the project, to none. Left out: the files that declare what the row binds, all files of a package it binds. */
  importTargets?(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' | 'missing' | 'nothing' | undefined;

  /** What a package hands on of other packages by wildcard, when it does not declare the name itself. */
  reexported?(ev: Evaluator, packageNumber: PackageNumber, name: NameNumber): readonly PackageEntry[];

  /** Member of a value that its declarations, bases and outside members do not have: promoted fields, `method_missing`, delegates. NOTHING: none. */
  member?(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet;

  /** Whether a value that is not an instance of a project type may be the receiver of a member declared outside for `wanted`. Left out: equal built-in types. */
  accepts?(ev: Evaluator, wanted: Value, given: Value): boolean;

  /** What iterating an instance of a project type gives (its iterator protocol), and what `a[b]` on one gives. NOTHING: not known. */
  element?(ev: Evaluator, value: Value, isAsync: boolean): ValueSet;
  indexed?(ev: Evaluator, value: Value): ValueSet;

  /** What else the members of a class as a value are looked for in: its companion. NOTHING: nothing. */
  companion?(ev: Evaluator, node: NodeHandle): ValueSet;

  /** What `super` gives where no base of the type around has the member, by what `this` is: what comes next in the types that mix it in. NOTHING: nothing. */
  superMember?(ev: Evaluator, receiver: Value, name: NameNumber): ValueSet;

  /** Extension of that name seen from a file for receivers that are outside the project or not known. */
  extension?(ev: Evaluator, file: FileState, sought: SoughtExtension): DeclaredSymbol | undefined;

  /** Values whose members bare names in a scope reach beside those of the type around: companions, receivers of lambdas. NOTHING: none. */
  receivers?(ev: Evaluator, file: FileState, scope: ScopeRow): ValueSet;

  /** How well a value fits the type of a parameter: impossible (-1), open (0), up to 4; `undefined`: as in any language. */
  fit?(ev: Evaluator, wanted: Value, given: Value): number | undefined;

  /** What an instance of a defined type is made of: what is called, iterated and indexed in its place. NOTHING: itself alone. */
  underlying?(ev: Evaluator, value: Value): ValueSet;

  /** A name that nothing in the project declares. Left out, or `undefined`: a built-in type, a global name, or not known. */
  outside?(ev: Evaluator, text: string, mode: Mode): ValueSet | undefined;

  /** What importing one name from a module gives. Left out: what its exports say. */
  exported?(ev: Evaluator, file: FileState, name: NameNumber, mode: Mode): ValueSet;

  /** What a file gets by importing a name from itself. Left out: its own export. */
  importedFromItself?(ev: Evaluator, file: FileState, name: NameNumber): ValueSet;

  /** What a member expression is, whatever its receiver is (`module.exports`). NOTHING: its member. */
  memberAt?(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet;

  /** What a member that was found gives when it is read (descriptors). Left out: its value. */
  attribute?(ev: Evaluator, hit: MemberHit, set: ValueSet): ValueSet;

  /** Members that the language gives a class or function, whatever is declared (`prototype`). NOTHING: none. */
  reserved?(ev: Evaluator, value: Value, name: NameNumber): ValueSet;

  /** Member of an object literal that no key of it and no assignment gives. Left out: what spread parts have. */
  literalMember?(ev: Evaluator, value: Value, name: NameNumber): ValueSet;

  /** Receiver of a named function that stands outside of every type. NOTHING: it has none of its own. */
  receiverOf?(ev: Evaluator, file: FileState, functionRow: FunctionRow, symbol: SymbolRow): ValueSet;

  /** Function types that an instance of an interface stands for when it is called. */
  signature?(ev: Evaluator, value: Value): ValueSet;

  /** Type parameters of a class that declares none of its own. */
  typeParameters?(ev: Evaluator, file: FileState, row: SymbolRow): readonly Value[];

  /** What `new` of a built-in class makes. `undefined`: an instance of it. */
  made?(ev: Evaluator, type: string, value: Value, args: Arguments): ValueSet | undefined;

  /** What an operation gives. Left out: what the operator's method gives, else by built-in types. */
  operation?(ev: Evaluator, file: FileState, row: ExpressionRow, operator: string): ValueSet;

  /** True for a class whose constructor takes its fields by name, as a library makes it. */
  namesFields?(ev: Evaluator, node: NodeHandle): boolean;
  /** What a framework calls for functions of a file, to give them what their parameters name. Left out: nothing. */
  injected?(ev: Evaluator, file: FileState): readonly Injection[];

  /** Type of a parameter that neither its declaration nor its default shows. NOTHING: not known. */
  parameter?(ev: Evaluator, file: FileState, row: BindingRow): ValueSet;

  /** What a binding is as a type, where its value says so (`T = TypeVar('T')`). NOTHING: as any. */
  boundType?(ev: Evaluator, file: FileState, binding: BindingRow): ValueSet;

  /** Types that names from outside stand for (`typing.List`), other values as they are. */
  knownOutside?(ev: Evaluator, set: ValueSet): ValueSet;

  /** What a type function that the project does not define gives for arguments. `undefined`: its base with the arguments. */
  appliedOutside?(ev: Evaluator, file: FileState, name: string, items: readonly ExpressionRow[]): ValueSet | undefined;

  /** What an index is as a type. Left out: not known. */
  indexType?(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet;

  /** True for a file whose types stand in comments: what its code gives goes before a type that is not of the project. */
  hasTypesInComments?(file: FileState): boolean;

  /** True for a function that is a type, too, since it makes objects. */
  isTypeOfItself?(file: FileState, row: SymbolRow): boolean;

  /** Module that an import row depends on, where it is another than the one that its specifier names (`target`): a module inside that. */
  importedModule?(ev: Evaluator, file: FileState, row: ImportRow, target: ModuleRef): ModuleRef;

  /** True for an import row that compilers leave out of the program although it does not say so; `nodes`: what it names. */
  isDropped?(ev: Evaluator, file: FileState, row: ImportRow, nodes: readonly NodeHandle[]): boolean;

  /** True for an import row that only a comment spells. */
  isInComment?(file: FileState, row: ImportRow): boolean;

  /** In structural languages: whether a member of a type is what an interface asks for by a member of that name. */
  satisfies?(ev: Evaluator, own: DeclaredSymbol, wanted: DeclaredSymbol): boolean;
}
