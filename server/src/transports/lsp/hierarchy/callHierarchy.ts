import { CallHierarchyPrepareRequest } from 'vscode-languageserver/node';
import { EDITOR_LANGUAGES } from '../../../../protocol/editorLanguages';
import type { LspConnection } from '../../lspConnection';
import { answering, type Questions } from '../questions';
import { toLineRange } from '../toProtocol';
import { HierarchyQuestions } from './hierarchyQuestions';
import { LanguageRegistration } from './languageRegistration';

/** Answers call hierarchy; what it gives says for which languages it is registered. */
export function serveCallHierarchy(connection: LspConnection, questions: Questions): LanguageRegistration {
  const { callHierarchy } = connection.languages;
  const hierarchy = new HierarchyQuestions(questions);
  callHierarchy.onPrepare((params, token) => answering(() => hierarchy.prepare('callHierarchyItem', params, token)));
  callHierarchy.onIncomingCalls((params, token) =>
    answering(async () => {
      const found = await hierarchy.neighbors(params.item, async (folder, id) => (await questions.quietly(folder, 'incomingCalls', { id }, token))?.calls);
      return found.map(({ item, lines }) => ({ from: item, fromRanges: lines.map(toLineRange) }));
    }),
  );
  callHierarchy.onOutgoingCalls((params, token) =>
    answering(async () => {
      const found = await hierarchy.neighbors(params.item, async (folder, id) => (await questions.quietly(folder, 'outgoingCalls', { id }, token))?.calls);
      return found.map(({ item, lines }) => ({ to: item, fromRanges: lines.map(toLineRange) }));
    }),
  );
  return new LanguageRegistration(EDITOR_LANGUAGES, documentSelector => connection.client.register(CallHierarchyPrepareRequest.type, { documentSelector }));
}
