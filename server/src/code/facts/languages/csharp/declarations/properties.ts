import { type ExpressionRow, NONE } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { typeRow } from '../types';
import { INDEXER } from '../values/members';
import { type CsharpFile, type Frame, signatureStart, type Walk } from '../walk';
import { addAttributes } from './attributes';
import { addAnonymous, bindParameters, finishBody, runBody } from './functions';
import { memberModifiers } from './members';
import { marksOf, withVisibility } from './modifiers';
import { isInterface } from './types';

/** Fields, constants and events: one symbol for each declarator. */
export function declareFields(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const declaration = file.childOf(node, 'variable_declaration');
  const { bits, isConst } = marksOf(file, node);
  const modifiers = withVisibility(bits, isInterface(file, frame.type));
  const typeNode = file.child(declaration, 'type');
  const declarators = file.children(declaration).filter(child => file.is(child, 'variable_declarator'));
  let type: ExpressionRow = NONE;
  declarators.forEach((declarator, index) => {
    const nameNode = file.child(declarator, 'name');
    if (nameNode === NO_NODE) return;
    const whole = declarators.length === 1 ? node : declarator;
    const symbol = file.declare({
      node: whole,
      signatureFrom: signatureStart(file, whole),
      nameNode,
      kind: isConst ? 'constant' : 'field',
      parent: frame.type,
      modifiers,
      docNode: node,
    });
    const inner: Frame = { ...frame, owner: symbol };
    if (index === 0) {
      addAttributes(walk, node, symbol, inner);
      type = typeRow(walk, typeNode, inner);
    }
    file.builder.set('symbols', 'type', symbol, type);
    const value = initializerOf(file, declarator);
    if (value !== NO_NODE) file.builder.set('symbols', 'value', symbol, walk.value(value, inner, typeNode));
  });
}

/** The expression behind `=` in a declarator. */
export function initializerOf(file: CsharpFile, declarator: SyntaxNode): SyntaxNode {
  const last = file.children(declarator).at(-1) ?? NO_NODE;
  const isTarget = last === file.child(declarator, 'name') || file.is(last, 'tuple_pattern', 'bracketed_argument_list');
  return isTarget ? NO_NODE : last;
}

/** Properties, events with accessors, indexers: the code of the accessors belongs to the one symbol. */
export function declareProperty(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const isIndexer = file.is(node, 'indexer_declaration');
  const nameNode = isIndexer ? indexerKeyword(file, node) : file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const accessors = file.child(node, 'accessors');
  const value = file.child(node, 'value');
  const modifiers = memberModifiers(walk, node, frame) | MODIFIERS.property;
  const symbol = file.declare({
    node,
    signatureFrom: signatureStart(file, node),
    nameNode,
    ...(isIndexer ? { name: builder.intern(INDEXER) } : {}),
    kind: 'property',
    parent: frame.type,
    modifiers,
    body: accessors === NO_NODE ? value : accessors,
  });
  const decisions = { count: 0 };
  const typeNode = file.child(node, 'type');
  const inner: Frame = { ...frame, owner: symbol, body: { row: NONE, returns: [], yields: [], decisions, returnType: typeNode } };
  addAttributes(walk, node, symbol, inner);
  const type = typeRow(walk, typeNode, inner);
  builder.set('symbols', 'type', symbol, type);
  const place = { typeNode, type, parameters: file.child(node, 'parameters') };
  let hasCode = file.is(value, 'arrow_expression_clause');
  if (hasCode) accessor(walk, value, false, inner, place);
  else if (value !== NO_NODE) builder.set('symbols', 'value', symbol, walk.value(value, inner, typeNode));
  for (const each of file.children(accessors)) {
    const body = file.child(each, 'body');
    if (body === NO_NODE) continue;
    hasCode = true;
    accessor(walk, body, file.text(file.child(each, 'name')) !== 'get', inner, place);
  }
  if (hasCode) builder.set('symbols', 'complexity', symbol, decisions.count + 1);
}

interface Place {
  readonly typeNode: SyntaxNode;
  readonly type: ExpressionRow;
  /** Parameters of an indexer, `NO_NODE` for others. */
  readonly parameters: SyntaxNode;
}

/** A setter, `init`, `add` or `remove` has the parameter `value`. */
function accessor(walk: Walk, body: SyntaxNode, takesValue: boolean, frame: Frame, place: Place): void {
  const { file } = walk;
  const { inner, own } = addAnonymous(walk, frame, 0, takesValue ? NO_NODE : place.typeNode);
  if (!takesValue) file.builder.set('functions', 'returnType', own.row, place.type);
  bindParameters(walk, place.parameters, inner, own.row);
  if (takesValue) file.builder.addBinding({ scope: inner.scope, name: file.builder.intern('value'), kind: 'parameter', type: place.type });
  runBody(walk, body, inner, own);
  finishBody(file, own, NONE);
}

/** The word `this` of an indexer. */
function indexerKeyword(file: CsharpFile, node: SyntaxNode): SyntaxNode {
  const { reader } = file;
  return reader.children(node).find(child => reader.text(child) === 'this') ?? node;
}
