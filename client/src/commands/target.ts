import { window } from 'vscode';
import { symbolAt } from '../../../server/protocol/requests';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { pickSymbol, type Target } from './symbolSearch';

function isTarget(value: unknown): value is Target {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value && 'folder' in value;
}

/**
 * What a command was called on: its argument (from a tree or a quick pick), else the symbol at the cursor, else one the user picks.
 * `undefined` when the user picks none.
 */
export async function targetOf(server: LatticeServer, argument: unknown, question: string): Promise<Target | undefined> {
  if (isTarget(argument)) return argument;
  return (await symbolAtCursor(server)) ?? (await pickSymbol(server, question));
}

async function symbolAtCursor(server: LatticeServer): Promise<Target | undefined> {
  const editor = window.activeTextEditor;
  const folder = folderUriFor(editor?.document.uri);
  if (editor === undefined || folder === undefined || editor.document.uri.scheme !== 'file') return undefined;
  const { line, character } = editor.selection.active;
  const found = await server.request(symbolAt, { uri: editor.document.uri.toString(), line, character });
  return found === null ? undefined : { id: found.id, name: found.name, folder };
}
