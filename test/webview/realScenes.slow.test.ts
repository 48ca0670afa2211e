/**
 * Pictures of real code are measured: packages that ship their sources, as the lock file pins them by hash. No name is cut or overlaps another,
 * no text is smaller than 11 pixels, and hardly any line runs through a box that it has nothing to do with.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SceneParams } from '../../server/protocol/features';
import { openBrowser } from '../helpers/browser';
import { GraphPage } from '../helpers/graphPage';
import { workspaceOf } from '../helpers/workspaceOf';
import { CLI, lattice, newPlace, type Place } from '../transports/bundles';

const PACKAGES = ['@azure/msal-common', 'cytoscape'];
const modules = join(import.meta.dirname, '..', '..', 'node_modules');
let place: Place;
let browser: Browser;
const clients = new Map<string, Client>();

beforeAll(async () => {
  place = newPlace();
  browser = await openBrowser();
  for (const name of PACKAGES) {
    const workspace = join(place.workspace, '..', name.replace('/', '-'));
    mkdirSync(workspace);
    cpSync(join(modules, name, 'src'), join(workspace, 'src'), { recursive: true });
    cpSync(join(modules, name, 'package.json'), join(workspace, 'package.json'));
    expect((await lattice(place, 'index', '--workspace', workspace)).exit).toBe(0);
    const env = Object.fromEntries(Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
    const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '--workspace', workspace], env, stderr: 'pipe' }));
    clients.set(name, client);
  }
});

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

interface Measured {
  readonly names: number;
  readonly cut: readonly string[];
  readonly overlapping: readonly string[];
  readonly small: readonly string[];
  readonly lines: number;
  readonly crossing: readonly string[];
}

/** Runs in the page: looks at what is drawn as a reader would. */
function measure(): Measured {
  const all = <Part extends Element>(selector: string): Part[] => [...document.querySelectorAll<Part>(`:is(.sheet, .blocks):not([hidden]) :is(${selector})`)];
  const names = all<HTMLElement>('.sheet-name, .sheet-path, .sheet-heading, .block-name, .block-facts, .block-band:not([hidden]) span');
  const cut = names.filter(name => name.scrollWidth > name.clientWidth + 1 && getComputedStyle(name).display !== 'inline');
  const outside = names.filter(name => {
    const [own, card] = [name.getBoundingClientRect(), name.closest('.sheet-card, .sheet-column, .block')?.getBoundingClientRect()];
    return card !== undefined && (own.left < card.left - 1 || own.right > card.right + 1 || own.top < card.top - 1 || own.bottom > card.bottom + 1);
  });
  const rects = all<HTMLElement>('.sheet-row, .sheet-title, .sheet-heading, .block, .block-close, .block-band:not([hidden]) span').map(part => ({
    part,
    rect: part.getBoundingClientRect(),
  }));
  const overlapping = rects.flatMap(({ part, rect }, at) =>
    rects
      .slice(at + 1)
      .filter(({ rect: other }) => {
        const width = Math.min(rect.right, other.right) - Math.max(rect.left, other.left);
        const height = Math.min(rect.bottom, other.bottom) - Math.max(rect.top, other.top);
        return width > 1 && height > 1;
      })
      .map(other => `${part.textContent} / ${other.part.textContent}`),
  );
  const small = names.filter(name => Number.parseFloat(getComputedStyle(name).fontSize) < 11);
  const cards = all<HTMLElement>('.sheet-card, .block, .block-close').filter(card => !card.matches('.sheet-card') || card.querySelector('.sheet-row') !== null);
  const svg = document.querySelector(':is(.sheet, .blocks):not([hidden]) > * > svg')?.getBoundingClientRect();
  const lines = all<SVGGElement>('.sheet-line:not(.gone), .block-line');
  const boxes = cards.map(card => card.getBoundingClientRect());
  const crossing = lines.filter(line => {
    const path = line.querySelector<SVGPathElement>('.seen');
    if (path === null || svg === undefined) return false;
    const length = path.getTotalLength();
    const steps = Math.min(150, Math.max(33, Math.ceil(length / 8)));
    // The ends touch the boxes that they belong to.
    const points = Array.from({ length: steps - 2 }, (_, step) => path.getPointAtLength((length * (step + 1)) / steps));
    return boxes.some(box =>
      points.some(({ x, y }) => x + svg.left > box.left + 2 && x + svg.left < box.right - 2 && y + svg.top > box.top + 2 && y + svg.top < box.bottom - 2),
    );
  });
  const textOf = (part: Element): string => part.textContent ?? '';
  return {
    names: names.length,
    cut: [...cut, ...outside].map(textOf),
    overlapping,
    small: small.map(textOf),
    lines: lines.length,
    crossing: crossing.map(textOf),
  };
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
  ['cytoscape', { start: 'workspace' }],
  ['cytoscape', { start: 'workspace', colorBy: 'churn', expand: ['open:folder:src', 'open:folder:src/collection', 'open:folder:src/core'] }],
  ['cytoscape', { start: 'folder', target: 'src/extensions' }],
];

test.each(SCENES)('names are whole and apart, lines run between the boxes: %s, %j', async (name, query) => {
  // The last is a window of 1,400 pixels zoomed to 200%.
  for (const width of [1400, 1100, 700]) {
    const size = { width, height: width === 700 ? 450 : 900 };
    const graph = await GraphPage.open(browser, { workspace: workspaceOf({}), ask: (view, params) => ask(name, view, params), query, size });
    try {
      await expect.poll(() => graph.page.locator(':is(.sheet-line:not(.gone), .block-line) .seen[d]').count()).toBeGreaterThan(0);
      const found = await graph.page.evaluate(measure);
      expect(found.names).toBeGreaterThan(8);
      expect({ cut: found.cut, overlapping: found.overlapping, small: found.small }).toEqual({ cut: [], overlapping: [], small: [] });
      expect(found.crossing.length / found.lines).toBeLessThanOrEqual(0.02);
      expect(graph.complaints).toEqual([]);
    } finally {
      await graph.page.close();
    }
  }
});
