import { type ExpressionRow, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { symbolProc } from '../declarations/blocks';
import { literalStart, literalText } from '../names';
import type { Frame, Walk } from '../walk';
import { pairsRow } from './collections';

/** Values of arguments; keywords together are one hash at the end. `block` is what `&` hands on. */
export function argumentRows(walk: Walk, nodes: readonly SyntaxNode[], frame: Frame): { readonly rows: ExpressionRow[]; readonly block: ExpressionRow } {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  const pairs: SyntaxNode[] = [];
  let block: ExpressionRow = NONE;
  for (const argument of nodes) {
    if (file.is(argument, 'block_argument')) block = blockArgument(walk, argument, frame);
    else if (file.is(argument, 'pair', 'hash_splat_argument')) pairs.push(argument);
    else rows.push(file.nested(file.unknown(), () => walk.value(argument, frame)));
  }
  if (pairs.length > 0) rows.push(pairsRow(walk, pairs, frame));
  return { rows, block };
}

/** `&block`, `&:name`, `&method(:name)`. */
function blockArgument(walk: Walk, argument: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const inner = file.reader.firstNamedChild(argument);
  if (inner === NO_NODE) return file.row('name', frame.scope, NONE, file.builder.intern('&'));
  const text = file.is(inner, 'simple_symbol') ? literalText(file, inner) : undefined;
  return text === undefined ? walk.value(inner, frame) : symbolProc(walk, text, literalStart(file, inner), frame);
}
