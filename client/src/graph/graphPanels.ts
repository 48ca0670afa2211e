/** The graph in the editor: opens panels on what the user names, and brings them back after a reload. Knows nothing of what the page draws. */

import { type Disposable, type ExtensionContext, type LogOutputChannel, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { SceneParams } from '../../../server/protocol/features';
import type { PanelState } from '../../../server/protocol/graphPanel';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import { GraphPanel } from './graphPanel';
import { SavedViews } from './savedViews';

const VIEW_TYPE = 'lattice.graph';

export interface GraphPanelsOptions {
  readonly context: ExtensionContext;
  readonly server: LatticeServer;
  readonly log: LogOutputChannel;
}

export class GraphPanels implements Disposable {
  readonly saved: SavedViews;
  private readonly open: { readonly panel: WebviewPanel; readonly graph: GraphPanel }[] = [];
  private readonly serializer: Disposable;

  constructor(private readonly options: GraphPanelsOptions) {
    this.saved = new SavedViews(options.context.workspaceState);
    this.serializer = window.registerWebviewPanelSerializer(VIEW_TYPE, {
      // The page itself reads back where it was; here only the folder matters.
      deserializeWebviewPanel: async (panel, state: Partial<PanelState> | undefined) => {
        this.adopt(panel, this.folderOf(state?.folder));
      },
    });
  }

  /** Shows it in the panel of that folder, which is opened beside the code when there is none. */
  show(query: SceneParams, folder: Uri): void {
    this.panelFor(folder).show(query, folder);
  }

  /** Brings out the files of an atom in the panel of its folder, if one is open. */
  showAtom(id: string, folder: Uri): void {
    this.open.find(({ graph }) => graph.folder.toString() === folder.toString())?.graph.showAtom(id);
  }

  async openSaved(): Promise<void> {
    const state = await this.saved.choose();
    if (state !== undefined) this.panelFor(this.folderOf(state.folder)).restore(state);
  }

  dispose(): void {
    this.serializer.dispose();
    for (const { panel } of this.open.splice(0)) panel.dispose();
  }

  private panelFor(folder: Uri): GraphPanel {
    const known = this.open.find(({ graph }) => graph.folder.toString() === folder.toString());
    if (known !== undefined) return known.graph;
    const column = window.activeTextEditor === undefined ? ViewColumn.Active : ViewColumn.Beside;
    const panel = window.createWebviewPanel(VIEW_TYPE, 'Graph', column, { enableScripts: true });
    return this.adopt(panel, folder);
  }

  private adopt(panel: WebviewPanel, folder: Uri): GraphPanel {
    const { context, server, log } = this.options;
    panel.webview.options = { enableScripts: true, localResourceRoots: [Uri.joinPath(context.extensionUri, 'dist')] };
    const violated = (text: string): void => log.warn(`Blocked by the content security policy of the graph: ${text}`);
    const graph = new GraphPanel({ context, server, saved: this.saved, panel, folder, violated });
    const entry = { panel, graph };
    this.open.push(entry);
    panel.onDidDispose(() => this.open.splice(this.open.indexOf(entry), 1));
    return graph;
  }

  private folderOf(uri: string | undefined): Uri {
    const folders = indexedFolders();
    const found = folders.find(folder => folder.uri.toString() === uri) ?? folders[0];
    if (found === undefined) throw new Refusal('Open a folder to show its graph.');
    return found.uri;
  }
}
