import { type ExpressionRow, NONE, type StringIndex } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { countDecision } from '../../../walk/frames';
import type { TypeForm } from '../types/typeForm';
import { addTypeForm } from '../types/typeRows';
import type { Frame, Walk } from '../walk';
import { type Guard, narrow } from './narrowing';

/** `match` with its cases: class patterns assert a type, captures are bound, a plain subject is narrowed. */
export function runMatch(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const subjects = file.children(node).filter(child => file.reader.field(child) === file.grammar.field.subject);
  const rows = subjects.map(subject => walk.value(subject, frame));
  const [subject] = subjects;
  const value = rows.length === 1 ? (rows[0] ?? NONE) : file.row('array', NONE, NONE, file.builder.intern('tuple'), rows);
  const name = subjects.length === 1 && subject !== undefined && file.is(subject, 'identifier') ? file.word(subject) : NONE;
  for (const clause of file.children(file.child(node, 'body'))) {
    if (file.is(clause, 'case_clause')) runCase(walk, clause, value, name, frame);
  }
}

function runCase(walk: Walk, clause: SyntaxNode, subject: ExpressionRow, name: StringIndex, frame: Frame): void {
  const { file } = walk;
  countDecision(frame);
  const patterns = file.children(clause).filter(child => file.is(child, 'case_pattern'));
  const guards: Guard[] = [];
  for (const [at, pattern] of patterns.entries()) {
    const value = patterns.length === 1 ? subject : file.row('index', subject, NONE, file.builder.intern(String(at)));
    const form = bindPattern(walk, pattern, value, frame, 0);
    if (form !== undefined && name !== NONE && patterns.length === 1) guards.push({ name, form });
  }
  const inside = narrow(file, guards, frame);
  const guard = file.child(clause, 'guard');
  if (guard !== NO_NODE) walk.value(file.reader.firstNamedChild(guard), inside);
  walk.run(file.child(clause, 'consequence'), inside);
}

/** Binds the captures of a pattern; gives the type that a match proves. */
function bindPattern(walk: Walk, pattern: SyntaxNode, value: ExpressionRow, frame: Frame, depth: number): TypeForm | undefined {
  const { file } = walk;
  if (pattern === NO_NODE || depth > 40) return undefined;
  const children = file.children(pattern);
  if (file.is(pattern, 'case_pattern')) return bindPattern(walk, children[0] ?? NO_NODE, value, frame, depth + 1);
  if (file.is(pattern, 'class_pattern')) return bindClassPattern(walk, children, frame, depth);
  if (file.is(pattern, 'as_pattern')) {
    const form = bindPattern(walk, children[0] ?? NO_NODE, value, frame, depth + 1);
    bindCapture(walk, children[1] ?? NO_NODE, form === undefined ? value : valueOf(walk, form, frame), frame);
    return form;
  }
  if (file.is(pattern, 'union_pattern')) {
    const forms = children.map(child => bindPattern(walk, child, value, frame, depth + 1)).filter(form => form !== undefined);
    return forms.length === children.length ? { is: 'union', items: forms } : undefined;
  }
  if (file.is(pattern, 'dotted_name')) {
    if (children.length === 1) bindCapture(walk, children[0] ?? NO_NODE, value, frame);
    else readDotted(walk, children, frame);
  } else if (file.is(pattern, 'identifier') || file.is(pattern, 'splat_pattern')) {
    bindCapture(walk, file.is(pattern, 'identifier') ? pattern : file.reader.firstNamedChild(pattern), value, frame);
  } else {
    for (const [at, child] of children.entries()) bindPattern(walk, child, file.row('index', value, NONE, file.builder.intern(String(at))), frame, depth + 1);
  }
  return undefined;
}

/** `C(a, k=b)`: the class is asserted, keyword captures are its members. */
function bindClassPattern(walk: Walk, children: readonly SyntaxNode[], frame: Frame, depth: number): TypeForm | undefined {
  const { file } = walk;
  const [classNode, ...parts] = children;
  if (classNode === undefined) return undefined;
  const names = file.children(classNode).map(part => ({ text: file.text(part), at: file.reader.start(part) }));
  const last = names.at(-1);
  if (last === undefined) return undefined;
  const form: TypeForm = { is: 'name', parts: names };
  const type = addTypeForm(file, form, { scope: frame.scope, owner: frame.owner, counts: false });
  file.use('assertType', type, frame.owner, file.builder.intern(last.text), last.at);
  const value = file.row('valueOfType', type);
  for (const part of parts) {
    const inner = file.reader.firstNamedChild(part);
    if (!file.is(inner, 'keyword_pattern')) {
      bindPattern(walk, part, file.unknown(), frame, depth + 1);
      continue;
    }
    const [key, pattern] = file.children(inner);
    if (key !== undefined && pattern !== undefined) bindPattern(walk, pattern, file.row('member', value, NONE, file.word(key)), frame, depth + 1);
  }
  return form;
}

function valueOf(walk: Walk, form: TypeForm, frame: Frame): ExpressionRow {
  return walk.file.row('valueOfType', addTypeForm(walk.file, form, { scope: frame.scope, owner: frame.owner, counts: false }));
}

function bindCapture(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  if (!walk.file.is(node, 'identifier') || walk.file.text(node) === '_') return;
  walk.bind(node, value, frame, { node, type: NONE, makesSymbol: false });
}

/** A value pattern such as `Color.RED`. */
function readDotted(walk: Walk, names: readonly SyntaxNode[], frame: Frame): void {
  const { file } = walk;
  const [head, ...rest] = names;
  if (head === undefined) return;
  let row = file.row('name', frame.scope, NONE, file.word(head));
  file.readName(row, frame.owner, file.word(head), file.reader.start(head), frame.scope);
  for (const part of rest) {
    row = file.row('member', row, NONE, file.word(part));
    file.use('read', row, frame.owner, file.word(part), file.reader.start(part));
  }
}
