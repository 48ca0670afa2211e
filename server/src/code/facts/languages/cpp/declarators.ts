import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { CppWalk } from './walk';

/** A declarator taken apart. */
export interface Declarator {
  /** Identifier, qualified name, operator name, …; `NO_NODE` for abstract ones. */
  readonly name: SyntaxNode;
  /** The function declarator when what is declared is a function. */
  readonly function: SyntaxNode;
  /** Wrappers around the name, outermost first, without `function`. */
  readonly wrappers: readonly SyntaxNode[];
  /** `*` or `&` stands before the name. */
  readonly isPointer: boolean;
}

const MAX_WRAPPERS = 60;
export function declaratorOf(walk: CppWalk, node: SyntaxNode): Declarator {
  const wrappers: SyntaxNode[] = [];
  let at = node;
  for (let steps = 0; steps < MAX_WRAPPERS && at !== NO_NODE && walk.file.grammar.wrappers.has(walk.file.reader.kind(at)); steps++) {
    if (!walk.file.is(at, 'parenthesized_declarator', 'abstract_parenthesized_declarator', 'attributed_declarator', 'init_declarator')) wrappers.push(at);
    const inner = walk.file.child(at, 'declarator');
    at = inner === NO_NODE ? innerOf(walk, at) : inner;
  }
  const last = wrappers.at(-1);
  const isFunction = last !== undefined && at !== NO_NODE && walk.file.is(last, 'function_declarator');
  const isPointer = wrappers.some(wrapper =>
    walk.file.is(wrapper, 'pointer_declarator', 'reference_declarator', 'abstract_pointer_declarator', 'abstract_reference_declarator'),
  );
  return { name: at, function: isFunction && last !== undefined ? last : NO_NODE, wrappers: isFunction ? wrappers.slice(0, -1) : wrappers, isPointer };
}

/** Declarator inside one of the wrappers that have no field for it. */
function innerOf(walk: CppWalk, node: SyntaxNode): SyntaxNode {
  if (!walk.file.grammar.transparent.has(walk.file.reader.kind(node)) && !walk.file.is(node, 'variadic_declarator', 'abstract_pointer_declarator'))
    return NO_NODE;
  return (
    walk.file.children(node).find(child => !walk.file.is(child, 'type_qualifier', 'attribute_declaration', 'attribute_specifier', 'ms_declspec_modifier')) ??
    NO_NODE
  );
}

/** Type of what is declared: pointers and references are transparent, arrays and functions are not. `NONE` stays `NONE` unless something is around it. */
export function declaredType(walk: CppWalk, base: ExpressionRow, declarator: Declarator): ExpressionRow {
  let type = base;
  for (const wrapper of declarator.wrappers) {
    if (walk.file.is(wrapper, 'array_declarator', 'abstract_array_declarator')) type = walk.file.row('arrayType', type);
    else if (walk.file.is(wrapper, 'function_declarator', 'abstract_function_declarator')) {
      const trailing = trailingType(walk, wrapper);
      type = walk.file.row('functionType', trailing === NONE ? type : trailing, NONE, NO_TEXT, parameterTypes(walk, walk.file.child(wrapper, 'parameters')));
    }
  }
  return type;
}

/** `-> T` behind the parameters. */
export function trailingType(walk: CppWalk, functionDeclarator: SyntaxNode): ExpressionRow {
  const trailing = walk.file.childOf(functionDeclarator, 'trailing_return_type');
  return trailing === NO_NODE ? NONE : typeDescriptor(walk, walk.file.reader.firstNamedChild(trailing));
}

/** Row of a type as written in casts, template arguments and the like. */
export function typeDescriptor(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  if (!walk.file.is(node, 'type_descriptor')) return walk.type(node);
  const base = walk.type(walk.file.child(node, 'type'));
  const declarator = walk.file.child(node, 'declarator');
  return declarator === NO_NODE ? base : declaredType(walk, base, declaratorOf(walk, declarator));
}

/** Types of the parameters of a function type. */
export function parameterTypes(walk: CppWalk, list: SyntaxNode): ExpressionRow[] {
  return walk.file
    .children(list)
    .filter(child => walk.file.child(child, 'type') !== NO_NODE)
    .map(child => {
      const type = walk.type(walk.file.child(child, 'type'));
      const declarator = walk.file.child(child, 'declarator');
      return declarator === NO_NODE ? type : declaredType(walk, type, declaratorOf(walk, declarator));
    });
}
