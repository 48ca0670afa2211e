import { ConfigurationTarget, commands as editorCommands, window, workspace } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation, showWarning } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders, setting } from '../settings';

const APPROVE_FIRST = 'Approve the command that runs the tests before you run them for the first time.';
const AFTERWARDS = 'Lattice and your agents can then run this command with test files from trusted workspaces without asking again.';

/** Lets the user allow a command that runs tests; remembered in the user's own settings. Tells whether one was allowed. */
export async function approveTestCommand({ server }: { readonly server: LatticeServer }): Promise<boolean> {
  if (workspace.isTrusted && !setting<boolean>('lattice.tests.allowRun')) {
    await offerTestSetting();
    return false;
  }
  const open = await openCommands(server);
  if (open.length > 0) return approve(await chosenOf(open), AFTERWARDS);
  void showInformation('All test commands are already approved.');
  return false;
}

/**
 * The same where a run waits for it. The question is a dialog: a message goes by itself after some seconds, and what is shown as running would wait for it
 * for ever.
 */
export async function approveBeforeRun(server: LatticeServer): Promise<boolean> {
  const open = await openCommands(server);
  const [only] = open;
  if (only === undefined) return approveTestCommand({ server });
  if (open.length === 1) return approve(only, `${APPROVE_FIRST} ${AFTERWARDS}`);
  const choice = await showWarning(APPROVE_FIRST, { modal: true }, 'Approve Test Command');
  return choice !== undefined && approve(await chosenOf(open), AFTERWARDS);
}

/** For who wants tests to run where the setting forbids it. */
export async function offerTestSetting(): Promise<void> {
  const choice = await showWarning('Running tests is disabled. To enable it, turn on "lattice.tests.allowRun" in your user settings.', 'Open Settings');
  if (choice !== undefined) await editorCommands.executeCommand('workbench.action.openSettings', 'lattice.tests.allowRun');
}

type CommandWords = readonly string[];

/** Commands of the workspace that nobody has approved yet. */
async function openCommands(server: LatticeServer): Promise<readonly CommandWords[]> {
  if (!workspace.isTrusted) throw new Refusal('Running tests executes code from this workspace. Trust the workspace first.');
  const answers = await Promise.all(indexedFolders().map(folder => server.ask('testCommands', {}, folder.uri)));
  const commands = answers.flatMap(answer => answer.commands);
  if (commands.length === 0) throw new Refusal('No tests of a supported framework were found in this workspace.');
  return commands.filter(row => !row.approved).map(({ command }) => command);
}

async function chosenOf(open: readonly CommandWords[]): Promise<CommandWords | undefined> {
  const rows = open.map(command => ({ label: command.join(' '), command }));
  const title = 'Approve Test Command';
  const chosen = await window.showQuickPick(rows, { title, placeHolder: 'Select the command that you and your agents can run tests with' });
  return chosen?.command;
}

async function approve(command: CommandWords | undefined, detail: string): Promise<boolean> {
  if (command === undefined) return false;
  const answer = await showWarning(`Do you want to approve "${command.join(' ')}"?`, { modal: true, detail }, 'Approve');
  if (answer !== 'Approve') return false;
  const approved = setting<readonly string[]>('lattice.tests.approved');
  const all = [...new Set([...approved, JSON.stringify(command)])];
  await workspace.getConfiguration().update('lattice.tests.approved', all, ConfigurationTarget.Global);
  return true;
}
