/**
 * Types as rows. References, pointers, lifetimes and the pointers that dereference to what they hold (`Box`, `Rc`, …) are transparent.
 */
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { KindName } from './grammar';
import { lastSegment, pathRow, selfRow, typeArguments } from './paths';
import type { Frame, ValueHandler, Walk } from './walk';

/** Types whose members are those of their (last) argument. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'Box',
  'Rc',
  'Arc',
  'Cow',
  'Pin',
  'ManuallyDrop',
  'Wrapping',
  'NonNull',
  'CachePadded',
  'MaybeUninit',
  'Saturating',
]);

const UNDERSCORE = 95;

export const TYPE_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  primitive_type: (walk, node) => walk.file.fixedName(walk.file.text(node)),
  type_identifier: namedType,
  identifier: namedType,
  metavariable: namedType,
  scoped_type_identifier: namedType,
  scoped_identifier: namedType,
  self: (walk, _node, frame) => selfType(walk, frame),
  generic_type: genericType,
  generic_type_with_turbofish: genericType,
  reference_type: (walk, node, frame) => addType(walk, walk.file.child(node, 'type'), frame),
  pointer_type: (walk, node, frame) => addType(walk, walk.file.child(node, 'type'), frame),
  array_type: arrayType,
  tuple_type: (walk, node, frame) => walk.file.row('arrayType', NONE, NONE, walk.file.builder.intern('tuple'), eachType(walk, node, frame)),
  unit_type: walk => walk.file.literal('null'),
  never_type: walk => walk.file.unknown(),
  function_type: functionType,
  dynamic_type: (walk, node, frame) => addType(walk, walk.file.child(node, 'trait'), frame),
  abstract_type: (walk, node, frame) => addType(walk, walk.file.child(node, 'trait'), frame),
  bounded_type: (walk, node, frame) => bounds(walk, eachType(walk, node, frame)),
  trait_bounds: (walk, node, frame) => bounds(walk, eachType(walk, node, frame)),
  higher_ranked_trait_bound: (walk, node, frame) => addType(walk, walk.file.child(node, 'type'), frame),
  qualified_type: (walk, node, frame) => {
    const alias = walk.file.child(node, 'alias');
    if (alias !== NO_NODE) addType(walk, alias, frame);
    return addType(walk, walk.file.child(node, 'type'), frame);
  },
  bracketed_type: (walk, node, frame) => addType(walk, walk.file.reader.firstNamedChild(node), frame),
  parenthesized_expression: (walk, node, frame) => addType(walk, walk.file.reader.firstNamedChild(node), frame),
};

/** Row of a type; writes a use for each type it names. */
export function addType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.type(node, frame);
}

/** `NONE` where no type is written. */
export function optionalType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return node === NO_NODE ? NONE : addType(walk, node, frame);
}

function namedType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (file.is(node, 'type_identifier', 'identifier') && file.text(node) === 'Self') return selfType(walk, frame);
  if (file.reader.charCode(node) === UNDERSCORE && file.reader.length(node) === 1) return file.unknown();
  const row = pathRow(walk, node, frame);
  const { name } = lastSegment(file, node);
  if (!file.is(node, 'metavariable')) file.use('type', row, frame.owner, file.word(name), file.reader.start(name));
  return row;
}

function selfType(walk: Walk, frame: Frame): ExpressionRow {
  return frame.self !== undefined && frame.self.trait !== NONE ? walk.file.row('this', frame.scope) : selfRow(walk, frame);
}

function genericType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const base = file.child(node, 'type');
  const args = typeArguments(walk, file.child(node, 'type_arguments'), frame);
  const name = file.text(lastSegment(file, base).name);
  const held = args[args.length - 1];
  if (TRANSPARENT.has(name) && held !== undefined) return held;
  return file.row('generic', namedType(walk, base, frame), NONE, NO_TEXT, args);
}

function arrayType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const element = addType(walk, file.child(node, 'element'), frame);
  const length = file.child(node, 'length');
  if (length !== NO_NODE) walk.value(length, frame);
  return file.row('arrayType', element);
}

/** `fn(A) -> B`, `Fn(A) -> B`. */
function functionType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const parameters = file.children(file.child(node, 'parameters')).map(parameter => {
    const inner = file.is(parameter, 'parameter') ? file.child(parameter, 'type') : parameter;
    return addType(walk, inner, frame);
  });
  const returned = file.child(node, 'return_type');
  return file.row('functionType', returned === NO_NODE ? file.literal('null') : addType(walk, returned, frame), NONE, NO_TEXT, parameters);
}

function eachType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow[] {
  const { file } = walk;
  return file
    .children(node)
    .filter(child => !file.is(child, 'lifetime', 'removed_trait_bound'))
    .map(child => addType(walk, child, frame));
}

function bounds(walk: Walk, rows: readonly ExpressionRow[]): ExpressionRow {
  const [only] = rows;
  if (only === undefined) return walk.file.unknown();
  return rows.length === 1 ? only : walk.file.row('intersection', NONE, NONE, NO_TEXT, rows);
}

/** Row of the bounds of a type parameter or trait, `NONE` when only lifetimes and `?Sized` stand there. */
export function boundsRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const rows = node === NO_NODE ? [] : eachType(walk, node, frame);
  return rows.length === 0 ? NONE : bounds(walk, rows);
}
