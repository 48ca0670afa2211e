import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { docAnchor, type YardDoc, yardOf, yardType } from '../docs/yard';
import { constantOf, isConstant } from '../names';
import { type Body, type Frame, Locals, type Walk } from '../walk';
import { bindParameters } from './parameters';

/** `def name … end` and `def self.name … end`. */
export function declareMethod(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return file.unknown();
  const text = file.text(nameNode);
  const object = file.is(node, 'singleton_method') ? file.child(node, 'object') : NO_NODE;
  const isOutside = isConstant(file, object) && file.text(object) !== ownName(frame);
  if (object !== NO_NODE && !isConstant(file, object) && !file.is(object, 'self')) return methodOfObject(walk, node, object, frame);
  const owner = frame.class;
  const isStatic = object !== NO_NODE || owner?.isSingleton === true;
  const symbol = file.declare({
    node,
    nameNode,
    kind: owner === undefined && !isOutside ? 'function' : text === 'initialize' && !isStatic ? 'constructor' : 'method',
    parent: isOutside ? NONE : (owner?.symbol ?? NONE),
    container: isOutside ? file.word(object) : NO_TEXT,
    receiver: isOutside ? constantOf(walk, object, frame) : NONE,
    modifiers: methodModifiers(text, isStatic && (owner !== undefined || isOutside), frame),
    body: file.child(node, 'body'),
    docNode: docAnchor(file, node),
  });
  if (owner === undefined && !isOutside)
    file.builder.addBinding({ scope: frame.class === undefined ? frame.home : MODULE_SCOPE, name: file.word(nameNode), kind: 'symbol', symbol });
  runMethod(walk, node, symbol, text, frame);
  return file.literal('string');
}

/** `def object.name`: a function that only the object at hand has. */
function methodOfObject(walk: Walk, node: SyntaxNode, object: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  walk.value(object, frame);
  const nameNode = file.child(node, 'name');
  const symbol = file.declare({ node, nameNode, kind: 'function', parent: frame.owner, body: file.child(node, 'body') });
  runMethod(walk, node, symbol, file.text(nameNode), { ...frame, class: undefined });
  return file.literal('string');
}

function ownName(frame: Frame): string {
  const path = frame.class?.path ?? '';
  return path.slice(path.lastIndexOf(':') + 1);
}

function methodModifiers(text: string, isStatic: boolean, frame: Frame): number {
  const owner = frame.class;
  let flags = isStatic ? MODIFIERS.static : 0;
  if (owner === undefined) return flags | MODIFIERS.exported;
  if (!isStatic || owner.isSingleton) flags |= owner.state.visibility;
  if (owner.isTest && text.startsWith('test_')) flags |= MODIFIERS.test;
  return flags;
}

/** Scope, parameters and body of a method. */
export function runMethod(walk: Walk, node: SyntaxNode, symbol: SymbolRow, method: string, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const doc = yardOf(file, node);
  const scope = builder.addScope('function', frame.scope, symbol);
  const row = builder.addFunction({ symbol, scope });
  builder.set('scopes', 'function', scope, row);
  builder.set('symbols', 'scope', symbol, scope);
  builder.set('symbols', 'function', symbol, row);
  const body: Body = { row, method, returns: [], yields: [], decisions: { count: 0 }, methodBody: undefined };
  const locals = new Locals();
  const inside: Frame = { ...frame, scope, home: scope, owner: symbol, body, locals, isClassLevel: false, implicitBlock: NONE };
  bindParameters(walk, file.child(node, 'parameters'), doc.parameters, inside);
  const content = file.child(node, 'body');
  const last = content === NO_NODE ? file.literal('null') : walk.run(content, inside);
  if (method !== 'initialize') body.returns.push(last);
  closeMethod(walk, body, doc, inside);
}

/** Returns, the type of the block, complexity. */
export function closeMethod(walk: Walk, body: Body, doc: YardDoc, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  builder.setReturns(body.row, body.returns);
  if (doc.returns !== undefined && doc.returns.is !== 'unknown')
    builder.set('functions', 'returnType', body.row, yardType(file, doc.returns, frame, frame.owner));
  builder.set('symbols', 'complexity', frame.owner, body.decisions.count + 1);
  const given = doc.yields.map(form => yardType(file, form, frame, frame.owner));
  const widest = Math.max(0, ...body.yields.map(rows => rows.length));
  for (let at = given.length; at < widest; at++) given.push(file.row('typeof', file.either(body.yields.flatMap(rows => rows.slice(at, at + 1)))));
  if (given.length === 0) return;
  builder.addBinding({ scope: frame.scope, name: builder.intern('&'), kind: 'variable', type: file.row('functionType', file.unknown(), NONE, NO_TEXT, given) });
}
