import { type ExpressionRow, NO_TEXT, NONE, type SomeRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { bareCall, constantOf, isConstant, keyRow, lastPart, literalText } from '../names';
import type { Frame, Walk } from '../walk';

export function arrayValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  const pairs: SyntaxNode[] = [];
  for (const child of file.children(node)) {
    if (file.is(child, 'pair', 'hash_splat_argument')) pairs.push(child);
    else rows.push(file.nested(file.unknown(), () => walk.value(child, frame)));
  }
  if (pairs.length > 0) rows.push(pairsRow(walk, pairs, frame));
  return file.row('array', NONE, NONE, NO_TEXT, rows);
}

export function hashValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return pairsRow(walk, walk.file.children(node), frame);
}

/** `a: 1, "b" => 2, **c`: an object of the keys that are written out. */
export function pairsRow(walk: Walk, pairs: readonly SyntaxNode[], frame: Frame): ExpressionRow {
  const { file } = walk;
  const list: SomeRow[] = [];
  for (const pair of pairs) {
    if (!file.is(pair, 'pair')) {
      list.push(NO_TEXT, walk.value(pair, frame));
      continue;
    }
    const key = file.child(pair, 'key');
    const text = literalText(file, key);
    if (text === undefined) walk.value(key, frame);
    const valueNode = file.child(pair, 'value');
    const value = valueNode === NO_NODE ? shorthand(walk, key, text ?? '', frame) : file.nested(file.unknown(), () => walk.value(valueNode, frame));
    list.push(text === undefined ? NO_TEXT : file.builder.intern(text), value);
  }
  return file.row('object', NONE, NONE, NO_TEXT, list);
}

/** `{ a: }` is `{ a: a }`. */
function shorthand(walk: Walk, key: SyntaxNode, text: string, frame: Frame): ExpressionRow {
  const { file } = walk;
  const scope = frame.locals.scopeOf(text);
  return scope === undefined ? bareCall(walk, key, frame) : file.row('name', frame.scope, NONE, file.builder.intern(text));
}

/** `a[k]`: a literal key is known by its text; `Foo[…]` calls the method `[]` of the class, `FOO[…]` looks into a constant. */
export function elementValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const object = file.child(node, 'object');
  const keys = file.children(node).filter(child => child !== object && child !== file.child(node, 'block'));
  if (isConstant(file, object) && !/^[A-Z][A-Z\d_]+$/.test(file.builder.strings[lastPart(file, object).name] ?? '')) {
    const callee = file.row('member', constantOf(walk, object, frame), NONE, file.builder.intern('[]'));
    const row = file.row(
      'call',
      callee,
      NONE,
      NO_TEXT,
      keys.map(key => walk.value(key, frame)),
    );
    const { name, at } = lastPart(file, object);
    file.use('call', row, frame.owner, name, at);
    return row;
  }
  const row = walk.value(object, frame);
  callOperator(walk, row, '[]', file.reader.end(object), frame);
  return elementOf(walk, row, keys, frame);
}

/** `a[k]` calls `[]`, `a[k] = v` calls `[]=`: of what a class declares, that is. */
export function callOperator(walk: Walk, object: ExpressionRow, operator: '[]' | '[]=', at: number, frame: Frame): void {
  const { file } = walk;
  const name = file.builder.intern(operator);
  file.use('call', file.row('call', file.row('member', object, NONE, name), NONE, NO_TEXT, []), frame.owner, name, at);
}

export function elementOf(walk: Walk, object: ExpressionRow, keys: readonly SyntaxNode[], frame: Frame): ExpressionRow {
  const { file } = walk;
  const [key, more] = keys;
  if (key === undefined) return file.row('index', object);
  if (more !== undefined || file.is(key, 'range')) {
    for (const each of keys) walk.value(each, frame);
    return object;
  }
  const text = literalText(file, key);
  if (text !== undefined) return file.row('index', object, keyRow(file, text));
  return file.row('index', object, walk.value(key, frame), file.is(key, 'integer') ? file.word(key) : NO_TEXT);
}
