import { type Disposable, type LogOutputChannel, type Uri, workspace } from 'vscode';
import { counted } from '../../../server/protocol/figures';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { showInformation } from '../messages';
import type { KnowledgeStore } from './knowledgeStore';

interface Parts {
  readonly server: LatticeServer;
  readonly store: KnowledgeStore;
  readonly log: LogOutputChannel;
}

interface Move {
  readonly oldUri: Uri;
  readonly newUri: Uri;
}

/** When a renamed file or folder leaves patterns without files, offers the patterns that would follow it; nothing changes unless the user says so. */
export function followRenames(parts: Parts): Disposable {
  return workspace.onDidRenameFiles(({ files }) => {
    if (parts.server.state !== 'running' || !workspace.isTrusted) return;
    for (const move of files) offer(parts, move).catch((error: unknown) => parts.log.warn(`Knowledge patterns could not be checked: ${String(error)}`));
  });
}

const MAX_SHOWN = 3;

async function offer({ server, store }: Parts, { oldUri, newUri }: Move): Promise<void> {
  const folder = folderUriFor(newUri);
  if (folder === undefined) return;
  const { atoms } = await server.ask('movedPatterns', { from: oldUri.fsPath, to: newUri.fsPath }, folder);
  if (atoms.length === 0) return;
  const changes = atoms.flatMap(({ before, after }) => before.flatMap((pattern, at) => (pattern === after[at] ? [] : [`${pattern} → ${after[at]}`])));
  const rest = changes.length > MAX_SHOWN ? ` and ${changes.length - MAX_SHOWN} more` : '';
  const names = atoms
    .slice(0, MAX_SHOWN)
    .map(atom => atom.name)
    .join(', ');
  const question = `The patterns of ${counted(atoms.length, 'atom')} (${names}) no longer match any files. Do you want to change ${changes.slice(0, MAX_SHOWN).join(', ')}${rest}?`;
  const update = 'Update Patterns';
  if ((await showInformation(question, update, 'Keep')) !== update) return;
  for (const { id, version, after } of atoms) await store.update({ id, folder }, version, { paths: after });
}
