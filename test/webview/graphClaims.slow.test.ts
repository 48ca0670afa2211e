import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import { invoke } from '../../server/src/tools/invoke';
import { openBrowser } from '../helpers/browser';
import { GraphPage } from '../helpers/graphPage';
import { memoryRecords } from '../helpers/memoryRecords';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

test.each(['sheet', 'map'] as const)('what an agent is working on is marked, and says who and why: %s', async view => {
  const workspace = workspaceOf(shop, { records: await memoryRecords() });
  const input = { targetId: 'src/pay.ts::Till', claimType: 'function', intent: 'fix <b>rounding</b>' };
  await invoke(TOOLS, workspace, { name: 'agent_claim', input, agentId: 'ada', sessionId: 's' }, neverCancelled);
  const query =
    view === 'sheet'
      ? ({ start: 'focus', target: 'src/pay.ts::Till' } as const)
      : ({ start: 'path', target: 'src/pay.ts::Till::add', to: 'src/pay.ts::total' } as const);
  const graph = await GraphPage.open(browser, { workspace, query });
  try {
    expect(await graph.page.locator('.legend').innerText()).toContain('claimed by an agent');
    if (view === 'sheet') {
      const row = graph.row('src/pay.ts::Till');
      expect(await row.locator('.claim-sign').count()).toBe(1);
      expect(await row.getAttribute('aria-label')).toContain('Claimed by ada: fix <b>rounding</b>');
      expect(await row.getAttribute('title')).toContain('Claimed by ada: fix <b>rounding</b>');
      await row.click();
      expect(await graph.page.locator('.claimed').innerText()).toBe('● Claimed by ada: fix <b>rounding</b>');
      // The list of a narrow panel has the mark as well.
      await graph.page.setViewportSize({ width: 420, height: 800 });
      expect(await row.locator('.claim-sign').isVisible()).toBe(true);
    }
    await graph.page.evaluate(axe.source);
    const found = await graph.page.evaluate(() => (window as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe.run());
    expect(found.violations.map(({ id }) => id)).toEqual([]);
    mkdirSync('test/output/graph', { recursive: true });
    await graph.page.screenshot({ path: `test/output/graph/claims-${view}.png` });
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
});
