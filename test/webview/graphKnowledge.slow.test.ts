import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import { invoke } from '../../server/src/tools/invoke';
import { openBrowser } from '../helpers/browser';
import type { ThemeName } from '../helpers/editorThemes';
import { GraphPage, type GraphPageOptions } from '../helpers/graphPage';
import { memoryRecords } from '../helpers/memoryRecords';
import { shop } from '../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../helpers/workspaceOf';

let browser: Browser;
let workspace: MemoryWorkspace;
let card = '';

async function done(name: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const { envelope } = await invoke(TOOLS, workspace, { name, input, agentId: 'ada', sessionId: 's' }, neverCancelled);
  if (!envelope.ok) throw new Error(envelope.summary);
  return envelope.data ?? {};
}

beforeAll(async () => {
  browser = await openBrowser();
  workspace = workspaceOf(shop, { records: await memoryRecords() });
  const money = (await done('manage_graph', { operation: 'create', entityType: 'molecule', name: 'Money', createdByTaskId: 'manual' }))['id'];
  const atom = { operation: 'create', entityType: 'atom', name: 'Till', paths: ['src/pay.ts'], moleculeId: money, createdByTaskId: 'manual' };
  await done('manage_graph', { ...atom, knowledge: 'Money is in cents.' });
  card = ((await done('manage_container', { operation: 'create', containerType: 'task', name: 'Pay by card' }))['task'] as { readonly id: string }).id;
  await done('manage_sections', { operation: 'create', containerId: card, title: 'Context Files', content: '- src/checkout.ts::checkout\n- src/pay.ts' });
});

afterAll(() => browser.close());

async function on(options: Partial<GraphPageOptions>, steps: (graph: GraphPage) => Promise<void>): Promise<void> {
  const graph = await GraphPage.open(browser, { workspace, query: { start: 'focus', target: 'src/pay.ts::Till' }, ...options });
  try {
    await steps(graph);
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
}

async function turnOn(graph: GraphPage): Promise<void> {
  await graph.page.getByRole('button', { name: 'Filters' }).click();
  await graph.page.getByRole('checkbox', { name: 'Knowledge and tasks' }).click();
  await expect.poll(() => graph.queries.at(-1)?.knowledge).toBe(true);
  await graph.drawn();
}

const legend = async (graph: GraphPage): Promise<string> => (await graph.page.locator('.legend').innerText()).replaceAll(/\s+/g, ' ');

async function rows(graph: GraphPage): Promise<string[]> {
  await graph.page.getByRole('tab', { name: 'List' }).click();
  return (await graph.page.locator('.lists .row').allInnerTexts()).map(text => text.replaceAll('\n', ' '));
}

test.each<ThemeName>(['dark', 'light', 'high-contrast', 'high-contrast-light'])('a switch shows knowledge beside code, with a key in the legend: %s', theme =>
  on({ theme }, async graph => {
    expect(await legend(graph)).not.toContain('knowledge');
    await turnOn(graph);
    await expect.poll(() => legend(graph)).toContain('knowledge, task');
    expect(await graph.page.locator('.details').innerText()).toContain('covered by');
    await graph.page.evaluate(axe.source);
    const violations = await graph.page.evaluate(async () => {
      const { axe: checker } = window as unknown as { readonly axe: { run(): Promise<{ readonly violations: readonly { readonly id: string }[] }> } };
      return (await checker.run()).violations.map(({ id }) => id);
    });
    expect(violations).toEqual([]);
    expect(await rows(graph)).toEqual(expect.arrayContaining(['Till atom', 'Money molecule', 'Pay by card task']));
  }),
);

test('what is kept of a panel keeps the switch', () =>
  on({}, async graph => {
    await turnOn(graph);
    const state = await graph.state();
    expect(state.filters.knowledge).toBe(true);
    await on({ state }, async restored => {
      expect(restored.queries.at(-1)?.knowledge).toBe(true);
      expect(await rows(restored)).toContain('Till atom');
    });
  }));

test('a view can begin at a task, and keys walk from it to its code', () =>
  on({ query: { start: 'focus', target: card } }, async graph => {
    expect(await rows(graph)).toEqual(['Pay by card task', 'pay.ts file · src/pay.ts:1', 'checkout function · src/checkout.ts:3']);
    await graph.keys.focus();
    await graph.page.keyboard.press('ArrowRight');
    await expect.poll(async () => graph.page.locator('.details').innerText()).toMatch(/checkout|pay\.ts/);
  }));
