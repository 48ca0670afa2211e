import { ProgressLocation, Uri, window, workspace } from 'vscode';
import { symbolAt } from '../../../server/protocol/requests';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { indexedFolders } from '../settings';
import { pickSymbol, type Target } from './symbolSearch';

/** Reads the argument of a command: a `Target`, an `EditorTarget` from a link or a code lens, or a file of the explorer. */
function readTarget(value: unknown): Target | undefined {
  if (value instanceof Uri) return fileTarget(value);
  if (typeof value !== 'object' || value === null || !('id' in value) || !('name' in value) || !('folder' in value)) return undefined;
  const { id, name, folder } = value;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  if (typeof folder !== 'string') return folder instanceof Uri ? (value as Target) : undefined;
  // A link may come from text: only folders of this window are asked.
  const known = indexedFolders().find(candidate => candidate.uri.toString() === folder);
  return known === undefined ? undefined : { id, name, folder: known.uri };
}

function fileTarget(uri: Uri): Target | undefined {
  const folder = workspace.getWorkspaceFolder(uri);
  const path = workspace.asRelativePath(uri, false);
  return folder === undefined ? undefined : { id: path, name: path.slice(path.lastIndexOf('/') + 1), folder: folder.uri };
}

/**
 * What a command was called on: its argument (from a tree or a quick pick), else the symbol at the cursor, else one the user picks.
 * `undefined` when the user picks none.
 */
export async function targetOf(server: LatticeServer, argument: unknown, question: string): Promise<Target | undefined> {
  const given = readTarget(argument);
  if (given !== undefined) return given;
  // Before the first index nothing stands at the cursor, and to ask for a name would be beside the point.
  await window.withProgress({ location: ProgressLocation.Window, title: 'Lattice: Waiting for the index...' }, () => server.whenIndexed());
  return (await symbolAtCursor(server)) ?? (await pickSymbol(server, question));
}

/** The symbol at the cursor of the active editor. */
export async function symbolAtCursor(server: LatticeServer): Promise<Target | undefined> {
  const editor = window.activeTextEditor;
  const folder = folderUriFor(editor?.document.uri);
  if (editor === undefined || folder === undefined || editor.document.uri.scheme !== 'file') return undefined;
  const { line, character } = editor.selection.active;
  const found = await server.request(symbolAt, { uri: editor.document.uri.toString(), line, character });
  return found === null ? undefined : { id: found.id, name: found.name, folder };
}
