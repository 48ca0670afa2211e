/** What a person sees of the past in the real editor: histories, comparisons, the timeline, checkpoints. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeSettings } from './codeServer.mjs';
import { heading, panel } from './graphPanel.mjs';
import { retry } from './workbench.mjs';

const THEMES = [
  ['Light Modern', 'vs', 'light'],
  ['Default High Contrast', 'hc-black', 'high-contrast'],
  ['Dark Modern', 'vs-dark', 'dark'],
];

/** `history` is what `shopHistory` made of the workspace: the last commit, on a branch, gave `totalOf` a parameter that its caller lacks. */
export async function changesTests(report, { window, folders, workspace, history }) {
  const { page } = window;
  const check = window.checks(report);
  const tree = page.locator('.pane', { has: page.locator('.pane-header', { hasText: /^Changes\s*since/ }) });
  /** Runs a command that asks for a state; what had the focus before may take it back while the palette goes. */
  const ask = async (command, title) => {
    await window.command(command);
    await window.quickInput.locator('.quick-input-title', { hasText: title }).waitFor();
    await window.quickInputBox.click();
    await window.step(title);
    await window.quickPickRow('Last Commit').first().waitFor();
  };
  const choose = async text => {
    await window.type(text);
    await window.pick(text);
  };
  /** Takes an entry of the menu in the title of the view. */
  const fromMenu = async title => {
    const entry = page.getByRole('menuitem', { name: title });
    await retry(async () => {
      if ((await entry.count()) === 0) {
        await tree.locator('.pane-header').hover({ timeout: 2000 });
        await tree.locator('.pane-header .action-label[aria-label*="More Actions"]').click({ timeout: 2000 });
      }
      await entry.click({ timeout: 4000 });
      await entry.waitFor({ state: 'detached', timeout: 4000 });
    }, 30_000);
  };
  const row = text => tree.locator('.monaco-list-row', { hasText: text }).first();

  await check('a hover says when a symbol changed last, and how often', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await retry(async () => assert.match(await window.hoverText('Changed'), /Changed 3 weeks ago, 4 times in the last year/), 60_000);
    await window.screenshot('changes-hover');
    await page.keyboard.press('Escape');
  });

  await check('the history of a symbol lists its commits by time and author, and opens one in the diff editor', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('Lattice: Show History');
    await window.step('History of Money.add', '4 commits');
    const rows = (await window.quickInputRows.allInnerTexts()).join('\n');
    assert.match(rows, /Check the currency[\s\S]*Grace[\s\S]*Start the shop[\s\S]*Ada/);
    await window.screenshot('changes-history');
    await window.pick('Check the currency');
    const diff = page.locator('.editor-instance .monaco-diff-editor');
    await diff.waitFor();
    await page.locator('.tab.active', { hasText: 'Check the currency' }).waitFor();
    await diff.locator('.editor.original .view-lines', { hasText: 'return new Money' }).waitFor();
    await diff.locator('.editor.modified .view-lines', { hasText: 'CurrencyMismatch' }).waitFor();
    await window.screenshot('changes-history-diff');
  });

  await check('two commits of a symbol are compared with each other', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('Lattice: Show History');
    await window.step('History of Money.add');
    const first = window.quickPickRow('Start the shop').first();
    await first.hover();
    await first.locator('.action-label[aria-label^="Compare with Another Commit"]').click();
    await window.step('History of Money.add', `Select a commit to compare ${history.first.slice(0, 7)} with`);
    await window.pick('Check the currency');
    await page.locator('.tab.active', { hasText: `${history.first.slice(0, 7)} ↔ ${history.checked.slice(0, 7)}` }).waitFor();
    await window.closeEditors();
  });

  await check('Mark Checkpoint keeps a state under a name', async () => {
    await window.command('Lattice: Mark Checkpoint');
    await window.answer('Mark Checkpoint', 'before the discount');
    await page.locator('.statusbar-item', { hasText: 'Marked before the discount' }).waitFor();
    writeFileSync(
      join(workspace, 'api', 'src', 'discount.ts'),
      "import { Money } from './money';\n\nexport const half = (price: Money): Money => price.times(0.5);\n",
    );
  });

  await check('the graph is compared with a branch, a commit, a checkpoint, a transaction and the last look', async () => {
    const compared = async (pick, shows) => {
      await ask('Lattice: Compare Graph with', 'Compare Graph');
      await choose(pick);
      const graph = await panel(window);
      await graph.locator('h1', { hasText: shows }).waitFor();
      await graph.locator('#app:not([aria-busy])').waitFor();
      return graph;
    };
    const names = async graph => (await graph.locator('.sheet .sheet-row .sheet-name').allInnerTexts()).join(' ');
    await retry(async () => assert.match(await names(await compared('before the discount', 'before the discount')), /half/), 60_000);
    await compared('main', 'main');
    await row('Breaking Changes').waitFor();
    const graph = await panel(window);
    await graph.locator('.sheet-heading', { hasText: 'Code that breaks' }).waitFor();
    await retry(async () => assert.match(await names(graph), /totalOf/), 20_000);
    await window.screenshot('changes-compare-branch');
    await compared('Start the shop', history.first.slice(0, 7));
    await away(page, folders);
    await compared('Last Viewed', 'last viewed');
    await ask('Lattice: Compare Graph with', 'Compare Graph');
    // The newest transaction: all that is there.
    const transaction = window.quickInputRows.filter({ hasText: /[0-9a-f]{7}.* · \d+ files?/ }).last();
    await retry(async () => {
      await page.keyboard.press('End');
      await transaction.waitFor({ timeout: 2000 });
    }, 20_000);
    await window.screenshot('changes-points');
    const before = await window.quickInputState();
    await transaction.click();
    await window.hasLeft(before);
    await (await panel(window)).locator('#app:not([aria-busy])').waitFor();
  });

  await check('a filter leaves the breaking changes, beside the list of all', async () => {
    await ask('Lattice: Compare Graph with', 'Compare Graph');
    await choose('Start of the Branch');
    const graph = await panel(window);
    await graph.locator('.sheet-heading', { hasText: 'Added' }).waitFor();
    await graph.locator('vscode-dropdown[aria-label="Changes"]').click();
    await graph.locator('vscode-option', { hasText: 'Breaking changes' }).locator('visible=true').click();
    await graph.locator('.sheet-heading', { hasText: 'Added' }).waitFor({ state: 'detached' });
    await graph.locator('.sheet-row', { hasText: 'totalOf' }).first().waitFor();
    await graph.getByRole('tab', { name: 'List' }).click();
    await graph.locator('.lists .row', { hasText: 'totalOf' }).first().waitFor();
    await window.screenshot('changes-breaking');
    await graph.getByRole('tab', { name: 'Details' }).click();
  });

  await check('the tree lists the changes since a state, by file and by author', async () => {
    await ask('Lattice: Show Changes Since', 'Show Changes Since');
    await choose('Start the shop');
    await row('Changed Symbols').waitFor();
    // Rows out of sight are not on the page: the view gets the room of the others.
    for (const other of ['Graph', 'Changes']) {
      const header = page.locator(`.sidebar .pane-header[aria-expanded="true"][aria-label^="${other}"]`, { hasText: new RegExp(`^${other}$`) });
      if ((await header.count()) > 0) await header.first().click();
    }
    await fromMenu('Group by Author');
    for (const name of ['Ada', 'Grace', 'Not committed']) await row(name).waitFor();
    await window.screenshot('changes-tree-author');
    await fromMenu('Group by File');
    await row('money.ts').waitFor();
    await window.screenshot('changes-tree-file');
    await row('Money.add').click();
    await page.locator('.editor-instance .monaco-diff-editor').waitFor();
    await fromMenu('Sort by Reach');
    await window.closeEditors();
  });

  await check('the timeline under the graph moves it through time, by keys and by its slider', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('Lattice: Show in Graph');
    const graph = await panel(window);
    await heading(graph, 'Money.add');
    await graph.getByRole('button', { name: 'Timeline', exact: true }).click();
    const track = graph.getByRole('slider', { name: 'State of the code' });
    const says = text => retry(async () => assert.match(await track.getAttribute('aria-valuetext'), text), 20_000);
    await retry(async () => assert.ok(Number(await track.getAttribute('aria-valuemax')) >= 6), 20_000);
    await track.press('PageDown');
    await says(/Check the currency/);
    await graph.locator('.summary', { hasText: 'As of' }).waitFor();
    await graph.locator('.sheet-row', { hasText: 'CurrencyMismatch' }).first().waitFor();
    await window.screenshot('changes-timeline');
    await track.press('PageDown');
    await says(/Round/);
    await graph.locator('.sheet-row', { hasText: 'CurrencyMismatch' }).first().waitFor({ state: 'detached' });
    const box = await track.boundingBox();
    await page.mouse.click(box.x + 4, box.y + 12);
    await says(/Start the shop/);
    await track.press('End');
    await says(/Current code/);
    await graph.getByRole('button', { name: 'Timeline', exact: true }).click();
    await window.closeEditors();
  });

  await check('comparisons and the timeline look right in light, dark and high contrast', async () => {
    for (const [theme, className, name] of THEMES) {
      await changeSettings(folders, { 'workbench.colorTheme': theme });
      await page.locator(`.monaco-workbench.${className}`).waitFor();
      await ask('Lattice: Compare Graph with', 'Compare Graph');
      await choose('Start the shop');
      let graph = await panel(window);
      await graph.locator('.sheet-heading', { hasText: 'Code that breaks' }).waitFor();
      await graph.locator('#app:not([aria-busy])').waitFor();
      await window.screenshot(`changes-compare-${name}`);
      await window.closeEditors();
      await window.openFile('api/src/money.ts', 12, 4);
      await window.command('Lattice: Show in Graph');
      graph = await panel(window);
      await heading(graph, 'Money.add');
      await graph.getByRole('button', { name: 'Timeline', exact: true }).click();
      const track = graph.getByRole('slider', { name: 'State of the code' });
      await retry(async () => assert.ok(Number(await track.getAttribute('aria-valuemax')) >= 6), 20_000);
      await track.press('PageDown');
      await graph.locator('.summary', { hasText: 'As of' }).waitFor();
      await window.screenshot(`changes-timeline-${name}`);
      await window.closeEditors();
    }
  });

  await check('Clear History asks first, and then no checkpoint is left', async () => {
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'Clear the recorded history?' });
    const listed = async () => {
      await ask('Lattice: Show Changes Since', 'Show Changes Since');
      const count = await window.quickPickRow('before the discount').count();
      await window.leaveQuickInput();
      return count;
    };
    await window.command('Lattice: Clear History');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await listed(), 1);
    await window.command('Lattice: Clear History');
    await dialog.waitFor();
    await window.screenshot('changes-clear');
    await dialog.getByRole('button', { name: 'Clear History' }).click();
    await page.locator('.statusbar-item', { hasText: 'Cleared the history' }).waitFor();
    assert.equal(await listed(), 0);
  });
}

/** The user leaves the window for an hour, by the clock of the extension host, and comes back. */
async function away(page, folders) {
  const focused = isFocused =>
    page.evaluate(value => {
      document.hasFocus = () => value;
      window.dispatchEvent(new Event(value ? 'focus' : 'blur'));
    }, isFocused);
  await focused(false);
  await changeSettings(folders, { clock: 60 * 60_000 });
  await focused(true);
  await page.locator('.monaco-workbench .statusbar').waitFor();
  await changeSettings(folders, { clock: 0 });
}
