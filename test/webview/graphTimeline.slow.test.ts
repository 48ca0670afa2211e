import axe from 'axe-core';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../helpers/browser';
import type { ThemeName } from '../helpers/editorThemes';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { GraphPage, type GraphPageOptions } from '../helpers/graphPage';
import { pastChangesOf } from '../helpers/pastChangesOf';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

const total = 'src/pay.ts::total';
const NEWEST = `commit:${'0'.repeat(40)}`;
const MIDDLE = `commit:${'1'.repeat(40)}`;
const OLDEST = `commit:${'2'.repeat(40)}`;
/** In the middle nobody reports; in the beginning there is no `total`. */
const { 'src/report.ts': _report, ...middle } = shop;
const oldest: WorkspaceSketch = { 'src/lonely.ts': { symbols: [{ name: 'lonely', lines: [1, 2] }] } };
const workspace = workspaceOf(shop, {
  past: { [NEWEST]: shop, [MIDDLE]: middle, [OLDEST]: oldest },
  pastTime: 1e12,
  pastChanges: pastChangesOf([
    { subject: 'Say more', changed: ['src/lonely.ts'] },
    { subject: 'Sum up', changed: ['src/pay.ts', total] },
    { subject: 'Begin', changed: ['src/lonely.ts'] },
  ]),
});
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

/** Opens the page with its timeline, runs the steps, and expects that nothing was refused, fetched or thrown. */
async function on(options: Partial<GraphPageOptions>, steps: (graph: GraphPage, track: Locator) => Promise<void>): Promise<void> {
  const graph = await GraphPage.open(browser, { workspace, query: { start: 'focus', target: total }, ...options });
  try {
    await graph.keys.focus();
    await graph.page.keyboard.press('t');
    const track = graph.page.getByRole('slider', { name: 'State of the code' });
    await expect.poll(() => track.getAttribute('aria-valuemax')).toBe('3');
    await steps(graph, track);
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
}

const asked = (graph: GraphPage): unknown => (graph.queries.at(-1) as { readonly asOf?: string } | undefined)?.asOf;
const what = (graph: GraphPage): Promise<string> => graph.page.locator('.timeline-what').innerText();
const names = async (graph: GraphPage): Promise<string[]> => graph.page.locator('.sheet .sheet-row .sheet-name').allInnerTexts();

test('T opens the timeline with the keys on it; arrows lead through the states and the picture follows', () =>
  on({}, async (graph, track) => {
    await expect.poll(() => track.evaluate(own => own === document.activeElement)).toBe(true);
    expect(await track.getAttribute('aria-valuetext')).toBe('Current code');
    expect(await names(graph)).toContain('report');
    await track.press('ArrowLeft');
    await track.press('ArrowLeft');
    await expect.poll(() => asked(graph)).toBe(MIDDLE);
    await graph.drawn();
    expect(await track.getAttribute('aria-valuetext')).toMatch(/Sum up, 1111111, changed it$/);
    expect(await what(graph)).toContain('changed total');
    await expect.poll(() => names(graph)).not.toContain('report');
    expect(await graph.page.locator('.summary').innerText()).toMatch(/^As of /);
    await expect.poll(() => graph.page.locator('.live').textContent()).toMatch(/: 0 new, 0 changed, 1 removed$/);
    await track.press('End');
    await expect.poll(() => names(graph)).toContain('report');
    expect(asked(graph)).toBeUndefined();
    await expect.poll(() => graph.page.locator('.live').textContent()).toBe('Current code: 1 new, 0 changed, 0 removed');
  }));

test('whoever runs along the timeline is shown only where they stop', () =>
  on({}, async (graph, track) => {
    const before = graph.queries.length;
    await track.press('Home');
    await track.press('ArrowRight');
    await expect.poll(() => asked(graph)).toBe(MIDDLE);
    expect(graph.queries.slice(before).map(query => (query as { readonly asOf?: string }).asOf)).not.toContain(undefined);
    expect(graph.queries.length - before).toBeLessThanOrEqual(2);
  }));

test('Page Down and the buttons go from change to change of what the graph is about', () =>
  on({}, async (graph, track) => {
    await track.press('PageDown');
    await expect.poll(() => asked(graph)).toBe(MIDDLE);
    await graph.page.getByRole('button', { name: 'Next change' }).click();
    await expect.poll(() => asked(graph)).toBeUndefined();
    await graph.page.getByRole('button', { name: 'Previous change' }).click();
    await expect.poll(() => asked(graph)).toBe(MIDDLE);
    await expect.poll(() => graph.page.getByRole('button', { name: 'Previous change' }).getAttribute('disabled')).not.toBeNull();
  }));

test('a state without what the graph is about says so, and leads back', () =>
  on({}, async (graph, track) => {
    await track.press('Home');
    const veil = graph.page.locator('.veil');
    await expect.poll(() => veil.innerText()).toContain('total is not part of the code in this state.');
    await veil.getByRole('button', { name: 'Back to current code' }).click();
    await veil.waitFor({ state: 'hidden' });
    await expect.poll(() => names(graph)).toContain('report');
    await graph.page.locator('.timeline-back').waitFor({ state: 'hidden' });
  }));

test('another symbol is shown in the same state, its code as it was, and the state survives a reload', () =>
  on({}, async (graph, track) => {
    await track.press('PageDown');
    await expect.poll(() => asked(graph)).toBe(MIDDLE);
    await graph.drawn();
    await graph.show({ start: 'focus', target: 'src/checkout.ts::checkout' });
    await expect.poll(() => graph.page.locator('h1').innerText()).toBe('checkout');
    expect(asked(graph)).toBe(MIDDLE);
    await graph.page.getByRole('button', { name: 'Open code' }).first().click();
    await expect.poll(() => graph.requests.at(-1)).toMatchObject({ method: 'open', params: { path: 'src/checkout.ts', asOf: MIDDLE } });
    const state = await graph.state();
    expect(state.time?.word).toBe(MIDDLE);
    const { page, queries } = await GraphPage.open(browser, { workspace, state });
    expect((queries.at(-1) as { readonly asOf?: string }).asOf).toBe(MIDDLE);
    await page.close();
  }));

test('a press beside a mark goes to the nearest state', () =>
  on({}, async (graph, track) => {
    const box = await track.boundingBox();
    if (box === null) throw new Error('no track');
    await graph.page.mouse.click(box.x + box.width * 0.4, box.y + 12);
    await expect.poll(() => asked(graph)).toBe(MIDDLE);
  }));

test('what compares states has no timeline, and closing it leads back to the current code', () =>
  on({}, async (graph, track) => {
    await track.press('PageDown');
    await expect.poll(() => asked(graph)).toBe(MIDDLE);
    await graph.page.getByRole('button', { name: 'Timeline' }).click();
    await expect.poll(() => asked(graph)).toBeUndefined();
    await graph.page.locator('.timeline').waitFor({ state: 'hidden' });
    await graph.drawn();
    await graph.show({ start: 'compare', target: MIDDLE });
    await expect.poll(() => graph.queries.at(-1)?.start).toBe('compare');
    await graph.drawn();
    await graph.page.getByRole('button', { name: 'Timeline' }).waitFor({ state: 'hidden' });
  }));

test('the handle moves at once where motion is reduced, and slides otherwise', async () => {
  const duration = (graph: GraphPage): Promise<string> => graph.page.locator('.timeline-thumb').evaluate(thumb => getComputedStyle(thumb).transitionDuration);
  await on({}, async graph => expect(await duration(graph)).toBe('0s'));
  await on({ reducedMotion: false }, async graph => expect(await duration(graph)).toBe('0.12s'));
});

test.each<ThemeName>(['dark', 'light', 'high-contrast', 'high-contrast-light'])('nothing of it is out of reach: %s', theme =>
  on({ theme }, async (graph, track) => {
    await track.press('PageDown');
    await expect.poll(() => asked(graph)).toBe(MIDDLE);
    await graph.drawn();
    await graph.page.evaluate(axe.source);
    const violations = await graph.page.evaluate(async () => {
      const { axe: checker } = window as unknown as { readonly axe: { run(): Promise<{ readonly violations: readonly { readonly id: string }[] }> } };
      return (await checker.run()).violations.map(({ id }) => id);
    });
    expect(violations).toEqual([]);
  }),
);
