import { type CancellationToken, type ChatRequest, Location, TabInputText, Uri, window, workspace } from 'vscode';
import { CHAT_COMMANDS, CHAT_DEFAULT, type ChatCommand } from '../../../../server/protocol/chat';
import type { ExplainParams } from '../../../../server/protocol/features';
import { symbolAt, type ToolData, type ToolInput } from '../../../../server/protocol/requests';
import type { Target } from '../../commands/symbolSearch';
import { folderUriFor, type LatticeServer } from '../../languageClient/latticeServer';
import { Refusal } from '../../refusal';

/** One call of a tool that answers a chat request. */
export interface Question {
  readonly command: ChatCommand;
  readonly input: ToolData;
  readonly folder: Uri;
  /** What it is about, when that is known before the answer. */
  readonly target?: Target;
  /** What `decision_query` is asked besides; what it finds belongs to the answer. */
  readonly decisions?: ToolInput<'decision_query'>;
  /** What `impact_analyze` is asked instead when it turns out that nothing changed. */
  readonly otherwise?: ToolInput<'impact_analyze'>;
}

/** Turns a request into a question: its words, else what was attached, else the symbol at the cursor. */
export async function questionOf(server: LatticeServer, request: ChatRequest, token: CancellationToken): Promise<Question> {
  const command = CHAT_COMMANDS.find(row => row.name === request.command) ?? CHAT_DEFAULT;
  const words = request.prompt.trim();
  const attached = await attachedTarget(server, request, token);
  const folder = attached?.folder ?? folderUriFor(window.activeTextEditor?.document.uri);
  if (folder === undefined) throw new Refusal('Open a folder first. Lattice answers questions about the folders of the workspace.');
  const input = INPUTS[command.about];
  const found = await input({ server, command, words, folder, attached, token });
  return { command, folder, ...found };
}

interface Clues {
  readonly server: LatticeServer;
  readonly command: ChatCommand;
  readonly words: string;
  readonly folder: Uri;
  readonly attached: Target | undefined;
  readonly token: CancellationToken;
}

type Found = Pick<Question, 'input' | 'target' | 'decisions' | 'otherwise'> & { readonly command?: ChatCommand };

/** Name of the parameter that takes the words of a tool. */
const WORDS_OF: Readonly<Record<string, string>> = { context_pack: 'task', arch_suggest: 'description' };

/** Decisions that belong to the answer why code is as it is. */
const DECISIONS = 5;

const INPUTS: Readonly<Record<ChatCommand['about'], (clues: Clues) => Found | Promise<Found>>> = {
  words: ({ command, words, attached }) => {
    // What is new is nowhere yet: the cursor does not say it.
    const text = words || (command.name === 'place' ? '' : (attached?.id ?? ''));
    if (text === '')
      throw new Refusal(
        command.name === 'place' ? 'Describe what you want to add.' : 'Ask a question about your code, such as what it does or what depends on it.',
      );
    return { input: { [WORDS_OF[command.tool] ?? 'query']: text } };
  },
  target: async ({ server, command, words, folder, attached, token }) => {
    if (words !== '') {
      const target = await namedTarget(server, words, folder, token);
      return target === undefined ? { input: { target: words } } : { input: { target: target.id }, target };
    }
    if (attached !== undefined) return { input: { target: attached.id }, target: attached };
    if (command.tool === 'impact_analyze') return { input: { since: 'HEAD' } };
    throw new Refusal(`Enter a name or path after /${command.name}, or place the cursor on a symbol.`);
  },
  files: async clues => {
    const named = clues.words === '' ? clues.attached?.id : clues.words;
    return named === undefined ? { input: {} } : fileOf(clues, named, 'files');
  },
  notes: async clues => {
    const named = clues.words === '' ? clues.attached?.id : clues.words;
    if (named === undefined) throw new Refusal('Enter a name or path, or place the cursor on a symbol.');
    const found = await fileOf(clues, named, 'paths');
    return { ...found, decisions: { query: found.target?.name ?? named, affectedFiles: found.files, limit: DECISIONS } };
  },
  service: ({ command, words }) =>
    words === '' ? { command: { ...command, tool: 'build_knowledge_graph', input: { force_rebuild: false } }, input: {} } : { input: { service_name: words } },
  scope: async clues => (clues.words === '' ? { input: {} } : fileOf(clues, clues.words, 'files')),
  openFiles: async clues => {
    if (clues.words !== '') return fileOf(clues, clues.words, 'paths');
    const paths = openFiles(clues.folder);
    if (paths.length === 0) throw new Refusal('No file from this folder is open. Open a file, or enter its path.');
    return { input: { paths } };
  },
  revision: ({ words }) => (words === '' ? { input: { since: 'HEAD' }, otherwise: { since: 'HEAD~1' } } : { input: { since: words } }),
  record: ({ words, attached }) => {
    if (words === '') throw new Refusal('Enter what to remember, such as why the code is the way it is.');
    return {
      input: { content: words, ...(attached === undefined ? {} : { entities: [attached.id] }) },
      ...(attached === undefined ? {} : { target: attached }),
    };
  },
  nothing: () => ({ input: {} }),
};

/** The file of what is named, as a list under `key`. */
async function fileOf({ server, folder, token }: Clues, named: string, key: 'files' | 'paths'): Promise<Found & { readonly files: string[] }> {
  const target = await namedTarget(server, named, folder, token);
  if (target === undefined) throw new Refusal(`"${named}" was not found in the graph.`);
  const files = target.id.split('::').slice(0, 1);
  return { input: { [key]: files }, files, target };
}

/** Most open files that are asked about. */
const MAX_OPEN = 50;

function openFiles(folder: Uri): string[] {
  const uris = window.tabGroups.all.flatMap(group => group.tabs.flatMap(({ input }) => (input instanceof TabInputText ? [input.uri] : [])));
  const inside = uris.filter(uri => workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.toString());
  return [...new Set(inside.map(uri => workspace.asRelativePath(uri, false)))].slice(0, MAX_OPEN);
}

/** The node that the first words name; `undefined` when the tool has to say what is wrong. */
async function namedTarget(server: LatticeServer, words: string, folder: Uri, token: CancellationToken): Promise<Target | undefined> {
  const name = /^\S+/.exec(words)?.[0] ?? words;
  try {
    const question: ExplainParams = { target: name, limit: 1 };
    const { symbol } = await server.ask('explain', question, folder, token);
    return { id: symbol.id, name: symbol.name, folder };
  } catch {
    return undefined;
  }
}

/** The first file or place that the user attached, else the symbol at the cursor. */
async function attachedTarget(server: LatticeServer, request: ChatRequest, token: CancellationToken): Promise<Target | undefined> {
  for (const { value } of request.references) {
    if (value instanceof Location) return placeTarget(server, value.uri, value.range.start.line, value.range.start.character, token);
    const folder = value instanceof Uri ? workspace.getWorkspaceFolder(value) : undefined;
    if (folder === undefined || !(value instanceof Uri)) continue;
    const path = workspace.asRelativePath(value, false);
    return { id: path, name: path.slice(path.lastIndexOf('/') + 1), folder: folder.uri };
  }
  const editor = window.activeTextEditor;
  if (editor === undefined || editor.document.uri.scheme !== 'file') return undefined;
  const { line, character } = editor.selection.active;
  return placeTarget(server, editor.document.uri, line, character, token);
}

async function placeTarget(server: LatticeServer, uri: Uri, line: number, character: number, token: CancellationToken): Promise<Target | undefined> {
  const folder = folderUriFor(uri);
  const found = folder === undefined ? null : await server.request(symbolAt, { uri: uri.toString(), line, character }, token);
  return folder === undefined || found === null ? undefined : { id: found.id, name: found.name, folder };
}
