import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type SomeRow, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { CppWalk } from './walk';

/** `{a, b}` is an array, `{.x = a}` an object. */
export function initializerList(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const rows: ExpressionRow[] = [];
  const pairs: SomeRow[] = [];
  for (const child of walk.file.children(node)) {
    if (!walk.file.is(child, 'initializer_pair')) {
      rows.push(walk.value(child));
      continue;
    }
    const field = designated(walk, child);
    const value = walk.value(walk.file.child(child, 'value'));
    if (field === 0) rows.push(value);
    else pairs.push(field, value);
  }
  return pairs.length > 0 ? walk.file.row('object', NONE, NONE, NO_TEXT, pairs) : walk.file.row('array', NONE, NONE, NO_TEXT, rows);
}

/** Field that `.x = v` or `x: v` sets; 0 for positions and nested ones. */
function designated(walk: CppWalk, pair: SyntaxNode): StringIndex {
  const designators = walk.file.childrenOf(pair, 'designator');
  const [only] = designators;
  if (only === undefined || designators.length > 1) return NO_TEXT;
  const name = walk.file.is(only, 'field_designator') ? walk.file.reader.firstNamedChild(only) : only;
  return walk.file.is(name, 'field_identifier') ? walk.file.word(name) : NO_TEXT;
}

/**
 * Says which fields of a type an initializer sets: an assignment into a value of the type for each, fields by position called `#0`, `#1`, ….
 * Only values that may be functions are worth a row: plain names and their addresses.
 */
export function assignInitializers(walk: CppWalk, node: SyntaxNode, row: ExpressionRow, type: ExpressionRow): void {
  const { expressions, lists } = walk.file.builder;
  if (type === NONE) return;
  const values = (at: ExpressionRow): ExpressionRow[] =>
    lists.slice(expressions.listStart[at] ?? 0, (expressions.listStart[at] ?? 0) + (expressions.listCount[at] ?? 0));
  if (expressions.operator[type] === operatorCode.arrayType) {
    if (expressions.operator[row] !== operatorCode.array) return;
    const element = operandOf.inner(expressions, type);
    for (const item of values(row)) if (isList(walk, item)) assignInitializers(walk, NO_NODE, item, element);
    return;
  }
  const items = values(row);
  if (expressions.operator[row] === operatorCode.array)
    items.forEach((item, at) => {
      if (isName(walk, item)) assign(walk, type, walk.file.builder.intern(`#${at}`), item);
    });
  else
    for (let at = 0; at + 1 < items.length; at += 2) {
      const item = items[at + 1] ?? NONE;
      if (isName(walk, item)) assign(walk, type, (items[at] ?? NO_TEXT) as StringIndex, item);
    }
}

function isList(walk: CppWalk, row: ExpressionRow): boolean {
  const operator = walk.file.builder.expressions.operator[row];
  return operator === operatorCode.array || operator === operatorCode.object;
}

function isName(walk: CppWalk, row: ExpressionRow): boolean {
  const operator = walk.file.builder.expressions.operator[row];
  return operator === operatorCode.name || operator === operatorCode.member || operator === operatorCode.function;
}

function assign(walk: CppWalk, type: ExpressionRow, name: StringIndex, value: ExpressionRow): void {
  walk.file.builder.addAssignment({ target: walk.file.row('valueOfType', type), name, value, owner: walk.owner });
}
