import { Position, Selection, TextEditorRevealType, Uri, window, workspace } from 'vscode';
import type { ArchitectureTarget } from '../../../server/protocol/architecture';
import type { ArchitectureEditParams } from '../../../server/protocol/features';
import { uriOf } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import type { PreviewDocuments } from '../views/previewDocuments';
import { writeInWorkspace } from '../writeInWorkspace';

interface Parts {
  readonly server: LatticeServer;
}

/** Shows the rule that a violation is of. */
export async function goToRule(argument: unknown): Promise<void> {
  const target = targetOf(argument);
  const place = uriOf(Uri.parse(target.folder), target.rulesSource);
  const editor = await window.showTextDocument(place);
  const at = new Position(Math.max(0, target.ruleLine - 1), 0);
  editor.selection = new Selection(at, at);
  editor.revealRange(editor.selection, TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Adds one violation to the baseline file: it is still checked, and fails nothing. */
export async function acceptViolation({ server }: Parts, argument: unknown): Promise<void> {
  const target = trusted(targetOf(argument));
  const { rule, from, to, edge, members } = target;
  await write(server, Uri.parse(target.folder), { kind: 'accept', rule, from, to, edge, members });
}

/** Adds an exception for a file to the rule file, with the reason that the user gives. */
export async function addException({ server }: Parts, argument: unknown): Promise<void> {
  const target = trusted(targetOf(argument));
  const reason = await window.showInputBox({
    title: `Add Exception to ${target.rule} for ${target.file}`,
    prompt: 'Reason for the exception, to save in the rule file',
    validateInput: text => (text.trim() === '' ? 'Enter a reason.' : undefined),
  });
  if (reason === undefined) return;
  const written = await write(server, Uri.parse(target.folder), { kind: 'exception', rule: target.rule, from: target.file, reason: reason.trim() });
  await window.showTextDocument(written, { preview: true });
}

/** Writes every present violation into the baseline file, once the user has seen what it becomes. */
export async function acceptArchitectureBaseline({ server, previews }: Parts & { readonly previews: PreviewDocuments }): Promise<void> {
  if (!workspace.isTrusted) throw new Refusal(NOT_TRUSTED);
  const folder =
    indexedFolders().length > 1 ? await window.showWorkspaceFolderPick({ placeHolder: 'Select a folder to create the baseline for' }) : indexedFolders()[0];
  if (folder === undefined) return;
  const edit = await server.ask('architectureEdit', { kind: 'acceptAll' }, folder.uri);
  const isNew = edit.before === undefined;
  if (edit.after === edit.before || (isNew && edit.count === 0)) {
    void showInformation(isNew ? 'There are no architecture violations to accept.' : 'The architecture baseline is up to date.');
    return;
  }
  const decision = await previews.ask({
    path: uriOf(folder.uri, edit.path).fsPath,
    before: edit.before,
    after: edit.after,
    title: `${edit.path} (Preview)`,
    question:
      edit.count === 0
        ? `No violations are left. Do you want to empty ${edit.path}?`
        : `Do you want to accept ${edit.count} ${edit.count === 1 ? 'violation' : 'violations'} in ${edit.path}?`,
  });
  if (decision === 'write') await writeInWorkspace(folder.uri.fsPath, edit.path, edit.after);
}

/** Shows rules that the code follows as it is, and writes them from the preview. A rule file that is there is not replaced: the proposal stands beside it. */
export async function proposeArchitectureRules({ server, previews }: Parts & { readonly previews: PreviewDocuments }): Promise<void> {
  const folder =
    indexedFolders().length > 1 ? await window.showWorkspaceFolderPick({ placeHolder: 'Select a folder to suggest rules for' }) : indexedFolders()[0];
  if (folder === undefined) return;
  const { rulesYaml = '' } = await server.ask('suggestArchitecture', { mode: 'rules' }, folder.uri);
  if (!/^(?:layers|rules):/m.test(rulesYaml)) {
    void showInformation('There are no rules to suggest: the code has import cycles, and is not divided into folders with several files each.');
    return;
  }
  const place = uriOf(folder.uri, RULES_FILE);
  const exists = await workspace.fs.stat(place).then(
    () => true,
    () => false,
  );
  if (exists || !workspace.isTrusted) {
    await window.showTextDocument(await workspace.openTextDocument({ language: 'yaml', content: rulesYaml }));
    return;
  }
  const decision = await previews.ask({
    path: place.fsPath,
    before: undefined,
    after: rulesYaml,
    title: `${RULES_FILE} (Preview)`,
    question: `Do you want to create ${RULES_FILE}? The existing code follows these rules. Tests are excluded.`,
  });
  if (decision !== 'write') return;
  await writeInWorkspace(folder.uri.fsPath, RULES_FILE, rulesYaml);
  await window.showTextDocument(place);
}

const RULES_FILE = '.lattice/architecture.yaml';

const NOT_TRUSTED = 'This command writes to the workspace. Trust the workspace first.';

function trusted(target: ArchitectureTarget): ArchitectureTarget {
  if (!workspace.isTrusted) throw new Refusal(NOT_TRUSTED);
  return target;
}

function targetOf(argument: unknown): ArchitectureTarget {
  if (typeof argument === 'object' && argument !== null && 'rule' in argument && 'folder' in argument) return argument as ArchitectureTarget;
  throw new Refusal('Run this command from the light bulb of an architecture violation.');
}

async function write(server: LatticeServer, folder: Uri, question: ArchitectureEditParams): Promise<Uri> {
  const edit = await server.ask('architectureEdit', question, folder);
  const place = uriOf(folder, edit.path);
  await writeInWorkspace(folder.fsPath, edit.path, edit.after);
  return place;
}
