import { type ExpressionRow, NONE } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { addAnonymous, bindParameters, finishBody, runBody } from '../declarations/functions';
import { marksOf } from '../declarations/modifiers';
import { typeRow } from '../types';
import type { Frame, Walk } from '../walk';

/** `x => …`, `async (a, b) => { … }` */
export function lambdaValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  return functionRow(walk, node, file.child(node, 'parameters'), file.child(node, 'body'), frame);
}

/** `delegate (A a) { … }` */
export function anonymousMethod(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  return functionRow(walk, node, file.child(node, 'parameters'), file.childOf(node, 'block'), frame);
}

function functionRow(walk: Walk, node: SyntaxNode, parameters: SyntaxNode, body: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const returns = file.child(node, 'type');
  const { inner, own } = addAnonymous(walk, frame, marksOf(file, node).bits & MODIFIERS.async, returns);
  if (returns !== NO_NODE) file.builder.set('functions', 'returnType', own.row, typeRow(walk, returns, inner));
  bindParameters(walk, parameters, inner, own.row);
  const row = file.row('function', own.row);
  runBody(walk, body, inner, own);
  finishBody(file, own, NONE);
  return row;
}
