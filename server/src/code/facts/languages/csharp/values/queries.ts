import { type ExpressionRow, NO_TEXT, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { inBlock } from '../../../walk/frames';
import { typeRow } from '../types';
import { type Frame, type Walk } from '../walk';
import { bindName } from './bindings';

/** `from x in xs … select y`: names are bound in a block of their own; the query gives the selected values. */
export function queryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const inner = inBlock(walk.file, frame);
  let result = file.unknown();
  for (const clause of file.children(node)) {
    if (file.is(clause, 'from_clause')) fromClause(walk, clause, inner);
    else if (file.is(clause, 'join_clause')) joinClause(walk, clause, inner);
    else if (file.is(clause, 'let_clause')) {
      const [name, value] = file.children(clause);
      bindName(walk, name ?? NO_NODE, walk.value(value ?? NO_NODE, inner), NONE, inner);
    } else if (file.is(clause, 'identifier')) bindName(walk, clause, result, NONE, inner);
    else {
      const rows = file.children(clause).map(child => walk.value(child, inner));
      if (file.is(clause, 'select_clause', 'group_clause')) result = rows[0] ?? file.unknown();
    }
  }
  return file.row('array', NONE, NONE, NO_TEXT, [result]);
}

function fromClause(walk: Walk, clause: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const name = file.child(clause, 'name');
  const typeNode = file.child(clause, 'type');
  const source = file.children(clause).findLast(child => child !== name && child !== typeNode) ?? NO_NODE;
  const row = file.row('iterate', walk.value(source, frame));
  bindName(walk, name, row, typeRow(walk, typeNode, frame), frame);
}

/** `join x in xs on a equals b into g` */
function joinClause(walk: Walk, clause: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const typeNode = file.child(clause, 'type');
  const [name, source, ...rest] = file.children(clause).filter(child => child !== typeNode);
  const row = walk.value(source ?? NO_NODE, frame);
  bindName(walk, name ?? NO_NODE, file.row('iterate', row), typeRow(walk, typeNode, frame), frame);
  for (const child of rest) {
    if (file.is(child, 'join_into_clause')) bindName(walk, file.first(child), row, NONE, frame);
    else walk.value(child, frame);
  }
}
