import { type ExpressionRow, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { runBranches } from '../../../walk/branches';
import { countDecision } from '../../../walk/frames';
import { declareClass } from '../declarations/classes';
import { declareFunction } from '../declarations/functions';
import { declareNamespace, importNames } from '../declarations/imports';
import { declareConstants } from '../declarations/members';
import { lastPart, nameRow } from '../names';
import type { KindName } from '../phpGrammar';
import { readDocBlock } from '../types/docBlock';
import { docType } from '../types/docTypes';
import { nativeType } from '../types/nativeTypes';
import { elementValue } from '../values/arrays';
import { assign, bindTarget } from '../values/assignments';
import { useOfIteration } from '../values/protocols';
import { type Frame, type StatementHandler, type Walk } from '../walk';
import { guardsOf, narrow } from './narrowing';

/** How each kind of statement is taken in. A handler may give the frame for the statements after it. */
export const STATEMENT_HANDLERS: Partial<Record<KindName, StatementHandler>> = {
  comment: docVariables,
  expression_statement: expressionStatement,
  compound_statement: (walk, node, frame) => walk.run(node, frame),
  colon_block: (walk, node, frame) => walk.run(node, frame),
  namespace_definition: declareNamespace,
  namespace_use_declaration: importNames,
  function_definition: declareFunction,
  class_declaration: declareType,
  interface_declaration: declareType,
  trait_declaration: declareType,
  enum_declaration: declareType,
  const_declaration: (walk, node, frame) => {
    declareConstants(walk, node, frame);
    return undefined;
  },
  return_statement: (walk, node, frame) => {
    const { file } = walk;
    const child = file.reader.firstNamedChild(node);
    if (child === NO_NODE || file.is(child, 'comment')) return undefined;
    const row = walk.value(child, frame);
    if (frame.body !== undefined) frame.body.returns.push(row);
    else file.builder.addExport({ kind: 'whole', value: row });
    return undefined;
  },
  if_statement: ifStatement,
  while_statement: (walk, node, frame) => {
    const { file } = walk;
    const condition = file.child(node, 'condition');
    countDecision(frame);
    walk.value(condition, frame);
    walk.run(file.child(node, 'body'), narrow(file, guardsOf(file, condition, true), frame));
    return undefined;
  },
  do_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    walk.run(file.child(node, 'body'), frame);
    walk.value(file.child(node, 'condition'), frame);
    return undefined;
  },
  for_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    for (const child of file.children(node)) {
      if (file.reader.field(child) === file.grammar.field.body) walk.run(child, frame);
      else if (file.is(child, 'sequence_expression')) walk.parts(child, frame);
      else walk.value(child, frame);
    }
    return undefined;
  },
  unset_statement: (walk, node, frame) => {
    for (const child of walk.file.children(node)) {
      if (walk.file.is(child, 'subscript_expression')) elementValue(walk, child, frame, 'offsetUnset');
      else walk.value(child, frame);
    }
    return undefined;
  },
  foreach_statement: foreachStatement,
  switch_statement: switchStatement,
  try_statement: (walk, node, frame) => {
    const { file } = walk;
    for (const child of file.children(node)) {
      if (file.is(child, 'catch_clause')) catchClause(walk, child, frame);
      else walk.run(file.is(child, 'finally_clause') ? file.child(child, 'body') : child, frame);
    }
    return undefined;
  },
  global_declaration: (walk, node, frame) => {
    const { file } = walk;
    for (const child of file.children(node)) {
      if (!file.is(child, 'variable_name') || frame.home === frame.globals) continue;
      const value = file.row('name', frame.globals, NONE, file.word(child));
      file.builder.addBinding({ scope: frame.home, name: file.word(child), kind: 'variable', value });
      file.use('read', value, frame.owner, file.word(child), file.reader.start(child));
    }
    return undefined;
  },
  function_static_declaration: (walk, node, frame) => {
    const { file } = walk;
    for (const child of file.children(node)) {
      const valueNode = file.child(child, 'value');
      const value = valueNode === NO_NODE ? NONE : walk.value(valueNode, frame);
      file.builder.addBinding({ scope: frame.home, name: file.word(file.child(child, 'name')), kind: 'variable', value });
    }
    return undefined;
  },
};

function declareType(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  declareClass(walk, node, frame.class === undefined ? frame : { ...frame, class: undefined });
}

/** `/** @var Foo $x *\/` on its own says what a variable is from here on. */
function docVariables(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const text = file.text(node);
  if (!text.startsWith('/**') || !text.includes('@')) return;
  for (const { name, form } of readDocBlock(text, file.reader.start(node)).variables) {
    if (name === '' || name === '$this') continue;
    const type = docType(file, form, frame, frame.owner);
    file.builder.addBinding({ scope: frame.home, name: file.builder.intern(name), kind: 'variable', type });
  }
}

/** `assert($x instanceof A)` narrows what comes behind it; `@var` before an assignment types its target. */
function expressionStatement(walk: Walk, node: SyntaxNode, frame: Frame): Frame | undefined {
  const { file } = walk;
  const expression = file.reader.firstNamedChild(node);
  if (expression === NO_NODE) return undefined;
  if (file.is(expression, 'assignment_expression')) {
    assign(walk, expression, docTypeBefore(walk, node, frame), frame);
    return undefined;
  }
  walk.value(expression, frame);
  if (!file.is(expression, 'function_call_expression') || !/^\\?assert$/i.test(file.text(file.child(expression, 'function')))) return undefined;
  const argument = file.reader.firstNamedChild(file.child(expression, 'arguments'));
  return argument === NO_NODE ? undefined : narrow(file, guardsOf(file, file.reader.lastNamedChild(argument), true), frame);
}

function docTypeBefore(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const comment = file.reader.previousSibling(node);
  if (!file.is(comment, 'comment')) return NONE;
  const [variable] = readDocBlock(file.text(comment), file.reader.start(comment)).variables;
  return variable === undefined || variable.name !== '' ? NONE : docType(file, variable.form, frame, frame.owner);
}

function ifStatement(walk: Walk, node: SyntaxNode, frame: Frame): Frame | undefined {
  const { file } = walk;
  const [first, ...others] = [node, ...file.childrenOf(node, 'alternative')].map(clause => ({
    condition: file.is(clause, 'else_clause') ? NO_NODE : file.child(clause, 'condition'),
    body: file.child(clause, 'body'),
  }));
  if (first === undefined) return undefined;
  const rules = {
    narrow: (test: SyntaxNode, truth: boolean, from: Frame) => narrow(file, guardsOf(file, test, truth), from),
    leaves: (body: SyntaxNode) => leaves(walk, body),
  };
  return runBranches(walk, [first, ...others], rules, frame);
}

/** True when a statement or block ends by leaving what surrounds it. */
function leaves(walk: Walk, node: SyntaxNode): boolean {
  const { file } = walk;
  if (file.is(node, 'compound_statement', 'colon_block')) {
    const last = file.children(node).at(-1);
    return last !== undefined && leaves(walk, last);
  }
  if (file.is(node, 'return_statement', 'continue_statement', 'break_statement', 'exit_statement')) return true;
  return file.is(node, 'expression_statement') && file.is(file.reader.firstNamedChild(node), 'throw_expression');
}

function foreachStatement(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  countDecision(frame);
  const [source, target] = file.children(node);
  if (source === undefined || target === undefined) return;
  const row = walk.value(source, frame);
  useOfIteration(walk, node, row, frame, file.is(target, 'pair'));
  const [key, part] = file.is(target, 'pair') ? file.children(target) : [undefined, target];
  if (key !== undefined) bindTarget(walk, key, file.literal('string'), { node, type: NONE, isLoop: true }, frame);
  if (part !== undefined) bindTarget(walk, part, file.row('iterate', row), { node: part, type: NONE, isLoop: true }, frame);
  const body = file.child(node, 'body');
  if (body !== NO_NODE) walk.run(body, frame);
}

/** With `switch (true)` a case narrows its statements. */
function switchStatement(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  walk.value(condition, frame);
  const isTrue = /^\(\s*true\s*\)$/i.test(file.text(condition));
  for (const clause of file.children(file.child(node, 'body'))) {
    const value = file.child(clause, 'value');
    let inside = frame;
    if (value !== NO_NODE) {
      countDecision(frame);
      walk.value(value, frame);
      if (isTrue) inside = narrow(file, guardsOf(file, value, true), frame);
    }
    for (const statement of file.reader.children(clause)) if (statement !== value && file.reader.isNamed(statement)) inside = walk.run(statement, inside);
  }
}

function catchClause(walk: Walk, clause: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  countDecision(frame);
  const list = file.child(clause, 'type');
  const types = file.children(list).map(type => {
    const inner = file.reader.firstNamedChild(type);
    const { name, at } = lastPart(file, inner);
    const row = nativeTypeQuietly(walk, inner, frame);
    file.use('catch', row, frame.owner, name, at);
    return row;
  });
  const nameNode = file.child(clause, 'name');
  let inside = frame;
  if (nameNode !== NO_NODE) {
    const scope = file.builder.addScope('block', frame.scope);
    file.builder.addBinding({ scope, name: file.word(nameNode), kind: 'catch', value: file.row('caught', file.either(types)) });
    inside = { ...frame, scope };
  }
  walk.run(file.child(clause, 'body'), inside);
}

/** Row of a caught class, which is used as caught rather than as a type. */
function nativeTypeQuietly(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  return file.is(node, 'name', 'qualified_name', 'relative_name') ? nameRow(file, file.text(node), frame) : nativeType(file, node, frame, frame.owner);
}
