import type { GrammarNames } from '../../../parse/syntaxTable';
import { type Grammar, grammarOf } from '../../walk/grammar';

const KINDS = [
  'c_style_for_statement',
  'case_item',
  'command',
  'command_name',
  'comment',
  'concatenation',
  'declaration_command',
  'elif_clause',
  'expansion',
  'for_statement',
  'function_definition',
  'if_statement',
  'list',
  'program',
  'simple_expansion',
  'string',
  'variable_assignment',
  'variable_name',
  'while_statement',
  'word',
] as const;

const FIELDS = ['argument', 'body', 'index', 'name', 'value', 'variable'] as const;

export type BashKind = (typeof KINDS)[number];
export type BashField = (typeof FIELDS)[number];
export type BashGrammar = Grammar<BashKind, BashField>;

/** Throws `RangeError` when the grammar lacks a name. */
export function bashGrammar(names: GrammarNames): BashGrammar {
  return grammarOf(names, KINDS, FIELDS, { comments: ['comment'], commentMark: /^#!?/ });
}
