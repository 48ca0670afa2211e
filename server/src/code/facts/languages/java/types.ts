import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { TypePlace } from '../../walk/frames';
import type { JavaFile } from './grammar';

/** Row of a type; `NONE` for `var` and for no node. Type arguments count as used types whatever the type itself is used as. */
export function addType(file: JavaFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  if (node === NO_NODE || (file.is(node, 'type_identifier') && file.text(node) === 'var')) return NONE;
  return file.nested(file.unknown(), () => typeRow(file, node, place));
}

/** The same with the brackets that stand behind the name of what is declared. */
export function addDeclaredType(file: JavaFile, node: SyntaxNode, dimensions: SyntaxNode, place: TypePlace): ExpressionRow {
  const row = addType(file, node, place);
  return row === NONE || dimensions === NO_NODE ? row : file.row('arrayType', row);
}

function typeRow(file: JavaFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const { kind } = file.grammar;
  switch (file.reader.kind(node)) {
    case kind.type_identifier:
    case kind.identifier:
      return named(file, node, NONE, place);
    case kind.integral_type:
    case kind.floating_point_type:
    case kind.boolean_type:
    case kind.void_type:
      return file.row('name', place.scope, NONE, file.word(node));
    case kind.generic_type:
      return genericRow(file, node, place);
    case kind.array_type:
      return file.row('arrayType', addType(file, file.child(node, 'element'), place));
    case kind.scoped_type_identifier:
    case kind.scoped_identifier:
      return scopedRow(file, node, place);
    case kind.wildcard:
    case kind.annotated_type:
    case kind.type_bound:
    case kind.superclass: {
      const inner = file.children(node).filter(child => !file.is(child, 'annotation', 'marker_annotation', 'super'));
      const rows = inner.map(child => addType(file, child, place));
      return rows.length < 2 ? (rows[0] ?? file.unknown()) : file.row('intersection', NONE, NONE, NO_TEXT, rows);
    }
    default:
      return file.unknown();
  }
}

function named(file: JavaFile, node: SyntaxNode, before: ExpressionRow, place: TypePlace): ExpressionRow {
  const word = file.word(node);
  const row = before === NONE ? file.row('name', place.scope, NONE, word) : file.row('member', before, NONE, word);
  file.use(place.use, row, place.owner, word, file.reader.start(node));
  return row;
}

/** `a.b.Outer.Inner`: only the last name is a use; what stands before it may be a package. */
function scopedRow(file: JavaFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const parts = file.children(node).filter(child => !file.is(child, 'annotation', 'marker_annotation'));
  const [before, last] = parts;
  if (before === undefined || last === undefined) return file.unknown();
  return named(file, last, qualifierRow(file, before, place), place);
}

function qualifierRow(file: JavaFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  return file.nested(file.unknown(), () => {
    if (file.is(node, 'generic_type')) return addType(file, file.reader.firstNamedChild(node), place);
    if (!file.is(node, 'scoped_type_identifier', 'scoped_identifier')) return file.row('name', place.scope, NONE, file.word(node));
    const [before, last] = file.children(node).filter(child => !file.is(child, 'annotation', 'marker_annotation'));
    if (before === undefined || last === undefined) return file.unknown();
    return file.row('member', qualifierRow(file, before, place), NONE, file.word(last));
  });
}

function genericRow(file: JavaFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const base = addType(file, file.reader.firstNamedChild(node), place);
  const list = typeArguments(file, file.childOf(node, 'type_arguments'), place);
  return list.length === 0 ? base : file.row('generic', base, NONE, NO_TEXT, list);
}

export function typeArguments(file: JavaFile, node: SyntaxNode, place: TypePlace): ExpressionRow[] {
  return file.children(node).map(child => addType(file, child, place.use === 'type' ? place : { ...place, use: 'type' }));
}

/** Binds `<T extends Bound>` in the scope of what is generic. */
export function addTypeParameters(file: JavaFile, list: SyntaxNode, scope: ScopeRow, owner: SymbolRow): void {
  for (const parameter of file.children(list)) {
    if (!file.is(parameter, 'type_parameter')) continue;
    const name = file.childOf(parameter, 'type_identifier');
    if (name === NO_NODE) continue;
    const bound = file.childOf(parameter, 'type_bound');
    const type = bound === NO_NODE ? file.row('name', scope, NONE, file.builder.intern('Object')) : addType(file, bound, { scope, owner, use: 'type' });
    file.builder.addBinding({ scope, name: file.word(name), kind: 'typeParameter', type });
  }
}

/** Last name of a type and where it stands. */
export function lastTypeName(file: JavaFile, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  for (let at = node, steps = 0; at !== NO_NODE && steps < 50; steps++) {
    if (file.is(at, 'type_identifier', 'identifier')) return { name: file.word(at), at: file.reader.start(at) };
    at = file.is(at, 'scoped_type_identifier', 'scoped_identifier', 'annotated_type') ? file.reader.lastNamedChild(at) : file.reader.firstNamedChild(at);
  }
  return { name: NO_TEXT, at: node === NO_NODE ? 0 : file.reader.start(node) };
}
