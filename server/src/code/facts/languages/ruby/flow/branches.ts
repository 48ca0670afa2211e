import { type ExpressionRow, MODULE_SCOPE, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { bindNarrowed, countDecision } from '../../../walk/frames';
import type { ClassGuard } from '../../../walk/guards';
import { constantOf, isConstant, lastPart } from '../names';
import { bindTarget } from '../values/assignments';
import { type Frame, type Walk } from '../walk';
import { guardOf, guardsOf, narrow } from './narrowing';
import { patternOf } from './patterns';

/** `if`, `elsif`, `unless`: either of the branches. */
export function ifValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  const truth = !file.is(node, 'unless');
  countDecision(frame);
  walk.value(condition, frame);
  const rows: ExpressionRow[] = [];
  const consequence = file.child(node, 'consequence');
  if (consequence !== NO_NODE) rows.push(walk.run(consequence, narrow(file, guardsOf(file, condition, truth), frame)));
  const alternative = file.child(node, 'alternative');
  const otherwise = narrow(file, guardsOf(file, condition, !truth), frame);
  if (file.is(alternative, 'elsif')) rows.push(file.nested(file.unknown(), () => ifValue(walk, alternative, otherwise)));
  else rows.push(alternative === NO_NODE ? file.literal('null') : walk.run(alternative, otherwise));
  return file.either(rows);
}

/** `x if y`, `x unless y`. */
export function modifierValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  countDecision(frame);
  walk.value(condition, frame);
  const row = walk.value(file.child(node, 'body'), narrow(file, guardsOf(file, condition, file.is(node, 'if_modifier')), frame));
  return file.either([row, file.literal('null')]);
}

/** The frame for what follows a statement that leaves when a condition holds: `return unless x.is_a?(A)`. */
export function frameAfter(walk: Walk, node: SyntaxNode, frame: Frame): Frame {
  const { file } = walk;
  const isModifier = file.is(node, 'if_modifier', 'unless_modifier');
  if (!isModifier && !file.is(node, 'if', 'unless')) return frame;
  if (!isModifier && file.child(node, 'alternative') !== NO_NODE) return frame;
  const body = file.child(node, isModifier ? 'body' : 'consequence');
  if (!leaves(walk, body)) return frame;
  return narrow(file, guardsOf(file, file.child(node, 'condition'), file.is(node, 'unless', 'unless_modifier')), frame);
}

/** True when a statement or block ends by leaving what surrounds it. */
function leaves(walk: Walk, node: SyntaxNode): boolean {
  const { file } = walk;
  if (file.is(node, 'then')) {
    const last = file.children(node).at(-1);
    return last !== undefined && leaves(walk, last);
  }
  if (file.is(node, 'return', 'next', 'break', 'redo', 'retry')) return true;
  return file.is(node, 'call') && file.child(node, 'receiver') === NO_NODE && /^(?:raise|fail|throw|exit|abort)$/.test(file.text(file.child(node, 'method')));
}

export function ternaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  countDecision(frame);
  walk.value(condition, frame);
  const yes = walk.value(file.child(node, 'consequence'), narrow(file, guardsOf(file, condition, true), frame));
  return file.either([yes, walk.value(file.child(node, 'alternative'), narrow(file, guardsOf(file, condition, false), frame))]);
}

/** `case v when A, B`: classes are asserted of what is tested. */
export function caseValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const subject = file.child(node, 'value');
  if (subject !== NO_NODE) walk.value(subject, frame);
  const rows: ExpressionRow[] = [];
  for (const clause of file.children(node)) {
    if (file.is(clause, 'else')) rows.push(walk.run(clause, frame));
    if (!file.is(clause, 'when')) continue;
    countDecision(frame);
    const guards = file.childrenOf(clause, 'pattern').map(pattern => whenPattern(walk, file.reader.firstNamedChild(pattern), subject, frame));
    const body = file.child(clause, 'body');
    const inside = guards.every(guard => guard.length > 0) ? narrow(file, joined(guards.flat()), frame) : frame;
    rows.push(body === NO_NODE ? file.literal('null') : walk.run(body, inside));
  }
  return file.either(rows);
}

function whenPattern(walk: Walk, pattern: SyntaxNode, subject: SyntaxNode, frame: Frame): readonly ClassGuard[] {
  const { file } = walk;
  if (pattern === NO_NODE) return [];
  if (!isConstant(file, pattern)) {
    walk.value(pattern, frame);
    return subject === NO_NODE ? guardsOf(file, pattern, true) : [];
  }
  const { name, at } = lastPart(file, pattern);
  const row = constantOf(walk, pattern, frame);
  file.use('assertType', row, frame.owner, name, at);
  file.use('read', row, frame.owner, name, at);
  return guardOf(file, subject, pattern);
}

/** Guards of one path together: any of their classes. */
function joined(guards: readonly ClassGuard[]): readonly ClassGuard[] {
  const [first] = guards;
  return first === undefined ? [] : [{ path: first.path, classes: guards.flatMap(guard => guard.classes) }];
}

/** `case v in pattern`. */
export function caseMatch(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const value = walk.value(file.child(node, 'value'), frame);
  const rows: ExpressionRow[] = [];
  for (const clause of file.children(node)) {
    if (file.is(clause, 'else')) rows.push(walk.run(clause, frame));
    if (!file.is(clause, 'in_clause')) continue;
    countDecision(frame);
    const scope = file.builder.addScope('block', frame.scope);
    const inside: Frame = { ...frame, scope };
    const type = patternOf(walk, file.child(clause, 'pattern'), value, inside, 0);
    const path = file.is(file.child(node, 'value'), 'identifier') ? file.word(file.child(node, 'value')) : 0;
    if (type !== undefined && path !== 0) bindNarrowed(file, scope, { name: path, type });
    const guard = file.child(clause, 'guard');
    if (guard !== NO_NODE) walk.value(file.child(guard, 'condition'), inside);
    const body = file.child(clause, 'body');
    rows.push(body === NO_NODE ? file.literal('null') : walk.run(body, inside));
  }
  return file.either(rows);
}

/** `v => pattern`, `v in pattern`. */
export function matchValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const value = walk.value(file.child(node, 'value'), frame);
  patternOf(walk, file.child(node, 'pattern'), value, frame, 0);
  return file.literal('boolean');
}

/** Statements with `rescue`, `else` and `ensure` among them. Gives the row of the last one that counts. */
export function bodyValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  let current = frame;
  let last: ExpressionRow = NONE;
  const rescued: ExpressionRow[] = [];
  for (const child of file.children(node)) {
    if (file.is(child, 'rescue')) rescued.push(rescueValue(walk, child, frame));
    else if (file.is(child, 'ensure')) walk.run(child, frame);
    else if (file.is(child, 'else') || !file.is(child, 'heredoc_body')) {
      const before = current;
      last = file.is(child, 'else') ? walk.run(child, before) : file.nested(file.unknown(), () => walk.value(child, before));
      current = frameAfter(walk, child, before);
    } else walk.value(child, current);
  }
  if (last === NONE) last = file.literal('null');
  return rescued.length === 0 ? last : file.either([last, ...rescued]);
}

/** `rescue A, B => e`. */
function rescueValue(walk: Walk, clause: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  countDecision(frame);
  const types: ExpressionRow[] = [];
  for (const type of file.children(file.child(clause, 'exceptions'))) {
    if (!isConstant(file, type)) {
      types.push(walk.value(type, frame));
      continue;
    }
    const row = constantOf(walk, type, frame);
    const { name, at } = lastPart(file, type);
    file.use('catch', row, frame.owner, name, at);
    types.push(row);
  }
  const variable = file.child(clause, 'variable');
  const target = variable === NO_NODE ? NO_NODE : file.reader.firstNamedChild(variable);
  let inside = frame;
  if (file.is(target, 'identifier')) {
    const scope = file.builder.addScope('block', frame.scope);
    const caught = types.length === 0 ? file.row('name', MODULE_SCOPE, NONE, file.builder.intern('StandardError')) : file.either(types);
    frame.locals.add(file.text(target), frame.home);
    file.builder.addBinding({ scope, name: file.word(target), kind: 'catch', value: file.row('caught', caught) });
    inside = { ...frame, scope };
  } else if (target !== NO_NODE) bindTarget(walk, target, file.row('caught', file.either(types)), clause, frame);
  const body = file.child(clause, 'body');
  return body === NO_NODE ? file.literal('null') : walk.run(body, inside);
}
