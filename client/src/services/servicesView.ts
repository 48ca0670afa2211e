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
  workspace,
} from 'vscode';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import { shownRows } from '../shownRows';
import { ViewRefresher } from '../viewRefresher';
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
  private readonly refresher: ViewRefresher;
  private readonly subscriptions: readonly Disposable[];
  private folders: readonly { readonly folder: Uri; readonly name: string; readonly rows: readonly ServiceRow[] }[] = [];

  constructor(private readonly server: LatticeServer) {
    this.refresher = new ViewRefresher(this.view, server, {
      ask: () => this.ask(),
      // A view that has rows waits until it is seen; one without cannot be, and appears when there are some.
      isWanted: () => server.isReady && (this.view.visible || this.folders.length === 0),
      restMs: REST_MS,
    });
    this.subscriptions = [
      server.onRevision(() => this.refresher.changed()),
      // Reverting a file changes no file on disk, but takes back what was shown of its unsaved text.
      workspace.onDidChangeTextDocument(({ document }) => {
        if (!document.isDirty && document.uri.scheme === 'file') this.refresher.changed();
      }),
      this.refresher,
    ];
  }

  /** Asks again at once. */
  reload(): Promise<void> {
    return this.refresher.refresh();
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
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  private async ask(): Promise<void> {
    const answers = await Promise.all(
      indexedFolders().map(async ({ name, uri }) => ({ folder: uri, name, rows: serviceRows(await this.server.ask('services', {}, uri)) })),
    );
    this.folders = answers.filter(({ rows }) => rows.length > 0);
    this.view.message = '';
    this.changed.fire();
    await commands.executeCommand('setContext', 'lattice.hasServices', this.folders.length > 0);
  }
}
