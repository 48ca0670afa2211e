import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { declaratorOf, declaredType, typeDescriptor } from './declarators';
import { nameParts, simpleName } from './names';
import { readQualifier, templateArguments } from './types';
import { type CppWalk, GLOBAL_SCOPE } from './walk';

const CASTS: ReadonlySet<string> = new Set([
  'static_cast',
  'dynamic_cast',
  'const_cast',
  'reinterpret_cast',
  'static_pointer_cast',
  'dynamic_pointer_cast',
  'down_cast',
]);
const MAKERS: Readonly<Record<string, string>> = { make_unique: 'unique_ptr', make_shared: 'shared_ptr', allocate_shared: 'shared_ptr' };
/** Functions that hand on their argument. */
const PASSING: ReadonlySet<string> = new Set(['move', 'forward', 'ref', 'cref', 'as_const', 'addressof', 'launder', 'exchange']);

/** A callee or another name that is used, with where its last name stands. */
export interface Named {
  readonly row: ExpressionRow;
  readonly name: StringIndex;
  readonly at: number;
}

/** Row of a call, with one use for the call. Casts and makers of smart pointers are what they give. */
export function callValue(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  let callee = walk.file.child(node, 'function');
  while (walk.file.is(callee, 'parenthesized_expression')) callee = walk.file.reader.firstNamedChild(callee);
  if (walk.file.is(callee, 'pointer_expression')) callee = walk.file.child(callee, 'argument');
  const list = walk.file.child(node, 'arguments');
  if (walk.file.is(callee, 'primitive_type')) {
    for (const argument of walk.file.children(list)) walk.value(argument);
    return walk.file.row('valueOfType', walk.type(callee));
  }
  const special = specialCall(walk, callee, list);
  if (special !== NONE) return special;
  const named = calleeOf(walk, callee);
  const args = walk.file.children(list).map(argument => walk.value(argument));
  const generic = explicitArguments(walk, callee, named.row);
  const row = walk.file.row('call', named.row, generic, NO_TEXT, args);
  walk.file.use('call', row, walk.owner, named.name, named.at);
  return row;
}

function explicitArguments(walk: CppWalk, callee: SyntaxNode, row: ExpressionRow): ExpressionRow {
  const holder = walk.file.is(callee, 'field_expression') ? walk.file.child(callee, 'field') : (nameParts(walk, callee).at(-1)?.node ?? NO_NODE);
  const given = templateArguments(walk, holder);
  return given === undefined ? NONE : walk.file.row('generic', row, NONE, NO_TEXT, given);
}

/** `static_cast<T>(x)`, `make_unique<T>(…)`, `std::move(x)`; `NONE` for all others. */
function specialCall(walk: CppWalk, callee: SyntaxNode, list: SyntaxNode): ExpressionRow {
  if (!walk.file.is(callee, 'template_function', 'qualified_identifier')) return NONE;
  const last = nameParts(walk, callee).at(-1);
  if (last === undefined) return NONE;
  const { text } = last;
  const isStandard = walk.file.is(callee, 'qualified_identifier') && /^(?:::)?std\b/.test(walk.file.text(callee));
  const isTemplate = walk.file.is(last.node, 'template_function');
  if (isStandard && PASSING.has(text)) {
    const [first] = walk.file.children(list).map(argument => walk.value(argument));
    return first ?? walk.file.unknown();
  }
  const maker = MAKERS[text];
  if (!isTemplate || (!CASTS.has(text) && maker === undefined)) return NONE;
  const [first] = templateArguments(walk, last.node) ?? [];
  const args = walk.file.children(list).map(argument => walk.value(argument));
  if (first === undefined) return walk.file.unknown();
  if (maker !== undefined) {
    walk.file.use(
      'new',
      walk.file.row('new', first, NONE, NO_TEXT, args),
      walk.owner,
      last.text === '' ? NO_TEXT : walk.file.builder.intern(text),
      walk.file.reader.start(last.node),
    );
    return walk.file.row('valueOfType', walk.file.row('generic', standardName(walk, maker), NONE, NO_TEXT, [first]));
  }
  if (text.startsWith('dynamic')) walk.file.use('assertType', first, walk.owner, walk.file.builder.intern(text), walk.file.reader.start(last.node));
  if (!text.endsWith('pointer_cast')) return walk.file.row('valueOfType', first);
  return walk.file.row('valueOfType', walk.file.row('generic', standardName(walk, 'shared_ptr'), NONE, NO_TEXT, [first]));
}

function standardName(walk: CppWalk, name: string): ExpressionRow {
  return walk.file.row('member', walk.file.row('name', MODULE_SCOPE, NONE, walk.file.builder.intern('std')), NONE, walk.file.builder.intern(name));
}

/** What is called, without a read of its last name. */
export function calleeOf(walk: CppWalk, node: SyntaxNode): Named {
  if (walk.file.is(node, 'identifier', 'field_identifier', 'type_identifier')) {
    const name = walk.file.word(node);
    return { row: walk.name(name), name, at: walk.file.reader.start(node) };
  }
  if (walk.file.is(node, 'field_expression')) return fieldOf(walk, node);
  if (walk.file.is(node, 'qualified_identifier', 'template_function', 'template_type')) return qualified(walk, node);
  return { row: walk.value(node), name: NO_TEXT, at: walk.file.reader.start(node) };
}

/** `a.b`, `a->b`, `a.Base::b`, `a.b<T>`. */
export function fieldOf(walk: CppWalk, node: SyntaxNode): Named {
  const object = walk.value(walk.file.child(node, 'argument'));
  const parts = nameParts(walk, walk.file.child(node, 'field'));
  const last = parts.at(-1);
  const name = last === undefined ? NO_TEXT : walk.file.builder.intern(last.text);
  const at = last === undefined ? node : last.node;
  if (parts.length > 1) return { row: path(walk, parts), name, at: walk.file.reader.start(at) };
  return { row: walk.file.row('member', object, NONE, name), name, at: walk.file.reader.start(at === NO_NODE ? node : at) };
}

/** `a::b::c` and `f<T>`. */
export function qualified(walk: CppWalk, node: SyntaxNode): Named {
  const parts = nameParts(walk, node);
  const last = parts.at(-1);
  return { row: path(walk, parts), name: last === undefined ? NO_TEXT : walk.file.builder.intern(last.text), at: walk.file.reader.start(last?.node ?? node) };
}

function path(walk: CppWalk, parts: readonly { readonly text: string; readonly node: SyntaxNode }[]): ExpressionRow {
  let row: ExpressionRow = NONE;
  let isGlobal = false;
  parts.forEach((part, at) => {
    if (part.text === '') {
      isGlobal = true;
      return;
    }
    const word = walk.file.builder.intern(part.text);
    row = row === NONE ? walk.file.row('name', isGlobal ? GLOBAL_SCOPE : walk.scope, NONE, word) : walk.file.row('member', row, NONE, word);
    if (at < parts.length - 1) readQualifier(walk, row, word, part.node);
    const args = at < parts.length - 1 ? templateArguments(walk, part.node) : undefined;
    if (args !== undefined) row = walk.file.row('generic', row, NONE, NO_TEXT, args);
  });
  return row === NONE ? walk.file.unknown() : row;
}

/** `new T(args)`, `new T[n]`. */
export function newValue(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const typeNode = walk.file.child(node, 'type');
  const type = walk.type(typeNode);
  const list = walk.file.child(node, 'arguments');
  const args = walk.file.children(list).map(argument => walk.value(argument));
  const placement = walk.file.child(node, 'placement');
  if (placement !== NO_NODE) for (const argument of walk.file.children(placement)) walk.value(argument);
  for (const part of walk.file.childrenOf(node, 'declarator')) for (const size of walk.file.children(part)) walk.value(size);
  return madeOf(walk, type, args, typeNode);
}

/** Row and use of an object that an expression makes. */
export function madeOf(walk: CppWalk, type: ExpressionRow, args: readonly ExpressionRow[], typeNode: SyntaxNode): ExpressionRow {
  const last = nameParts(walk, typeNode).at(-1);
  if (type === NONE) return walk.file.unknown();
  const row = walk.file.row('new', type, NONE, NO_TEXT, args);
  const isBuiltin = walk.file.is(typeNode, 'primitive_type', 'sized_type_specifier');
  if (!isBuiltin && last !== undefined)
    walk.file.use('new', row, walk.owner, walk.file.builder.intern(simpleName(walk, last.node)), walk.file.reader.start(last.node));
  return walk.file.row('valueOfType', type);
}

/** `(T){…}`, `T{…}`. */
export function compoundLiteral(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const typeNode = walk.file.child(node, 'type');
  const inner = walk.file.is(typeNode, 'type_descriptor') ? walk.file.child(typeNode, 'type') : typeNode;
  const type = typeDescriptor(walk, typeNode);
  const args = walk.file.children(walk.file.child(node, 'value')).map(argument => walk.value(argument));
  return madeOf(walk, type, args, walk.file.is(inner, 'struct_specifier', 'union_specifier') ? walk.file.child(inner, 'name') : inner);
}

/** `(T)x`, which says that `x` is a `T`. */
export function castValue(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const typeNode = walk.file.child(node, 'type');
  const type = typeDescriptor(walk, typeNode);
  const value = walk.value(walk.file.child(node, 'value'));
  const inner = walk.file.child(typeNode, 'type');
  const name = walk.file.is(inner, 'struct_specifier', 'union_specifier', 'enum_specifier', 'class_specifier') ? walk.file.child(inner, 'name') : inner;
  if (!walk.file.is(inner, 'primitive_type', 'sized_type_specifier')) {
    const last = nameParts(walk, name).at(-1);
    if (last !== undefined) walk.file.use('assertType', type, walk.owner, walk.file.builder.intern(last.text), walk.file.reader.start(last.node));
  }
  return type === NONE ? value : walk.file.row('valueOfType', type);
}

/** `catch (const E& e)`: the type that is caught and its variable. */
export function caughtParameter(walk: CppWalk, parameter: SyntaxNode): void {
  const typeNode = walk.file.child(parameter, 'type');
  const type = walk.type(typeNode);
  if (type === NONE) return;
  const last = nameParts(walk, typeNode).at(-1);
  if (last !== undefined && !walk.file.is(typeNode, 'primitive_type'))
    walk.file.use('catch', type, walk.owner, walk.file.builder.intern(last.text), walk.file.reader.start(last.node));
  const declarator = declaratorOf(walk, walk.file.child(parameter, 'declarator'));
  if (walk.file.is(declarator.name, 'identifier'))
    walk.file.builder.addBinding({ scope: walk.scope, name: walk.file.word(declarator.name), kind: 'variable', type: declaredType(walk, type, declarator) });
}
