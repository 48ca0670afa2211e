/** Texts that code spells out, in whole or in part. */
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import type { Walk } from './walk';

/** Content of a string literal without escapes and interpolations. */
export function plainString(walk: Walk, node: SyntaxNode): string | undefined {
  const { file } = walk;
  if (!file.is(node, 'string') || /b/i.test(file.text(file.childOf(node, 'string_start')))) return undefined;
  const parts = file.children(node).filter(child => !file.is(child, 'string_start'));
  const [content, end] = parts;
  if (content === undefined || !file.is(content, 'string_content')) return parts.length <= 1 ? '' : undefined;
  return end !== undefined && parts.length === 2 && file.children(content).length === 0 ? file.text(content) : undefined;
}

/** The text that an expression begins with (`f"visit_{x}"`, `"visit_" + x`, `"visit_%s" % x`, `"visit_{}".format(x)`, a variable of the function that was set to one); `''` for others. */
export function beginningOf(walk: Walk, node: SyntaxNode, use: SyntaxNode): string {
  const { file } = walk;
  if (file.is(node, 'identifier')) {
    const value = lastValueOf(walk, file.text(node), use);
    return value === NO_NODE || file.is(value, 'identifier') ? '' : beginningOf(walk, value, use);
  }
  if (file.is(node, 'parenthesized_expression')) return beginningOf(walk, file.reader.firstNamedChild(node), use);
  if (file.is(node, 'binary_operator')) return beginningOf(walk, file.child(node, 'left'), use);
  if (file.is(node, 'call')) {
    const callee = file.child(node, 'function');
    const isFormatted = file.is(callee, 'attribute') && file.text(file.child(callee, 'attribute')) === 'format';
    return isFormatted ? beginningOf(walk, file.child(callee, 'object'), use) : '';
  }
  if (!file.is(node, 'string') || /b/i.test(file.text(file.childOf(node, 'string_start')))) return '';
  const first = file.children(node).find(child => !file.is(child, 'string_start'));
  return first !== undefined && file.is(first, 'string_content') ? (/^\w+/.exec(file.text(first))?.[0] ?? '') : '';
}

/** What a variable was last set to before a place of the function that it stands in. */
function lastValueOf(walk: Walk, name: string, use: SyntaxNode): SyntaxNode {
  const { file } = walk;
  let around = use;
  while (around !== NO_NODE && !file.is(around, 'function_definition')) around = file.reader.parent(around);
  let found: SyntaxNode = NO_NODE;
  if (around === NO_NODE) return found;
  for (let node = file.reader.firstChild(around); node !== NO_NODE && node < use; node = syntaxNode(node + 1))
    if (file.is(node, 'assignment') && file.text(file.child(node, 'left')) === name) found = file.child(node, 'right');
  return found;
}
