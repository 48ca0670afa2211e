import { posix } from 'node:path';
import { commands, type Disposable, FileType, type LogOutputChannel, ProgressLocation, Uri, window, workspace } from 'vscode';
import { EDITOR_COMMANDS } from '../../../server/protocol/editorCommands';
import type { SceneParams, ServicesAnswer } from '../../../server/protocol/features';
import { guarded } from '../commands/registry';
import { pickSymbol } from '../commands/symbolSearch';
import { symbolAtCursor, targetOf } from '../commands/target';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import type { ServiceNode } from '../services/servicesView';
import type { GraphPanels } from './graphPanels';

interface Parts {
  readonly server: LatticeServer;
  readonly graphs: GraphPanels;
}

/** Everything that opens the graph; ids and titles stand in package.json. */
export function registerGraphCommands(parts: Parts & { readonly log: LogOutputChannel }): Disposable[] {
  const { graphs, log } = parts;
  const show = (query: SceneParams, folder = currentFolder()): void => graphs.show(query, folder);
  const table: Readonly<Record<string, (argument: unknown) => unknown>> = {
    [EDITOR_COMMANDS.graph]: argument => openGraph(parts, argument),
    'lattice.openWorkspaceGraph': () => show({ start: 'workspace' }),
    'lattice.openServiceGraph': () => openServices(parts),
    'lattice.openFlowGraph': argument => openFlow(parts, argument),
    'lattice.openResourceGraph': argument => openResource(parts, argument),
    'lattice.openSearchGraph': () => openSearch(parts),
    'lattice.openImpactGraph': argument => openImpact(parts, argument),
    'lattice.openChangesGraph': () => show({ start: 'changes', target: 'HEAD' }),
    'lattice.openRangeGraph': () => openRange(parts),
    'lattice.openCommunityGraph': argument => openCommunity(parts, argument),
    'lattice.openPathGraph': () => openPath(parts),
    'lattice.openSavedGraph': () => graphs.openSaved(),
  };
  return Object.entries(table).map(([id, run]) => commands.registerCommand(id, (argument: unknown) => guarded(log, id, () => run(argument))));
}

function currentFolder(): Uri {
  const folder = folderUriFor(window.activeTextEditor?.document.uri);
  if (folder === undefined) throw new Refusal('Open a folder to show its graph.');
  return folder;
}

/** Before the first index nobody knows what is at the cursor. */
async function indexed(server: LatticeServer): Promise<void> {
  await window.withProgress({ location: ProgressLocation.Window, title: 'Lattice: Waiting for the index...' }, () => server.whenIndexed());
}

/** On what is named, else on the symbol at the cursor, else on the file, else on the whole workspace. */
async function openGraph({ server, graphs }: Parts, argument: unknown): Promise<void> {
  if (argument === undefined) await indexed(server);
  const target = argument === undefined ? await symbolAtCursor(server) : await targetOf(server, argument, 'Select a symbol to show in the graph');
  if (target !== undefined) {
    graphs.show(target.since === undefined ? { start: 'focus', target: target.id } : { start: 'changes', target: target.since }, target.folder);
    return;
  }
  if (argument !== undefined) return;
  const uri = window.activeTextEditor?.document.uri;
  if (uri?.scheme === 'file' && folderUriFor(uri) !== undefined) await openResource({ server, graphs }, uri);
  else graphs.show({ start: 'workspace' }, currentFolder());
}

/** A file or folder of the explorer, else the file of the active editor. */
async function openResource({ graphs }: Parts, argument: unknown): Promise<void> {
  const uri = argument instanceof Uri ? argument : window.activeTextEditor?.document.uri;
  const folder = folderUriFor(uri);
  if (uri === undefined || folder === undefined || uri.scheme !== 'file') throw new Refusal('Open a file in the workspace first.');
  const path = uri.path.slice(folder.path.length + 1);
  const { type } = await workspace.fs.stat(uri);
  const isFolder = (type & FileType.Directory) !== 0;
  graphs.show(path === '' ? { start: 'workspace' } : isFolder ? { start: 'folder', target: path } : { start: 'focus', target: path }, folder);
}

/** Before the first index nobody knows whether there are services, so this may be asked where there are none. */
async function openServices({ server, graphs }: Parts): Promise<void> {
  const folder = currentFolder();
  await indexed(server);
  const { services } = await server.ask('services', {}, folder);
  if (services.length === 0) throw new Refusal('No services were found in this folder.');
  graphs.show({ start: 'workspace', groupBy: 'service' }, folder);
}

/** The flow of an endpoint: of the row, else of one that the user chooses. */
async function openFlow({ server, graphs }: Parts, argument: unknown): Promise<void> {
  const given = argument as ServiceNode | undefined;
  if (given?.row.endpoint !== undefined) {
    graphs.show({ start: 'flow', target: given.row.endpoint }, given.folder);
    return;
  }
  const folder = currentFolder();
  await indexed(server);
  const { endpoints } = await server.ask('services', {}, folder);
  if (endpoints.length === 0) throw new Refusal('No endpoints were found in this folder.');
  const rows = nearestFirst(endpoints, folder).map(({ file, id, line, method, path, service }) => ({
    label: `${method} ${path}`,
    description: service,
    // The name of the file is what tells, and the end of a long path is cut.
    detail: file === '' ? '' : `${posix.basename(file)}:${line} \u2022 ${posix.dirname(file)}`,
    id,
  }));
  const chosen = await window.showQuickPick(rows, { title: 'Show Flow of Endpoint', placeHolder: 'Select an endpoint', matchOnDescription: true });
  if (chosen !== undefined) graphs.show({ start: 'flow', target: chosen.id }, folder);
}

/** Endpoints whose handlers stand in the active editor before all others, that of the cursor first. */
function nearestFirst(endpoints: ServicesAnswer['endpoints'], folder: Uri): ServicesAnswer['endpoints'] {
  const editor = window.activeTextEditor;
  if (editor === undefined) return endpoints;
  const cursor = editor.selection.active.line + 1;
  const isHere = ({ file }: ServicesAnswer['endpoints'][number]): boolean => Uri.joinPath(folder, file).toString() === editor.document.uri.toString();
  const here = endpoints
    .filter(isHere)
    .sort((a, b) => Number(b.line <= cursor) - Number(a.line <= cursor) || Math.abs(a.line - cursor) - Math.abs(b.line - cursor));
  return [...here, ...endpoints.filter(endpoint => !isHere(endpoint))];
}

async function openSearch({ graphs }: Parts): Promise<void> {
  const folder = currentFolder();
  const words = await window.showInputBox({ title: 'Show Search Results in Graph', prompt: 'Name, path or purpose of the code' });
  if (words !== undefined && words.trim() !== '') graphs.show({ start: 'search', target: words.trim() }, folder);
}

async function openImpact({ server, graphs }: Parts, argument: unknown): Promise<void> {
  await indexed(server);
  const target = await targetOf(server, argument, 'Select a symbol to show the impact of');
  if (target === undefined) return;
  graphs.show(target.since === undefined ? { start: 'impact', target: target.id } : { start: 'changes', target: target.since }, target.folder);
}

async function openRange({ graphs }: Parts): Promise<void> {
  const folder = currentFolder();
  const range = await window.showInputBox({
    title: 'Show Impact Graph of Commits',
    prompt: 'Commit, branch or tag to compare with (main, HEAD~3, v1.2), or a range (main..HEAD)',
    value: 'HEAD~1',
  });
  if (range !== undefined && range.trim() !== '') graphs.show({ start: 'changes', target: range.trim() }, folder);
}

/** The one of a row of the Structure view, else one that the user selects. */
async function openCommunity({ server, graphs }: Parts, argument: unknown): Promise<void> {
  const row = argument as { readonly folder?: Uri; readonly community?: number } | undefined;
  const folder = row?.folder ?? currentFolder();
  if (row?.community !== undefined) {
    graphs.show({ start: 'community', target: String(row.community) }, folder);
    return;
  }
  await indexed(server);
  const { communities } = await server.ask('communities', { limit: 100 }, folder);
  const rows = communities.map(({ id, label, summary, memberCount }) => ({ label, description: `${memberCount} members`, detail: summary, id }));
  const chosen = await window.showQuickPick(rows, {
    title: 'Show Community in Graph',
    placeHolder: 'Select a community of closely related code',
    matchOnDetail: true,
  });
  if (chosen !== undefined) graphs.show({ start: 'community', target: String(chosen.id) }, folder);
}

async function openPath({ server, graphs }: Parts): Promise<void> {
  await indexed(server);
  const from = (await symbolAtCursor(server)) ?? (await targetOf(server, undefined, 'Select the first symbol of the path'));
  if (from === undefined) return;
  const to = await pickSymbol(server, `Select the last symbol of the path from ${from.name}`);
  if (to === undefined) return;
  if (to.folder.toString() !== from.folder.toString()) throw new Refusal('The symbols are in different workspace folders. Each folder has its own graph.');
  graphs.show({ start: 'path', target: from.id, to: to.id }, from.folder);
}
