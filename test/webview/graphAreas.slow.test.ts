import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { createKnowledge } from '../../server/src/features/knowledge/edits';
import type { CreateInput } from '../../server/src/knowledge/writes';
import { openBrowser } from '../helpers/browser';
import type { ThemeName } from '../helpers/editorThemes';
import { GraphPage, type GraphPageOptions } from '../helpers/graphPage';
import { memoryRecords, SOMEBODY } from '../helpers/memoryRecords';
import { shop } from '../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../helpers/workspaceOf';

const total = 'src/pay.ts::total';
let browser: Browser;
let workspace: MemoryWorkspace;
let till = '';

async function made(input: Pick<CreateInput, 'entityType' | 'name'> & Partial<CreateInput>): Promise<string> {
  const answer = await createKnowledge(workspace, SOMEBODY, { createdByTaskId: 'manual', ...input }, neverCancelled);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.entity?.id ?? '';
}

beforeAll(async () => {
  browser = await openBrowser();
  workspace = workspaceOf(shop, { records: await memoryRecords() });
  const money = await made({ entityType: 'molecule', name: 'Money' });
  till = await made({ entityType: 'atom', name: 'Till', paths: ['src/pay.ts'], moleculeId: money });
});

afterAll(() => browser.close());

/** Opens a page on what is known, runs the steps, and expects that nothing was refused, fetched or thrown. */
async function on(options: Partial<GraphPageOptions>, steps: (graph: GraphPage) => Promise<void>): Promise<void> {
  const graph = await GraphPage.open(browser, { workspace, query: { start: 'focus', target: total }, ...options });
  try {
    await steps(graph);
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
}

async function color(graph: GraphPage, by: string): Promise<void> {
  await graph.page.locator('vscode-dropdown[aria-label="Colors"]:not([hidden])').click();
  await graph.page.locator('vscode-option', { hasText: by }).locator('visible=true').click();
  await expect.poll(() => graph.queries.at(-1)?.colorBy ?? 'kind').toBe(by === 'Molecules' ? 'molecule' : 'kind');
  await graph.drawn();
}

test('blocks of an overview have the color and the letter of their area', () =>
  on({ query: { start: 'workspace', expand: ['open:folder:src'] } }, async graph => {
    const block = (name: string) => graph.page.locator('.blocks .block', { hasText: name });
    const edge = (name: string): Promise<string> => block(name).evaluate(own => getComputedStyle(own).borderLeftColor);
    await color(graph, 'Molecules');
    expect(
      await block('pay.ts')
        .locator('.letter')
        .evaluate(own => getComputedStyle(own, '::before').content),
    ).toBe('"A"');
    expect(await block('lonely.ts').locator('.letter').count()).toBe(0);
    const [covered, bare] = [await edge('pay.ts'), await edge('lonely.ts')];
    expect(covered).toBe(
      await graph.page
        .locator('.legend .letter')
        .first()
        .evaluate(own => getComputedStyle(own).borderLeftColor),
    );
    expect(covered).not.toBe(bare);
  }));

async function rows(graph: GraphPage): Promise<string[]> {
  await graph.page.getByRole('tab', { name: 'List' }).click();
  return (await graph.page.locator('.lists .row').allInnerTexts()).map(text => text.replaceAll('\n', ' '));
}

const legend = async (graph: GraphPage): Promise<string> => (await graph.page.locator('.legend').innerText()).replaceAll(/\s+/g, ' ');

test.each<ThemeName>(['dark', 'light', 'high-contrast', 'high-contrast-light'])('colors tell molecules apart, and so do letters and words: %s', theme =>
  on({ theme }, async graph => {
    await color(graph, 'Molecules');
    await expect.poll(() => legend(graph)).toMatch(/^A Money not covered /);
    expect(await graph.page.locator('.details').innerText()).toContain('Molecule: A Money');
    await graph.page.evaluate(axe.source);
    const violations = await graph.page.evaluate(async () => {
      const { axe: checker } = window as unknown as { readonly axe: { run(): Promise<{ readonly violations: readonly { readonly id: string }[] }> } };
      return (await checker.run()).violations.map(({ id }) => id);
    });
    expect(violations).toEqual([]);
    expect(await rows(graph)).toContain('report function · possible (40%) · src/report.ts:1 · not covered');
    expect((await rows(graph))[0]).toBe('total function · src/pay.ts:11 · Money');
    await color(graph, 'Kinds');
    expect((await rows(graph))[0]).toBe('total function · src/pay.ts:11');
  }),
);

test('a drawing that is saved has the colors and letters of the picture', () =>
  on({}, async graph => {
    await color(graph, 'Molecules');
    await graph.page.getByRole('button', { name: 'More' }).click();
    await graph.page.getByRole('menuitem', { name: /SVG/ }).click();
    await expect.poll(() => graph.requests.at(-1)?.params['content']).toMatch(/stroke="#3794ff"[^]*>A<\/text>/);
  }));

test('what was written meanwhile is colored at once, in place', () =>
  on({}, async graph => {
    await color(graph, 'Molecules');
    const before = await graph.state();
    const figures = await made({ entityType: 'molecule', name: 'Figures' });
    await made({ entityType: 'atom', name: 'Report', paths: ['src/report.ts'], moleculeId: figures });
    await graph.tell({ type: 'knowledge' });
    await expect.poll(() => legend(graph)).toMatch(/A Money B Figures/);
    expect((await graph.state()).camera).toEqual(before.camera);
  }));

test('an atom that is chosen elsewhere brings out the nodes whose files it covers', () =>
  on({}, async graph => {
    await graph.tell({ type: 'atom', id: till });
    const mark = graph.page.locator('.atom-mark');
    await mark.waitFor();
    expect(await mark.innerText()).toContain('Till: 2 nodes here, 1 file in total');
    expect(await rows(graph)).toContain('Till.add method · src/pay.ts:2 · covered by Till');
    expect(await graph.page.locator('.live').textContent()).toContain('Till: 2 nodes here');
    await graph.show({ start: 'focus', target: 'src/report.ts' });
    await expect.poll(() => mark.innerText()).toMatch(/none of its|1 node here/);
    await graph.keys.focus();
    await graph.page.keyboard.press('Escape');
    await graph.page.keyboard.press('Escape');
    await mark.waitFor({ state: 'hidden' });
    expect((await graph.state()).atom).toBeUndefined();
  }));

test("an atom's files are brought out from the details of a node, and no more", () =>
  on({}, async graph => {
    await graph.page.getByRole('button', { name: 'show its files' }).click();
    await graph.page.locator('.atom-mark').waitFor();
    expect((await graph.state()).atom).toBe(till);
    await graph.page.getByRole('button', { name: 'stop showing its files' }).first().click();
    await graph.page.locator('.atom-mark').waitFor({ state: 'hidden' });
  }));

test('a question that nothing answers is told in place of the picture', () =>
  on({ query: { start: 'search', target: 'zzzqqqxyzzy' } }, async graph => {
    await expect.poll(() => graph.page.locator('.veil').innerText()).toBe('No results found.');
    await graph.show({ start: 'focus', target: total });
    await graph.page.locator('.veil').waitFor({ state: 'hidden' });
  }));

test('lines fade beside those of the name that is pointed at', () =>
  on({}, async graph => {
    const opacities = (): Promise<string[]> =>
      graph.page.evaluate(() => [...document.querySelectorAll('.sheet-line:not(.gone)')].map(line => getComputedStyle(line).opacity).sort());
    const before = await opacities();
    expect(new Set(before).size).toBe(1);
    await graph.page.locator('.sheet .sheet-row.step').first().hover();
    await expect.poll(opacities).toContain('1');
    expect(Number((await opacities())[0])).toBeLessThan(Number(before[0]));
  }));
