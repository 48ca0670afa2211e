import { type ExpressionRow, NO_TEXT, type StringIndex } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { argumentNodes, constantOf, isConstant, lastPart } from '../names';
import type { Frame, Walk } from '../walk';
import { argumentRows } from './arguments';

/** `raise E, "text"`, `raise E.new(…)`, `raise`. */
export function raiseCall(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const [first, ...rest] = argumentNodes(file, node);
  if (first !== undefined && isConstant(file, first)) {
    const { name, at } = lastPart(file, first);
    file.use('raise', constantOf(walk, first, frame), frame.owner, name, at);
  } else if (first !== undefined) {
    const row = walk.value(first, frame);
    const thrown = raisedName(walk, first);
    if (thrown.name !== 0) file.use('raise', row, frame.owner, thrown.name, thrown.at);
  }
  argumentRows(walk, rest, frame);
  return file.literal('null');
}

/** Name of the class of `E.new(…)`, or of the variable or method that gives the error. */
function raisedName(walk: Walk, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  const { file } = walk;
  if (file.is(node, 'identifier', 'instance_variable')) return lastPart(file, node);
  if (!file.is(node, 'call')) return { name: NO_TEXT, at: 0 };
  const receiver = file.child(node, 'receiver');
  if (isConstant(file, receiver) && file.text(file.child(node, 'method')) === 'new') return lastPart(file, receiver);
  const name = file.child(node, 'method');
  return name === NO_NODE ? { name: NO_TEXT, at: 0 } : lastPart(file, name);
}
