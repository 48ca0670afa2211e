import { commands, type ExtensionContext, type QuickPickItem, QuickPickItemKind, window, workspace } from 'vscode';
import { EDITOR_COMMANDS } from '../../../server/protocol/editorCommands';
import { counted } from '../../../server/protocol/figures';
import { type FolderStatus, progressText } from '../../../server/protocol/requests';
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
    { label: 'Code', kind: QuickPickItemKind.Separator },
    { label: '$(search) Search Code...', command: 'lattice.search' },
    { label: '$(type-hierarchy) Show in Graph', command: EDITOR_COMMANDS.graph },
    { label: '$(type-hierarchy-sub) Show Impact', command: 'lattice.showImpact' },
    { label: '$(git-compare) Show Impact of Uncommitted Changes', command: 'lattice.showImpactOfChanges' },
    { label: 'Agents', kind: QuickPickItemKind.Separator },
    ...(trusted ? [{ label: '$(plug) Set Up Agents...', command: 'lattice.setUpAgents' }] : []),
    { label: 'Index', kind: QuickPickItemKind.Separator },
    { label: '$(pulse) Show Index Health', command: 'lattice.showHealth' },
    { label: '$(sync) Rebuild Index', command: 'lattice.rebuildIndex' },
    { label: '$(debug-restart) Restart Language Server', command: 'lattice.restartServer' },
    { label: '$(output) Show Log', command: 'lattice.showLog' },
  ];
  const shown = rows.filter(row => row.command === undefined || hasCommand(context, row.command));
  const chosen = await window.showQuickPick(shown, { title: 'Lattice', placeHolder: 'Select an action' });
  if (chosen?.command !== undefined) await commands.executeCommand(chosen.command);
}

function stateRow(status: FolderStatus): ActionRow {
  const { folder, phase, problem, counts, role } = status;
  const figures = counts === undefined ? '' : `${counted(counts.files, 'source file')}, ${counted(counts.symbols, 'symbol')}`;
  const icon = phase === 'ready' ? '$(pass)' : phase === 'failed' ? '$(error)' : '$(loading~spin)';
  return {
    label: `${icon} ${folder}`,
    description: phase === 'ready' ? figures : (problem ?? `Indexing: ${progressText(status)}`),
    ...(role === 'guest' ? { detail: 'This window uses the index of another process' } : {}),
    command: 'lattice.showHealth',
  };
}
