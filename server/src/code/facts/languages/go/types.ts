import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type ScopeRow, type SomeRow, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { type GoFile, lastName } from './walk';

/** Where a type stands. */
export interface TypePlace {
  readonly scope: ScopeRow;
  /** Symbol that uses the type, or `NONE`. */
  readonly owner: SymbolRow;
  /** False where the use has been written already. */
  readonly counts: boolean;
}

/** Row of a type node; pointers, parentheses and `~` are transparent. Uses of declared types are written as it goes. */
export function addType(file: GoFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  if (node === NO_NODE) return NONE;
  return file.nested(NONE, () => typeRow(file, node, place));
}

function typeRow(file: GoFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const { kind } = file.grammar;
  switch (file.reader.kind(node)) {
    case kind.identifier:
    case kind.type_identifier:
      return counted(file, node, place, typeNameRow(file, node, place));
    case kind.qualified_type:
    case kind.selector_expression:
      return counted(file, node, place, qualifiedRow(file, node, place));
    case kind.pointer_type:
    case kind.parenthesized_type:
    case kind.negated_type:
    case kind.type_constraint:
    case kind.type_elem:
    case kind.unary_expression:
    case kind.parenthesized_expression:
      return innerTypes(file, node, place);
    case kind.slice_type:
    case kind.array_type:
    case kind.implicit_length_array_type:
      return file.row('arrayType', addType(file, file.child(node, 'element'), place));
    case kind.map_type: {
      const key = addType(file, file.child(node, 'key'), place);
      return builtinType(file, 'map', [key, addType(file, file.child(node, 'value'), place)]);
    }
    case kind.channel_type:
      return builtinType(file, 'chan', [addType(file, file.child(node, 'value'), place)]);
    case kind.generic_type: {
      const base = addType(file, file.child(node, 'type'), place);
      return file.row('generic', base, NONE, NO_TEXT, typeArguments(file, file.child(node, 'type_arguments'), place));
    }
    case kind.function_type:
      return functionTypeRow(file, node, place);
    case kind.struct_type:
      return structTypeRow(file, node, place);
    case kind.interface_type:
      return interfaceTypeRow(file, node, place);
    default:
      return file.unknown();
  }
}

function typeNameRow(file: GoFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const name = file.word(node);
  file.used.add(name);
  return file.row('name', place.scope, NONE, name);
}

function counted(file: GoFile, node: SyntaxNode, place: TypePlace, row: ExpressionRow): ExpressionRow {
  if (!place.counts) return row;
  const { name, at } = lastName(file, node);
  if (name !== 0 && !PREDECLARED.has(file.builder.strings[name] ?? '')) file.use('type', row, place.owner, name, at);
  return row;
}

/** Never worth a reference; when the project declares a type of such a name it still resolves. */
const PREDECLARED: ReadonlySet<string> = new Set(
  'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr'.split(
    ' ',
  ),
);

function qualifiedRow(file: GoFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const isType = file.is(node, 'qualified_type');
  const packageNode = isType ? file.child(node, 'package') : file.child(node, 'operand');
  const nameNode = isType ? file.child(node, 'name') : file.child(node, 'field');
  const owner = typeNameRow(file, packageNode, place);
  return file.row('member', owner, NONE, file.word(nameNode));
}

/** One inner type, or any of several (`A | B` in a constraint). */
function innerTypes(file: GoFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  return file.either(file.children(node).map(child => addType(file, child, place)));
}

export function typeArguments(file: GoFile, list: SyntaxNode, place: TypePlace): ExpressionRow[] {
  return file.children(list).map(child => addType(file, child, place));
}

/** `map[K]V` and `chan T`: keywords, so no scope can bind them. */
export function builtinType(file: GoFile, name: string, args: readonly ExpressionRow[]): ExpressionRow {
  return file.row('generic', file.row('name', MODULE_SCOPE, NONE, file.builder.intern(name)), NONE, NO_TEXT, args);
}

/** Types of a parameter list, one for each name. */
export function parameterTypes(file: GoFile, list: SyntaxNode, place: TypePlace): ExpressionRow[] {
  const rows: ExpressionRow[] = [];
  for (const child of file.children(list)) {
    const type = addType(file, file.child(child, 'type'), place);
    const row = file.is(child, 'variadic_parameter_declaration') ? file.row('arrayType', type) : type;
    const names = file.childrenOf(child, 'name').length;
    for (let index = 0; index < Math.max(1, names); index++) rows.push(row);
  }
  return rows;
}

/** Row of what a function gives: one type, a tuple of several, or `NONE`. */
export function resultType(file: GoFile, result: SyntaxNode, place: TypePlace): ExpressionRow {
  if (result === NO_NODE) return NONE;
  if (!file.is(result, 'parameter_list')) return addType(file, result, place);
  const types = parameterTypes(file, result, place);
  const [only] = types;
  if (only === undefined) return NONE;
  return types.length === 1 ? only : file.row('arrayType', NONE, NONE, file.builder.intern('tuple'), types);
}

function functionTypeRow(file: GoFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const parameters = parameterTypes(file, file.child(node, 'parameters'), place);
  return file.row('functionType', resultType(file, file.child(node, 'result'), place), NONE, NO_TEXT, parameters);
}

/** An anonymous struct: its fields; embedded ones under the name of their type and as further members. */
function structTypeRow(file: GoFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const list: SomeRow[] = [];
  const embedded: ExpressionRow[] = [];
  for (const field of file.children(file.childOf(node, 'field_declaration_list'))) {
    const typeNode = file.child(field, 'type');
    const type = addType(file, typeNode, place);
    const names = file.childrenOf(field, 'name').filter(name => file.is(name, 'field_identifier'));
    for (const name of names) list.push(file.word(name), type);
    if (names.length > 0) continue;
    list.push(lastName(file, typeNode).name, type);
    embedded.push(type);
  }
  const own = file.row('objectType', NONE, NONE, NO_TEXT, list);
  return embedded.length === 0 ? own : file.row('intersection', NONE, NONE, NO_TEXT, [own, ...embedded]);
}

function interfaceTypeRow(file: GoFile, node: SyntaxNode, place: TypePlace): ExpressionRow {
  const elements = file.children(node);
  if (elements.length === 0) return file.row('name', MODULE_SCOPE, NONE, file.builder.intern('any'));
  const list: SomeRow[] = [];
  const embedded: ExpressionRow[] = [];
  for (const element of elements) {
    if (file.is(element, 'method_elem')) list.push(file.word(file.child(element, 'name')), functionTypeRow(file, element, place));
    else embedded.push(addType(file, element, place));
  }
  if (list.length > 0) embedded.unshift(file.row('objectType', NONE, NONE, NO_TEXT, list));
  return embedded.length === 1 ? (embedded[0] ?? NONE) : file.row('intersection', NONE, NONE, NO_TEXT, embedded);
}
