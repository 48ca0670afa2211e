/** How symbols of the graph and answers of tools look in the editor. */
import { ThemeIcon, Uri } from 'vscode';
import type { AnswerDto } from '../../server/protocol/requests';
import { Refusal } from './refusal';

/** Checks the answer of a tool; a refused call becomes a `Refusal` that says what to do. */
export function succeeded(answer: AnswerDto): AnswerDto {
  if (answer.envelope.ok) return answer;
  const { summary, hint } = answer.envelope;
  throw new Refusal(hint === undefined ? summary : `${summary} ${hint}`);
}

/** Last segment of an id: the member of `src/a.ts::Cart::add`, the base name of a file. */
export function nameOf(id: string): string {
  return id.includes('::') ? id.slice(id.lastIndexOf('::') + 2) : id.slice(id.lastIndexOf('/') + 1);
}

/** What encloses a symbol inside its file (`Cart` of `src/a.ts::Cart::add`), or `''`. */
export function containerOf(id: string): string {
  return id.split('::').slice(1, -1).join('.');
}

export function uriOf(folder: Uri, path: string): Uri {
  return Uri.joinPath(folder, path);
}

/** What a dependent does to the node it depends on: `calls`, `imports`; for a reverse name `calls it`. */
export function verbOf(relation: string): string {
  return VERBS[relation] ?? relation.toLowerCase().replaceAll('_', ' ');
}

export function iconOf(kind: string): ThemeIcon {
  return new ThemeIcon(ICONS[kind] ?? 'symbol-misc');
}

/** Relations and reverse names that alone do not say what the dependent does. */
const VERBS: Readonly<Record<string, string>> = {
  called_by: 'calls it',
  inherited_by: 'extends it',
  implemented_by: 'implements it',
  overridden_by: 'overrides it',
  imported_by: 'imports it',
  used_as_type_by: 'uses it as type',
  instantiated_by: 'creates it',
  decorated_by: 'decorates it',
  raised_by: 'raises it',
  caught_by: 'catches it',
  assigned_by: 'assigns it',
  read_by: 'reads it',
  constant_used_by: 'uses it',
  default_used_by: 'has it as default',
  global_used_by: 'uses it',
  type_asserted_by: 'asserts it',
  context_manager_used_by: 'enters it',
  tested_by: 'tests it',
  INHERITS: 'extends',
  USES_TYPE: 'uses the type',
  INSTANTIATES: 'creates',
  DECORATES: 'is decorated by',
  ASSIGNS_TO: 'assigns',
  READS_FROM: 'reads',
  USES_CONSTANT: 'uses',
  USES_DEFAULT: 'has as default',
  USES_GLOBAL: 'uses',
  ASSERTS_TYPE: 'asserts',
  USES_CONTEXT_MANAGER: 'enters',
};

const ICONS: Readonly<Record<string, string>> = {
  file: 'symbol-file',
  function: 'symbol-function',
  method: 'symbol-method',
  constructor: 'symbol-constructor',
  class: 'symbol-class',
  interface: 'symbol-interface',
  type: 'symbol-type-parameter',
  enum: 'symbol-enum',
  enum_member: 'symbol-enum-member',
  variable: 'symbol-variable',
  constant: 'symbol-constant',
  field: 'symbol-field',
  property: 'symbol-property',
  module: 'symbol-module',
  namespace: 'symbol-namespace',
  struct: 'symbol-struct',
  trait: 'symbol-interface',
};
