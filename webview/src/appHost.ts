/**
 * The graph inside a chat (MCP Apps, `io.modelcontextprotocol/ui` of 2026-01-26): the page speaks JSON-RPC with the frame around it, is told which tool was
 * called with what, and reads what it shows as resources of Lattice's server. It can show, find and copy; files and commands of an editor are out of its reach.
 */
import type { SceneParams } from '../../server/protocol/features';
import type { PanelCommand, PanelMethod, PanelRequests, PanelState } from '../../server/protocol/graphPanel';
import type { GraphHost, HostMessage } from './host';
import { FIRST_STATE } from './state/panelState';
import { nameTheme } from './ui/theme';

const PROTOCOL = '2026-01-26';
/** Height asked for when the page is shown in line with the conversation, in pixels. */
const HEIGHT = 560;

interface RpcMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message?: string };
}

const QUESTIONS: Readonly<Record<Exclude<PanelCommand, 'impact'>, (id: string) => string>> = {
  explain: id => `Explain ${id}.`,
  references: id => `Who uses ${id}?`,
  knowledge: id => `What does ${id} say?`,
};

/** Colors of the host by the names that the page knows. */
const COLORS: Readonly<Record<string, string>> = {
  '--vscode-editor-background': '--color-background-primary',
  '--vscode-editorWidget-background': '--color-background-secondary',
  '--vscode-editor-foreground': '--color-text-primary',
  '--vscode-descriptionForeground': '--color-text-secondary',
  '--vscode-panel-border': '--color-border-primary',
  '--vscode-focusBorder': '--color-ring-primary',
  '--vscode-font-family': '--font-sans',
  '--vscode-editor-font-family': '--font-mono',
};

export class AppHost implements GraphHost {
  readonly #waiting = new Map<number, { readonly resolve: (result: Readonly<Record<string, unknown>>) => void; readonly reject: (problem: Error) => void }>();
  #number = 0;
  #tool = '';
  #input: Readonly<Record<string, unknown>> = {};
  #capabilities: Readonly<Record<string, unknown>> = {};

  constructor(private readonly told: (message: HostMessage) => void) {
    window.addEventListener('message', event => {
      if (event.source === window.parent) this.#received(event.data as RpcMessage);
    });
  }

  ready(): void {
    const appInfo = { name: 'lattice-graph', title: 'Lattice Graph', version: '1' };
    void this.#request('ui/initialize', { protocolVersion: PROTOCOL, appInfo, appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] } }).then(
      ({ hostCapabilities, hostContext }) => {
        this.#capabilities = objectOf(hostCapabilities);
        this.#look(objectOf(hostContext));
        this.#notify('ui/notifications/initialized', {});
        this.#notify('ui/notifications/size-changed', { height: HEIGHT });
      },
      () => undefined,
    );
  }

  async ask<Method extends PanelMethod>(method: Method, params: PanelRequests[Method]['params']): Promise<PanelRequests[Method]['answer']> {
    const answers: { readonly [Name in PanelMethod]?: (given: never) => Promise<unknown> } = {
      scene: given => this.#read('scene', given),
      details: given => this.#read('details', given),
      search: given => this.#read('search', given),
      open: async ({ path, line, follow = false }: PanelRequests['open']['params']) =>
        follow ? null : this.#say(`Show me ${path}:${line}.`, `${path}:${line}`),
      run: ({ command, id }: PanelRequests['run']['params']) => this.#run(command, id),
      copy: async ({ text }: PanelRequests['copy']['params']) => {
        await navigator.clipboard.writeText(text);
        return null;
      },
      follow: async () => null,
    };
    const answer = answers[method] as ((given: unknown) => Promise<unknown>) | undefined;
    if (answer === undefined) throw new Error('This is only available in the editor. Run "Lattice: Show in Graph" there.');
    return (await answer(params)) as PanelRequests[Method]['answer'];
  }

  /** A chat keeps nothing of a page; it begins with the picture alone, since there is little room. */
  get state(): PanelState {
    return { ...FIRST_STATE, panes: { filters: false, side: 'none', legend: false, map: false } };
  }

  keep(): void {
    return;
  }

  async #run(command: PanelCommand, id: string): Promise<null> {
    if (command === 'impact') {
      this.told({ type: 'show', query: { start: 'impact', target: id }, folder: '' });
      return null;
    }
    return this.#say(QUESTIONS[command](id), id);
  }

  /** Puts a question into the conversation, where the host allows it; else its subject is copied. */
  async #say(question: string, subject: string): Promise<null> {
    if (this.#capabilities['message'] === undefined) {
      await navigator.clipboard.writeText(subject);
      throw new Error(`Copied ${subject}. You can open it in your editor.`);
    }
    await this.#request('ui/message', { role: 'user', content: [{ type: 'text', text: question }] });
    return null;
  }

  async #read(method: string, params: unknown): Promise<unknown> {
    const { contents } = await this.#request('resources/read', { uri: `lattice://view/${method}/${encodeURIComponent(JSON.stringify(params))}` });
    const [content] = Array.isArray(contents) ? (contents as readonly { readonly text?: string }[]) : [];
    if (content?.text === undefined) throw new Error('Lattice did not respond. Try again.');
    return JSON.parse(content.text);
  }

  #received(message: RpcMessage): void {
    if (message.method === undefined) {
      this.#replied(message);
      return;
    }
    const params = message.params ?? {};
    switch (message.method) {
      case 'ui/notifications/tool-input':
        this.#input = objectOf(params['arguments']);
        return;
      case 'ui/notifications/tool-result':
        this.#called(objectOf(params['structuredContent']));
        return;
      case 'ui/notifications/host-context-changed':
        this.#look(params);
        return;
      case 'ui/resource-teardown':
      case 'ping':
        this.#post({ id: message.id, result: {} });
        return;
      default:
        if (message.id !== undefined) this.#post({ id: message.id, error: { code: -32601, message: `Unknown method: ${message.method}.` } });
    }
  }

  #replied({ id, result, error }: RpcMessage): void {
    const waiting = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    if (error === undefined) waiting?.resolve(result ?? {});
    else waiting?.reject(new Error(error.message ?? 'The request was rejected.'));
  }

  /** Shows what the tool was called about. */
  #called(envelope: Readonly<Record<string, unknown>>): void {
    const query = envelope['ok'] === false ? undefined : questionOf(this.#tool, this.#input);
    if (query !== undefined) this.told({ type: 'show', query, folder: '' });
  }

  #look(context: Readonly<Record<string, unknown>>): void {
    const tool = objectOf(objectOf(context['toolInfo'])['tool'])['name'];
    if (typeof tool === 'string') this.#tool = tool;
    const { theme } = context;
    if (theme === 'dark' || theme === 'light') nameTheme(theme);
    const variables = objectOf(objectOf(context['styles'])['variables']);
    for (const [own, theirs] of Object.entries(COLORS)) {
      const value = variables[theirs];
      if (typeof value === 'string') document.documentElement.style.setProperty(own, value);
    }
  }

  #request(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ id, method, params });
    });
  }

  #notify(method: string, params: object): void {
    this.#post({ method, params });
  }

  /** The frame around the page has an origin that the page cannot know; nothing secret is said to it. */
  #post(message: object): void {
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}

/** The view that goes with a call, by what was asked; hosts that do not name the tool are known by the arguments. */
function questionOf(tool: string, input: Readonly<Record<string, unknown>>): SceneParams | undefined {
  const text = (name: string): string | undefined => (typeof input[name] === 'string' && input[name] !== '' ? input[name] : undefined);
  const query = text('query');
  if (query !== undefined && tool !== 'impact_analyze') return { start: 'search', target: query };
  const target = text('target');
  if (target !== undefined) return { start: 'impact', target };
  const { files } = input;
  const [file] = Array.isArray(files) ? (files as readonly unknown[]) : [];
  if (typeof file === 'string') return { start: 'impact', target: file };
  const since = text('since');
  return since === undefined ? { start: 'changes' } : { start: 'changes', target: since };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
