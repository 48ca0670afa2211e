import { NONE, OPERATORS, type Operator } from '../../../model/facts';
import { JAVASCRIPT_ALIASES, JAVASCRIPT_GLOBALS, javascriptBuiltins, SAME_AS_ARGUMENT } from '../builtins/javascript';
import { PYTHON_ALIASES, PYTHON_GLOBALS, PYTHON_WRAPPERS, pythonBuiltins } from '../builtins/python';
import type { FileState } from '../fileState';
import { NOTHING, SET_EXTERNAL, SET_UNKNOWN, SET_WEAK, VALUE } from '../values';
import { aliasOf } from './declarations';
import { AS_TYPE, type Evaluator } from './evaluator';
import { receiverAt } from './expressions';
import { instancesOf, returnOf, substitute } from './generics';
import { awaited, fromStars } from './imports';
import { forList, literalType, operandA, operandB } from './operands';
import { namedValue } from './packages/names';
import { memberSeenFrom, outsideName as outsideType } from './packages/packages';

type EvaluateType = (ev: Evaluator, file: FileState, row: number) => number;

/** How each operator is read as a type: the set of what an instance may be. */
const EVALUATE: Readonly<Partial<Record<Operator, EvaluateType>>> = {
  name: nameType,
  member: memberType,
  generic: genericType,
  index: indexType,
  arrayType: (ev, file, row) => {
    const isTuple = file.text(file.facts.expressions.text[row] ?? 0) === 'tuple';
    if (file.rules !== undefined) {
      const type = `${file.family}.${isTuple ? 'Tuple' : file.rules.arrayType}`;
      return ev.builtin(type, isTuple ? typeList(ev, file, row) : [ev.typeOf(file, operandA(file, row))]);
    }
    if (!isTuple) return ev.builtin(file.family === 'python' ? 'list' : 'Array', [ev.typeOf(file, operandA(file, row))]);
    return ev.builtin(file.family === 'python' ? 'tuple' : 'Tuple', typeList(ev, file, row));
  },
  functionType: (ev, file, row) => ev.values.single(ev.values.value(VALUE.functionType, file.id, row)),
  typeof: (ev, file, row) => ev.valueOf(file, operandA(file, row)),
  objectType: (ev, file, row) => ev.values.single(ev.values.value(VALUE.objectType, file.id, row)),
  either: eitherType,
  intersection: eitherType,
  literal: (ev, file, row) => literalValue(ev, file, row),
  class: (ev, file, row) => ev.symbol(file, operandA(file, row), AS_TYPE),
  valueOfType: (ev, file, row) => ev.typeOf(file, operandA(file, row)),
  this: (ev, file, row) => receiverAt(ev, file, operandA(file, row)),
  computedType,
  array: eitherType,
  call: (ev, file, row) => instancesOf(ev, ev.valueOf(file, row)),
  module: (ev, file, row) => instancesOf(ev, ev.valueOf(file, row)),
  operation: (ev, file, row) => ev.values.union(ev.typeOf(file, operandA(file, row)), ev.typeOf(file, operandB(file, row))),
};

const BY_CODE: readonly (EvaluateType | undefined)[] = OPERATORS.map(name => EVALUATE[name]);

export function evaluateType(ev: Evaluator, file: FileState, row: number): number {
  const evaluate = BY_CODE[file.facts.expressions.operator[row] ?? 0];
  return evaluate === undefined ? SET_UNKNOWN : evaluate(ev, file, row);
}

function typeList(ev: Evaluator, file: FileState, row: number): number[] {
  const sets: number[] = [];
  forList(file.facts, row, item => {
    sets.push(ev.typeOf(file, item));
  });
  return sets;
}

function eitherType(ev: Evaluator, file: FileState, row: number): number {
  return typeList(ev, file, row).reduce((left, right) => ev.values.union(left, right), NOTHING);
}

function literalValue(ev: Evaluator, file: FileState, row: number): number {
  return ev.builtin(literalType(file, file.text(file.facts.expressions.text[row] ?? 0)));
}

function nameType(ev: Evaluator, file: FileState, row: number): number {
  const exact = operandB(file, row);
  const name = file.name(file.facts.expressions.text[row] ?? 0);
  if (file.rules !== undefined && exact < 0) return namedValue(ev, file, operandA(file, row), name, AS_TYPE);
  const found = exact >= 0 ? exact : ev.lookup(file, operandA(file, row), name);
  if (found !== NONE) {
    const variable = typeVariable(ev, file, found);
    if (variable !== NOTHING) return variable;
    return externalType(ev, ev.binding(file, found, AS_TYPE));
  }
  if (file.family === 'python') {
    const starred = fromStars(ev, file, name, AS_TYPE);
    if (starred !== NOTHING) return externalType(ev, starred);
  }
  return globalType(ev, file, ev.project.names.text(name));
}

/** Python: `T = TypeVar('T')`. */
function typeVariable(ev: Evaluator, file: FileState, binding: number): number {
  if (file.family !== 'python') return NOTHING;
  const { bindings, expressions, symbols } = file.facts;
  const symbol = bindings.symbol[binding] ?? NONE;
  const value = symbol === NONE ? (bindings.value[binding] ?? NONE) : (symbols.value[symbol] ?? NONE);
  if (value === NONE || OPERATORS[expressions.operator[value] ?? 0] !== 'call') return NOTHING;
  const callee = expressions.a[value] ?? NONE;
  const text = file.text(expressions.text[callee] ?? 0);
  return text === 'TypeVar' || text === 'ParamSpec' ? ev.values.single(ev.values.value(VALUE.typeParameter, file.id, binding)) : NOTHING;
}

export function globalType(ev: Evaluator, file: FileState, text: string): number {
  if (file.family === 'python') return PYTHON_GLOBALS.has(text) || pythonBuiltins.has(PYTHON_ALIASES[text] ?? text) ? pythonType(ev, text) : SET_UNKNOWN;
  if (text === 'any' || text === 'unknown' || text === 'object') return SET_UNKNOWN;
  const type = JAVASCRIPT_ALIASES[text] ?? text;
  if (javascriptBuiltins.has(type)) return ev.builtin(type);
  if (SAME_AS_ARGUMENT.has(text) || JAVASCRIPT_GLOBALS.has(text)) return ev.values.single(ev.values.value(VALUE.external, ev.nameOf(text)));
  return text === 'never' ? NOTHING : SET_EXTERNAL;
}

function pythonType(ev: Evaluator, text: string): number {
  const type = PYTHON_ALIASES[text] ?? text;
  if (pythonBuiltins.has(type)) return ev.builtin(type);
  return ev.values.single(ev.values.value(VALUE.external, ev.nameOf(text)));
}

/** Names of `typing` and the like stand for built-in types. */
function externalType(ev: Evaluator, set: number): number {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const text = values.kindOf(value) === VALUE.external ? ev.project.names.text(values.a(value)) : '';
    const match = /^(?:typing|typing_extensions|collections|collections\.abc|asyncio|builtins|types|concurrent\.futures|twisted\.internet\.defer)\.(\w+)$/.exec(
      text,
    );
    const name = match?.[1];
    if (name === 'Any') answer = values.union(answer, SET_UNKNOWN);
    else if (name !== undefined && pythonBuiltins.has(PYTHON_ALIASES[name] ?? name)) answer = values.union(answer, ev.builtin(PYTHON_ALIASES[name] ?? name));
    else answer = values.union(answer, values.single(value));
  }
  return answer;
}

function memberType(ev: Evaluator, file: FileState, row: number): number {
  const receiver = ev.valueOf(file, operandA(file, row));
  if (file.rules !== undefined) return ruledMemberType(ev, file, row, receiver);
  return externalType(ev, ev.memberOf(receiver, file.name(file.facts.expressions.text[row] ?? 0), AS_TYPE));
}

/** `a.b.C` in a language with rules: a member type, or something outside by its last name. */
function ruledMemberType(ev: Evaluator, file: FileState, row: number, receiver: number): number {
  const text = file.facts.expressions.text[row] ?? 0;
  const found = memberSeenFrom(ev, file, receiver, file.name(text), AS_TYPE);
  const known = ev.values.members(found).some(value => ev.values.kindOf(value) !== VALUE.unknown && ev.values.kindOf(value) !== VALUE.external);
  return known ? found : outsideType(ev, file, file.text(text), AS_TYPE, false);
}

/** Name of a type function that the project does not define (`Partial`, `Optional`), else the empty string. */
function outsideName(ev: Evaluator, file: FileState, row: number): string {
  const { expressions } = file.facts;
  const operator = OPERATORS[expressions.operator[row] ?? 0];
  const text = file.text(expressions.text[row] ?? 0);
  if (operator === 'name') {
    const found = ev.lookup(file, operandA(file, row), file.name(expressions.text[row] ?? 0));
    if (found === NONE) return text;
    const value = ev.values.members(ev.binding(file, found, AS_TYPE)).find(candidate => ev.values.kindOf(candidate) === VALUE.external);
    return value === undefined ? '' : (/[\w]+$/.exec(ev.project.names.text(ev.values.a(value)))?.[0] ?? '');
  }
  if (operator === 'member') {
    const receiver = ev.values.members(ev.valueOf(file, operandA(file, row)));
    return receiver.some(value => ev.values.kindOf(value) === VALUE.external) ? text : '';
  }
  return '';
}

function genericType(ev: Evaluator, file: FileState, row: number): number {
  const items: number[] = [];
  forList(file.facts, row, item => {
    items.push(item);
  });
  return applied(ev, file, operandA(file, row), items);
}

/** Python spells type application as an index. */
function indexType(ev: Evaluator, file: FileState, row: number): number {
  if (file.rules !== undefined) return SET_UNKNOWN;
  if (file.family !== 'python') return computedType(ev, file, row);
  const argument = operandB(file, row);
  const { expressions } = file.facts;
  const items: number[] = [];
  if (argument >= 0 && OPERATORS[expressions.operator[argument] ?? 0] === 'array') {
    forList(file.facts, argument, item => {
      items.push(item);
    });
  } else if (argument >= 0) items.push(argument);
  return applied(ev, file, operandA(file, row), items);
}

function applied(ev: Evaluator, file: FileState, base: number, items: readonly number[]): number {
  const { values } = ev;
  const outside = outsideName(ev, file, base);
  const special = outside === '' ? undefined : outsideApplied(ev, file, outside, items);
  if (special !== undefined) return special;
  const sets = items.map(item => ev.typeOf(file, item));
  let answer = NOTHING;
  for (const value of values.members(ev.typeOf(file, base))) answer = values.union(answer, appliedTo(ev, value, sets));
  const alias = aliasParameters(ev, file, base);
  return alias.length === 0
    ? answer
    : substitute(ev, answer, new Map(alias.flatMap((parameter, index) => (sets[index] === undefined ? [] : [[parameter, sets[index]]]))));
}

function appliedTo(ev: Evaluator, value: number, sets: readonly number[]): number {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (kind === VALUE.instance && values.argsId(value) === 0)
    return values.single(values.value(kind, values.a(value), values.b(value), -1, ev.values.boundedArgs(sets)));
  if (kind === VALUE.builtin && values.argsId(value) === 0) {
    const name = ev.project.names.text(values.a(value));
    return ev.builtin(name, name === 'Coroutine' && sets.length === 3 ? sets.slice(2) : sets);
  }
  return values.single(value);
}

/** Type parameters of the alias that a name means, as values. */
function aliasParameters(ev: Evaluator, file: FileState, base: number): readonly number[] {
  const target = aliasOf(ev, file, base);
  if (target === undefined) return [];
  const scope = target.file.facts.symbols.scope[target.row] ?? NONE;
  return scope === NONE ? [] : target.file.typeParametersOf(scope).map(binding => ev.values.value(VALUE.typeParameter, target.file.id, binding));
}

function outsideApplied(ev: Evaluator, file: FileState, name: string, items: readonly number[]): number | undefined {
  const first = items[0];
  if (file.rules !== undefined) return undefined;
  if (file.family === 'python') {
    if (PYTHON_WRAPPERS.has(name))
      return (name === 'Annotated' ? items.slice(0, 1) : items).reduce((set, item) => ev.values.union(set, ev.typeOf(file, item)), NOTHING);
    if (name === 'Callable') return callableType(ev, file, items);
    if (name === 'Literal') return ev.builtin('str');
    if ((name === 'type' || name === 'Type') && first !== undefined) return classesOf(ev, ev.typeOf(file, first));
    return undefined;
  }
  if (first === undefined) return undefined;
  if (SAME_AS_ARGUMENT.has(name)) return ev.typeOf(file, first);
  if (name === 'Awaited') return awaited(ev, ev.typeOf(file, first));
  if (name === 'ReturnType') return ev.values.members(ev.typeOf(file, first)).reduce((set, value) => ev.values.union(set, returnOf(ev, value)), NOTHING);
  if (name === 'InstanceType') return instancesOf(ev, ev.typeOf(file, first));
  return undefined;
}

/** `Callable[[A], R]` as a function that gives R: kept as the type of its result in a built-in function type. */
function callableType(ev: Evaluator, file: FileState, items: readonly number[]): number {
  const result = items[1];
  return result === undefined ? SET_UNKNOWN : ev.values.single(ev.values.value(VALUE.functionType, file.id, result, 1));
}

/** `type[X]`: the class itself, open to subclasses. */
function classesOf(ev: Evaluator, set: number): number {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const kind = values.kindOf(value);
    if (kind === VALUE.instance) answer = values.union(answer, values.single(values.value(VALUE.class, values.a(value), 2, -1, values.argsId(value))));
    else if (kind === VALUE.typeParameter) answer = values.union(answer, ev.builtin('type', [values.single(value)]));
    else answer = values.union(answer, kind === VALUE.external ? values.single(value) : SET_UNKNOWN);
  }
  return answer;
}

/** `T['key']` and `T extends U ? A : B`; other computed types stay unknown. */
function computedType(ev: Evaluator, file: FileState, row: number): number {
  const key = operandB(file, row);
  const { expressions } = file.facts;
  if (key >= 0 && file.text(expressions.text[row] ?? 0) === 'conditional') return conditionalType(ev, file, row);
  if (key < 0 || OPERATORS[expressions.operator[key] ?? 0] !== 'literal') return SET_UNKNOWN;
  const text = file.text(expressions.b[key] ?? 0);
  if (text === '') return SET_UNKNOWN;
  return ev.memberOf(ev.typeOf(file, operandA(file, row)), ev.nameOf(text), AS_TYPE);
}

/** Either branch; which one is not decided, so where they differ the answer is weak. */
function conditionalType(ev: Evaluator, file: FileState, row: number): number {
  const { values } = ev;
  const held = ev.typeOf(file, operandA(file, row));
  const otherwise = ev.typeOf(file, operandB(file, row));
  if (held === otherwise || otherwise === NOTHING) return held;
  return held === NOTHING ? otherwise : values.union(values.union(held, otherwise), SET_WEAK);
}
