import { env, type QuickPickItem, Uri, type WorkspaceFolder, window, workspace } from 'vscode';
import { type LauncherDto, launcher } from '../../../server/protocol/requests';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import type { PreviewDocuments } from '../views/previewDocuments';
import { readConfiguration, writeConfiguration } from './configurationFile';
import { clipboardText, entryFor, fileOf, MCP_TARGETS, type McpTarget } from './mcpTargets';

interface TargetRow extends QuickPickItem {
  readonly target?: McpTarget;
}

/** Shows what connects a program to Lattice's MCP server, and writes it into that program's configuration only when the user says so. */
export async function copyMcpConfiguration({ server, previews }: { readonly server: LatticeServer; readonly previews: PreviewDocuments }): Promise<void> {
  if (!workspace.isTrusted) throw new Refusal('Trust this workspace first: an MCP configuration starts a program in it.');
  const folder = await pickFolder();
  if (folder === undefined) return;
  const rows: TargetRow[] = [
    ...MCP_TARGETS.map(target => ({ label: target.label, description: target.inHome ? `~/${target.file}` : target.file, target })),
    { label: 'Other', description: 'copy to the clipboard' },
  ];
  const choice = await window.showQuickPick(rows, {
    title: 'Lattice: Copy MCP Configuration',
    placeHolder: 'Which agent should use Lattice? Nothing is written before you confirm.',
  });
  if (choice === undefined) return;
  const how = await server.request(launcher, {});
  if (choice.target === undefined) await copy(clipboardText(how, folder.uri.fsPath));
  else await offer(previews, choice.target, how, folder);
}

async function pickFolder(): Promise<WorkspaceFolder | undefined> {
  const folders = indexedFolders();
  if (folders.length === 0) throw new Refusal('Open a folder first: an MCP configuration belongs to a project.');
  if (folders.length === 1) return folders[0];
  const picked = await window.showWorkspaceFolderPick({ placeHolder: 'For which folder?' });
  return picked !== undefined && folders.includes(picked) ? picked : undefined;
}

async function offer(previews: PreviewDocuments, target: McpTarget, how: LauncherDto, folder: WorkspaceFolder): Promise<void> {
  const path = fileOf(target, folder.uri.fsPath);
  const before = await readConfiguration(path);
  const after = merged(target, how, before ?? '', path);
  if (after === before) {
    void window.showInformationMessage(`${target.label} is already connected: ${path} needs no change.`);
    return;
  }
  const decision = await previews.ask({
    path,
    before,
    after,
    title: `${target.file} (preview, not written)`,
    question: before === undefined ? `Create ${target.file} for ${target.label}?` : `Change ${target.file} for ${target.label} as shown?`,
  });
  if (decision === 'copy') await copy(after);
  if (decision !== 'write') return;
  await writeConfiguration(path, before, after);
  await window.showTextDocument(Uri.file(path), { preview: true });
  void window.showInformationMessage(`${target.label} can start Lattice now. ${NEXT_STEP[target.id]}`);
}

const NEXT_STEP: Readonly<Record<McpTarget['id'], string>> = {
  claude: 'Restart it in this folder and approve the server.',
  cursor: 'Switch it on in its settings under MCP.',
  vscode: 'Start it with the command "MCP: List Servers".',
  codex: 'Restart it.',
};

function merged(target: McpTarget, how: LauncherDto, text: string, path: string): string {
  try {
    return target.merge(text, entryFor(target, how));
  } catch (error) {
    throw new Refusal(
      `${path} cannot be read, so nothing was written: ${error instanceof Error ? error.message : String(error)}. Correct the file, or choose "Other" to copy the entry.`,
    );
  }
}

async function copy(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  void window.showInformationMessage('The MCP configuration is on the clipboard.');
}
