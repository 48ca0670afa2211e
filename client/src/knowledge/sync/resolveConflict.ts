import { commands, type Uri, window } from 'vscode';
import type { KnowledgeConflictDto, KnowledgeConflictsDto, SyncConflictDto } from '../../../../server/protocol/knowledgeSync';
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
const CHOICES: Readonly<Record<SyncConflictDto['reason'], readonly { readonly label: string; readonly detail: string; readonly choice: Choice }[]>> = {
  both_changed: [
    { label: '$(git-merge) Merge…', detail: 'Compare both with what they came from; saving the result resolves the conflict.', choice: 'merge' },
    { label: 'Keep Mine', detail: 'The file is overwritten with what is known here.', choice: 'local' },
    { label: 'Take the File', detail: 'What is known here is replaced by what the file says.', choice: 'file' },
  ],
  file_gone: [
    { label: 'Keep Mine', detail: 'It was changed here; its file is written again.', choice: 'local' },
    { label: 'Delete', detail: 'Its file was deleted; it goes here, too.', choice: 'file' },
  ],
  row_gone: [
    { label: 'Take the File', detail: 'It was deleted here, but the file was changed; it is made again from the file.', choice: 'file' },
    { label: 'Delete', detail: 'It was deleted here; the file goes, too.', choice: 'local' },
  ],
};

/** Lets the user end a conflict: that of the row it is called on, else one that the user picks. */
export async function resolveConflict(parts: ResolveParts, argument: unknown): Promise<void> {
  const { server, documents } = parts;
  const folder = await folderFor(argument, 'Resolve Conflict');
  const conflict = folder && (conflictIn(argument) ?? (await pickConflict(server, folder)));
  if (folder === undefined || conflict === undefined) return;
  const answer = await server.ask<KnowledgeConflictDto>('knowledgeConflict', { id: conflict.id }, folder);
  const title = `Resolve ${answer.conflict.name}`;
  const picked = await window.showQuickPick(CHOICES[answer.conflict.reason], { title, placeHolder: 'Which is to count?' });
  if (picked === undefined) return;
  if (picked.choice === 'merge') return openMerge(documents, folder, answer);
  const { fileHash, version } = answer;
  await server.ask('resolveKnowledge', { id: conflict.id, side: picked.choice, version, fileHash }, folder);
}

/** The editor's own merge editor: what both came from, mine, the file, and the result. */
async function openMerge(documents: MergeDocuments, folder: Uri, answer: KnowledgeConflictDto): Promise<void> {
  const { base, file, local, merged } = documents.begin(folder, answer);
  const input1 = { uri: local, title: 'Mine', description: 'what is known here' };
  const input2 = { uri: file, title: 'File', description: answer.conflict.path ?? '' };
  await commands.executeCommand('_open.mergeEditor', { base, input1, input2, output: merged });
}

async function pickConflict(server: LatticeServer, folder: Uri): Promise<SyncConflictDto | undefined> {
  const { conflicts } = await server.ask<KnowledgeConflictsDto>('knowledgeConflicts', {}, folder);
  if (conflicts.length === 0) throw new Refusal('Nothing is in conflict: knowledge and files agree, or the files were not imported yet.');
  const rows = conflicts.map(conflict => ({ label: conflict.name, description: conflict.kind, detail: conflict.path ?? 'its file is gone', conflict }));
  return (await window.showQuickPick(rows, { title: 'Resolve Conflict', placeHolder: 'Which conflict?' }))?.conflict;
}

function conflictIn(argument: unknown): SyncConflictDto | undefined {
  const conflict = typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'conflict') : undefined;
  return typeof conflict === 'object' && conflict !== null && 'id' in conflict ? (conflict as SyncConflictDto) : undefined;
}
