/** Python's protocols: attributes and items that a class gives by special methods, iteration, operators. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NONE } from '../../../../model/facts';
import { elementsOf } from '../../evaluate/containers';
import { AS_VALUE, type Evaluator, type MemberHit } from '../../evaluate/evaluator';
import { methodResult, receiverSubstitution } from '../../evaluate/generics';
import { awaited } from '../../evaluate/imports';
import { findMember } from '../../evaluate/members';
import { forList } from '../../evaluate/operands';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NOTHING, SELF, SET_EXTERNAL, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../../values';

/** What objects, classes and modules have beside what they declare. */
export function givenMember(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  const text = ev.project.names.text(name);
  switch (values.kindOf(value)) {
    case VALUE.instance:
      return givenToInstance(ev, value, text);
    case VALUE.class:
      return text === '__name__' || text === 'name' ? ev.builtin('python.str') : NOTHING;
    case VALUE.module:
      return text.startsWith('__') ? SET_EXTERNAL : NOTHING;
    default:
      return NOTHING;
  }
}

/** `__getattr__` may give anything; a class with items alone is taken to give one (rows, records). */
function givenToInstance(ev: Evaluator, value: Value, text: string): ValueSet {
  const { values } = ev;
  const node = values.node(value);
  if (text === '__class__') return values.single(values.classOf(node, SELF));
  if (findMember(ev, node, ev.nameOf('__getattr__')).length > 0) return SET_UNKNOWN;
  return findMember(ev, node, ev.nameOf('__getitem__')).length > 0 ? methodResult(ev, value, '__getitem__') : NOTHING;
}

/** A class attribute with `__get__` gives what that gives. */
export function throughDescriptor(ev: Evaluator, hit: MemberHit, set: ValueSet): ValueSet {
  const { values } = ev;
  if (values.members(set).every(value => values.kindOf(value) !== VALUE.instance)) return set;
  const getter = ev.nameOf('__get__');
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const hits = values.kindOf(value) === VALUE.instance && values.node(value) !== hit.owner ? findMember(ev, values.node(value), getter) : [];
    if (hits.length === 0) answer = values.union(answer, values.single(value));
    for (const found of hits) {
      const functionRow = found.file.facts.symbols.function[found.row] ?? NONE;
      const given = functionRow === NONE ? SET_UNKNOWN : receiverSubstitution(ev, found.owner, value, ev.returned(found.file, functionRow));
      const others = values.members(given).filter(part => values.subject(part) !== values.subject(value) || values.kindOf(part) !== VALUE.instance);
      answer = values.union(answer, values.setOf(others));
    }
  }
  return answer;
}

/** Methods of a dict literal: a look-up gives one of its values. */
export function memberOfDict(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  const file = ev.project.file(values.file(value));
  if (file === undefined) return SET_UNKNOWN;
  let held = NOTHING;
  forList(file.facts, values.row(value), (item, index) => {
    if (index % 2 === 1) held = values.union(held, ev.valueOf(file, item));
  });
  return ev.memberOf(ev.builtin('python.dict', [ev.builtin('python.str'), held]), name, AS_VALUE);
}

/** The iterator protocol, then look-up by position. */
export function iteratedElement(ev: Evaluator, value: Value, isAsync: boolean): ValueSet {
  const iterator = methodResult(ev, value, isAsync ? '__aiter__' : '__iter__');
  if (iterator === NOTHING) return methodResult(ev, value, '__getitem__');
  return iterator === ev.values.single(value) ? nextOf(ev, value, isAsync) : elementsOfIterators(ev, iterator, isAsync);
}

function elementsOfIterators(ev: Evaluator, iterators: ValueSet, isAsync: boolean): ValueSet {
  let answer = NOTHING;
  for (const value of ev.values.members(iterators)) {
    const isOwn = ev.values.kindOf(value) === VALUE.instance;
    answer = ev.values.union(answer, isOwn ? nextOf(ev, value, isAsync) : elementsOf(ev, ev.values.single(value)));
  }
  return answer;
}

function nextOf(ev: Evaluator, value: Value, isAsync: boolean): ValueSet {
  return awaited(ev, methodResult(ev, value, isAsync ? '__anext__' : '__next__'));
}

const METHODS: Readonly<Record<string, string>> = {
  '+': '__add__',
  '-': '__sub__',
  '*': '__mul__',
  '/': '__truediv__',
  '//': '__floordiv__',
  '%': '__mod__',
  '**': '__pow__',
  '@': '__matmul__',
  '|': '__or__',
  '&': '__and__',
  '^': '__xor__',
  '<<': '__lshift__',
  '>>': '__rshift__',
};

/** Built-in types stay what they are; of project types the operator's method tells. */
export function operationResult(ev: Evaluator, file: FileState, row: ExpressionRow, operator: string): ValueSet {
  const { values } = ev;
  const operand = operandOf.inner(file.facts.expressions, row);
  const left = operand < 0 ? NOTHING : ev.valueOf(file, operand);
  const method = METHODS[operator];
  let answer = NOTHING;
  for (const value of values.members(left)) {
    const kind = values.kindOf(value);
    const result = kind === VALUE.instance && method !== undefined ? methodResult(ev, value, method) : kind === VALUE.builtin ? values.single(value) : NOTHING;
    answer = values.union(answer, result === NOTHING ? SET_UNKNOWN : result);
  }
  return answer === NOTHING ? SET_UNKNOWN : answer;
}
