/** How symbols of the graph and answers of tools look in the editor. */
import { ThemeIcon, Uri } from 'vscode';
import { NODE_KINDS } from '../../server/protocol/nodeKinds';
import type { AnswerDto, DoneDto } from '../../server/protocol/requests';
import { Refusal, refusalText } from './refusal';

/** Checks the answer of a tool; a refused call becomes a `Refusal` that says what to do. */
export function succeeded<Data extends object>(answer: AnswerDto<Data>): DoneDto<Data> {
  if (isDone(answer)) return answer;
  throw new Refusal(refusalText(answer.envelope));
}

/** Whether a call was carried out. */
export function isDone<Data extends object>(answer: AnswerDto<Data>): answer is DoneDto<Data> {
  return answer.envelope.ok;
}

export function uriOf(folder: Uri, path: string): Uri {
  return Uri.joinPath(folder, path);
}

export function iconOf(kind: string): ThemeIcon {
  return new ThemeIcon(NODE_KINDS.find(row => row.name === kind)?.icon ?? 'symbol-misc');
}
