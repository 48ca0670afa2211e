import { env, Uri, type WorkspaceFolder, window, workspace } from 'vscode';
import type { LauncherDto } from '../../../server/protocol/requests';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import type { PreviewDocuments } from '../views/previewDocuments';
import { readConfiguration, writeConfiguration } from './configurationFile';
import { entryFor, fileOf, type McpTarget } from './mcpTargets';

/** The folder that a configuration is for; `undefined` when the user picks none. Refuses in Restricted Mode and without a folder. */
export async function configurableFolder(): Promise<WorkspaceFolder | undefined> {
  if (!workspace.isTrusted) throw new Refusal('Trust this workspace first: an MCP configuration starts a program in it.');
  const folders = indexedFolders();
  if (folders.length === 0) throw new Refusal('Open a folder first: an MCP configuration belongs to a project.');
  if (folders.length === 1) return folders[0];
  const picked = await window.showWorkspaceFolderPick({ placeHolder: 'For which folder?' });
  return picked !== undefined && folders.includes(picked) ? picked : undefined;
}

/** Where a program's file of a folder stands now. */
export interface AgentState {
  readonly target: McpTarget;
  readonly path: string;
  /** `undefined` when there is no such file. */
  readonly text: string | undefined;
  readonly connected: boolean;
  /** Why the file cannot be edited. */
  readonly problem?: string;
}

export async function stateOf(target: McpTarget, folder: WorkspaceFolder): Promise<AgentState> {
  const path = fileOf(target, folder.uri.fsPath);
  const text = await readConfiguration(path);
  try {
    return { target, path, text, connected: target.has(text ?? '') };
  } catch (error) {
    return { target, path, text, connected: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Shows what a program's file would become with Lattice in it, and writes it when the user says so. */
export async function connect(previews: PreviewDocuments, { target, path, text }: AgentState, how: LauncherDto): Promise<boolean> {
  const after = edited(path, () => target.merge(text ?? '', entryFor(target, how)));
  if (after === text) {
    void window.showInformationMessage(`${target.label} is already connected: ${path} needs no change.`);
    return false;
  }
  const decision = await previews.ask({
    path,
    before: text,
    after,
    title: `${target.file} (preview, not written)`,
    question: text === undefined ? `Create ${target.file} for ${target.label}?` : `Change ${target.file} for ${target.label} as shown?`,
  });
  if (decision === 'copy') await copyConfiguration(after);
  if (decision !== 'write') return false;
  await writeConfiguration(path, text, after);
  await window.showTextDocument(Uri.file(path), { preview: true });
  void window.showInformationMessage(`${target.label} can start Lattice now. ${NEXT_STEP[target.id]}`);
  return true;
}

/** The same for a file without Lattice; one that holds nothing else goes. */
export async function disconnect(previews: PreviewDocuments, { target, path, text = '' }: AgentState): Promise<boolean> {
  const after = edited(path, () => target.remove(text));
  const question = after === '' ? `Delete ${target.file}? It holds nothing but Lattice.` : `Take Lattice out of ${target.file} as shown?`;
  const decision = await previews.ask({ path, before: text, after, title: `${target.file} (preview, not written)`, question });
  if (decision === 'copy') await copyConfiguration(after);
  if (decision !== 'write') return false;
  await writeConfiguration(path, text, after);
  void window.showInformationMessage(`${target.label} no longer starts Lattice.`);
  return true;
}

export async function copyConfiguration(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  void window.showInformationMessage('The MCP configuration is on the clipboard.');
}

const NEXT_STEP: Readonly<Record<McpTarget['id'], string>> = {
  claude: 'Restart it in this folder and approve the server.',
  cursor: 'Switch it on in its settings under MCP.',
  vscode: 'Start it with the command "MCP: List Servers".',
  codex: 'Restart it.',
};

function edited(path: string, edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    throw new Refusal(
      `${path} cannot be read, so nothing was written: ${error instanceof Error ? error.message : String(error)}. Correct the file, or choose "Other" in Copy MCP Configuration to copy the entry.`,
    );
  }
}
