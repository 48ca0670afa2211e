import { type ExpressionRow, NONE, type StringIndex } from '../../../../../model/facts';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { classRow, nameRow } from '../names';
import type { Frame, Walk } from '../walk';
import { plainString } from './strings';

/** A callable written as data: what it means, its name and where that stands. */
export interface Callable {
  readonly row: ExpressionRow;
  readonly name: StringIndex;
  readonly at: number;
}

/** Functions that take a callable, and the position of it. */
const TAKES_CALLABLE: ReadonlyMap<string, number> = new Map([
  ...[
    'array_map',
    'usort',
    'uasort',
    'uksort',
    'spl_autoload_register',
    'register_shutdown_function',
    'set_error_handler',
    'set_exception_handler',
    'ob_start',
    'is_callable',
    'iterator_apply',
    'header_register_callback',
  ].map((name): [string, number] => [name, /^u[ak]?sort$/.test(name) || name === 'iterator_apply' ? 1 : 0]),
  ...['array_filter', 'array_walk', 'array_reduce', 'array_walk_recursive', 'preg_replace_callback'].map((name): [string, number] => [name, 1]),
]);

/** `'f'`, `'A::m'`, `[$object, 'm']`, `[A::class, 'm']`; `undefined` for what is no callable written out. */
export function callableRow(walk: Walk, node: SyntaxNode, frame: Frame): Callable | undefined {
  const { file } = walk;
  const text = plainString(file, node);
  if (text !== undefined) return textCallable(walk, node, text, frame);
  if (!file.is(node, 'array_creation_expression')) return undefined;
  const [object, method, ...more] = file.children(node).map(element => file.children(element));
  const [objectNode] = object ?? [];
  const [methodNode] = method ?? [];
  if (more.length > 0 || object?.length !== 1 || method?.length !== 1 || objectNode === undefined || methodNode === undefined) return undefined;
  const name = plainString(file, methodNode);
  if (name === undefined || !/^(?:parent::)?[A-Za-z_]\w*$/.test(name)) return undefined;
  const receiver = receiverRow(walk, objectNode, frame);
  const at = file.reader.start(methodNode) + 1;
  return receiver === undefined ? undefined : { row: file.row('member', receiver, NONE, file.builder.intern(name)), name: file.builder.intern(name), at };
}

/** `'f'` and `'A::m'` name functions and classes in full. */
function textCallable(walk: Walk, node: SyntaxNode, text: string, frame: Frame): Callable | undefined {
  const { file } = walk;
  const match = /^\\?(?<path>[A-Za-z_][\w\\]*)(?:::(?<method>\w+))?$/.exec(text)?.groups;
  const path = match?.['path'];
  if (path === undefined) return undefined;
  const method = match?.['method'];
  const target = nameRow(file, `\\${path}`, frame);
  const name = file.builder.intern(method ?? path.slice(path.lastIndexOf('\\') + 1));
  const row = method === undefined ? target : file.row('member', target, NONE, name);
  return { row, name, at: file.reader.start(node) + 1 + text.length - (method ?? path.slice(path.lastIndexOf('\\') + 1)).length };
}

function receiverRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const text = plainString(file, node);
  if (text !== undefined) return /^\\?[A-Za-z_][\w\\]*$/.test(text) ? nameRow(file, `\\${text.replace(/^\\/, '')}`, frame) : undefined;
  if (file.is(node, 'class_constant_access_expression')) {
    const [owner, name] = file.children(node);
    return owner !== undefined && name !== undefined && file.text(name).toLowerCase() === 'class' ? classRow(walk, owner, frame) : undefined;
  }
  if (file.is(node, 'variable_name', 'member_access_expression', 'scoped_property_access_expression')) return walk.quiet(node, frame);
  return undefined;
}

/** Callables among the arguments of functions known to take them are read: functions handed on. Arrays are seen where they are values. */
export function passCallables(walk: Walk, list: SyntaxNode, callee: string, frame: Frame): void {
  const { file } = walk;
  const position = TAKES_CALLABLE.get(callee.replace(/^\\/, '').toLowerCase());
  const argument = position === undefined ? undefined : file.children(list)[position];
  if (argument === undefined) return;
  const node = file.reader.lastNamedChild(argument);
  if (plainString(file, node) === undefined) return;
  const callable = callableRow(walk, node, frame);
  if (callable !== undefined) file.use('read', callable.row, frame.owner, callable.name, callable.at);
}
