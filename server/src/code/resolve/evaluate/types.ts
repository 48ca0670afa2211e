import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, OPERATORS, type Operator } from '../../../model/facts';
import type { FileState } from '../fileState';
import { NOTHING, SET_UNKNOWN, SET_WEAK, VALUE, type Value, type ValueSet } from '../values';
import { aliasOf } from './declared/symbols';
import { AS_TYPE, type Evaluator } from './evaluator';
import { receiverAt } from './expressions';
import { instancesOf, substitute } from './generics';
import { forList, literalType } from './operands';
import { globalEntries } from './packages/globals';
import { namedValue, unboundValue } from './packages/names';
import { memberSeenFrom, outsideName as outsideType } from './packages/packages';

type EvaluateType = (ev: Evaluator, file: FileState, row: ExpressionRow) => ValueSet;

/** How each operator is read as a type: the set of what an instance may be. */
const EVALUATE: Readonly<Partial<Record<Operator, EvaluateType>>> = {
  name: nameType,
  member: memberType,
  generic: genericType,
  index: indexType,
  arrayType: (ev, file, row) => {
    const isTuple = file.text(file.facts.expressions.text[row] ?? NO_TEXT) === 'tuple';
    const { arrayType, family, tupleType } = file.rules;
    if (isTuple) return ev.builtin(`${family}.${tupleType ?? 'Tuple'}`, typeList(ev, file, row));
    return ev.builtin(`${family}.${arrayType}`, [ev.typeOf(file, operandOf.inner(file.facts.expressions, row))]);
  },
  functionType: (ev, file, row) => ev.values.single(ev.values.functionType(file.id, row)),
  typeof: (ev, file, row) => ev.valueOf(file, operandOf.inner(file.facts.expressions, row)),
  objectType: (ev, file, row) => ev.values.single(ev.values.objectType(file.id, row)),
  either: eitherType,
  intersection: eitherType,
  literal: (ev, file, row) => literalValue(ev, file, row),
  class: (ev, file, row) => ev.symbol(file, operandOf.class(file.facts.expressions, row), AS_TYPE),
  valueOfType: (ev, file, row) => ev.typeOf(file, operandOf.inner(file.facts.expressions, row)),
  this: (ev, file, row) => receiverAt(ev, file, operandOf.scope(file.facts.expressions, row)),
  computedType,
  array: eitherType,
  call: (ev, file, row) => instancesOf(ev, ev.valueOf(file, row)),
  module: (ev, file, row) => instancesOf(ev, ev.valueOf(file, row)),
  operation: (ev, file, row) =>
    ev.values.union(ev.typeOf(file, operandOf.inner(file.facts.expressions, row)), ev.typeOf(file, operandOf.other(file.facts.expressions, row))),
};

const BY_CODE: readonly (EvaluateType | undefined)[] = OPERATORS.map(name => EVALUATE[name]);

export function evaluateType(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const evaluate = BY_CODE[file.facts.expressions.operator[row] ?? 0];
  return evaluate === undefined ? SET_UNKNOWN : evaluate(ev, file, row);
}

function typeList(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet[] {
  const sets: ValueSet[] = [];
  forList(file.facts, row, item => {
    sets.push(ev.typeOf(file, item));
  });
  return sets;
}

function eitherType(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  return typeList(ev, file, row).reduce((left, right) => ev.values.union(left, right), NOTHING);
}

function literalValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  return ev.builtin(literalType(file, file.text(file.facts.expressions.text[row] ?? NO_TEXT)));
}

function nameType(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const exact = operandOf.exact(file.facts.expressions, row);
  const name = file.name(file.facts.expressions.text[row] ?? NO_TEXT);
  if (!file.isModular && exact < 0) return namedValue(ev, file, operandOf.scope(file.facts.expressions, row), name, AS_TYPE);
  const found = exact >= 0 ? exact : ev.lookup(file, operandOf.scope(file.facts.expressions, row), name);
  if (found !== NONE) {
    const variable = ev.hooks(file).boundType?.(ev, file, found) ?? NOTHING;
    return variable === NOTHING ? knownOutside(ev, file, ev.binding(file, found, AS_TYPE)) : variable;
  }
  return knownOutside(ev, file, unboundValue(ev, file, operandOf.scope(file.facts.expressions, row), name, AS_TYPE, false));
}

/** Types that names from outside stand for, other values as they are. */
function knownOutside(ev: Evaluator, file: FileState, set: ValueSet): ValueSet {
  return ev.hooks(file).knownOutside?.(ev, set) ?? set;
}

function memberType(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const receiver = ev.valueOf(file, operandOf.receiver(file.facts.expressions, row));
  if (!file.isModular) return memberTypeInPackages(ev, file, row, receiver);
  return knownOutside(ev, file, ev.memberOf(receiver, file.name(file.facts.expressions.text[row] ?? NO_TEXT), AS_TYPE));
}

/** `a.b.C` in a language with packages: a member type, or something outside by its last name. */
function memberTypeInPackages(ev: Evaluator, file: FileState, row: ExpressionRow, receiver: ValueSet): ValueSet {
  const text = file.facts.expressions.text[row] ?? NO_TEXT;
  const name = file.name(text);
  const isKnown = (set: ValueSet): boolean =>
    ev.values.members(set).some(value => ev.values.kindOf(value) !== VALUE.unknown && ev.values.kindOf(value) !== VALUE.external);
  const found = memberSeenFrom(ev, file, receiver, name, AS_TYPE);
  if (isKnown(found)) return found;
  if (!file.rules.implicitReceiver) return outsideType(ev, file, file.text(text), AS_TYPE, false);
  // A method or field that is named like a type does not hide it in front of a member type.
  const inType = memberSeenFrom(ev, file, ev.typeOf(file, operandOf.receiver(file.facts.expressions, row)), name, AS_TYPE);
  return isKnown(inType) ? inType : outsideType(ev, file, file.text(text), AS_TYPE, false);
}

/** Name of a type function that the project does not define (`Partial`, `Optional`), else the empty string. */
function outsideName(ev: Evaluator, file: FileState, row: ExpressionRow): string {
  const { expressions } = file.facts;
  const operator = OPERATORS[expressions.operator[row] ?? 0];
  const text = file.text(expressions.text[row] ?? NO_TEXT);
  if (operator === 'name') {
    const found = ev.lookup(file, operandOf.scope(file.facts.expressions, row), file.name(expressions.text[row] ?? NO_TEXT));
    if (found === NONE) return globalEntries(ev, file, operandOf.scope(expressions, row), file.name(expressions.text[row] ?? NO_TEXT)).length > 0 ? '' : text;
    const value = ev.values.members(ev.binding(file, found, AS_TYPE)).find(candidate => ev.values.kindOf(candidate) === VALUE.external);
    return value === undefined ? '' : (/[\w]+$/.exec(ev.project.names.text(ev.values.name(value)))?.[0] ?? '');
  }
  if (operator === 'member') {
    const receiver = ev.values.members(ev.valueOf(file, operandOf.receiver(file.facts.expressions, row)));
    return receiver.some(value => ev.values.kindOf(value) === VALUE.external) ? text : '';
  }
  return '';
}

function genericType(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const items: ExpressionRow[] = [];
  forList(file.facts, row, item => {
    items.push(item);
  });
  return applied(ev, file, operandOf.inner(file.facts.expressions, row), items);
}

function indexType(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  return ev.hooks(file).indexType?.(ev, file, row) ?? SET_UNKNOWN;
}

/** A generic type with its arguments; `items` are rows of types. */
export function applied(ev: Evaluator, file: FileState, base: ExpressionRow, items: readonly ExpressionRow[]): ValueSet {
  const { values } = ev;
  const { appliedOutside } = ev.hooks(file);
  const outside = appliedOutside === undefined ? '' : outsideName(ev, file, base);
  const special = outside === '' ? undefined : appliedOutside?.(ev, file, outside, items);
  if (special !== undefined) return special;
  const sets = items.map(item => ev.typeOf(file, item));
  let answer = NOTHING;
  for (const value of values.members(ev.typeOf(file, base))) answer = values.union(answer, appliedTo(ev, value, sets));
  const alias = aliasParameters(ev, file, base);
  return alias.length === 0
    ? answer
    : substitute(ev, answer, new Map(alias.flatMap((parameter, index) => (sets[index] === undefined ? [] : [[parameter, sets[index]]]))));
}

function appliedTo(ev: Evaluator, value: Value, sets: readonly ValueSet[]): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (kind === VALUE.instance && values.argsId(value) === 0) return values.single(values.withArgs(value, values.boundedArgs(sets)));
  if (kind === VALUE.builtin && values.argsId(value) === 0) return ev.builtin(ev.project.names.text(values.name(value)), sets);
  return values.single(value);
}

/** Type parameters of the alias that a name means, as values. */
function aliasParameters(ev: Evaluator, file: FileState, base: ExpressionRow): readonly Value[] {
  const target = aliasOf(ev, file, base);
  if (target === undefined) return [];
  const scope = target.file.facts.symbols.scope[target.row] ?? NONE;
  return scope === NONE ? [] : target.file.typeParametersOf(scope).map(binding => ev.values.typeParameter(target.file.id, binding));
}

/** `T['key']` and `T extends U ? A : B`; other computed types stay unknown. */
export function computedType(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const key = operandOf.key(file.facts.expressions, row);
  const { expressions } = file.facts;
  if (key >= 0 && file.text(expressions.text[row] ?? NO_TEXT) === 'conditional') return conditionalType(ev, file, row);
  if (key < 0 || OPERATORS[expressions.operator[key] ?? 0] !== 'literal') return SET_UNKNOWN;
  const text = file.text(operandOf.literal(expressions, key));
  if (text === '') return SET_UNKNOWN;
  return ev.memberOf(ev.typeOf(file, operandOf.inner(file.facts.expressions, row)), ev.nameOf(text), AS_TYPE);
}

/** Either branch; which one is not decided, so where they differ the answer is weak. */
function conditionalType(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const { values } = ev;
  const held = ev.typeOf(file, operandOf.inner(file.facts.expressions, row));
  const otherwise = ev.typeOf(file, operandOf.other(file.facts.expressions, row));
  if (held === otherwise || otherwise === NOTHING) return held;
  return held === NOTHING ? otherwise : values.union(values.union(held, otherwise), SET_WEAK);
}
