import type { Disposable, LogOutputChannel } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { AgentsView } from './agentsView';
import { ClaimDecorations } from './claimDecorations';
import { registerMemoryCommands } from './memoryCommands';

/** Everything that the editor shows of agents and what they remember. */
export function composeMemory(parts: { readonly server: LatticeServer; readonly documents: MarkdownDocuments; readonly log: LogOutputChannel }): Disposable[] {
  const view = new AgentsView(parts.server);
  return [view, new ClaimDecorations(parts.server), ...registerMemoryCommands({ ...parts, view })];
}
