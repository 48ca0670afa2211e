import { type Uri, window, workspace } from 'vscode';
import { CONTEXT_FILES, withContextBlock } from '../../../server/protocol/contextBlock';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation, showWarning } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import type { PreviewDocuments } from '../views/previewDocuments';
import { refuseUnsafePlace, writeInWorkspace } from '../writeInWorkspace';

interface Parts {
  readonly server: LatticeServer;
  readonly previews: PreviewDocuments;
}

interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** Writes the context of each service into instruction files of agents, each after a preview. */
export async function writeServiceContext(parts: Parts): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) return;
  const files = await chosenFiles(folder);
  if (files === undefined || files.length === 0) return;
  const { contexts = [] } = await parts.server.ask('services', { contexts: true }, folder);
  if (contexts.length === 0) throw new Refusal('No services were found in this folder.');
  const only = contexts.length === 1;
  const wanted = contexts.flatMap(({ root, text }) => files.map(file => ({ path: only || root === '' ? file : `${root}/${file}`, text })));
  await change(parts, folder, wanted);
}

/** Takes the contexts out of the instruction files again, each after a preview. */
export async function removeServiceContext(parts: Parts): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) return;
  const { services } = await parts.server.ask('services', {}, folder);
  const roots = [...new Set(['', ...services.map(({ root }) => root)])];
  const places = roots.flatMap(root => CONTEXT_FILES.map(file => (root === '' ? file : `${root}/${file}`)));
  await change(
    parts,
    folder,
    places.map(path => ({ path, text: '' })),
  );
}

async function change({ previews }: Parts, folder: Uri, wanted: readonly { readonly path: string; readonly text: string }[]): Promise<void> {
  const changes: Change[] = [];
  for (const { path, text } of wanted) {
    const before = await textOf(uriOf(folder, path));
    const after = withContextBlock(before, text);
    if (after === undefined) void showWarning(`The service context markers in ${path} do not match. Fix or remove them, then try again.`);
    else if (after !== (before ?? '')) changes.push({ path, before, after });
  }
  if (changes.length === 0) {
    void showInformation('The service context in the agent instructions is up to date.');
    return;
  }
  for (const [at, { after, before, path }] of changes.entries()) {
    const count = changes.length === 1 ? '' : ` (${at + 1} of ${changes.length})`;
    const verb = before === undefined ? 'create' : after === '' ? 'delete' : 'change';
    const reason = after === '' ? ' It contains only the service context.' : '';
    const question = `Do you want to ${verb} ${path}?${reason}${count}`;
    const decision = await previews.ask({ path: uriOf(folder, path).fsPath, before, after, title: `${path} (Preview)`, question });
    if (decision !== 'write') return;
    if (after === '') {
      await refuseUnsafePlace(folder.fsPath, path);
      await workspace.fs.delete(uriOf(folder, path));
    } else await writeInWorkspace(folder.fsPath, path, after);
  }
}

async function chosenFolder(): Promise<Uri | undefined> {
  if (!workspace.isTrusted) throw new Refusal('This command writes to the workspace. Trust the workspace first.');
  const folders = indexedFolders();
  if (folders.length < 2) return folders[0]?.uri;
  return (await window.showWorkspaceFolderPick({ placeHolder: 'Select a folder to write the service context in' }))?.uri;
}

/** Files of the setting, else those that the user ticks. */
async function chosenFiles(folder: Uri): Promise<readonly string[] | undefined> {
  const set = workspace.getConfiguration('lattice', folder).get<readonly string[]>('services.contextFiles', []);
  const known = CONTEXT_FILES.filter(file => set.includes(file));
  if (known.length > 0) return known;
  const rows = await Promise.all(
    CONTEXT_FILES.map(async file => ({ label: file, picked: file === 'AGENTS.md' || (await textOf(uriOf(folder, file))) !== undefined })),
  );
  const ticked = await window.showQuickPick(rows, {
    canPickMany: true,
    title: 'Write Service Context',
    placeHolder: 'Select the instruction files',
  });
  return ticked?.map(({ label }) => label);
}

async function textOf(uri: Uri): Promise<string | undefined> {
  return workspace.fs.readFile(uri).then(
    bytes => new TextDecoder().decode(bytes),
    () => undefined,
  );
}
