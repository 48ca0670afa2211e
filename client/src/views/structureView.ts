import { commands, type Disposable, window } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import { shownRows } from '../shownRows';
import { ViewRefresher } from '../viewRefresher';
import { StructureTree } from './structureTree';

/** Shortest time between two questions that the index causes, in milliseconds: communities are not asked for at each keystroke. */
const REST_MS = 5000;

/** The view "Structure": how the workspace is built. Asked for when it comes into view, and again when the index has changed. */
export class StructureView implements Disposable {
  private readonly tree = new StructureTree();
  private readonly view = window.createTreeView('lattice.structure', { treeDataProvider: shownRows(this.tree), showCollapseAll: true });
  private readonly refresher: ViewRefresher;
  private readonly subscriptions: readonly Disposable[];

  constructor(private readonly server: LatticeServer) {
    this.refresher = new ViewRefresher(this.view, server, {
      ask: () => this.ask(),
      isWanted: () => this.view.visible && server.isReady,
      restMs: REST_MS,
    });
    this.subscriptions = [server.onRevision(() => this.refresher.changed()), this.refresher];
  }

  /** Asks at once, whether or not the index has changed. */
  refresh(): Promise<void> {
    return this.refresher.refresh();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  private async ask(): Promise<void> {
    const folders = await window.withProgress({ location: { viewId: 'lattice.structure' } }, () =>
      Promise.all(indexedFolders().map(async ({ name, uri }) => ({ folder: uri, name, structure: await this.server.ask('structure', {}, uri) }))),
    );
    this.view.message = '';
    const any = this.tree.show(folders);
    await commands.executeCommand('setContext', 'lattice.structureEmpty', !any);
  }
}
