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
    const body = walk.file.child(node, 'body');
    if (walk.file.is(body, 'declaration_list')) walk.run(body);
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
      condition(walk, walk.file.child(node, 'condition'));
      walk.statement(walk.file.child(node, 'consequence'));
      walk.statement(walk.file.child(node, 'alternative'));
    });
  },
  else_clause: children,
  while_statement: (walk, node) => {
    walk.decision();
    walk.inBlock(() => {
      condition(walk, walk.file.child(node, 'condition'));
      walk.statement(walk.file.child(node, 'body'));
    });
  },
  do_statement: (walk, node) => {
    walk.decision();
    walk.statement(walk.file.child(node, 'body'));
    walk.statement(walk.file.child(node, 'condition'));
  },
  for_statement: (walk, node) => {
    walk.decision();
    walk.inBlock(() => {
      for (const field of ['initializer', 'condition', 'update', 'body'] as const) walk.statement(walk.file.child(node, field));
    });
  },
  for_range_loop: rangeLoop,
  switch_statement: (walk, node) =>
    walk.inBlock(() => {
      condition(walk, walk.file.child(node, 'condition'));
      walk.run(walk.file.child(node, 'body'));
    }),
  case_statement: (walk, node) => {
    const value = walk.file.child(node, 'value');
    if (value !== NO_NODE) walk.decision();
    walk.run(node);
  },
  labeled_statement: (walk, node) => {
    const label = walk.file.child(node, 'label');
    for (const child of walk.file.children(node)) if (child !== label) walk.statement(child);
  },
  goto_statement: () => undefined,
  return_statement: returned,
  co_return_statement: returned,
  throw_statement: thrown,
  try_statement: children,
  catch_clause: (walk, node) => {
    walk.decision();
    walk.inBlock(() => {
      for (const parameter of walk.file.children(walk.file.child(node, 'parameters'))) caughtParameter(walk, parameter);
      walk.run(walk.file.child(node, 'body'));
    });
  },
};

function declareOnly(walk: CppWalk, node: SyntaxNode): void {
  if (walk.declareType(node) === NONE && walk.file.child(node, 'body') !== NO_NODE) walk.run(walk.file.child(node, 'body'));
}

function condition(walk: CppWalk, node: SyntaxNode): void {
  if (walk.file.is(node, 'condition_clause')) walk.run(node);
  else walk.statement(node);
}

function returned(walk: CppWalk, node: SyntaxNode): void {
  const value = walk.file.children(node)[0];
  if (value !== undefined) walk.body?.returns.push(walk.value(value));
}

/** `throw E(…)`: the class of what is thrown. */
function thrown(walk: CppWalk, node: SyntaxNode): void {
  const value = walk.file.children(node)[0];
  if (value === undefined) return;
  const row = walk.value(value);
  const callee = walk.file.is(value, 'call_expression')
    ? walk.file.child(value, 'function')
    : walk.file.is(value, 'compound_literal_expression')
      ? walk.file.child(value, 'type')
      : value;
  const last = nameParts(walk, callee).at(-1);
  if (last !== undefined && last.node !== NO_NODE)
    walk.file.use('raise', row, walk.owner, walk.file.builder.intern(last.text), walk.file.reader.start(last.node));
}

function rangeLoop(walk: CppWalk, node: SyntaxNode): void {
  walk.decision();
  walk.inBlock(() => {
    walk.statement(walk.file.child(node, 'initializer'));
    const base = walk.type(walk.file.child(node, 'type'));
    const element = walk.file.row('iterate', walk.value(walk.file.child(node, 'right')));
    const declarator = declaratorOf(walk, walk.file.child(node, 'declarator'));
    bindVariable(walk, declarator.name, base === NONE ? NONE : declaredType(walk, base, declarator), element);
    walk.statement(walk.file.child(node, 'body'));
  });
}
