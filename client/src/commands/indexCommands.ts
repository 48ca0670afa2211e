import { ProgressLocation, window } from 'vscode';
import { health } from '../../../server/protocol/requests';
import { succeeded } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import type { MarkdownDocuments } from '../views/markdownDocuments';

/** Reads every file anew and waits until the graph is there again. */
export async function rebuildIndex({ server }: { readonly server: LatticeServer }): Promise<void> {
  await window.withProgress({ location: ProgressLocation.Window, title: 'Lattice: Rebuilding index...' }, async () => {
    const rebuilt = server.rebuilt();
    for (const folder of indexedFolders()) {
      succeeded(await server.callTool('graph_rebuild', { mode: 'full' }, { uri: folder.uri.toString() }));
    }
    await rebuilt;
  });
}

export async function showHealth({ server, documents }: { readonly server: LatticeServer; readonly documents: MarkdownDocuments }): Promise<void> {
  const report = await server.request(health, {});
  await documents.show('Lattice Index Health', report.markdown);
}
