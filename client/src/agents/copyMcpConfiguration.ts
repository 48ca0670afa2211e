import { type QuickPickItem, window } from 'vscode';
import { launcher } from '../../../server/protocol/requests';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { PreviewDocuments } from '../views/previewDocuments';
import { configurableFolder, connect, copyConfiguration, mcpServer, stateOf } from './agentConfiguration';
import { askForTools } from './askForTools';
import { clipboardText, MCP_TARGETS, type McpTarget } from './mcpTargets';

interface TargetRow extends QuickPickItem {
  readonly target?: McpTarget;
}

/** Shows what connects a program to Lattice's MCP server, and writes it into that program's configuration only when the user says so. */
export async function copyMcpConfiguration({ server, previews }: { readonly server: LatticeServer; readonly previews: PreviewDocuments }): Promise<void> {
  const folder = await configurableFolder();
  if (folder === undefined) return;
  const rows: TargetRow[] = [
    ...MCP_TARGETS.map(target => ({ label: target.label, description: target.inHome ? `~/${target.file}` : target.file, target })),
    { label: 'Other', description: 'Copy to the clipboard' },
  ];
  const choice = await window.showQuickPick(rows, {
    title: 'Copy MCP Configuration',
    placeHolder: 'Select an agent',
  });
  if (choice === undefined) return;
  const offer = await askForTools();
  if (offer === undefined) return;
  const how = await server.request(launcher, {});
  if (choice.target === undefined) await copyConfiguration(clipboardText(how, folder.uri.fsPath, offer));
  else await connect(previews, await stateOf(choice.target, folder), mcpServer(choice.target, how, offer));
}
