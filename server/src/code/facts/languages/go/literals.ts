import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { addType } from './types';
import type { Block, Walk } from './walk';

/** `T{…}`: a value of its type. Keys of struct literals write fields; functions in lists and maps stay reachable through the literal. */
export function compositeValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const typeNode = file.child(node, 'type');
  const type = addType(file, typeNode, { scope: block.scope, owner: block.owner, counts: true });
  literalBody(walk, file.child(node, 'body'), type, keysOf(walk, typeNode), block);
  return file.row('valueOfType', type);
}

/** What stands before the colons: names of fields, values, or either (a named type may be a struct or a map). */
type Keys = 'fields' | 'values' | 'unknown';

function keysOf(walk: Walk, type: SyntaxNode): Keys {
  if (walk.file.is(type, 'struct_type')) return 'fields';
  return walk.file.is(type, 'map_type', 'slice_type', 'array_type', 'implicit_length_array_type') ? 'values' : 'unknown';
}

function literalBody(walk: Walk, body: SyntaxNode, type: ExpressionRow, keys: Keys, block: Block): void {
  const { file } = walk;
  for (const element of file.children(body)) {
    if (!file.is(element, 'keyed_element')) {
      elementValue(walk, element, type, 1, block);
      continue;
    }
    const key = file.reader.firstNamedChild(file.child(element, 'key'));
    const value = file.child(element, 'value');
    if (keys !== 'values' && file.is(key, 'identifier')) writeField(walk, key, value, type, block);
    else {
      elementValue(walk, file.child(element, 'key'), type, 0, block);
      elementValue(walk, value, type, 1, block);
    }
  }
}

/** Literals inside literals leave their type out: it is the element type of the one around. `position` 0 is that of a map's keys. */
function elementValue(walk: Walk, element: SyntaxNode, type: ExpressionRow, position: number, block: Block): ExpressionRow {
  const { file } = walk;
  const inside = file.is(element, 'literal_element') ? file.reader.firstNamedChild(element) : element;
  if (!file.is(inside, 'literal_value')) return walk.value(inside, block);
  return file.nested(NONE, () => {
    const own = elementType(walk, type, position);
    literalBody(walk, inside, own, own === NONE ? 'unknown' : keysOfRow(walk, own), block);
    return own === NONE ? file.unknown() : file.row('valueOfType', own);
  });
}

function writeField(walk: Walk, key: SyntaxNode, value: SyntaxNode, type: ExpressionRow, block: Block): void {
  const { file } = walk;
  const name = file.word(key);
  const target = file.row('valueOfType', type);
  const row = elementValue(walk, value, NONE, 1, block);
  file.builder.addAssignment({ target, name, value: row, owner: block.owner });
  file.use('write', file.row('member', target, NONE, name), block.owner, name, file.reader.start(key));
}

/** Element type of a spelled slice, array or map; `NONE` for named types. */
function elementType(walk: Walk, type: ExpressionRow, position: number): ExpressionRow {
  const { expressions, lists, strings } = walk.file.builder;
  if (type === NONE) return NONE;
  if (expressions.operator[type] === operatorCode.arrayType)
    return strings[expressions.text[type] ?? NO_TEXT] === 'tuple' ? NONE : operandOf.inner(expressions, type);
  const base = expressions.operator[type] === operatorCode.generic ? operandOf.inner(expressions, type) : NONE;
  if (base === NONE || strings[expressions.text[base] ?? NO_TEXT] !== 'map') return NONE;
  return lists[(expressions.listStart[type] ?? 0) + position] ?? NONE;
}

function keysOfRow(walk: Walk, type: ExpressionRow): Keys {
  const { expressions } = walk.file.builder;
  if (expressions.operator[type] === operatorCode.objectType) return 'fields';
  const isSpelled = expressions.operator[type] === operatorCode.arrayType || elementType(walk, type, 1) !== NONE;
  return isSpelled ? 'values' : 'unknown';
}
