/** CommonJS as a file sees it from inside: `exports`, `module.exports`. */
import { operandOf } from '../../../../model/expressions';
import { EXPORT_KINDS, type ExpressionRow, NO_TEXT, NONE, operatorCode, type ScopeRow } from '../../../../model/facts';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { wholeOf } from '../../evaluate/imports';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NOTHING, type ValueSet } from '../../values';

const VALUE_EXPORT = EXPORT_KINDS.indexOf('value');
const WHOLE = EXPORT_KINDS.indexOf('whole');

/** `exports` where no scope binds the name. */
export function ownExportsNamed(ev: Evaluator, file: FileState, _scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  return mode === AS_VALUE && name === ev.known.exports ? ownExports(ev, file) : NOTHING;
}

/** `module.exports` where `module` is the one that every CommonJS file has. */
export function moduleExports(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const { expressions } = file.facts;
  if (file.name(expressions.text[row] ?? NO_TEXT) !== ev.known.exports) return NOTHING;
  const object = operandOf.receiver(expressions, row);
  if (object < 0 || expressions.operator[object] !== operatorCode.name) return NOTHING;
  const owner = file.name(expressions.text[object] ?? NO_TEXT);
  const isOfFile = owner === ev.known.module && ev.lookup(file, operandOf.scope(expressions, object), owner) === NONE;
  return isOfFile ? ownExports(ev, file) : NOTHING;
}

/** What `exports` and `module.exports` mean inside the file itself; nothing where the file exports nothing this way. */
function ownExports(ev: Evaluator, file: FileState): ValueSet {
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.whole));
  const isCommonJs = file.facts.exports.kind.some(kind => kind === VALUE_EXPORT || kind === WHOLE);
  return isCommonJs ? wholeOf(ev, { file: file.id }) : NOTHING;
}
