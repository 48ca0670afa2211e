/** Texts that code spells out, in whole or in part. */
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import type { FileContext } from './fileContext';
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

/** Nodes before a use that are looked at for what a variable was set to. */
const MAX_LOOKED_AT = 500;

/**
 * The text that an expression begins with (`f"visit_{x}"`, `"visit_" + x`, `"visit_%s" % x`, `"visit_{}".format(x)`, a variable of the function that was set to one);
 * `''` for others. `use` is where a variable is read.
 */
export function beginningOf({ file }: Walk, node: SyntaxNode, use: SyntaxNode): string {
  let at = node;
  let before = use;
  for (;;) {
    if (file.is(at, 'identifier')) {
      before = assignmentOf(file, file.text(at), before);
      at = before === NO_NODE ? NO_NODE : file.child(before, 'right');
    } else if (file.is(at, 'parenthesized_expression')) at = file.reader.firstNamedChild(at);
    else if (file.is(at, 'binary_operator')) at = file.child(at, 'left');
    else if (file.is(at, 'call')) {
      const callee = file.child(at, 'function');
      const isFormatted = file.is(callee, 'attribute') && file.text(file.child(callee, 'attribute')) === 'format';
      at = isFormatted ? file.child(callee, 'object') : NO_NODE;
    } else break;
  }
  if (!file.is(at, 'string') || /b/i.test(file.text(file.childOf(at, 'string_start')))) return '';
  const first = file.children(at).find(child => !file.is(child, 'string_start'));
  return first !== undefined && file.is(first, 'string_content') ? (/^\w+/.exec(file.text(first))?.[0] ?? '') : '';
}

/** The last assignment of a variable before a place of the function that the place stands in. */
function assignmentOf(file: FileContext, name: string, place: SyntaxNode): SyntaxNode {
  let around = place;
  while (around !== NO_NODE && !file.is(around, 'function_definition')) around = file.reader.parent(around);
  if (around === NO_NODE) return NO_NODE;
  const end = Math.max(around, place - MAX_LOOKED_AT);
  for (let node = syntaxNode(place - 1); node > end; node = syntaxNode(node - 1))
    if (file.is(node, 'assignment') && file.text(file.child(node, 'left')) === name) return node;
  return NO_NODE;
}
