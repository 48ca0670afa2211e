/**
 * Entry in an editor that runs in a browser alone (vscode.dev, github.dev). Indexing needs processes and files, which it does not have:
 * the extension says so once in each workspace where code is opened, and again when somebody runs one of its commands.
 */
import { commands, type ExtensionContext } from 'vscode';
import { contributes } from './contributions';
import { showInformation } from './messages';

const MESSAGE =
  'Lattice does not run in the browser: it needs a folder on disk. Open the folder in VS Code on your computer, or in a dev container, Codespace, SSH or WSL window.';
const TOLD = 'lattice.toldOfBrowser';

export function activate(context: ExtensionContext): void {
  const tell = (): void => void showInformation(MESSAGE);
  context.subscriptions.push(...contributes(context).commands.map(({ command }) => commands.registerCommand(command, tell)));
  if (context.workspaceState.get<boolean>(TOLD) === true) return;
  void context.workspaceState.update(TOLD, true);
  tell();
}
