import { type Disposable, type LogOutputChannel, type Memento, window } from 'vscode';
import type { GraphPanels } from '../graph/graphPanels';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { AffectedTests } from '../tests/affectedTests';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { registerChangesCommands } from './changesCommands';
import { ChangesView } from './changesView';
import { ComparisonPoints } from './choosePoint';
import { PastDocuments } from './pastDocuments';

/** Everything that the editor shows of the past: what changed since, and what was. */
export function composeChanges(parts: {
  readonly server: LatticeServer;
  readonly documents: MarkdownDocuments;
  readonly graphs: GraphPanels;
  readonly affectedTests: AffectedTests;
  readonly storage: Memento;
  readonly log: LogOutputChannel;
}): Disposable[] {
  const view = new ChangesView(parts.server, parts.storage);
  const past = new PastDocuments(parts.server);
  const points = new ComparisonPoints(parts.storage, parts.server);
  const looked = (): void => {
    if (window.state.focused) void points.seen(Date.now());
  };
  looked();
  return [view, past, window.onDidChangeWindowState(looked), ...registerChangesCommands({ ...parts, view, past, points })];
}
