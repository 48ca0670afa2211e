import { ConfigurationTarget, window, workspace } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation, showWarning } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders, setting } from '../settings';

/** Lets the user allow a command that runs tests; remembered in the user's own settings. Tells whether one was allowed. */
export async function approveTestCommand({ server }: { readonly server: LatticeServer }): Promise<boolean> {
  if (!workspace.isTrusted) throw new Refusal('Running tests executes code from this workspace. Trust the workspace first.');
  if (!setting<boolean>('lattice.tests.allowRun'))
    throw new Refusal('Running tests is disabled. To enable it, turn on "lattice.tests.allowRun" in your user settings.');
  const answers = await Promise.all(indexedFolders().map(folder => server.ask('testCommands', {}, folder.uri)));
  const commands = answers.flatMap(answer => answer.commands);
  if (commands.length === 0) throw new Refusal('No tests of a supported framework were found in this workspace.');
  const open = commands.filter(row => !row.approved);
  if (open.length === 0) {
    void showInformation('All test commands are already approved.');
    return false;
  }
  const rows = open.map(({ command }) => ({ label: command.join(' '), words: JSON.stringify(command) }));
  const chosen = await window.showQuickPick(rows, {
    title: 'Approve Test Command',
    placeHolder: 'Select the command that you and your agents can run tests with',
  });
  if (chosen === undefined) return false;
  const detail = 'Lattice and your agents can then run this command with test files from trusted workspaces without asking again.';
  const answer = await showWarning(`Do you want to approve "${chosen.label}"?`, { modal: true, detail }, 'Approve');
  if (answer !== 'Approve') return false;
  const approved = setting<readonly string[]>('lattice.tests.approved');
  await workspace.getConfiguration().update('lattice.tests.approved', [...new Set([...approved, chosen.words])], ConfigurationTarget.Global);
  return true;
}
