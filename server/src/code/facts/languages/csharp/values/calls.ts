import { NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { typeArguments } from '../types';
import { type Frame, lastNameNode, type Walk } from '../walk';

/** Row of a call, with one use for the call. `nameof(x)` only reads. */
export function callValue(walk: Walk, node: number, frame: Frame): number {
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
  const applied = name !== NO_NODE && file.is(generic, 'generic_name') ? file.row('generic', calleeRow, NONE, 0, typeArguments(walk, generic, frame)) : NONE;
  const rows = argumentRows(walk, list, frame, file.text(name) === 'TryGetValue' ? calleeRow : NONE);
  const row = file.row('call', calleeRow, applied, 0, rows);
  if (name === NO_NODE) file.use('call', row, frame.owner, 0, file.reader.start(callee));
  else file.use('call', row, frame.owner, file.word(name), file.reader.start(name));
  return row;
}

/** Arguments in order; what a dictionary gives out in `TryGetValue(key, out var x)` is its element. */
function argumentRows(walk: Walk, list: number, frame: Frame, lookup: number): number[] {
  const { file } = walk;
  const rows: number[] = [];
  for (const argument of file.children(list)) {
    const inner = file.last(argument);
    const row = walk.value(argument, frame);
    rows.push(row);
    if (lookup !== NONE && rows.length === 2 && file.is(inner, 'declaration_expression')) bindElement(walk, inner, row, lookup, rows[0] ?? NONE);
  }
  return rows;
}

function bindElement(walk: Walk, declaration: number, declared: number, callee: number, key: number): void {
  const { file } = walk;
  const { bindings, expressions } = file.builder;
  const word = file.word(file.child(declaration, 'name'));
  const binding = bindings.count - 1;
  const receiver = expressions.a[callee] ?? NONE;
  if (bindings.name[binding] !== word || bindings.value[binding] !== declared || (bindings.type[binding] ?? NONE) !== NONE) return;
  file.builder.set('bindings', 'value', binding, file.row('index', receiver, key));
}
