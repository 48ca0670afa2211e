import { commands, type QuickPickItem, window } from 'vscode';
import { launcher } from '../../../server/protocol/requests';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation } from '../messages';
import type { PreviewDocuments } from '../views/previewDocuments';
import { type AgentState, agentHooks, configurableFolder, connect, disconnect, mcpServer, stateOf } from './agentConfiguration';
import { AGENT_HOOKS } from './agentHooks';
import { askForTools } from './askForTools';
import { MCP_TARGETS } from './mcpTargets';

interface AgentRow extends QuickPickItem {
  readonly state: AgentState;
}

/** Connects the agents that are ticked, and their hooks, and disconnects the others, file by file, each after a preview. */
export async function setUpAgents({ server, previews }: { readonly server: LatticeServer; readonly previews: PreviewDocuments }): Promise<void> {
  const folder = await configurableFolder();
  if (folder === undefined) return;
  const servers = await Promise.all(MCP_TARGETS.map(target => stateOf(target, folder)));
  const hooks = await stateOf(AGENT_HOOKS, folder);
  const states: readonly AgentState[] = [...servers, hooks];
  const rows = states.map(state => rowOf(state, state === hooks ? HOOKS_DETAIL : ''));
  const ticked = await window.showQuickPick(rows, {
    canPickMany: true,
    title: 'Set Up Agents',
    placeHolder: 'Select the agents that can use Lattice',
    matchOnDescription: true,
  });
  if (ticked === undefined) return;
  const wanted = new Set(ticked.map(row => row.state));
  const added = states.filter(state => wanted.has(state) && !state.connected);
  const removed = states.filter(state => !wanted.has(state) && state.connected);
  if (added.length + removed.length === 0) {
    void showInformation('No agent configuration was changed.');
    return;
  }
  if (added.length > 0) {
    const addedServers = servers.filter(state => added.includes(state));
    const offer = addedServers.length === 0 ? undefined : await askForTools();
    if (addedServers.length > 0 && offer === undefined) return;
    const how = await server.request(launcher, {});
    if (offer !== undefined) for (const state of addedServers) await connect(previews, state, mcpServer(state.target, how, offer));
    if (added.includes(hooks)) await connect(previews, hooks, agentHooks(how));
  }
  for (const state of removed) await disconnect(previews, state);
  void commands.executeCommand('setContext', 'lattice.agentsSetUp', true);
}

const HOOKS_DETAIL = 'Give agents context, record their edits and test results, and warn about claims';

function rowOf(state: AgentState, about: string): AgentRow {
  const { connected, target } = state;
  return {
    label: target.label,
    description: `${target.inHome ? '~/' : ''}${target.file}`,
    detail: [detailOf(state), about].filter(text => text !== '').join(' '),
    picked: connected,
    state,
  };
}

function detailOf({ connected, problem, text }: AgentState): string {
  if (problem !== undefined) return `$(warning) Cannot be edited: ${problem}`;
  if (connected) return '$(check) Set up. Clear the checkbox to remove it.';
  return text === undefined ? 'Not set up. The file will be created.' : 'Not set up. An entry will be added to the file.';
}
