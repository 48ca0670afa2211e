/**
 * Patterns: which names they bind, and to which part of what is matched.
 *
 * Parts of tuples are `index` rows, of structs `member` rows. What an enum variant holds is a `member` row of the enum named `Variant.field`
 * (`Variant.0` in tuple variants), which the rules of the language look up; `Some(x)` and `Ok(x)` are `unwrap` rows.
 * Capitalized names are variants or constants, all others bind: the compiler warns about anything else.
 */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { KindName } from './grammar';
import { lastSegment, pathRow } from './paths';
import { type Bound, bindLocal, type Frame, type PatternHandler, type Subject, type Walk } from './walk';

/** Binds the names of a pattern; the frame that sees them. */
export function bindPattern(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame): Frame {
  return bind(walk, node, subject, frame, new Map());
}

/** The same where only names that bind are of use: a plain name is bound whatever its first letter is. */
export function bindAlways(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame): Frame {
  const { file } = walk;
  const inner = file.is(node, 'mut_pattern') ? file.reader.lastNamedChild(node) : node;
  return file.is(inner, 'identifier') ? bindLocal(walk, frame, file.word(inner), subject.value, subject.type) : bindPattern(walk, node, subject, frame);
}

function bind(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame, bound: Bound): Frame {
  const { file } = walk;
  if (node === NO_NODE) return frame;
  const handler = walk.pattern(node);
  if (handler === undefined) return frame;
  return file.nested(frame, () => handler(walk, node, subject, frame, bound));
}

export const PATTERN_HANDLERS: Partial<Record<KindName, PatternHandler>> = {
  identifier: namePattern,
  shorthand_field_identifier: namePattern,
  self: namePattern,
  metavariable: namePattern,
  mut_pattern: innerPattern,
  ref_pattern: innerPattern,
  reference_pattern: innerPattern,
  captured_pattern: (walk, node, subject, frame, bound) =>
    walk.file.children(node).reduce((current, child) => bind(walk, child, subject, current, bound), frame),
  or_pattern: (walk, node, subject, frame, bound) => walk.file.children(node).reduce((current, child) => bind(walk, child, subject, current, bound), frame),
  match_pattern: (walk, node, subject, frame, bound) => bind(walk, walk.file.reader.firstNamedChild(node), subject, frame, bound),
  tuple_pattern: tuplePattern,
  slice_pattern: slicePattern,
  tuple_struct_pattern: tupleStructPattern,
  struct_pattern: structPattern,
  scoped_identifier: (walk, node, _subject, frame) => constantPattern(walk, node, frame),
  range_pattern: (walk, node, _subject, frame) => {
    for (const child of walk.file.children(node)) if (walk.file.is(child, 'identifier', 'scoped_identifier')) constantPattern(walk, child, frame);
    return frame;
  },
  macro_invocation: (walk, node, _subject, frame) => {
    walk.value(node, frame);
    return frame;
  },
  const_block: (walk, node, _subject, frame) => {
    walk.value(node, frame);
    return frame;
  },
};

/** Value row of a subject known by its type alone. */
export function subjectRow(walk: Walk, subject: Subject): ExpressionRow {
  if (subject.value !== NONE) return subject.value;
  return subject.type === NONE ? walk.file.unknown() : walk.file.row('valueOfType', subject.type);
}

function namePattern(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame, bound: Bound): Frame {
  const { file } = walk;
  if (file.is(node, 'identifier') && file.isCapital(node)) return constantPattern(walk, node, frame);
  const name = file.word(node);
  const scope = bound.get(name);
  if (scope !== undefined) {
    file.builder.addBinding({ scope, name, kind: 'variable', value: subject.value, type: subject.type });
    return frame;
  }
  const after = bindLocal(walk, frame, name, subject.value, subject.type);
  bound.set(name, after.scope);
  return after;
}

/** `Variant`, `path::CONSTANT`: read, not bound. */
function constantPattern(walk: Walk, node: SyntaxNode, frame: Frame): Frame {
  const { file } = walk;
  const { name } = lastSegment(file, node);
  const row = pathRow(walk, node, frame);
  if (file.text(node) !== 'None') file.use('read', row, frame.owner, file.word(name), file.reader.start(name));
  return frame;
}

function innerPattern(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame, bound: Bound): Frame {
  return bind(walk, walk.file.reader.lastNamedChild(node), subject, frame, bound);
}

/** Patterns side by side: `_` is a token without a name in the grammar, and takes a place too. */
export function partsOf(walk: Walk, node: SyntaxNode): SyntaxNode[] {
  const { reader, grammar } = walk.file;
  return reader.children(node).filter(child => (reader.isNamed(child) ? !grammar.comments.has(reader.kind(child)) : walk.file.text(child) === '_'));
}

function part(walk: Walk, subject: Subject, position: number): Subject {
  const { file } = walk;
  return { value: file.row('index', subjectRow(walk, subject), NONE, file.builder.intern(String(position))), type: NONE };
}

/** Positions after `..` are not known. */
function tuplePattern(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame, bound: Bound): Frame {
  const { file } = walk;
  let current = frame;
  let isOpen = false;
  partsOf(walk, node).forEach((child, position) => {
    if (file.is(child, 'remaining_field_pattern')) isOpen = true;
    else current = bind(walk, child, isOpen ? { value: file.unknown(), type: NONE } : part(walk, subject, position), current, bound);
  });
  return current;
}

function slicePattern(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame, bound: Bound): Frame {
  const { file } = walk;
  const element: Subject = { value: file.row('iterate', subjectRow(walk, subject)), type: NONE };
  return file.children(node).reduce((current, child) => {
    const isRest = file.is(child, 'captured_pattern') && file.text(child).endsWith('..');
    return bind(walk, child, isRest ? subject : element, current, bound);
  }, frame);
}

const WRAPPERS: ReadonlySet<string> = new Set(['Some', 'Ok', 'Err', 'Ready', 'Break', 'Continue']);

/** `Some(x)`, `Variant(x, y)`, `Enum::Variant(x)`, `Struct(x)`. */
function tupleStructPattern(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame, bound: Bound): Frame {
  const { file } = walk;
  const path = file.child(node, 'type');
  const parts = partsOf(walk, node).filter(child => child !== path);
  const { name, before } = lastSegment(file, path);
  const text = file.text(name);
  if (WRAPPERS.has(text)) {
    const value = subjectRow(walk, subject);
    const inner = text === 'Err' ? file.row('call', file.row('member', value, NONE, file.builder.intern('unwrap_err'))) : file.row('unwrap', value);
    return parts.reduce((current, child) => bind(walk, child, { value: inner, type: NONE }, current, bound), frame);
  }
  const row = pathRow(walk, path, frame);
  file.use(before === NO_NODE ? 'type' : 'read', row, frame.owner, file.word(name), file.reader.start(name));
  let current = frame;
  let position = 0;
  let isOpen = false;
  for (const child of parts) {
    if (file.is(child, 'remaining_field_pattern')) isOpen = true;
    else current = bind(walk, child, { value: isOpen ? file.unknown() : payload(walk, node, row, subject, String(position)), type: NONE }, current, bound);
    position++;
  }
  return current;
}

function structPattern(walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame, bound: Bound): Frame {
  const { file } = walk;
  const path = file.child(node, 'type');
  const { name, before } = lastSegment(file, path);
  const row = pathRow(walk, path, frame);
  if (file.text(name) !== 'Self') file.use(before === NO_NODE ? 'type' : 'read', row, frame.owner, file.word(name), file.reader.start(name));
  let current = frame;
  for (const field of file.children(node)) {
    if (!file.is(field, 'field_pattern')) continue;
    const nameNode = file.child(field, 'name');
    const value = payload(walk, node, row, subject, file.text(nameNode));
    file.use('read', value, frame.owner, file.word(nameNode), file.reader.start(nameNode));
    const pattern = file.child(field, 'pattern');
    current = bind(walk, pattern === NO_NODE ? nameNode : pattern, { value, type: NONE }, current, bound);
  }
  return current;
}

/**
 * What field `field` of a struct or variant holds. `Enum::Variant` says which enum; a single name may be a struct or an imported variant of the enum
 * that is matched, and only one of the two has such a field.
 */
function payload(walk: Walk, node: SyntaxNode, path: ExpressionRow, subject: Subject, field: string): ExpressionRow {
  const { file } = walk;
  const { name, before } = lastSegment(file, file.child(node, 'type'));
  const variant = file.builder.intern(`${file.text(name)}.${field}`);
  const own = file.builder.intern(field);
  const holder = before === NO_NODE ? NONE : operandOf.receiver(file.builder.expressions, path);
  if (holder !== NONE && file.isCapital(before)) return file.row('member', file.row('valueOfType', holder), NONE, variant);
  const direct = file.row('member', subject.value === NONE ? file.row('valueOfType', path) : subject.value, NONE, own);
  if (file.text(name) === 'Self') return direct;
  const asStruct = file.row('member', file.row('valueOfType', path), NONE, own);
  return file.either([asStruct, file.row('member', subjectRow(walk, subject), NONE, variant)]);
}
