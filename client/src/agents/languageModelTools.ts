import {
  type CancellationToken,
  Disposable,
  type ExtensionContext,
  LanguageModelTextPart,
  type LanguageModelTool,
  type LanguageModelToolInvocationOptions,
  type LanguageModelToolInvocationPrepareOptions,
  LanguageModelToolResult,
  lm,
  MarkdownString,
  type PreparedToolInvocation,
  window,
} from 'vscode';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';

/** A row of `contributes.languageModelTools`; `npm run update` writes them from the catalogue. */
export interface DeclaredTool {
  readonly name: string;
  readonly displayName: string;
  readonly modelDescription: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}

const PREFIX = 'lattice_';
/** Below this an answer has no room for what it must say, in tokens. */
const MIN_TOKENS = 300;

type Input = Readonly<Record<string, unknown>>;

export function declaredTools(context: ExtensionContext): readonly DeclaredTool[] {
  return (
    (context.extension.packageJSON as { readonly contributes: { readonly languageModelTools?: readonly DeclaredTool[] } }).contributes.languageModelTools ?? []
  );
}

/** Offers every declared tool to the editor's own agents; each only forwards. */
export function registerLanguageModelTools({ context, server }: { readonly context: ExtensionContext; readonly server: LatticeServer }): Disposable {
  // Editors built on an older VS Code do not have this API.
  if (typeof (lm as Partial<typeof lm> | undefined)?.registerTool !== 'function') return new Disposable(() => undefined);
  return Disposable.from(...declaredTools(context).map(tool => lm.registerTool(tool.name, new ForwardingTool(tool, server))));
}

class ForwardingTool implements LanguageModelTool<Input> {
  constructor(
    private readonly tool: DeclaredTool,
    private readonly server: LatticeServer,
  ) {}

  async invoke(options: LanguageModelToolInvocationOptions<Input>, token: CancellationToken): Promise<LanguageModelToolResult> {
    const budget = options.tokenizationOptions?.tokenBudget;
    const asked = Number(options.input['maxTokens'] ?? Number.POSITIVE_INFINITY);
    const input = budget === undefined || budget >= asked ? options.input : { ...options.input, maxTokens: Math.max(MIN_TOKENS, Math.floor(budget)) };
    return new LanguageModelToolResult([new LanguageModelTextPart(await answerOf(this.server, this.tool, input, token))]);
  }

  prepareInvocation({ input }: LanguageModelToolInvocationPrepareOptions<Input>): PreparedToolInvocation {
    const { displayName, tags } = this.tool;
    const invocationMessage = `${displayName}${subjectOf(input)}`;
    if (!tags.includes('write')) return { invocationMessage };
    // The change itself, as the tool will get it.
    const message = new MarkdownString()
      .appendText(`Lattice will change its records for this workspace:`)
      .appendCodeblock(JSON.stringify(input, undefined, 2), 'json');
    return { invocationMessage, confirmationMessages: { title: displayName, message } };
  }
}

/** Text of a tool's answer for a model; a refusal is thrown as text that the model can act on. */
export async function answerOf(server: LatticeServer, tool: Pick<DeclaredTool, 'name'>, input: Input, token: CancellationToken): Promise<string> {
  const folder = folderUriFor(window.activeTextEditor?.document.uri);
  const answer = await server.callNamedTool(tool.name.slice(PREFIX.length), input, folder === undefined ? {} : { uri: folder.toString() }, token);
  const { ok, summary, hint } = answer.envelope;
  if (!ok) throw new Error(hint === undefined ? summary : `${summary} ${hint}`);
  return answer.text;
}

/** `: Cart.add`, what the call is about, in a few characters. */
function subjectOf(input: Input): string {
  const subject = ['query', 'target', 'symbol', 'task', 'file', 'since', 'id', 'title']
    .map(key => input[key])
    .find(value => typeof value === 'string' && value !== '');
  return typeof subject === 'string' ? `: ${subject.length > 60 ? `${subject.slice(0, 59)}…` : subject}` : '';
}
