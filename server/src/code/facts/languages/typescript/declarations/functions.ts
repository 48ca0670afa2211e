/** Functions of every form: scope, parameters, returns, complexity. */
import { type BindingRow, type ExpressionRow, type FunctionRow, NONE, operatorCode, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { functionDoc } from '../jsdoc/comments';
import { readPattern } from '../patterns';
import { readBlock } from '../statements/blocks';
import { annotation, bindTypeParameters } from '../types';
import type { Walk } from '../walk';
import { readDecorators } from './decorators';

export interface FunctionDraft {
  readonly node: SyntaxNode;
  /** Symbol it belongs to, `NONE` for an anonymous callback. */
  readonly symbol: SymbolRow;
  /** Arrows see the `this` of their surroundings. */
  readonly isArrow?: boolean;
  /** Class symbol whose parameter properties become fields. */
  readonly constructorOf?: SymbolRow;
  /** A named function expression's own name, bound inside it. */
  readonly selfName?: StringIndex;
  /** Offset that the doc comment ends at. */
  readonly docAnchor?: number;
}

/** Reads a function's parameters and body and returns its row. Complexity of anonymous functions counts for what holds them. */
export function readFunction(walk: Walk, draft: FunctionDraft): FunctionRow {
  const { builder } = walk;
  const { node, symbol } = draft;
  const functionRow = builder.addFunction({ symbol, scope: NONE, modifiers: functionModifiers(walk, node) });
  const scope = builder.addScope('function', walk.scope, symbol, functionRow);
  builder.set('functions', 'scope', functionRow, scope);
  const named = symbol !== NONE;
  if (named && builder.symbols.function[symbol] === NONE) {
    builder.set('symbols', 'function', symbol, functionRow);
    builder.set('symbols', 'scope', symbol, scope);
  }
  const outerComplexity = walk.complexity;
  walk.complexity = named ? 1 : 0;
  walk.within(() => {
    walk.enter(scope);
    walk.hoisting = scope;
    walk.functionRow = functionRow;
    walk.returns = [];
    if (draft.isArrow !== true) walk.thisScope = scope;
    if (named) walk.enterSymbol(symbol);
    if (draft.selfName !== undefined) builder.addBinding({ scope, name: draft.selfName, kind: 'symbol', symbol, value: functionValue(walk, functionRow) });
    readSignature(walk, draft, functionRow);
    readBody(walk, node);
    builder.setReturns(functionRow, walk.returns);
  });
  if (named) builder.set('symbols', 'complexity', symbol, walk.complexity);
  walk.complexity = outerComplexity + (named ? 0 : walk.complexity);
  return functionRow;
}

export function functionValue(walk: Walk, functionRow: FunctionRow): ExpressionRow {
  return walk.row(operatorCode.function, functionRow);
}

/** A function with the overload signatures before it: their rows come right before its own. */
export function readOverloaded(walk: Walk, draft: FunctionDraft): FunctionRow {
  const { builder, overloads } = walk;
  if (overloads.length === 0) return readFunction(walk, draft);
  walk.overloads = [];
  const rows = overloads.map(node => builder.addFunction({ symbol: draft.symbol, scope: NONE, modifiers: functionModifiers(walk, node) }));
  const functionRow = readFunction(walk, draft);
  overloads.forEach((node, index) => readBodiless(walk, node, draft.symbol, rows[index]));
  return functionRow;
}

/** Declaration without a body: overloads, ambient functions, abstract methods, members of interfaces. */
export function readBodiless(walk: Walk, node: SyntaxNode, symbol: SymbolRow, row?: FunctionRow): FunctionRow {
  const { builder } = walk;
  const functionRow = row ?? builder.addFunction({ symbol, scope: NONE, modifiers: functionModifiers(walk, node) });
  const scope = builder.addScope('function', walk.scope, symbol, functionRow);
  builder.set('functions', 'scope', functionRow, scope);
  if (builder.symbols.function[symbol] === NONE) {
    builder.set('symbols', 'function', symbol, functionRow);
    builder.set('symbols', 'scope', symbol, scope);
  }
  walk.within(() => {
    walk.enter(scope);
    walk.hoisting = scope;
    walk.functionRow = functionRow;
    walk.owner = symbol;
    walk.container = symbol;
    readSignature(walk, { node, symbol }, functionRow);
  });
  if (builder.symbols.complexity[symbol] === 0) builder.set('symbols', 'complexity', symbol, 1);
  return functionRow;
}

function readSignature(walk: Walk, draft: FunctionDraft, functionRow: FunctionRow): void {
  const { builder, kinds } = walk;
  const { node } = draft;
  bindTypeParameters(walk, node);
  const doc = walk.isTyped ? undefined : functionDoc(walk, draft.docAnchor ?? walk.reader.start(node));
  const parameters: BindingRow[] = [];
  const single = walk.child(node, kinds.field.parameter);
  const list = walk.child(node, kinds.field.parameters);
  const nodes = single !== NO_NODE ? [single] : list === NO_NODE ? [] : walk.reader.namedChildren(list);
  for (const parameter of nodes) {
    if (walk.kind[parameter] === kinds.node.comment) continue;
    if (isThisParameter(walk, parameter)) continue;
    parameters.push(readParameter(walk, draft, parameter, functionRow, parameters.length, doc?.parameters));
  }
  builder.setParameters(functionRow, parameters);
  const declared = annotation(walk, node, kinds.field.return_type);
  builder.set('functions', 'returnType', functionRow, declared === NONE ? (doc?.returns ?? NONE) : declared);
}

/** `this: T` is no parameter; it says what `this` is. */
function isThisParameter(walk: Walk, node: SyntaxNode): boolean {
  const pattern = walk.child(node, walk.kinds.field.pattern);
  if (pattern === NO_NODE || walk.kind[pattern] !== walk.kinds.node.this) return false;
  const type = annotation(walk, node, walk.kinds.field.type);
  walk.builder.addBinding({ scope: walk.scope, name: walk.builder.intern('this'), kind: 'self', type });
  return true;
}

/** Returns the parameter's binding, `NONE` for a pattern. */
function readParameter(
  walk: Walk,
  draft: FunctionDraft,
  node: SyntaxNode,
  functionRow: FunctionRow,
  position: number,
  documented: ReadonlyMap<string, ExpressionRow> | undefined,
): BindingRow {
  const { builder, kinds, reader } = walk;
  const isWrapped = walk.kind[node] === kinds.node.required_parameter || walk.kind[node] === kinds.node.optional_parameter;
  if (isWrapped) readDecorators(walk, node, draft.symbol);
  let pattern = isWrapped ? walk.child(node, kinds.field.pattern) : node;
  let fallback = isWrapped ? walk.child(node, kinds.field.value) : NO_NODE;
  if (pattern !== NO_NODE && walk.kind[pattern] === kinds.node.assignment_pattern) {
    fallback = walk.child(pattern, kinds.field.right);
    pattern = walk.child(pattern, kinds.field.left);
  }
  let type = isWrapped ? annotation(walk, node, kinds.field.type) : NONE;
  if (pattern === NO_NODE) return NONE;
  const isRest = walk.kind[pattern] === kinds.node.rest_pattern;
  const target = isRest ? reader.firstNamedChild(pattern) : pattern;
  if (target === NO_NODE) return NONE;
  const value = fallback === NO_NODE ? NONE : walk.value(fallback);
  if (walk.kind[target] === kinds.node.identifier) {
    const name = walk.nameOf(target);
    if (type === NONE) type = documented?.get(reader.text(target)) ?? NONE;
    const binding = builder.addBinding({ scope: walk.scope, name, kind: 'parameter', type, value, function: functionRow, position });
    if (draft.constructorOf !== undefined && isWrapped) readParameterProperty(walk, draft.constructorOf, node, target, type);
    return binding;
  }
  const source = type === NONE ? (value === NONE ? walk.unknown : value) : walk.row(operatorCode.valueOfType, type);
  readPattern(walk, target, source, (leaf, part) => {
    builder.addBinding({ scope: walk.scope, name: walk.nameOf(leaf), kind: 'parameter', value: part, function: functionRow, position });
  });
  return NONE;
}

/** `constructor(private readonly x: T)` declares a field. */
function readParameterProperty(walk: Walk, classSymbol: SymbolRow, node: SyntaxNode, nameNode: SyntaxNode, type: ExpressionRow): void {
  const { builder, kinds, reader } = walk;
  const modifiers = memberModifiers(walk, node);
  const marks = MODIFIERS.private | MODIFIERS.protected | MODIFIERS.readonly | MODIFIERS.override;
  const isProperty = (modifiers & marks) !== 0 || reader.hasChild(node, kinds.node.accessibility_modifier);
  if (!isProperty) return;
  const name = walk.nameOf(nameNode);
  builder.addSymbol({
    name,
    kind: 'field',
    parent: classSymbol,
    modifiers,
    start: reader.start(node),
    end: reader.end(node),
    nameStart: reader.start(nameNode),
    type,
    value: walk.name(name),
    signature: builder.intern(reader.text(node).replace(/\s+/g, ' ').slice(0, 300)),
  });
}

function readBody(walk: Walk, node: SyntaxNode): void {
  const body = walk.child(node, walk.kinds.field.body);
  if (body === NO_NODE) return;
  if (walk.kind[body] === walk.kinds.node.statement_block) readBlock(walk, body);
  else walk.returns.push(walk.value(body));
}

function functionModifiers(walk: Walk, node: SyntaxNode): number {
  return memberModifiers(walk, node) & (MODIFIERS.async | MODIFIERS.generator);
}

const ACCESS: Readonly<Record<string, number>> = { private: MODIFIERS.private, protected: MODIFIERS.protected, public: 0 };

/** Modifier words and marks among a declaration's own children, up to its name's value or body. */
export function memberModifiers(walk: Walk, node: SyntaxNode): number {
  const { reader, kinds } = walk;
  const { token } = kinds;
  const { node: named } = kinds;
  let modifiers = walk.kind[node] === named.generator_function || walk.kind[node] === named.generator_function_declaration ? MODIFIERS.generator : 0;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    const kind = walk.kind[child] ?? 0;
    if (kind === named.formal_parameters || kind === token['=']) break;
    if (kind === token.async) modifiers |= MODIFIERS.async;
    else if (kind === token.static) modifiers |= MODIFIERS.static;
    else if (kind === token.abstract) modifiers |= MODIFIERS.abstract;
    else if (kind === token.readonly) modifiers |= MODIFIERS.readonly;
    else if (kind === token.declare) modifiers |= MODIFIERS.declared;
    else if (kind === token.get) modifiers |= MODIFIERS.getter | MODIFIERS.property;
    else if (kind === token.set) modifiers |= MODIFIERS.setter | MODIFIERS.property;
    else if (kind === token['*']) modifiers |= MODIFIERS.generator;
    else if (kind === token['?']) modifiers |= MODIFIERS.optional;
    else if (kind === named.override_modifier && kind !== 0) modifiers |= MODIFIERS.override;
    else if (kind === named.accessibility_modifier && kind !== 0) modifiers |= ACCESS[reader.text(child)] ?? 0;
    else if (kind === named.private_property_identifier) modifiers |= MODIFIERS.private;
  }
  return modifiers;
}
