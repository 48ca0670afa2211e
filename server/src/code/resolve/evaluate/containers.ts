import { type AssignmentRow, type ExpressionRow, NONE, operatorCode, type SymbolRow } from '../../../model/facts';
import { symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import type { NameNumber } from '../numbers';
import { NOTHING, SET_EXTERNAL, SET_UNKNOWN, UNKNOWN_VALUE, VALUE, type Value, type ValueSet } from '../values';
import { AS_VALUE, type Evaluator } from './evaluator';
import { forList, isPositional, literalType } from './operands';

/** What later calls and assignments of the same file put into the container that an expression makes, when a name or field holds it. */
export function elementsPushed(ev: Evaluator, file: FileState, container: ExpressionRow): ValueSet {
  const holder = file.holders.of(container);
  if (holder === undefined) return NOTHING;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.nameOf(`*holder ${holder}`)));
  let answer = NOTHING;
  for (const use of file.holders.uses(holder)) {
    const set = ev.valueOf(file, use.value);
    answer = ev.values.union(answer, use.iterated ? elementsOf(ev, set) : set);
  }
  return answer;
}

/** A container that a call makes (`list(given)`, `given.slice()`) also holds what is put into it later. */
export function withPushed(ev: Evaluator, made: ValueSet, file: FileState, call: ExpressionRow): ValueSet {
  const pushed = file.rules.openObjects === true ? elementsPushed(ev, file, call) : NOTHING;
  if (pushed === NOTHING) return made;
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(made)) {
    const held = values.kindOf(value) === VALUE.builtin ? values.args(value) : [];
    const isPlain = values.kindOf(value) === VALUE.builtin && held.length < 2 && ev.builtinForm(value, 'key') === NOTHING;
    answer = values.union(answer, values.single(isPlain ? values.withArgs(value, values.argsOf([values.union(held[0] ?? NOTHING, pushed)])) : value));
  }
  return answer;
}

/** What assignments (`obj.x = v`) in the receiver's own file, or of the files that import it, make of a property that has no declaration. */
export function assignedMember(ev: Evaluator, file: FileState, receiver: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const row of assignmentsTo(ev, file, receiver, name)) answer = values.union(answer, ev.valueOf(file, file.facts.assignments.value[row] ?? NONE));
  if (answer === NOTHING) answer = givenMember(ev, file, receiver, name);
  if (answer === NOTHING) answer = mixedInMember(ev, file, receiver, name);
  return answer === NOTHING && !OBJECT_METHODS.has(ev.project.names.text(name)) ? computedMember(ev, file, receiver) : answer;
}

/** What assignments make of a property of an instance or a class: of its own, else of the nearest base that is given one. */
export function assignedInHierarchy(ev: Evaluator, file: FileState, value: Value, name: NameNumber): ValueSet {
  const own = assignedMember(ev, file, value, name);
  return own === NOTHING ? assignedToBases(ev, value, name) : own;
}

/** What assignments make of a property of the nearest base that is given one. */
export function assignedToBases(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  const isClass = values.kindOf(value) === VALUE.class;
  for (const { node } of ev.hierarchy(values.node(value)).slice(1)) {
    const owner = ev.project.ownerOf(node);
    const given = owner === undefined ? NOTHING : assignedMember(ev, owner, isClass ? values.classOf(node) : values.instance(node), name);
    if (given !== NOTHING) return given;
  }
  return NOTHING;
}

/** Assignments of other files that are looked at for one name. */
const MAX_GIVEN = 32;

/** What other files give to a receiver that they import (`Library.member = value`), outside functions. */
function givenMember(ev: Evaluator, file: FileState, receiver: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  ev.dependencies.consult(ev.dependencies.bearers(ev.packages.givenKey(name)));
  const given = ev.packages.given(name);
  if (given.length === 0 || given.length > MAX_GIVEN) return NOTHING;
  let answer = NOTHING;
  for (const { file: giver, row } of given) {
    const { target, value } = giver.facts.assignments;
    if (giver === file || giver.family !== file.family) continue;
    consultSet(ev, giver, name);
    if (!mayBe(ev, ev.valueOf(giver, target[row] ?? NONE), receiver)) continue;
    answer = values.union(answer, ev.valueOf(giver, value[row] ?? NONE));
  }
  return answer;
}

/** Functions that assignments in the receiver's own file make a property. */
export function assignedSymbols(
  ev: Evaluator,
  file: FileState,
  receiver: Value,
  name: NameNumber,
): readonly { readonly file: FileState; readonly row: SymbolRow }[] {
  if (file.rules.openObjects !== true) return [];
  const { assignments } = file.facts;
  const rows = new Set(assignmentsTo(ev, file, receiver, name).map(row => assignments.symbol[row] ?? NONE));
  rows.delete(NONE);
  return [...rows].map(row => ({ file, row }));
}

const SETS = Symbol('sets');

/** Notes that an answer rests on what a file assigns under a name. */
function consultSet(ev: Evaluator, file: FileState, name: NameNumber): void {
  const units = ev.kept(SETS) as Map<number, NameNumber>;
  let unit = units.get(name);
  if (unit === undefined) units.set(name, (unit = ev.nameOf(`*set ${ev.project.names.text(name)}`)));
  ev.dependencies.consult(ev.dependencies.unit(file.id, unit));
}

function assignmentsTo(ev: Evaluator, file: FileState, receiver: Value, name: NameNumber): readonly AssignmentRow[] {
  const { assignments } = file.facts;
  consultSet(ev, file, name);
  return file.assignmentsNamed(name).filter(row => {
    const target = assignments.target[row] ?? NONE;
    return target !== NONE && !declaresField(file, row) && mayBe(ev, ev.valueOf(file, target), receiver);
  });
}

/** `this.x = v` in a class, where `x` is a member that is found as one. */
function declaresField({ facts: { assignments, expressions, symbols } }: FileState, row: AssignmentRow): boolean {
  if (expressions.operator[assignments.target[row] ?? NONE] !== operatorCode.this) return false;
  const symbol = assignments.symbol[row] ?? NONE;
  return symbol === NONE || (symbols.kind[symbol] !== symbolKindCode.function && symbols.name[symbol] === assignments.name[row]);
}

/** What every object of JavaScript has. */
export const OBJECT_METHODS: ReadonlySet<string> = new Set([
  'hasOwnProperty',
  'toString',
  'valueOf',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'constructor',
  'toLocaleString',
]);

/** Name of the assignments whose name is only known at run time. */
const COMPUTED_MEMBERS = '[computed]';

/** Functions that the receiver's own file puts under computed names (`app[method] = function …`): any name that nothing else has may be theirs. */
function computedMember(ev: Evaluator, file: FileState, receiver: Value): ValueSet {
  const { assignments } = file.facts;
  const { values } = ev;
  const computed = ev.nameOf(COMPUTED_MEMBERS);
  consultSet(ev, file, computed);
  let answer = NOTHING;
  for (const row of file.assignmentsNamed(computed)) {
    if (!mayBe(ev, ev.valueOf(file, assignments.target[row] ?? NONE), receiver)) continue;
    answer = values.union(answer, ev.valueOf(file, assignments.value[row] ?? NONE));
  }
  return answer;
}

/** Name of the assignments that hand on all members of their value. */
const ALL_MEMBERS = '*';
const MIXING = Symbol('mixing');

/** What was mixed into the receiver in its own file (`Object.assign(receiver, source)`). */
export function mixedInto(ev: Evaluator, file: FileState, receiver: Value): ValueSet {
  const { assignments } = file.facts;
  const all = ev.nameOf(ALL_MEMBERS);
  consultSet(ev, file, all);
  let answer = NOTHING;
  for (const row of file.assignmentsNamed(all)) {
    if (mayBe(ev, ev.valueOf(file, assignments.target[row] ?? NONE), receiver))
      answer = ev.values.union(answer, ev.valueOf(file, assignments.value[row] ?? NONE));
  }
  return answer;
}

/** A member that what was mixed into the receiver in its own file has (`Object.assign(receiver, source)`). */
function mixedInMember(ev: Evaluator, file: FileState, receiver: Value, name: NameNumber): ValueSet {
  const { assignments } = file.facts;
  const { values } = ev;
  const all = ev.nameOf(ALL_MEMBERS);
  consultSet(ev, file, all);
  const rows = file.assignmentsNamed(all);
  if (rows.length === 0) return NOTHING;
  // Objects that are mixed into each other have what either has: the one that is asked for the name already says nothing more.
  const asked = ev.kept(MIXING) as Map<number, Set<NameNumber>>;
  const names = asked.get(receiver) ?? new Set();
  if (names.has(name)) return NOTHING;
  asked.set(receiver, names.add(name));
  let answer = NOTHING;
  for (const row of rows) {
    if (!mayBe(ev, ev.valueOf(file, assignments.target[row] ?? NONE), receiver)) continue;
    answer = values.union(answer, ev.memberOf(ev.valueOf(file, assignments.value[row] ?? NONE), name, AS_VALUE));
  }
  names.delete(name);
  return answer;
}

/** True when a set holds the receiver, or the class it is an instance of. */
function mayBe(ev: Evaluator, set: ValueSet, receiver: Value): boolean {
  const { values } = ev;
  return values.members(set).some(value => {
    if (value === receiver) return true;
    if (values.kindOf(value) !== values.kindOf(receiver) || values.subject(value) !== values.subject(receiver)) return false;
    const kind = values.kindOf(value);
    return kind === VALUE.instance || kind === VALUE.class || kind === VALUE.function;
  });
}

/** The built-in value that an object literal is beside its keys: `array<V>`, `Hash<K,V>`. */
export function literalAsBuiltin(ev: Evaluator, object: Value): Value {
  const { values } = ev;
  const file = ev.project.file(values.file(object));
  const type = file?.rules.objectType;
  if (file === undefined || type === undefined) return UNKNOWN_VALUE;
  const row = values.row(object);
  let held = elementsPushed(ev, file, row);
  forList(file.facts, row, (item, index) => {
    if (index % 2 === 1) held = values.union(held, ev.valueOf(file, item));
  });
  const parameters = file.rules.builtins.type(type)?.parameters.length ?? 0;
  const key = ev.builtin(literalType(file, 'string'));
  const name = ev.nameOf(`${file.family}.${type}`);
  return values.builtin(name, values.boundedArgs(parameters > 1 ? [key, held] : [held]));
}

/** What iterating the alternatives gives. */
export function elementsOf(ev: Evaluator, set: ValueSet, isAsync = false): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) answer = values.union(answer, elementsOfValue(ev, value, isAsync));
  return answer;
}

function elementsOfValue(ev: Evaluator, value: Value, isAsync: boolean): ValueSet {
  const { values } = ev;
  switch (values.kindOf(value)) {
    case VALUE.builtin:
      return elementsOfBuiltin(ev, value);
    case VALUE.instance:
      return elementsOfInstance(ev, value, isAsync);
    case VALUE.object:
      if (ev.project.file(values.file(value))?.rules.objectType !== undefined) return elementsOfBuiltin(ev, literalAsBuiltin(ev, value));
      return keyOfLiteral(ev, ev.project.file(values.file(value)));
    case VALUE.class:
      return values.single(values.instance(values.node(value)));
    case VALUE.external:
    case VALUE.weak:
      return values.single(value);
    default:
      return SET_UNKNOWN;
  }
}

function elementsOfBuiltin(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  if (isPositional(ev, value)) return values.args(value).reduce((left, right) => values.union(left, right), NOTHING);
  const element = ev.builtinForm(value, 'element');
  if (element !== NOTHING) return element;
  const isOpen = ev.project.rulesOfBuiltin(values.name(value)).openObjects === true;
  return isOpen ? (values.args(value)[0] ?? SET_UNKNOWN) : SET_EXTERNAL;
}

function keyOfLiteral(ev: Evaluator, file: FileState | undefined): ValueSet {
  const type = file?.rules.literalKeyType;
  return file === undefined || type === undefined ? SET_UNKNOWN : ev.builtin(`${file.family}.${type}`);
}

/** By the iterator protocol of the language, else what the instance is made of. */
function elementsOfInstance(ev: Evaluator, value: Value, isAsync: boolean): ValueSet {
  const owner = ev.project.ownerOf(ev.values.node(value));
  if (owner === undefined) return SET_UNKNOWN;
  const hooks = ev.hooks(owner);
  const element = hooks.element?.(ev, value, isAsync) ?? NOTHING;
  if (element !== NOTHING) return element;
  const inside = hooks.underlying?.(ev, value) ?? NOTHING;
  return inside === NOTHING || inside === ev.values.single(value) ? SET_UNKNOWN : elementsOf(ev, inside, isAsync);
}
