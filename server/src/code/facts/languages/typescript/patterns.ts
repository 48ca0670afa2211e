/** Destructuring: which names a pattern binds, and which part of the source each of them is. */
import { type ExpressionRow, NONE, operatorCode, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { memberName } from './literals';
import { useMember } from './values/members';
import type { Walk } from './walk';

/** Called for each name in a pattern with the row of the part it takes. */
export type PatternTarget = (node: SyntaxNode, value: ExpressionRow) => void;

/** Walks a pattern whose source is row `value`. Targets that are no plain names (`[a.b] = c`) are visited as values. */
export function readPattern(walk: Walk, node: SyntaxNode, value: ExpressionRow, target: PatternTarget): void {
  if (!walk.file.descend()) return;
  readPart(walk, node, value, target);
  walk.file.ascend();
}

function readPart(walk: Walk, node: SyntaxNode, value: ExpressionRow, target: PatternTarget): void {
  const { node: kinds } = walk.kinds;
  const kind = walk.kind[node];
  if (kind === kinds.identifier || kind === kinds.shorthand_property_identifier_pattern) target(node, value);
  else if (kind === kinds.object_pattern) readObject(walk, node, value, target);
  else if (kind === kinds.array_pattern) readArray(walk, node, value, target);
  else if (kind === kinds.assignment_pattern || kind === kinds.object_assignment_pattern) readDefault(walk, node, value, target);
  else if (kind === kinds.rest_pattern) {
    const inner = walk.reader.firstNamedChild(node);
    if (inner !== NO_NODE) readPattern(walk, inner, value, target);
  } else if (kind !== kinds.comment) walk.value(node);
}

function readDefault(walk: Walk, node: SyntaxNode, value: ExpressionRow, target: PatternTarget): void {
  const left = walk.child(node, walk.kinds.field.left);
  const right = walk.child(node, walk.kinds.field.right);
  const fallback = right === NO_NODE ? walk.unknown : walk.value(right);
  if (left === NO_NODE) return;
  const isShorthand = walk.kind[left] === walk.kinds.node.shorthand_property_identifier_pattern;
  const part = isShorthand ? takenMember(walk, value, left, walk.nameOf(left)) : value;
  readPattern(walk, left, walk.either([part, fallback]), target);
}

function readObject(walk: Walk, node: SyntaxNode, value: ExpressionRow, target: PatternTarget): void {
  for (const child of walk.reader.namedChildren(node)) readObjectPart(walk, child, value, target);
}

/** One entry of an object pattern whose source is row `value`. */
export function readObjectPart(walk: Walk, child: SyntaxNode, value: ExpressionRow, target: PatternTarget): void {
  const { node: kinds } = walk.kinds;
  const kind = walk.kind[child];
  if (kind === kinds.shorthand_property_identifier_pattern) target(child, takenMember(walk, value, child, walk.nameOf(child)));
  else if (kind === kinds.pair_pattern) {
    const keyNode = walk.child(child, walk.kinds.field.key);
    const key = memberName(walk, keyNode);
    const inner = walk.child(child, walk.kinds.field.value);
    if (inner !== NO_NODE) readPattern(walk, inner, key === 0 ? walk.unknown : takenMember(walk, value, keyNode, key), target);
  } else readPattern(walk, child, value, target);
}

function readArray(walk: Walk, node: SyntaxNode, value: ExpressionRow, target: PatternTarget): void {
  const { reader } = walk;
  let index = 0;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    if (!reader.isNamed(child)) {
      if (reader.length(child) === 1 && reader.charCode(child) === 44) index++;
      continue;
    }
    const isRest = walk.kind[child] === walk.kinds.node.rest_pattern;
    const part = value === walk.unknown ? value : isRest ? value : walk.row(operatorCode.index, value, NONE, walk.builder.intern(String(index)));
    readPattern(walk, child, part, target);
  }
}

/** Row of the member of the source that a pattern takes and thereby reads. */
function takenMember(walk: Walk, value: ExpressionRow, node: SyntaxNode, name: StringIndex): ExpressionRow {
  if (value === walk.unknown) return value;
  const row = walk.row(operatorCode.member, value, NONE, name);
  useMember(walk, 'read', row, node);
  return row;
}
