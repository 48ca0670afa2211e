import { homedir } from 'node:os';
import { env, Uri, type WorkspaceFolder, window, workspace } from 'vscode';
import type { LauncherDto } from '../../../server/protocol/requests';
import { showInformation } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import type { PreviewDocuments } from '../views/previewDocuments';
import { refuseUnsafePlace } from '../writeInWorkspace';
import { withHooks } from './agentHooks';
import { readConfiguration, writeConfiguration } from './configurationFile';
import type { McpServerOptions } from './mcpServerArgs';
import { type ConfigurationFile, entryFor, fileOf, type McpTarget } from './mcpTargets';

/** The folder that a configuration is for; `undefined` when the user picks none. Refuses in Restricted Mode and without a folder. */
export async function configurableFolder(): Promise<WorkspaceFolder | undefined> {
  if (!workspace.isTrusted) throw new Refusal('An MCP configuration starts a program in this workspace. Trust the workspace first.');
  const folders = indexedFolders();
  if (folders.length === 0) throw new Refusal('Open a folder to configure MCP for.');
  if (folders.length === 1) return folders[0];
  const picked = await window.showWorkspaceFolderPick({ placeHolder: 'Select a folder' });
  return picked !== undefined && folders.includes(picked) ? picked : undefined;
}

/** Where a program's file of a folder stands now. */
export interface AgentState<Target extends ConfigurationFile = ConfigurationFile> {
  readonly target: Target;
  readonly path: string;
  /** `undefined` when there is no such file. */
  readonly text: string | undefined;
  readonly connected: boolean;
  /** Folder that the file must stay in; `undefined` for one of the user's own, where links are theirs. */
  readonly folder: string | undefined;
  /** Why the file cannot be edited. */
  readonly problem?: string;
}

export async function stateOf<Target extends ConfigurationFile>(target: Target, folder: WorkspaceFolder): Promise<AgentState<Target>> {
  const path = fileOf(target, folder.uri.fsPath);
  const text = await readConfiguration(path);
  const inside = target.inHome ? undefined : folder.uri.fsPath;
  try {
    return { target, path, folder: inside, text, connected: target.has(text ?? '') };
  } catch (error) {
    return { target, path, folder: inside, text, connected: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What a program's file is to become. */
export interface Change {
  /** New text of the file. Throws `JsonProblem` or `TomlProblem`. */
  readonly merge: (text: string) => string;
  /** What to do in the program before it uses what was written. */
  readonly next: string;
}

/** Shows what a program's file would become with Lattice in it, as `merge` makes it, and writes it when the user says so. */
export async function connect(previews: PreviewDocuments, { target, path, folder, text }: AgentState, { merge, next }: Change): Promise<boolean> {
  const after = edited(path, () => merge(text ?? ''));
  if (after === text) {
    void showInformation(`${target.label} is already set up. ${path} is up to date.`);
    return false;
  }
  const decision = await previews.ask({
    path,
    before: text,
    after,
    title: `${target.file} (Preview)`,
    question: `${
      text === undefined
        ? `Do you want to create ${target.file} for ${target.label}?`
        : `Do you want to apply these changes to ${target.file} for ${target.label}?`
    }${folder === undefined ? '' : sharedPathWarning(text ?? '', after)}`,
  });
  if (decision === 'copy') await copyConfiguration(after);
  if (decision !== 'write') return false;
  if (folder !== undefined) await refuseUnsafePlace(folder, target.file);
  await writeConfiguration(path, text, after);
  await window.showTextDocument(Uri.file(path), { preview: true });
  void showInformation(`Lattice is set up: ${target.label}. ${next}`);
  return true;
}

/** A file of the repository is likely to be committed, and what it says of this machine with it. */
function sharedPathWarning(before: string, after: string): string {
  const home = JSON.stringify(homedir()).slice(1, -1);
  if (before.includes(home) || !after.includes(home)) return '';
  return ' The file contains a path on this machine. Before you commit it, replace that path with the command "lattice" of the npm package.';
}

/** The same for a file without Lattice; one that holds nothing else goes. */
export async function disconnect(previews: PreviewDocuments, { target, path, folder, text = '' }: AgentState): Promise<boolean> {
  const after = edited(path, () => target.remove(text));
  const question =
    after === '' ? `Do you want to delete ${target.file}? It contains only the Lattice entry.` : `Do you want to remove Lattice from ${target.file}?`;
  const decision = await previews.ask({ path, before: text, after, title: `${target.file} (Preview)`, question });
  if (decision === 'copy') await copyConfiguration(after);
  if (decision !== 'write') return false;
  if (folder !== undefined) await refuseUnsafePlace(folder, target.file);
  await writeConfiguration(path, text, after);
  void showInformation(`Lattice was removed: ${target.label}.`);
  return true;
}

export async function copyConfiguration(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  void showInformation('MCP configuration copied to the clipboard.');
}

/** The MCP server in a program's file, with the tools that are offered. */
export function mcpServer(target: McpTarget, how: LauncherDto, offer: McpServerOptions): Change {
  return { merge: text => target.merge(text, entryFor(target, how, offer)), next: NEXT_STEP[target.id] };
}

/** The hooks of Lattice in the settings of agents. */
export function agentHooks({ hook }: LauncherDto): Change {
  return { merge: text => withHooks(text, hook), next: 'Start a new session of the agent.' };
}

const NEXT_STEP: Readonly<Record<McpTarget['id'], string>> = {
  claude: 'Restart Claude Code in this folder and approve the server.',
  cursor: 'Enable the server in the Cursor settings, under MCP.',
  vscode: 'Run "MCP: List Servers" to start the server.',
  codex: 'Restart Codex.',
};

function edited(path: string, edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    throw new Refusal(
      `${path} cannot be read and was not changed: ${error instanceof Error ? error.message : String(error)}. Fix the file, or run Copy MCP Configuration and select "Other" to copy the entry.`,
    );
  }
}
