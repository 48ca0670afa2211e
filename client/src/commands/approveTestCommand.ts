import { ConfigurationTarget, window, workspace } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { indexedFolders, setting } from '../settings';

interface TestCommands {
  readonly commands: readonly { readonly command: readonly string[]; readonly approved: boolean }[];
}

/** Lets the user allow a command that runs tests; remembered in the user's own settings. Tells whether one was allowed. */
export async function approveTestCommand({ server }: { readonly server: LatticeServer }): Promise<boolean> {
  if (!workspace.isTrusted) throw new Refusal('Trust this workspace first: tests are programs in it.');
  if (!setting<boolean>('lattice.tests.allowRun')) throw new Refusal('Running tests is off. Switch lattice.tests.allowRun on in your user settings first.');
  const answers = await Promise.all(indexedFolders().map(folder => server.ask<TestCommands>('testCommands', {}, folder.uri)));
  const open = answers.flatMap(answer => answer.commands).filter(row => !row.approved);
  if (open.length === 0) {
    void window.showInformationMessage('There is no test command left to approve.');
    return false;
  }
  const rows = open.map(({ command }) => ({ label: command.join(' '), words: JSON.stringify(command) }));
  const chosen = await window.showQuickPick(rows, { title: 'Approve Test Command', placeHolder: 'You and your agents may then run tests with it' });
  if (chosen === undefined) return false;
  const detail = 'Lattice and your agents may start it with test files of workspaces that you trust, without asking again.';
  const answer = await window.showWarningMessage(`Run tests with "${chosen.label}"?`, { modal: true, detail }, 'Approve');
  if (answer !== 'Approve') return false;
  const approved = setting<readonly string[]>('lattice.tests.approved');
  await workspace.getConfiguration().update('lattice.tests.approved', [...new Set([...approved, chosen.words])], ConfigurationTarget.Global);
  return true;
}
