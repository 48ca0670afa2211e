import { type ExpressionRow, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { type Block, declareName, isBlank, type Walk } from './walk';

/** Binds a plain name in a block, unless the block has it already. */
export function bindLocal(walk: Walk, target: SyntaxNode, type: ExpressionRow, value: ExpressionRow, block: Block): void {
  const { file } = walk;
  if (!file.is(target, 'identifier') || isBlank(file, target)) return;
  const name = file.word(target);
  const scope = declareName(walk, block, name);
  if (scope !== undefined) file.builder.addBinding({ scope, name, kind: 'variable', type, value });
}

/** One row for each of `count` targets: of as many expressions, of the parts of one call, or of the `value, ok` forms. */
export function valuesOf(walk: Walk, list: SyntaxNode, count: number, block: Block): ExpressionRow[] {
  const { file } = walk;
  const nodes = file.is(list, 'expression_list') ? file.children(list) : list === NO_NODE ? [] : [list];
  const rows = nodes.map(node => walk.value(node, block));
  const [only] = rows;
  const [onlyNode] = nodes;
  if (count <= 1 || rows.length !== 1 || only === undefined || onlyNode === undefined) return rows;
  if (!isTuple(walk, onlyNode)) return [only, file.literal('boolean')];
  return Array.from({ length: count }, (_, index) => file.row('index', only, NONE, file.builder.intern(String(index))));
}

/** Of the expressions that give several values, only calls give a tuple. */
function isTuple(walk: Walk, node: SyntaxNode): boolean {
  const { file } = walk;
  let at = node;
  while (file.is(at, 'parenthesized_expression')) at = file.reader.firstNamedChild(at);
  return file.is(at, 'call_expression', 'type_conversion_expression');
}
