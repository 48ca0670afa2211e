import { type ExpressionRow, NO_TEXT, NONE, type SomeRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { Frame, PhpFile, Walk } from '../walk';
import { callableRow } from './callables';
import { type ElementMethod, useOfElement } from './protocols';
import { plainString } from './strings';

/** `[a, b]` is a list; with keys it is an object. `[$this, 'm']` is also the method it names. */
export function arrayValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const elements = file.children(node);
  const callable = elements.length === 2 ? callableRow(walk, node, frame) : undefined;
  if (callable !== undefined && isCertain(walk, elements[0] ?? NO_NODE)) {
    file.use('read', callable.row, frame.owner, callable.name, callable.at);
    return callable.row;
  }
  const isKeyed = elements.some(element => file.children(element).length > 1);
  return isKeyed
    ? keyedArray(walk, elements, frame)
    : file.row(
        'array',
        NONE,
        NONE,
        NO_TEXT,
        elements.map(element => elementRow(walk, element, frame)),
      );
}

/** `[$this, 'm']` and `[A::class, 'm']` are callables; `[$x, 'm']` may be any list. */
function isCertain(walk: Walk, element: SyntaxNode): boolean {
  const text = walk.file.text(element);
  return text === '$this' || /::class$/i.test(text);
}

function elementRow(walk: Walk, element: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const [value] = file.children(element);
  return value === undefined ? file.unknown() : file.nested(file.unknown(), () => walk.value(value, frame));
}

function keyedArray(walk: Walk, elements: readonly SyntaxNode[], frame: Frame): ExpressionRow {
  const { file } = walk;
  const list: SomeRow[] = [];
  for (const element of elements) {
    const parts = file.children(element);
    const [key, value] = parts.length > 1 ? parts : [undefined, parts[0]];
    const text = key === undefined ? undefined : plainString(file, key);
    if (key !== undefined && text === undefined) walk.value(key, frame);
    const row = value === undefined ? file.unknown() : file.nested(file.unknown(), () => walk.value(value, frame));
    list.push(text === undefined ? NO_TEXT : file.builder.intern(text), row);
  }
  return file.row('object', NONE, NONE, NO_TEXT, list);
}

/** Row of a key that is written out; its text is in `b`. */
export function keyRow(file: PhpFile, text: string): ExpressionRow {
  return file.row('literal', NONE, file.builder.intern(text), file.builder.intern('string'));
}

/** `$a[k]`; `method`: what it runs where `$a` is an object. */
export function elementValue(walk: Walk, node: SyntaxNode, frame: Frame, method: ElementMethod = 'offsetGet'): ExpressionRow {
  const { file } = walk;
  const [object, key] = file.children(node);
  if (object === undefined) return file.unknown();
  const row = walk.value(object, frame);
  useOfElement(walk, node, row, frame, method);
  if (key === undefined) return file.row('index', row);
  const isInText = file.is(key, 'name') && file.is(file.reader.parent(node), 'encapsed_string', 'heredoc_body');
  const text = isInText ? file.text(key) : plainString(file, key);
  if (text !== undefined) return file.row('index', row, keyRow(file, text));
  const keyValue = walk.value(key, frame);
  return file.row('index', row, keyValue, file.is(key, 'integer') ? file.word(key) : NO_TEXT);
}
