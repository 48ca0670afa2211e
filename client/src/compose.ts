import { type Disposable, type ExtensionContext, extensions, window, workspace } from 'vscode';
import { registerChatParticipant } from './agents/chat/participant';
import { registerLanguageModelTools } from './agents/languageModelTools';
import { registerMcpServer } from './agents/mcpDefinition';
import { composeChanges } from './changes/compose';
import { registerCommands } from './commands/registry';
import { registerGraphCommands } from './graph/graphCommands';
import { GraphPanels } from './graph/graphPanels';
import { composeKnowledge } from './knowledge/compose';
import { composeKnowledgeSync } from './knowledge/sync/compose';
import { LatticeServer } from './languageClient/latticeServer';
import { keepContextKeys, showStatus } from './languageClient/status';
import { composeMemory } from './memory/compose';
import { ServicesView } from './services/servicesView';
import { settingsAffected } from './settings';
import { AffectedTests } from './tests/affectedTests';
import { ImpactView } from './views/impactView';
import { MarkdownDocuments } from './views/markdownDocuments';
import { PreviewDocuments } from './views/previewDocuments';
import { StructureView } from './views/structureView';
import { composeWork } from './work/compose';

export interface Composition {
  readonly version: string;
  readonly server: LatticeServer;
  /** Starts the language server in the background unless Lattice is switched off or no folder is open. */
  start(): void;
  stop(): Promise<void>;
}

/** Builds every object of the extension once. What is pushed to `context.subscriptions` is disposed by the editor. */
export function compose(context: ExtensionContext): Composition {
  const version = (context.extension.packageJSON as { readonly version: string }).version;
  const log = window.createOutputChannel('Lattice', { log: true });
  const server = new LatticeServer({ context, version, log });
  const documents = new MarkdownDocuments();
  const previews = new PreviewDocuments();
  const impact = new ImpactView(server);
  const structure = new StructureView(server);
  const affectedTests = new AffectedTests(server, log);
  const services = new ServicesView(server);
  const graphs = new GraphPanels({ context, server, log });
  const start = (): void => {
    server.startWhenWanted().catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
  };
  const parts: Disposable[] = [
    log,
    server,
    documents,
    previews,
    impact,
    structure,
    affectedTests,
    services,
    graphs,
    showStatus(server),
    keepContextKeys(server),
    registerMcpServer({ context, version }),
    registerLanguageModelTools({ context, server }),
    registerChatParticipant({ context, server }),
    ...registerCommands({ context, server, documents, previews, impact, structure, services, affectedTests, log }),
    ...registerGraphCommands({ server, graphs, log }),
    ...composeKnowledge({ server, pages: documents, log, selected: (atom, folder) => graphs.showAtom(atom, folder) }),
    ...composeKnowledgeSync({ server, log }),
    ...composeWork({ server, documents, log }),
    ...composeMemory({ server, documents, log }),
    ...composeChanges({ server, documents, graphs, affectedTests, storage: context.workspaceState, log }),
    workspace.onDidChangeConfiguration(event => {
      if (settingsAffected(event)) server.sendSettings();
      if (event.affectsConfiguration('lattice.enable')) start();
    }),
    workspace.onDidChangeWorkspaceFolders(() => {
      server.sendSettings();
      start();
    }),
    extensions.onDidChange(() => server.sendLanguagesQuietly()),
    workspace.onDidGrantWorkspaceTrust(() => server.sendSettings()),
  ];
  context.subscriptions.push(...parts);
  return { version, server, start, stop: () => server.stop() };
}
