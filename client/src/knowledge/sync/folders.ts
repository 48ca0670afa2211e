import { type Uri, type WorkspaceFolder, window } from 'vscode';
import { indexedFolders } from '../../settings';

/** The folder that a command is about: that of a row it was called on, the only one, or the one that the user picks. */
export async function folderFor(argument: unknown, title: string): Promise<Uri | undefined> {
  const given = typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'folder') : undefined;
  const folders = indexedFolders();
  const known = folders.find(({ uri }) => given !== undefined && uri.toString() === String(given));
  if (known !== undefined || folders.length < 2) return (known ?? folders[0])?.uri;
  const rows = folders.map((folder: WorkspaceFolder) => ({ label: folder.name, folder }));
  return (await window.showQuickPick(rows, { title, placeHolder: 'Select a folder' }))?.folder.uri;
}
