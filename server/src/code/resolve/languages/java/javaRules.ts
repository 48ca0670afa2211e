/**
 * Java: one package per file, named by the file itself, whatever the source roots and build modules are; what is in the same package is seen
 * without an import, then single imports, then wildcard ones.
 *
 * Kotlin shares the space: both see each other's packages.
 */
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { pathValue } from '../../evaluate/packages';
import type { FileState } from '../../fileState';
import { NOTHING, VALUE } from '../../values';
import type { LanguageRules } from '../languageRules';
import { fitOfJava, objectMember, outsideElement } from './types';
import { importTargets, STAR, starred } from './imports';
import { JAVA_ALIASES, JAVA_GLOBALS, javaBuiltins, javaFunctions } from './builtins';

export const javaRules: LanguageRules = {
  family: 'java',
  space: 'jvm',
  separator: '.',
  constructorName: '<init>',
  implicitReceiver: true,
  overloads: true,
  openTypes: false,
  structural: false,
  reexports: false,
  separateMembers: true,
  functionalInterfaces: true,
  builtins: javaBuiltins,
  functions: javaFunctions,
  aliases: JAVA_ALIASES,
  literals: { string: 'String', number: 'int', long: 'long', double: 'double', character: 'char', boolean: 'boolean', null: 'null' },
  arrayType: 'Array',
  booleanType: 'boolean',
  numberType: 'int',
  isGlobal: name => JAVA_GLOBALS.has(name),
  packageOf: (_path, declared) => declared,
  visible: (ev, file, _scope, name) => starred(ev, file, name),
  outer: outerName,
  importTargets,
  member: objectMember,
  element: outsideElement,
  fit: fitOfJava,
};

/** Members of classes imported with a wildcard, roots of qualified names, classes from outside. */
function outerName(ev: Evaluator, file: FileState, _scope: number, name: number, mode: Mode): number {
  const { values } = ev;
  const { imports } = file.facts;
  const text = ev.project.names.text(name);
  let outside = '';
  for (let row = 0; row < imports.count; row++) {
    if (imports.kind[row] !== STAR) continue;
    const specifier = file.text(imports.specifier[row] ?? 0);
    const around = pathValue(ev, file, specifier, AS_VALUE);
    const owners = values.members(around).filter(value => values.kindOf(value) === VALUE.class);
    if (owners.length > 0) {
      const found = ev.memberOf(values.setOf(owners), name, mode);
      if (found !== NOTHING && values.members(found).some(value => values.kindOf(value) !== VALUE.external)) return found;
    } else if (around === NOTHING && outside === '') outside = specifier;
  }
  const root = ev.packages.named(file, text);
  ev.dependencies.consult(ev.dependencies.bearers(root));
  if (mode === AS_VALUE && ev.packages.has(root)) return values.single(values.value(VALUE.package, root));
  if (javaBuiltins.has(JAVA_ALIASES[text] ?? text) || JAVA_GLOBALS.has(text) || !/^[A-Z]/.test(text)) return NOTHING;
  return values.single(values.value(VALUE.external, ev.nameOf(outside === '' ? text : `${outside}.${text}`)));
}
