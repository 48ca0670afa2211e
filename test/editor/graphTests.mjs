/** What a person sees and does in the graph panel of the real editor. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeSettings } from './codeServer.mjs';
import { inRepository } from './gitRepository.mjs';
import { heading, opened, panel } from './graphPanel.mjs';
import { startAgent } from './knowledgeTests.mjs';
import { retry } from './workbench.mjs';

/** `[theme, class of the workbench, file name]` */
const THEMES = [
  ['Light Modern', 'vs', 'light'],
  ['Default High Contrast', 'hc-black', 'high-contrast'],
  ['Dark Modern', 'vs-dark', 'dark'],
];

export async function graphTests(report, { window, folders, workspace }) {
  const { page } = window;
  const refused = [];
  const listen = message => {
    if (/Content Security Policy|security policy/i.test(message.text())) refused.push(message.text());
  };
  page.on('console', listen);
  const check = window.checks(report);

  await check('the graph opens on the symbol at the cursor, with who uses it and what it uses', async () => {
    await window.closeEditors();
    await window.openFile('api/src/money.ts', 12, 4);
    const graph = await opened(window, 'Lattice: Show in Graph', 'Money.add');
    await graph.getByRole('tab', { name: 'List' }).click();
    const rows = (await graph.locator('.lists .row').allInnerTexts()).join('\n');
    assert.match(rows, /totalOf/);
    assert.match(rows, /CurrencyMismatch/);
    await graph.getByRole('tab', { name: 'Details' }).click();
    await graph.locator('.metrics').waitFor();
    await window.screenshot('graph-beside-code');
  });

  await check('a step further, a filter, and back again', async () => {
    const graph = await panel(window);
    await graph.getByRole('tab', { name: 'List' }).click();
    await graph.locator('.lists .row', { hasText: 'totalOf' }).click();
    await graph.getByRole('tab', { name: 'Details' }).click();
    await graph.locator('.buttons').getByText('Focus', { exact: true }).click();
    await heading(graph, 'totalOf');
    await graph.getByRole('button', { name: 'Filters', exact: true }).click();
    await graph.getByRole('checkbox', { name: 'Tests', exact: true }).click();
    await graph.locator('vscode-button.in-force').waitFor();
    await graph.getByRole('button', { name: 'Clear filters' }).click();
    await graph.locator('vscode-button.in-force').waitFor({ state: 'detached' });
    await graph.getByRole('button', { name: 'Filters', exact: true }).click();
    await graph.getByRole('button', { name: 'Back', exact: true }).click();
    await heading(graph, 'Money.add');
  });

  await check('a node opens its code beside the graph', async () => {
    const graph = await panel(window);
    await graph.getByRole('tab', { name: 'List' }).click();
    await graph.locator('.lists .row', { hasText: 'priceLabel' }).click();
    await graph.getByRole('tab', { name: 'Details' }).click();
    await graph.locator('.buttons').getByText('Open code').click();
    await page.locator('.tab', { hasText: 'labels.ts' }).waitFor();
    assert.equal(await page.locator('.tab', { hasText: 'Graph:' }).count(), 1);
  });

  await check('a file that is opened while the graph has the keys opens beside it', async () => {
    await page.locator('.tab', { hasText: 'Graph:' }).click();
    await page.locator('.editor-group-container.active .tab', { hasText: 'Graph:' }).waitFor();
    await window.openFile('api/src/pricing.ts');
    await page.locator('.tab.active', { hasText: 'pricing.ts' }).waitFor();
    await page.locator('.tab.active', { hasText: 'Graph:' }).waitFor();
  });

  await check("the graph follows the editor's cursor when asked", async () => {
    const graph = await panel(window);
    await graph.getByRole('button', { name: 'Follow the cursor in the editor' }).click();
    await window.command('View: Focus First Editor Group');
    await window.openFile('api/src/pricing.ts', 33, 18);
    await page.keyboard.press('ArrowRight');
    await heading(await panel(window), 'totalOf');
    await (await panel(window)).getByRole('button', { name: 'Follow the cursor in the editor' }).click();
  });

  await check('the workspace is shown as packages and folders, which open in place', async () => {
    const graph = await opened(window, 'Lattice: Show Workspace Graph', 'shop');
    const tab = name => graph.getByRole('tab', { name });
    for (const block of ['api', 'src', 'store']) {
      await tab('List').click();
      await graph.locator('.lists .row', { hasText: block }).first().click();
      await tab('Details').click();
      await graph.locator('.buttons').getByText('Open', { exact: true }).click();
    }
    await tab('List').click();
    await graph.locator('.lists .row', { hasText: 'memoryRepository.ts' }).first().waitFor();
    await tab('Details').click();
    await window.screenshot('graph-workspace');
  });

  await check('search results, a range of commits and a saved view open as graphs', async () => {
    await window.command('Lattice: Show Search Results in Graph');
    await window.answer('Show Search Results in Graph', 'price of an order');
    const graph = await panel(window);
    await heading(graph, '“price of an order”');
    await graph.getByRole('button', { name: 'More', exact: true }).click();
    await graph.getByRole('menuitem', { name: 'Save view' }).click();
    await window.answer('Save View', 'Prices');
    await graph.locator('.updated', { hasText: 'Saved as Prices' }).waitFor();
    await opened(window, 'Lattice: Show Workspace Graph', 'shop');
    await window.command('Lattice: Open Saved Graph');
    await window.step('Open Saved Graph');
    await window.pick('Prices');
    await heading(await panel(window), '“price of an order”');
  });

  await check('a community and the path between two symbols open as graphs', async () => {
    await window.command('Lattice: Show Community in Graph');
    await window.step('Show Community in Graph');
    const label = await window.quickInput.locator('.monaco-list-row.focused .label-name').first().innerText();
    await window.accept();
    const graph = await panel(window);
    await graph.locator('h1', { hasText: label.split(' ')[0] }).waitFor();
    await graph.locator('#app:not([aria-busy])').waitFor();
    assert.ok((await graph.locator('.lists .row').count()) > 1, 'a community has members');
    await window.screenshot('graph-community');
    await window.command('View: Focus First Editor Group');
    await window.openFile('api/src/pricing.ts', 33, 18);
    await window.command('Lattice: Show Path Between Symbols');
    await window.step('Select Symbol', 'the path from totalOf');
    await window.type('CurrencyMismatch');
    await window.quickInput.locator('.monaco-list-row.focused', { hasText: 'CurrencyMismatch' }).waitFor();
    await window.accept();
    await heading(graph, 'totalOf → CurrencyMismatch');
    assert.match(await graph.locator('.summary').innerText(), /\d steps?, \d+% confidence/);
    await window.screenshot('graph-path');
  });

  await check('a picture is saved in each format, and copied as a list', async () => {
    const graph = await panel(window);
    const begins = { png: /^\x89PNG/, svg: /^<svg xmlns/, json: /^\{\n {2}"title"/, mmd: /^flowchart LR/ };
    const entries = { png: 'Save as PNG', svg: 'Save as SVG', json: 'Save as JSON', mmd: 'Save as Mermaid' };
    for (const [extension, entry] of Object.entries(entries)) {
      const file = join(workspace, `saved.${extension}`);
      await graph.getByRole('button', { name: 'More', exact: true }).click();
      await graph.getByRole('menuitem', { name: entry }).click();
      // The dialog writes a name of its own into the box when it is ready.
      await retry(async () => assert.ok((await window.quickInputBox.inputValue({ timeout: 1000 })).endsWith(`.${extension}`)), 20_000);
      await window.type(file);
      await window.accept();
      await graph.locator('.updated', { hasText: `Saved saved.${extension}` }).waitFor();
      assert.match(readFileSync(file, 'latin1'), begins[extension]);
      rmSync(file);
    }
    await graph.getByRole('button', { name: 'More', exact: true }).click();
    await graph.getByRole('menuitem', { name: 'Copy as Markdown list' }).click();
    await graph.locator('.updated', { hasText: 'Copied' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^## totalOf → CurrencyMismatch\n/);
  });

  await check('colors tell molecules apart, and an atom chosen in the tree brings out its files', async () => {
    const agent = await startAgent({ workspace, folders });
    const { id: moleculeId, version } = await agent.call('manage_graph', {
      operation: 'create',
      entityType: 'molecule',
      name: 'Rounding',
      createdByTaskId: 'manual',
    });
    const atom = { entityType: 'atom', name: 'Amounts are in cents', paths: ['api/src/money.ts'], moleculeId, createdByTaskId: 'manual' };
    await agent.call('manage_graph', { operation: 'create', ...atom });
    try {
      await window.openFile('api/src/money.ts', 12, 4);
      const graph = await opened(window, 'Lattice: Show in Graph', 'Money.add');
      await graph.locator('vscode-dropdown[aria-label="Colors"]:not([hidden])').click();
      await graph.locator('vscode-option', { hasText: 'Molecules' }).locator('visible=true').click();
      await graph.locator('.legend', { hasText: 'Rounding' }).waitFor();
      await window.screenshot('graph-molecules');
      await window.openView('Knowledge', ['Impact', 'Structure', 'Work']);
      const row = text => page.locator('.pane', { has: page.locator('.pane-header[aria-label*="Knowledge"]') }).locator('.monaco-list-row', { hasText: text });
      await retry(async () => {
        // Pressing the name would open the molecule, and take the focus with it.
        if ((await row('Amounts are in cents').count()) === 0) await row('Rounding').first().locator('.monaco-tl-twistie').click({ timeout: 2000 });
        await row('Amounts are in cents').first().click({ timeout: 2000 });
      }, 30_000);
      await graph.locator('.atom-mark', { hasText: 'Amounts are in cents' }).waitFor();
      await window.screenshot('graph-atom');
      await graph.locator('.atom-mark vscode-button').click();
      await graph.locator('.atom-mark').waitFor({ state: 'hidden' });
      await graph.locator('vscode-dropdown[aria-label="Colors"]:not([hidden])').click();
      await graph.locator('vscode-option', { hasText: 'Kinds' }).locator('visible=true').click();
    } finally {
      await agent.call('manage_graph', { operation: 'delete', entityType: 'molecule', id: moleculeId, version, cascade: true, lastTaskId: 'manual' });
      await agent.close();
      await window.command('View: Show Explorer');
    }
  });

  await check('a graph that is covered by another tab shows what is asked for when it comes back', async () => {
    await retry(async () => {
      await page.keyboard.press('Control+2');
      await page.locator('.editor-group-container.active .tab', { hasText: 'Graph:' }).waitFor({ timeout: 4000 });
    }, 30_000);
    await window.openFile('api/src/orders.ts', 1, 1);
    await opened(window, 'Lattice: Show Workspace Graph', 'shop');
    // What the page had asked for before it was covered is answered late; the tab keeps the name of what is shown.
    await page.locator('.tab', { hasText: 'Graph: shop' }).waitFor();
    await window.command('View: Focus First Editor Group');
  });

  await check('a panel that is made narrow keeps its symbol in sight, and its legend on one line', async () => {
    await window.closeEditors();
    await window.openFile('api/src/money.ts', 2, 15);
    const graph = await opened(window, 'Lattice: Show in Graph', 'Money');
    const width = () => graph.locator('.sheet').evaluate(canvas => canvas.getBoundingClientRect().width);
    const before = await width();
    await page.setViewportSize({ width: 1100, height: 700 });
    await retry(async () => assert.ok((await width()) < before), 20_000);
    assert.ok((await graph.locator('.legend-bar').evaluate(bar => bar.getBoundingClientRect().height)) < 40);
    assert.ok(await graph.locator('.sheet-row.start').isVisible(), 'nothing of the graph is in sight');
    await window.screenshot('graph-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await check('the impact of git changes is drawn, and a saved file updates the picture in place', async () => {
    await inRepository(workspace, 'api/src/money.ts', async ({ change }) => {
      change('new Money(this.amount + other.amount', 'new Money(other.amount + this.amount');
      const graph = await opened(window, 'Lattice: Show Impact Graph of Uncommitted Changes', 'Impact of uncommitted changes');
      await graph.getByRole('tab', { name: 'List' }).click();
      await graph.locator('.lists .row', { hasText: 'totalOf' }).first().waitFor();
      await graph.getByRole('tab', { name: 'Details' }).click();
      await window.screenshot('graph-changes');
      const other = join(workspace, 'api', 'src', 'discount.ts');
      writeFileSync(other, "import { Money } from './money';\n\nexport function discount(price: Money): Money {\n  return price.add(Money.zero());\n}\n");
      await graph.locator('.updated', { hasText: /Updated: [1-9]/ }).waitFor();
      await window.screenshot('graph-updated');
      rmSync(other);
    });
  });

  await check('the impact of a range of commits is drawn', async () => {
    await inRepository(workspace, 'api/src/money.ts', async ({ change, commit }) => {
      change('new Money(this.amount + other.amount', 'new Money(other.amount + this.amount');
      commit('two');
      await window.command('Lattice: Show Impact Graph of Commits');
      await window.answer('Show Impact Graph of Commits', 'HEAD~1..HEAD');
      const graph = await panel(window);
      await heading(graph, 'Impact of changes since HEAD~1..HEAD');
      await graph.locator('.legend', { hasText: 'certain' }).waitFor();
    });
  });

  await check('the graph comes back after a reload, where it was', async () => {
    await window.closeEditors();
    await window.openFile('api/src/money.ts', 2, 15);
    const graph = await opened(window, 'Lattice: Show in Graph', 'Money');
    await graph.locator('.buttons').getByText('Impact', { exact: true }).click();
    await heading(graph, 'Impact of Money');
    // The editor's own reload: it writes down what is open before it goes.
    await Promise.all([page.waitForEvent('load', { timeout: 120_000 }), window.command('Developer: Reload Window')]);
    await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 90_000 });
    await heading(await panel(window, 60_000), 'Impact of Money');
  });

  await check('the graph looks right in light, dark and high contrast', async () => {
    await window.closeEditors();
    await window.openFile('api/src/money.ts', 2, 15);
    let graph = await opened(window, 'Lattice: Show in Graph', 'Money');
    const shot = async (picture, theme) => {
      await graph.getByRole('button', { name: 'Zoom to fit' }).click();
      await graph.locator(':is(.canvas, .sheet, .blocks):not([hidden], [data-moving])').first().waitFor();
      await graph.locator('body').evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await window.screenshot(`graph-${picture}-${theme}`);
    };
    await page.locator('.tab', { hasText: 'money.ts' }).click();
    await window.command('View: Close Editor');
    await window.command('View: Toggle Primary Side Bar Visibility');
    for (const [theme, className, name] of THEMES) {
      await changeSettings(folders, { 'workbench.colorTheme': theme });
      await page.locator(`.monaco-workbench.${className}`).waitFor();
      await shot('focus', name);
      await graph.locator('.buttons').getByText('Impact', { exact: true }).click();
      await heading(graph, 'Impact of Money');
      await shot('impact', name);
      graph = await opened(window, 'Lattice: Show Workspace Graph', 'shop');
      await shot('overview', name);
      for (let steps = 0; steps < 2; steps++) await graph.getByRole('button', { name: 'Back', exact: true }).click();
      await heading(graph, 'Money');
    }
    await window.command('View: Toggle Primary Side Bar Visibility');
    await window.closeEditors();
  });

  await check("nothing of the graph's page was refused by its security policy", () => assert.deepEqual(refused, []));
  page.off('console', listen);
}
