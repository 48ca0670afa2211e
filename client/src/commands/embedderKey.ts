import { commands, window } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';

/** Keeps the key of the embedding service that the user's settings name, or forgets it; the server is started again with what holds then. */
export async function setEmbedderKey({ server }: { readonly server: LatticeServer }): Promise<void> {
  const { keys } = server;
  const { address } = keys;
  if (address === undefined) {
    const choice = await window.showInformationMessage('Name the service first: its kind and its address, in your user settings.', 'Open Settings');
    if (choice !== undefined) await commands.executeCommand('workbench.action.openSettings', 'lattice.search.embedder');
    return;
  }
  const wish = (await keys.has(address)) ? await wishFor(address) : ENTER;
  if (wish === undefined) return;
  if (wish === REMOVE) {
    await keys.remove(address);
    await server.restart();
    void window.showInformationMessage(`The key for ${address} is removed.`);
    return;
  }
  const key = await window.showInputBox({
    title: 'Lattice: Set Embedding Service Key',
    prompt: `Key for ${address}. The editor keeps it among its secrets; it is sent to this address only.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: text => (/^[\x21-\x7e]+$/.test(text.trim()) ? undefined : 'A key is one word of plain characters.'),
  });
  // Left without an answer: what is kept stays.
  if (key === undefined) return;
  await keys.set(address, key.trim());
  await server.restart();
  void window.showInformationMessage(`The key for ${address} is kept, and the language server runs with it.`);
}

const ENTER = 'Enter Another Key';
const REMOVE = 'Remove the Key';

async function wishFor(address: string): Promise<string | undefined> {
  return window.showQuickPick([ENTER, REMOVE], { title: 'Lattice: Set Embedding Service Key', placeHolder: `A key is kept for ${address}` });
}
