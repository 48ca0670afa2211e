import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { countDecision, inBlock } from '../../walk/frames';
import { addAttribute } from './declarations/attributes';
import { declareConstructor, declareConversion, declareDestructor, declareLocalFunction, declareMethod, declareOperator } from './declarations/members';
import { declareFields, declareProperty, initializerOf } from './declarations/properties';
import { declareDelegate, declareType, enumMember } from './declarations/types';
import type { KindName } from './grammar';
import { typeRow } from './types';
import { namespaceBlock, namespaceOfFile, usingDirective } from './usings';
import { bindName, bindTuple } from './values/bindings';
import { raise } from './values/expressions';
import { bindPattern } from './values/patterns';
import { type Frame, lastNameNode, type StatementHandler, type Walk } from './walk';

const nothing: StatementHandler = () => undefined;

/** How each kind of declaration is taken in. */
export const DECLARATION_HANDLERS: Partial<Record<KindName, StatementHandler>> = {
  using_directive: usingDirective,
  namespace_declaration: namespaceBlock,
  file_scoped_namespace_declaration: namespaceOfFile,
  class_declaration: declareType,
  struct_declaration: declareType,
  record_declaration: declareType,
  interface_declaration: declareType,
  enum_declaration: declareType,
  delegate_declaration: declareDelegate,
  enum_member_declaration: enumMember,
  method_declaration: declareMethod,
  constructor_declaration: declareConstructor,
  destructor_declaration: declareDestructor,
  operator_declaration: declareOperator,
  conversion_operator_declaration: declareConversion,
  field_declaration: declareFields,
  event_field_declaration: declareFields,
  property_declaration: declareProperty,
  indexer_declaration: declareProperty,
  event_declaration: declareProperty,
  global_attribute: (walk, node, frame) => {
    for (const attribute of walk.file.children(node)) if (walk.file.is(attribute, 'attribute')) addAttribute(walk, attribute, NONE, frame);
  },
  global_statement: (walk, node, frame) => {
    if (walk.programScope === NONE) walk.programScope = walk.file.builder.addScope('block', MODULE_SCOPE);
    for (const child of walk.file.children(node)) walk.statement(child, { ...frame, scope: walk.programScope });
  },
  preproc_if: conditionalPart,
  preproc_elif: conditionalPart,
  preproc_else: (walk, node, frame) => walk.run(node, frame),
};

/** How each kind of statement is taken in. What is not listed has its parts taken in one after the other. */
export const STATEMENT_HANDLERS: Partial<Record<KindName, StatementHandler>> = {
  local_function_statement: declareLocalFunction,
  local_declaration_statement: (walk, node, frame) => {
    const isUsing = walk.file.reader.hasChild(node, walk.token.using);
    declareLocals(walk, walk.file.childOf(node, 'variable_declaration'), frame, isUsing);
  },
  variable_declaration: (walk, node, frame) => declareLocals(walk, node, frame, false),
  expression_statement: (walk, node, frame) => {
    walk.value(walk.file.first(node), frame);
  },
  block: (walk, node, frame) => walk.run(node, inBlock(walk.file, frame)),
  return_statement: (walk, node, frame) => {
    const child = walk.file.first(node);
    if (child === NO_NODE) return;
    const row = walk.value(child, frame, frame.body?.returnType ?? NO_NODE);
    frame.body?.returns.push(row);
  },
  yield_statement: (walk, node, frame) => {
    const child = walk.file.first(node);
    if (child === NO_NODE) return;
    const row = walk.value(child, frame);
    frame.body?.yields.push(row);
  },
  throw_statement: (walk, node, frame) => raise(walk, walk.file.first(node), frame),
  if_statement: (walk, node, frame) => {
    countDecision(frame);
    walk.run(node, frame);
  },
  while_statement: loop,
  do_statement: loop,
  for_statement: loop,
  foreach_statement: forEach,
  using_statement: (walk, node, frame) => {
    const { file } = walk;
    const inner = inBlock(walk.file, frame);
    const body = file.child(node, 'body');
    for (const child of file.children(node)) {
      if (file.is(child, 'variable_declaration')) declareLocals(walk, child, inner, true);
      else if (child === body) walk.statement(child, inner);
      else enter(walk, child, walk.value(child, inner), inner);
    }
  },
  fixed_statement: (walk, node, frame) => walk.run(node, inBlock(walk.file, frame)),
  switch_statement: (walk, node, frame) => {
    const { file } = walk;
    const subject = walk.value(file.child(node, 'value'), frame);
    for (const section of file.children(file.child(node, 'body'))) switchSection(walk, section, subject, frame);
  },
  catch_clause: (walk, node, frame) => {
    countDecision(frame);
    walk.run(node, inBlock(walk.file, frame));
  },
  catch_declaration: (walk, node, frame) => {
    const { file } = walk;
    bindName(walk, file.child(node, 'name'), NONE, typeRow(walk, file.child(node, 'type'), frame, 'catch'), frame);
  },
  labeled_statement: (walk, node, frame) => {
    const statement = walk.file.children(node).at(-1);
    if (statement !== undefined && !walk.file.is(statement, 'identifier')) walk.statement(statement, frame);
  },
  goto_statement: nothing,
  attribute_list: nothing,
  preproc_region: nothing,
  preproc_endregion: nothing,
};

function conditionalPart(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  for (const child of file.children(node)) if (child !== condition) walk.statement(child, frame);
}

function loop(walk: Walk, node: SyntaxNode, frame: Frame): void {
  countDecision(frame);
  walk.run(node, inBlock(walk.file, frame));
}

/** `T a = x, b = y` and `var (a, b) = x`; with `using` the values are entered. */
function declareLocals(walk: Walk, declaration: SyntaxNode, frame: Frame, isUsing: boolean): void {
  const { file } = walk;
  if (declaration === NO_NODE) return;
  const typeNode = file.child(declaration, 'type');
  const type = typeRow(walk, typeNode, frame);
  for (const declarator of file.children(declaration)) {
    if (!file.is(declarator, 'variable_declarator')) continue;
    const initializer = initializerOf(file, declarator);
    const value = initializer === NO_NODE ? NONE : walk.value(initializer, frame, type === NONE ? NO_NODE : typeNode);
    const pattern = file.childOf(declarator, 'tuple_pattern');
    if (pattern !== NO_NODE) bindTuple(walk, pattern, value, frame);
    else bindName(walk, file.child(declarator, 'name'), value, type, frame);
    if (isUsing && initializer !== NO_NODE) enter(walk, initializer, value, frame);
  }
}

function enter(walk: Walk, node: SyntaxNode, row: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const name = lastNameNode(file, node);
  if (name !== NO_NODE) file.use('enter', row, frame.owner, file.word(name), file.reader.start(name));
}

function forEach(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file, token } = walk;
  countDecision(frame);
  const inner = inBlock(walk.file, frame);
  const isAsync = file.reader.hasChild(node, token.await);
  const source = walk.value(file.child(node, 'right'), frame);
  file.useImplicit(source, isAsync ? 'GetAsyncEnumerator' : 'GetEnumerator', frame.owner, isAsync ? 'await' : 'foreach', file.reader.start(node));
  const item = file.row('iterate', source, NONE, isAsync ? file.builder.intern('async') : NO_TEXT);
  const left = file.child(node, 'left');
  if (file.is(left, 'identifier')) bindName(walk, left, item, typeRow(walk, file.child(node, 'type'), inner), inner);
  else bindLoopTuple(walk, left, item, inner);
  walk.statement(file.child(node, 'body'), inner);
}

function bindLoopTuple(walk: Walk, left: SyntaxNode, item: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  if (file.is(left, 'tuple_pattern')) bindTuple(walk, left, item, frame);
  else if (file.is(left, 'tuple_expression')) {
    file.children(left).forEach((part, index) => {
      const declared = file.children(part).at(-1) ?? NO_NODE;
      if (!file.is(declared, 'declaration_expression')) return;
      const row = file.row('index', item, NONE, file.builder.intern(String(index)));
      bindName(walk, file.child(declared, 'name'), row, typeRow(walk, file.child(declared, 'type'), frame), frame);
    });
  }
}

const PATTERNS: readonly KindName[] = [
  'and_pattern',
  'constant_pattern',
  'declaration_pattern',
  'list_pattern',
  'negated_pattern',
  'or_pattern',
  'parenthesized_pattern',
  'recursive_pattern',
  'relational_pattern',
  'type_pattern',
  'var_pattern',
];

function switchSection(walk: Walk, section: SyntaxNode, subject: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const inner = inBlock(walk.file, frame);
  let decides = false;
  for (const part of file.children(section)) {
    if (file.is(part, ...PATTERNS)) {
      decides = true;
      bindPattern(walk, part, subject, inner);
    } else if (file.is(part, 'when_clause')) walk.value(file.first(part), inner);
    else walk.statement(part, inner);
  }
  if (decides) countDecision(frame);
}
