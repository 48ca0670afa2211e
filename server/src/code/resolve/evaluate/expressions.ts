import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, type FunctionRow, NO_TEXT, NONE, OPERATORS, type Operator, type ScopeRow, type SymbolRow } from '../../../model/facts';
import { NO_NODE } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import type { LanguageTraits } from '../languages/languageTraits';
import type { NameNumber } from '../numbers';
import { NOTHING, SELF, SET_EXTERNAL, SET_UNKNOWN, SET_WEAK, VALUE, type Value, type ValueSet } from '../values';
import { called, constructed } from './calls';
import { assignedMember, elementsOf, elementsPushed } from './containers';
import { contextOf } from './context';
import { importedSymbols } from './declared/symbols';
import { withDecoratorsApplied } from './decorators';
import { AS_VALUE, type Evaluator } from './evaluator';
import { methodResult, resultOn } from './generics';
import { awaited, wholeOf } from './imports';
import { forList, isPositional, literalType, receiversOf } from './operands';
import { extensionValue, isCallee, withoutHidden } from './packages/extensions';
import { namedValue, unboundValue } from './packages/names';
import { operatorMethods } from './packages/operators';
import { memberSeenFrom } from './packages/packages';

type Evaluate = (ev: Evaluator, file: FileState, row: ExpressionRow) => ValueSet;

/** How each operator is read as a value. Operators that only spell types give what they spell. */
const EVALUATE: Readonly<Partial<Record<Operator, Evaluate>>> = {
  name: nameValue,
  member: memberValue,
  index: indexed,
  call: called,
  new: constructed,
  this: thisValue,
  super: superValue,
  await: (ev, file, row) => awaited(ev, ev.valueOf(file, operandOf.inner(file.facts.expressions, row))),
  iterate: iterated,
  literal: (ev, file, row) => ev.builtin(literalType(file, file.text(file.facts.expressions.text[row] ?? NO_TEXT))),
  array: arrayLiteral,
  object: (ev, file, row) => ev.values.single(ev.values.object(file.id, row)),
  function: functionValue,
  class: (ev, file, row) => ev.symbol(file, operandOf.class(file.facts.expressions, row), AS_VALUE),
  either: (ev, file, row) => {
    let answer = NOTHING;
    forList(file.facts, row, item => {
      answer = ev.values.union(answer, ev.valueOf(file, item));
    });
    return answer;
  },
  spread: (ev, file, row) => ev.valueOf(file, operandOf.inner(file.facts.expressions, row)),
  module: moduleOperand,
  valueOfType: (ev, file, row) => ev.typeOf(file, operandOf.inner(file.facts.expressions, row)),
  generic: genericValue,
  typeof: (ev, { family, rules }) => (rules.typeofType === undefined ? SET_UNKNOWN : ev.builtin(`${family}.${rules.typeofType}`)),
  enter: entered,
  caught: (ev, file, row) => ev.typeOf(file, operandOf.inner(file.facts.expressions, row)),
  operation: operationValue,
  unwrap: unwrapped,
  arrayType: (ev, file, row) => ev.typeOf(file, row),
  functionType: (ev, file, row) => ev.typeOf(file, row),
  expected: expectedValue,
};

/** An argument is an instance of what its place asks for; what stands in `new` is the class of that, or of what it is assigned to. */
function expectedValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const made = operandOf.place(file.facts.expressions, row);
  const target = operandOf.remade(file.facts.expressions, row);
  if (made === NONE && target === NONE) return contextOf(ev, file, row, 0);
  const { values } = ev;
  const asked = target === NONE ? contextOf(ev, file, made, 0) : ev.valueOf(file, target);
  let answer = NOTHING;
  for (const value of values.members(asked === NOTHING && target === NONE ? addedTo(ev, file, made) : asked)) {
    const kind = values.kindOf(value);
    const made = kind === VALUE.instance ? VALUE.class : kind === VALUE.builtin ? VALUE.builtinClass : -1;
    answer = values.union(answer, values.single(made < 0 ? value : values.ofKind(value, made)));
  }
  return answer === NOTHING ? SET_UNKNOWN : answer;
}

/** Elements of the built-in container that a call adds a row to (`list.Add(new())`). */
function addedTo(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const call = file.parentOf(row);
  const callee = call === NONE ? NONE : operandOf.callee(file.facts.expressions, call);
  if (callee === NONE || OPERATORS[file.facts.expressions.operator[callee] ?? 0] !== 'member') return NOTHING;
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(ev.valueOf(file, operandOf.receiver(file.facts.expressions, callee)))) {
    if (values.kindOf(value) !== VALUE.builtin) return NOTHING;
    const held = ev.builtinForm(value, 'index');
    answer = values.union(answer, held === NOTHING ? ev.builtinForm(value, 'element') : held);
  }
  return answer;
}

const BY_CODE: readonly (Evaluate | undefined)[] = OPERATORS.map(name => EVALUATE[name]);

export function evaluateExpression(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const evaluate = BY_CODE[file.facts.expressions.operator[row] ?? 0];
  return evaluate === undefined ? SET_UNKNOWN : evaluate(ev, file, row);
}

/** A guard may have narrowed the whole path (`this.a.b`); else the member of what stands before the dot. */
function memberValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const narrowed = file.narrowedPath(row);
  if (narrowed !== NONE) {
    const value = ev.binding(file, narrowed, AS_VALUE);
    if (value !== NOTHING) return value;
  }
  const { rules } = file;
  const hooks = ev.hooks(file);
  const own = hooks.memberAt?.(ev, file, row) ?? NOTHING;
  if (own !== NOTHING) return own;
  const name = file.name(file.facts.expressions.text[row] ?? NO_TEXT);
  const receiver = ev.valueOf(file, operandOf.callee(file.facts.expressions, row));
  const from = rules.decoratorsReplace === true ? withDecoratorsApplied(ev, receiver) : receiversOf(ev, file, receiver);
  const all = memberSeenFrom(ev, file, from, name, AS_VALUE);
  const found = hooks.extension === undefined ? all : withoutHidden(ev, file, all);
  if (hooks.extension !== undefined && ev.values.members(found).every(value => NOT_OURS.has(ev.values.kindOf(value)))) {
    const extension = hooks.extension(ev, file, { receivers: receiver, name, isCalled: isCallee(file, row) });
    if (extension !== undefined) return extensionValue(ev, extension);
  }
  return found === NOTHING && !file.isModular && rules.separator === '.' ? outsidePackages(ev, receiver, name) : found;
}

const NOT_OURS: ReadonlySet<number> = new Set([VALUE.external, VALUE.unknown, VALUE.weak]);

/** What follows a package of the project and is not in it belongs to packages outside that begin alike (`com.other` beside `com.ours`). */
function outsidePackages(ev: Evaluator, receivers: ValueSet, name: NameNumber): ValueSet {
  const { values } = ev;
  const [first] = values.members(receivers);
  if (first === undefined || values.members(receivers).some(value => values.kindOf(value) !== VALUE.package)) return NOTHING;
  return values.single(values.external(ev.nameOf(`${ev.packages.nameOf(values.package(first))}.${ev.project.names.text(name)}`)));
}

/** What is inside a result or an optional; other values stay as they are. */
function unwrapped(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(ev.valueOf(file, operandOf.receiver(file.facts.expressions, row)))) {
    const inner = values.kindOf(value) === VALUE.builtin ? ev.builtinForm(value, 'unwrap') : dereferenced(ev, value);
    answer = values.union(answer, inner === NOTHING ? values.single(value) : inner);
  }
  return answer;
}

function dereferenced(ev: Evaluator, value: Value): ValueSet {
  const owner = ev.values.kindOf(value) === VALUE.instance ? ev.project.ownerOf(ev.values.node(value)) : undefined;
  return owner === undefined ? NOTHING : (ev.hooks(owner).dereferenced?.(ev, value) ?? NOTHING);
}

function nameValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const exact = operandOf.exact(file.facts.expressions, row);
  if (exact >= 0) return ev.binding(file, exact, AS_VALUE);
  const name = file.name(file.facts.expressions.text[row] ?? NO_TEXT);
  if (!file.isModular) return namedValue(ev, file, operandOf.scope(file.facts.expressions, row), name, AS_VALUE);
  const found = ev.lookup(file, operandOf.scope(file.facts.expressions, row), name);
  return found === NONE ? unboundValue(ev, file, operandOf.scope(file.facts.expressions, row), name, AS_VALUE, false) : ev.binding(file, found, AS_VALUE);
}

function functionValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const functionRow = operandOf.function(file.facts.expressions, row);
  const symbol = file.facts.functions.symbol[functionRow] ?? NONE;
  const { values } = ev;
  if (symbol !== NONE) return values.single(values.functionOf(file.symbolNodes[symbol] ?? NO_NODE));
  return values.single(values.lambda(file.id, functionRow));
}

/** Receiver of the method around a scope: an instance of the class, or the class itself in a static one, or the object a method belongs to. */
function thisValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  return receiverAt(ev, file, operandOf.scope(file.facts.expressions, row));
}

export function receiverAt(ev: Evaluator, file: FileState, from: ScopeRow): ValueSet {
  const { scopes, functions } = file.facts;
  const { values } = ev;
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    if (isTypeBody(file, scope)) {
      const owner = scopes.symbol[scope] ?? NONE;
      return owner === NONE ? SET_UNKNOWN : values.single(values.instance(ev.canonical(file, owner), SELF));
    }
    const functionRow = scopes.function[scope] ?? NONE;
    if (functionRow === NONE) continue;
    const declared = scope === from ? declaredReceiver(ev, file, scope) : NOTHING;
    if (declared !== NOTHING) return declared;
    const symbol = functions.symbol[functionRow] ?? NONE;
    if (symbol === NONE) {
      const given = ev.hooks(file).receivers?.(ev, file, scope) ?? NOTHING;
      if (given !== NOTHING) return given;
      continue;
    }
    const receiver = receiverOfFunction(ev, file, functionRow, symbol);
    if (receiver !== NOTHING) return receiver;
  }
  return SET_UNKNOWN;
}

/** `function f(this: T)`. */
function declaredReceiver(ev: Evaluator, file: FileState, scope: ScopeRow): ValueSet {
  const name = file.rules.receiverParameter;
  const row = name === undefined ? NONE : file.firstBinding(scope, ev.nameOf(name));
  return row === NONE ? NOTHING : ev.typeOf(file, file.facts.bindings.type[row] ?? NONE);
}

/** Classes have a scope kind of their own; interfaces share theirs with other types, in which there is no receiver. */
function isTypeBody(file: FileState, scope: ScopeRow): boolean {
  return file.isClassScope(scope) || file.facts.symbols.kind[file.facts.scopes.symbol[scope] ?? NONE] === symbolKindCode.interface;
}

/** Receiver of a named function; NOTHING when it has none of its own. */
function receiverOfFunction(ev: Evaluator, file: FileState, functionRow: FunctionRow, symbol: SymbolRow): ValueSet {
  const { symbols } = file.facts;
  const { values } = ev;
  const parent = symbols.parent[symbol] ?? NONE;
  const isStatic = ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.static) !== 0;
  const outside = symbols.receiver[symbol] ?? NONE;
  if (outside !== NONE) return isStatic ? classesOfInstances(ev, ev.typeOf(file, outside)) : ev.typeOf(file, outside);
  if (parent !== NONE && file.isContainer(parent))
    return values.single(isStatic ? values.classOf(ev.canonical(file, parent), SELF) : values.instance(ev.canonical(file, parent), SELF));
  return ev.hooks(file).receiverOf?.(ev, file, functionRow, symbol) ?? NOTHING;
}

function classesOfInstances(ev: Evaluator, set: ValueSet): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const isInstance = values.kindOf(value) === VALUE.instance;
    answer = values.union(answer, values.single(isInstance ? values.classOf(values.node(value), SELF, values.argsId(value)) : value));
  }
  return answer;
}

function superValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const receiver = receiverAt(ev, file, operandOf.scope(file.facts.expressions, row));
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(receiver)) {
    const kind = values.kindOf(value);
    if (kind === VALUE.instance || kind === VALUE.class)
      answer = values.union(answer, values.single(values.superOf(values.node(value), kind === VALUE.class ? 1 : 0)));
  }
  return answer === NOTHING ? SET_UNKNOWN : answer;
}

function arrayLiteral(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const { expressions } = file.facts;
  const form = file.text(expressions.text[row] ?? NO_TEXT);
  const elements: ValueSet[] = [];
  let spread = false;
  forList(file.facts, row, item => {
    if (OPERATORS[expressions.operator[item] ?? 0] === 'spread') {
      spread = true;
      elements.push(elementsOf(ev, ev.valueOf(file, item)));
    } else elements.push(ev.valueOf(file, item));
  });
  const pushed = elementsPushed(ev, file, row);
  const joined = elements.reduce((left, right) => ev.values.union(left, right), pushed);
  const type = listType(file, form, elements.length, pushed === NOTHING && !spread);
  if (type.isExact) return ev.builtin(`${file.family}.${type.name}`, elements);
  return ev.builtin(`${file.family}.${type.name}`, joined === NOTHING ? [] : [joined]);
}

/** Built-in type of a list literal, and whether its arguments are the elements by position. `isWhole`: nothing is added to the elements written. */
function listType({ rules }: FileState, form: string, count: number, isWhole: boolean): { readonly name: string; readonly isExact: boolean } {
  if (rules.listForms === undefined)
    return form === 'tuple' ? { name: 'Tuple', isExact: true } : { name: form === '' ? rules.arrayType : form, isExact: false };
  const { exact, joined } = rules.listForms[form] ?? { exact: undefined, joined: rules.arrayType };
  const isExact = exact !== undefined && isWhole && count > 0 && count <= MAX_POSITIONS;
  return isExact ? { name: exact, isExact } : { name: joined, isExact: false };
}

/** Longest list whose elements are told apart. */
const MAX_POSITIONS = 12;

function iterated(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const form = file.text(file.facts.expressions.text[row] ?? NO_TEXT);
  if (form === 'key') {
    const { loopKeyType } = file.rules;
    return loopKeyType === undefined
      ? keysOf(ev, ev.valueOf(file, operandOf.inner(file.facts.expressions, row)), 0)
      : ev.builtin(`${file.family}.${loopKeyType}`);
  }
  return elementsOf(ev, ev.valueOf(file, operandOf.inner(file.facts.expressions, row)), form === 'async');
}

/** What a loop counts by: the elements where a type has no keys. */
function keysOf(ev: Evaluator, set: ValueSet, depth: number): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const kind = values.kindOf(value);
    const owner = kind === VALUE.instance ? ev.project.ownerOf(values.node(value)) : undefined;
    const inside = owner === undefined ? NOTHING : (ev.hooks(owner).underlying?.(ev, value) ?? NOTHING);
    const key = kind === VALUE.builtin ? ev.builtinForm(value, 'key') : inside === NOTHING || depth > 4 ? NOTHING : keysOf(ev, inside, depth + 1);
    answer = values.union(answer, key === NOTHING ? elementsOf(ev, values.single(value)) : key);
  }
  return answer;
}

/** `a[b]`: a position, a key, or any element. */
function indexed(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const { expressions } = file.facts;
  const written = file.text(expressions.text[row] ?? NO_TEXT);
  const receiver = ev.valueOf(file, operandOf.receiver(file.facts.expressions, row));
  const key = operandOf.key(file.facts.expressions, row);
  const text = written === '' ? constantText(ev, file, key) : written;
  return indexedAll(ev, file, receiver, text, key);
}

function indexedAll(ev: Evaluator, file: FileState, set: ValueSet, text: string, key: ExpressionRow): ValueSet {
  let answer = NOTHING;
  for (const value of ev.values.members(set)) answer = ev.values.union(answer, indexedValue(ev, file, value, text, key));
  return answer;
}

function indexedValue(ev: Evaluator, file: FileState, value: Value, text: string, key: ExpressionRow): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (kind === VALUE.builtin) return indexedBuiltin(ev, value, text);
  if (kind === VALUE.object) return propertyByKey(ev, file, value, key, text);
  if (kind === VALUE.instance) return indexedInstance(ev, value);
  if (kind === VALUE.objectType && writtenKey(file, key) !== '') return ev.memberOf(values.single(value), ev.nameOf(writtenKey(file, key)), AS_VALUE);
  if (kind === VALUE.class || kind === VALUE.builtinClass || (kind === VALUE.function && file.rules.openObjects !== true)) return values.single(value);
  return kind === VALUE.external || kind === VALUE.weak ? values.single(value) : SET_UNKNOWN;
}

/** Number that a key names through a module-level constant that nothing reassigns, also an imported one; '' for others. */
function constantText(ev: Evaluator, file: FileState, key: ExpressionRow): string {
  const { expressions, bindings } = file.facts;
  if (key < 0 || file.rules.namedPositions !== true || OPERATORS[expressions.operator[key] ?? 0] !== 'name') return '';
  const found = ev.lookup(file, operandOf.scope(file.facts.expressions, key), file.name(expressions.text[key] ?? NO_TEXT));
  if (found === NONE || file.nextBinding(found) !== NONE) return '';
  const symbol = bindings.symbol[found] ?? NONE;
  const declared = symbol === NONE ? importedSymbols(ev, file, bindings.import[found] ?? NONE)[0] : { file, row: symbol };
  if (declared === undefined || declared.file.assignmentsTo(declared.row).length > 1) return '';
  const value = declared.file.facts.symbols.value[declared.row] ?? NONE;
  const table = declared.file.facts.expressions;
  return value !== NONE && OPERATORS[table.operator[value] ?? 0] === 'literal' && operandOf.literal(table, value) > 0
    ? declared.file.text(operandOf.literal(table, value))
    : '';
}

function indexedBuiltin(ev: Evaluator, value: Value, text: string): ValueSet {
  const { values } = ev;
  const args = values.args(value);
  if (isPositional(ev, value)) {
    const position = /^-?\d+$/.test(text) ? Number(text) : undefined;
    const exact = position === undefined ? undefined : args[position < 0 ? args.length + position : position];
    if (exact !== undefined) return exact;
    const any = args.reduce((left, right) => values.union(left, right), NOTHING);
    return args.some(arg => arg !== any) ? values.union(any, SET_WEAK) : any;
  }
  const item = ev.builtinForm(value, 'index');
  return item === NOTHING ? SET_EXTERNAL : item;
}

function indexedInstance(ev: Evaluator, value: Value): ValueSet {
  const owner = ev.project.ownerOf(ev.values.node(value));
  if (owner === undefined) return SET_UNKNOWN;
  const item = ev.hooks(owner).indexed?.(ev, value) ?? NOTHING;
  const inside = item === NOTHING ? (ev.hooks(owner).underlying?.(ev, value) ?? NOTHING) : NOTHING;
  return item !== NOTHING ? item : inside === NOTHING ? SET_UNKNOWN : indexedAll(ev, owner, inside, '', NONE);
}

/** Value of an object literal under a key that is not written out: any of its values, a little unsure when there are several. */
function propertyByKey(ev: Evaluator, file: FileState, object: Value, key: ExpressionRow, text: string): ValueSet {
  const { values } = ev;
  const owner = ev.project.file(values.file(object));
  if (owner === undefined) return SET_UNKNOWN;
  const operator = key < 0 ? '' : OPERATORS[file.facts.expressions.operator[key] ?? 0];
  if (operator === 'literal' && file.text(file.facts.expressions.text[key] ?? NO_TEXT) === 'string') {
    const text = file.text(operandOf.literal(file.facts.expressions, key));
    if (text !== '' && owner.rules.objectType === undefined) return ev.memberOf(values.single(object), ev.nameOf(text), AS_VALUE);
    const keyed = text === '' ? NOTHING : valueUnderKey(ev, owner, object, text);
    if (keyed !== NOTHING) return keyed;
  }
  let answer = NOTHING;
  let exact = NOTHING;
  const row = values.row(object);
  const start = owner.facts.expressions.listStart[row] ?? 0;
  forList(owner.facts, row, (item, index) => {
    if (index % 2 === 0) return;
    const held = ev.valueOf(owner, item);
    answer = values.union(answer, held);
    if (text !== '' && owner.text(owner.facts.lists[start + index - 1] ?? NO_TEXT) === `[${text}]`) exact = values.union(exact, held);
  });
  if (exact !== NOTHING) return exact;
  const pushed = elementsPushed(ev, owner, row);
  return values.union(answer, pushed);
}

/** What a literal of a language with hashes holds under a key, by itself and by assignments. */
function valueUnderKey(ev: Evaluator, owner: FileState, object: Value, text: string): ValueSet {
  const { lists, expressions } = owner.facts;
  const row = ev.values.row(object);
  const start = expressions.listStart[row] ?? 0;
  let answer = assignedMember(ev, owner, object, ev.nameOf(text));
  forList(owner.facts, row, (item, index) => {
    if (index % 2 === 1 && owner.text(lists[start + index - 1] ?? NO_TEXT) === text) answer = ev.values.union(answer, ev.valueOf(owner, item));
  });
  return answer;
}

/** Text of a key that is written out, '' for others. */
function writtenKey(file: FileState, key: ExpressionRow): string {
  const { expressions } = file.facts;
  return key >= 0 && OPERATORS[expressions.operator[key] ?? 0] === 'literal' ? file.text(operandOf.literal(expressions, key)) : '';
}

function moduleOperand(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const importRow = operandOf.import(file.facts.expressions, row);
  if (importRow >= 0) {
    const target = ev.modules.ofImport(file, importRow);
    if (target === 'external') return ev.imported(file, importRow, AS_VALUE);
    return wholeOf(ev, target);
  }
  return wholeOf(ev, ev.modules.resolve(file, file.text(file.facts.expressions.text[row] ?? NO_TEXT), 0));
}

/** `Map<string, X>` as the callee of `new`: the class with its type arguments. */
function genericValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const base = ev.valueOf(file, operandOf.inner(file.facts.expressions, row));
  const sets: ValueSet[] = [];
  forList(file.facts, row, item => {
    sets.push(ev.typeOf(file, item));
  });
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(base)) {
    const kind = values.kindOf(value);
    const applied = kind === VALUE.class || kind === VALUE.builtinClass ? values.withArgs(value, values.argsOf(sets)) : value;
    answer = values.union(answer, values.single(applied));
  }
  return answer;
}

/** What entering a resource gives: what its method says, what a built-in type says, else the resource itself. */
function entered(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const { values } = ev;
  const isAsync = file.text(file.facts.expressions.text[row] ?? NO_TEXT) === 'async';
  const methods = file.rules.enterMethods;
  let answer = NOTHING;
  for (const value of values.members(ev.valueOf(file, operandOf.inner(file.facts.expressions, row)))) {
    const kind = values.kindOf(value);
    let given = NOTHING;
    if (kind === VALUE.instance && methods !== undefined) {
      const plain = methodResult(ev, value, isAsync ? methods.async : methods.plain);
      given = isAsync ? awaited(ev, plain) : plain;
    } else if (kind === VALUE.builtin) given = ev.builtinForm(value, 'entered');
    answer = values.union(answer, given === NOTHING ? values.single(value) : given);
  }
  return answer;
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'in', 'not in', 'is', 'is not', 'instanceof', '!', 'not']);

function operationValue(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const text = file.text(file.facts.expressions.text[row] ?? NO_TEXT);
  const { rules } = file;
  if (COMPARISONS.has(text)) return ev.builtin(`${rules.family}.${rules.booleanType}`);
  return ev.hooks(file).operation?.(ev, file, row, text) ?? plainOperation(ev, file, row, text, rules);
}

/** Arithmetic keeps built-in types; operators that project types declare give what they return. */
function plainOperation(ev: Evaluator, file: FileState, row: ExpressionRow, text: string, rules: LanguageTraits): ValueSet {
  if (text === '&&' || text === '||') return ev.builtin(`${rules.family}.${rules.booleanType}`);
  const { values } = ev;
  const declared = rules.pointers === true ? [] : operatorMethods(ev, file, row);
  if (declared.length > 0)
    return declared.reduce(
      (set, { file: owner, row: symbol, receiver }) =>
        values.union(set, resultOn(ev, values.functionOf(owner.symbolNodes[symbol] ?? NO_NODE, receiver), receiver)),
      NOTHING,
    );
  const operand = operandOf.inner(file.facts.expressions, row);
  const left = operand < 0 ? NOTHING : ev.valueOf(file, operand);
  const isBuiltin = left !== NOTHING && values.members(left).every(value => values.kindOf(value) === VALUE.builtin);
  if (isBuiltin) return left;
  if (left === NOTHING) return ev.builtin(`${rules.family}.${rules.numberType}`);
  const method = rules.operatorMethod?.(text, operandOf.other(file.facts.expressions, row) === NONE);
  if (method === undefined) return SET_UNKNOWN;
  let answer = NOTHING;
  for (const value of values.members(left)) {
    const result = values.kindOf(value) === VALUE.instance ? methodResult(ev, value, method) : NOTHING;
    const otherwise = rules.pointers === true && values.kindOf(value) === VALUE.instance ? values.single(value) : SET_UNKNOWN;
    answer = values.union(answer, result === NOTHING ? otherwise : result);
  }
  return answer;
}
