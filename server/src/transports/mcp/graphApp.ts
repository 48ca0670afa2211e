import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server';
import { neverCancelled } from '../../base/cancellation';
import type { FeatureName } from '../../features/catalogue/catalogue';
import { renderPageHtml } from '../cli/reportHtml';
import type { ToolCaller } from './callTool';

/**
 * The graph as an MCP App: hosts that can show pages show this one beside the answers of `GRAPH_TOOLS`; all others show the text, as without it.
 * The page is one file without a network; what it shows it reads as resources, which hosts hand through.
 */
const APP_URI = 'ui://lattice/graph';
const APP_TYPE = 'text/html;profile=mcp-app';

const GRAPH_TOOLS: readonly string[] = ['impact_analyze', 'search_code'];

/** What the page may ask, and the feature that answers. */
const VIEWS: Readonly<Record<string, { readonly feature: FeatureName; readonly params: (given: Readonly<Record<string, unknown>>) => object }>> = {
  scene: { feature: 'graphScene', params: given => given },
  details: { feature: 'explain', params: ({ id }) => ({ target: id, limit: 60 }) },
  search: { feature: 'search', params: ({ text }) => ({ query: text, limit: 20 }) },
};

/** `_meta` of a tool in `tools/list`, the same on every connection. */
export function appMetaOf(tool: string): { readonly _meta?: Record<string, unknown> } {
  return GRAPH_TOOLS.includes(tool) ? { _meta: { ui: { resourceUri: APP_URI } } } : {};
}

export function registerGraphApp(server: McpServer, caller: ToolCaller): void {
  const metadata = {
    title: 'Graph',
    description: 'Interactive graph for hosts that support MCP Apps, shown next to an impact or a search.',
    mimeType: APP_TYPE,
  };
  server.registerResource('graph-app', APP_URI, metadata, async () => {
    const file = (name: string): Promise<string> => readFile(join(caller.host.bundleFolder, name), 'utf8');
    const [controls, page, style] = await Promise.all([file('controls.js'), file('webview.js'), file('webview.css')]);
    const text = renderPageHtml({
      title: 'Lattice Graph',
      scripts: [controls, page],
      style,
      attributes: 'data-surface="graph" data-host="app"',
      hasWorker: true,
    });
    return { contents: [{ uri: APP_URI, mimeType: APP_TYPE, text, _meta: { ui: { prefersBorder: true } } }] };
  });
  const view = {
    title: 'View',
    description: 'Data of the interactive graph: scene, details or search, with its parameters as JSON.',
    mimeType: 'application/json',
  };
  server.registerResource('view', new ResourceTemplate('lattice://view/{view}/{question}', { list: undefined }), view, async (uri, variables) => ({
    contents: [
      { uri: uri.href, mimeType: 'application/json', text: JSON.stringify(await answerOf(caller, String(variables['view']), String(variables['question']))) },
    ],
  }));
}

async function answerOf(caller: ToolCaller, name: string, question: string): Promise<unknown> {
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  if (view === undefined) throw invalid(`Unknown view: ${name}. Use ${Object.keys(VIEWS).join(', ')}.`);
  const opened = await caller.session.gateway;
  if (!opened.ok) throw new ProtocolError(ProtocolErrorCode.InternalError, opened.error.message);
  const asker = { kind: 'agent', agentId: undefined, sessionId: caller.sessionId } as const;
  const answer = await opened.value.query(view.feature, view.params(readQuestion(question)), asker, neverCancelled);
  if (!answer.ok) throw invalid(answer.error.message);
  return answer.value;
}

function readQuestion(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(decodeURIComponent(text));
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Readonly<Record<string, unknown>>;
  } catch {
    // Said below, as for any other JSON.
  }
  throw invalid('The parameters of a view must be a percent-encoded JSON object.');
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
