import { commands, type Disposable, window } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import { shownRows } from '../shownRows';
import { StructureTree } from './structureTree';

/** Shortest time between two questions that the index causes, in milliseconds: communities are not asked for at each keystroke. */
const REST_MS = 5000;

/** The view "Structure": how the workspace is built. Asked for when it comes into view, and again when the index has changed. */
export class StructureView implements Disposable {
  private readonly tree = new StructureTree();
  private readonly view = window.createTreeView('lattice.structure', { treeDataProvider: shownRows(this.tree), showCollapseAll: true });
  private readonly subscriptions: Disposable[];
  private stale = true;
  private asking = false;
  private rest: NodeJS.Timeout | undefined;

  constructor(private readonly server: LatticeServer) {
    const look = (): void => this.refreshIfSeen();
    this.subscriptions = [
      server.onRevision(() => {
        this.stale = true;
        look();
      }),
      server.onDidChange(look),
      this.view.onDidChangeVisibility(look),
    ];
  }

  /** Asks at once, whether or not the index has changed. */
  async refresh(): Promise<void> {
    this.stale = false;
    this.asking = true;
    try {
      const folders = await window.withProgress({ location: { viewId: 'lattice.structure' } }, () =>
        Promise.all(
          indexedFolders().map(async folder => ({
            folder: folder.uri,
            name: folder.name,
            structure: await this.server.ask('structure', {}, folder.uri),
          })),
        ),
      );
      this.view.message = '';
      const any = this.tree.show(folders);
      void commands.executeCommand('setContext', 'lattice.structureEmpty', !any);
    } finally {
      this.asking = false;
    }
  }

  dispose(): void {
    clearTimeout(this.rest);
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  private refreshIfSeen(): void {
    const ready = this.server.folders.length > 0 && this.server.folders.every(folder => folder.phase === 'ready');
    if (!this.stale || this.asking || !ready || !this.view.visible || this.rest !== undefined) return;
    this.rest = setTimeout(() => {
      this.rest = undefined;
      this.refreshIfSeen();
    }, REST_MS);
    this.refresh().catch((error: unknown) => {
      this.stale = true;
      this.view.message = `Could not be refreshed: ${error instanceof Error ? error.message : String(error)}`;
    });
  }
}
