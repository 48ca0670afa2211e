/**
 * Kotlin: one package per file, named by the file itself; top-level functions and properties are members of packages; extensions belong to the
 * type they extend wherever they stand; bare names reach the types around, their companions, and what a lambda's receiver has.
 *
 * Java shares the space: both see each other's packages.
 */
import { importRow, NO_TEXT, type ScopeRow } from '../../../../model/facts';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { receiverAt } from '../../evaluate/expressions';
import { pathValue } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NOTHING, VALUE, type ValueSet } from '../../values';
import { memberOfStarred, rootPackage, STAR } from '../java/imports';
import { jvmRules } from '../java/jvm';
import type { LanguageRules } from '../languageRules';
import { KOTLIN_ALIASES, KOTLIN_GLOBALS, kotlinBuiltins, kotlinFunctions } from './builtins';
import { visibleExtension } from './extensions';
import { companionOf, elementOfKotlin, fitOfKotlin, indexedInKotlin, kotlinMember } from './members';
import { receiversAround } from './receivers';

export const kotlinRules: LanguageRules = {
  ...jvmRules,
  family: 'kotlin',
  plainBases: new Set(['Any']),
  trailingFunction: true,
  callName: 'invoke',
  builtins: kotlinBuiltins,
  functions: kotlinFunctions,
  aliases: KOTLIN_ALIASES,
  literals: { string: 'String', number: 'Int', long: 'Long', double: 'Double', character: 'Char', boolean: 'Boolean', null: 'null' },
  booleanType: 'Boolean',
  numberType: 'Int',
  isGlobal: name => KOTLIN_GLOBALS.has(name),
  outer: outerName,
  companion: (ev, node) => {
    const companion = companionOf(ev, node);
    return companion < 0 ? NOTHING : ev.values.single(ev.values.classOf(companion));
  },
  extension: visibleExtension,
  receivers: receiversAround,
  member: kotlinMember,
  element: elementOfKotlin,
  indexed: indexedInKotlin,
  fit: fitOfKotlin,
};

/** Members of objects imported with a wildcard, roots of qualified names, classes from outside. */
function outerName(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const { imports } = file.facts;
  const text = ev.project.names.text(name);
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== STAR) continue;
    const around = pathValue(ev, file, file.text(imports.specifier[row] ?? NO_TEXT), AS_VALUE);
    const found = memberOfStarred(ev, around, name, mode);
    if (found !== NOTHING) return found;
  }
  const scoped = mode === AS_VALUE && kotlinBuiltins.type('Scope')?.members.has(text) === true ? ev.memberOf(receiverAt(ev, file, scope), name, mode) : NOTHING;
  if (scoped !== NOTHING && values.members(scoped).some(value => values.kindOf(value) === VALUE.builtinMethod)) return scoped;
  const root = rootPackage(ev, file, text, mode);
  if (root !== NOTHING) return root;
  const isKnown = kotlinBuiltins.has(KOTLIN_ALIASES[text] ?? text) || KOTLIN_GLOBALS.has(text);
  return isKnown || !/^[A-Z]/.test(text) ? NOTHING : values.single(values.external(name));
}
