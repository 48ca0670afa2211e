import { ColorThemeKind, window, workspace } from 'vscode';
import type { ExplainParams } from '../../../server/protocol/features';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { explainPage } from '../views/explainPage';
import { linksFrom } from '../views/folderLinks';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import type { Target } from './symbolSearch';
import { targetOf } from './target';

const NEIGHBORS = 50;

/** Shows what a symbol is, what it uses and who uses it as a Markdown page. */
export async function explainSymbol(
  { server, documents }: { readonly server: LatticeServer; readonly documents: MarkdownDocuments },
  argument: unknown,
): Promise<void> {
  const target = await targetOf(server, argument, 'Select a symbol to explain');
  if (target === undefined) return;
  const question: ExplainParams = { target: target.id, limit: NEIGHBORS };
  const answer = await server.ask('explain', question, target.folder);
  await documents.show(`Explain ${target.name}`, explainPage(answer, await languageOf(target, answer.symbol.path), linksFrom(target.folder)));
}

/** The editor's id of the language of a file, for colors. */
async function languageOf({ folder }: Target, path: string): Promise<string> {
  // The editor's preview colors code for dark themes there.
  if (window.activeColorTheme.kind === ColorThemeKind.HighContrastLight) return '';
  try {
    return (await workspace.openTextDocument(uriOf(folder, path))).languageId;
  } catch {
    // A symbol outside the project has no file.
    return '';
  }
}
