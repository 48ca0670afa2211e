import { NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { caughtParameter } from './calls';
import { accessSpecifier, friendDeclaration, memberDeclaration } from './classes';
import {
  aliasDeclaration,
  bindVariable,
  declaration,
  namespaceAlias,
  namespaceDefinition,
  templateDeclaration,
  typeDefinition,
  usingDeclaration,
} from './declarations';
import { declaratorOf, declaredType } from './declarators';
import { functionDefinition } from './functions';
import type { KindName } from './grammar';
import { nameParts } from './names';
import { conditional, defineFunction, defineObject, include } from './preproc';
import type { CppWalk, StatementHandler } from './walk';

const children: StatementHandler = (walk, node) => walk.run(node);

/** Statements and declarations; what is not listed is an expression or has its children visited. */
export const STATEMENT_HANDLERS: Partial<Record<KindName, StatementHandler>> = {
  declaration,
  field_declaration: memberDeclaration,
  function_definition: functionDefinition,
  type_definition: typeDefinition,
  alias_declaration: aliasDeclaration,
  template_declaration: templateDeclaration,
  template_instantiation: () => undefined,
  concept_definition: (walk, node) => {
    walk.takeTemplates();
    walk.run(node);
  },
  namespace_definition: namespaceDefinition,
  namespace_alias_definition: namespaceAlias,
  using_declaration: usingDeclaration,
  linkage_specification: (walk, node) => {
    const body = walk.child(node, 'body');
    if (walk.is(body, 'declaration_list')) walk.run(body);
    else walk.statement(body);
  },
  friend_declaration: friendDeclaration,
  access_specifier: accessSpecifier,
  struct_specifier: declareOnly,
  class_specifier: declareOnly,
  union_specifier: declareOnly,
  enum_specifier: declareOnly,
  preproc_include: include,
  preproc_def: defineObject,
  preproc_function_def: defineFunction,
  preproc_ifdef: conditional,
  preproc_if: conditional,
  preproc_elif: conditional,
  preproc_elifdef: conditional,
  preproc_else: conditional,
  preproc_call: () => undefined,
  attribute_declaration: () => undefined,
  attribute_specifier: () => undefined,
  compound_statement: (walk, node) => walk.inBlock(() => walk.run(node)),
  expression_statement: children,
  if_statement: (walk, node) => {
    walk.decision();
    walk.inBlock(() => {
      condition(walk, walk.child(node, 'condition'));
      walk.statement(walk.child(node, 'consequence'));
      walk.statement(walk.child(node, 'alternative'));
    });
  },
  else_clause: children,
  while_statement: (walk, node) => {
    walk.decision();
    walk.inBlock(() => {
      condition(walk, walk.child(node, 'condition'));
      walk.statement(walk.child(node, 'body'));
    });
  },
  do_statement: (walk, node) => {
    walk.decision();
    walk.statement(walk.child(node, 'body'));
    walk.statement(walk.child(node, 'condition'));
  },
  for_statement: (walk, node) => {
    walk.decision();
    walk.inBlock(() => {
      for (const field of ['initializer', 'condition', 'update', 'body'] as const) walk.statement(walk.child(node, field));
    });
  },
  for_range_loop: rangeLoop,
  switch_statement: (walk, node) =>
    walk.inBlock(() => {
      condition(walk, walk.child(node, 'condition'));
      walk.run(walk.child(node, 'body'));
    }),
  case_statement: (walk, node) => {
    const value = walk.child(node, 'value');
    if (value !== NO_NODE) walk.decision();
    walk.run(node);
  },
  labeled_statement: (walk, node) => {
    const label = walk.child(node, 'label');
    for (const child of walk.children(node)) if (child !== label) walk.statement(child);
  },
  goto_statement: () => undefined,
  return_statement: returned,
  co_return_statement: returned,
  throw_statement: thrown,
  try_statement: children,
  catch_clause: (walk, node) => {
    walk.decision();
    walk.inBlock(() => {
      for (const parameter of walk.children(walk.child(node, 'parameters'))) caughtParameter(walk, parameter);
      walk.run(walk.child(node, 'body'));
    });
  },
};

function declareOnly(walk: CppWalk, node: SyntaxNode): void {
  if (walk.declareType(node) === NONE && walk.child(node, 'body') !== NO_NODE) walk.run(walk.child(node, 'body'));
}

function condition(walk: CppWalk, node: SyntaxNode): void {
  if (walk.is(node, 'condition_clause')) walk.run(node);
  else walk.statement(node);
}

function returned(walk: CppWalk, node: SyntaxNode): void {
  const value = walk.children(node)[0];
  if (value !== undefined) walk.body?.returns.push(walk.value(value));
}

/** `throw E(…)`: the class of what is thrown. */
function thrown(walk: CppWalk, node: SyntaxNode): void {
  const value = walk.children(node)[0];
  if (value === undefined) return;
  const row = walk.value(value);
  const callee = walk.is(value, 'call_expression')
    ? walk.child(value, 'function')
    : walk.is(value, 'compound_literal_expression')
      ? walk.child(value, 'type')
      : value;
  const last = nameParts(walk, callee).at(-1);
  if (last !== undefined && last.node !== NO_NODE) walk.use('raise', row, walk.owner, walk.builder.intern(last.text), walk.reader.start(last.node));
}

function rangeLoop(walk: CppWalk, node: SyntaxNode): void {
  walk.decision();
  walk.inBlock(() => {
    walk.statement(walk.child(node, 'initializer'));
    const base = walk.type(walk.child(node, 'type'));
    const element = walk.row('iterate', walk.value(walk.child(node, 'right')));
    const declarator = declaratorOf(walk, walk.child(node, 'declarator'));
    bindVariable(walk, declarator.name, base === NONE ? NONE : declaredType(walk, base, declarator), element);
    walk.statement(walk.child(node, 'body'));
  });
}
