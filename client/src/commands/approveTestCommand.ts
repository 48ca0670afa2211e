import { ConfigurationTarget, window, workspace } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation, showWarning } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders, setting } from '../settings';

const APPROVE_FIRST = 'Approve the command that runs the tests before you run them for the first time.';
const AFTERWARDS = 'Lattice and your agents can then run this command with test files from trusted workspaces without asking again.';

/** Lets the user allow a command that runs tests; remembered in the user's own settings. Tells whether one was allowed. */
export async function approveTestCommand({ server }: { readonly server: LatticeServer }): Promise<boolean> {
  if (workspace.isTrusted && !setting<boolean>('lattice.tests.allowRun') && !(await allowTests(server))) return false;
  const open = await openCommands(server);
  if (open.length > 0) return approve(await chosenOf(open), AFTERWARDS);
  void showInformation('All test commands are already approved.');
  return false;
}

/**
 * The same for the command of a run that waits for it. The question is a dialog: a message goes by itself after some seconds, and what is shown as running would
 * wait for it for ever.
 */
export function approveBeforeRun(command: CommandWords): Promise<boolean> {
  return approve(command, `${APPROVE_FIRST} ${AFTERWARDS}`);
}

/**
 * Lets the user allow tests to run, for who asks for a run where the setting forbids it: with the only command that there is, else with those that are approved
 * then. A dialog, as above.
 */
export async function allowTests(server: LatticeServer): Promise<boolean> {
  const open = await openCommands(server);
  const [only] = open.length === 1 ? open : [];
  const question = only === undefined ? 'Do you want to allow Lattice to run tests?' : `Do you want to run tests with "${only.join(' ')}"?`;
  const then = only === undefined ? 'Each command must be approved before its first run.' : AFTERWARDS;
  const detail = `This executes code from the workspace, and turns on "lattice.tests.allowRun" in your user settings. ${then}`;
  const answer = await showWarning(question, { modal: true, detail }, 'Allow');
  if (answer !== 'Allow') return false;
  if (only !== undefined) await remember(only);
  await workspace.getConfiguration().update('lattice.tests.allowRun', true, ConfigurationTarget.Global);
  return true;
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
  await remember(command);
  return true;
}

async function remember(command: CommandWords): Promise<void> {
  const approved = setting<readonly string[]>('lattice.tests.approved');
  const all = [...new Set([...approved, JSON.stringify(command)])];
  await workspace.getConfiguration().update('lattice.tests.approved', all, ConfigurationTarget.Global);
}
