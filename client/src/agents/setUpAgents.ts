import { commands, type QuickPickItem, window } from 'vscode';
import { launcher } from '../../../server/protocol/requests';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { PreviewDocuments } from '../views/previewDocuments';
import { type AgentState, configurableFolder, connect, disconnect, stateOf } from './agentConfiguration';
import { askForTools } from './askForTools';
import { MCP_TARGETS } from './mcpTargets';

interface AgentRow extends QuickPickItem {
  readonly state: AgentState;
}

/** Connects the agents that are ticked and disconnects the others, file by file, each after a preview. */
export async function setUpAgents({ server, previews }: { readonly server: LatticeServer; readonly previews: PreviewDocuments }): Promise<void> {
  const folder = await configurableFolder();
  if (folder === undefined) return;
  const states = await Promise.all(MCP_TARGETS.map(target => stateOf(target, folder)));
  const rows: AgentRow[] = states.map(state => ({
    label: state.target.label,
    description: `${state.target.inHome ? '~/' : ''}${state.target.file}`,
    detail: detailOf(state),
    picked: state.connected,
    state,
  }));
  const ticked = await window.showQuickPick(rows, {
    canPickMany: true,
    title: 'Lattice: Set Up Agents',
    placeHolder: 'Select the agents that can use Lattice. You can review the changes before they are saved.',
    matchOnDescription: true,
  });
  if (ticked === undefined) return;
  const wanted = new Set(ticked.map(row => row.state));
  const added = states.filter(state => wanted.has(state) && !state.connected);
  const removed = states.filter(state => !wanted.has(state) && state.connected);
  if (added.length + removed.length === 0) {
    void window.showInformationMessage('No changes to the agents.');
    return;
  }
  if (added.length > 0) {
    const offer = await askForTools();
    if (offer === undefined) return;
    const how = await server.request(launcher, {});
    for (const state of added) await connect(previews, state, how, offer);
  }
  for (const state of removed) await disconnect(previews, state);
  void commands.executeCommand('setContext', 'lattice.agentsSetUp', true);
}

function detailOf({ connected, problem, text }: AgentState): string {
  if (problem !== undefined) return `$(warning) Cannot be edited: ${problem}`;
  if (connected) return '$(check) Set up. Clear the checkbox to remove it.';
  return text === undefined ? 'Not set up. The file will be created.' : 'Not set up. An entry will be added to the file.';
}
