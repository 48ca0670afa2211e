import type { Disposable, LogOutputChannel } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { registerWorkCommands } from './workCommands';
import { WorkPages } from './workPages';
import { WorkView } from './workView';

/** Everything that the editor shows of features and tasks. */
export function composeWork(parts: { readonly server: LatticeServer; readonly documents: MarkdownDocuments; readonly log: LogOutputChannel }): Disposable[] {
  const view = new WorkView(parts.server);
  const pages = new WorkPages(parts);
  return [view, pages, ...registerWorkCommands({ ...parts, pages, view })];
}
