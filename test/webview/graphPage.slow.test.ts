import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { createKnowledge } from '../../server/src/features/knowledge/edits';
import { bigShop } from '../helpers/bigShop';
import { openBrowser } from '../helpers/browser';
import type { ThemeName } from '../helpers/editorThemes';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { GraphPage, type GraphPageOptions } from '../helpers/graphPage';
import { measurePicture } from '../helpers/measurePicture.mjs';
import { memoryRecords, SOMEBODY } from '../helpers/memoryRecords';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

const total = 'src/pay.ts::total';
const add = 'src/pay.ts::Till::add';
const large = bigShop({ areas: 6, filesPerArea: 4, functionsPerFile: 6, calls: 2 });
/** Six functions, each called by the next. */
const steps = Object.fromEntries(
  Array.from({ length: 6 }, (_, at): [string, WorkspaceSketch[string]] => {
    const call = { from: `step${at}`, relation: 'CALLS' as const, to: `src/step${at - 1}.ts::step${at - 1}`, line: 1 };
    return [`src/step${at}.ts`, { symbols: [{ name: `step${at}` }], references: at === 0 ? [] : [call] }];
  }),
);
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

/** Opens a page, runs the steps, and expects that nothing was refused, fetched or thrown. */
async function on(options: Partial<GraphPageOptions>, steps: (graph: GraphPage) => Promise<void>): Promise<void> {
  const graph = await GraphPage.open(browser, { workspace: workspaceOf(shop), query: { start: 'focus', target: total }, ...options });
  try {
    await steps(graph);
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
}

const title = (graph: GraphPage): Promise<string> => graph.page.locator('h1').innerText();
const details = (graph: GraphPage): Promise<string> => graph.page.locator('.details').innerText();
const status = (graph: GraphPage): Promise<string> => graph.page.locator('.status').innerText();
/** Rows of the list beside the picture: what is in the picture, in words. */
async function list(graph: GraphPage): Promise<string[]> {
  await graph.page.getByRole('tab', { name: 'List' }).click();
  return (await graph.page.locator('.lists .row').allInnerTexts()).map(text => text.replaceAll('\n', ' '));
}

test('a focus tells the symbol, its neighbors and its figures', () =>
  on({}, async graph => {
    expect(await title(graph)).toBe('total');
    await expect.poll(() => details(graph)).toContain('Unresolved');
    expect(await details(graph)).toMatch(/Used by\s+1 and 1 possible/);
    // The sketch that is drawn has no complexities, as no class has one.
    expect(await details(graph)).not.toContain('Complexity');
    expect(await details(graph)).toContain('function total(lines: Line[]): number');
    expect(await list(graph)).toEqual([
      'total function · src/pay.ts:11',
      'Till.add method · src/pay.ts:2',
      'report function · possible (40%) · src/report.ts:1',
      'testTotal function · test · test/pay.test.ts:3',
    ]);
  }));

test('what is known about the file is named, and opens', async () => {
  const workspace = workspaceOf(shop, { records: await memoryRecords() });
  const atom = { entityType: 'atom', name: 'Money at the till', paths: ['src/pay.ts'], knowledge: 'Totals are in cents.', createdByTaskId: 'manual' } as const;
  expect(await createKnowledge(workspace, SOMEBODY, atom, neverCancelled)).toMatchObject({ ok: true });
  await on({ workspace }, async graph => {
    await graph.page.getByRole('button', { name: 'Money at the till' }).click();
    await expect.poll(() => graph.requests.at(-1)).toMatchObject({ method: 'run', params: { command: 'knowledge', id: expect.stringMatching(/^atom::/) } });
  });
});

test('keys move, focus, go back and forward, open code, pin and hide', () =>
  on({}, async graph => {
    const { keyboard } = graph.page;
    await graph.keys.focus();
    await keyboard.press('ArrowLeft');
    await expect.poll(() => details(graph)).toMatch(/report|Till\.add/);
    await keyboard.press('ArrowUp');
    await expect.poll(() => details(graph)).toContain('Till.add');
    await keyboard.press('Space');
    await expect.poll(() => graph.requests.at(-1)).toEqual({ method: 'open', params: { path: 'src/pay.ts', line: 2, beside: false } });
    await keyboard.press('p');
    await expect.poll(async () => (await graph.state()).pinned).toEqual([add]);
    await keyboard.press('Enter');
    await expect.poll(() => title(graph)).toBe('Till.add');
    await graph.drawn();
    expect(graph.queries.at(-1)).toMatchObject({ target: add, keep: [add] });
    await keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => title(graph)).toBe('total');
    await keyboard.press('Alt+ArrowRight');
    await expect.poll(() => title(graph)).toBe('Till.add');
    await keyboard.press('ArrowLeft');
    await keyboard.press('h');
    await expect.poll(async () => (await graph.state()).hidden).toEqual(['src/checkout.ts::checkout']);
    await expect.poll(() => status(graph)).toContain('1 not shown');
    await keyboard.press('Shift+H');
    await expect.poll(async () => (await graph.state()).hidden).toEqual([]);
  }));

test('one press on a name selects it and takes the code beside along, two focus it', () =>
  on({}, async graph => {
    await graph.row(add).click();
    await expect.poll(() => details(graph)).toContain('Till.add');
    expect(await title(graph)).toBe('total');
    expect(graph.requests.at(-1)).toEqual({ method: 'open', params: { path: 'src/pay.ts', line: 2, beside: false, follow: true } });
    // On a busy machine two presses may come too far apart to be one.
    const pressTwice = async (): Promise<string> => {
      if ((await title(graph)) === 'total') await graph.row(add).dblclick();
      return title(graph);
    };
    await expect.poll(pressTwice).toBe('Till.add');
  }));

test('a line opens the place that it stands for, and says how its ends are linked', () =>
  on({}, async graph => {
    await graph.row(add).hover();
    await graph.page.locator('.sheet-label', { hasText: /^calls$/ }).waitFor();
    const line = graph.page.locator('.sheet-line:not(.gone) .wide').first();
    await line.dispatchEvent('click');
    await expect.poll(() => graph.requests.at(-1)).toMatchObject({ method: 'open', params: { beside: false } });
    expect(['src/pay.ts', 'src/report.ts', 'test/pay.test.ts']).toContain(graph.requests.at(-1)?.params['path']);
  }));

test('what the view is about has the keys at once', () =>
  on({}, async graph => {
    expect(await graph.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['id'])).toBe(total);
  }));

test('more neighbors are shown on demand, and taken back', () =>
  on({ workspace: workspaceOf(large), query: { start: 'focus', target: 'Money.add' } }, async graph => {
    const before = (await list(graph)).length;
    await graph.page.getByRole('tab', { name: 'Details' }).click();
    await graph.page.getByRole('button', { name: 'show 20 more' }).first().click();
    await expect.poll(async () => (await list(graph)).length).toBeGreaterThan(before);
    await graph.page.getByRole('tab', { name: 'Details' }).click();
    await graph.page.getByRole('button', { name: 'collapse what was expanded here' }).click();
    await expect.poll(async () => (await list(graph)).length).toBe(before);
    await graph.page.getByRole('tab', { name: 'Details' }).click();
    expect(await details(graph)).toMatch(/called by: \d+ of \d+/);
  }));

test('filters take away what they name and say that they are in force', () =>
  on({}, async graph => {
    await graph.page.getByRole('button', { name: 'Filters' }).click();
    await graph.page.getByRole('checkbox', { name: 'Tests', exact: true }).click();
    await expect.poll(() => graph.queries.at(-1)?.tests).toBe(false);
    await graph.drawn();
    expect((await list(graph)).join()).not.toContain('testTotal');
    await graph.page.locator('#certainty').fill('0.8');
    await expect.poll(() => graph.queries.at(-1)?.minConfidence).toBe(0.8);
    await graph.page.getByRole('checkbox', { name: /^imports/ }).click();
    await expect.poll(() => graph.queries.at(-1)?.relations).toEqual(['CALLS', 'INSTANTIATES']);
    await graph.page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => graph.queries.at(-1)).toEqual({ start: 'focus', target: total });
  }));

test('impact shows the evidence of a node, step by step with its lines', () =>
  on({ query: { start: 'impact', target: total } }, async graph => {
    await graph.page.getByRole('tab', { name: 'List' }).click();
    await graph.page.locator('.lists .row', { hasText: 'checkout.test.ts' }).click();
    await graph.page.getByRole('tab', { name: 'Details' }).click();
    const steps = async (): Promise<string[]> => (await graph.page.locator('.evidence li').allInnerTexts()).map(text => text.replaceAll(/\s+/g, ' ').trim());
    await expect.poll(steps).toEqual(['Till.add calls total · line 3', 'checkout calls Till.add · line 5', 'checkout.test.ts calls checkout · line 3']);
    await graph.page.locator('.evidence button').nth(1).click();
    await expect.poll(() => graph.requests.at(-1)).toEqual({ method: 'open', params: { path: 'src/checkout.ts', line: 5, beside: false } });
  }));

test('the depth slider, the view and the groups ask anew', () =>
  on({}, async graph => {
    await graph.page.locator('#depth').fill('3');
    await expect.poll(() => graph.queries.at(-1)?.depth).toBe(3);
    await graph.drawn();
    expect((await list(graph)).join()).toContain('checkout.test.ts');
    await choose(graph, 'Group', 'By folder');
    await expect.poll(() => graph.queries.at(-1)?.groupBy).toBe('folder');
    await choose(graph, 'View', 'Impact');
    await expect.poll(() => title(graph)).toBe('Impact of total');
  }));

async function choose(graph: GraphPage, dropdown: string, option: string): Promise<void> {
  await graph.page.locator(`vscode-dropdown[aria-label="${dropdown}"]`).click();
  await graph.page.locator('vscode-option', { hasText: option }).locator('visible=true').click();
}

test('search finds what is shown and what is not', () =>
  on({}, async graph => {
    await graph.page.keyboard.press('Tab');
    await graph.keys.focus();
    await graph.page.keyboard.press('/');
    expect(await graph.page.locator('vscode-text-field').getAttribute('aria-label')).toBe('Find in the graph');
    // Enter takes the first result of what was typed, also before it is there.
    await graph.page.keyboard.type('checkout');
    await graph.page.keyboard.press('Enter');
    await expect.poll(() => title(graph)).toBe('checkout');
    await graph.drawn();
    await graph.keys.focus();
    await graph.page.keyboard.press('/');
    await graph.page.keyboard.type('Till');
    await graph.page.locator('.result', { hasText: 'shown' }).first().waitFor();
    await graph.page.keyboard.press('ArrowDown');
    await graph.page.keyboard.press('ArrowDown');
    await expect.poll(() => graph.page.evaluate(() => [...document.querySelectorAll('.result')].indexOf(document.activeElement ?? document.body))).toBe(1);
    await graph.page.keyboard.press('Escape');
    expect(await graph.page.locator('.result').count()).toBe(0);
  }));

test('a folder opens in place, and closes again', () =>
  on({ query: { start: 'workspace', expand: [] } }, async graph => {
    await graph.page.getByRole('tab', { name: 'List' }).click();
    await graph.page.locator('.lists .row', { hasText: 'src' }).click();
    await graph.page.getByRole('tab', { name: 'Details' }).click();
    await graph.page.locator('.buttons').getByText('Open', { exact: true }).click();
    await expect.poll(() => graph.queries.at(-1)?.expand).toEqual(['open:folder:src']);
    await graph.drawn();
    expect(await list(graph)).toContain('pay.ts file · src/pay.ts:1');
    await graph.page.locator('.lists .row', { hasText: 'pay.ts' }).first().click();
    await graph.keys.focus();
    await graph.page.keyboard.press('-');
    await expect.poll(() => graph.queries.at(-1)?.expand).toEqual([]);
  }));

test('an overview opens what holds the code, takes keys at once, and opens and closes blocks by key and by press', () =>
  on({ query: { start: 'workspace' } }, async graph => {
    const { page } = graph;
    const focused = (): Promise<string | undefined> => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['name']);
    const names = (): Promise<string[]> => page.locator('.block').evaluateAll(blocks => blocks.map(block => (block as HTMLElement).dataset['name'] ?? ''));
    expect(await names()).toEqual(expect.arrayContaining(['pay.ts', 'checkout.ts']));
    await expect.poll(focused).not.toBeUndefined();
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await names()).includes((await focused()) ?? '')).toBe(true);
    await page.locator('.block[data-name="pay.ts"]').dblclick();
    await expect.poll(() => graph.queries.at(-1)?.expand).toContain('open:src/pay.ts');
    await graph.drawn();
    expect(await names()).toContain('total');
    await page.locator('.block[data-name="total"]').click();
    await page.keyboard.press('PageDown');
    await expect.poll(() => graph.queries.at(-1)?.expand).not.toContain('open:src/pay.ts');
    await graph.drawn();
    await page.locator('.block-close').click();
    await expect.poll(() => graph.queries.at(-1)?.expand).toEqual([]);
    await expect.poll(() => page.locator('.block').first().getAttribute('aria-label')).toMatch(/^src 4 files · \d+ lines, folder, used by 0, uses 0$/);
  }));

test('tests, documents and dot folders are switched on and off; grouping and colors draw the overview anew from its top', () =>
  on({ query: { start: 'workspace' } }, async graph => {
    const { page } = graph;
    const beside = page.locator('vscode-button[aria-label="Tests, docs and dot folders"]');
    expect(await beside.getAttribute('aria-pressed')).toBe('false');
    await beside.click();
    await expect.poll(() => graph.queries.at(-1)?.beside).toBe(true);
    await page.locator('.block[data-name="test"]').waitFor();
    await beside.click();
    await expect.poll(() => page.locator('.block[data-name="test"]').count()).toBe(0);
    await page.locator('.toolbar vscode-dropdown[aria-label="Group"]').click();
    await page.locator('.toolbar vscode-option', { hasText: 'By owner' }).click();
    await expect.poll(() => graph.queries.at(-1)?.groupBy).toBe('owner');
    await page.locator('.block[data-name="(no owner)"]').waitFor();
    expect(await page.locator('.summary').innerText()).toContain('No CODEOWNERS file found.');
    expect(graph.complaints).toEqual([]);
  }));

test('pointing at a block shows all its lines, and who is at their other ends', () =>
  on({ query: { start: 'workspace' } }, async graph => {
    await graph.page.locator('.block[data-name="pay.ts"]').hover();
    await expect.poll(() => graph.page.locator('.block-line.incoming').count()).toBe(2);
    const users = await graph.page.locator('.block.user').evaluateAll(blocks => blocks.map(block => (block as HTMLElement).dataset['name']));
    expect(new Set(users)).toEqual(new Set(['checkout.ts', 'report.ts']));
  }));

test('a newer index updates the picture in place: nothing moves, and a mark tells what is new', () =>
  on({}, async graph => {
    const before = await graph.state();
    graph.workspace = workspaceOf({
      ...shop,
      'src/new.ts': { symbols: [{ name: 'newcomer' }], references: [{ from: 'newcomer', relation: 'CALLS', to: total }] },
    });
    await graph.tell({ type: 'revision', revision: 99 });
    await graph.page.locator('.updated', { hasText: 'Updated: 1 new, 0 changed, 0 removed' }).waitFor();
    expect((await list(graph)).join()).toContain('newcomer');
    const after = await graph.state();
    expect(after.camera).toEqual(before.camera);
    expect(after.history).toEqual(before.history);
    expect(await graph.page.locator('.live').textContent()).toContain('Updated');
  }));

test('the cursor is followed when asked', () =>
  on({}, async graph => {
    await graph.tell({ type: 'cursor', id: add });
    expect(await title(graph)).toBe('total');
    await graph.page.getByRole('button', { name: 'Follow the cursor in the editor' }).click();
    await expect.poll(() => graph.requests.at(-1)).toEqual({ method: 'follow', params: { on: true } });
    await graph.tell({ type: 'cursor', id: add });
    await expect.poll(() => title(graph)).toBe('Till.add');
  }));

test('everything kept comes back after a reload, without what was answered', () =>
  on({}, async graph => {
    await graph.show({ start: 'impact', target: total });
    await expect.poll(() => title(graph)).toBe('Impact of total');
    await graph.drawn();
    const kept = await graph.state();
    expect(JSON.stringify(kept)).not.toContain('signature');
    await on({ state: kept, query: undefined as never }, async again => {
      await expect.poll(() => title(again)).toBe('Impact of total');
      expect((await again.state()).history).toEqual(kept.history);
      expect((await again.state()).camera).toEqual(kept.camera);
    });
  }));

test.each([
  ['PNG', 'png', /^iVBOR/],
  ['SVG', 'svg', /^<svg xmlns/],
  ['JSON', 'json', /"title": "total"/],
  ['Mermaid', 'mermaid', /^flowchart LR/],
])('the picture is exported as %s', (name, format, content) =>
  on({}, async graph => {
    await graph.page.getByRole('button', { name: 'More' }).click();
    await graph.page.getByRole('menuitem', { name: new RegExp(name) }).click();
    await expect.poll(() => graph.requests.at(-1)).toMatchObject({ method: 'save', params: { format, name: 'total' } });
    expect(graph.requests.at(-1)?.params['content']).toMatch(content);
    await graph.page.locator('.updated', { hasText: 'Saved graph.txt' }).waitFor();
  }),
);

test('the list is copied as Markdown, a view is kept under a name', () =>
  on({}, async graph => {
    await graph.page.getByRole('button', { name: 'More' }).click();
    await graph.page.getByRole('menuitem', { name: 'Copy as Markdown list' }).click();
    await expect.poll(() => graph.requests.at(-1)?.params['text']).toMatch(/^## total\n/);
    await graph.page.getByRole('button', { name: 'More' }).click();
    await graph.page.getByRole('menuitem', { name: 'Save view' }).click();
    await expect.poll(() => graph.requests.at(-1)).toMatchObject({ method: 'saveView', params: { state: { version: 1 } } });
  }));

test('a question that waits for the first index or fails says so in place of the picture, and what failed can be asked again', () =>
  on({}, async graph => {
    await graph.tell({ type: 'indexing' });
    await graph.page.locator('.veil:visible', { hasText: 'The graph appears when the first index is complete.' }).waitFor();
    expect(await graph.page.locator('.veil button').count()).toBe(0);
    await graph.show({ start: 'focus', target: 'nothing-like-it' });
    await graph.page.locator('.veil:visible', { hasText: 'Try again' }).waitFor();
    await graph.page.keyboard.press('Alt+ArrowLeft');
  }));

test('the layout is computed in a worker, and the first picture is drawn after the data', () =>
  on({ workspace: workspaceOf(large), query: { start: 'search', target: 'step' } }, async graph => {
    expect(graph.page.workers().length).toBe(1);
    const times = await graph.page.evaluate(() => performance.getEntriesByType('mark').map(mark => [mark.name, mark.startTime] as const));
    const at = new Map(times);
    // How long after is measured in test/bench/graphFrames.mjs.
    expect(at.get('lattice:drawn')).toBeGreaterThan(at.get('lattice:data') ?? Number.POSITIVE_INFINITY);
  }));

test.each<[ThemeName, GraphPageOptions['query'] & object]>([
  ['dark', { start: 'focus', target: 'Money.add' }],
  ['light', { start: 'impact', target: 'round' }],
  ['high-contrast', { start: 'workspace' }],
  ['light', { start: 'focus', target: 'Money.add', groupBy: 'folder' }],
])('axe finds nothing to complain of: %s, %j', (theme, query) =>
  on({ workspace: workspaceOf(large), theme, query }, async graph => {
    await graph.page.getByRole('button', { name: 'Filters' }).click();
    await graph.page.getByRole('checkbox', { name: 'Tests', exact: true }).waitFor();
    const violations = async (): Promise<string[]> => {
      const found = await graph.page.evaluate(async () => {
        const { axe: checker } = window as unknown as {
          readonly axe: {
            run(): Promise<{
              readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[] }[];
            }>;
          };
        };
        return (await checker.run()).violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(node => `${node.html.slice(0, 120)} ${node.failureSummary ?? ''}`).join(' | ')}`,
        );
      });
      return found;
    };
    await graph.page.evaluate(axe.source);
    expect(await violations()).toEqual([]);
    await graph.page.getByRole('tab', { name: 'List' }).click();
    expect(await violations()).toEqual([]);
  }),
);

test('a narrow panel keeps all its parts', () =>
  on({ size: { width: 420, height: 640 } }, async graph => {
    for (const part of ['.toolbar', '.sheet', '.side', '.status']) expect(await graph.page.locator(part).isVisible()).toBe(true);
    const right = (part: string): Promise<number> => graph.page.locator(part).evaluate(element => element.getBoundingClientRect().right);
    expect(await graph.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(420);
    await graph.show({ start: 'search', target: 'a question in many more words than have room beside each other in a narrow panel' });
    await expect.poll(() => title(graph)).toContain('many more words');
    for (const part of ['.toolbar', '.switches', '.side', '.status']) expect(await right(part)).toBeLessThanOrEqual(420);
    // The title has a line of its own.
    expect(await graph.page.locator('.titles').evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(380);
  }));

test.each(['workspace', 'focus'] as const)('in a narrow panel the picture (%s) and its legend end where the lists begin', start =>
  on({ query: start === 'focus' ? { start, target: total } : { start }, size: { width: 320, height: 700 } }, async graph => {
    const edge = (part: string, side: 'top' | 'bottom'): Promise<number> =>
      graph.page.locator(part).evaluate((element, of) => element.getBoundingClientRect()[of], side);
    expect(await edge('.legend-bar', 'bottom')).toBeLessThanOrEqual(await edge('.side', 'top'));
    expect(await edge(start === 'focus' ? '.sheet' : '.blocks', 'bottom')).toBeLessThanOrEqual(await edge('.legend-bar', 'top'));
  }),
);

test('a panel that becomes wide or narrow begins at what the view is about', () =>
  on({ workspace: workspaceOf(large), query: { start: 'focus', target: 'Money.add' }, size: { width: 420, height: 640 } }, async graph => {
    const sheet = graph.page.locator('.sheet');
    const scrolled = (): Promise<number> => sheet.evaluate(element => element.scrollTop);
    const isStartInSight = (): Promise<boolean> =>
      sheet.evaluate(element => {
        const { top, bottom } = element.getBoundingClientRect();
        const start = element.querySelector('.sheet-row.start')?.getBoundingClientRect();
        return start !== undefined && start.top >= top && start.bottom <= bottom;
      });
    expect([await isStartInSight(), (await scrolled()) > 0]).toEqual([true, true]);
    await graph.page.setViewportSize({ width: 1000, height: 640 });
    await expect.poll(scrolled).toBe(0);
    await sheet.evaluate(element => element.scrollTo({ top: element.scrollHeight }));
    await graph.page.setViewportSize({ width: 420, height: 640 });
    await expect.poll(isStartInSight).toBe(true);
  }));

test('beside code, where an impact goes is in sight whatever the number of its columns', () =>
  on({ workspace: workspaceOf(steps), query: { start: 'impact', target: 'src/step0.ts::step0', depth: 6 }, size: { width: 680, height: 800 } }, async graph => {
    const right = (part: string): Promise<number> => graph.page.locator(part).evaluate(element => element.getBoundingClientRect().right);
    expect(await graph.page.locator('.sheet-column').count()).toBeGreaterThan(3);
    expect(await right('.spread')).toBeLessThanOrEqual(await right('.sheet'));
    // What the words name has a color of its own in the bar, the rest has one.
    expect(await graph.page.locator('.spread-bar .part:not(.rest)').count()).toBe(await graph.page.locator('.swatch:not(.rest)').count());
    await graph.page.locator('.sheet').evaluate(element => element.scrollTo({ left: element.scrollWidth }));
    expect(await graph.page.locator('.spread').evaluate(element => element.getBoundingClientRect().left)).toBeGreaterThanOrEqual(0);
    expect(await right('.spread')).toBeLessThanOrEqual(await right('.sheet'));
  }));

test('badges of three digits beside the outer columns are whole', () =>
  on({ workspace: workspaceOf(large), query: { start: 'focus', target: 'Money.add' }, size: { width: 630, height: 700 } }, async graph => {
    const edges = await graph.page.locator('.sheet').evaluate(sheet => {
      const { left, width } = sheet.getBoundingClientRect();
      return [...sheet.querySelectorAll('.sheet-badge')].map(badge => {
        badge.textContent = '+172';
        const own = badge.getBoundingClientRect();
        return [own.left - left + sheet.scrollLeft, left + Math.max(width, sheet.scrollWidth) - own.right - sheet.scrollLeft];
      });
    });
    expect(edges.length).toBeGreaterThan(0);
    expect(Math.min(...edges.flat())).toBeGreaterThanOrEqual(0);
  }));

test('a panel that is narrow and short scrolls to its picture', () =>
  on({ size: { width: 210, height: 330 } }, async graph => {
    const sheet = graph.page.locator('.sheet');
    expect(await sheet.evaluate(element => element.clientHeight)).toBeGreaterThan(120);
    await sheet.scrollIntoViewIfNeeded();
    expect(await sheet.evaluate(element => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  }));

test('the legend of a narrow panel is one line, and all of it on demand', () =>
  on({ size: { width: 460, height: 700 } }, async graph => {
    const height = (): Promise<number> => graph.page.locator('.legend-bar').evaluate(bar => bar.getBoundingClientRect().height);
    const before = await height();
    expect(before).toBeLessThan(40);
    await graph.page.getByRole('button', { name: 'Show all' }).click();
    expect(await height()).toBeGreaterThan(before);
    await graph.page.getByRole('button', { name: 'Show less' }).click();
    expect(await height()).toBe(before);
  }));

test('without a selection the details name what is most linked, which leads there', () =>
  on({ query: { start: 'workspace' } }, async graph => {
    await graph.page.locator('.details', { hasText: 'Most connected' }).waitFor();
    for (const note of await graph.page.locator('.details .list .note').allInnerTexts()) {
      expect(note).toMatch(/^(used (once|\d+ times)( · uses others (once|\d+ times))?|uses others (once|\d+ times))$/);
    }
    const first = graph.page.locator('.details .list button').first();
    const name = await first.innerText();
    await first.click();
    await expect.poll(() => graph.page.locator('.details h2 code').innerText()).toBe(name);
  }));

test('in a split of a split everything wraps, and nothing reaches over the edge', async () => {
  for (const query of [{ start: 'impact', target: total }, { start: 'workspace' }] as const) {
    await on({ query, size: { width: 240, height: 700 } }, async graph => {
      const outside = await graph.page.evaluate(() =>
        [...document.querySelectorAll('.toolbar *, .sheet *')].filter(each => each.getBoundingClientRect().right > innerWidth + 1).map(each => each.className),
      );
      expect(outside).toEqual([]);
      expect((await graph.page.evaluate(measurePicture)).cut).toEqual([]);
    });
  }
});
