/**
 * Go: packages are folders, named by the import path that the module around gives them.
 *
 * The package of tests beside it (`foo_test`) is one of its own, and so is a `main`, which nobody imports; vendored code belongs to nobody.
 * Files that build constraints leave out belong to their package all the same; where another file declares the same name, that one counts.
 */
import { dirname } from '../../../../base/path';
import type { LanguageRules } from '../languageRules';
import { isLeftOutByName } from './builds';
import { GO_ALIASES, GO_BUILTINS, GO_FUNCTIONS, GO_GLOBALS } from './goBuiltins';
import { importedPackage, importTargets, outerName, promotedMember, underlyingType, visibleNames } from './goHooks';
import { goManifestMeaning, importPathOf, MODULE_NAME } from './modules';
import { satisfies } from './satisfaction';

/** Behind the package clause of a file that build constraints leave out; the extractor writes it. */
const LEFT_OUT = '!';

export const goRules: LanguageRules = {
  family: 'go',
  manifests: /^go\.(?:mod|work)$/,
  manifestMeaning: goManifestMeaning,
  packageNames: { 'go.mod': MODULE_NAME },
  separator: '/',
  constructorName: '',
  implicitReceiver: false,
  overloads: false,
  openTypes: false,
  structural: true,
  reexports: false,
  callsConvert: true,
  variablesVary: true,
  builtins: GO_BUILTINS,
  functions: GO_FUNCTIONS,
  aliases: GO_ALIASES,
  literals: { string: 'string', number: 'number', boolean: 'bool', null: 'nil' },
  arrayType: 'slice',
  booleanType: 'bool',
  numberType: 'number',
  isGlobal: name => GO_GLOBALS.has(name),
  isLeftOut: (path, declared) => declared.endsWith(LEFT_OUT) || isLeftOutByName(path),
  packageOf(path, declared, manifests) {
    if (/(?:^|\/)vendor\//.test(path)) return undefined;
    const folder = importPathOf(dirname(path), manifests);
    const name = declared.endsWith(LEFT_OUT) ? declared.slice(0, -1) : declared;
    if (name === 'main') return `${folder}#main`;
    return name.endsWith('_test') && path.endsWith('_test.go') ? `${folder}#${name}` : folder;
  },
  visible: visibleNames,
  outer: outerName,
  imported: importedPackage,
  importTargets,
  member: promotedMember,
  underlying: underlyingType,
  satisfies,
};
