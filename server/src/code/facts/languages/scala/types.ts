import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Place, ScalaWalk } from './walk';

/** Row of a type with its uses; `counts` false where the use is written by whoever asks. */
export function addType(walk: ScalaWalk, node: SyntaxNode, place: Place, counts = true): ExpressionRow {
  if (node === NO_NODE) return NONE;
  return walk.nested(NONE, () => typeRow(walk, node, place, counts));
}

function typeRow(walk: ScalaWalk, node: SyntaxNode, place: Place, counts: boolean): ExpressionRow {
  if (walk.is(node, 'type_identifier', 'identifier')) {
    const row = walk.row('name', place.scope, NONE, walk.word(node));
    if (counts) walk.use('type', row, place.owner, walk.word(node), walk.reader.start(node));
    return row;
  }
  if (walk.is(node, 'stable_type_identifier', 'stable_identifier')) return pathRow(walk, node, place, counts);
  if (walk.is(node, 'generic_type')) {
    const base = addType(walk, walk.child(node, 'type'), place, counts);
    const list = walk.children(walk.child(node, 'type_arguments')).map(argument => addType(walk, argument, place));
    return walk.row('generic', base, NONE, NO_TEXT, list);
  }
  if (walk.is(node, 'function_type')) return walk.row('functionType', addType(walk, walk.child(node, 'return_type'), place));
  const rows = walk.children(node).map(child => addType(walk, child, place));
  return rows.length === 1 ? (rows[0] ?? NONE) : walk.unknown();
}

/** `a.b.C` as members of members. */
function pathRow(walk: ScalaWalk, node: SyntaxNode, place: Place, counts: boolean): ExpressionRow {
  let row: ExpressionRow = NONE;
  let last = node;
  for (const part of walk.children(node)) {
    last = part;
    if (walk.is(part, 'stable_identifier')) row = pathRow(walk, part, place, false);
    else row = row === NONE ? walk.row('name', place.scope, NONE, walk.word(part)) : walk.row('member', row, NONE, walk.word(part));
  }
  if (counts) walk.use('type', row, place.owner, walk.word(last), walk.reader.start(last));
  return row;
}

/** Node of the last name of a type. */
export function typeName(walk: ScalaWalk, node: SyntaxNode): SyntaxNode {
  let at = node;
  for (let steps = 0; at !== NO_NODE && steps < 20; steps++) {
    if (walk.is(at, 'type_identifier', 'identifier')) return at;
    at = walk.is(at, 'generic_type') ? walk.child(at, 'type') : walk.reader.lastNamedChild(at);
  }
  return node;
}
