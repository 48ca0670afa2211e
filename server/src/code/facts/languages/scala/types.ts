import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Place, ScalaWalk } from './walk';

/** Row of a type with its uses; `counts` false where the caller writes the use. */
export function addType(walk: ScalaWalk, node: SyntaxNode, place: Place, counts = true): ExpressionRow {
  if (node === NO_NODE) return NONE;
  return walk.file.nested(NONE, () => typeRow(walk, node, place, counts));
}

function typeRow(walk: ScalaWalk, node: SyntaxNode, place: Place, counts: boolean): ExpressionRow {
  if (walk.file.is(node, 'type_identifier', 'identifier')) {
    const row = walk.file.row('name', place.scope, NONE, walk.file.word(node));
    if (counts) walk.file.use('type', row, place.owner, walk.file.word(node), walk.file.reader.start(node));
    return row;
  }
  if (walk.file.is(node, 'stable_type_identifier', 'stable_identifier')) return pathRow(walk, node, place, counts);
  if (walk.file.is(node, 'generic_type')) {
    const base = addType(walk, walk.file.child(node, 'type'), place, counts);
    const list = walk.file.children(walk.file.child(node, 'type_arguments')).map(argument => addType(walk, argument, place));
    return walk.file.row('generic', base, NONE, NO_TEXT, list);
  }
  if (walk.file.is(node, 'function_type')) return walk.file.row('functionType', addType(walk, walk.file.child(node, 'return_type'), place));
  const rows = walk.file.children(node).map(child => addType(walk, child, place));
  return rows.length === 1 ? (rows[0] ?? NONE) : walk.file.unknown();
}

/** `a.b.C` as members of members. */
function pathRow(walk: ScalaWalk, node: SyntaxNode, place: Place, counts: boolean): ExpressionRow {
  let row: ExpressionRow = NONE;
  let last = node;
  for (const part of walk.file.children(node)) {
    last = part;
    if (walk.file.is(part, 'stable_identifier')) row = pathRow(walk, part, place, false);
    else row = row === NONE ? walk.file.row('name', place.scope, NONE, walk.file.word(part)) : walk.file.row('member', row, NONE, walk.file.word(part));
  }
  if (counts) walk.file.use('type', row, place.owner, walk.file.word(last), walk.file.reader.start(last));
  return row;
}

/** Node of the last name of a type. */
export function typeName(walk: ScalaWalk, node: SyntaxNode): SyntaxNode {
  let at = node;
  for (let steps = 0; at !== NO_NODE && steps < 20; steps++) {
    if (walk.file.is(at, 'type_identifier', 'identifier')) return at;
    at = walk.file.is(at, 'generic_type') ? walk.file.child(at, 'type') : walk.file.reader.lastNamedChild(at);
  }
  return node;
}
