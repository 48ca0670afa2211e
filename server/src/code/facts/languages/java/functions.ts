import { type BindingRow, type ExpressionRow, type FunctionRow, NONE, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { type FunctionBody, type OpenFunction, openFunction, typePlace } from '../../walk/frames';
import type { JavaFile } from './grammar';
import { addDeclaredType, addType, addTypeParameters, lastTypeName } from './types';
import type { Frame, Walk } from './walk';

/** Type parameters, return type and parameters of a method or constructor. */
export function addSignature(walk: Walk, node: SyntaxNode, open: OpenFunction, frame: Frame, parameters: SyntaxNode): void {
  const { file } = walk;
  const owner = file.builder.functions.symbol[open.row] ?? NONE;
  addTypeParameters(file, file.child(node, 'type_parameters'), open.scope, owner);
  const place = { scope: open.scope, owner, use: 'type' } as const;
  const type = addDeclaredType(file, file.child(node, 'type'), file.child(node, 'dimensions'), place);
  file.builder.set('functions', 'returnType', open.row, type);
  addParameters(walk, parameters, open, { ...frame, scope: open.scope, owner });
  for (const thrown of file.children(file.childOf(node, 'throws'))) addType(file, thrown, place);
}

/** Bindings of the parameters in order; `T...` is an array of T. */
export function addParameters(walk: Walk, list: SyntaxNode, open: OpenFunction, frame: Frame): void {
  const { file } = walk;
  const rows: BindingRow[] = [];
  for (const parameter of file.children(list)) {
    if (file.is(parameter, 'identifier')) rows.push(addParameter(file, parameter, NONE, open, rows.length));
    else if (file.is(parameter, 'formal_parameter', 'spread_parameter')) {
      const { nameNode, type } = declaredParameter(file, parameter, frame);
      if (file.is(parameter, 'spread_parameter')) markVariadic(file, open.row);
      else walk.value(file.childOf(parameter, 'modifiers'), frame);
      rows.push(addParameter(file, nameNode, type, open, rows.length));
    }
  }
  file.builder.setParameters(open.row, rows);
}

/** Name and type of `T t`, `T t[]`, `T... t`. */
export function declaredParameter(file: JavaFile, parameter: SyntaxNode, frame: Frame): { readonly nameNode: SyntaxNode; readonly type: ExpressionRow } {
  if (!file.is(parameter, 'spread_parameter')) {
    const type = addDeclaredType(file, file.child(parameter, 'type'), file.child(parameter, 'dimensions'), typePlace(frame));
    return { nameNode: file.child(parameter, 'name'), type };
  }
  const typeNode = file.children(parameter).find(child => !file.is(child, 'modifiers', 'annotation', 'marker_annotation', 'variable_declarator'));
  const item = addType(file, typeNode ?? NO_NODE, typePlace(frame));
  return { nameNode: file.child(file.childOf(parameter, 'variable_declarator'), 'name'), type: file.row('arrayType', item) };
}

/** Marks the function of a parameter list that ends with `T...`. */
function markVariadic(file: JavaFile, row: FunctionRow): void {
  const symbol = file.builder.functions.symbol[row] ?? NONE;
  if (symbol !== NONE) file.builder.set('symbols', 'modifiers', symbol, (file.builder.symbols.modifiers[symbol] ?? 0) | MODIFIERS.variadic);
}

function addParameter(file: JavaFile, nameNode: SyntaxNode, type: ExpressionRow, open: OpenFunction, position: number): BindingRow {
  if (!file.is(nameNode, 'identifier')) return NONE;
  return file.builder.addBinding({ scope: open.scope, name: file.word(nameNode), kind: 'parameter', type, function: open.row, position });
}

/** Runs the body of a method or constructor. */
export function runBody(walk: Walk, node: SyntaxNode, open: OpenFunction, symbol: SymbolRow, frame: Frame): void {
  const { builder } = walk.file;
  const body: FunctionBody = { row: open.row, returns: [], decisions: { count: 0 } };
  if (node !== NO_NODE) walk.run(node, { ...frame, scope: open.scope, owner: symbol, body, yields: undefined });
  builder.setReturns(open.row, body.returns);
  builder.set('symbols', 'complexity', symbol, body.decisions.count + 1);
}

/** `x -> value`, `(A a, B b) -> { … }`. */
export function lambdaValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const open = openFunction(file, frame.scope, NONE);
  const decisions = frame.body?.decisions ?? { count: 0 };
  const body: FunctionBody = { row: open.row, returns: [], decisions };
  const inside: Frame = { ...frame, scope: open.scope, body, yields: undefined };
  const parameters = file.child(node, 'parameters');
  if (file.is(parameters, 'identifier')) file.builder.setParameters(open.row, [addParameter(file, parameters, NONE, open, 0)]);
  else addParameters(walk, parameters, open, inside);
  const code = file.child(node, 'body');
  if (file.is(code, 'block')) walk.run(code, inside);
  else body.returns.push(walk.value(code, inside));
  file.builder.setReturns(open.row, body.returns);
  return file.row('function', open.row);
}

/**
 * `A::b` is the member as a value, `A::new` the class itself. Passing a method on counts as calling it: the function that it becomes
 * has no body of its own.
 */
export function methodReference(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const children = file.children(node).filter(child => !file.is(child, 'type_arguments'));
  const [object] = children;
  const name = children.length > 1 ? (children[children.length - 1] ?? NO_NODE) : NO_NODE;
  if (object === undefined) return file.unknown();
  const isType = file.is(object, 'generic_type', 'array_type', 'scoped_type_identifier', 'type_identifier', 'annotated_type', 'integral_type');
  const base = isType ? addType(file, object, typePlace(frame)) : walk.value(object, frame);
  if (base === NONE) return file.unknown();
  if (!file.is(name, 'identifier')) {
    if (!file.is(object, 'array_type', 'integral_type')) {
      const made = lastTypeName(file, object);
      file.use('new', file.row('new', base), frame.owner, made.name, made.at);
    }
    return base;
  }
  const row = file.row('member', base, NONE, file.word(name));
  file.use('call', file.row('call', row), frame.owner, file.word(name), file.reader.start(name));
  return row;
}
