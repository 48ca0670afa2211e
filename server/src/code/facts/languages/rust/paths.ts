/**
 * Paths (`crate::a::B::<T>::c`) as rows: a `name` row for the first segment, a `member` row for each further one.
 *
 * Roots that are no names of their own get a spelling that no binding has: `crate`, `self::`, `super`, `super::super`, `::name`.
 */
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Frame, RustFile, Walk } from './walk';

/** Row of a path used as a value, or with `isPrefix` as the way to one. No use is written, but those of type arguments. */
export function pathRow(walk: Walk, node: SyntaxNode, frame: Frame, isPrefix = false): ExpressionRow {
  const { file } = walk;
  if (node === NO_NODE) return file.unknown();
  if (file.is(node, 'self') && !isPrefix) return file.nameRow(frame, file.word(node));
  const root = rootOf(file, node);
  if (root !== '') return root === 'Self' ? selfRow(walk, frame) : file.row('name', frame.scope, NONE, file.builder.intern(root));
  if (file.is(node, 'identifier', 'type_identifier', 'metavariable', 'shorthand_field_identifier', 'primitive_type'))
    return file.nameRow(frame, file.word(node));
  if (file.is(node, 'scoped_identifier', 'scoped_type_identifier')) {
    const name = file.child(node, 'name');
    const path = file.child(node, 'path');
    if (path === NO_NODE) return file.row('name', frame.scope, NONE, file.builder.intern(`::${file.text(name)}`));
    return file.nested(file.unknown(), () => file.row('member', pathRow(walk, path, frame, true), NONE, file.word(name)));
  }
  if (file.is(node, 'generic_type', 'generic_type_with_turbofish', 'generic_pattern')) {
    const base = file.is(node, 'generic_pattern') ? file.reader.firstNamedChild(node) : file.child(node, 'type');
    return file.row('generic', pathRow(walk, base, frame), NONE, NO_TEXT, typeArguments(walk, file.child(node, 'type_arguments'), frame));
  }
  if (file.is(node, 'bracketed_type')) return qualifiedRow(walk, file.reader.firstNamedChild(node), frame);
  return walk.type(node, frame);
}

/** Traits that types of the project implement, but whose methods are not declared there. */
export const STANDARD_TRAITS: ReadonlySet<string> = new Set(
  'Default From Into TryFrom TryInto FromStr FromIterator Iterator IntoIterator Clone ToString ToOwned Display Debug AsRef AsMut Borrow Deref DerefMut Drop Hash Hasher Eq PartialEq Ord PartialOrd Add Sub Mul Div Rem Neg Not Index IndexMut Read Write Seek BufRead Error Future Extend'.split(
    ' ',
  ),
);

/** `<Type as Trait>` in front of `::name`: the name is the trait's. */
function qualifiedRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const trait = file.is(node, 'qualified_type') ? file.child(node, 'alias') : NO_NODE;
  if (trait === NO_NODE || STANDARD_TRAITS.has(file.text(lastSegment(file, trait).name))) return walk.type(node, frame);
  walk.type(file.child(node, 'type'), frame);
  return walk.type(trait, frame);
}

/** Row of `Self`, read as a type or as a path. */
export function selfRow(walk: Walk, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (frame.self === undefined) return file.row('name', frame.scope, NONE, file.builder.intern('Self'));
  return frame.self.trait === NONE ? frame.self.row : file.row('class', frame.self.trait);
}

/** `crate`, `self::`, `super::super`, `Self`; '' for a path that begins with a name. */
function rootOf(file: RustFile, node: SyntaxNode): string {
  if (file.is(node, 'crate')) return 'crate';
  if (file.is(node, 'self')) return 'self::';
  if (file.is(node, 'super')) return 'super';
  if (file.is(node, 'metavariable')) return file.text(node) === '$crate' ? 'crate' : '';
  if (file.is(node, 'identifier', 'type_identifier')) return file.text(node) === 'Self' ? 'Self' : '';
  if (!file.is(node, 'scoped_identifier') || !file.is(file.child(node, 'name'), 'super')) return '';
  const outer = rootOf(file, file.child(node, 'path'));
  return outer.startsWith('super') ? `${outer}::super` : 'super';
}

/** Last segment of a path without its type arguments, and the segment before it where it has one. */
export function lastSegment(file: RustFile, node: SyntaxNode): { readonly name: SyntaxNode; readonly before: SyntaxNode } {
  let at = node;
  for (let steps = 0; steps < 8; steps++) {
    if (file.is(at, 'scoped_identifier', 'scoped_type_identifier')) {
      const name = file.child(at, 'name');
      return { name, before: baseOf(file, file.child(at, 'path')) };
    }
    const inner = baseOf(file, at);
    if (inner === at) break;
    at = inner;
  }
  return { name: at, before: NO_NODE };
}

function baseOf(file: RustFile, node: SyntaxNode): SyntaxNode {
  if (file.is(node, 'generic_type', 'generic_type_with_turbofish')) return file.child(node, 'type');
  if (file.is(node, 'generic_function')) return file.child(node, 'function');
  if (file.is(node, 'generic_pattern')) return file.reader.firstNamedChild(node);
  return node;
}

/** Associated types that stand for the type argument of their trait. */
const DELEGATING_HANDLERS: ReadonlySet<string> = new Set(['Item', 'Output', 'Target', 'Ok']);

/** Lifetimes take no place. Of bound associated types those that are handed on stand for the type argument. */
export function typeArguments(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow[] {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  for (const child of file.children(node)) {
    if (file.is(child, 'lifetime')) continue;
    if (file.is(child, 'type_binding')) {
      const row = walk.type(file.child(child, 'type'), frame);
      if (DELEGATING_HANDLERS.has(file.text(file.child(child, 'name')))) rows.push(row);
    } else if (file.is(child, 'block')) walk.value(child, frame);
    else rows.push(walk.type(child, frame));
  }
  return rows;
}
