import {
  commands,
  type Disposable,
  EventEmitter,
  Range,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type Uri,
  window,
} from 'vscode';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import { shownRows } from '../shownRows';
import { type ServiceRow, serviceRows } from './servicesRows';

/** Shortest time between two questions that the index causes, in milliseconds. */
const REST_MS = 10_000;

/** A row with the folder that it is of. */
export interface ServiceNode {
  readonly folder: Uri;
  readonly row: ServiceRow;
}

/** The view "Services": shown where there are services, asked for again when the index has changed. */
export class ServicesView implements TreeDataProvider<ServiceNode>, Disposable {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = window.createTreeView('lattice.services', { treeDataProvider: shownRows(this), showCollapseAll: true });
  private readonly subscriptions: Disposable[];
  private folders: readonly { readonly folder: Uri; readonly name: string; readonly rows: readonly ServiceRow[] }[] = [];
  private stale = true;
  private asking = false;
  private rest: NodeJS.Timeout | undefined;

  constructor(private readonly server: LatticeServer) {
    const look = (): void => this.refreshWhenRested();
    this.subscriptions = [
      server.onRevision(() => {
        this.stale = true;
        look();
      }),
      server.onDidChange(look),
      this.view.onDidChangeVisibility(look),
    ];
  }

  /** Asks again at once. */
  async reload(): Promise<void> {
    await this.refresh();
  }

  getChildren(node?: ServiceNode): ServiceNode[] {
    if (node !== undefined) return node.row.children.map(row => ({ folder: node.folder, row }));
    const [only] = this.folders;
    if (this.folders.length === 1 && only !== undefined) return only.rows.map(row => ({ folder: only.folder, row }));
    return this.folders.map(({ folder, name, rows }) => ({
      folder,
      row: { label: name, description: '', icon: 'root-folder', file: '', line: 0, expanded: true, children: rows },
    }));
  }

  getTreeItem({ folder, row }: ServiceNode): TreeItem {
    const { children, description, expanded, file, icon, label, line } = row;
    const state =
      children.length === 0 ? TreeItemCollapsibleState.None : expanded === true ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
    const item = new TreeItem(label, state);
    item.description = description;
    item.iconPath = new ThemeIcon(icon, icon === 'warning' || icon === 'error' ? new ThemeColor(`list.${icon}Foreground`) : undefined);
    item.contextValue = row.endpoint === undefined ? '' : 'endpoint';
    item.tooltip = file === '' ? label : `${label}\n${file}${line === 0 ? '' : `:${line}`}`;
    if (file !== '') {
      const start = Math.max(0, line - 1);
      item.command = {
        title: 'Open',
        command: 'vscode.open',
        arguments: [uriOf(folder, file), { selection: new Range(start, 0, start, 0), preserveFocus: true }],
      };
    }
    return item;
  }

  dispose(): void {
    clearTimeout(this.rest);
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  /** At once when the view has rested, else when it has. A view that has rows waits until it is seen. */
  private refreshWhenRested(): void {
    const ready = this.server.folders.length > 0 && this.server.folders.every(folder => folder.phase === 'ready');
    const wanted = this.view.visible || this.folders.length === 0;
    if (!this.stale || this.asking || !ready || !wanted || this.rest !== undefined) return;
    this.rest = setTimeout(() => {
      this.rest = undefined;
      this.refreshWhenRested();
    }, REST_MS);
    this.refresh().catch((error: unknown) => {
      this.stale = true;
      this.view.message = `Could not be refreshed: ${error instanceof Error ? error.message : String(error)}`;
    });
  }

  private async refresh(): Promise<void> {
    this.stale = false;
    this.asking = true;
    try {
      const answers = await Promise.all(
        indexedFolders().map(async ({ name, uri }) => ({ folder: uri, name, rows: serviceRows(await this.server.ask('services', {}, uri)) })),
      );
      this.folders = answers.filter(({ rows }) => rows.length > 0);
      this.view.message = '';
      this.changed.fire();
      void commands.executeCommand('setContext', 'lattice.hasServices', this.folders.length > 0);
    } finally {
      this.asking = false;
    }
  }
}
