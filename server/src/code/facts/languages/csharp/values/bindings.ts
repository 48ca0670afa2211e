import { type ExpressionRow, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { Frame, Walk } from '../walk';

/** Binds a local; `_` and no name bind nothing. A declared type wins over the value. */
export function bindName(walk: Walk, nameNode: SyntaxNode, value: ExpressionRow, type: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  if (nameNode === NO_NODE || !file.is(nameNode, 'identifier')) return;
  file.builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'variable', type, value });
}

/** `var (a, (b, _)) = value`, `foreach (var (a, b) in …)`: names by position. */
export function bindTuple(walk: Walk, pattern: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  file.children(pattern).forEach((part, index) => {
    const row = file.row('index', value, NONE, file.builder.intern(String(index)));
    if (file.is(part, 'tuple_pattern', 'parenthesized_variable_designation')) file.nested(undefined, () => bindTuple(walk, part, row, frame));
    else if (file.is(part, 'identifier')) bindName(walk, part, row, NONE, frame);
  });
}
