import type { GrammarNames } from '../../../parse/syntaxTable';
import { type Grammar, grammarOf } from '../../walk/grammar';

const KINDS = [
  'arguments',
  'assignment_statement',
  'binary_expression',
  'block',
  'bracket_index_expression',
  'comment',
  'dot_index_expression',
  'elseif_statement',
  'expression_list',
  'false',
  'field',
  'for_generic_clause',
  'for_numeric_clause',
  'for_statement',
  'function_call',
  'function_declaration',
  'function_definition',
  'goto_statement',
  'identifier',
  'if_statement',
  'label_statement',
  'method_index_expression',
  'nil',
  'number',
  'parameters',
  'parenthesized_expression',
  'repeat_statement',
  'return_statement',
  'string',
  'table_constructor',
  'true',
  'unary_expression',
  'vararg_expression',
  'variable_declaration',
  'variable_list',
  'while_statement',
] as const;

const FIELDS = ['arguments', 'body', 'clause', 'content', 'field', 'left', 'method', 'name', 'parameters', 'right', 'table', 'value'] as const;

export type LuaKind = (typeof KINDS)[number];
export type LuaField = (typeof FIELDS)[number];
export type LuaGrammar = Grammar<LuaKind, LuaField>;

/** Throws `RangeError` when the grammar lacks a name. */
export function luaGrammar(names: GrammarNames): LuaGrammar {
  return grammarOf(names, KINDS, FIELDS, { comments: ['comment'], commentMark: /^--+/ });
}
