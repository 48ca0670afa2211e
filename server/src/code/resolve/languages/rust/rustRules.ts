/**
 * Rust: packages are modules, named by their crate and the way down; the crate's own name stands for its library.
 *
 * Files say nothing of the module they are: the places where the compiler looks for them do (`crates.ts`). `crate`, `super`, `use` and wildcard imports
 * are followed in `paths.ts`; smart pointers and references are transparent, so that members are those of what they point to.
 */
import type { LanguageRules } from '../languageRules';
import { modulePathOf } from './crates';
import { accepts, elementOf, impliedMember, indexedBy } from './members';
import { importedValue, importTargets, outerName, reexportedNames, specifierValue, starredTypes, visibleNames } from './paths';
import { isRustGlobal, RUST_ALIASES, RUST_BUILTINS, RUST_FUNCTIONS } from './rustBuiltins';

/** Methods of the traits behind operators. */
const UNARY_METHODS: Readonly<Record<string, string>> = { '-': 'neg', '!': 'not', '*': 'deref' };
const BINARY_METHODS: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '&': 'bitand',
  '|': 'bitor',
  '^': 'bitxor',
  '<<': 'shl',
  '>>': 'shr',
  '+=': 'add_assign',
  '-=': 'sub_assign',
  '*=': 'mul_assign',
  '/=': 'div_assign',
  '%=': 'rem_assign',
  '&=': 'bitand_assign',
  '|=': 'bitor_assign',
  '^=': 'bitxor_assign',
  '<<=': 'shl_assign',
  '>>=': 'shr_assign',
  '==': 'eq',
  '!=': 'eq',
  '<': 'partial_cmp',
  '>': 'partial_cmp',
  '<=': 'partial_cmp',
  '>=': 'partial_cmp',
};

export const rustRules: LanguageRules = {
  family: 'rust',
  separateMembers: true,
  manifests: /^Cargo\.toml$/,
  packageNames: { 'Cargo.toml': /^\s*name\s*=\s*"([^"]+)"/m },
  nestsPackages: true,
  separator: '::',
  constructorName: '',
  implicitReceiver: false,
  overloads: false,
  openTypes: false,
  structural: false,
  reexports: true,
  callsConvert: true,
  variantsAreCalled: true,
  typesAreValues: 'everywhere',
  operatorMethod: (operator, isUnary) => (isUnary ? UNARY_METHODS : BINARY_METHODS)[operator],
  implementsTraits: true,
  readsImplicitly: true,
  implicitSetters: new Set(['index_mut']),
  builtins: RUST_BUILTINS,
  functions: RUST_FUNCTIONS,
  aliases: RUST_ALIASES,
  literals: { string: 'str', number: 'i32', float: 'f64', boolean: 'bool', char: 'char', null: 'unit' },
  arrayType: 'Vec',
  booleanType: 'bool',
  numberType: 'i32',
  isGlobal: isRustGlobal,
  packageOf: (path, _declared, manifests) => modulePathOf(path, manifests),
  visible: visibleNames,
  starred: starredTypes,
  outer: outerName,
  imported: importedValue,
  importedFrom: specifierValue,
  importTargets,
  reexported: reexportedNames,
  member: impliedMember,
  accepts,
  element: elementOf,
  indexed: indexedBy,
};
