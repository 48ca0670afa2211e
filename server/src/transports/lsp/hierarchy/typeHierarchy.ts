import { TypeHierarchyPrepareRequest } from 'vscode-languageserver/node';
import { EDITOR_LANGUAGES } from '../../../../protocol/editorLanguages';
import type { LspConnection } from '../../lspConnection';
import { answering, type Questions } from '../questions';
import { HierarchyQuestions } from './hierarchyQuestions';
import { LanguageRegistration } from './languageRegistration';

/** Answers type hierarchy; what it gives says for which languages it is registered. */
export function serveTypeHierarchy(connection: LspConnection, questions: Questions): LanguageRegistration {
  const { typeHierarchy } = connection.languages;
  const hierarchy = new HierarchyQuestions(questions);
  const itemsOf = async (...given: Parameters<HierarchyQuestions['neighbors']>) => (await hierarchy.neighbors(...given)).map(({ item }) => item);
  typeHierarchy.onPrepare((params, token) => answering(() => hierarchy.prepare('typeHierarchyItem', params, token)));
  typeHierarchy.onSupertypes((params, token) =>
    answering(() => itemsOf(params.item, async (folder, id) => (await questions.quietly(folder, 'supertypes', { id }, token))?.types)),
  );
  typeHierarchy.onSubtypes((params, token) =>
    answering(() => itemsOf(params.item, async (folder, id) => (await questions.quietly(folder, 'subtypes', { id }, token))?.types)),
  );
  return new LanguageRegistration(EDITOR_LANGUAGES, documentSelector => connection.client.register(TypeHierarchyPrepareRequest.type, { documentSelector }));
}
