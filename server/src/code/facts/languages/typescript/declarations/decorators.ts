import type { SymbolRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import type { Walk } from '../walk';

/** References of the decorators written inside a node's own children; they belong to the decorated symbol. */
export function readDecorators(walk: Walk, node: SyntaxNode, symbol: SymbolRow): void {
  const { reader, kinds } = walk;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    if (walk.kind[child] === kinds.node.decorator) readDecorator(walk, child, symbol);
  }
}

/** One `@expression`. */
export function readDecorator(walk: Walk, node: SyntaxNode, symbol: SymbolRow): void {
  const { reader, kinds } = walk;
  const expression = reader.firstNamedChild(node);
  if (expression === NO_NODE) return;
  const row = walk.within(() => {
    walk.owner = symbol;
    return walk.value(expression);
  });
  let named = expression;
  if (walk.kind[named] === kinds.node.call_expression) named = walk.child(named, kinds.field.function);
  if (named !== NO_NODE && walk.kind[named] === kinds.node.member_expression) named = walk.child(named, kinds.field.property);
  if (named === NO_NODE) return;
  walk.builder.addReference('decorator', row, symbol, walk.nameOf(named), reader.start(named));
}
