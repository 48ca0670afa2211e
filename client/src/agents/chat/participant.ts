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
import type { NodesParams, SymbolRow } from '../../../../server/protocol/features';
import type { AnswerDto, DataOf } from '../../../../server/protocol/requests';
import { hasCommand } from '../../contributions';
import type { LatticeServer } from '../../languageClient/latticeServer';
import { Refusal, refusalText } from '../../refusal';
import { serviceLines } from '../../services/servicesRows';
import { answerOf, declaredTools } from '../languageModelTools';
import { possibleIdsIn } from './nodeIds';
import { locationOf, writePlainly } from './plainAnswer';
import { writeProse } from './prose';
import { type Question, questionOf } from './question';

const PARTICIPANT = 'lattice.chat';
/** Most places that an answer refers to. */
const MAX_REFERENCES = 30;

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
    stream.progress('Querying the graph...');
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
  const { command, folder } = question;
  const answers = await factsFor(server, question, token);
  const [facts] = answers;
  if (!facts.envelope.ok) throw new Refusal(refusalText(facts.envelope));
  const lines = isOverview(question) ? serviceLines(await server.ask('services', {}, folder)) : undefined;
  // Of services as a whole, the code that belongs to them says little.
  const nodes = lines === undefined ? await nodesOf(server, facts, folder) : [];
  for (const node of nodes) stream.reference(locationOf(node, folder));
  const tools = declaredTools(extension).filter(tool => tool.tags.includes('read'));
  const prose =
    command.prose &&
    (await writeProse({
      ...turn,
      facts: [...answers.map(({ text }) => text), ...(lines ?? [])].join('\n'),
      tools: tools.map(({ name, modelDescription, inputSchema }) => ({ name, description: modelDescription, inputSchema })),
      callTool: async (name, toolInput) => {
        const tool = tools.find(candidate => candidate.name === name);
        return tool === undefined ? `Unknown tool: ${name}.` : answerOf(server, tool, { ...toolInput }, token);
      },
    }));
  // What was found is told whole by its places.
  if (!prose) writePlainly(stream, answers, nodes, { folder, withText: command.name !== 'find', ...(lines === undefined ? {} : { lines }) });
  offerButtons(stream, extension, question, nodes);
  return { metadata: { command: command.name, name: question.target?.name ?? nodes.find(node => node.kind !== 'file')?.name ?? '' } };
}

/** All services are asked about, not one of them. */
function isOverview({ command, input }: Question): boolean {
  return command.about === 'service' && input['service_name'] === undefined;
}

/** The answer, then that of the decisions behind it where there are any. */
type Facts = readonly [AnswerDto<object>, ...AnswerDto<object>[]];

/** Asks the tool; when nothing changed since what was asked first, it asks about what was named for that case. */
async function factsFor(server: LatticeServer, question: Question, token: CancellationToken): Promise<Facts> {
  const { command, decisions, folder, input, otherwise } = question;
  const where = { uri: folder.toString() };
  const profile = { profile: 'balanced' } as const;
  if (otherwise !== undefined) {
    const facts = await server.callTool('impact_analyze', { ...input, ...profile }, where, token);
    if (!isUnchanged(facts)) return [facts];
    const before = await server.callTool('impact_analyze', { ...otherwise, ...profile }, where, token);
    return [before.envelope.ok ? before : facts];
  }
  const facts = await server.callNamedTool(command.tool, { ...command.input, ...input, ...profile }, where, token);
  if (!facts.envelope.ok || decisions === undefined) return [facts];
  const found = await server.callTool('decision_query', { ...decisions, ...profile }, where, token);
  return found.envelope.ok && found.envelope.data?.count !== 0 ? [facts, found] : [facts];
}

function isUnchanged({ envelope }: AnswerDto<DataOf<'impact_analyze'>>): boolean {
  const changes = envelope.ok ? envelope.data?.changes : undefined;
  return changes !== undefined && (changes.files?.length ?? 0) === 0;
}

async function nodesOf(server: LatticeServer, facts: AnswerDto<object>, folder: Uri): Promise<readonly SymbolRow[]> {
  const question: NodesParams = { ids: [...possibleIdsIn(facts.envelope.data)] };
  const { nodes } = await server.ask('nodesById', question, folder);
  return nodes.slice(0, MAX_REFERENCES);
}

function offerButtons(stream: ChatResponseStream, extension: ExtensionContext, question: Question, nodes: readonly SymbolRow[]): void {
  const { command, folder, target } = question;
  if (isOverview(question)) {
    stream.button({ command: 'lattice.openServiceGraph', title: 'Show Service Map' });
    return;
  }
  const known = target ?? nodes.find(node => node.kind !== 'file');
  if (known === undefined || command.about === 'revision') {
    if (command.tool === 'impact_analyze') stream.button({ command: 'lattice.showImpactOfChanges', title: 'Show in Impact View' });
    return;
  }
  const argument = { id: known.id, name: known.name, folder: folder.toString() };
  const buttons = [
    { command: EDITOR_COMMANDS.impact, title: `Show Impact of ${known.name}` },
    { command: EDITOR_COMMANDS.graph, title: 'Show in Graph' },
  ];
  for (const button of buttons) if (hasCommand(extension, button.command)) stream.button({ ...button, arguments: [argument] });
}

/** What a person asks next, by what was asked: about the same symbol, or (`plain`) about everything. */
const NEXT: Readonly<Record<string, { readonly named?: readonly string[]; readonly plain?: readonly string[] }>> = {
  '': { named: ['explain', 'impact'] },
  find: { named: ['explain', 'impact'] },
  explain: { named: ['impact', 'tests', 'why'] },
  impact: { named: ['tests', 'explain'] },
  tests: { named: ['impact'] },
  changes: { plain: ['tests', 'arch'] },
  why: { named: ['explain'] },
  know: { plain: ['changes'] },
  place: { plain: ['arch'] },
  brief: { named: ['impact', 'tests'] },
};

const NAMED_LABELS: Readonly<Record<string, (name: string) => string>> = {
  explain: name => `What is ${name}?`,
  impact: name => `What breaks if ${name} changes?`,
  tests: name => `Which tests cover ${name}?`,
  why: name => `Why was ${name} written this way?`,
};

const PLAIN_LABELS: Readonly<Record<string, string>> = {
  arch: 'Are there any architecture violations?',
  changes: 'What did I change?',
  tests: 'Which tests should I run?',
};

function followupsOf({ metadata }: Outcome): ChatFollowup[] {
  if (metadata.failed === true) return [{ prompt: '', command: 'status', label: 'Is the index up to date?' }];
  const { named = [], plain = [] } = NEXT[metadata.command] ?? {};
  const { name } = metadata;
  return [
    ...(name === '' ? [] : named.map(command => ({ prompt: name, command, label: NAMED_LABELS[command]?.(name) ?? command }))),
    ...plain.map(command => ({ prompt: '', command, label: PLAIN_LABELS[command] ?? command })),
  ];
}
