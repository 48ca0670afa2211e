import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Frame, RubyFile, Walk } from './walk';

/** Row of a constant written as text: `A`, `A::B`, `::A::B`. The first part of a full name keeps its colons, so that it is looked up at the root. */
export function constantRow(file: RubyFile, text: string, scope: ScopeRow): ExpressionRow {
  const isRoot = text.startsWith('::');
  const [head, ...rest] = text.split('::').filter(part => part !== '');
  if (head === undefined) return file.unknown();
  let row = file.row('name', scope, NONE, file.builder.intern(isRoot ? `::${head}` : head));
  for (const part of rest) row = file.row('member', row, NONE, file.builder.intern(part));
  return row;
}

/** Row of a `constant` or `scope_resolution` node without a use. */
export function constantOf(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (file.is(node, 'constant')) return file.row('name', frame.scope, NONE, file.word(node));
  const scope = file.child(node, 'scope');
  const name = file.word(file.child(node, 'name'));
  if (scope === NO_NODE) return file.row('name', frame.scope, NONE, file.builder.intern(`::${file.text(file.child(node, 'name'))}`));
  const owner = isConstant(file, scope) ? file.nested(file.unknown(), () => constantOf(walk, scope, frame)) : walk.value(scope, frame);
  return file.row('member', owner, NONE, name);
}

export function isConstant(file: RubyFile, node: SyntaxNode): boolean {
  return file.is(node, 'constant', 'scope_resolution');
}

/** Last name of a constant and where it stands. */
export function lastPart(file: RubyFile, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  const name = file.is(node, 'scope_resolution') ? file.child(node, 'name') : node;
  return name === NO_NODE ? { name: NO_TEXT, at: 0 } : { name: file.word(name), at: file.reader.start(name) };
}

/** Text of a symbol or string literal without interpolation: `:name`, `"name"`; `undefined` for anything else. */
export function literalText(file: RubyFile, node: SyntaxNode): string | undefined {
  if (file.is(node, 'simple_symbol')) return file.text(node).slice(1);
  if (file.is(node, 'hash_key_symbol', 'bare_symbol')) return file.text(node);
  if (!file.is(node, 'string', 'delimited_symbol')) return undefined;
  const [content, ...rest] = file.children(node);
  if (content === undefined) return '';
  return rest.length === 0 && file.is(content, 'string_content') ? file.text(content) : undefined;
}

/** The text that a string or symbol with something put in begins with (`"visit_#{kind}"`); `''` for others. */
export function beginningText(file: RubyFile, node: SyntaxNode): string {
  let first = node;
  while (file.is(first, 'binary')) first = file.child(first, 'left');
  if (!file.is(first, 'string', 'delimited_symbol')) return '';
  const [content] = file.children(first);
  return content !== undefined && file.is(content, 'string_content') ? file.text(content) : '';
}

/** Where the name inside a symbol or string literal begins. */
export function literalStart(file: RubyFile, node: SyntaxNode): number {
  const start = file.reader.start(node);
  if (file.is(node, 'string', 'simple_symbol')) return start + 1;
  return file.is(node, 'delimited_symbol') ? start + 2 : start;
}

/** Row of a key that is written out; its text is in `b`. */
export function keyRow(file: RubyFile, text: string): ExpressionRow {
  return file.row('literal', NONE, file.builder.intern(text), file.builder.intern('string'));
}

/** What stands between the parentheses or behind the name of a call. */
export function argumentNodes(file: RubyFile, call: SyntaxNode): SyntaxNode[] {
  const list = file.child(call, 'arguments');
  return list === NO_NODE ? [] : file.children(list);
}

/** `self`: in the body of a class the class itself. */
export function selfRow(file: RubyFile, frame: Frame): ExpressionRow {
  return frame.isClassLevel && frame.class !== undefined ? file.row('class', frame.class.symbol) : file.row('this', frame.scope);
}

/** `self.name` as seen from a scope: how names without a receiver are called inside classes. */
export function selfMember(file: RubyFile, frame: Frame, name: StringIndex): ExpressionRow {
  if (frame.class === undefined) return file.row('name', frame.scope, NONE, name);
  return file.row('member', selfRow(file, frame), NONE, name);
}

/** What `RSpec.configure` mixes modules into, as a type that source cannot name. */
export const EXAMPLES = '<examples>';

/** A bare word that is no local variable is a call. */
export function bareCall(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.word(node);
  const row = file.row('call', selfMember(file, frame, name));
  file.use('call', row, frame.owner, name, file.reader.start(node));
  return row;
}
