import {
  CodeActionKind,
  type DidChangeWatchedFilesParams,
  FileChangeType,
  HoverRequest,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
  type WorkspaceSymbol,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { CONTRACT_EXTENSIONS } from '../../protocol/contractFiles';
import { settingsChanged } from '../../protocol/initialization';
import { PROSE_LANGUAGES } from '../../protocol/proseLanguages';
import {
  callTool,
  diffMarkdownOf,
  type FolderStatus,
  health,
  type LanguagesWithoutProvider,
  languagesWithoutProvider,
  launcher,
  query,
  recordsChanged,
  revisionPublished,
  statusChanged,
  symbolAt,
} from '../../protocol/requests';
import type { CancellationToken } from '../base/cancellation';
import { DisposableStore } from '../base/disposable';
import type { WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';
import type { Caller, FileEvent } from '../session/gateway';
import { newIdempotencyKey, newSessionId } from './callers';
import { type DiffReport, diffMarkdown } from './diffMarkdown';
import type { TransportHost } from './host';
import { CodeLenses } from './lsp/codeLenses';
import { callToolParams, diffMarkdownParams, languagesParams, queryParams, symbolAtParams } from './lsp/customParams';
import { ArchitectureDiagnostics } from './lsp/diagnostics/architectureDiagnostics';
import { DiagnosticBoard } from './lsp/diagnostics/diagnosticBoard';
import { ServiceDiagnostics } from './lsp/diagnostics/serviceDiagnostics';
import { FirstIndexProgress } from './lsp/firstIndexProgress';
import { type Folder, Folders } from './lsp/folders';
import { healthReport } from './lsp/health';
import { serveCallHierarchy } from './lsp/hierarchy/callHierarchy';
import type { LanguageRegistration } from './lsp/hierarchy/languageRegistration';
import { serveTypeHierarchy } from './lsp/hierarchy/typeHierarchy';
import { nodeHover, nodeLinks } from './lsp/nodeLinks';
import { Overlays } from './lsp/overlays';
import { answering, Questions, readParams } from './lsp/questions';
import { readOnlyAnswer, writesRecords } from './lsp/readOnly';
import { EditorSettings } from './lsp/settings';
import { Throttle } from './lsp/throttle';
import { toHover, toWorkspaceSymbol } from './lsp/toProtocol';
import { pathStyleOf } from './lsp/uri';
import type { LspConnection } from './lspConnection';

/** Shortest time between two status notifications, in milliseconds. */
const STATUS_MS = 100;
const MAX_SYMBOLS = 200;
const MAX_URIS = 500;

/**
 * Door of the language server: an editor window with any number of folders, each with its own workspace.
 *
 * Does not know the editor: it speaks the protocol and the custom messages of `server/protocol`.
 * Invariants: hover and symbols answer from the current snapshot and never wait for the index; positions refer to the text of the editor,
 * which goes to the engines as overlays before a question is asked; nothing but the protocol is written to the connection.
 */
export interface LspOptions {
  readonly host: TransportHost;
  readonly connection: LspConnection;
  /** `process.platform`. */
  readonly platform: string;
  /** Refreshes the launcher that MCP configurations name. */
  writeLauncher(editorRuntime: string | undefined): Promise<Result<unknown, Failure>>;
}

/** Starts to listen. Resolves never; `close` of what it gives leaves all workspaces in good order. */
export function serveLsp(options: LspOptions): { close(): Promise<void> } {
  const server = new LanguageServer(options);
  options.connection.listen();
  return server;
}

class LanguageServer {
  readonly #connection: LspConnection;
  readonly #folders: Folders;
  readonly #questions: Questions;
  readonly #overlays: Overlays;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #callHierarchy: LanguageRegistration;
  readonly #typeHierarchy: LanguageRegistration;
  readonly #codeLens: CodeLenses;
  readonly #board: DiagnosticBoard;
  readonly #architecture: ArchitectureDiagnostics;
  readonly #services: ServiceDiagnostics;
  readonly #firstIndex: FirstIndexProgress;
  readonly #disposables = new DisposableStore();
  readonly #status: Throttle;
  /** Documents whose opening was seen. */
  readonly #opened = new Set<string>();
  #settings = new EditorSettings(undefined);
  /** Languages that nobody else serves; an editor that never says so has no other servers that we know of. */
  #withoutProvider: LanguagesWithoutProvider | undefined;
  #lazySymbols = false;
  #registersHover = false;
  #showsProgress = false;
  #listensToFolders = false;
  #listening = false;

  constructor(private readonly options: LspOptions) {
    const { connection, host, platform } = options;
    const style = pathStyleOf(platform);
    const caller: Caller = { kind: 'editor', agentId: undefined, sessionId: newSessionId() };
    this.#connection = connection;
    this.#folders = new Folders(host, style);
    this.#questions = new Questions(this.#folders, caller, () => this.#overlays.flush());
    this.#overlays = this.#disposables.add(new Overlays(this.#folders, caller, style));
    this.#callHierarchy = serveCallHierarchy(connection, this.#questions);
    this.#typeHierarchy = serveTypeHierarchy(connection, this.#questions);
    const paused = (): Promise<void> => this.#overlays.paused();
    this.#codeLens = this.#disposables.add(new CodeLenses({ connection, questions: this.#questions, settings: () => this.#settings, paused }));
    const lineOf = (uri: string, line: number): string | undefined =>
      this.#documents
        .get(uri)
        ?.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } })
        .replace(/\r?\n$/, '');
    this.#board = new DiagnosticBoard(connection);
    const checked = { board: this.#board, questions: this.#questions, settings: () => this.#settings, lineOf };
    this.#architecture = this.#disposables.add(new ArchitectureDiagnostics(checked));
    this.#services = this.#disposables.add(new ServiceDiagnostics(checked));
    connection.onCodeAction(params => answering(async () => [...this.#architecture.actions(params), ...this.#services.actions(params)]));
    this.#disposables.add(
      this.#folders.onRevision(({ folder }) => {
        this.#architecture.outdated(folder);
        this.#services.outdated(folder);
      }),
    );
    this.#firstIndex = new FirstIndexProgress(connection);
    this.#status = this.#disposables.add(new Throttle(STATUS_MS, () => this.#sendStatus()));
    this.#disposables.add(this.#folders.onChange(() => this.#status.request()));
    this.#disposables.add(this.#folders.onRevision(({ folder, changed }) => this.#sendRevision(folder, changed)));
    this.#disposables.add(this.#folders.onRecords(({ folder, areas }) => this.#sendRecords(folder, areas)));
    this.#lifecycle();
    this.#textDocuments();
    this.#editorFeatures();
    this.#customRequests();
  }

  async close(): Promise<void> {
    this.#disposables.dispose();
    await this.#folders.closeAll();
  }

  #lifecycle(): void {
    this.#connection.onInitialize(params => this.#initialize(params));
    this.#connection.onInitialized(() => {
      this.#listening = true;
      this.#registerHierarchies();
      if (this.#registersHover) void this.#connection.client.register(HoverRequest.type, { documentSelector: ANY_DOCUMENT }).catch(() => undefined);
      if (this.#listensToFolders) this.#followFolders();
      this.#status.request();
      void this.options.writeLauncher(this.#settings.editorRuntime);
    });
    this.#connection.onShutdown(() => this.close());
    this.#connection.onNotification(settingsChanged.method, params => this.#applySettings(params));
    this.#connection.onNotification(languagesWithoutProvider.method, params => {
      const read = languagesParams.safeParse(params);
      if (!read.success) return;
      this.#withoutProvider = read.data;
      this.#callHierarchy.withoutProvider = read.data.calls;
      this.#typeHierarchy.withoutProvider = read.data.types;
    });
  }

  #registerHierarchies(): void {
    this.#callHierarchy.setting = this.#settings.provides('callHierarchy');
    this.#typeHierarchy.setting = this.#settings.provides('typeHierarchy');
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.#settings = new EditorSettings(params.initializationOptions);
    this.#lazySymbols = params.capabilities.workspace?.symbol?.resolveSupport?.properties.includes('location.range') === true;
    this.#codeLens.refreshes = params.capabilities.workspace?.codeLens?.refreshSupport === true;
    this.#registersHover = params.capabilities.textDocument?.hover?.dynamicRegistration === true;
    this.#showsProgress = params.capabilities.window?.workDoneProgress === true;
    this.#listensToFolders = params.capabilities.workspace?.workspaceFolders === true;
    for (const folder of foldersOf(params)) this.#folders.add({ ...folder, settings: this.#settings.forFolder(folder.uri) });
    return {
      serverInfo: { name: 'lattice', version: this.options.host.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
        hoverProvider: !this.#registersHover,
        codeLensProvider: { resolveProvider: true },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        documentLinkProvider: { resolveProvider: false },
        workspaceSymbolProvider: { resolveProvider: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  #followFolders(): void {
    this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const folder of removed) {
        void this.#board.closed(folder.uri);
        void this.#folders.remove(folder.uri);
      }
      for (const { uri, name } of added) {
        this.#folders.add({ uri, name, settings: this.#settings.forFolder(uri) });
        for (const document of this.#documents.all()) if (this.#folders.locate(document.uri)?.folder.uri === uri) this.#compareWithDisk(document.uri);
      }
    });
  }

  #applySettings(received: unknown): void {
    const settings = new EditorSettings(received, this.#settings);
    this.#settings = settings;
    this.#registerHierarchies();
    this.#codeLens.reconfigured();
    for (const folder of this.#folders.all) {
      this.#architecture.outdated(folder);
      this.#services.outdated(folder);
      void folder.opening.then(opened => {
        if (opened.ok) opened.value.configure(settings.forFolder(folder.uri));
      });
    }
  }

  #textDocuments(): void {
    const documents = this.#documents;
    documents.listen(this.#connection);
    documents.onDidOpen(({ document }) => this.#compareWithDisk(document.uri));
    documents.onDidChangeContent(({ document }) => {
      // The library reports the opening of a document as a change too.
      if (this.#opened.has(document.uri)) {
        this.#overlays.changed(document);
        this.#edited(document.uri);
      } else this.#opened.add(document.uri);
    });
    documents.onDidSave(({ document }) => {
      this.#overlays.settled(document.uri, document.version);
      this.#notifyFiles([{ uri: document.uri, type: FileChangeType.Changed }]);
    });
    documents.onDidClose(({ document }) => {
      this.#opened.delete(document.uri);
      this.#overlays.settled(document.uri, document.version);
      this.#edited(document.uri);
    });
    this.#connection.onDidChangeWatchedFiles(params => this.#notifyFiles(params.changes));
  }

  #edited(uri: string): void {
    const located = this.#folders.locate(uri);
    if (located !== undefined) this.#services.edited(located.folder);
  }

  #compareWithDisk(uri: string): void {
    void this.#overlays.opened(uri, () => this.#documents.get(uri));
  }

  #notifyFiles(changes: DidChangeWatchedFilesParams['changes']): void {
    const byFolder = new Map<Folder, FileEvent[]>();
    for (const change of changes) {
      const located = this.#folders.locate(change.uri);
      const kind = FILE_EVENTS[change.type];
      if (located === undefined || located.path === '' || kind === undefined) continue;
      // Of a folder that is made together with its files a watcher may tell alone.
      if (located.path === '.lattice' || located.path.startsWith('.lattice/')) this.#architecture.outdated(located.folder);
      const events = byFolder.get(located.folder) ?? [];
      events.push({ path: located.path, kind });
      byFolder.set(located.folder, events);
    }
    for (const [folder, events] of byFolder) {
      void folder.opening.then(opened => {
        if (opened.ok) opened.value.notifyFiles(events);
      });
    }
  }

  #editorFeatures(): void {
    this.#connection.onHover((params, token) =>
      answering(async () => {
        const located = this.#folders.locate(params.textDocument.uri);
        if (located === undefined || !this.#settings.hoverEnabled(located.folder.uri)) return null;
        this.#questions.sendTyped();
        const place = { path: located.path, line: params.position.line + 1, column: params.position.character };
        const document = this.#documents.get(params.textDocument.uri);
        const language = document?.languageId;
        const isProse = (PROSE_LANGUAGES as readonly (string | undefined)[]).includes(language);
        const beside = language !== undefined && this.#withoutProvider?.hovers.includes(language) === false;
        const answer =
          isProse && document !== undefined
            ? await nodeHover(this.#questions, document, params.position, token)
            : await this.#questions.quietly(located.folder, 'hover', { ...place, ...(beside ? { beside } : {}) }, token);
        return answer === undefined || answer === null || answer.lines.length === 0
          ? null
          : toHover(answer, located.folder, { knows: command => this.#settings.knows(command), gaps: this.#settings.hoverGaps(located.folder.uri) });
      }),
    );
    this.#connection.onDocumentLinks((params, token) =>
      answering(async () => {
        const document = this.#documents.get(params.textDocument.uri);
        const when = this.#settings.provides('documentLinks');
        if (document === undefined || isContract(document.uri)) return [];
        return when === 'never' ? [] : nodeLinks(this.#questions, document, { everywhere: when === 'always' }, token);
      }),
    );
    this.#connection.onWorkspaceSymbol((params, token) => answering(() => this.#workspaceSymbols(params.query, token)));
    this.#connection.onWorkspaceSymbolResolve(symbol => {
      const range: unknown = typeof symbol.data === 'object' && symbol.data !== null ? Reflect.get(symbol.data, 'range') : undefined;
      return range === undefined ? symbol : ({ ...symbol, location: { uri: symbol.location.uri, range } } as WorkspaceSymbol);
    });
  }

  async #workspaceSymbols(text: string, token: CancellationToken): Promise<WorkspaceSymbol[]> {
    const when = this.#settings.provides('workspaceSymbols');
    if (when === 'never') return [];
    const languages = when === 'auto' ? this.#withoutProvider?.symbols : undefined;
    this.#questions.sendTyped();
    const found = await Promise.all(
      this.#folders.all.map(async folder => {
        const answer = await this.#questions.quietly(
          folder,
          'workspaceSymbols',
          { query: text, limit: MAX_SYMBOLS, ...(languages === undefined ? {} : { languages }) },
          token,
        );
        return (answer?.symbols ?? []).map(row => toWorkspaceSymbol(row, folder, this.#lazySymbols));
      }),
    );
    return found.flat();
  }

  #customRequests(): void {
    const connection = this.#connection;
    connection.onRequest(callTool.method, (received: unknown, token: CancellationToken) =>
      answering(async () => {
        const { name, input, uri } = readParams(callToolParams, received);
        if (!this.#settings.trusted && writesRecords(name)) return readOnlyAnswer(name);
        this.#questions.sendTyped();
        const gateway = await this.#questions.gatewayFor(uri, token);
        return gateway.callTool({ name, input, caller: this.#questions.caller, idempotencyKey: newIdempotencyKey() }, token);
      }),
    );
    connection.onRequest(query.method, (received: unknown, token: CancellationToken) =>
      answering(() => {
        const { feature, params, uri } = readParams(queryParams, received);
        this.#questions.sendTyped();
        return this.#questions.ask(uri, feature, params, token);
      }),
    );
    connection.onRequest(diffMarkdownOf.method, (received: unknown, token: CancellationToken) =>
      answering(async () => {
        const { from, uri } = readParams(diffMarkdownParams, received);
        this.#questions.sendTyped();
        const report = await this.#questions.ask(uri, 'graphDiff', from === undefined ? {} : { from }, token);
        return { markdown: diffMarkdown(report as DiffReport) };
      }),
    );
    connection.onRequest(symbolAt.method, (received: unknown, token: CancellationToken) => answering(() => this.#symbolAt(received, token)));
    connection.onRequest(health.method, (_: unknown, token: CancellationToken) => answering(() => healthReport(this.#questions, token)));
    connection.onRequest(launcher.method, () =>
      answering(async () => {
        const written = await this.options.writeLauncher(this.#settings.editorRuntime);
        if (!written.ok) throw new ResponseError(LSPErrorCodes.RequestFailed, written.error.message, { code: written.error.code });
        return written.value;
      }),
    );
  }

  async #symbolAt(received: unknown, token: CancellationToken): Promise<{ readonly id: string; readonly name: string } | null> {
    const { uri, line, character } = readParams(symbolAtParams, received);
    const located = this.#folders.locate(uri);
    if (located === undefined) return null;
    this.#questions.sendTyped();
    const place = { path: located.path, line: line + 1, column: character };
    const row = await this.#questions.quietly(located.folder, 'symbolAt', place, token);
    return row === undefined || row === null ? null : { id: row.id, name: row.name };
  }

  #sendStatus(): void {
    if (!this.#listening) return;
    const folders: FolderStatus[] = this.#folders.all.map(({ name, uri, progress, revision, role, counts }) => ({
      folder: name,
      uri,
      ...progress,
      revision,
      role,
      ...(counts === undefined ? {} : { counts }),
    }));
    void this.#connection.sendNotification(statusChanged.method, { folders });
    if (this.#showsProgress) this.#firstIndex.update(this.#folders.all);
  }

  #sendRecords(folder: Folder, areas: readonly string[]): void {
    if (this.#listening) void this.#connection.sendNotification(recordsChanged.method, { uri: folder.uri, areas });
  }

  #sendRevision(folder: Folder, changed: readonly WorkspacePath[]): void {
    if (!this.#listening) return;
    this.#codeLens.outdated();
    const uris = changed.slice(0, MAX_URIS).map(path => folder.uriOf(path));
    void this.#connection.sendNotification(revisionPublished.method, {
      folder: folder.name,
      revision: folder.revision,
      uris,
      more: changed.length > MAX_URIS,
    });
  }
}

/** Editors show the hover of who names the language first; that of who takes any document stands below it. */
const ANY_DOCUMENT = [{ language: '*' }];

const FILE_EVENTS: Readonly<Partial<Record<number, FileEvent['kind']>>> = {
  [FileChangeType.Created]: 'created',
  [FileChangeType.Changed]: 'changed',
  [FileChangeType.Deleted]: 'deleted',
};

/** Folders of the window; older clients name one root only. */
function foldersOf(params: InitializeParams): { readonly uri: string; readonly name: string }[] {
  if (params.workspaceFolders !== undefined && params.workspaceFolders !== null) return params.workspaceFolders.map(({ uri, name }) => ({ uri, name }));
  const root: unknown = Reflect.get(params, 'rootUri');
  return typeof root === 'string' ? [{ uri: root, name: root.slice(root.lastIndexOf('/') + 1) }] : [];
}

/** Contracts are open for the problems in them alone. */
function isContract(uri: string): boolean {
  return CONTRACT_EXTENSIONS.some(extension => uri.endsWith(`.${extension}`));
}
