import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { declareConstants, declareTypes, declareVariables } from './declarations';
import { assertedType } from './expressions';
import type { GoKind } from './grammar';
import { bindLocal, valuesOf } from './locals';
import { type Block, inner, isBlank, type StatementHandler, scopeOfLocal, type Walk } from './walk';

/** What is not listed has its children visited. */
export const STATEMENT_HANDLERS: Partial<Record<GoKind, StatementHandler>> = {
  block: (walk, node, block) => walk.statements(node, inner(block)),
  const_declaration: declareConstants,
  type_declaration: declareTypes,
  var_declaration: declareVariables,
  short_var_declaration: (walk, node, block) => shortDeclaration(walk, node, block),
  assignment_statement: assignment,
  inc_statement: step,
  dec_statement: step,
  if_statement: ifStatement,
  for_statement: forStatement,
  expression_switch_statement: switchStatement,
  type_switch_statement: typeSwitch,
  communication_case: communicationCase,
  default_case: (walk, node, block) => walk.statements(node, inner(block)),
  receive_statement: (walk, node, block) => receive(walk, node, block),
};

function decide(block: Block): void {
  if (block.body !== undefined) block.body.decisions++;
}

/** `a, b := …`: names that the block has already keep their declaration. */
function shortDeclaration(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const targets = file.children(file.child(node, 'left'));
  const rows = valuesOf(walk, file.child(node, 'right'), targets.length, block);
  targets.forEach((target, index) => {
    bindLocal(walk, target, NONE, rows[index] ?? NONE, block);
  });
}

function assignment(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const targets = file.children(file.child(node, 'left'));
  const rows = valuesOf(walk, file.child(node, 'right'), targets.length, block);
  const isPlain = file.text(file.child(node, 'operator')) === '=';
  targets.forEach((target, index) => {
    assign(walk, target, isPlain ? (rows[index] ?? NONE) : NONE, block);
  });
}

/** A variable that is given one function after another may call any of them. */
function mayBeFunction(walk: Walk, value: ExpressionRow, target: StringIndex): boolean {
  const { expressions } = walk.file.builder;
  const operator = value === NONE ? NONE : expressions.operator[value];
  if (operator === operatorCode.name) return expressions.text[value] !== target;
  return operator === operatorCode.member || operator === operatorCode.function;
}

/** Locals keep the type of their declaration; only what outlives the function makes a use. */
function assign(walk: Walk, target: SyntaxNode, value: ExpressionRow, block: Block): void {
  const { file } = walk;
  if (isBlank(file, target)) return;
  if (file.is(target, 'identifier')) {
    const scope = scopeOfLocal(block, file.word(target));
    if (scope !== NONE) {
      if (mayBeFunction(walk, value, file.word(target))) file.builder.addBinding({ scope, name: file.word(target), kind: 'variable', value });
      return;
    }
    file.use('write', walk.quiet(target, block), block.owner, file.word(target), file.reader.start(target));
  } else if (file.is(target, 'selector_expression')) {
    const object = walk.value(file.child(target, 'operand'), block);
    const field = file.child(target, 'field');
    const name = file.word(field);
    if (value !== NONE) file.builder.addAssignment({ target: object, name, value, owner: block.owner });
    file.use('write', file.row('member', object, NONE, name), block.owner, name, file.reader.start(field));
  } else if (file.is(target, 'index_expression')) {
    const object = walk.value(file.child(target, 'operand'), block);
    walk.value(file.child(target, 'index'), block);
    if (value !== NONE) file.builder.addAssignment({ target: object, name: NO_TEXT, value, owner: block.owner });
  } else walk.value(target, block);
}

function step(walk: Walk, node: SyntaxNode, block: Block): void {
  assign(walk, walk.file.reader.firstNamedChild(node), NONE, block);
}

/** `else if` hangs below; the chain is walked in a loop. */
function ifStatement(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  let around = block;
  for (let at = node; at !== NO_NODE; ) {
    around = inner(around);
    decide(block);
    const initializer = file.child(at, 'initializer');
    if (initializer !== NO_NODE) walk.statement(initializer, around);
    walk.value(file.child(at, 'condition'), around);
    walk.statements(file.child(at, 'consequence'), inner(around));
    const otherwise = file.child(at, 'alternative');
    if (file.is(otherwise, 'if_statement')) {
      at = otherwise;
      continue;
    }
    if (otherwise !== NO_NODE) walk.statements(otherwise, inner(around));
    break;
  }
}

function forStatement(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const around = inner(block);
  decide(block);
  for (const child of file.children(node)) {
    if (file.is(child, 'for_clause')) {
      for (const field of ['initializer', 'condition', 'update'] as const) {
        const part = file.child(child, field);
        if (part !== NO_NODE) walk.statement(part, around);
      }
    } else if (file.is(child, 'range_clause')) rangeClause(walk, child, around);
    else if (file.is(child, 'block')) walk.statements(child, inner(around));
    else walk.value(child, around);
  }
}

/** `k, v := range x`: the first is the key, of a channel the element. */
function rangeClause(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const source = walk.value(file.child(node, 'right'), block);
  const targets = file.children(file.child(node, 'left'));
  const declares = file.reader.children(node).some(child => file.text(child) === ':=');
  targets.forEach((target, index) => {
    const row = file.row('iterate', source, NONE, index === 0 ? file.builder.intern('key') : NO_TEXT);
    if (declares) bindLocal(walk, target, NONE, row, block);
    else assign(walk, target, row, block);
  });
}

function switchStatement(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const around = inner(block);
  const initializer = file.child(node, 'initializer');
  if (initializer !== NO_NODE) walk.statement(initializer, around);
  const value = file.child(node, 'value');
  if (value !== NO_NODE) walk.value(value, around);
  for (const each of file.children(node)) {
    if (file.is(each, 'expression_case')) {
      decide(block);
      for (const child of file.children(file.child(each, 'value'))) walk.value(child, around);
      walk.statements(each, inner(around));
    } else if (file.is(each, 'default_case')) walk.statements(each, inner(around));
  }
}

/** `switch x := v.(type)`: in a case of one type `x` has that type, in the others that of `v`. */
function typeSwitch(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const around = inner(block);
  const initializer = file.child(node, 'initializer');
  if (initializer !== NO_NODE) walk.statement(initializer, around);
  const subject = walk.value(file.child(node, 'value'), around);
  const alias = file.reader.firstNamedChild(file.child(node, 'alias'));
  for (const each of file.children(node)) {
    if (!file.is(each, 'type_case', 'default_case')) continue;
    const inside = inner(around);
    const types = file.childrenOf(each, 'type').filter(type => file.reader.isNamed(type));
    if (types.length > 0) decide(block);
    const rows = types.map(type => (isNil(walk, type) ? NONE : assertedType(walk, type, around)));
    const [only] = rows;
    const type = rows.length === 1 && only !== undefined ? only : NONE;
    if (alias !== NO_NODE) bindLocal(walk, alias, type, type === NONE ? subject : NONE, inside);
    walk.statements(each, inside);
  }
}

function isNil(walk: Walk, node: SyntaxNode): boolean {
  return walk.file.text(node) === 'nil';
}

function communicationCase(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const inside = inner(block);
  decide(block);
  const communication = file.child(node, 'communication');
  if (communication !== NO_NODE) walk.statement(communication, inside);
  walk.statements(node, inside);
}

/** `v, ok := <-ch` and `x = <-ch` in a `select`. */
function receive(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  const targets = file.children(file.child(node, 'left'));
  const rows = valuesOf(walk, file.child(node, 'right'), targets.length, block);
  const declares = file.reader.children(node).some(child => file.text(child) === ':=');
  targets.forEach((target, index) => {
    if (declares) bindLocal(walk, target, NONE, rows[index] ?? NONE, block);
    else assign(walk, target, rows[index] ?? NONE, block);
  });
}
