import { type CancellationToken, type ChatRequest, Location, Uri, window, workspace } from 'vscode';
import { CHAT_COMMANDS, CHAT_DEFAULT, type ChatCommand } from '../../../../server/protocol/chat';
import type { ExplainDto, ExplainQuery } from '../../../../server/protocol/features';
import { symbolAt } from '../../../../server/protocol/requests';
import type { Target } from '../../commands/symbolSearch';
import { folderUriFor, type LatticeServer } from '../../languageClient/latticeServer';
import { Refusal } from '../../refusal';

/** One call of a tool that answers a chat request. */
export interface Question {
  readonly command: ChatCommand;
  readonly input: Readonly<Record<string, unknown>>;
  readonly folder: Uri;
  /** What it is about, when that is known before the answer. */
  readonly target?: Target;
}

/** Turns a request into a question: its words, else what was attached, else the symbol at the cursor. */
export async function questionOf(server: LatticeServer, request: ChatRequest, token: CancellationToken): Promise<Question> {
  const command = CHAT_COMMANDS.find(row => row.name === request.command) ?? CHAT_DEFAULT;
  const words = request.prompt.trim();
  const attached = await attachedTarget(server, request, token);
  const folder = attached?.folder ?? folderUriFor(window.activeTextEditor?.document.uri);
  if (folder === undefined) throw new Refusal('Open a folder first: Lattice answers from the folders of the workspace.');
  const input = INPUTS[command.about];
  return { command, folder, ...(await input({ server, command, words, folder, attached, token })) };
}

interface Clues {
  readonly server: LatticeServer;
  readonly command: ChatCommand;
  readonly words: string;
  readonly folder: Uri;
  readonly attached: Target | undefined;
  readonly token: CancellationToken;
}

type Found = Pick<Question, 'input' | 'target'>;

/** Name of the parameter that takes the words of a tool. */
const WORDS_OF: Readonly<Record<string, string>> = { context_pack: 'task', diff_since: 'since' };

const INPUTS: Readonly<Record<ChatCommand['about'], (clues: Clues) => Found | Promise<Found>>> = {
  words: ({ command, words, attached }) => {
    const text = words || attached?.id || (command.tool === 'diff_since' ? 'HEAD' : '');
    if (text === '') throw new Refusal('Ask something: what a piece of code does, who uses it, what depends on it.');
    return { input: { [WORDS_OF[command.tool] ?? 'query']: text } };
  },
  target: async ({ server, command, words, folder, attached, token }) => {
    if (words !== '') {
      const target = await namedTarget(server, words, folder, token);
      return target === undefined ? { input: { target: words } } : { input: { target: target.id }, target };
    }
    if (attached !== undefined) return { input: { target: attached.id }, target: attached };
    if (command.tool === 'impact_analyze') return { input: { since: 'HEAD' } };
    throw new Refusal(`Say what to ${command.name}: a name, a path, or put the cursor on a symbol.`);
  },
  files: async ({ server, words, folder, attached, token }) => {
    const named = words === '' ? attached?.id : words;
    if (named === undefined) return { input: {} };
    const target = await namedTarget(server, named, folder, token);
    if (target === undefined) throw new Refusal(`There is nothing called ${named} in the graph.`);
    return { input: { files: [target.id.split('::')[0]] }, target };
  },
  nothing: () => ({ input: {} }),
};

/** The node that the first words name; `undefined` when the tool has to say what is wrong. */
async function namedTarget(server: LatticeServer, words: string, folder: Uri, token: CancellationToken): Promise<Target | undefined> {
  const name = /^\S+/.exec(words)?.[0] ?? words;
  try {
    const question: ExplainQuery = { target: name, limit: 1 };
    const { symbol } = await server.ask<ExplainDto>('explain', question, folder, token);
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
