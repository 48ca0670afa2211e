import { type ExpressionRow, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { typeRow } from '../types';
import { type Frame, type Walk } from '../walk';
import { bindName, bindTuple } from './bindings';

/** Binds what a pattern captures and asserts the types it names; `value` is the row of what is matched. */
export function bindPattern(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  if (node === NO_NODE) return;
  walk.file.nested(undefined, () => {
    patternOf(walk, node, value, frame);
  });
}

function patternOf(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const { kind } = file.grammar;
  switch (file.reader.kind(node)) {
    case kind.declaration_pattern:
    case kind.var_pattern: {
      const type = typeRow(walk, file.child(node, 'type'), frame, 'assertType');
      const designation = file.childOf(node, 'parenthesized_variable_designation');
      if (designation === NO_NODE) bindName(walk, file.child(node, 'name'), value, type, frame);
      else bindTuple(walk, designation, value, frame);
      return;
    }
    case kind.recursive_pattern:
      recursivePattern(walk, node, value, frame);
      return;
    case kind.type_pattern:
      typeRow(walk, file.child(node, 'type'), frame, 'assertType');
      return;
    case kind.constant_pattern:
      constantPattern(walk, file.first(node), value, frame);
      return;
    case kind.list_pattern:
      for (const child of file.children(node)) bindPattern(walk, child, file.row('iterate', value), frame);
      return;
    case kind.relational_pattern:
      walk.value(file.first(node), frame);
      return;
    case kind.and_pattern:
    case kind.or_pattern:
    case kind.negated_pattern:
    case kind.parenthesized_pattern:
      for (const child of file.children(node)) bindPattern(walk, child, value, frame);
      return;
    case kind.discard:
      return;
    default:
      walk.value(node, frame);
  }
}

/** `T { P: pattern } name`, `(a, b)`. */
function recursivePattern(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const typeNode = file.child(node, 'type');
  const type = typeRow(walk, typeNode, frame, 'assertType');
  const subject = type === NONE ? value : file.row('valueOfType', type);
  for (const clause of file.children(node)) {
    if (clause === typeNode) continue;
    if (file.is(clause, 'property_pattern_clause')) for (const part of file.children(clause)) propertyPattern(walk, part, subject, frame);
    else if (file.is(clause, 'positional_pattern_clause')) {
      file.children(clause).forEach((part, index) => {
        const row = file.row('index', subject, NONE, file.builder.intern(String(index)));
        bindPattern(walk, file.children(part).at(-1) ?? NO_NODE, row, frame);
      });
    }
  }
  bindName(walk, file.child(node, 'name'), value, type, frame);
}

/** `A.B: pattern` */
function propertyPattern(walk: Walk, node: SyntaxNode, subject: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const [name, pattern] = file.children(node);
  if (name === undefined) return;
  bindPattern(walk, pattern ?? NO_NODE, propertyOf(walk, name, subject, frame), frame);
}

function propertyOf(walk: Walk, name: SyntaxNode, subject: ExpressionRow, frame: Frame): ExpressionRow {
  const { file } = walk;
  const isPath = file.is(name, 'member_access_expression');
  const owner = isPath ? file.nested(subject, () => propertyOf(walk, file.child(name, 'expression'), subject, frame)) : subject;
  const last = isPath ? file.child(name, 'name') : name;
  if (!file.is(last, 'identifier')) return file.unknown();
  const row = file.row('member', owner, NONE, file.word(last));
  file.use('read', row, frame.owner, file.word(last), file.reader.start(last));
  return row;
}

/** A constant, or a type by its plain name: the grammar cannot tell. */
function constantPattern(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  if (node === NO_NODE) return;
  if (file.is(node, 'tuple_expression')) {
    file.children(node).forEach((part, index) => {
      const inner = file.children(part).at(-1) ?? NO_NODE;
      const row = file.row('index', value, NONE, file.builder.intern(String(index)));
      if (!file.is(inner, 'declaration_expression')) constantPattern(walk, inner, row, frame);
      else bindName(walk, file.child(inner, 'name'), row, typeRow(walk, file.child(inner, 'type'), frame, 'assertType'), frame);
    });
    return;
  }
  const row = walk.value(node, frame);
  if (file.is(node, 'identifier')) file.use('assertType', row, frame.owner, file.word(node), file.reader.start(node));
  else if (file.is(node, 'generic_name')) typeRow(walk, node, frame, 'assertType');
}
