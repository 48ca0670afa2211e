import { type ExpressionRow, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { countDecision, inBlock } from '../../walk/frames';
import { bindRecordPattern, bindTyped } from './patterns';
import { type Frame, type Walk } from './walk';

/** Value of a `switch`: any of what its rules and its `yield`s give. */
export function switchValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const subject = walk.value(file.child(node, 'condition'), frame);
  const yields: ExpressionRow[] = [];
  const inside: Frame = { ...inBlock(walk.file, frame), yields };
  for (const child of file.children(file.child(node, 'body'))) {
    if (file.is(child, 'switch_rule')) rule(walk, child, subject, inside);
    else if (file.is(child, 'switch_block_statement_group')) group(walk, child, subject, inside);
  }
  return file.either(yields);
}

/** `case A, B -> value;` */
function rule(walk: Walk, node: SyntaxNode, subject: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const inside = inBlock(walk.file, frame);
  for (const child of file.children(node)) {
    if (file.is(child, 'switch_label')) label(walk, child, subject, inside);
    else if (file.is(child, 'expression_statement')) frame.yields?.push(walk.value(file.reader.firstNamedChild(child), inside));
    else walk.statement(child, inside);
  }
}

/** `case A: statements` share one scope with the other groups, but for the names of patterns. */
function group(walk: Walk, node: SyntaxNode, subject: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  let inside = frame;
  for (const child of file.children(node)) {
    if (!file.is(child, 'switch_label')) inside = walk.statement(child, inside);
    else {
      if (file.childOf(child, 'pattern') !== NO_NODE) inside = inBlock(walk.file, frame);
      label(walk, child, subject, inside);
    }
  }
}

/** Constants of an enum stand in a label without its name. */
function label(walk: Walk, node: SyntaxNode, subject: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const children = file.children(node);
  if (children.length > 0) countDecision(frame);
  for (const child of children) {
    if (file.is(child, 'pattern')) pattern(walk, file.reader.firstNamedChild(child), frame);
    else if (file.is(child, 'guard')) walk.value(file.reader.firstNamedChild(child), frame);
    else if (file.is(child, 'identifier')) {
      const word = file.word(child);
      const row = file.either([file.row('member', subject, NONE, word), file.row('name', frame.scope, NONE, word)]);
      file.use('read', row, frame.owner, word, file.reader.start(child));
    } else walk.value(child, frame);
  }
}

function pattern(walk: Walk, node: SyntaxNode, frame: Frame): void {
  if (walk.file.is(node, 'record_pattern')) bindRecordPattern(walk, node, frame);
  else bindTyped(walk, node, frame);
}
