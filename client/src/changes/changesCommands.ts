import { commands, type Disposable, env, type LogOutputChannel, ProgressLocation, type Uri, window, workspace } from 'vscode';
import type { SceneParams } from '../../../server/protocol/features';
import { diffMarkdownOf } from '../../../server/protocol/requests';
import { uriOf } from '../answers';
import { guarded } from '../commands/registry';
import type { GraphPanels } from '../graph/graphPanels';
import type { LatticeServer } from '../languageClient/latticeServer';
import { showWarning } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import { type AffectedTests, testGroupOf } from '../tests/affectedTests';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import type { ChangedFileNode, ChangeNode } from './changesTree';
import type { ChangesView } from './changesView';
import type { ComparisonPoints } from './choosePoint';
import type { PastDocuments, Side } from './pastDocuments';
import { showHistory } from './showHistory';

interface Parts {
  readonly server: LatticeServer;
  readonly documents: MarkdownDocuments;
  readonly past: PastDocuments;
  readonly view: ChangesView;
  readonly graphs: GraphPanels;
  readonly points: ComparisonPoints;
  readonly affectedTests: AffectedTests;
}

/** Commands of the view "Impact of My Branch" and of histories; ids and titles stand in package.json. */
export function registerChangesCommands(parts: Parts & { readonly log: LogOutputChannel }): Disposable[] {
  const { log, past, view } = parts;
  const table: Readonly<Record<string, (argument: unknown) => unknown>> = {
    'lattice.showBranchImpact': () => view.startAt(undefined),
    'lattice.refreshChanges': () => view.refresh(),
    'lattice.groupChangesByReach': () => view.group('reach'),
    'lattice.groupChangesByFile': () => view.group('file'),
    'lattice.groupChangesByAuthor': () => view.group('author'),
    'lattice.copyChanges': argument => copyChanges(parts, argument),
    'lattice.runTestsOfChanges': argument => runTests(parts, argument),
    'lattice.openChanges': argument => openChanges(past, argument),
    'lattice.openChangedFile': argument => openChangedFile(past, argument),
    'lattice.showChangesSince': argument => showChangesSince(parts, argument),
    'lattice.compareGraph': argument => compareGraph(parts, argument),
    'lattice.showChangesGraph': argument => showChangesGraph(parts, argument),
    'lattice.markCheckpoint': argument => markCheckpoint(parts, argument),
    'lattice.clearHistory': argument => clearHistory(parts, argument),
    'lattice.showHistory': argument => showHistory(parts, argument),
  };
  return Object.entries(table).map(([id, run]) => commands.registerCommand(id, (argument: unknown) => guarded(log, id, () => run(argument))));
}

function isChange(value: unknown): value is ChangeNode | ChangedFileNode {
  return typeof value === 'object' && value !== null && 'type' in value && (value.type === 'change' || value.type === 'file') && 'from' in value;
}

/** Both sides of a row: nothing stands for what was not there. */
function sidesOf(node: ChangeNode | ChangedFileNode): { readonly older: Side; readonly newer: Side; readonly line: number } {
  const [path, change, oldPath] =
    node.type === 'file'
      ? [node.path, node.change, node.oldPath]
      : [node.row.path, node.row.kind === 'file' ? node.row.change : undefined, node.row.oldId?.split('::', 1)[0]];
  return {
    older: { path: change === 'added' ? undefined : (oldPath ?? path), at: node.from },
    newer: { path: change === 'removed' ? undefined : path, at: undefined },
    line: node.type === 'file' || node.row.change === 'removed' ? 0 : node.row.line,
  };
}

async function openChanges(past: PastDocuments, argument: unknown): Promise<void> {
  if (!isChange(argument)) throw new Refusal('Select a row in the Impact of My Branch view.');
  const { line, newer, older } = sidesOf(argument);
  const path = newer.path ?? older.path ?? '';
  const isThere = newer.path !== undefined && (await exists(uriOf(argument.folder, newer.path)));
  await past.compare(argument.folder, older, isThere ? newer : { path: undefined, at: undefined }, `${path.slice(path.lastIndexOf('/') + 1)} (changes)`, line);
}

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

async function openChangedFile(past: PastDocuments, argument: unknown): Promise<void> {
  if (!isChange(argument)) throw new Refusal('Select a row in the Impact of My Branch view.');
  if (argument.type === 'change' && argument.row.change !== 'removed') return void (await commands.executeCommand('lattice.openNode', argument));
  const { newer, older } = sidesOf(argument);
  if (newer.path !== undefined && argument.type === 'file') await commands.executeCommand('vscode.open', uriOf(argument.folder, newer.path));
  else await past.open(argument.folder, older.path ?? '', argument.from);
}

/** The folder of a row; without one, the only folder, or one that the user chooses. */
async function folderOf(argument: unknown, title: string): Promise<Uri | undefined> {
  const given = (argument as { readonly folder?: Uri } | undefined)?.folder;
  const folders = indexedFolders();
  if (given !== undefined || folders.length < 2) return given ?? folders[0]?.uri;
  const rows = folders.map(({ name, uri }) => ({ label: name, uri }));
  return (await window.showQuickPick(rows, { title, placeHolder: 'Select a folder' }))?.uri;
}

async function copyChanges({ server, view }: Parts, argument: unknown): Promise<void> {
  const folder = await folderOf(argument, 'Copy Changes as Markdown');
  if (folder === undefined) return;
  const { from } = view.question;
  const { markdown } = await window.withProgress({ location: ProgressLocation.Window, title: 'Lattice: Comparing...' }, () =>
    server.request(diffMarkdownOf, { uri: folder.toString(), ...(from === undefined ? {} : { from }) }),
  );
  await env.clipboard.writeText(markdown);
  window.setStatusBarMessage('$(copy) Copied changes as Markdown', 5000);
}

/** Lets the user choose what the view compares with. */
async function showChangesSince({ points, view }: Parts, argument: unknown): Promise<void> {
  const title = 'Show Changes Since';
  const folder = await folderOf(argument, title);
  const start = folder === undefined ? undefined : await points.choose(folder, title);
  if (start !== undefined) await view.startAt(start === 'branch' ? undefined : start);
}

/** The same, and the graph of the comparison beside the list. */
async function compareGraph({ graphs, points, view }: Parts, argument: unknown): Promise<void> {
  const title = 'Compare Graph';
  const folder = await folderOf(argument, title);
  const start = folder === undefined ? undefined : await points.choose(folder, title);
  if (folder === undefined || start === undefined) return;
  graphs.show({ start: 'compare', ...(start === 'branch' ? {} : { target: start.word, label: start.label }) }, folder);
  await view.startAt(start === 'branch' ? undefined : start);
}

/** The graph of what the view lists; of the row with breaking changes only those. */
async function showChangesGraph({ graphs, view }: Parts, argument: unknown): Promise<void> {
  const folder = await folderOf(argument, 'Show Changes in Graph');
  if (folder === undefined) return;
  const { start } = view;
  const isBreaking = (argument as { readonly context?: string } | undefined)?.context === 'breaking changes';
  const from = start === undefined ? {} : { target: start.word, label: start.label };
  const query: SceneParams = { start: 'compare', ...from, ...(isBreaking ? { breaking: true } : {}) };
  graphs.show(query, folder);
}

async function markCheckpoint({ points }: Parts, argument: unknown): Promise<void> {
  const folder = await folderOf(argument, 'Mark Checkpoint');
  const name = folder === undefined ? undefined : await points.mark(folder);
  if (name !== undefined) window.setStatusBarMessage(`$(bookmark) Marked ${name}`, 5000);
}

/** Asks first: it cannot be undone. */
async function clearHistory({ server }: Parts, argument: unknown): Promise<void> {
  const folder = await folderOf(argument, 'Clear History');
  if (folder === undefined) return;
  const detail =
    'Recorded states between commits and all checkpoints of this folder are deleted. This cannot be undone. Commits, the code, knowledge and tasks are not affected.';
  const answer = await showWarning('Clear the recorded history?', { modal: true, detail }, 'Clear History');
  if (answer === undefined) return;
  await server.ask('clearHistory', {}, folder);
  window.setStatusBarMessage('$(check) Cleared the history', 5000);
}

/** The tests of a row, else all tests to run. */
async function runTests({ affectedTests, view }: Parts, argument: unknown): Promise<void> {
  const found = view.folders.find(({ answer }) => answer !== undefined && answer.tests.length > 0);
  const all = found?.answer === undefined ? undefined : { items: found.answer.tests, folder: found.folder };
  const group = testGroupOf(argument) ?? all;
  if (group === undefined) throw new Refusal('No tests reach the changes.');
  await affectedTests.runAffected(group);
}
