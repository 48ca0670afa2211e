import { commands, type Disposable, type LogOutputChannel, type Uri, window, workspace } from 'vscode';
import { askText } from '../askText';
import { guarded } from '../commands/registry';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showInformation, showWarning } from '../messages';
import { Refusal } from '../refusal';
import { linksFrom } from '../views/folderLinks';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { isAgentNode, isMemoryNode, type MemoryNode, titleOf } from './agentsTree';
import type { AgentsView } from './agentsView';
import { exportPage, memoryPage } from './memoryPage';

interface Parts {
  readonly server: LatticeServer;
  readonly documents: MarkdownDocuments;
  readonly view: AgentsView;
}

/** Commands of the view "Agents"; ids and titles stand in package.json. */
export function registerMemoryCommands(parts: Parts & { readonly log: LogOutputChannel }): Disposable[] {
  const { log, view } = parts;
  const table: Readonly<Record<string, (argument: unknown) => unknown>> = {
    'lattice.refreshAgents': () => view.refresh(),
    'lattice.filterAgents': () => filterTimeline(view),
    'lattice.releaseAgent': argument => releaseAgent(parts, argument),
    'lattice.openEpisode': argument => openEpisode(parts, argument),
    'lattice.editEpisode': argument => editEpisode(parts, argument),
    'lattice.hideEpisode': argument => hideEpisode(parts, argument),
    'lattice.deleteEpisode': argument => deleteEpisode(parts, argument),
    'lattice.exportMemory': () => exportMemory(view),
  };
  return Object.entries(table).map(([id, run]) => commands.registerCommand(id, (argument: unknown) => guarded(log, id, () => run(argument))));
}

const TYPES = ['DECISION', 'EDIT', 'TEST_RESULT', 'ERROR', 'OBSERVATION', 'REFLECTION'];

async function filterTimeline(view: AgentsView): Promise<void> {
  const rows = TYPES.map(type => ({ label: wordsOf(type), type, picked: view.filter.types.size === 0 || view.filter.types.has(type) }));
  const chosen = await window.showQuickPick(rows, { title: 'Filter Timeline (1/2)', placeHolder: 'Select the types to show', canPickMany: true });
  if (chosen === undefined) return;
  const words = await window.showInputBox({
    title: 'Filter Timeline (2/2)',
    prompt: 'Text in the episode, its agent or its files. Leave empty to show all.',
    value: view.filter.words.join(' '),
  });
  if (words === undefined) return;
  view.filter = {
    types: new Set(chosen.length === rows.length ? [] : chosen.map(({ type }) => type)),
    words: words
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== ''),
  };
}

/** Ends all claims of an agent: from its row, or chosen from those that hold something. */
async function releaseAgent({ server, view }: Parts, argument: unknown): Promise<void> {
  requireTrust();
  const chosen = isAgentNode(argument) ? { agentId: argument.agentId, folder: argument.folder, count: argument.children.length } : await chosenAgent(view);
  if (chosen === undefined) return;
  const { agentId, count, folder } = chosen;
  const what = count === 1 ? 'the claim' : `all ${count} claims`;
  const answer = await showWarning(
    `Do you want to release ${what} of ${agentId}?`,
    { modal: true, detail: 'Other agents can then work on the same code. The agent is not notified.' },
    'Release',
  );
  if (answer === 'Release') await server.ask('releaseAgent', { agentId }, folder);
}

async function chosenAgent(view: AgentsView): Promise<{ readonly agentId: string; readonly folder: Uri; readonly count: number } | undefined> {
  await view.refresh();
  const rows = view.folders.flatMap(({ answer, folder }) =>
    answer.agents.flatMap(({ agentId, claims }) =>
      claims.length === 0 ? [] : [{ label: agentId, description: claims.map(({ targetId }) => targetId).join(', '), agentId, folder, count: claims.length }],
    ),
  );
  if (rows.length === 0) throw new Refusal('No agent has claimed anything.');
  return window.showQuickPick(rows, { title: "Release Agent's Claims", placeHolder: 'Select an agent' });
}

async function openEpisode({ documents, server }: Parts, argument: unknown): Promise<void> {
  const { folder, row } = chosenMemory(argument);
  const symbols = row.entities.filter(id => id.includes('::')).slice(0, MAX_SYMBOLS);
  const { nodes } = symbols.length === 0 ? { nodes: [] } : await server.ask('nodesById', { ids: symbols }, folder);
  const lines = new Map(nodes.map(node => [node.id, node.nameLine]));
  await documents.show(`${wordsOf(row.type)} ${shortened(titleOf(row))}`, memoryPage(row, { linkTo: linksFrom(folder), lines }));
}

async function editEpisode({ server }: Parts, argument: unknown): Promise<void> {
  requireTrust();
  const { folder, row } = chosenMemory(argument);
  const content = await askText({ title: 'Edit Episode', prompt: 'Text', value: row.content });
  if (content === undefined || content.trim() === row.content) return;
  await server.ask('changeEpisode', { id: row.id, content }, folder);
  if ((await showInformation('The episode was changed.', 'Undo')) === 'Undo') await server.ask('changeEpisode', { id: row.id, content: row.content }, folder);
}

async function hideEpisode({ server }: Parts, argument: unknown): Promise<void> {
  requireTrust();
  const { folder, row } = chosenMemory(argument);
  await server.ask('changeEpisode', { id: row.id, sensitive: true }, folder);
  if ((await showInformation('The episode is sensitive. It no longer appears in results or views.', 'Undo')) === 'Undo')
    await server.ask('changeEpisode', { id: row.id, sensitive: false }, folder);
}

async function deleteEpisode({ server }: Parts, argument: unknown): Promise<void> {
  requireTrust();
  const { folder, row } = chosenMemory(argument);
  await server.ask('deleteEpisode', { id: row.id }, folder);
  const what = row.type === 'LEARNING' ? 'learning' : 'episode';
  if ((await showInformation(`The ${what} was deleted.`, 'Undo')) === 'Undo') await server.ask('restoreEpisode', { id: row.id }, folder);
}

/** A document that is not saved yet: where it goes is the user's choice. */
async function exportMemory(view: AgentsView): Promise<void> {
  await view.refresh();
  if (view.folders.every(({ answer }) => answer.episodes.length + answer.learnings.length === 0)) throw new Refusal('Agents have not recorded anything yet.');
  const document = await workspace.openTextDocument({ language: 'markdown', content: `${exportPage(view.folders)}\n` });
  await window.showTextDocument(document, { preview: false });
}

/** As many as an episode has. */
const MAX_SYMBOLS = 50;
const TAB_LETTERS = 40;

/** As much of a title as a tab has room for, in whole words. */
function shortened(title: string): string {
  if (title.length <= TAB_LETTERS) return title;
  return `${title.slice(0, TAB_LETTERS).replace(/\s+\S*$/, '')}…`;
}

function chosenMemory(argument: unknown): MemoryNode {
  if (!isMemoryNode(argument)) throw new Refusal('Select an episode in the Agents view first.');
  return argument;
}

function requireTrust(): void {
  if (!workspace.isTrusted) throw new Refusal('Trust the workspace to change what agents have recorded.');
}

function wordsOf(type: string): string {
  const words = type.toLowerCase().replace('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
