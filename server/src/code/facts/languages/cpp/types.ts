import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { declaratorOf, typeDescriptor } from './declarators';
import { nameParts, simpleName } from './names';
import { type CppWalk, GLOBAL_SCOPE } from './walk';

/** Row of a type specifier; see `CppWalk.type`. */
export function typeSpecifier(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  if (walk.file.is(node, 'primitive_type')) return walk.primitive(walk.file.text(node));
  if (walk.file.is(node, 'sized_type_specifier')) return walk.primitive('int');
  if (walk.file.is(node, 'type_identifier', 'identifier', 'namespace_identifier', 'qualified_identifier', 'template_type', 'template_function'))
    return namedType(walk, node);
  if (walk.file.is(node, 'struct_specifier', 'class_specifier', 'union_specifier', 'enum_specifier')) {
    const symbol = walk.declareType(node);
    if (symbol !== NONE) return walk.file.row('class', symbol);
    const name = walk.file.child(node, 'name');
    return name === NO_NODE ? NONE : namedType(walk, name);
  }
  if (walk.file.is(node, 'placeholder_type_specifier', 'auto')) return NONE;
  if (walk.file.is(node, 'decltype')) {
    const inner = walk.file.reader.firstNamedChild(node);
    return inner === NO_NODE || walk.file.is(inner, 'auto') ? NONE : walk.file.row('typeof', walk.value(inner));
  }
  if (walk.file.is(node, 'type_descriptor')) return typeDescriptor(walk, node);
  if (walk.file.is(node, 'dependent_type', 'macro_type_specifier')) return walk.type(walk.file.children(node).at(-1) ?? NO_NODE);
  return NONE;
}

/** Row of a possibly qualified type name with its template arguments; writes its use and those of its qualifiers, unless told which. */
export function namedType(walk: CppWalk, node: SyntaxNode, counts: boolean | 'qualifiers' = true): ExpressionRow {
  const parts = nameParts(walk, node);
  let row: ExpressionRow = NONE;
  let plain: ExpressionRow = NONE;
  let isGlobal = false;
  let lastAt = node;
  let lastName: StringIndex = NO_TEXT;
  for (const part of parts) {
    if (part.text === '') {
      isGlobal = true;
      continue;
    }
    if (plain !== NONE && counts !== false) readQualifier(walk, plain, lastName, lastAt);
    lastName = walk.file.builder.intern(part.text);
    lastAt = part.node;
    row = row === NONE ? walk.file.row('name', isGlobal ? GLOBAL_SCOPE : walk.scope, NONE, lastName) : walk.file.row('member', row, NONE, lastName);
    plain = row;
    const args = templateArguments(walk, part.node);
    if (args !== undefined) row = walk.file.row('generic', row, NONE, NO_TEXT, args);
  }
  if (row === NONE) return walk.file.unknown();
  if (counts === true) walk.file.use('type', row, walk.owner, lastName, walk.file.reader.start(lastAt));
  return row;
}

/** A use of what stands before `::`; of a namespace it is none, and `std` is left out. `row`: the name with its own qualifiers, without template arguments. */
export function readQualifier(walk: CppWalk, row: ExpressionRow, name: StringIndex, node: SyntaxNode): void {
  if (walk.file.builder.expressions.text[row] === walk.file.builder.find('std')) return;
  walk.file.use('qualifier', row, walk.owner, name, walk.file.reader.start(node));
}

/** Rows of the arguments in `<…>`; `undefined` when the name has none. */
export function templateArguments(walk: CppWalk, node: SyntaxNode): ExpressionRow[] | undefined {
  const holder = walk.file.is(node, 'dependent_name') ? walk.file.reader.firstNamedChild(node) : node;
  if (!walk.file.is(holder, 'template_type', 'template_function', 'template_method')) return undefined;
  return walk.file.children(walk.file.child(holder, 'arguments')).map(child => argumentType(walk, child));
}

function argumentType(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  if (walk.file.is(node, 'type_descriptor')) {
    const inner = walk.file.child(node, 'type');
    if (isMemberOfTemplate(walk, inner)) return memberArgument(walk, inner);
    const row = typeDescriptor(walk, node);
    return row === NONE ? walk.file.unknown() : row;
  }
  if (walk.file.is(node, 'parameter_pack_expansion')) return argumentType(walk, walk.file.reader.firstNamedChild(node));
  walk.value(node);
  return walk.file.unknown();
}

/** `A<T>::b`, which a type cannot be without `typename` as long as `T` is a parameter. */
function isMemberOfTemplate(walk: CppWalk, node: SyntaxNode): boolean {
  if (!walk.file.is(node, 'qualified_identifier')) return false;
  const parts = nameParts(walk, node);
  return !walk.file.is(parts.at(-1)?.node ?? NO_NODE, 'template_type') && parts.slice(0, -1).some(part => walk.file.is(part.node, 'template_type'));
}

/** Row of an argument that is a value or a type. */
function memberArgument(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const row = namedType(walk, node, 'qualifiers');
  const last = nameParts(walk, node).at(-1);
  if (last !== undefined) walk.file.use('read', row, walk.owner, walk.file.builder.intern(last.text), walk.file.reader.start(last.node));
  return row;
}

/** `template<typename T, class U = X, int N>`: bindings in the scope of what is declared. */
export function bindTemplateParameters(walk: CppWalk, lists: readonly SyntaxNode[], scope: ScopeRow): void {
  const before = walk.scope;
  walk.scope = scope;
  for (const list of lists) {
    for (const parameter of walk.file.children(list)) {
      if (walk.file.is(parameter, 'type_parameter_declaration', 'variadic_type_parameter_declaration', 'optional_type_parameter_declaration')) {
        const name = walk.file.childOf(parameter, 'type_identifier');
        const fallback = walk.file.child(parameter, 'default_type');
        if (fallback !== NO_NODE) walk.type(fallback);
        if (name !== NO_NODE) walk.file.builder.addBinding({ scope, name: walk.file.word(name), kind: 'typeParameter' });
      } else if (walk.file.is(parameter, 'parameter_declaration', 'optional_parameter_declaration')) {
        const type = walk.type(walk.file.child(parameter, 'type'));
        const { name } = declaratorOf(walk, walk.file.child(parameter, 'declarator'));
        const value = walk.file.child(parameter, 'default_value');
        if (value !== NO_NODE) walk.value(value);
        if (name !== NO_NODE) walk.file.builder.addBinding({ scope, name: walk.file.builder.intern(simpleName(walk, name)), kind: 'variable', type });
      } else if (walk.file.is(parameter, 'template_template_parameter_declaration')) {
        const inner = walk.file.children(parameter).at(-1);
        const name = inner === undefined ? NO_NODE : walk.file.childOf(inner, 'type_identifier');
        if (name !== NO_NODE) walk.file.builder.addBinding({ scope, name: walk.file.word(name), kind: 'typeParameter' });
      }
    }
  }
  walk.scope = before;
}
