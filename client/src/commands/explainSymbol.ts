import { succeeded } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { targetOf } from './target';

/** Shows what a symbol is, what it uses and who uses it as a Markdown page. */
export async function explainSymbol(
  { server, documents }: { readonly server: LatticeServer; readonly documents: MarkdownDocuments },
  argument: unknown,
): Promise<void> {
  const target = await targetOf(server, argument, 'Explain which symbol?');
  if (target === undefined) return;
  const answer = await server.callTool('code_explain', { target: target.id, profile: 'debug' }, { uri: target.folder.toString() });
  await documents.show(`Explain ${target.name}`, succeeded(answer).text);
}
