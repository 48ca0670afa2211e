import { type ExpressionRow, NONE, type ScopeRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { countDecision, inBlock, typePlace } from '../../walk/frames';
import { narrowed, narrowedTo, testedType } from './narrowing';
import { addType, typeBehind } from './types';
import { bindLocal, type Frame, type Walk } from './walk';

/** Value of the branch or body of a construct: that of its last statement. */
export function branchValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  if (node === NO_NODE) return NONE;
  if (walk.file.is(node, 'block')) return walk.run(node, inBlock(walk.file, frame)).last;
  if (walk.file.is(node, 'assignment', 'for_statement', 'while_statement', 'do_while_statement')) {
    walk.statement(node, frame);
    return NONE;
  }
  return walk.value(node, frame);
}

/** `if` as a value: either of its branches. A chain of `else if` is walked in a loop. */
export function ifValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  let outside = frame;
  for (let at = node; ; ) {
    countDecision(frame);
    const condition = file.child(at, 'condition');
    walk.value(condition, outside);
    const { consequence, alternative } = branches(walk, at);
    rows.push(branchValue(walk, consequence, narrowed(walk, condition, true, outside)));
    if (alternative === NO_NODE) break;
    outside = narrowed(walk, condition, false, outside);
    if (!file.is(alternative, 'if_expression')) {
      rows.push(branchValue(walk, alternative, outside));
      break;
    }
    at = alternative;
  }
  return file.either(rows.filter(row => row !== NONE));
}

/** Branches by the `else` between them: either may be missing. */
export function branches(walk: Walk, node: SyntaxNode): { readonly consequence: SyntaxNode; readonly alternative: SyntaxNode } {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  let consequence = NO_NODE;
  let alternative = NO_NODE;
  let isBehindElse = false;
  const end = file.reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = file.reader.after(child)) {
    if (!file.reader.isNamed(child)) isBehindElse ||= file.text(child) === 'else';
    else if (child <= condition || file.grammar.comments.has(file.reader.kind(child))) continue;
    else if (isBehindElse) alternative = child;
    else consequence = child;
  }
  return { consequence, alternative };
}

/** `when (val x = e) { is A -> …; 1, in b -> …; else -> … }` */
export function whenValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const inside = inBlock(walk.file, frame);
  const subjectNode = file.childOf(node, 'when_subject');
  const subject = subjectOf(walk, subjectNode, inside);
  const rows: ExpressionRow[] = [];
  for (const entry of file.children(node)) {
    if (!file.is(entry, 'when_entry')) continue;
    const conditions = file.childrenOf(entry, 'condition');
    let current = inside;
    for (const condition of conditions) {
      countDecision(frame);
      if (file.is(condition, 'type_test')) addType(file, typeBehind(file, condition), typePlace(inside, 'assertType'));
      else if (file.is(condition, 'range_test')) for (const child of file.children(condition)) walk.value(child, inside);
      else walk.value(condition, inside);
    }
    const [only, more] = conditions;
    if (only !== undefined && more === undefined) {
      const type = testedType(walk, only);
      current = type === NO_NODE ? (subjectNode === NO_NODE ? narrowed(walk, only, true, inside) : inside) : narrowedTo(walk, subject, type, inside);
    }
    const body = file.children(entry).find(child => !conditions.includes(child)) ?? NO_NODE;
    rows.push(branchValue(walk, body, current));
  }
  return file.either(rows.filter(row => row !== NONE));
}

/** Node of the name that the subject has: its own, or the variable it is put in. */
function subjectOf(walk: Walk, node: SyntaxNode, frame: Frame): SyntaxNode {
  const { file } = walk;
  const children = file.children(node).filter(child => !file.is(child, 'annotation'));
  const value = children[children.length - 1] ?? NO_NODE;
  if (value === NO_NODE) return NO_NODE;
  const row = walk.value(value, frame);
  const variable = file.childOf(node, 'variable_declaration');
  if (variable === NO_NODE) return value;
  const name = file.childOf(variable, 'identifier');
  bindLocal(walk, frame.scope, file.word(name), addType(file, typeBehind(file, variable), typePlace(frame)), row);
  return name;
}

export function catchClause(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  countDecision(frame);
  const inside = inBlock(walk.file, frame);
  const name = file.childOf(node, 'identifier');
  const type = addType(file, typeBehind(file, node), typePlace(frame, 'catch'));
  if (name !== NO_NODE) {
    walk.locals.add(file.word(name));
    file.builder.addBinding({ scope: inside.scope, name: file.word(name), kind: 'catch', type });
  }
  return walk.run(file.childOf(node, 'block'), inside).last;
}

/** Names bound by `val x`, `val (a, b)`; parts are what `component1()` and its like give. */
export function bindVariables(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame, scope: ScopeRow): void {
  const { file } = walk;
  if (!file.is(node, 'multi_variable_declaration')) {
    const name = file.childOf(node, 'identifier');
    if (name !== NO_NODE) bindLocal(walk, scope, file.word(name), addType(file, typeBehind(file, node), typePlace(frame)), value);
    return;
  }
  file.children(node).forEach((part, index) => {
    bindVariables(walk, part, file.row('member', value, NONE, file.builder.intern(`component${index + 1}`)), frame, scope);
  });
}
