import type { ExpressionRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Frame, Walk } from './walk';

/** `x[k]` runs a method of `x`: the one that reads, sets or deletes an element. */
export function useOfElement(
  walk: Walk,
  subscript: SyntaxNode,
  object: ExpressionRow,
  frame: Frame,
  method: '__getitem__' | '__setitem__' | '__delitem__',
): void {
  const { file } = walk;
  const value = file.child(subscript, 'value');
  if (value !== NO_NODE) file.useImplicit(object, method, frame.owner, '[', file.reader.end(value));
}

/** `k in x`, `k not in x` */
export function useOfMembership(walk: Walk, comparison: SyntaxNode, object: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const operator = file.child(comparison, 'operators');
  const word = operator === NO_NODE ? '' : file.text(operator);
  if (word === 'in' || word === 'not in') file.useImplicit(object, '__contains__', frame.owner, word, file.reader.start(operator));
}

/** `for … in x`, of a statement or a clause. */
export function useOfIteration(walk: Walk, loop: SyntaxNode, object: ExpressionRow, frame: Frame, isAsync: boolean): void {
  walk.file.useImplicit(object, isAsync ? '__aiter__' : '__iter__', frame.owner, isAsync ? 'async' : 'for', walk.file.reader.start(loop));
}
