import { existsSync } from 'node:fs';
import { Disposable, EventEmitter, type ExtensionContext, lm, McpStdioServerDefinition, Uri, workspace } from 'vscode';
import { indexedFolders, setting } from '../settings';
import { foldersOfRoots, mcpServerArgs } from './mcpServerArgs';

const PROVIDER = 'lattice.mcp';

/**
 * Offers the bundled MCP server to the editor's own agents when `lattice.mcp.inEditor` says so and the workspace is trusted.
 * One server for each folder; command, arguments and literal environment only, so that every host in the editor can start it.
 */
export function registerMcpServer({ context, version }: { readonly context: ExtensionContext; readonly version: string }): Disposable {
  // Editors built on an older VS Code do not have this API.
  if (typeof (lm as Partial<typeof lm> | undefined)?.registerMcpServerDefinitionProvider !== 'function') return new Disposable(() => undefined);
  const changed = new EventEmitter<void>();
  const fire = (): void => changed.fire();
  return Disposable.from(
    changed,
    workspace.onDidGrantWorkspaceTrust(fire),
    workspace.onDidChangeWorkspaceFolders(fire),
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('lattice.mcp') || event.affectsConfiguration('lattice.enable')) fire();
    }),
    lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => mcpDefinitions(context.extensionUri, version),
    }),
  );
}

function mcpDefinitions(extension: Uri, version: string): McpStdioServerDefinition[] {
  if (!workspace.isTrusted || !setting<boolean>('lattice.enable') || !setting<boolean>('lattice.mcp.inEditor')) return [];
  const bundle = Uri.joinPath(extension, 'dist', 'mcp.js').fsPath;
  const offered = mcpServerArgs({
    tools: setting<string>('lattice.mcp.toolsets'),
    // The server does not start with a folder that is not there, such as one on a disk that is not connected.
    roots: foldersOfRoots(setting<readonly string[]>('lattice.mcp.roots')).filter(folder => existsSync(folder)),
    autoClaim: setting<boolean>('lattice.mcp.autoClaim'),
  });
  const folders = indexedFolders();
  return folders.map(folder => {
    const label = folders.length === 1 ? 'Lattice' : `Lattice (${folder.name})`;
    const args = [bundle, '--workspace', folder.uri.fsPath, ...offered];
    return new McpStdioServerDefinition(label, process.execPath, args, { ELECTRON_RUN_AS_NODE: '1' }, version);
  });
}
