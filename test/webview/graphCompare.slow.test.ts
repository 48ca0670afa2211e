import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InterfaceChange } from '../../server/protocol/features';
import { askFeature } from '../helpers/askFeature';
import { openBrowser } from '../helpers/browser';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { GraphPage } from '../helpers/graphPage';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

/** Before, `total` took no parameter and there was an `old`; `lonely` was not there. */
const before: WorkspaceSketch = {
  ...shop,
  'src/pay.ts': {
    ...shop['src/pay.ts'],
    hash: 'as it was before',
    symbols: [
      ...(shop['src/pay.ts']?.symbols?.filter(({ name }) => name !== 'total') ?? []),
      { name: 'total', lines: [11, 13], signature: 'function total(): number', modifiers: ['exported'] },
      { name: 'old', lines: [15, 16], signature: 'function old(): void' },
    ],
  },
  'src/lonely.ts': { symbols: [] },
};

test('a comparison stands in columns; each change has a sign, a word and an edge of its own, and opens as a difference', async () => {
  const workspace = workspaceOf(shop, { past: { earlier: before } });
  const graph = await GraphPage.open(browser, { workspace, query: { start: 'compare', target: 'earlier' } });
  try {
    const headings = (await graph.page.locator('.sheet-heading').allInnerTexts()).map(text => text.replace(/ · \d+$/, ''));
    expect(headings).toEqual(['Code that breaks', 'Breaking', 'Added', 'Removed']);
    const row = (id: string) => graph.row(id);
    const sign = (id: string): Promise<string> => row(id).locator('.change-sign').innerText();
    expect([await sign('src/pay.ts::total'), await sign('src/lonely.ts::lonely'), await sign('src/pay.ts::old')]).toEqual(['!~', '+', '−']);
    expect(await row('src/pay.ts::total').getAttribute('aria-label')).toBe('total, signature changed, breaking, function');
    const edges = await Promise.all(
      ['src/pay.ts::total', 'src/lonely.ts::lonely', 'src/pay.ts::old'].map(id => row(id).evaluate(own => getComputedStyle(own).borderLeftStyle)),
    );
    expect(edges).toEqual(['double', 'solid', 'dashed']);
    await row('src/pay.ts::total').dblclick();
    await expect.poll(() => graph.requests.at(-1)?.params).toMatchObject({ path: 'src/pay.ts', against: 'earlier' });
    await row('src/pay.ts::old').dblclick();
    await expect.poll(() => graph.requests.at(-1)?.params).toMatchObject({ path: 'src/pay.ts', asOf: 'earlier' });
    await graph.page.locator('vscode-dropdown[aria-label="Changes"]').click();
    await graph.page.locator('vscode-option', { hasText: 'Breaking changes' }).locator('visible=true').click();
    await row('src/lonely.ts::lonely').waitFor({ state: 'detached' });
    await row('src/pay.ts::total').waitFor();
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
});

test('what services offer and that came or went is listed beside a comparison, and opens as it is or as it was', async () => {
  const workspace = workspaceOf(shop, { past: { earlier: before } });
  const endpoint = { kind: 'endpoint', id: 'e', service: 'shop', path: 'src/pay.ts', line: 3 } as const;
  const interfaces: readonly InterfaceChange[] = [
    { ...endpoint, change: 'added', name: 'GET /bills' },
    { ...endpoint, change: 'removed', name: 'GET /orders' },
    { ...endpoint, change: 'removed', kind: 'event', role: 'consumes', name: 'order.paid', path: '', line: 0 },
  ];
  const ask = async (view: string, params: unknown): Promise<unknown> => {
    const answer = await askFeature('graphScene', workspace, params);
    expect(view).toBe('scene');
    return answer.ok ? { ...answer.value, interfaces } : answer;
  };
  const graph = await GraphPage.open(browser, { workspace, query: { start: 'compare', target: 'earlier' }, ask });
  try {
    const pane = graph.page.locator('.details');
    await pane.getByRole('heading', { name: 'Endpoints, events and entities (3)' }).waitFor();
    const rows = pane.locator('li:has(.sign)');
    expect(await rows.allInnerTexts()).toEqual(['+\nGET /bills\nadded · shop', '−\nGET /orders\nremoved · shop', '−\norder.paid\nno longer consumed by shop']);
    await pane.getByRole('button', { name: 'GET /bills' }).click();
    await expect.poll(() => graph.requests.at(-1)?.params).toEqual({ path: 'src/pay.ts', line: 3, beside: false });
    await pane.getByRole('button', { name: 'GET /orders' }).click();
    await expect.poll(() => graph.requests.at(-1)?.params).toEqual({ path: 'src/pay.ts', line: 3, beside: false, asOf: 'earlier' });
    expect(await pane.getByRole('button', { name: 'order.paid' }).count()).toBe(0);
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
});
