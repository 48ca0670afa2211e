/** How symbols of the graph and answers of tools look in the editor. */
import { ThemeIcon, Uri } from 'vscode';
import { NODE_KINDS } from '../../server/protocol/nodeKinds';
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
  return new ThemeIcon(NODE_KINDS.find(row => row.name === kind)?.icon ?? 'symbol-misc');
}
