import { type ExpressionRow, NO_TEXT, NONE, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { typeOrValue } from './names';
import { declareTestBlock, testBlock } from './testBlocks';
import { addType, typeArguments } from './types';
import { type Block, lastName, type Walk } from './walk';

/** Row of a call with one use for it. `new(T)`, `make(T, …)` and conversions are values of their type. */
export function callValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const callee = file.child(node, 'function');
  const list = file.child(node, 'arguments');
  const name = file.is(callee, 'identifier') ? file.text(callee) : '';
  if ((name === 'new' || name === 'make') && !file.redeclared.has(name)) {
    const [type, ...rest] = file.children(list);
    for (const each of rest) walk.value(each, block);
    if (type !== undefined) return file.row('valueOfType', addType(file, type, { scope: block.scope, owner: block.owner, counts: true }));
  }
  if (isPointerConversion(walk, callee)) {
    argumentRows(walk, list, block);
    return file.row('valueOfType', addType(file, callee, { scope: block.scope, owner: block.owner, counts: true }));
  }
  const calleeRow = walk.quiet(callee, block);
  const generic = appliedCallee(walk, node, callee, calleeRow, block);
  const rows = argumentRows(walk, list, block, testBlockIn(walk, node, callee, list, block));
  if (name === 'append' && rows[0] !== undefined) return rows[0];
  const row = file.row('call', calleeRow, generic, NO_TEXT, rows);
  const last = lastName(file, callee);
  file.use('call', row, block.owner, last.name, last.at);
  if (name === 'panic') raise(walk, file.reader.firstNamedChild(list), rows[0], block);
  return row;
}

/** `panic(Failure{…})`: what is made on the spot is raised; of a variable only its type would be known. */
function raise(walk: Walk, thrown: SyntaxNode, row: ExpressionRow | undefined, block: Block): void {
  const { file } = walk;
  if (thrown === NO_NODE || row === undefined) return;
  const made = file.is(thrown, 'unary_expression') ? file.child(thrown, 'operand') : thrown;
  if (!file.is(made, 'composite_literal', 'call_expression')) return;
  const { name, at } = lastName(file, file.is(made, 'composite_literal') ? file.child(made, 'type') : made);
  if (name !== 0) file.use('raise', row, block.owner, name, at);
}

/** Callee with its type arguments, or `NONE`: `f[A, B](x)`, `f[A]()`; the latter may also be an element that is called. */
function appliedCallee(walk: Walk, call: SyntaxNode, callee: SyntaxNode, calleeRow: ExpressionRow, block: Block): ExpressionRow {
  const { file } = walk;
  const types = file.child(call, 'type_arguments');
  const place = { scope: block.scope, owner: block.owner, counts: true };
  if (types !== NO_NODE) return file.row('generic', calleeRow, NONE, NO_TEXT, typeArguments(file, types, place));
  const index = file.is(callee, 'index_expression') ? file.child(callee, 'index') : NO_NODE;
  const mayBeType = file.is(index, 'identifier', 'selector_expression', 'unary_expression');
  return mayBeType ? file.row('generic', calleeRow, NONE, NO_TEXT, [addType(file, index, { ...place, counts: false })]) : NONE;
}

/** A function among arguments that is the body of a symbol. */
interface NamedLiteral {
  readonly body: SyntaxNode;
  readonly symbol: SymbolRow;
}

function argumentRows(walk: Walk, list: SyntaxNode, block: Block, named?: NamedLiteral): ExpressionRow[] {
  const rows: ExpressionRow[] = [];
  for (const child of walk.file.children(list)) rows.push(child === named?.body ? walk.literalFunction(child, block, named.symbol) : walk.value(child, block));
  return rows;
}

function testBlockIn(walk: Walk, call: SyntaxNode, callee: SyntaxNode, list: SyntaxNode, block: Block): NamedLiteral | undefined {
  const tested = testBlock(walk, callee, list, block);
  return tested === undefined ? undefined : { body: tested.body, symbol: declareTestBlock(walk, call, tested, block) };
}

/** `(*T)(x)`. */
function isPointerConversion(walk: Walk, callee: SyntaxNode): boolean {
  const { file } = walk;
  if (!file.is(callee, 'parenthesized_expression')) return false;
  const inside = file.reader.firstNamedChild(callee);
  return file.is(inside, 'unary_expression') && file.text(file.child(inside, 'operator')) === '*';
}

/** `[]byte(x)`, `func()(x)`. What looks like a generic type is a call: of `f[int](x)`, a generic function, or of `fs[i](x)`, an element. */
export function conversionValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const type = file.child(node, 'type');
  const place = { scope: block.scope, owner: block.owner, counts: true };
  if (!file.is(type, 'generic_type')) {
    walk.value(file.child(node, 'operand'), block);
    return file.row('valueOfType', addType(file, type, place));
  }
  const base = typeOrValue(walk, file.child(type, 'type'), block);
  const types = typeArguments(file, file.child(type, 'type_arguments'), place);
  const callee = types.length === 1 ? file.row('index', base) : base;
  const generic = file.row('generic', callee, NONE, NO_TEXT, types);
  const row = file.row('call', callee, generic, NO_TEXT, [walk.value(file.child(node, 'operand'), block)]);
  const { name, at } = lastName(file, type);
  file.use('call', row, block.owner, name, at);
  return row;
}
