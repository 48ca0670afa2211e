/**
 * Python: modules are files, packages are folders; every name of a module can be imported from it, and what it imports by `*`, too.
 *
 * Declared types are hints, the last definition of a name counts, decorators may replace what they decorate.
 */

import { methodResult } from '../../evaluate/generics';
import { NOTHING } from '../../values';
import type { LanguageRules } from '../languageRules';
import { PYTHON_ALIASES, PYTHON_GLOBALS, pythonBuiltins, pythonFunctions } from './builtins';
import { exportedName, fromStars, importedModule, submoduleNamed } from './exports';
import { injectedFixtures, parameterFromFixture } from './fixtures';
import { parameterFromBase } from './functions';
import { givenMember, iteratedElement, memberOfDict, operationResult, throughDescriptor } from './members';
import { namesFields } from './namedFields';
import { PYTHON_MANIFESTS, PythonModules } from './pythonModules';
import { appliedOutside, applyByIndex, genericParameters, outsideName, typeVariable, typingNames } from './types';

export const pythonRules: LanguageRules = {
  family: 'python',
  modules: manifests => new PythonModules(manifests),
  manifests: PYTHON_MANIFESTS,
  packageNames: { 'pyproject.toml': /^\s*name\s*=\s*["']([^"']+)["']/m, 'setup.cfg': /^\s*name\s*=\s*(\S+)/m },
  separator: '.',
  constructorName: '__init__',
  constructorParts: ['__new__', '__post_init__', '__attrs_post_init__'],
  callName: '__call__',
  implicitReceiver: false,
  overloads: false,
  openTypes: false,
  structural: false,
  reexports: false,
  openObjects: true,
  typesAreValues: 'everywhere',
  erasesTypes: true,
  merging: 'members',
  explicitSelf: true,
  lastDefinitionCounts: true,
  hintedTypes: true,
  vagueTypes: ['object', 'type'],
  closedClassScopes: true,
  exportsEverything: true,
  opaqueBounds: true,
  baseOrder: 'c3',
  plainBases: new Set(['object']),
  neverOverrides: new Set(['__init__', '__new__']),
  unmangled: /^(?!__)|__$/,
  callsSuper: true,
  decoratorsReplace: true,
  namedPositions: true,
  builtins: pythonBuiltins,
  functions: pythonFunctions,
  aliases: PYTHON_ALIASES,
  literals: { string: 'str', fstring: 'str', number: 'int', boolean: 'bool', null: 'None', undefined: 'None' },
  emptyTypes: new Set(['None']),
  listForms: { '': { exact: 'list#', joined: 'list' }, tuple: { exact: 'tuple', joined: 'list' }, set: { joined: 'set' } },
  tupleType: 'tuple',
  typeofType: 'type',
  literalKeyType: 'str',
  asyncType: 'Coroutine',
  asyncDeclared: true,
  asyncIteratorType: 'AsyncIterator',
  readsImplicitly: true,
  implicitSetters: new Set(['__setitem__', '__delitem__']),
  managerProtocols: [
    ['__enter__', '__exit__'],
    ['__aenter__', '__aexit__'],
  ],
  enterMethods: { plain: '__enter__', async: '__aenter__' },
  arrayType: 'list',
  decoratorsReach: true,
  booleanType: 'bool',
  numberType: 'int',
  untypedParameters: () => true,
  membersTell: () => true,
  isGlobal: name => PYTHON_GLOBALS.has(name),
  packageOf: () => undefined,
  outsidePackage: specifier => specifier.split('.', 1)[0] ?? specifier,
  outer: (ev, file, _scope, name, mode) => fromStars(ev, file, name, mode),
  outside: outsideName,
  exported: exportedName,
  importedFromItself: submoduleNamed,
  importedModule,
  member: givenMember,
  attribute: throughDescriptor,
  literalMember: memberOfDict,
  indexed: (ev, value) => methodResult(ev, value, '__getitem__'),
  element: iteratedElement,
  operation: operationResult,
  namesFields,
  parameter: (ev, file, row) => {
    const given = parameterFromFixture(ev, file, row);
    return given === NOTHING ? parameterFromBase(ev, file, row) : given;
  },
  injected: injectedFixtures,
  typeParameters: genericParameters,
  boundType: typeVariable,
  knownOutside: typingNames,
  appliedOutside,
  indexType: applyByIndex,
};
