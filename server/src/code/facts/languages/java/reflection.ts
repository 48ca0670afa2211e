import { type ExpressionRow, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Frame, Walk } from './walk';

/** Look-ups of a member by its name: the arguments that hold the class (-1: what it is called on) and the name. */
const LOOK_UPS: ReadonlyMap<string, { readonly type: number; readonly name: number }> = new Map([
  ['getMethod', { type: -1, name: 0 }],
  ['getDeclaredMethod', { type: -1, name: 0 }],
  ['findVirtual', { type: 0, name: 1 }],
  ['findStatic', { type: 0, name: 1 }],
  ['findSpecial', { type: 0, name: 1 }],
  ['getConstructor', { type: -1, name: -1 }],
  ['getDeclaredConstructor', { type: -1, name: -1 }],
  ['findConstructor', { type: 0, name: -1 }],
]);

export function isLookUp(name: string): boolean {
  return LOOK_UPS.has(name);
}

/** `A.class.getMethod("b")`, `lookup.findVirtual(A.class, "b", …)`: with both written out, as good as a call. `classRow` reads the name of a class. */
export function useLookedUp(walk: Walk, node: SyntaxNode, frame: Frame, classRow: (type: SyntaxNode) => ExpressionRow): void {
  const { file } = walk;
  const place = LOOK_UPS.get(file.text(file.child(node, 'name')));
  if (place === undefined) return;
  const args = file.children(file.child(node, 'arguments'));
  const holder = place.type < 0 ? file.child(node, 'object') : (args[place.type] ?? NO_NODE);
  if (!file.is(holder, 'class_literal')) return;
  const typeNode = file.reader.firstNamedChild(holder);
  if (!file.is(typeNode, 'type_identifier', 'scoped_type_identifier')) return;
  const type = classRow(typeNode);
  if (place.name < 0) {
    const at = file.reader.lastNamedChild(holder);
    file.use('new', file.row('new', type), frame.owner, file.word(at), file.reader.start(at));
    return;
  }
  const literal = args[place.name] ?? NO_NODE;
  if (!file.is(literal, 'string_literal') || !/^"\w+"$/.test(file.text(literal))) return;
  const start = file.reader.start(literal) + 1;
  const name = file.builder.internRange(start, file.reader.end(literal) - 1);
  file.use('call', file.row('call', file.row('member', type, NONE, name)), frame.owner, name, start);
}
