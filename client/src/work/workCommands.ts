import { commands, type Disposable, type LogOutputChannel, type Uri, window, workspace } from 'vscode';
import type { WorkStatus } from '../../../server/protocol/features';
import type { ToolInput } from '../../../server/protocol/requests';
import { succeeded } from '../answers';
import { askText } from '../askText';
import { guarded } from '../commands/registry';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation, showWarning } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import { STATUS_WORDS } from './statusWords';
import type { WorkPages } from './workPages';
import { isWorkNode, type WorkNode } from './workRows';
import type { WorkView } from './workView';

interface Parts {
  readonly server: LatticeServer;
  readonly pages: WorkPages;
  readonly view: WorkView;
}

/** Tools that move an item to another status. */
type Verb = 'advance' | 'revert' | 'block' | 'unblock' | 'terminate';
type WorkTool = Verb | 'manage_container' | 'task_update';

const NAME_LENGTH = 255;

/** Commands of the view "Work"; ids and titles stand in package.json. */
export function registerWorkCommands(parts: Parts & { readonly log: LogOutputChannel }): Disposable[] {
  const { log, pages, view } = parts;
  const table: Readonly<Record<string, (argument: unknown) => unknown>> = {
    'lattice.refreshWork': () => view.refresh(),
    'lattice.filterWork': () => filterWork(view),
    'lattice.openWork': argument => pages.open(chosenNode(argument)),
    'lattice.newFeature': () => create(parts, 'feature', undefined),
    'lattice.newTask': argument => create(parts, 'task', isWorkNode(argument) ? argument : undefined),
    'lattice.startWork': argument => move(parts, argument, 'advance'),
    'lattice.reviewWork': argument => move(parts, argument, 'advance'),
    'lattice.completeWork': argument => complete(parts, argument),
    'lattice.blockWork': argument => moveWithReason(parts, argument, 'block', 'Reason for blocking'),
    'lattice.unblockWork': argument => move(parts, argument, 'unblock'),
    'lattice.terminateWork': argument => moveWithReason(parts, argument, 'terminate', 'Reason for terminating'),
    'lattice.reopenWork': argument => move(parts, argument, 'revert'),
    'lattice.renameWork': argument => rename(parts, argument),
    'lattice.describeWork': argument => describe(parts, argument),
    'lattice.prioritizeWork': argument => prioritize(parts, argument),
    'lattice.deleteWork': argument => remove(parts, argument),
  };
  return Object.entries(table).map(([id, run]) => commands.registerCommand(id, (argument: unknown) => guarded(log, id, () => run(argument))));
}

async function filterWork(view: WorkView): Promise<void> {
  const rows = Object.entries(STATUS_WORDS).map(([status, label]) => ({
    label,
    status: status as WorkStatus,
    picked: view.filter.statuses.has(status as WorkStatus),
  }));
  const chosen = await window.showQuickPick(rows, { title: 'Filter Work (1/2)', placeHolder: 'Select the statuses to show', canPickMany: true });
  if (chosen === undefined) return;
  const words = await window.showInputBox({
    title: 'Filter Work (2/2)',
    prompt: 'Text in the name, summary or tags. Leave empty to show all.',
    value: view.filter.words.join(' '),
  });
  if (words === undefined) return;
  view.filter = {
    statuses: new Set(chosen.map(row => row.status)),
    words: words
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== ''),
  };
}

async function create(parts: Parts, type: 'feature' | 'task', parent: WorkNode | undefined): Promise<void> {
  const folder = parent?.folder ?? (await chosenFolder());
  if (folder === undefined) return;
  const title = type === 'feature' ? 'New Feature' : parent === undefined ? 'New Task' : `New Task in ${parent.item.name}`;
  const name = await window.showInputBox({
    title,
    prompt: 'Name',
    validateInput: nameProblem,
  });
  if (name === undefined || name.trim() === '') return;
  const place = parent === undefined ? {} : { parentId: parent.item.id };
  await write(parts, 'manage_container', { operation: 'create', containerType: type, name, ...place }, folder);
}

async function rename(parts: Parts, argument: unknown): Promise<void> {
  const { item, type } = chosenNode(argument);
  const name = await window.showInputBox({
    title: type === 'task' ? 'Rename Task' : 'Rename Feature',
    prompt: 'Name',
    value: item.name,
    validateInput: nameProblem,
  });
  if (name !== undefined && name.trim() !== '' && name !== item.name) await update(parts, argument, { name });
}

async function describe(parts: Parts, argument: unknown): Promise<void> {
  const { item } = chosenNode(argument);
  const summary = await askText({
    title: `Describe ${item.name.slice(0, 60)}`,
    prompt: 'What to do, and how to tell that it is done',
    value: item.summary,
  });
  if (summary !== undefined) await update(parts, argument, { summary });
}

async function prioritize(parts: Parts, argument: unknown): Promise<void> {
  const { item } = chosenNode(argument);
  const rows = PRIORITIES.map(label => ({ label, description: label === item.priority ? 'current' : '' }));
  const chosen = await window.showQuickPick(rows, { title: `Priority of ${item.name.slice(0, 60)}`, placeHolder: 'Select a priority' });
  if (chosen !== undefined && chosen.label !== item.priority) await update(parts, argument, { priority: chosen.label });
}

const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;

async function remove(parts: Parts, argument: unknown): Promise<void> {
  const { folder, item, type } = chosenNode(argument);
  const detail =
    type === 'task'
      ? 'Its sections and dependencies are deleted with it.'
      : 'Closed tasks of the feature are kept. A feature with open tasks cannot be deleted.';
  const answer = await showWarning(`Do you want to delete "${item.name}"?`, { modal: true, detail }, 'Delete');
  if (answer !== 'Delete') return;
  await write(parts, 'manage_container', { operation: 'delete', containerType: type, id: item.id, version: item.version }, folder);
}

async function update(parts: Parts, argument: unknown, fields: Pick<ToolInput<'manage_container'>, 'name' | 'summary' | 'priority'>): Promise<void> {
  const { folder, item, type } = chosenNode(argument);
  await write(parts, 'manage_container', { operation: 'update', containerType: type, id: item.id, version: item.version, ...fields }, folder);
}

function nameProblem(text: string): string | undefined {
  return text.trim().length > NAME_LENGTH ? `The name is longer than ${NAME_LENGTH} characters.` : undefined;
}

async function complete(parts: Parts, argument: unknown): Promise<void> {
  const { folder, item, type } = chosenNode(argument);
  if (type === 'feature') return move(parts, argument, 'advance');
  const answer = await write(parts, 'task_update', { taskId: item.id, version: item.version, status: 'completed' }, folder);
  const hints = answer.envelope.data?.graphHints;
  if (hints !== undefined) void showInformation(hints.message);
}

async function move(parts: Parts, argument: unknown, verb: Verb, reason?: string): Promise<void> {
  const { folder, item } = chosenNode(argument);
  await write(parts, verb, { id: item.id, version: item.version, ...(reason === undefined ? {} : { reason }) }, folder);
}

async function moveWithReason(parts: Parts, argument: unknown, verb: 'block' | 'terminate', prompt: string): Promise<void> {
  const { item } = chosenNode(argument);
  const title = `${verb === 'block' ? 'Block' : 'Terminate'} ${item.name.slice(0, 60)}`;
  const reason = await window.showInputBox({ title, prompt, validateInput: text => (text.trim() === '' ? 'Enter a reason.' : undefined) });
  if (reason !== undefined && reason.trim() !== '') await move(parts, argument, verb, reason);
}

/** The tree hears of the write by itself; it is asked again here for what another window changed before. */
async function write<Tool extends WorkTool>({ server, view }: Parts, tool: Tool, input: ToolInput<Tool>, folder: Uri) {
  if (!workspace.isTrusted) throw new Refusal('Features and tasks are read-only in Restricted Mode. Trust the workspace to change them.');
  const answer = await server.callTool(tool, input, { uri: folder.toString() });
  if (!answer.envelope.ok) await view.refresh();
  return succeeded(answer);
}

function chosenNode(argument: unknown): WorkNode {
  if (isWorkNode(argument)) return argument;
  throw new Refusal('Select a feature or task in the Work view first.');
}

async function chosenFolder(): Promise<Uri | undefined> {
  const [only, ...others] = indexedFolders();
  if (others.length === 0) return only?.uri;
  return (await window.showWorkspaceFolderPick({ placeHolder: 'Select a folder' }))?.uri;
}
