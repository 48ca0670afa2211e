import { commands, window } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation } from '../messages';

/** Saves or removes the key of the embedding service that the user's settings name, then restarts the server. */
export async function setEmbedderKey({ server }: { readonly server: LatticeServer }): Promise<void> {
  const { keys } = server;
  const { address } = keys;
  if (address === undefined) {
    const choice = await showInformation('Select an embedding service and enter its endpoint in your user settings first.', 'Open Settings');
    if (choice !== undefined) await commands.executeCommand('workbench.action.openSettings', 'lattice.search.embedder');
    return;
  }
  const action = (await keys.has(address)) ? await askForKeyAction(address) : REPLACE;
  if (action === undefined) return;
  if (action === REMOVE) {
    await keys.remove(address);
    await server.restart();
    void showInformation(`API key for ${address} removed.`);
    return;
  }
  const key = await window.showInputBox({
    title: 'Set Embedding Service API Key',
    prompt: `API key for ${address}. It is saved in the editor's secret storage and sent to this address only.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: text => (/^[\x21-\x7e]+$/.test(text.trim()) ? undefined : 'Enter a key without spaces or special characters.'),
  });
  // Canceled: the existing key stays.
  if (key === undefined) return;
  await keys.set(address, key.trim());
  await server.restart();
  void showInformation(`API key for ${address} saved. The language server is using it.`);
}

const REPLACE = 'Replace API Key';
const REMOVE = 'Remove API Key';

async function askForKeyAction(address: string): Promise<string | undefined> {
  return window.showQuickPick([REPLACE, REMOVE], {
    title: 'Set Embedding Service API Key',
    placeHolder: `An API key for ${address} is already saved`,
  });
}
