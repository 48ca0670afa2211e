/** Members, elements and conversions that C++ finds in its own way: `operator->`, iterators, functions behind pointers. */
import { type AssignmentRow, NO_TEXT, NONE, SCOPE_KINDS } from '../../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../../model/ids';
import { symbolKindCode } from '../../../../model/nodes';
import type { DeclaredSymbol, Evaluator, Mode } from '../../evaluate/evaluator';
import { methodResult } from '../../evaluate/generics';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NOTHING, VALUE, type Value, type ValueSet } from '../../values';

/** What `operator->` gives lends its members. */
export function otherMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  if (values.kindOf(value) !== VALUE.instance || ev.project.names.text(name).startsWith('operator')) return NOTHING;
  const inside = methodResult(ev, value, 'operator->');
  return inside === NOTHING || values.has(inside, value) ? NOTHING : ev.memberOf(inside, name, mode);
}

/** `for (x : value)`: what its iterator points at. */
export function elementOf(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const iterator of values.members(methodResult(ev, value, 'begin'))) answer = values.union(answer, pointedAt(ev, iterator));
  return answer;
}

function pointedAt(ev: Evaluator, iterator: Value): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(iterator);
  if (kind === VALUE.builtin) return ev.builtinForm(iterator, 'unwrap');
  if (kind !== VALUE.instance) return values.single(iterator);
  const result = methodResult(ev, iterator, 'operator*');
  return result === NOTHING ? values.single(iterator) : result;
}

/** `value[i]`: what `operator[]` gives; a pointer gives what it points at. */
export function indexedBy(ev: Evaluator, value: Value): ValueSet {
  const result = methodResult(ev, value, 'operator[]');
  return result === NOTHING ? ev.values.single(value) : result;
}

/** `*value`: what `operator*` gives; a pointer gives what it points at. */
export function dereferenced(ev: Evaluator, value: Value): ValueSet {
  return methodResult(ev, value, 'operator*');
}

/** Functions that the project puts into a field which holds a pointer to a function, by name or by position in an initializer. */
export function heldFunctions(ev: Evaluator, field: DeclaredSymbol, declared: ValueSet): ValueSet {
  const { values } = ev;
  const members = values.members(declared);
  if (members.length === 0 || members.some(value => values.kindOf(value) !== VALUE.functionType)) return declared;
  const { symbols } = field.file.facts;
  const owner = symbols.parent[field.row] ?? NONE;
  if (owner === NONE || SCOPE_KINDS[field.file.facts.scopes.kind[symbols.scope[owner] ?? NONE] ?? 0] !== 'class') return declared;
  const node = field.file.symbolNodes[owner] ?? NO_NODE;
  const name = field.file.name(symbols.name[field.row] ?? NO_TEXT);
  const position = field.file
    .childrenOf(owner)
    .filter(child => symbols.kind[child] === symbolKindCode.field)
    .indexOf(field.row);
  let answer = NOTHING;
  for (const key of [name, ev.nameOf(`#${position}`)]) {
    ev.dependencies.consult(ev.dependencies.bearers(key));
    for (const { file, row } of ev.packages.assigned(key)) {
      ev.dependencies.consult(ev.dependencies.unit(file.id, ev.nameOf(`*set ${ev.project.names.text(key)}`)));
      if (isInto(ev, file, row, node)) answer = values.union(answer, functionsIn(ev, file, row));
    }
  }
  return answer === NOTHING ? declared : answer;
}

function isInto(ev: Evaluator, file: FileState, row: AssignmentRow, node: NodeHandle): boolean {
  const { values } = ev;
  return values
    .members(ev.valueOf(file, file.facts.assignments.target[row] ?? NONE))
    .some(value => values.kindOf(value) === VALUE.instance && values.node(value) === node);
}

function functionsIn(ev: Evaluator, file: FileState, row: AssignmentRow): ValueSet {
  const { values } = ev;
  const set = ev.valueOf(file, file.facts.assignments.value[row] ?? NONE);
  const functions = values.members(set).filter(value => values.kindOf(value) === VALUE.function || values.kindOf(value) === VALUE.lambda);
  return values.setOf(functions);
}

/** Built-in types that numbers convert between. */
const NUMBERS: ReadonlySet<string> = new Set(['int', 'size_t', 'char', 'bool', 'double']);
const EXACT = 3;
const CONVERTED = 1;

/** Fit of built-in values: texts are characters behind a pointer, numbers convert, classes may be made of either. */
export function fitOf(ev: Evaluator, wanted: Value, given: Value): number | undefined {
  const { values } = ev;
  if (values.kindOf(given) !== VALUE.builtin) return undefined;
  if (values.kindOf(wanted) === VALUE.instance) return nameOf(ev, given) === 'nullptr' ? undefined : 0;
  if (values.kindOf(wanted) !== VALUE.builtin || values.name(wanted) === values.subject(given)) return undefined;
  const to = nameOf(ev, wanted);
  const from = nameOf(ev, given);
  if (from === 'string' && to === 'char') return EXACT;
  return NUMBERS.has(to) && NUMBERS.has(from) ? CONVERTED : undefined;
}

function nameOf(ev: Evaluator, value: Value): string {
  const text = ev.project.names.text(ev.values.name(value));
  return text.slice(text.indexOf('.') + 1);
}
