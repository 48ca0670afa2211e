import { type ExpressionRow, NO_TEXT, NONE, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Frame, PhpFile, Walk } from './walk';

/**
 * Row of a name as written: `A`, `A\B`, `\A\B`, `namespace\A`. Parts are members of one another; the first part of a full name keeps its backslash,
 * so that it is looked up in the global namespace.
 */
export function nameRow(file: PhpFile, text: string, frame: Frame): ExpressionRow {
  const isFull = text.startsWith('\\');
  const isRelative = /^namespace\\/i.test(text);
  const whole = isRelative ? `${frame.namespace}${text.slice('namespace'.length)}` : text;
  const parts = whole.split('\\').filter(part => part !== '');
  const [head, ...rest] = parts;
  if (head === undefined) return file.unknown();
  let row = file.row('name', frame.scope, NONE, file.builder.intern(isFull || isRelative ? `\\${head}` : head));
  for (const part of rest) row = file.row('member', row, NONE, file.builder.intern(part));
  return row;
}

/** Last part of a name node and where it stands. */
export function lastPart(file: PhpFile, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  if (node === NO_NODE) return { name: NO_TEXT, at: 0 };
  if (file.is(node, 'name')) return { name: file.word(node), at: file.reader.start(node) };
  if (file.is(node, 'qualified_name', 'relative_name', 'named_type')) {
    const last = file.reader.lastNamedChild(node);
    return last === NO_NODE ? { name: file.word(node), at: file.reader.start(node) } : lastPart(file, last);
  }
  return { name: file.word(node), at: file.reader.start(node) };
}

/** What stands before `::` or behind `new`, read as a class: `self` is the class around, `static` the class of the object at hand, `parent` the base. */
export function classRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (!file.is(node, 'name', 'qualified_name', 'relative_name', 'relative_scope')) return walk.value(node, frame);
  const text = file.text(node);
  return keywordRow(file, text, frame) ?? nameRow(file, text, frame);
}

/** The same before `::`, with a use of a class that is named there. */
export function qualifierRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = classRow(walk, node, frame);
  if (file.is(node, 'name', 'qualified_name', 'relative_name') && keywordRow(file, file.text(node), frame) === undefined) {
    const { name, at } = lastPart(file, node);
    file.use('type', row, frame.owner, name, at);
  }
  return row;
}

/** Row of `self`, `static` and `parent`; `undefined` for other words. */
export function keywordRow(file: PhpFile, text: string, frame: Frame): ExpressionRow | undefined {
  switch (text.length > 6 ? '' : text.toLowerCase()) {
    case 'self':
      return frame.class === undefined ? file.unknown() : file.row('class', frame.class.symbol);
    case 'static':
      return file.row('member', file.row('this', frame.scope), NONE, file.builder.intern('static'));
    case 'parent':
      return file.row('super', frame.scope);
    default:
      return undefined;
  }
}

/** `$x`; `$this` is the object at hand. */
export function variableRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const text = file.text(node);
  return text === '$this' ? file.row('this', frame.scope) : file.row('name', frame.scope, NONE, file.builder.intern(text));
}
