import { randomBytes } from 'node:crypto';
import { commands, type Disposable, type ExtensionContext, env, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { ExplainParams, SceneParams, SearchParams } from '../../../server/protocol/features';
import type { ExtensionMessage, PageMessage, PanelMethod, PanelRequests, PanelState } from '../../../server/protocol/graphPanel';
import { symbolAt } from '../../../server/protocol/requests';
import { uriOf } from '../answers';
import { pastUriOf, showDifference } from '../changes/pastDocuments';
import type { LatticeServer } from '../languageClient/latticeServer';
import { folderUriFor } from '../languageClient/latticeServer';
import { Refusal } from '../refusal';
import { columnBeside, openAt } from '../views/openAt';
import { panelHtml } from './panelHtml';
import type { SavedViews } from './savedViews';
import { timelineOf } from './timelineOf';

export interface GraphPanelOptions {
  readonly context: ExtensionContext;
  readonly server: LatticeServer;
  readonly saved: SavedViews;
  readonly panel: WebviewPanel;
  readonly folder: Uri;
  /** What the page's own security policy refused; nothing when all is well. */
  readonly violated: (text: string) => void;
}

/** Pauses of the cursor shorter than this are not followed. */
const CURSOR_MS = 250;
const NEIGHBORS = 60;
const HITS = 20;

type Answers = { readonly [Method in PanelMethod]: (params: PanelRequests[Method]['params']) => Promise<PanelRequests[Method]['answer']> };

/** One panel: loads the page, answers what it asks, and tells it of new revisions and of the cursor. */
export class GraphPanel implements Disposable {
  private readonly subscriptions: Disposable[];
  /** What to show as soon as the page is there: before it is loaded, and while it is hidden, which unloads it. */
  private waiting: ExtensionMessage[] | undefined = [];
  private following: Disposable | undefined;
  private pause: NodeJS.Timeout | undefined;
  private current: Uri;
  /** Scenes asked for; the last one gives the tab its title, whichever is answered first. */
  private scenes = 0;

  constructor(private readonly options: GraphPanelOptions) {
    const { panel, server, folder } = options;
    this.current = folder;
    this.subscriptions = [
      panel.webview.onDidReceiveMessage((message: PageMessage) => this.received(message)),
      server.onRevision(({ revision }) => this.tell({ type: 'revision', revision })),
      server.onRecords(({ areas }) => {
        if (areas.includes('knowledge')) this.tell({ type: 'knowledge' });
      }),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.waiting ??= [];
      }),
    ];
    panel.onDidDispose(() => this.dispose());
    const picture = (name: string): Uri => Uri.joinPath(options.context.extensionUri, 'media', name);
    panel.iconPath = { light: picture('graphOnLight.svg'), dark: picture('graphOnDark.svg') };
    panel.webview.html = this.html();
  }

  get folder(): Uri {
    return this.current;
  }

  show(query: SceneParams, folder: Uri): void {
    this.current = folder;
    this.tell({ type: 'show', query, folder: folder.toString() });
    this.options.panel.reveal(undefined, false);
  }

  restore(state: PanelState): void {
    this.current = Uri.parse(state.folder);
    this.tell({ type: 'restore', state });
    this.options.panel.reveal(undefined, false);
  }

  /** Brings out the files of an atom, wherever the panel is. */
  showAtom(id: string): void {
    this.tell({ type: 'atom', id });
  }

  dispose(): void {
    clearTimeout(this.pause);
    this.following?.dispose();
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }

  private html(): string {
    const { webview } = this.options.panel;
    const file = (name: string): string => webview.asWebviewUri(Uri.joinPath(this.options.context.extensionUri, 'dist', name)).toString();
    return panelHtml({
      nonce: randomBytes(18).toString('base64url'),
      source: webview.cspSource,
      script: file('webview.js'),
      controls: file('controls.js'),
      style: file('webview.css'),
    });
  }

  private received(message: PageMessage): void {
    if (message.type === 'ready') {
      const waiting = this.waiting ?? [];
      this.waiting = undefined;
      for (const one of waiting) this.tell(one);
    } else if (message.type === 'violation') this.options.violated(message.text);
    else void this.answer(message.number, message.method, message.params);
  }

  private async answer(number: number, method: PanelMethod, params: unknown): Promise<void> {
    try {
      const run = this.answers[method] as (given: unknown) => Promise<unknown>;
      this.tell({ type: 'reply', number, answer: await run(params) });
    } catch (error) {
      this.tell({ type: 'reply', number, problem: error instanceof Error ? error.message : String(error) });
    }
  }

  private readonly answers: Answers = {
    scene: async query => {
      const number = ++this.scenes;
      const scene = await this.whenThere(() => this.options.server.ask('graphScene', query, this.current));
      if (number === this.scenes) this.options.panel.title = `Graph: ${scene.title}`;
      return scene;
    },
    details: ({ asOf, id }) => {
      const question: ExplainParams = { target: id, limit: NEIGHBORS };
      return this.options.server.ask('explain', { ...question, ...(asOf === undefined ? {} : { asOf }) }, this.current);
    },
    timeline: async ({ id }) => {
      const { server } = this.options;
      const [points, history] = await Promise.all([
        server.ask('points', {}, this.current),
        id === '' ? undefined : server.ask('history', { id }, this.current).catch(() => undefined),
      ]);
      return timelineOf(points, history);
    },
    search: ({ text }) => {
      const question: SearchParams = { query: text, limit: HITS };
      return this.options.server.ask('search', question, this.current);
    },
    open: async ({ against, asOf, path, line, beside, follow = false }) => {
      const uri = asOf === undefined ? uriOf(this.current, path) : await this.pastUri(path, asOf, follow);
      if (uri === undefined) return null;
      if (follow) return this.showBeside(uri, line);
      const column = beside ? ViewColumn.Beside : columnBeside(this.options.panel.viewColumn);
      const older = against === undefined ? undefined : await this.pastUri(path, against, true);
      if (older === undefined) await openAt(uri, line, column);
      else await showDifference(older, uri, `${path.slice(path.lastIndexOf('/') + 1)} (changes)`, { line, column });
      return null;
    },
    run: async ({ command, id, name }) => {
      await commands.executeCommand(RUNS[command], { id, name, folder: this.current });
      return null;
    },
    save: params => this.save(params),
    copy: async ({ text }) => {
      await env.clipboard.writeText(text);
      return null;
    },
    saveView: ({ state, name }) => this.options.saved.keep({ ...state, folder: this.current.toString() }, name),
    follow: async ({ on }) => {
      this.follow(on);
      return null;
    },
  };

  /** What is refused while the first index is being built is asked again after it. */
  private async whenThere<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { server } = this.options;
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || server.isSettled) throw error;
      this.tell({ type: 'indexing' });
      await server.whenIndexed();
      return await ask();
    }
  }

  /** Of a file as it was; `undefined` where nobody asked to see it and there is no text. */
  private async pastUri(path: string, at: string, isOptional: boolean): Promise<Uri | undefined> {
    const answer = await this.options.server.ask('pastText', { path, at }, this.current).catch((error: unknown) => {
      if (isOptional) return undefined;
      throw error;
    });
    if (answer !== undefined && answer.text !== null) return pastUriOf(this.current, path, at);
    if (isOptional) return undefined;
    throw new Refusal('The text of this state was not stored. Only commits have their text.');
  }

  /** Where code is shown beside the graph, it follows what is selected there. */
  private async showBeside(uri: Uri, line: number): Promise<null> {
    const own = this.options.panel.viewColumn;
    const other = window.visibleTextEditors.find(editor => editor.viewColumn !== undefined && editor.viewColumn !== own);
    if (other?.viewColumn !== undefined) await openAt(uri, line, other.viewColumn, true);
    return null;
  }

  private async save({ format, name, content }: PanelRequests['save']['params']): Promise<string> {
    const { extension, label } = FORMATS[format];
    const file = `${name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'graph'}.${extension}`;
    const place = await window.showSaveDialog({ defaultUri: Uri.joinPath(this.current, file), filters: { [label]: [extension] }, title: `Save ${label}` });
    if (place === undefined) return '';
    await workspace.fs.writeFile(place, Buffer.from(content, format === 'png' ? 'base64' : 'utf8'));
    return workspace.asRelativePath(place);
  }

  private follow(on: boolean): void {
    this.following?.dispose();
    clearTimeout(this.pause);
    this.following = on
      ? window.onDidChangeTextEditorSelection(({ textEditor }) => {
          clearTimeout(this.pause);
          this.pause = setTimeout(() => void this.cursorMoved(textEditor.document.uri, textEditor.selection.active), CURSOR_MS);
        })
      : undefined;
  }

  private async cursorMoved(uri: Uri, { line, character }: { readonly line: number; readonly character: number }): Promise<void> {
    if (uri.scheme !== 'file' || folderUriFor(uri)?.toString() !== this.current.toString()) return;
    try {
      const found = await this.options.server.request(symbolAt, { uri: uri.toString(), line, character });
      if (found !== null) this.tell({ type: 'cursor', id: found.id });
    } catch {
      // Without an answer the picture stays where it is.
    }
  }

  private tell(message: ExtensionMessage): void {
    // A page that comes back requests everything again; only its target must not be lost.
    if (this.waiting === undefined || message.type === 'reply') void this.options.panel.webview.postMessage(message);
    else if (message.type === 'show' || message.type === 'restore' || message.type === 'atom') this.waiting.push(message);
  }
}

const RUNS: Readonly<Record<PanelRequests['run']['params']['command'], string>> = {
  impact: 'lattice.showImpact',
  explain: 'lattice.explainSymbol',
  references: 'lattice.showReferences',
  knowledge: 'lattice.editKnowledge',
};

const FORMATS: Readonly<Record<PanelRequests['save']['params']['format'], { readonly extension: string; readonly label: string }>> = {
  png: { extension: 'png', label: 'Picture' },
  svg: { extension: 'svg', label: 'Drawing' },
  json: { extension: 'json', label: 'Data' },
  mermaid: { extension: 'mmd', label: 'Mermaid' },
  markdown: { extension: 'md', label: 'Markdown' },
};
