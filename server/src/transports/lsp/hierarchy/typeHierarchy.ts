import { TypeHierarchyPrepareRequest } from 'vscode-languageserver/node';
import { EDITOR_LANGUAGES } from '../../../../protocol/editorLanguages';
import type { LspConnection } from '../../lspConnection';
import { answering, type Questions } from '../questions';
import { typesAnswer } from '../rows';
import { HierarchyQuestions } from './hierarchyQuestions';
import { LanguageRegistration } from './languageRegistration';

/** Answers type hierarchy; what it gives says for which languages it is registered. */
export function typeHierarchyDoor(connection: LspConnection, questions: Questions): LanguageRegistration {
  const { typeHierarchy } = connection.languages;
  const hierarchy = new HierarchyQuestions(questions);
  typeHierarchy.onPrepare((params, token) => answering(() => hierarchy.prepare('typeHierarchyItem', params, token)));
  typeHierarchy.onSupertypes((params, token) =>
    answering(async () => (await hierarchy.neighbours('supertypes', params.item, typesAnswer, token)).map(({ item }) => item)),
  );
  typeHierarchy.onSubtypes((params, token) =>
    answering(async () => (await hierarchy.neighbours('subtypes', params.item, typesAnswer, token)).map(({ item }) => item)),
  );
  return new LanguageRegistration(EDITOR_LANGUAGES, documentSelector => connection.client.register(TypeHierarchyPrepareRequest.type, { documentSelector }));
}
