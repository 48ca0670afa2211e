/** Types as Python spells them: application by index, `typing` and its like, type variables. */
import { operandOf } from '../../../../model/expressions';
import { type BindingRow, type ExpressionRow, NO_TEXT, NONE, operatorCode, type SymbolRow } from '../../../../model/facts';
import { AS_TYPE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { forList } from '../../evaluate/operands';
import { applied } from '../../evaluate/types';
import type { FileState } from '../../fileState';
import { NOTHING, OPEN_CLASS, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../../values';
import { PYTHON_ALIASES, PYTHON_GLOBALS, PYTHON_WRAPPERS, pythonBuiltins } from './builtins';

/** A name that nothing in the project binds: a built-in class or function, a built-in type, else not known. */
export function outsideName(ev: Evaluator, text: string, mode: Mode): ValueSet {
  const { values } = ev;
  const type = PYTHON_ALIASES[text] ?? text;
  const isGlobal = PYTHON_GLOBALS.has(text);
  if (mode !== AS_TYPE) return isGlobal ? values.single(values.builtinClass(ev.nameOf(`python.${type}`))) : SET_UNKNOWN;
  if (pythonBuiltins.has(type)) return ev.builtin(`python.${type}`);
  return isGlobal ? values.single(values.external(ev.nameOf(text))) : SET_UNKNOWN;
}

const TYPING = /^(?:typing|typing_extensions|collections|collections\.abc|asyncio|builtins|types|concurrent\.futures|twisted\.internet\.defer)\.(\w+)$/;

/** Names of `typing` and the like stand for built-in types. */
export function typingNames(ev: Evaluator, set: ValueSet): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const name = values.kindOf(value) === VALUE.external ? TYPING.exec(ev.project.names.text(values.name(value)))?.[1] : undefined;
    const type = name === undefined ? '' : (PYTHON_ALIASES[name] ?? name);
    if (name === 'Any') answer = values.union(answer, SET_UNKNOWN);
    else answer = values.union(answer, pythonBuiltins.has(type) ? ev.builtin(`python.${type}`) : values.single(value));
  }
  return answer;
}

/** `T = TypeVar('T')`. */
export function typeVariable(ev: Evaluator, file: FileState, binding: BindingRow): ValueSet {
  const { bindings, expressions, symbols } = file.facts;
  const symbol = bindings.symbol[binding] ?? NONE;
  const value = symbol === NONE ? (bindings.value[binding] ?? NONE) : (symbols.value[symbol] ?? NONE);
  if (value === NONE || expressions.operator[value] !== operatorCode.call) return NOTHING;
  const text = file.text(expressions.text[operandOf.callee(expressions, value)] ?? NO_TEXT);
  return text === 'TypeVar' || text === 'ParamSpec' ? ev.values.single(ev.values.typeParameter(file.id, binding)) : NOTHING;
}

/** Of a class without type parameters of its own: those of `Generic[…]`, else of all bases in order. */
export function genericParameters(ev: Evaluator, file: FileState, row: SymbolRow): readonly Value[] {
  const { expressions, heritage, lists } = file.facts;
  const out: Value[] = [];
  for (const line of file.heritageOf(row)) {
    const expression = heritage.expression[line] ?? NONE;
    const start = expressions.listStart[expression] ?? 0;
    for (let i = 0; i < (expressions.listCount[expression] ?? 0); i++) {
      for (const value of ev.values.members(ev.typeOf(file, lists[start + i] ?? NONE)))
        if (ev.values.kindOf(value) === VALUE.typeParameter && !out.includes(value)) out.push(value);
    }
  }
  return out;
}

/** `list[X]`: a type is applied by an index. Of `Coroutine[Y, S, R]` the last says what awaiting gives. */
export function applyByIndex(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const base = operandOf.receiver(file.facts.expressions, row);
  const argument = operandOf.key(file.facts.expressions, row);
  const items: ExpressionRow[] = [];
  if (argument >= 0 && file.facts.expressions.operator[argument] === operatorCode.array) {
    forList(file.facts, argument, item => {
      items.push(item);
    });
  } else if (argument >= 0) items.push(argument);
  return applied(ev, file, base, items.length === 3 && isCoroutine(ev, file, base) ? items.slice(2) : items);
}

function isCoroutine(ev: Evaluator, file: FileState, row: ExpressionRow): boolean {
  const coroutine = ev.nameOf('python.Coroutine');
  return ev.values.members(ev.typeOf(file, row)).some(value => ev.values.kindOf(value) === VALUE.builtin && ev.values.name(value) === coroutine);
}

/** `Optional[X]`, `Callable[[A], R]`, `type[X]`, … */
export function appliedOutside(ev: Evaluator, file: FileState, name: string, items: readonly ExpressionRow[]): ValueSet | undefined {
  const [first] = items;
  if (PYTHON_WRAPPERS.has(name))
    return (name === 'Annotated' ? items.slice(0, 1) : items).reduce((set, item) => ev.values.union(set, ev.typeOf(file, item)), NOTHING);
  if (name === 'Callable') return callableType(ev, file, items);
  if (name === 'Literal') return ev.builtin('python.str');
  return (name === 'type' || name === 'Type') && first !== undefined ? classesOf(ev, ev.typeOf(file, first)) : undefined;
}

/** `Callable[[A], R]` as a function that gives R: kept as the type of its result in a built-in function type. */
function callableType(ev: Evaluator, file: FileState, items: readonly ExpressionRow[]): ValueSet {
  const result = items[1];
  return result === undefined ? SET_UNKNOWN : ev.values.single(ev.values.functionType(file.id, result, 1));
}

/** `type[X]`: the class itself, open to subclasses. */
function classesOf(ev: Evaluator, set: ValueSet): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const kind = values.kindOf(value);
    if (kind === VALUE.instance) answer = values.union(answer, values.single(values.classOf(values.node(value), OPEN_CLASS, values.argsId(value))));
    else if (kind === VALUE.typeParameter) answer = values.union(answer, ev.builtin('python.type', [values.single(value)]));
    else answer = values.union(answer, kind === VALUE.external ? values.single(value) : SET_UNKNOWN);
  }
  return answer;
}
