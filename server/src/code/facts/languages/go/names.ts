import { type ExpressionRow, NONE } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { addType } from './types';
import type { Block, Walk } from './walk';

/** A plain name in value position. */
export function nameRow(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const name = walk.file.word(node);
  walk.file.used.add(name);
  return walk.file.row('name', block.scope, NONE, name);
}

/** A generic function or type that is spelled as a type. */
export function typeOrValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  if (file.is(node, 'type_identifier', 'identifier')) return nameRow(walk, node, block);
  return addType(file, node, { scope: block.scope, owner: block.owner, counts: false });
}
