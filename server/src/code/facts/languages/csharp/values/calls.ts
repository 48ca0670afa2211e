import { operandOf } from '../../../../../model/expressions';
import { bindingRow, type ExpressionRow, NO_TEXT, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { typeArguments } from '../types';
import { type Frame, lastNameNode, type Walk } from '../walk';

/** Row of a call, with one use for the call. `nameof(x)` only reads. */
export function callValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const callee = file.child(node, 'function');
  const list = file.child(node, 'arguments');
  if (file.is(callee, 'identifier') && file.text(callee) === 'nameof') {
    for (const argument of file.children(list)) walk.value(argument, frame);
    return file.literal('string');
  }
  const name = lastNameNode(file, callee);
  const calleeRow = walk.quiet(callee, frame);
  const generic = file.reader.parent(name);
  const applied =
    name !== NO_NODE && file.is(generic, 'generic_name') ? file.row('generic', calleeRow, NONE, NO_TEXT, typeArguments(walk, generic, frame)) : NONE;
  const rows = argumentRows(walk, list, frame, file.text(name) === 'TryGetValue' ? calleeRow : NONE);
  const row = file.row('call', calleeRow, applied, NO_TEXT, rows);
  if (name === NO_NODE) file.use('call', row, frame.owner, NO_TEXT, file.reader.start(callee));
  else file.use('call', row, frame.owner, file.word(name), file.reader.start(name));
  return row;
}

/** Arguments in order; what a dictionary gives out in `TryGetValue(key, out var x)` is its element. */
function argumentRows(walk: Walk, list: SyntaxNode, frame: Frame, lookup: ExpressionRow): ExpressionRow[] {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  for (const argument of file.children(list)) {
    const inner = file.last(argument);
    const row = walk.value(argument, frame);
    rows.push(row);
    if (lookup !== NONE && rows.length === 2 && file.is(inner, 'declaration_expression')) bindElement(walk, inner, row, lookup, rows[0] ?? NONE);
  }
  return rows;
}

function bindElement(walk: Walk, declaration: SyntaxNode, declared: ExpressionRow, callee: ExpressionRow, key: ExpressionRow): void {
  const { file } = walk;
  const { bindings, expressions } = file.builder;
  const word = file.word(file.child(declaration, 'name'));
  const binding = bindingRow(bindings.count - 1);
  const receiver = operandOf.receiver(expressions, callee);
  if (bindings.name[binding] !== word || bindings.value[binding] !== declared || (bindings.type[binding] ?? NONE) !== NONE) return;
  file.builder.set('bindings', 'value', binding, file.row('index', receiver, key));
}
