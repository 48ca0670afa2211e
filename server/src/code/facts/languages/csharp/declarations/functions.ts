import { type BindingRow, type FunctionRow, NONE, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { openFunction } from '../../../walk/frames';
import { bindTypeParameters, typeRow } from '../types';
import { type Body, type CsharpFile, type Frame, signatureStart, type Walk } from '../walk';
import { addAttributes } from './attributes';

/** A method, constructor, operator or local function as its grammar node says it. */
export interface Callable {
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  /** Interned name when it is not the text of `nameNode`. */
  readonly name?: StringIndex;
  readonly kind: SymbolKind;
  readonly parent: SymbolRow;
  readonly modifiers: number;
  /** Syntax of the declared result, `NO_NODE` for constructors. */
  readonly returns: SyntaxNode;
}

/** Declares a callable with everything in it; gives its symbol. `before` runs inside the function ahead of the body (`: base(…)`). */
export function declareCallable(walk: Walk, callable: Callable, frame: Frame, before?: (inner: Frame) => void): SymbolRow {
  const { file } = walk;
  const { builder } = file;
  const { node } = callable;
  const body = file.child(node, 'body');
  const symbol = file.declare({
    node,
    signatureFrom: signatureStart(file, node),
    nameNode: callable.nameNode,
    ...(callable.name === undefined ? {} : { name: callable.name }),
    kind: callable.kind,
    parent: callable.parent,
    modifiers: callable.modifiers | (body === NO_NODE ? MODIFIERS.declared : 0),
    body,
  });
  const { row, scope } = openFunction(file, frame.scope, symbol, callable.modifiers & MODIFIERS.async);
  const own: Body = { row, returns: [], yields: [], decisions: { count: 0 }, returnType: resultType(file, callable.returns, callable.modifiers) };
  const inner: Frame = { scope, owner: symbol, body: own, type: NONE, namespace: frame.namespace };
  addAttributes(walk, node, symbol, { ...frame, owner: symbol });
  bindTypeParameters(walk, node, typeParameterList(file, node), inner);
  builder.set('functions', 'returnType', row, typeRow(walk, callable.returns, inner));
  const extended = bindParameters(walk, file.child(node, 'parameters'), inner, row);
  if (extended !== NONE) builder.set('symbols', 'receiver', symbol, builder.bindings.type[extended] ?? NONE);
  before?.(inner);
  runBody(walk, body, inner, own);
  finishBody(file, own, symbol);
  if (body !== NO_NODE) builder.set('symbols', 'complexity', symbol, own.decisions.count + 1);
  return symbol;
}

function typeParameterList(file: CsharpFile, node: SyntaxNode): SyntaxNode {
  const field = file.child(node, 'type_parameters');
  return field === NO_NODE ? file.childOf(node, 'type_parameter_list') : field;
}

/** What `return new()` makes: the declared result, of an async method what its task gives. */
export function resultType(file: CsharpFile, returns: SyntaxNode, modifiers: number): SyntaxNode {
  if ((modifiers & MODIFIERS.async) === 0 || !file.is(returns, 'generic_name')) return returns;
  return file.children(file.childOf(returns, 'type_argument_list'))[0] ?? NO_NODE;
}

/** Statements of a block, or the expression behind `=>`. */
export function runBody(walk: Walk, body: SyntaxNode, inner: Frame, own: Body): void {
  const { file } = walk;
  if (body === NO_NODE) return;
  if (file.is(body, 'block')) walk.run(body, inner);
  else if (file.is(body, 'arrow_expression_clause')) own.returns.push(walk.value(file.first(body), inner, own.returnType));
  else own.returns.push(walk.value(body, inner, own.returnType));
}

export function finishBody(file: CsharpFile, body: Body, symbol: SymbolRow): void {
  const { builder } = file;
  const isGenerator = body.yields.length > 0;
  builder.setReturns(body.row, isGenerator ? body.yields : body.returns);
  if (!isGenerator) return;
  builder.set('functions', 'modifiers', body.row, (builder.functions.modifiers[body.row] ?? 0) | MODIFIERS.generator);
  if (symbol !== NONE) builder.set('symbols', 'modifiers', symbol, (builder.symbols.modifiers[symbol] ?? 0) | MODIFIERS.generator);
}

/**
 * Bindings of the parameters in order. `params T[] x` stands in the list without a node of its own.
 * Gives the binding of `this T x` in front, which is no parameter of the member that it makes of an extension method, or `NONE`.
 */
export function bindParameters(walk: Walk, list: SyntaxNode, frame: Frame, functionRow: FunctionRow): BindingRow {
  if (list === NO_NODE) return NONE;
  const { file } = walk;
  const { kind, field } = file.grammar;
  const { reader } = file;
  const rows: BindingRow[] = [];
  let extended: BindingRow = NONE;
  let restType = NO_NODE;
  const bind = (typeNode: SyntaxNode, nameNode: SyntaxNode): BindingRow => bindParameter(walk, typeNode, nameNode, frame, functionRow, rows.length);
  const end = file.is(list, 'implicit_parameter') ? list : reader.after(list);
  if (end === list) rows.push(bind(NO_NODE, list));
  for (let child = syntaxNode(list + 1); child < end; child = reader.after(child)) {
    if (reader.kind(child) === kind.parameter) {
      addAttributes(walk, child, NONE, frame);
      const binding = bind(file.child(child, 'type'), file.child(child, 'name'));
      if (rows.length === 0 && extended === NONE && hasModifier(file, child, 'this')) extended = binding;
      else rows.push(binding);
      defaultValue(walk, child, binding, frame);
    } else if (reader.field(child) === field.type) restType = child;
    else if (reader.field(child) === field.name) {
      rows.push(bind(restType, child));
      markVariadic(file, frame.owner, functionRow);
    }
  }
  file.builder.setParameters(functionRow, rows);
  return extended;
}

function bindParameter(walk: Walk, typeNode: SyntaxNode, nameNode: SyntaxNode, frame: Frame, functionRow: FunctionRow, position: number): BindingRow {
  const { file } = walk;
  const type = typeRow(walk, typeNode, frame);
  if (nameNode === NO_NODE) return NONE;
  return file.builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'parameter', type, function: functionRow, position });
}

function hasModifier(file: CsharpFile, node: SyntaxNode, text: string): boolean {
  return file.children(node).some(child => file.is(child, 'modifier') && file.text(child) === text);
}

/** The value says that the parameter may be left out. */
function defaultValue(walk: Walk, parameter: SyntaxNode, binding: BindingRow, frame: Frame): void {
  const { file, token } = walk;
  if (hasModifier(file, parameter, 'params')) markVariadic(file, frame.owner, file.builder.bindings.function[binding] ?? NONE);
  if (file.reader.childByKind(parameter, token.assign) === NO_NODE) return;
  const value = walk.value(file.last(parameter), frame, file.child(parameter, 'type'));
  if (binding !== NONE) file.builder.set('bindings', 'value', binding, value);
}

function markVariadic(file: CsharpFile, symbol: SymbolRow, functionRow: FunctionRow): void {
  const { symbols } = file.builder;
  if (symbol !== NONE && symbols.function[symbol] === functionRow)
    file.builder.set('symbols', 'modifiers', symbol, (symbols.modifiers[symbol] ?? 0) | MODIFIERS.variadic);
}

/** Row of a function without a name: a lambda, an anonymous method, an accessor. */
export function addAnonymous(walk: Walk, frame: Frame, modifiers: number, returnType: SyntaxNode): { readonly inner: Frame; readonly own: Body } {
  const { row, scope } = openFunction(walk.file, frame.scope, NONE, modifiers & MODIFIERS.async);
  const own: Body = { row, returns: [], yields: [], decisions: frame.body?.decisions ?? { count: 0 }, returnType };
  return { inner: { ...frame, scope, body: own, type: NONE }, own };
}
