import { commands, type ExtensionContext, type QuickPickItem, QuickPickItemKind, window, workspace } from 'vscode';
import { EDITOR_COMMANDS } from '../../../server/protocol/editorCommands';
import { busyText, type FolderStatus } from '../../../server/protocol/requests';
import { hasCommand } from '../contributions';
import type { LatticeServer } from '../languageClient/latticeServer';

interface ActionRow extends QuickPickItem {
  readonly command?: string;
}

/** State of the index, and what one can do from here: behind the status item. */
export async function showActions({ context, server }: { readonly context: ExtensionContext; readonly server: LatticeServer }): Promise<void> {
  const trusted = workspace.isTrusted;
  const rows: ActionRow[] = [
    ...server.folders.map(stateRow),
    { label: 'Ask', kind: QuickPickItemKind.Separator },
    { label: '$(search) Go to Anything in the Graph', command: 'lattice.search' },
    { label: '$(type-hierarchy) Open the Graph', command: EDITOR_COMMANDS.graph },
    { label: '$(type-hierarchy-sub) Show Impact', command: 'lattice.showImpact' },
    { label: '$(git-compare) Impact of Changes', command: 'lattice.showImpactOfChanges' },
    { label: 'Agents', kind: QuickPickItemKind.Separator },
    ...(trusted ? [{ label: '$(plug) Set Up Agents', command: 'lattice.setUpAgents' }] : []),
    { label: 'Index', kind: QuickPickItemKind.Separator },
    { label: '$(pulse) Show Health', command: 'lattice.showHealth' },
    { label: '$(sync) Rebuild Index', command: 'lattice.rebuildIndex' },
    { label: '$(debug-restart) Restart Language Server', command: 'lattice.restartServer' },
    { label: '$(output) Show Log', command: 'lattice.showLog' },
  ];
  const shown = rows.filter(row => row.command === undefined || hasCommand(context, row.command));
  const chosen = await window.showQuickPick(shown, { title: 'Lattice', placeHolder: 'What next?' });
  if (chosen?.command !== undefined) await commands.executeCommand(chosen.command);
}

function stateRow(status: FolderStatus): ActionRow {
  const { folder, phase, problem, counts, role } = status;
  const figures = counts === undefined ? '' : `${counts.files.toLocaleString('en')} source files, ${counts.symbols.toLocaleString('en')} symbols`;
  const icon = phase === 'ready' ? '$(pass)' : phase === 'failed' ? '$(error)' : '$(loading~spin)';
  return {
    label: `${icon} ${folder}`,
    description: phase === 'ready' ? figures : (problem ?? `indexing: ${busyText(status)}`),
    ...(role === 'guest' ? { detail: 'another process keeps this index; this window asks it' } : {}),
    command: 'lattice.showHealth',
  };
}
