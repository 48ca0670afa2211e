/** How symbols of the graph and answers of tools look in the editor. */
import { ThemeIcon, Uri } from 'vscode';
import type { AnswerDto } from '../../server/protocol/requests';
import { Refusal, refusedText } from './refusal';

/** Checks the answer of a tool; a refused call becomes a `Refusal` that says what to do. */
export function succeeded(answer: AnswerDto): AnswerDto {
  if (answer.envelope.ok) return answer;
  throw new Refusal(refusedText(answer.envelope));
}

export function uriOf(folder: Uri, path: string): Uri {
  return Uri.joinPath(folder, path);
}

export function iconOf(kind: string): ThemeIcon {
  return new ThemeIcon(ICONS[kind] ?? 'symbol-misc');
}

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
