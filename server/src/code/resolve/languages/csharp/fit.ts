/** How well a value fits the type of a parameter in C#, where the general rules do not know. */
import { operandOf } from '../../../../model/expressions';
import { NO_TEXT, NONE } from '../../../../model/facts';
import type { Evaluator } from '../../evaluate/evaluator';
import { NOTHING, VALUE, type Value } from '../../values';
import { accepts, isAssignable } from './members';

const PREFIX = 'csharp.';
const IMPOSSIBLE = -1;
const EXACT = 4;
const ASSIGNABLE = 3;

/** What each number widens to, nearest first. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  byte: ['int', 'long', 'float', 'double', 'decimal'],
  char: ['int', 'long', 'float', 'double', 'decimal'],
  int: ['long', 'float', 'double', 'decimal', 'byte'],
  long: ['float', 'double', 'decimal', 'int'],
  float: ['double'],
};

/** Built-in types that hold no null. */
const PLAIN: ReadonlySet<string> = new Set(['int', 'long', 'byte', 'char', 'double', 'float', 'decimal', 'bool', 'void']);
const COLLECTIONS: ReadonlySet<string> = new Set(['Array', 'List']);
const SPANS: ReadonlySet<string> = new Set(['Span', 'Memory']);

/** 0 is open, -1 impossible, up to 4; `undefined`: as in any language. */
export function fitOfCsharp(ev: Evaluator, wanted: Value, given: Value): number | undefined {
  const { values } = ev;
  const wantedKind = values.kindOf(wanted);
  const givenKind = values.kindOf(given);
  if (wantedKind === VALUE.functionType) return givenKind === VALUE.lambda ? fitOfLambda(ev, wanted, given) : undefined;
  if (wantedKind === VALUE.instance) return givenKind === VALUE.lambda || givenKind === VALUE.function ? IMPOSSIBLE : undefined;
  if (wantedKind !== VALUE.builtin) return undefined;
  const type = nameOf(ev, wanted);
  if (type === 'object' || type === 'dynamic') return 0.5;
  if (givenKind === VALUE.lambda || givenKind === VALUE.function || givenKind === VALUE.functionType) return type === 'Delegate' ? 1 : IMPOSSIBLE;
  if (givenKind === VALUE.instance) return accepts(ev, wanted, given) ? ASSIGNABLE : IMPOSSIBLE;
  return givenKind === VALUE.builtin ? fitOfBuiltins(ev, type, wanted, given) : undefined;
}

function nameOf(ev: Evaluator, value: Value): string {
  return ev.project.names.text(ev.values.name(value)).slice(PREFIX.length);
}

function fitOfBuiltins(ev: Evaluator, type: string, wanted: Value, given: Value): number {
  const own = nameOf(ev, given);
  if (own === 'null') return PLAIN.has(type) ? IMPOSSIBLE : 1;
  if (own === type) return fitOfArguments(ev, wanted, given);
  if (isAssignable(PREFIX + own, PREFIX + type)) return own === 'string' ? 1 : Math.min(ASSIGNABLE, fitOfArguments(ev, wanted, given));
  if (COLLECTIONS.has(own) && COLLECTIONS.has(type)) return 2;
  if (SPANS.has(type) && (own === 'Array' || own === 'string')) return 1;
  const at = WIDER[own]?.indexOf(type) ?? -1;
  return at < 0 ? IMPOSSIBLE : ASSIGNABLE - at / 10;
}

/** Type arguments that are known on both sides tell overloads of one type apart. */
function fitOfArguments(ev: Evaluator, wanted: Value, given: Value): number {
  const { values } = ev;
  const [left] = values.members(values.args(wanted).at(-1) ?? NOTHING);
  const [right] = values.members(values.args(given).at(-1) ?? NOTHING);
  if (left === undefined || right === undefined || left === right) return EXACT;
  const [leftKind, rightKind] = [values.kindOf(left), values.kindOf(right)];
  if (leftKind !== rightKind || (leftKind !== VALUE.builtin && leftKind !== VALUE.instance)) return 2;
  return leftKind === VALUE.builtin ? (nameOf(ev, left) === 'object' ? 2 : IMPOSSIBLE) : 2;
}

/** A function with as many parameters as the delegate has. */
function fitOfLambda(ev: Evaluator, wanted: Value, given: Value): number {
  const { values } = ev;
  const owner = ev.project.file(values.file(wanted));
  const file = ev.project.file(values.file(given));
  if (owner === undefined || file === undefined) return 1;
  const { functions } = file.facts;
  const count = functions.parameterCount[values.row(given)] ?? 0;
  const asked = owner.facts.expressions.listCount[values.row(wanted)] ?? 0;
  if (count !== asked) return IMPOSSIBLE;
  const hasResult = (functions.returnCount[values.row(given)] ?? 0) > 0 || (functions.returnType[values.row(given)] ?? NONE) !== NONE;
  const result = operandOf.result(owner.facts.expressions, values.row(wanted));
  const asksResult = result !== NONE && owner.text(owner.facts.expressions.text[result] ?? NO_TEXT) !== 'void';
  if (asksResult && !hasResult) return IMPOSSIBLE;
  return asksResult === hasResult ? ASSIGNABLE : 2;
}
