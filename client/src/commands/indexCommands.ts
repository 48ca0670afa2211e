import { ProgressLocation, window } from 'vscode';
import { health } from '../../../server/protocol/requests';
import { succeeded } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import type { MarkdownDocuments } from '../views/markdownDocuments';

/** How long the status bar says that something is done. */
const SAID_MS = 5000;

/** Reads every file anew and waits until the graph is there again. */
export async function rebuildIndex({ server }: { readonly server: LatticeServer }): Promise<void> {
  await window.withProgress({ location: ProgressLocation.Window, title: 'Lattice: Rebuilding index...' }, async () => {
    const rebuilt = server.rebuilt();
    for (const folder of indexedFolders()) {
      succeeded(await server.callTool('graph_rebuild', { mode: 'full' }, { uri: folder.uri.toString() }));
    }
    await rebuilt;
  });
  window.setStatusBarMessage('$(check) Index rebuilt', SAID_MS);
}

export async function restartServer({ server }: { readonly server: LatticeServer }): Promise<void> {
  await window.withProgress({ location: ProgressLocation.Window, title: 'Lattice: Restarting language server...' }, () => server.restart());
  window.setStatusBarMessage('$(check) Language server restarted', SAID_MS);
}

export async function showHealth({ server, documents }: { readonly server: LatticeServer; readonly documents: MarkdownDocuments }): Promise<void> {
  const report = await server.request(health, {});
  await documents.show('Lattice Index Health', report.markdown);
}
