/** What JavaScript gives every object, function and class, and what its operators and built-in classes make. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NONE } from '../../../../model/facts';
import { elementsOf, elementsPushed } from '../../evaluate/containers';
import type { Arguments, Evaluator } from '../../evaluate/evaluator';
import { methodResult } from '../../evaluate/generics';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NOTHING, SELF, SET_EXTERNAL, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../../values';

/** `C.prototype` stands for what instances have. */
export function prototypeOf(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  return ev.project.names.text(name) === 'prototype' ? ev.values.single(ev.values.instance(ev.values.node(value))) : NOTHING;
}

/** `Request.prototype` of something that the project does not declare, where the file gives it methods: an object that is known by them. */
export function outsidePrototype(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const given = file.prototypeGiven(row);
  if (given === NONE) return NOTHING;
  const { values } = ev;
  const isOurs = values.members(ev.valueOf(file, operandOf.receiver(file.facts.expressions, row))).some(value => OF_PROJECT.has(values.kindOf(value)));
  return isOurs ? NOTHING : values.single(values.object(file.id, given));
}

const OF_PROJECT: ReadonlySet<number> = new Set([VALUE.class, VALUE.function, VALUE.instance, VALUE.object, VALUE.module]);

/** `o.constructor`, `C.name`. */
export function givenMember(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  const text = ev.project.names.text(name);
  const kind = values.kindOf(value);
  if (kind === VALUE.instance && text === 'constructor') return values.single(values.classOf(values.node(value), SELF));
  return kind === VALUE.class && text === 'name' ? ev.builtin('typescript.string') : NOTHING;
}

/** `new Map([…])`: type arguments of a new container that nothing but its constructor's arguments and later calls show. */
export function madeByNew(ev: Evaluator, type: string, value: Value, args: Arguments): ValueSet | undefined {
  if (type === 'typescript.Function') return SET_EXTERNAL;
  const isShown = ev.values.argsId(value) !== 0 || args.file.genericArguments(args.row).length > 0;
  return isShown ? undefined : ev.builtin(type, argumentsShown(ev, args, type));
}

function argumentsShown(ev: Evaluator, args: Arguments, type: string): readonly ValueSet[] {
  const [first] = args.rows;
  const pushed = elementsPushed(ev, args.file, args.row);
  const given = first === undefined ? NOTHING : elementsOf(ev, ev.valueOf(args.file, first));
  switch (type) {
    case 'typescript.Map':
    case 'typescript.WeakMap': {
      const entries = ev.values.members(given).find(value => ev.values.args(value).length === 2);
      const [key, value] = entries === undefined ? [SET_UNKNOWN, NOTHING] : ev.values.args(entries);
      const held = ev.values.union(value ?? NOTHING, pushed);
      return held === NOTHING ? [] : [key ?? SET_UNKNOWN, held];
    }
    case 'typescript.Set':
    case 'typescript.WeakSet': {
      const held = ev.values.union(given, pushed);
      return held === NOTHING ? [] : [held];
    }
    case 'typescript.Array':
      return pushed === NOTHING ? [] : [pushed];
    case 'typescript.Promise':
      return [SET_UNKNOWN];
    default:
      return [];
  }
}

/** `+` joins texts where not all is built in; other operators give numbers. */
export function operationResult(ev: Evaluator, file: FileState, row: ExpressionRow, operator: string): ValueSet {
  const operand = operandOf.inner(file.facts.expressions, row);
  const left = operand < 0 ? NOTHING : ev.valueOf(file, operand);
  if (operator !== '+' || left === NOTHING) return ev.builtin('typescript.number');
  const isBuiltin = ev.values.members(left).every(value => ev.values.kindOf(value) === VALUE.builtin);
  return isBuiltin ? left : ev.builtin('typescript.string');
}

export function iteratedElement(ev: Evaluator, value: Value, isAsync: boolean): ValueSet {
  const iterator = methodResult(ev, value, isAsync ? '[Symbol.asyncIterator]' : '[Symbol.iterator]');
  return iterator === NOTHING ? NOTHING : elementsOf(ev, iterator);
}
