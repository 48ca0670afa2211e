import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type SomeRow, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { type CsharpFile, type Frame, identifierOf, type Walk } from './walk';

/** `type` for declarations, `assertType` for tests and casts, `catch` for handlers, `none` where the use is written by somebody else. */
export type TypeUse = 'type' | 'assertType' | 'catch' | 'none';

/** Row of a type. References, pointers and nullability are transparent; `var` and no type give `NONE`. */
export function typeRow(walk: Walk, node: SyntaxNode, frame: Frame, use: TypeUse = 'type'): ExpressionRow {
  if (node === NO_NODE) return NONE;
  const { file } = walk;
  return file.nested(NONE, () => rowOf(walk, node, frame, use));
}

function rowOf(walk: Walk, node: SyntaxNode, frame: Frame, use: TypeUse): ExpressionRow {
  const { file } = walk;
  const { kind } = file.grammar;
  switch (file.reader.kind(node)) {
    case kind.identifier: {
      const row = file.row('name', frame.scope, NONE, file.word(node));
      noteType(file, use, row, node, frame);
      return row;
    }
    case kind.predefined_type:
      return predefined(file, node);
    case kind.generic_name: {
      const name = identifierOf(file, node);
      const functional = functionalType(walk, node, file.text(name), frame);
      if (functional !== NONE) return functional;
      const row = file.row('name', frame.scope, NONE, wordWithArity(file, node));
      noteType(file, use, row, name, frame);
      return applied(walk, row, node, frame);
    }
    case kind.qualified_name:
    case kind.member_access_expression:
      return qualified(walk, node, frame, use);
    case kind.alias_qualified_name: {
      const name = identifierOf(file, file.child(node, 'name'));
      const row = file.row('name', MODULE_SCOPE, NONE, file.word(name));
      noteType(file, use, row, name, frame);
      return row;
    }
    case kind.nullable_type:
    case kind.pointer_type:
    case kind.ref_type:
    case kind.scoped_type:
      return typeRow(walk, file.child(node, 'type'), frame, use);
    case kind.array_type:
      return file.row('arrayType', typeRow(walk, file.child(node, 'type'), frame, use));
    case kind.tuple_type:
      return tupleType(walk, node, frame, use);
    case kind.implicit_type:
      return NONE;
    default:
      return file.unknown();
  }
}

function noteType(file: CsharpFile, use: TypeUse, row: ExpressionRow, name: SyntaxNode, frame: Frame): void {
  if (use !== 'none') file.use(use, row, frame.owner, file.word(name), file.reader.start(name));
}

function predefined(file: CsharpFile, node: SyntaxNode): ExpressionRow {
  return file.row('name', MODULE_SCOPE, NONE, file.word(node));
}

/** Generic types of one name are told apart by how many arguments they take: `List<T>` is looked up as ``List`1``. */
export function wordWithArity(file: CsharpFile, generic: SyntaxNode): StringIndex {
  const list = file.childOf(generic, 'type_argument_list');
  const written = file.children(list).length;
  const arity = written > 0 ? written : file.text(list).split(',').length;
  return file.builder.intern(`${file.text(identifierOf(file, generic))}\`${arity}`);
}

/** Type arguments of a generic name as rows; always uses of types. */
export function typeArguments(walk: Walk, generic: SyntaxNode, frame: Frame): ExpressionRow[] {
  const { file } = walk;
  return file.children(file.childOf(generic, 'type_argument_list')).map(argument => {
    const row = typeRow(walk, argument, frame);
    return row === NONE ? file.unknown() : row;
  });
}

function applied(walk: Walk, base: ExpressionRow, generic: SyntaxNode, frame: Frame): ExpressionRow {
  const list = typeArguments(walk, generic, frame);
  return list.length === 0 ? base : walk.file.row('generic', base, NONE, NO_TEXT, list);
}

/** Delegates of the base library are function types: `Func<A, R>`, `Action<A>`, `Predicate<A>`, `Comparison<A>`, `EventHandler<A>`; `Expression<F>` is F. */
function functionalType(walk: Walk, node: SyntaxNode, name: string, frame: Frame): ExpressionRow {
  const shape = FUNCTIONAL[name];
  if (shape === undefined) return NONE;
  const { file } = walk;
  const list = typeArguments(walk, node, frame);
  if (shape === 'same') return list[0] ?? NONE;
  if (shape === 'last') return file.row('functionType', list.at(-1) ?? NONE, NONE, NO_TEXT, list.slice(0, -1));
  const result = file.row('name', MODULE_SCOPE, NONE, file.builder.intern(shape));
  const [first] = list;
  if (name === 'EventHandler')
    return file.row('functionType', result, NONE, NO_TEXT, [file.row('name', MODULE_SCOPE, NONE, file.builder.intern('object')), ...list]);
  return file.row('functionType', result, NONE, NO_TEXT, name === 'Comparison' && first !== undefined ? [first, first] : list);
}

const FUNCTIONAL: Readonly<Record<string, string | undefined>> = {
  Func: 'last',
  Converter: 'last',
  Action: 'void',
  Predicate: 'bool',
  Comparison: 'int',
  EventHandler: 'void',
  Expression: 'same',
};

/** `A.B.C<T>`: a member of what stands before the last dot. */
function qualified(walk: Walk, node: SyntaxNode, frame: Frame, use: TypeUse): ExpressionRow {
  const { file } = walk;
  const isName = file.is(node, 'qualified_name');
  const outer = typeRow(walk, file.child(node, isName ? 'qualifier' : 'expression'), frame, 'none');
  const nameNode = file.child(node, 'name');
  const name = identifierOf(file, nameNode);
  if (name === NO_NODE) return outer;
  const functional = file.is(nameNode, 'generic_name') ? functionalType(walk, nameNode, file.text(name), frame) : NONE;
  if (functional !== NONE) return functional;
  const row = file.row('member', outer, NONE, file.word(name));
  noteType(file, use, row, name, frame);
  return file.is(nameNode, 'generic_name') ? applied(walk, row, nameNode, frame) : row;
}

/** `(A a, B)`: a tuple whose elements are also members by name and as `Item1`, `Item2`… */
function tupleType(walk: Walk, node: SyntaxNode, frame: Frame, use: TypeUse): ExpressionRow {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  const members: SomeRow[] = [];
  for (const element of file.children(node)) {
    const row = typeRow(walk, file.child(element, 'type'), frame, use);
    rows.push(row === NONE ? file.unknown() : row);
    pushMember(file, members, rows.length, file.child(element, 'name'), row);
  }
  const tuple = file.row('arrayType', NONE, NONE, file.builder.intern('tuple'), rows);
  return file.row('intersection', NONE, NONE, NO_TEXT, [tuple, file.row('objectType', NONE, NONE, NO_TEXT, members)]);
}

/** Adds a tuple element under its position and its name. */
export function pushMember(file: CsharpFile, members: SomeRow[], position: number, name: SyntaxNode, row: ExpressionRow): void {
  members.push(file.builder.intern(`Item${position}`), row);
  if (name !== NO_NODE) members.push(file.word(name), row);
}

/** Type parameters of a declaration bound in its scope, with the first constraint that names a type. */
export function bindTypeParameters(walk: Walk, declaration: SyntaxNode, list: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  if (list === NO_NODE) return;
  const bounds = constraintsOf(walk, declaration, frame);
  for (const parameter of file.children(list)) {
    const name = file.child(parameter, 'name');
    if (name === NO_NODE) continue;
    const word = file.word(name);
    file.builder.addBinding({ scope: frame.scope, name: word, kind: 'typeParameter', type: bounds.get(word) ?? NONE });
  }
}

function constraintsOf(walk: Walk, declaration: SyntaxNode, frame: Frame): ReadonlyMap<StringIndex, ExpressionRow> {
  const { file } = walk;
  const bounds = new Map<StringIndex, ExpressionRow>();
  for (const clause of file.children(declaration)) {
    if (!file.is(clause, 'type_parameter_constraints_clause')) continue;
    const [name, ...constraints] = file.children(clause);
    if (name === undefined) continue;
    const rows = constraints.map(constraint => typeRow(walk, file.child(constraint, 'type'), frame)).filter(row => row !== NONE);
    const [only] = rows;
    if (only !== undefined) bounds.set(file.word(name), rows.length === 1 ? only : file.row('intersection', NONE, NONE, NO_TEXT, rows));
  }
  return bounds;
}
