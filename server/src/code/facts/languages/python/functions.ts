import { type BindingRow, type ExpressionRow, type FunctionRow, MODULE_SCOPE, NO_TEXT, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { openFunction } from '../../walk/frames';
import { docOf, firstLineOf, hashOf, signatureOf } from './describe';
import type { FileContext } from './fileContext';
import { nameModifiers } from './targets';
import { addType, type TypePlace } from './types/typeRows';
import { type Body, type Frame, lastName, type Walk } from './walk';

/** A `def` with what stands around it. */
export interface Definition {
  /** The `function_definition` or `class_definition`. */
  readonly node: SyntaxNode;
  /** The same with its decorators. */
  readonly outer: SyntaxNode;
  /** Expressions behind the `@`. */
  readonly decorators: readonly SyntaxNode[];
}

/** Methods whose first parameter is the class although no decorator says so. */
const CLASS_METHODS: ReadonlySet<string> = new Set(['__new__', '__init_subclass__', '__class_getitem__']);

const DECORATOR_MODIFIERS: ReadonlyMap<string, number> = new Map([
  ['staticmethod', MODIFIERS.static],
  ['classmethod', MODIFIERS.classMethod],
  ['property', MODIFIERS.property | MODIFIERS.getter],
  ['cached_property', MODIFIERS.property | MODIFIERS.getter],
  ['abstractproperty', MODIFIERS.property | MODIFIERS.getter | MODIFIERS.abstract],
  ['getter', MODIFIERS.property | MODIFIERS.getter],
  ['setter', MODIFIERS.property | MODIFIERS.setter],
  ['deleter', MODIFIERS.property | MODIFIERS.setter],
  ['abstractmethod', MODIFIERS.abstract],
  ['override', MODIFIERS.override],
]);

/** Declares a function or method and everything in it. `overloads` are earlier `@overload` signatures of the same name. */
export function declareFunction(walk: Walk, definition: Definition, frame: Frame, overloads: readonly Definition[]): void {
  const { file } = walk;
  const { builder } = file;
  const { node, outer, decorators } = definition;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const text = file.text(nameNode);
  const body = file.child(node, 'body');
  const bodyStart = body === NO_NODE ? file.reader.end(node) : file.reader.start(body);
  const flags = modifiersOf(file, node, text, decorators, frame);
  const isMethod = frame.kind === 'class';
  const symbol = builder.addSymbol({
    name: file.word(nameNode),
    kind: functionKind(isMethod, text),
    parent: frame.owner,
    modifiers: flags,
    start: file.reader.start(outer),
    end: file.reader.end(outer),
    nameStart: file.reader.start(nameNode),
    signature: signatureOf(file, file.reader.start(node), bodyStart),
    doc: body === NO_NODE ? NO_TEXT : docOf(file, body),
    firstLine: body === NO_NODE ? NO_TEXT : firstLineOf(file, body),
    hash: hashOf(file, file.reader.start(outer), file.reader.end(outer)),
  });
  if (isMethod && frame.class?.members.has(text) !== true) frame.class?.members.set(text, symbol);
  builder.addBinding({ scope: frame.body?.elsewhere.get(text) ?? frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  addDecorators(walk, decorators, symbol, frame);

  const { scope, row } = openFunction(file, frame.scope, symbol, flags & MODIFIERS.async);
  const place = annotationPlace(file, node, scope, frame, symbol);
  const receiver = isMethod && (flags & MODIFIERS.static) === 0 ? receiverKind(flags, text) : 'none';
  const parameters = addParameters(walk, file.child(node, 'parameters'), { frame, place, row, scope, receiver });
  const returnNode = file.child(node, 'return_type');
  const overloaded = overloads.map(each => overloadReturn(walk, each, place)).filter(type => type !== NONE);
  const returnType = returnNode === NO_NODE ? (overloaded.length === 0 ? NONE : file.either(overloaded)) : addType(file, returnNode, place);
  builder.set('functions', 'returnType', row, returnType);

  const inside: Body = { row, returns: [], yields: [], elsewhere: new Map(), decisions: { count: 0 }, parent: frame };
  const selfName = receiver === 'none' ? keptSelf(frame, parameters.names) : (parameters.names[0] ?? '');
  walk.run(body, { ...frame, scope, home: scope, kind: 'function', owner: symbol, body: inside, selfName, declared: new Map() });
  closeFunction(file, inside, symbol);
}

/** A signature that shares the symbol of its implementation: its types count as used by that, and its return type is given back. */
function overloadReturn(walk: Walk, definition: Definition, place: TypePlace): ExpressionRow {
  const { file } = walk;
  for (const parameter of file.children(file.child(definition.node, 'parameters'))) {
    const type = file.child(parameter, 'type');
    if (type !== NO_NODE) addType(file, type, place);
  }
  const type = file.child(definition.node, 'return_type');
  return type === NO_NODE ? NONE : addType(file, type, place);
}

/** A further signature of a symbol that exists: stub files have no implementation. */
export function addOverload(walk: Walk, symbol: SymbolRow, definition: Definition, frame: Frame): void {
  const { file } = walk;
  const { functions, symbols } = file.builder;
  const row = symbols.function[symbol] ?? NONE;
  const type = overloadReturn(walk, definition, { scope: frame.scope, owner: symbol, counts: true });
  const before = functions.returnType[row] ?? NONE;
  if (row !== NONE && type !== NONE) file.builder.set('functions', 'returnType', row, before === NONE ? type : file.either([before, type]));
}

/** A lambda; with a symbol it is the function of that name. */
export function addLambda(walk: Walk, node: SyntaxNode, frame: Frame, symbol: SymbolRow): ExpressionRow {
  const { file } = walk;
  const { scope, row } = openFunction(file, frame.scope, symbol);
  const own = symbol === NONE ? frame.owner : symbol;
  const receiver = symbol !== NONE && frame.kind === 'class' ? 'self' : 'none';
  const place: TypePlace = { scope: frame.scope, owner: own, counts: true };
  const { names } = addParameters(walk, file.child(node, 'parameters'), { frame, place, row, scope, receiver });
  const decisions = symbol === NONE && frame.body !== undefined ? frame.body.decisions : { count: 0 };
  const inside: Body = { row, returns: [], yields: [], elsewhere: new Map(), decisions, parent: frame };
  const inner: Frame = { ...frame, scope, home: scope, kind: 'function', owner: own, body: inside, selfName: keptSelf(frame, names), declared: new Map() };
  inside.returns.push(walk.value(file.child(node, 'body'), inner));
  closeFunction(file, inside, symbol);
  return file.row('function', row);
}

/** Symbol of a lambda bound to a name, at any level. */
export function declareLambda(walk: Walk, nameNode: SyntaxNode, statement: SyntaxNode, frame: Frame): SymbolRow {
  const { file } = walk;
  const [start, end] = [file.reader.start(statement), file.reader.end(statement)];
  const text = file.text(nameNode);
  const symbol = file.builder.addSymbol({
    name: file.word(nameNode),
    kind: frame.kind === 'class' ? 'method' : 'function',
    parent: frame.owner,
    modifiers: nameModifiers(text, frame),
    start,
    end,
    nameStart: file.reader.start(nameNode),
    signature: signatureOf(file, start, end),
    hash: hashOf(file, start, end),
  });
  file.builder.addBinding({ scope: frame.body?.elsewhere.get(text) ?? frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  return symbol;
}

/** A decorator is used by what it decorates; what its own expression calls is called from around it. */
export function addDecorators(walk: Walk, decorators: readonly SyntaxNode[], symbol: SymbolRow, frame: Frame): void {
  const { file } = walk;
  for (const decorator of decorators) {
    if (isAccessorDecorator(file, decorator)) continue;
    const row = walk.quiet(decorator, frame);
    const { name, at } = lastName(file, decorator);
    file.use('decorator', row, symbol, name, at);
  }
}

/** `@x.setter` names the property itself, not a decorator. */
function isAccessorDecorator(file: FileContext, decorator: SyntaxNode): boolean {
  return file.is(decorator, 'attribute') && /^(?:setter|getter|deleter)$/.test(file.text(file.child(decorator, 'attribute')));
}

function functionKind(isMethod: boolean, text: string): SymbolKind {
  if (!isMethod) return 'function';
  return text === '__init__' ? 'constructor' : 'method';
}

function modifiersOf(file: FileContext, node: SyntaxNode, text: string, decorators: readonly SyntaxNode[], frame: Frame): number {
  let flags = nameModifiers(text, frame);
  if (file.reader.hasChild(node, file.grammar.asyncToken)) flags |= MODIFIERS.async;
  const nameOf = (decorator: SyntaxNode): string => file.builder.strings[lastName(file, decorator).name] ?? '';
  // What tests are given may be called `test_apps`; nothing runs it as a test.
  if (/^test(?:_|$)/.test(text) && frame.kind !== 'function' && !decorators.some(decorator => nameOf(decorator) === 'fixture')) flags |= MODIFIERS.test;
  if (frame.kind !== 'class') return flags;
  for (const decorator of decorators) flags |= DECORATOR_MODIFIERS.get(nameOf(decorator)) ?? 0;
  return flags;
}

function receiverKind(flags: number, text: string): 'self' | 'cls' {
  return (flags & MODIFIERS.classMethod) !== 0 || CLASS_METHODS.has(text) ? 'cls' : 'self';
}

/** Inner functions still see the method's `self`, unless a parameter of theirs hides it. */
function keptSelf(frame: Frame, names: readonly string[]): string {
  return frame.kind === 'function' && !names.includes(frame.selfName) ? frame.selfName : '';
}

function closeFunction(file: FileContext, body: Body, symbol: SymbolRow): void {
  const { builder } = file;
  const isGenerator = body.yields.length > 0;
  builder.setReturns(body.row, isGenerator ? body.yields : body.returns);
  if (isGenerator) builder.set('functions', 'modifiers', body.row, (builder.functions.modifiers[body.row] ?? 0) | MODIFIERS.generator);
  if (symbol === NONE) return;
  builder.set('symbols', 'complexity', symbol, body.decisions.count + 1);
  if (isGenerator) builder.set('symbols', 'modifiers', symbol, (builder.symbols.modifiers[symbol] ?? 0) | MODIFIERS.generator);
}

/** With type parameters of its own, a function's annotations are read in its scope, else in the one around it. */
function annotationPlace(file: FileContext, node: SyntaxNode, scope: ScopeRow, frame: Frame, symbol: SymbolRow): TypePlace {
  const isGeneric = addTypeParameters(file, file.child(node, 'type_parameters'), scope, symbol);
  return { scope: isGeneric ? scope : frame.scope, owner: symbol, counts: true };
}

/** `def f[T: Bound]`, `class C[T]`, `type X[T]`; `list` is what stands in the brackets. */
export function addTypeParameters(file: FileContext, list: SyntaxNode, scope: ScopeRow, owner: SymbolRow): boolean {
  for (const parameter of file.children(list)) {
    const inner = file.reader.firstNamedChild(parameter);
    const [name, bound] = file.is(inner, 'constrained_type') ? file.children(inner) : [inner];
    const identifier = name === undefined ? NO_NODE : firstIdentifier(file, name);
    if (identifier === NO_NODE) continue;
    const type = bound === undefined ? NONE : addType(file, bound, { scope, owner, counts: true });
    file.builder.addBinding({ scope, name: file.word(identifier), kind: 'typeParameter', type });
  }
  return list !== NO_NODE;
}

function firstIdentifier(file: FileContext, node: SyntaxNode): SyntaxNode {
  for (let at = node; at < file.reader.after(node); at++) if (file.is(at, 'identifier')) return at;
  return NO_NODE;
}

interface ParameterPlace {
  readonly frame: Frame;
  readonly place: TypePlace;
  readonly row: FunctionRow;
  readonly scope: ScopeRow;
  readonly receiver: 'self' | 'cls' | 'none';
}

/** Bindings of the parameters in order, `self` included. Marks (`/`, `*`) take no place. */
function addParameters(walk: Walk, list: SyntaxNode, where: ParameterPlace): { readonly names: readonly string[] } {
  const { file } = walk;
  const rows: BindingRow[] = [];
  const names: string[] = [];
  for (const parameter of file.children(list)) {
    const nameNode = parameterName(file, parameter);
    if (nameNode === undefined) continue;
    const type = parameterType(file, parameter, where.place);
    const valueNode = file.child(parameter, 'value');
    const value = valueNode === NO_NODE ? NONE : walk.value(valueNode, where.frame);
    const isName = file.is(nameNode, 'identifier');
    names.push(isName ? file.text(nameNode) : '');
    if (!isName) {
      rows.push(NONE);
      continue;
    }
    const receiver = rows.length === 0 && file.is(parameter, 'identifier') ? where.receiver : 'none';
    const owner = where.frame.class;
    const row = receiver !== 'none' && owner !== undefined ? file.row('class', owner.symbol) : NONE;
    rows.push(
      file.builder.addBinding({
        scope: where.scope,
        name: file.word(nameNode),
        kind: receiver === 'none' ? 'parameter' : 'self',
        type: receiver === 'self' ? row : type,
        value: receiver === 'cls' ? row : value,
        function: where.row,
        position: rows.length,
      }),
    );
  }
  file.builder.setParameters(where.row, rows);
  return { names };
}

/** The identifier or pattern that a parameter binds; `undefined` for marks. */
function parameterName(file: FileContext, parameter: SyntaxNode): SyntaxNode | undefined {
  if (file.is(parameter, 'identifier') || file.is(parameter, 'tuple_pattern')) return parameter;
  if (file.is(parameter, 'default_parameter') || file.is(parameter, 'typed_default_parameter')) return file.child(parameter, 'name');
  const isSplat = file.is(parameter, 'list_splat_pattern') || file.is(parameter, 'dictionary_splat_pattern');
  if (!isSplat && !file.is(parameter, 'typed_parameter')) return undefined;
  const inner = file.reader.firstNamedChild(parameter);
  return file.is(inner, 'list_splat_pattern') || file.is(inner, 'dictionary_splat_pattern') ? file.reader.firstNamedChild(inner) : inner;
}

/** `*args: T` is an array of T; `**kwargs: T` is a `dict[str, T]`. */
function parameterType(file: FileContext, parameter: SyntaxNode, place: TypePlace): ExpressionRow {
  const node = file.child(parameter, 'type');
  const type = node === NO_NODE ? NONE : addType(file, node, place);
  const inner = node === NO_NODE ? parameter : file.reader.firstNamedChild(parameter);
  if (file.is(inner, 'list_splat_pattern')) return file.row('arrayType', type);
  if (type === NONE || !file.is(inner, 'dictionary_splat_pattern')) return type;
  const names = ['dict', 'str'].map(text => file.row('name', MODULE_SCOPE, NONE, file.builder.intern(text)));
  return file.row('generic', names[0] ?? NONE, NONE, NO_TEXT, [names[1] ?? NONE, type]);
}
