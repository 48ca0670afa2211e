import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPage, openBrowser } from '../helpers/browser';
import { CLI, newPlace, type Place } from '../transports/bundles';

const APP = 'ui://lattice/graph';
let place: Place;
let client: Client;
let browser: Browser;
let page: Page;
let app: Frame;
const complaints: string[] = [];
const said: string[] = [];

/** A host as `io.modelcontextprotocol/ui` describes it: a sandboxed frame, its messages answered, resources handed through to the server. */
function hostPage(parts: { readonly html: string; readonly tool: string; readonly input: object; readonly result: object }): void {
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.style.cssText = 'width: 1000px; height: 560px; border: 0';
  const send = (message: object): void => frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const host = window as unknown as { latticeHand: (method: string, params: object) => Promise<object> };
  const answer = async (event: MessageEvent): Promise<void> => {
    const { id, method, params } = event.data as { id?: number; method?: string; params: object };
    if (method === 'ui/initialize') {
      const hostContext = {
        theme: 'light',
        toolInfo: { tool: { name: parts.tool } },
        styles: { variables: { '--color-background-primary': 'rgb(250, 249, 245)' } },
      };
      send({
        id,
        result: {
          protocolVersion: '2026-01-26',
          hostInfo: { name: 'test', version: '1' },
          hostCapabilities: { message: {}, serverResources: {} },
          hostContext,
        },
      });
    } else if (method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: parts.input } });
      send({ method: 'ui/notifications/tool-result', params: parts.result });
    } else if (id !== undefined && method !== undefined) send({ id, ...(await host.latticeHand(method, params)) });
  };
  window.addEventListener('message', event => void answer(event));
  frame.srcdoc = parts.html;
  document.body.append(frame);
}

beforeAll(async () => {
  place = newPlace();
  const env = Object.fromEntries(Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '--workspace', place.workspace], env, stderr: 'pipe' }));
  browser = await openBrowser();
});

afterAll(async () => {
  await client.close();
  await browser.close();
  place.remove();
});

async function show(tool: string, input: Record<string, unknown>): Promise<void> {
  const result = await client.callTool({ name: tool, arguments: input });
  const { contents } = await client.readResource({ uri: APP });
  const [content] = contents as readonly { readonly text: string; readonly mimeType: string }[];
  expect(content?.mimeType).toBe('text/html;profile=mcp-app');
  page = await newPage(browser, { viewport: { width: 1040, height: 620 }, colorScheme: 'dark' });
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  await page.exposeFunction(
    'latticeHand',
    async (method: string, params: { readonly uri?: string; readonly content?: readonly { readonly text: string }[] }) => {
      if (method === 'ui/message') said.push(params.content?.[0]?.text ?? '');
      if (method !== 'resources/read') return { result: {} };
      return client.readResource({ uri: params.uri ?? '' }).then(
        read => ({ result: read }),
        (error: Error) => ({ error: { code: -32602, message: error.message } }),
      );
    },
  );
  await page.evaluate(hostPage, { html: content?.text ?? '', tool, input, result });
  await expect.poll(() => page.frames().length).toBe(2);
  app = page.frames()[1] as Frame;
}

test('both tools name the page, the others none', async () => {
  const { tools } = await client.listTools();
  const withPage = tools.filter(tool => (tool._meta as { ui?: { resourceUri?: string } } | undefined)?.ui?.resourceUri === APP).map(tool => tool.name);
  expect(withPage).toEqual(['search_code', 'impact_analyze']);
});

test('an impact is shown as a graph, in the colors of the host, without the network', async () => {
  await show('impact_analyze', { target: 'api/src/money.ts::Money' });
  await expect.poll(() => app.locator('#graph-title').innerText()).toContain('Money');
  expect(await app.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(250, 249, 245)');
  expect(await app.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
  expect(complaints).toEqual([]);
});

test('what the page cannot do itself it asks of the conversation', async () => {
  const graph = app.locator('.sheet-row.start').first();
  await graph.focus();
  await graph.press('ArrowRight');
  await graph.press('Space');
  await expect.poll(() => said.length).toBeGreaterThan(0);
  expect(said[0]).toMatch(/^Show me \S+:\d+\.$/);
});

test('a search opens as a view of its hits', async () => {
  await show('search_code', { query: 'invoice' });
  await expect.poll(() => app.locator('#graph-title').innerText()).toContain('invoice');
});

test('a view that is not there or a question that is none is refused in words', async () => {
  await expect(client.readResource({ uri: 'lattice://view/nonsense/%7B%7D' })).rejects.toThrow(/Use scene, details, search/);
  await expect(client.readResource({ uri: 'lattice://view/scene/nonsense' })).rejects.toThrow(/JSON object/);
});
