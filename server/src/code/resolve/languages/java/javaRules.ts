/**
 * Java: one package per file, named by the file itself, whatever the source roots and build modules are; what is in the same package is seen
 * without an import, then single imports, then wildcard ones.
 *
 * Kotlin shares the space: both see each other's packages.
 */
import { importRow, MODULE_SCOPE, NO_TEXT, NONE, type ScopeRow } from '../../../../model/facts';
import { NO_NODE } from '../../../../model/ids';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { pathValue } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NOTHING, SELF, type ValueSet } from '../../values';
import { kotlinMember } from '../kotlin/members';
import type { LanguageRules } from '../languageRules';
import { JAVA_ALIASES, JAVA_GLOBALS, javaBuiltins, javaFunctions } from './builtins';
import { importedFile, isUnusedInCode, kotlinFileNamed, memberOfStarred, rootPackage, STAR } from './imports';
import { jvmRules } from './jvm';
import { fitOfJava, objectMember, outsideElement } from './types';

export const javaRules: LanguageRules = {
  ...jvmRules,
  family: 'java',
  manifests: /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?)$/,
  plainBases: new Set(['Object']),
  builtins: javaBuiltins,
  functions: javaFunctions,
  aliases: JAVA_ALIASES,
  literals: { string: 'String', number: 'int', long: 'long', double: 'double', character: 'char', boolean: 'boolean', null: 'null' },
  booleanType: 'boolean',
  numberType: 'int',
  isGlobal: name => JAVA_GLOBALS.has(name),
  outer: outerName,
  imported: importedFile,
  isDropped: (_ev, file, row) => isUnusedInCode(file, row),
  member: (ev, value, name, mode) => {
    const own = objectMember(ev, value, name, mode);
    return own === NOTHING ? kotlinMember(ev, value, name, mode) : own;
  },
  element: outsideElement,
  fit: fitOfJava,
};

/** Members of classes imported with a wildcard, roots of qualified names, classes from outside. */
function outerName(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const { imports } = file.facts;
  const text = ev.project.names.text(name);
  let outside = '';
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== STAR) continue;
    const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
    const around = pathValue(ev, file, specifier, AS_VALUE);
    const found = memberOfStarred(ev, around, name, mode);
    if (found !== NOTHING) return found;
    if (around === NOTHING && (outside === '' || /\.[A-Z]\w*$/.test(specifier))) outside = specifier;
  }
  const own = mode === AS_VALUE ? memberAround(ev, file, scope, name) : NOTHING;
  if (own !== NOTHING) return own;
  const around = ev.packages.packageOf(file, MODULE_SCOPE);
  if (mode === AS_VALUE && kotlinFileNamed(ev, around, text) !== '') return values.single(values.packageOf(around));
  const root = rootPackage(ev, file, text, mode);
  if (root !== NOTHING) return root;
  if (javaBuiltins.has(JAVA_ALIASES[text] ?? text) || JAVA_GLOBALS.has(text)) return NOTHING;
  const isOfClass = /\.[A-Z]\w*$/.test(outside);
  if (!/^[A-Z]/.test(text) && !isOfClass) return mode === AS_VALUE ? values.single(values.external(name)) : NOTHING;
  return values.single(values.external(ev.nameOf(outside === '' ? text : `${outside}.${text}`)));
}

/** Members that the types around have from `Object` and from bases of the standard library. */
function memberAround(ev: Evaluator, file: FileState, from: ScopeRow, name: NameNumber): ValueSet {
  const { scopes } = file.facts;
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    const owner = file.isClassScope(scope) ? (scopes.symbol[scope] ?? NONE) : NONE;
    if (owner === NONE) continue;
    const found = objectMember(ev, ev.values.instance(file.symbolNodes[owner] ?? NO_NODE, SELF), name, AS_VALUE);
    if (found !== NOTHING) return found;
  }
  return NOTHING;
}
