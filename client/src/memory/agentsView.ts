import { commands, type Disposable, window } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import { shownRows } from '../shownRows';
import { ViewRefresher } from '../viewRefresher';
import { AgentsTree, type FolderAgents, type MemoryFilter } from './agentsTree';

/** How often what rows say of times is renewed while they are seen. */
const RENEW_MS = 60_000;

/** The view "Agents", kept in step with what agents write. */
export class AgentsView implements Disposable {
  private readonly tree = new AgentsTree();
  private readonly view = window.createTreeView('lattice.agents', { treeDataProvider: shownRows(this.tree), showCollapseAll: true });
  private readonly refresher: ViewRefresher;
  private readonly subscriptions: readonly Disposable[];
  private shown: readonly FolderAgents[] = [];
  private asked: MemoryFilter = { types: new Set(), words: [] };

  constructor(private readonly server: LatticeServer) {
    this.refresher = new ViewRefresher(this.view, server, {
      ask: () => this.ask(),
      isWanted: () => this.view.visible && server.folders.length > 0,
    });
    const renewing = setInterval(() => {
      if (this.view.visible) this.tree.renew();
    }, RENEW_MS);
    this.subscriptions = [
      server.onRecords(({ areas }) => {
        if (areas.includes('memory')) this.refresher.changed();
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.tree.renew();
      }),
      this.refresher,
      { dispose: () => clearInterval(renewing) },
    ];
  }

  get folders(): readonly FolderAgents[] {
    return this.shown;
  }

  get filter(): MemoryFilter {
    return this.asked;
  }

  set filter(filter: MemoryFilter) {
    this.asked = filter;
    this.showRows();
  }

  /** Asks now; what was being asked when something changed is asked again. */
  refresh(): Promise<void> {
    return this.refresher.refresh();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  private async ask(): Promise<void> {
    this.shown = await Promise.all(indexedFolders().map(async ({ name, uri }) => ({ folder: uri, name, answer: await this.server.ask('agents', {}, uri) })));
    this.view.message = '';
    this.showRows();
    const isFilled = this.shown.some(({ answer }) => answer.agents.length + answer.episodes.length + answer.learnings.length > 0);
    await commands.executeCommand('setContext', 'lattice.hasAgents', isFilled);
  }

  private showRows(): void {
    this.tree.show(this.shown, this.asked);
    const claims = this.shown.reduce((sum, { answer }) => sum + answer.agents.reduce((own, agent) => own + agent.claims.length, 0), 0);
    this.view.description = claims === 0 ? '' : claims === 1 ? '1 claim' : `${claims} claims`;
  }
}
