import { type GrammarNames, type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import type { FileWalk } from '../../walk/fileWalk';
import { type Grammar, grammarOf } from '../../walk/grammar';

const KINDS = [
  'annotated_expression',
  'annotated_lambda',
  'annotation',
  'anonymous_function',
  'anonymous_initializer',
  'as_expression',
  'assignment',
  'binary_expression',
  'block',
  'block_comment',
  'call_expression',
  'callable_reference',
  'catch_block',
  'character_literal',
  'class_body',
  'class_declaration',
  'class_parameter',
  'class_parameters',
  'collection_literal',
  'companion_object',
  'constructor_delegation_call',
  'constructor_invocation',
  'delegation_specifier',
  'delegation_specifiers',
  'do_while_statement',
  'enum_class_body',
  'enum_entry',
  'explicit_delegation',
  'file_annotation',
  'finally_block',
  'float_literal',
  'for_statement',
  'function_body',
  'function_declaration',
  'function_type',
  'function_type_parameters',
  'function_value_parameters',
  'getter',
  'identifier',
  'if_expression',
  'import',
  'in_expression',
  'index_expression',
  'infix_expression',
  'interpolation',
  'is_expression',
  'label',
  'labeled_expression',
  'lambda_literal',
  'lambda_parameters',
  'line_comment',
  'modifiers',
  'multi_variable_declaration',
  'multiline_string_literal',
  'navigation_expression',
  'non_nullable_type',
  'nullable_type',
  'number_literal',
  'object_declaration',
  'object_literal',
  'package_header',
  'parameter',
  'parameter_modifiers',
  'parenthesized_expression',
  'parenthesized_type',
  'primary_constructor',
  'property_declaration',
  'property_delegate',
  'qualified_identifier',
  'range_expression',
  'range_test',
  'return_expression',
  'secondary_constructor',
  'setter',
  'source_file',
  'spread_expression',
  'string_literal',
  'super_expression',
  'this_expression',
  'throw_expression',
  'try_expression',
  'type_alias',
  'type_arguments',
  'type_constraint',
  'type_constraints',
  'type_modifiers',
  'type_parameter',
  'type_parameters',
  'type_projection',
  'type_test',
  'unary_expression',
  'user_type',
  'value_argument',
  'value_arguments',
  'variable_declaration',
  'when_entry',
  'when_expression',
  'when_subject',
  'while_statement',
] as const;

const FIELDS = ['argument', 'condition', 'label', 'left', 'name', 'operator', 'right', 'type'] as const;

export type KindName = (typeof KINDS)[number];
export type FieldName = (typeof FIELDS)[number];
export type KotlinGrammar = Grammar<KindName, FieldName>;
export type KotlinFile = FileWalk<KindName, FieldName>;

/** Throws `RangeError` when the grammar lacks a name. */
export function kotlinGrammar(names: GrammarNames): KotlinGrammar {
  return grammarOf(names, KINDS, FIELDS, { comments: ['line_comment', 'block_comment'] });
}

export const TYPE_KINDS = ['user_type', 'nullable_type', 'function_type', 'parenthesized_type', 'non_nullable_type'] as const;

/** The anonymous token of that text among the children of a node. */
export function hasToken(file: KotlinFile, node: SyntaxNode, text: string): boolean {
  const end = file.reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = file.reader.after(child)) {
    if (!file.reader.isNamed(child) && file.reader.length(child) === text.length && file.text(child) === text) return true;
  }
  return false;
}
