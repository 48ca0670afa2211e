import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { TypePlace } from '../../walk/frames';
import { type KotlinFile, TYPE_KINDS } from './grammar';

export function isType(file: KotlinFile, node: SyntaxNode): boolean {
  return file.is(node, ...TYPE_KINDS);
}

/** First type among the children of a node that starts behind `after`. */
export function typeBehind(file: KotlinFile, node: SyntaxNode, after = NO_NODE): SyntaxNode {
  return file.children(node).find(child => child > after && isType(file, child)) ?? NO_NODE;
}

/** Row of a type; `NONE` for no node. Nullability says nothing. */
export function addType(file: KotlinFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  if (node === NO_NODE) return NONE;
  useAnnotations(file, file.childOf(node, 'type_modifiers'), place);
  return file.nested(file.unknown(), () => typeRow(file, node, place));
}

/** Annotations before a type (`@Contextual Date`). */
function useAnnotations(file: KotlinFile, modifiers: SyntaxNode, place: TypePlace): void {
  for (const annotation of file.children(modifiers)) {
    if (!file.is(annotation, 'annotation')) continue;
    const call = file.childOf(annotation, 'constructor_invocation');
    addType(file, typeBehind(file, call === NO_NODE ? annotation : call), { ...place, use: 'type' });
  }
}

function typeRow(file: KotlinFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  if (file.is(node, 'user_type')) return userType(file, node, place);
  if (file.is(node, 'function_type')) return functionType(file, node, place);
  if (file.is(node, 'type_projection') && typeBehind(file, node) === NO_NODE) return file.unknown();
  if (file.is(node, 'nullable_type', 'parenthesized_type', 'non_nullable_type', 'type_projection', 'type_test')) {
    return addType(file, typeBehind(file, node), place);
  }
  return file.unknown();
}

/** `a.b.Outer.Inner<X>`: only the last name is a use; what stands before it may be a package. */
function userType(file: KotlinFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const { builder, reader } = file;
  let row: ExpressionRow = NONE;
  let last = NO_NODE;
  const parts = file.children(node);
  for (const part of parts) {
    if (!file.is(part, 'identifier')) continue;
    row = row === NONE ? file.row('name', place.scope, NONE, file.word(part)) : file.row('member', row, NONE, file.word(part));
    last = part;
  }
  if (last === NO_NODE) return file.unknown();
  file.use(place.use, row, place.owner, builder.internRange(reader.start(last), reader.end(last)), reader.start(last));
  const given = typeArguments(file, parts.find(part => part > last && file.is(part, 'type_arguments')) ?? NO_NODE, place);
  return given.length === 0 ? row : file.row('generic', row, NONE, NO_TEXT, given);
}

/** `A.(B) -> C` is a function of A and B whose text says that A is the receiver. */
function functionType(file: KotlinFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const inner: TypePlace = { ...place, use: 'type' };
  const list = file.childOf(node, 'function_type_parameters');
  const children = file.children(node);
  const receiver = children.find(child => child < list && isType(file, child)) ?? NO_NODE;
  const items: ExpressionRow[] = receiver === NO_NODE ? [] : [addType(file, receiver, inner)];
  for (const child of file.children(list)) {
    const type = file.is(child, 'parameter') ? typeBehind(file, child) : child;
    items.push(type === NO_NODE ? file.unknown() : addType(file, type, inner));
  }
  const result = typeBehind(file, node, list);
  const text = receiver === NO_NODE ? NO_TEXT : file.builder.intern('receiver');
  return file.row('functionType', result === NO_NODE ? file.unknown() : addType(file, result, inner), NONE, text, items);
}

export function typeArguments(file: KotlinFile, node: SyntaxNode, place: TypePlace): ExpressionRow[] {
  return file.children(node).map(child => addType(file, child, place.use === 'type' ? place : { ...place, use: 'type' }));
}

/** Binds `<T : Bound>` and `where T : Bound` in the scope of what is generic. */
export function addTypeParameters(file: KotlinFile, node: SyntaxNode, scope: ScopeRow, owner: SymbolRow): void {
  const list = file.childOf(node, 'type_parameters');
  if (list === NO_NODE) return;
  const place: TypePlace = { scope, owner, use: 'type' };
  const bounds = new Map<StringIndex, ExpressionRow[]>();
  for (const constraint of file.children(file.childOf(node, 'type_constraints'))) {
    const name = file.word(file.childOf(constraint, 'identifier'));
    bounds.set(name, [...(bounds.get(name) ?? []), addType(file, typeBehind(file, constraint), place)]);
  }
  for (const parameter of file.children(list)) {
    const nameNode = file.childOf(parameter, 'identifier');
    if (nameNode === NO_NODE) continue;
    const name = file.word(nameNode);
    const own = typeBehind(file, parameter);
    const types = [...(own === NO_NODE ? [] : [addType(file, own, place)]), ...(bounds.get(name) ?? [])];
    const bound =
      types.length > 1 ? file.row('intersection', NONE, NONE, NO_TEXT, types) : (types[0] ?? file.row('name', scope, NONE, file.builder.intern('Any')));
    file.builder.addBinding({ scope, name, kind: 'typeParameter', type: bound });
  }
}

/** Last name of a type and where it stands. */
export function lastTypeName(file: KotlinFile, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  const type = file.is(node, 'user_type') ? node : typeBehind(file, node);
  const last = file
    .children(type)
    .filter(child => file.is(child, 'identifier'))
    .at(-1);
  return last === undefined ? { name: NO_TEXT, at: node === NO_NODE ? 0 : file.reader.start(node) } : { name: file.word(last), at: file.reader.start(last) };
}
