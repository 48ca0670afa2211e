import { commands, type ExtensionContext, type FileSystemWatcher, type LogOutputChannel, type SymbolInformation, type TextDocument, Uri } from 'vscode';
import type { CloseHandlerResult, LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { CONTRACT_EXTENSIONS } from '../../../server/protocol/contractFiles';
import { EDITOR_COMMANDS } from '../../../server/protocol/editorCommands';
import { EDITOR_LANGUAGES } from '../../../server/protocol/editorLanguages';
import type { InitializationOptions } from '../../../server/protocol/initialization';
import { PROSE_LANGUAGES } from '../../../server/protocol/proseLanguages';
import { contributes } from '../contributions';
import { readSettings, setting } from '../settings';
import type { RestartLimiter } from './restartLimiter';
import { UnlistedSymbols } from './unlistedSymbols';

export interface LanguageClientParts {
  readonly context: ExtensionContext;
  readonly version: string;
  readonly log: LogOutputChannel;
  readonly watcher: FileSystemWatcher;
  readonly restarts: RestartLimiter;
  /** Variables that the server has beside those of the editor. */
  readonly env: Readonly<Record<string, string>>;
  /** The server died too often or could not be reached; it stays down until the user restarts it. */
  readonly onStopped: (message: string) => void;
  readonly onRunning: (running: boolean) => void;
  /** Before symbols of the workspace are asked for: which of them others list depends on what is open and active by then. */
  readonly beforeSymbols: () => Promise<void>;
}

/** A client that is ready to start. The library is loaded here, after activation. */
export async function createLanguageClient(parts: LanguageClientParts): Promise<LanguageClient> {
  const library = await import('./protocolClient');
  const module = Uri.joinPath(parts.context.extensionUri, 'dist', 'server.js').fsPath;
  // The editor's own runtime runs the server, so that no Node has to be installed; IPC keeps stdout free.
  const server: ServerOptions = {
    run: { module, transport: library.TransportKind.ipc, options: { env: parts.env } },
    debug: { module, transport: library.TransportKind.ipc, options: { env: parts.env, execArgv: ['--nolazy', '--inspect=6009'] } },
  };
  const unlisted = new UnlistedSymbols(text => commands.executeCommand<SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', text));
  const options: LanguageClientOptions = {
    documentSelector: [...SERVED.map(language => ({ scheme: 'file', language })), { scheme: 'file', pattern: `**/*.{${CONTRACT_EXTENSIONS.join(',')}}` }],
    // Links of hovers may run these commands and no others.
    markdown: { isTrusted: { enabledCommands: Object.values(EDITOR_COMMANDS) } },
    outputChannel: parts.log,
    middleware: {
      provideWorkspaceSymbols: async (text, token, next) => {
        if (unlisted.isAsked(text)) return [];
        await parts.beforeSymbols();
        const symbols = (await next(text, token)) ?? [];
        return setting<string>('lattice.workspaceSymbols.enable') === 'auto' ? unlisted.among(symbols, text) : symbols;
      },
      // Registered for any document, so that the editor puts it below the hover of the language, which names the language.
      provideHover: (document, position, token, next) => (isServed(document) ? next(document, position, token) : undefined),
    },
    initializationOptions: (): InitializationOptions => initializationOptions(parts),
    synchronize: { fileEvents: parts.watcher },
    errorHandler: {
      error: () => ({ action: library.ErrorAction.Continue, handled: true }),
      closed: (): CloseHandlerResult => {
        if (parts.restarts.mayRestart(Date.now())) {
          parts.log.warn('The language server stopped unexpectedly and is being restarted.');
          return { action: library.CloseAction.Restart, handled: true };
        }
        parts.onStopped('The Lattice language server stopped several times within three minutes and will not be restarted. See the log for details.');
        return { action: library.CloseAction.DoNotRestart, handled: true };
      },
    },
    initializationFailedHandler: error => {
      parts.log.error(`The language server could not be started: ${String(error)}`);
      return false;
    },
  };
  const client = new library.LanguageClient('lattice', 'Lattice', server, options);
  client.onDidChangeState(event => {
    if (event.newState === library.State.Running) parts.onRunning(true);
    else if (event.newState === library.State.Starting) parts.onRunning(false);
  });
  await client.setTrace(library.Trace.fromString(setting<string>('lattice.trace.server')));
  return client;
}

const SERVED: readonly string[] = [...EDITOR_LANGUAGES, ...PROSE_LANGUAGES];

function isServed({ languageId, uri }: TextDocument): boolean {
  return uri.scheme === 'file' && SERVED.includes(languageId);
}

function initializationOptions(parts: LanguageClientParts): InitializationOptions {
  return {
    ...readSettings(),
    bundleFolder: Uri.joinPath(parts.context.extensionUri, 'dist').fsPath,
    editorRuntime: process.execPath,
    extensionVersion: parts.version,
    commands: contributes(parts.context).commands.map(row => row.command),
  };
}
