import { NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { countDecision, inBlock, typePlace } from '../../walk/frames';
import { declareType } from './declarations';
import { argumentRows, hasPattern, withPatterns } from './expressions';
import type { KindName } from './grammar';
import { addImport, setPackage } from './imports';
import { addDeclaredType, addType } from './types';
import { type Frame, type StatementHandler, type Walk } from './walk';

const typeDeclaration: StatementHandler = (walk, node, frame) => {
  declareType(walk, node, frame);
  return undefined;
};

/** How each kind of statement is taken in. A handler may give the frame for the statements after it. */
export const STATEMENT_HANDLERS: Partial<Record<KindName, StatementHandler>> = {
  package_declaration: setPackage,
  import_declaration: addImport,
  class_declaration: typeDeclaration,
  interface_declaration: typeDeclaration,
  enum_declaration: typeDeclaration,
  record_declaration: typeDeclaration,
  annotation_type_declaration: typeDeclaration,
  method_declaration: (walk, node, frame) => {
    walk.members(node, frame);
    return undefined;
  },
  block: (walk, node, frame) => {
    walk.run(node, inBlock(walk.file, frame));
    return undefined;
  },
  expression_statement: (walk, node, frame) => {
    walk.value(walk.file.reader.firstNamedChild(node), withPatterns(walk, node, frame));
    return undefined;
  },
  local_variable_declaration: (walk, node, frame) => {
    declareLocals(walk, node, frame);
    return undefined;
  },
  return_statement: (walk, node, frame) => {
    const child = walk.file.reader.firstNamedChild(node);
    if (child !== NO_NODE) frame.body?.returns.push(walk.value(child, withPatterns(walk, node, frame)));
    return undefined;
  },
  break_statement: () => undefined,
  continue_statement: () => undefined,
  yield_statement: (walk, node, frame) => {
    const row = walk.value(walk.file.reader.firstNamedChild(node), frame);
    frame.yields?.push(row);
    return undefined;
  },
  throw_statement: throwStatement,
  if_statement: ifStatement,
  while_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const inside = withPatterns(walk, file.child(node, 'condition'), frame);
    walk.value(file.child(node, 'condition'), inside);
    walk.statement(file.child(node, 'body'), inside);
    return inside;
  },
  do_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    walk.statement(file.child(node, 'body'), frame);
    walk.value(file.child(node, 'condition'), frame);
    return undefined;
  },
  for_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const inside = inBlock(walk.file, frame);
    for (const init of file.childrenOf(node, 'init')) walk.statement(init, inside);
    walk.value(file.child(node, 'condition'), inside);
    for (const update of file.childrenOf(node, 'update')) walk.value(update, inside);
    walk.statement(file.child(node, 'body'), inside);
    return undefined;
  },
  enhanced_for_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const item = file.row('iterate', walk.value(file.child(node, 'value'), frame));
    const inside = inBlock(walk.file, frame);
    const type = addDeclaredType(file, file.child(node, 'type'), file.child(node, 'dimensions'), typePlace(frame));
    const name = file.child(node, 'name');
    file.builder.addBinding({ scope: inside.scope, name: file.word(name), kind: 'variable', type, value: item });
    walk.statement(file.child(node, 'body'), inside);
    return undefined;
  },
  try_statement: tryStatement,
  try_with_resources_statement: tryStatement,
  labeled_statement: (walk, node, frame) => {
    const children = walk.file.children(node);
    walk.statement(children[children.length - 1] ?? NO_NODE, frame);
    return undefined;
  },
  synchronized_statement: (walk, node, frame) => {
    for (const child of walk.file.children(node)) walk.statement(child, frame);
    return undefined;
  },
  explicit_constructor_invocation: constructorCall,
};

function declareLocals(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const typeNode = file.child(node, 'type');
  const type = addType(file, typeNode, typePlace(frame));
  for (const declarator of file.childrenOf(node, 'declarator')) {
    const name = file.child(declarator, 'name');
    const valueNode = file.child(declarator, 'value');
    const value = valueNode === NO_NODE ? NONE : walk.value(valueNode, withPatterns(walk, valueNode, frame));
    const isArray = type !== NONE && file.child(declarator, 'dimensions') !== NO_NODE;
    const declared = isArray ? file.row('arrayType', type) : type;
    if (file.is(name, 'identifier')) file.builder.addBinding({ scope: frame.scope, name: file.word(name), kind: 'variable', type: declared, value });
  }
}

function throwStatement(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const child = file.reader.firstNamedChild(node);
  if (child === NO_NODE) return;
  const row = walk.value(child, frame);
  const typeNode = file.is(child, 'object_creation_expression') ? file.child(child, 'type') : child;
  file.use('raise', row, frame.owner, file.word(typeNode), file.reader.start(typeNode));
}

/**
 * Names bound by a type test in the condition are seen in the branch, and behind the statement when the test is negated.
 * A chain of `else if` is walked in a loop.
 */
function ifStatement(walk: Walk, node: SyntaxNode, frame: Frame): Frame | undefined {
  const { file } = walk;
  let after: Frame | undefined;
  let outside = frame;
  for (let at = node; ; ) {
    countDecision(frame);
    const condition = file.child(at, 'condition');
    const isTest = hasPattern(walk, condition);
    const inside = isTest ? inBlock(walk.file, outside) : outside;
    walk.value(condition, inside);
    walk.statement(file.child(at, 'consequence'), inside);
    const isNegated = isTest && /!\s*\(/.test(file.text(condition));
    if (isNegated) {
      outside = inside;
      if (at === node) after = inside;
    }
    const alternative = file.child(at, 'alternative');
    if (alternative === NO_NODE) return after;
    if (!file.is(alternative, 'if_statement')) {
      walk.statement(alternative, outside);
      return after;
    }
    at = alternative;
  }
}

function tryStatement(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const resources = file.child(node, 'resources');
  const inside = resources === NO_NODE ? frame : inBlock(walk.file, frame);
  for (const resource of file.children(resources)) openResource(walk, resource, inside);
  for (const child of file.children(node)) {
    if (child === resources) continue;
    if (file.is(child, 'catch_clause')) catchClause(walk, child, frame);
    else walk.statement(file.is(child, 'finally_clause') ? file.childOf(child, 'block') : child, inside);
  }
}

function openResource(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const name = file.child(node, 'name');
  if (name === NO_NODE) {
    walk.value(file.reader.firstNamedChild(node), frame);
    return;
  }
  const type = addType(file, file.child(node, 'type'), typePlace(frame));
  const value = walk.value(file.child(node, 'value'), frame);
  if (file.is(name, 'identifier')) file.builder.addBinding({ scope: frame.scope, name: file.word(name), kind: 'variable', type, value });
  file.use('enter', value, frame.owner, file.word(name), file.reader.start(name));
}

function catchClause(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  countDecision(frame);
  const inside = inBlock(walk.file, frame);
  const parameter = file.childOf(node, 'catch_formal_parameter');
  const types = file.children(file.childOf(parameter, 'catch_type')).map(type => addType(file, type, typePlace(frame, 'catch')));
  const name = file.child(parameter, 'name');
  if (file.is(name, 'identifier')) file.builder.addBinding({ scope: inside.scope, name: file.word(name), kind: 'catch', type: file.either(types) });
  walk.statement(file.child(node, 'body'), inside);
}

/** `this(…)`, `super(…)`, `outer.super(…)`. */
function constructorCall(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const word = file.child(node, 'constructor');
  const object = file.child(node, 'object');
  if (object !== NO_NODE) walk.value(object, frame);
  const name = file.builder.intern(CONSTRUCTOR);
  const callee = file.is(word, 'this') ? file.row('member', file.row('this', frame.scope), NONE, name) : file.row('super', frame.scope);
  const row = file.row('call', callee, NONE, NO_TEXT, argumentRows(walk, file.child(node, 'arguments'), frame));
  file.use('call', row, frame.owner, file.word(word), file.reader.start(word));
}

/** Name of constructors, as the virtual machine knows them. */
export const CONSTRUCTOR = '<init>';
