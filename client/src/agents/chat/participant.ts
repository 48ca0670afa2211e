import {
  type CancellationToken,
  type ChatContext,
  type ChatFollowup,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  chat,
  Disposable,
  type ExtensionContext,
  MarkdownString,
  Uri,
} from 'vscode';
import { EDITOR_COMMANDS } from '../../../../server/protocol/editorCommands';
import type { NodesDto, NodesQuery, SymbolDto } from '../../../../server/protocol/features';
import type { AnswerDto } from '../../../../server/protocol/requests';
import { hasCommand } from '../../contributions';
import type { LatticeServer } from '../../languageClient/latticeServer';
import { Refusal } from '../../refusal';
import { answerOf, declaredTools } from '../languageModelTools';
import { idsIn, locationOf, writePlainly } from './plainAnswer';
import { writeProse } from './prose';
import { type Question, questionOf } from './question';

const PARTICIPANT = 'lattice.chat';
/** Most places that an answer refers to. */
const MOST_REFERENCES = 30;

export interface ChatParts {
  readonly context: ExtensionContext;
  readonly server: LatticeServer;
}

/** What a follow-up needs of the answer before it. */
interface Outcome extends ChatResult {
  readonly metadata: { readonly command: string; readonly name: string; readonly failed?: true };
}

/** `@lattice`: the same tools that agents call, for a person. A model makes prose of the answer where there is one; otherwise the answer itself is shown. */
export function registerChatParticipant(parts: ChatParts): Disposable {
  // Editors built on an older VS Code do not have this API.
  if (typeof (chat as Partial<typeof chat> | undefined)?.createChatParticipant !== 'function') return new Disposable(() => undefined);
  const participant = chat.createChatParticipant(PARTICIPANT, (request, context, stream, token) => answer(parts, request, context, stream, token));
  participant.iconPath = Uri.joinPath(parts.context.extensionUri, 'media', 'icon.png');
  participant.followupProvider = { provideFollowups: result => followupsOf(result as Outcome) };
  return participant;
}

async function answer(parts: ChatParts, request: ChatRequest, context: ChatContext, stream: ChatResponseStream, token: CancellationToken): Promise<Outcome> {
  try {
    stream.progress('Asking the graph…');
    const question = await questionOf(parts.server, request, token);
    return await answerQuestion(parts, question, { request, context, stream, token });
  } catch (error) {
    if (!(error instanceof Refusal)) parts.server.log.warn(`@lattice: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    stream.markdown(new MarkdownString().appendText(error instanceof Error ? error.message : String(error)));
    return { metadata: { command: request.command ?? '', name: '', failed: true } };
  }
}

interface Turn {
  readonly request: ChatRequest;
  readonly context: ChatContext;
  readonly stream: ChatResponseStream;
  readonly token: CancellationToken;
}

async function answerQuestion({ context: extension, server }: ChatParts, question: Question, turn: Turn): Promise<Outcome> {
  const { stream, token } = turn;
  const { command, folder, input } = question;
  const facts = await server.callTool(command.tool, { ...input, profile: 'balanced' }, { uri: folder.toString() }, token);
  if (!facts.envelope.ok) throw new Refusal([facts.envelope.summary, facts.envelope.hint].filter(text => text !== undefined).join(' '));
  const nodes = await nodesOf(server, facts, folder);
  for (const node of nodes) stream.reference(locationOf(node, folder));
  const tools = declaredTools(extension).filter(tool => tool.tags.includes('read'));
  const told =
    command.prose &&
    (await writeProse({
      ...turn,
      facts: facts.text,
      tools: tools.map(({ name, modelDescription, inputSchema }) => ({ name, description: modelDescription, inputSchema })),
      callTool: async (name, toolInput) => {
        const tool = tools.find(candidate => candidate.name === name);
        return tool === undefined ? `There is no tool ${name}.` : answerOf(server, tool, toolInput as Readonly<Record<string, unknown>>, token);
      },
    }));
  // What was found is told whole by its places.
  if (!told) writePlainly(stream, facts, nodes, { folder, withText: command.name !== 'find' });
  offerButtons(stream, extension, question, nodes);
  return { metadata: { command: command.name, name: question.target?.name ?? nodes.find(node => node.kind !== 'file')?.name ?? '' } };
}

async function nodesOf(server: LatticeServer, facts: AnswerDto, folder: Uri): Promise<readonly SymbolDto[]> {
  const question: NodesQuery = { ids: [...idsIn(facts.envelope.data)] };
  const { nodes } = await server.ask<NodesDto>('nodesById', question, folder);
  return nodes.slice(0, MOST_REFERENCES);
}

function offerButtons(stream: ChatResponseStream, extension: ExtensionContext, { command, target, folder }: Question, nodes: readonly SymbolDto[]): void {
  const known = target ?? nodes.find(node => node.kind !== 'file');
  if (known === undefined) {
    if (command.name === 'impact') stream.button({ command: 'lattice.showImpactOfChanges', title: 'Show in the Impact View' });
    return;
  }
  const argument = { id: known.id, name: known.name, folder: folder.toString() };
  const buttons = [
    { command: EDITOR_COMMANDS.impact, title: `Impact of ${known.name}` },
    { command: EDITOR_COMMANDS.graph, title: 'Show in the Graph' },
  ];
  for (const button of buttons) if (hasCommand(extension, button.command)) stream.button({ ...button, arguments: [argument] });
}

/** What a person asks next, by what was asked. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '': ['explain', 'impact'],
  find: ['explain', 'impact'],
  explain: ['impact', 'tests'],
  impact: ['tests', 'explain'],
  tests: ['impact'],
  changes: ['tests'],
  brief: ['impact', 'tests'],
};

function followupsOf({ metadata }: Outcome): ChatFollowup[] {
  if (metadata.failed === true) return [{ prompt: '', command: 'status', label: 'Is the index up to date?' }];
  if (metadata.name === '') return [];
  const labels: Readonly<Record<string, string>> = {
    explain: `What is ${metadata.name}?`,
    impact: `What breaks if ${metadata.name} changes?`,
    tests: `Which tests cover ${metadata.name}?`,
  };
  return (NEXT[metadata.command] ?? []).map(command => ({ prompt: metadata.name, command, label: labels[command] ?? command }));
}
