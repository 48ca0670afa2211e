/**
 * Pictures of real code are measured: packages of npm that ship their sources, flask and gin, all pinned by hash. No name is cut or overlaps another,
 * no text is smaller than 11 pixels, and hardly any line runs through a box that it has nothing to do with.
 */
import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SceneParams } from '../../server/protocol/features';
import { openBrowser } from '../helpers/browser';
import { GraphPage } from '../helpers/graphPage';
import { measurePicture } from '../helpers/measurePicture.mjs';
import { copySources, type SourceName } from '../helpers/realSources.mjs';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { workspaceOf } from '../helpers/workspaceOf';
import { CLI, lattice, newPlace, type Place } from '../transports/bundles';

const PACKAGES = ['@azure/msal-common', 'cytoscape'];
/** Three of them share the code, one has what nobody else has. */
const OWNERS = '* @core\nsrc/cache/ @storage\nsrc/collection/ @storage\nsrc/extensions/ @layouts @core\nsrc/util* @tools\n';
/** Against two of these layers goes a link. */
const RULES = `version: 1
layers:
  - id: graph
    include: [src/core/**, src/collection/**]
    mayDependOn: [base]
  - id: drawing
    include: [src/extensions/**]
    mayDependOn: [graph, base]
  - id: base
    include: ['src/*.mjs', src/util/**]
    mayDependOn: []
`;
const SERVICES = join(import.meta.dirname, '..', 'fixtures', 'workspaces', 'services');
const FETCHED: readonly SourceName[] = ['flask', 'gin'];
const modules = join(import.meta.dirname, '..', '..', 'node_modules');
let place: Place;
let browser: Browser;
const clients = new Map<string, Client>();

beforeAll(async () => {
  place = newPlace();
  browser = await openBrowser();
  for (const name of PACKAGES) {
    const workspace = folderOf(name);
    mkdirSync(workspace);
    cpSync(join(modules, name, 'src'), join(workspace, 'src'), { recursive: true });
    cpSync(join(modules, name, 'package.json'), join(workspace, 'package.json'));
    writeFileSync(join(workspace, 'CODEOWNERS'), OWNERS);
    if (name === 'cytoscape') {
      mkdirSync(join(workspace, '.lattice'));
      writeFileSync(join(workspace, '.lattice', 'architecture.yaml'), RULES);
    }
    await serve(name);
  }
  cpSync(SERVICES, folderOf('services'), { recursive: true });
  await serve('services');
  for (const name of FETCHED) {
    try {
      copySources(name, folderOf(name));
      // What others use is gone, and something is new.
      if (name === 'flask') {
        removeFolder(join(folderOf(name), 'src', 'flask', 'json', 'tag.py'));
        appendFileSync(join(folderOf(name), 'src', 'flask', 'globals.py'), '\n\ndef current_name():\n    return current_app.name\n');
      }
    } catch (error) {
      // Without a network the packages of npm are measured alone.
      console.warn(`NOT MEASURED ${name}: its sources could not be fetched. ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    await serve(name);
  }
});

function folderOf(name: string): string {
  return join(place.workspace, '..', name.replace('/', '-'));
}

/** Indexes the folder of that name and starts a server on it. */
async function serve(name: string): Promise<void> {
  const workspace = folderOf(name);
  expect((await lattice(place, 'index', '--workspace', workspace)).exit).toBe(0);
  const env = Object.fromEntries(Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '--workspace', workspace], env, stderr: 'pipe' }));
  clients.set(name, client);
}

afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await browser.close();
  place.remove();
});

async function ask(name: string, view: string, params: unknown): Promise<unknown> {
  const answer = await clients.get(name)?.readResource({ uri: `lattice://view/${view}/${encodeURIComponent(JSON.stringify(params))}` });
  const [content] = answer?.contents ?? [];
  if (content === undefined || !('text' in content)) throw new Error(`no ${view} of ${name}`);
  return JSON.parse(content.text) as unknown;
}

const SCENES: readonly (readonly [name: string, query: SceneParams])[] = [
  ['@azure/msal-common', { start: 'focus', target: 'src/logger/Logger.ts::Logger' }],
  ['@azure/msal-common', { start: 'focus', target: 'src/cache/CacheManager.ts::CacheManager' }],
  ['@azure/msal-common', { start: 'focus', target: 'src/authority/Authority.ts', depth: 2 }],
  ['@azure/msal-common', { start: 'impact', target: 'src/logger/Logger.ts::Logger' }],
  ['@azure/msal-common', { start: 'impact', target: 'src/cache/CacheManager.ts::CacheManager' }],
  ['cytoscape', { start: 'focus', target: 'src/is.mjs' }],
  ['cytoscape', { start: 'focus', target: 'src/math.mjs' }],
  ['cytoscape', { start: 'impact', target: 'src/is.mjs' }],
  ['@azure/msal-common', { start: 'workspace' }],
  ['@azure/msal-common', { start: 'workspace', groupBy: 'community' }],
  ['@azure/msal-common', { start: 'workspace', groupBy: 'owner', expand: ['open:owner:@storage'] }],
  ['cytoscape', { start: 'workspace' }],
  ['cytoscape', { start: 'workspace', groupBy: 'owner', expand: ['open:owner:@storage'] }],
  ['cytoscape', { start: 'workspace', colorBy: 'churn', expand: ['open:folder:src', 'open:folder:src/collection', 'open:folder:src/core'] }],
  ['cytoscape', { start: 'folder', target: 'src/extensions' }],
  ['cytoscape', { start: 'search', target: 'style' }],
  ['cytoscape', { start: 'path', target: 'src/extensions/layout/cose.mjs', to: 'src/is.mjs' }],
  ['services', { start: 'workspace', groupBy: 'service' }],
  ['services', { start: 'workspace', groupBy: 'service', expand: ['open:service:web', 'open:service:orders'] }],
  ['services', { start: 'flow', target: 'GET /pages/:id' }],
  ['flask', { start: 'compare', target: 'HEAD' }],
  ['flask', { start: 'focus', target: 'src/flask/app.py::Flask::full_dispatch_request' }],
  ['flask', { start: 'impact', target: 'src/flask/app.py::Flask::wsgi_app' }],
  ['flask', { start: 'workspace' }],
  ['gin', { start: 'focus', target: 'gin.go::Engine' }],
  ['gin', { start: 'impact', target: 'gin.go::Engine::handleHTTPRequest' }],
  ['gin', { start: 'workspace' }],
];

/** In CSS pixels. The last is a window of 1,400 pixels zoomed to 200%. */
const SIZES = [
  { width: 1400, height: 900 },
  { width: 1100, height: 900 },
  { width: 700, height: 450 },
] as const;

test.each(SCENES)('names are whole and apart, lines run between the boxes: %s, %j', async (name, query) => {
  if (!clients.has(name)) return;
  const graph = await GraphPage.open(browser, { workspace: workspaceOf({}), ask: (view, params) => ask(name, view, params), query, size: SIZES[0] });
  try {
    for (const size of SIZES) {
      await graph.resize(size);
      await expect.poll(() => graph.page.locator(':is(.sheet-line:not(.gone), .block-line) .seen[d]').count()).toBeGreaterThan(0);
      const found = await graph.page.evaluate(measurePicture);
      expect(found.names).toBeGreaterThan(1);
      expect({ size, cut: found.cut, overlapping: found.overlapping, small: found.small }).toEqual({ size, cut: [], overlapping: [], small: [] });
      expect(found.crossing.length / found.lines).toBeLessThanOrEqual(0.02);
      expect(graph.complaints).toEqual([]);
    }
  } finally {
    await graph.page.close();
  }
});
