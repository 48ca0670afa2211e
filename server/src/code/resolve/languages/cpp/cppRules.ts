/**
 * C and C++: namespaces are packages that every file may add to, the global one has the empty name; what a file sees of them its includes say.
 *
 * Macros and anonymous namespaces are no members of a package: macros are found through includes. Functions of the same name are overloads.
 * A declaration stands for its definition wherever there is exactly one.
 */
import type { LanguageRules } from '../languageRules';
import { CPP_ALIASES, CPP_BUILTINS, CPP_FUNCTIONS, isGlobalName } from './cppBuiltins';
import { dereferenced, elementOf, fitOf, heldFunctions, indexedBy, otherMember } from './cppMembers';
import { definitionOf } from './definitions';
import { includeTarget } from './includes';
import { importedName, outerName, selectEntries, visibleNames } from './visibility';

export const cppRules: LanguageRules = {
  family: 'cpp',
  includes: true,
  manifests: /^compile_commands\.json$/,
  separator: '::',
  constructorName: '',
  callName: 'operator()',
  implicitReceiver: true,
  overloads: true,
  openTypes: false,
  structural: false,
  reexports: true,
  pointers: true,
  opensEnums: true,
  operatorMethod: operator => `operator${operator}`,
  builtins: CPP_BUILTINS,
  functions: CPP_FUNCTIONS,
  aliases: CPP_ALIASES,
  literals: { string: 'string', character: 'char', number: 'int', boolean: 'bool', null: 'nullptr' },
  arrayType: 'array',
  booleanType: 'bool',
  numberType: 'int',
  isGlobal: isGlobalName,
  packageOf: () => '',
  select: selectEntries,
  visible: visibleNames,
  outer: outerName,
  imported: importedName,
  importTargets(ev, file, row) {
    const target = includeTarget(ev, file, row);
    if (target === undefined) return 'nothing';
    return target === 'external' || target === 'missing' ? target : [target];
  },
  member: otherMember,
  element: elementOf,
  indexed: indexedBy,
  dereferenced,
  fit: fitOf,
  held: heldFunctions,
  definition: definitionOf,
};
