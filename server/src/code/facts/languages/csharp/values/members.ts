import { type ExpressionRow, NO_TEXT, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { type Frame, lastNameNode, type Walk } from '../walk';

/** `a.b`, `a?.b`, `a?[0]`; the type arguments of a generic name are left to the caller. */
export function memberRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const isPlain = file.is(node, 'member_access_expression');
  const object = walk.value(file.child(node, isPlain ? 'expression' : 'condition'), frame);
  if (!isPlain) {
    const binding = file.last(node);
    if (file.is(binding, 'element_binding_expression')) return indexRow(walk, object, file.children(binding), frame);
  }
  const name = lastNameNode(file, node);
  return name === NO_NODE ? object : file.row('member', object, NONE, file.word(name));
}

/** Name of indexers; declarations have the same. */
export const INDEXER = 'this[]';

/** `a[b]` runs the indexer of `a`, read or written. */
export function useIndexer(walk: Walk, access: SyntaxNode, object: ExpressionRow, frame: Frame, isWritten: boolean): void {
  const { file } = walk;
  const at = file.reader.end(file.child(access, 'expression'));
  if (!isWritten) file.useImplicit(object, INDEXER, frame.owner, '[', at);
  else if (file.table.text.startsWith('[', at))
    file.use('write', file.row('member', object, NONE, file.builder.intern(INDEXER)), frame.owner, file.builder.intern('['), at);
}

/** `a[b]`; a literal position is kept. */
export function indexRow(walk: Walk, object: ExpressionRow, keys: readonly SyntaxNode[], frame: Frame): ExpressionRow {
  const { file } = walk;
  const rows = keys.map(key => walk.value(key, frame));
  const [key] = keys;
  const literal = key === undefined ? NO_NODE : file.first(key);
  return file.row('index', object, rows[0] ?? NONE, keys.length === 1 && file.is(literal, 'integer_literal') ? file.word(literal) : NO_TEXT);
}
