/** What a person sees of real code: its impact as a tree, and its graphs, which are measured as they stand on the screen. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measurePicture } from '../helpers/measurePicture.mjs';
import { opened } from './graphPanel.mjs';
import { retry } from './workbench.mjs';

const MAX_CROSSING = 0.02;

/** Of each source a symbol on a line of a file, its title in the graph, and a place that the impact names. */
export const REAL_CODE = {
  flask: {
    file: 'src/flask/app.py',
    declaration: 'def full_dispatch_request(',
    name: 'full_dispatch_request',
    title: 'Flask.full_dispatch_request',
    dependent: /wsgi_app, calls full_dispatch_request/,
  },
  gin: {
    file: 'gin.go',
    declaration: 'func (engine *Engine) handleHTTPRequest(',
    name: 'handleHTTPRequest',
    title: 'Engine.handleHTTPRequest',
    dependent: /ServeHTTP, calls handleHTTPRequest/,
  },
  msal: {
    file: 'src/cache/CacheManager.ts',
    declaration: 'export abstract class CacheManager',
    name: 'CacheManager',
    title: 'CacheManager',
    dependent: /ServerTelemetryManager, uses the type CacheManager/,
  },
};

/** `source` is the name of one of them, `workspace` the folder that the window shows. */
export async function realCodeTests(report, { window, workspace, source }) {
  const { page } = window;
  const { declaration, dependent, file, name, title } = REAL_CODE[source];
  const check = (what, run) => window.checks(report)(`${source}: ${what}`, run);
  const lines = readFileSync(join(workspace, ...file.split('/')), 'utf8').split('\n');
  const line = lines.findIndex(each => each.includes(declaration));
  const atSymbol = () => window.openFile(file, line + 1, (lines[line]?.indexOf(name) ?? 0) + 2);

  await check('the impact of a symbol fills the tree', async () => {
    await atSymbol();
    await window.command('Lattice: Show Impact');
    const row = text => page.getByRole('treeitem', { name: text });
    await row(/^Dependents/).waitFor();
    await row(dependent).first().waitFor();
    await window.screenshot(`real-${source}-impact-tree`);
  });

  await page.setViewportSize({ width: 1800, height: 900 });
  await window.command('View: Close Primary Side Bar');
  for (const [picture, command, shown] of [
    ['focus', 'Lattice: Show in Graph', title],
    ['impact', 'Lattice: Show Impact Graph', `Impact of ${title}`],
    ['overview', 'Lattice: Show Workspace Graph', undefined],
  ]) {
    await check(`the graph of the ${picture} has whole names apart from each other, and lines between its boxes`, async () => {
      await window.closeEditors();
      await atSymbol();
      const graph = await opened(window, command, shown ?? source);
      const found = await settled(graph);
      await window.screenshot(`real-${source}-${picture}`);
      assert.ok(found.names > 3, `${found.names} names`);
      assert.deepEqual({ cut: found.cut, overlapping: found.overlapping, small: found.small }, { cut: [], overlapping: [], small: [] });
      assert.ok(found.crossing.length <= found.lines * MAX_CROSSING, `${found.crossing.length} of ${found.lines} lines cross a box: ${found.crossing.join()}`);
    });
  }
  await window.closeEditors();
}

/** Measures what is drawn once nothing moves any more: two measures one frame apart are the same. */
function settled(graph) {
  return retry(async () => {
    await graph.locator(':is(.canvas, .sheet, .blocks):not([hidden], [data-moving])').first().waitFor();
    const first = await graph.evaluate(measurePicture);
    await graph.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const second = await graph.evaluate(measurePicture);
    assert.deepEqual(first, second);
    return second;
  }, 30_000);
}
