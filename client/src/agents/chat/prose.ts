import {
  type CancellationToken,
  type ChatContext,
  type ChatRequest,
  ChatResponseMarkdownPart,
  type ChatResponseStream,
  ChatResponseTurn,
  type LanguageModelChat,
  LanguageModelChatMessage,
  type LanguageModelChatTool,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  MarkdownString,
} from 'vscode';

/** Rounds of tool calls after which the model has to answer. */
const MAX_ROUNDS = 6;
/** Earlier answers that the model sees. */
const MAX_TURNS = 4;

const INSTRUCTIONS = `You answer questions about a codebase from facts that Lattice computed from its graph.
Say only what the facts say. What they mark as possible is not certain. If they do not answer the question, call a tool, or say that you do not know.
Put symbols in backticks and give locations as path:line. Be short: answer first, then the evidence as a list.`;

export interface ProseOptions {
  readonly request: ChatRequest;
  readonly context: ChatContext;
  readonly stream: ChatResponseStream;
  /** Facts from the first tool call. */
  readonly facts: string;
  readonly tools: readonly LanguageModelChatTool[];
  /** Runs a tool; a refusal rejects with text for the model. */
  callTool(name: string, input: object): Promise<string>;
  readonly token: CancellationToken;
}

/**
 * Has the model of the request answer from the facts, calling tools as it needs. False when there is no model, or it gave nothing
 * before it failed: the caller then shows the facts themselves.
 */
export async function writeProse(options: ProseOptions): Promise<boolean> {
  const { request, stream, facts } = options;
  const model = request.model as LanguageModelChat | undefined;
  if (model === undefined) return false;
  const question = `${request.command === undefined ? '' : `/${request.command} `}${request.prompt}`.trim();
  const messages = [
    LanguageModelChatMessage.User(INSTRUCTIONS),
    ...earlier(options.context),
    LanguageModelChatMessage.User(`Facts from Lattice:\n\n${facts}\n\nQuestion: ${question}`),
  ];
  let written = false;
  const write = (text: string): void => {
    written ||= text.trim() !== '';
    stream.markdown(text);
  };
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const calls = await oneRound(model, messages, { ...options, tools: round === MAX_ROUNDS - 1 ? [] : options.tools }, write);
      if (calls.length === 0) break;
      const results = await Promise.all(calls.map(call => resultOf(call, options)));
      messages.push(LanguageModelChatMessage.Assistant(calls), LanguageModelChatMessage.User(results));
    }
    return written;
  } catch (error) {
    // No consent, no quota, blocked, gone: the facts are there all the same.
    if (options.token.isCancellationRequested) throw error;
    if (written)
      stream.markdown(new MarkdownString('\n\n').appendText(`The model stopped responding: ${error instanceof Error ? error.message : String(error)}`));
    return written;
  }
}

async function oneRound(
  model: LanguageModelChat,
  messages: readonly LanguageModelChatMessage[],
  { tools, token }: Pick<ProseOptions, 'tools' | 'token'>,
  write: (text: string) => void,
): Promise<LanguageModelToolCallPart[]> {
  const response = await model.sendRequest([...messages], { tools: [...tools], justification: 'Lattice uses it to answer questions about your code.' }, token);
  const calls: LanguageModelToolCallPart[] = [];
  for await (const part of response.stream) {
    if (part instanceof LanguageModelTextPart) write(part.value);
    else if (part instanceof LanguageModelToolCallPart) calls.push(part);
  }
  return calls;
}

async function resultOf(call: LanguageModelToolCallPart, { stream, callTool }: ProseOptions): Promise<LanguageModelToolResultPart> {
  stream.progress(`Running ${call.name.replace('lattice_', '').replaceAll('_', ' ')}...`);
  const text = await callTool(call.name, call.input).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  return new LanguageModelToolResultPart(call.callId, [new LanguageModelTextPart(text)]);
}

function earlier({ history }: ChatContext): LanguageModelChatMessage[] {
  return history.slice(-MAX_TURNS).map(turn => {
    if (!(turn instanceof ChatResponseTurn)) return LanguageModelChatMessage.User(turn.prompt);
    const text = turn.response.map(part => (part instanceof ChatResponseMarkdownPart ? part.value.value : '')).join('');
    return LanguageModelChatMessage.Assistant(text === '' ? '(empty response)' : text);
  });
}
