import type { Disposable, LogOutputChannel, Memento } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { registerChangesCommands } from './changesCommands';
import { ChangesView } from './changesView';
import { PastDocuments } from './pastDocuments';

/** Everything that the editor shows of the past: what changed since, and what was. */
export function composeChanges(parts: {
  readonly server: LatticeServer;
  readonly documents: MarkdownDocuments;
  readonly storage: Memento;
  readonly log: LogOutputChannel;
}): Disposable[] {
  const view = new ChangesView(parts.server, parts.storage);
  const past = new PastDocuments(parts.server);
  return [view, past, ...registerChangesCommands({ ...parts, view, past })];
}
