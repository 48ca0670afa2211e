import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bigShop } from '../helpers/bigShop';
import { openBrowser } from '../helpers/browser';
import { GraphPage } from '../helpers/graphPage';
import { measurePicture } from '../helpers/measurePicture.mjs';
import { workspaceOf } from '../helpers/workspaceOf';

const large = bigShop({ areas: 6, filesPerArea: 4, functionsPerFile: 54, calls: 2 });
const areas = ['orders', 'billing', 'stock', 'mail', 'users', 'search'];
const query = {
  start: 'workspace' as const,
  expand: [
    'open:folder:src',
    ...areas.flatMap(area => [`open:folder:src/${area}`, ...['index', ...[1, 2, 3].map(at => `${area}${at}`)].map(name => `open:src/${area}/${name}.ts`)]),
  ],
};
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

/** Pixels that are written on above the nodes, as a share of those there are. */
function written({ page }: GraphPage): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.canvas .above');
    if (canvas === null) return Number.NaN;
    // A copy that is there to be read: reading the page's own would be complained of.
    const pen = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true });
    pen?.drawImage(canvas, 0, 0);
    const data = pen?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let count = 0;
    for (let place = 3; place < data.length; place += 4) if ((data[place] ?? 0) > 0) count++;
    return count / (data.length / 4);
  });
}

const scale = async (graph: GraphPage): Promise<number> => (await graph.state()).camera?.zoom ?? Number.NaN;

test('a large map fitted to a narrow panel has names written over it; Z brings the node that is selected near', async () => {
  const graph = await GraphPage.open(browser, { workspace: workspaceOf(large), query, size: { width: 560, height: 800 } });
  try {
    await graph.page.getByRole('button', { name: 'Zoom to fit' }).click();
    await expect.poll(() => written(graph)).toBeGreaterThan(0.01);
    const { keyboard } = graph.page;
    await graph.page.locator('.canvas').focus();
    await keyboard.press('ArrowRight');
    const chosen = await graph.page.locator('.details h2').innerText();
    await keyboard.press('z');
    // Near enough for names of their own: nothing is written above.
    await expect.poll(() => written(graph)).toBe(0);
    await keyboard.press('p');
    expect(await scale(graph)).toBeGreaterThanOrEqual(0.75);
    expect(await graph.page.locator('.details h2').innerText()).toBe(chosen);
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
});

test('a panel that becomes narrower still shows what it is about; one that the reader has moved keeps its middle', async () => {
  const graph = await GraphPage.open(browser, { workspace: workspaceOf(large), query });
  try {
    const canvas = graph.page.locator('.canvas');
    const middle = async (): Promise<number> => ((await graph.state()).camera?.x ?? Number.NaN) / ((await canvas.boundingBox())?.width ?? 1);
    const resized = async (width: number): Promise<() => Promise<number>> => {
      await graph.page.setViewportSize({ width, height: 800 });
      return async () => {
        // What is kept is written down with the next thing that is done.
        await graph.page.getByRole('tab', { name: 'List' }).click();
        await graph.page.getByRole('tab', { name: 'Details' }).click();
        return middle();
      };
    };
    await graph.page.getByRole('button', { name: 'Zoom to fit' }).click();
    const before = await middle();
    await expect.poll(await resized(1000)).toBeCloseTo(before, 1);
    await graph.keys.focus();
    await graph.page.keyboard.press('PageUp');
    const moved = await middle();
    await expect.poll(await resized(1280)).toBeCloseTo(moved, 1);
    expect(graph.complaints).toEqual([]);
  } finally {
    await graph.page.close();
  }
});

test.each([1400, 700])('hundreds of parts are drawn with whole names and no line across a box, in %d pixels', async width => {
  const folders = [...areas, 'export', 'audit', 'tax', 'cart', 'media', 'admin'];
  const expand = ['open:folder:src', ...folders.flatMap(area => [`open:folder:src/${area}`, `open:src/${area}/index.ts`])];
  const workspace = workspaceOf(bigShop({ areas: 12, filesPerArea: 20, functionsPerFile: 20, calls: 4 }));
  const graph = await GraphPage.open(browser, { workspace, query: { start: 'workspace', edgeBudget: 600, expand }, size: { width, height: 900 } });
  const { crossing, cut, lines, names, overlapping, small } = await graph.page.evaluate(measurePicture);
  expect([crossing, cut, overlapping, small]).toEqual([[], [], [], []]);
  expect([names > 400, lines > 200]).toEqual([true, true]);
  await graph.page.close();
});
