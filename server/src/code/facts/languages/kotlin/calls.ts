import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { typePlace } from '../../walk/frames';
import type { KotlinFile } from './grammar';
import { typeArguments } from './types';
import type { Frame, Walk } from './walk';

/** Values of the arguments in a list, without their names. */
export function argumentNodes(file: KotlinFile, list: SyntaxNode): SyntaxNode[] {
  return file.children(list).map(argument => (file.is(argument, 'value_argument') ? file.reader.lastNamedChild(argument) : argument));
}

/** `f<X>(a, b) { … }`: a lambda behind the parentheses is the last argument. */
export function callValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  let callee = file.reader.firstNamedChild(node);
  const parts = file.children(node);
  const lambdas = parts.filter(part => file.is(part, 'annotated_lambda'));
  let list = file.childOf(node, 'value_arguments');
  let given = file.childOf(node, 'type_arguments');
  if (list === NO_NODE && lambdas.length > 0 && file.is(callee, 'call_expression') && file.childOf(callee, 'annotated_lambda') === NO_NODE) {
    list = file.childOf(callee, 'value_arguments');
    given = file.childOf(callee, 'type_arguments');
    callee = file.reader.firstNamedChild(callee);
  }
  const types = typeArguments(file, given, typePlace(frame));
  const nodes = argumentNodes(file, list);
  for (const lambda of lambdas) nodes.push(file.childOf(lambda, 'lambda_literal'));
  return addCall(walk, { callee, types, nodes }, frame);
}

interface Call {
  readonly callee: SyntaxNode;
  readonly types: readonly ExpressionRow[];
  /** Argument nodes. */
  readonly nodes: readonly SyntaxNode[];
}

export function addCall(walk: Walk, call: Call, frame: Frame): ExpressionRow {
  const { file } = walk;
  const { row, name, at } = calleeRow(walk, call.callee, frame);
  const generic = call.types.length === 0 ? NONE : file.row('generic', row, NONE, NO_TEXT, call.types);
  const args = call.nodes.map(node => walk.value(node, frame));
  const made = file.row('call', row, generic, NO_TEXT, args);
  if (name !== 0) file.use('call', made, frame.owner, name, at);
  return made;
}

/** What is called, without a read of it. */
function calleeRow(walk: Walk, node: SyntaxNode, frame: Frame): { readonly row: ExpressionRow; readonly name: StringIndex; readonly at: number } {
  const { file } = walk;
  if (file.is(node, 'identifier')) {
    const name = file.word(node);
    return { row: nameOfCallee(walk, name, frame), name, at: file.reader.start(node) };
  }
  if (file.is(node, 'navigation_expression')) {
    const nameNode = file.reader.lastNamedChild(node);
    if (file.is(nameNode, 'identifier')) {
      const name = file.word(nameNode);
      const row = file.row('member', walk.value(file.reader.firstNamedChild(node), frame), NONE, name);
      return { row, name, at: file.reader.start(nameNode) };
    }
  }
  if (file.is(node, 'parenthesized_expression') && file.is(file.reader.firstNamedChild(node), 'identifier')) {
    return calleeRow(walk, file.reader.firstNamedChild(node), frame);
  }
  return { row: walk.value(node, frame), name: NO_TEXT, at: file.reader.start(node) };
}

/** A local of that name does not hide a function unless it can be called: both are said. */
export function nameOfCallee(walk: Walk, name: StringIndex, frame: Frame): ExpressionRow {
  const { file } = walk;
  const near = file.row('name', frame.scope, NONE, name);
  const outside = frame.type?.scope ?? MODULE_SCOPE;
  if (!walk.locals.has(name) || outside === frame.scope) return near;
  return file.row('either', NONE, NONE, NO_TEXT, [near, file.row('name', outside, NONE, name)]);
}
