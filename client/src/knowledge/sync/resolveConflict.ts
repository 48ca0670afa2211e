import { commands, type Uri, window } from 'vscode';
import type { ConflictAnswer, SyncConflict } from '../../../../server/protocol/features';
import type { LatticeServer } from '../../languageClient/latticeServer';
import { Refusal } from '../../refusal';
import { folderFor } from './folders';
import type { MergeDocuments } from './mergeDocuments';

interface ResolveParts {
  readonly server: LatticeServer;
  readonly documents: MergeDocuments;
}

type Choice = 'merge' | 'local' | 'file';

/** What each side means, by why there is a conflict. */
const CHOICES: Readonly<Record<SyncConflict['reason'], readonly { readonly label: string; readonly detail: string; readonly choice: Choice }[]>> = {
  both_changed: [
    {
      label: '$(git-merge) Merge…',
      detail: 'Compare both versions with their common base in the merge editor. Save the result to resolve the conflict.',
      choice: 'merge',
    },
    { label: 'Keep Mine', detail: 'Overwrite the file with the stored version.', choice: 'local' },
    { label: 'Use File', detail: 'Replace the stored version with the file.', choice: 'file' },
  ],
  file_gone: [
    { label: 'Keep Mine', detail: 'Write the deleted file again from the stored version.', choice: 'local' },
    { label: 'Delete', detail: 'Delete the stored version, because its file was deleted.', choice: 'file' },
  ],
  row_gone: [
    { label: 'Use File', detail: 'Restore the deleted version from the changed file.', choice: 'file' },
    { label: 'Delete', detail: 'Delete the file, because the stored version was deleted.', choice: 'local' },
  ],
};

/** Lets the user end a conflict: that of the row it is called on, else one that the user picks. */
export async function resolveConflict(parts: ResolveParts, argument: unknown): Promise<void> {
  const { server, documents } = parts;
  const folder = await folderFor(argument, 'Resolve Conflict');
  const conflict = folder && (conflictIn(argument) ?? (await pickConflict(server, folder)));
  if (folder === undefined || conflict === undefined) return;
  const answer = await server.ask('knowledgeConflict', { id: conflict.id }, folder);
  const title = `Resolve ${answer.conflict.name}`;
  const picked = await window.showQuickPick(CHOICES[answer.conflict.reason], { title, placeHolder: 'Select a version to keep' });
  if (picked === undefined) return;
  if (picked.choice === 'merge') return openMerge(documents, folder, answer);
  const { fileHash, version } = answer;
  await server.ask('resolveKnowledge', { id: conflict.id, side: picked.choice, version, fileHash }, folder);
}

/** The editor's own merge editor: what both came from, mine, the file, and the result. */
async function openMerge(documents: MergeDocuments, folder: Uri, answer: ConflictAnswer): Promise<void> {
  const { base, file, local, merged } = documents.begin(folder, answer);
  const input1 = { uri: local, title: 'Mine', description: 'stored version' };
  const input2 = { uri: file, title: 'File', description: answer.conflict.path ?? '' };
  await commands.executeCommand('_open.mergeEditor', { base, input1, input2, output: merged });
}

async function pickConflict(server: LatticeServer, folder: Uri): Promise<SyncConflict | undefined> {
  const { conflicts } = await server.ask('knowledgeConflicts', {}, folder);
  if (conflicts.length === 0) throw new Refusal('There are no conflicts between stored knowledge and knowledge files.');
  const rows = conflicts.map(conflict => ({ label: conflict.name, description: conflict.kind, detail: conflict.path ?? 'file deleted', conflict }));
  return (await window.showQuickPick(rows, { title: 'Resolve Conflict', placeHolder: 'Select a conflict to resolve' }))?.conflict;
}

function conflictIn(argument: unknown): SyncConflict | undefined {
  const conflict = typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'conflict') : undefined;
  return typeof conflict === 'object' && conflict !== null && 'id' in conflict ? (conflict as SyncConflict) : undefined;
}
