import { commands, type Disposable, window } from 'vscode';
import type { WorkStatus } from '../../../server/protocol/features';
import { counted } from '../../../server/protocol/figures';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import { shownRows } from '../shownRows';
import { ViewRefresher } from '../viewRefresher';
import type { FolderWork, WorkFilter } from './workRows';
import { WorkTree } from './workTree';

const OPEN: readonly WorkStatus[] = ['pending', 'in_progress', 'in_review', 'blocked'];

/** The view "Work", kept in step with what people and agents write. */
export class WorkView implements Disposable {
  private readonly tree = new WorkTree();
  private readonly view = window.createTreeView('lattice.work', { treeDataProvider: shownRows(this.tree), showCollapseAll: true });
  private readonly refresher: ViewRefresher;
  private readonly subscriptions: readonly Disposable[];
  private work: readonly FolderWork[] = [];
  private asked: WorkFilter = { statuses: new Set(OPEN), words: [] };

  constructor(private readonly server: LatticeServer) {
    this.refresher = new ViewRefresher(this.view, server, {
      ask: () => this.ask(),
      isWanted: () => this.view.visible && server.folders.length > 0,
    });
    this.subscriptions = [
      server.onRecords(({ areas }) => {
        if (areas.includes('work')) this.refresher.changed();
      }),
      this.refresher,
    ];
  }

  get filter(): WorkFilter {
    return this.asked;
  }

  set filter(filter: WorkFilter) {
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
    this.work = await Promise.all(indexedFolders().map(async ({ name, uri }) => ({ folder: uri, name, tree: await this.server.ask('workTree', {}, uri) })));
    this.showRows();
    await commands.executeCommand(
      'setContext',
      'lattice.hasWork',
      this.work.some(({ tree }) => tree.features.length + tree.taskCount > 0),
    );
  }

  private showRows(): void {
    const shown = this.tree.show(this.work, this.asked);
    const all = this.work.flatMap(({ tree }) => [...tree.tasks, ...tree.features.flatMap(feature => feature.tasks)]);
    const open = all.filter(task => OPEN.includes(task.status)).length;
    this.view.description = all.length === 0 ? '' : `${open} of ${counted(all.length, 'task')} open`;
    this.view.message = all.length > 0 && shown === 0 ? 'No features or tasks match the filter.' : '';
  }
}
