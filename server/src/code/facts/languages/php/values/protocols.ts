import { type ExpressionRow, operatorCode } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { Frame, Walk } from '../walk';

export type ElementMethod = 'offsetGet' | 'offsetSet' | 'offsetExists' | 'offsetUnset';

/** `$x[k]` runs a method of an `ArrayAccess`: the one that reads, sets, tests or removes an element. */
export function useOfElement(walk: Walk, subscript: SyntaxNode, object: ExpressionRow, frame: Frame, method: ElementMethod): void {
  const { file } = walk;
  file.useImplicit(object, method, frame.owner, '[', file.reader.end(file.reader.firstNamedChild(subscript)));
}

/** `foreach` runs a method of an `IteratorAggregate`, or those of an `Iterator`. */
export function useOfIteration(walk: Walk, loop: SyntaxNode, object: ExpressionRow, frame: Frame, hasKey: boolean): void {
  const { file } = walk;
  const methods = ['getIterator', 'rewind', 'valid', 'current', 'next', ...(hasKey ? ['key'] : [])];
  for (const method of methods) file.useImplicit(object, method, frame.owner, 'foreach', file.reader.start(loop));
}

/** What stands where a text is asked for runs `__toString`. */
export function useAsText(walk: Walk, node: SyntaxNode, object: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  if (node === NO_NODE || file.builder.expressions.operator[object] === operatorCode.operation) return;
  const at = file.reader.start(node);
  file.useImplicit(object, '__toString', frame.owner, file.table.text.slice(at, at + 1), at);
}
