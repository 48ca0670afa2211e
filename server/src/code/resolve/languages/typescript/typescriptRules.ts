/**
 * TypeScript and JavaScript, with components of Vue and Svelte: modules are files, found by the rules of Node, bundlers and `tsconfig`;
 * objects are open, functions and classes are values like others, and types are there for the compiler alone.
 */

import { AS_VALUE } from '../../evaluate/evaluator';
import { entriesValue, globalMember } from '../../evaluate/packages/globals';
import { computedType } from '../../evaluate/types';
import { NOTHING } from '../../values';
import { BuiltinTable } from '../builtinTable';
import type { LanguageRules } from '../languageRules';
import { GLOBAL_OBJECTS, interfaceOf, JAVASCRIPT_ALIASES, JAVASCRIPT_GLOBALS, javascriptBuiltins, OUTSIDE_INSTANCES } from './builtins';
import { moduleExports, ownExportsNamed } from './commonJs';
import { isDropped, isVerbatim } from './erasedImports';
import { globalsVisible, programOf } from './globals';
import { nodeManifestMeaning, PACKAGE_NAME } from './nodeManifests';
import { NodeModules } from './nodeModules';
import { receiverOfFunction } from './receivers';
import { appliedOutside, callSignature, outsideName } from './types';
import { givenMember, iteratedElement, madeByNew, operationResult, outsidePrototype, prototypeOf } from './values';

export const typescriptRules: LanguageRules = {
  family: 'typescript',
  modules: manifests => new NodeModules(manifests),
  manifests: /^(?:package\.json|[tj]sconfig[^/]*\.json)$/,
  beyondImports: (manifests, folder) => `${isVerbatim(manifests, folder)} ${programOf(manifests, folder)}`,
  manifestMeaning: nodeManifestMeaning,
  packageNames: { 'package.json': PACKAGE_NAME },
  separator: '.',
  constructorName: 'constructor',
  classUnderConstructor: true,
  implicitReceiver: false,
  overloads: false,
  openTypes: false,
  structural: false,
  reexports: false,
  openObjects: true,
  typesAreValues: 'inTests',
  apartStatics: true,
  erasesTypes: true,
  merging: 'types',
  signatures: true,
  receiverParameter: 'this',
  opaqueBounds: true,
  anonymousResults: true,
  looseMixins: true,
  plainBases: new Set(['Object']),
  neverOverrides: new Set(['constructor']),
  globalNames: true,
  globalObjects: GLOBAL_OBJECTS,
  addedTo: interfaceOf,
  outsideInstances: OUTSIDE_INSTANCES,
  builtins: javascriptBuiltins,
  functions: new BuiltinTable([{ type: 'functions', members: 'Object: $0' }]),
  aliases: JAVASCRIPT_ALIASES,
  literals: {},
  emptyTypes: new Set(['null', 'undefined', 'void']),
  listForms: { '': { exact: 'Tuple', joined: 'Array' } },
  typeofType: 'string',
  loopKeyType: 'string',
  asyncType: 'Promise',
  asyncIteratorType: 'AsyncIterator',
  arrayType: 'Array',
  booleanType: 'boolean',
  numberType: 'number',
  untypedParameters: language => language === 'javascript',
  /** Not where comments import types: there they may be declared without being seen. */
  membersTell: facts => facts.language === 'javascript' && !facts.imports.typeOnly.includes(1),
  isGlobal: name => JAVASCRIPT_GLOBALS.has(name),
  packageOf: () => undefined,
  outsidePackage,
  visible: globalsVisible,
  outer: ownExportsNamed,
  outside: outsideName,
  memberAt: (ev, file, row) => {
    const own = moduleExports(ev, file, row);
    if (own !== NOTHING) return own;
    const global = entriesValue(ev, globalMember(ev, file, row), AS_VALUE);
    return global === NOTHING ? outsidePrototype(ev, file, row) : global;
  },
  member: givenMember,
  reserved: prototypeOf,
  receiverOf: receiverOfFunction,
  signature: callSignature,
  made: madeByNew,
  operation: operationResult,
  element: iteratedElement,
  appliedOutside,
  indexType: computedType,
  /** In JavaScript the name of a function that makes objects is a type in doc comments. */
  isTypeOfItself: (file, row) => file.facts.language === 'javascript' && file.isConstructorFunction(row),
  hasTypesInComments: file => file.facts.language === 'javascript',
  isDropped,
  isInComment: (file, row) => file.facts.language === 'javascript' && file.facts.imports.typeOnly[row] === 1,
};

/** Package part of a specifier: `@scope/name`, `name`, `node:fs`. */
function outsidePackage(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
