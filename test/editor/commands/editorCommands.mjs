/** Commands at symbols and files of the editor, of architecture rules and of tests. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeSettings } from '../codeServer.mjs';
import { heading, panel } from '../graphPanel.mjs';
import { retry } from '../workbench.mjs';
import { PRESS_MS, WAIT_MS } from './waits.mjs';

export async function editorCommands({ command, page, window, workspace }) {
  const tab = name => page.locator('.tab.active', { hasText: name });
  const atSymbol = () => window.openFile('api/src/money.ts', 12, 4);
  const peek = page.locator('.peekview-widget');

  await command('lattice.showReferences', async title => {
    await atSymbol();
    await window.command(`Lattice: ${title}`);
    for (const file of ['pricing.ts', 'labels.ts']) await peek.getByText(file).first().waitFor();
    await window.screenshot('commands-references');
    await window.escape(peek);
  });

  await command('lattice.showTests', async title => {
    await atSymbol();
    await window.command(`Lattice: ${title}`);
    await peek.getByText('orders.test.ts').first().waitFor();
    await window.escape(peek);
  });

  await command('lattice.acceptArchitectureBaseline', async title => {
    await window.command(`Lattice: ${title}`);
    await tab('architecture-baseline.json').waitFor();
    await window.notification('Do you want to accept').waitFor();
    await window.dismissNotifications();
  });

  await command('lattice.preview.discard', async title => {
    await page.getByRole('button', { name: title }).first().click();
    await tab('architecture-baseline.json').waitFor({ state: 'detached' });
    assert.equal(existsSync(join(workspace, '.lattice', 'architecture-baseline.json')), false);
  });

  await command('lattice.proposeArchitectureRules', async title => {
    const place = join(workspace, '.lattice', 'architecture.yaml');
    await window.command(`Lattice: ${title}`);
    await tab('architecture.yaml').waitFor();
    await window.screenshot('commands-rules');
    await window.notification('The existing code follows these rules').getByRole('button', { name: 'Write File' }).click();
    await retry(() => assert.match(readFileSync(place, 'utf8'), /^version: 1\nlayers:/), WAIT_MS);
    // The written file opens in place of the preview, which has its name, and takes the keyboard.
    await page.getByText('Preview, not saved yet').waitFor({ state: 'hidden' });
    await page.locator('.tab.active', { hasText: 'architecture.yaml' }).waitFor();
    await window.dismissNotifications();
    await window.closeEditors();
  });

  await command('lattice.architecture.addException', async () => {
    const place = join(workspace, '.lattice', 'architecture.yaml');
    const rule = '{id: no-money, type: forbid, from: {path: api/src/pricing.ts}, to: {path: api/src/money.ts}, edges: [IMPORTS]}';
    writeFileSync(place, `version: 1\nrules:\n  - ${rule}\n`);
    await window.openFile('api/src/pricing.ts', 2, 2);
    await page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'Add exception to no-money' });
    await retry(async () => {
      await window.command('Quick Fix...');
      await fix.waitFor({ timeout: PRESS_MS });
    }, WAIT_MS);
    await fix.click();
    await window.answer('Add Exception to no-money for api/src/pricing.ts', 'Prices are money');
    await retry(() => assert.match(readFileSync(place, 'utf8'), /Prices are money/), WAIT_MS);
    await page.locator('.tab.active', { hasText: 'architecture.yaml' }).waitFor();
    await window.closeEditors();
  });

  await command('lattice.openResourceGraph', async title => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('File: Reveal Active File in Explorer View');
    const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'money.ts' }).first();
    await row.waitFor();
    await window.choose(row, title);
    await heading(await panel(window), 'money.ts');
    await window.closeEditors();
  });

  await command('lattice.showLog', async title => {
    await window.command(`Lattice: ${title}`);
    await page.locator('.part.panel .action-item.checked', { hasText: 'Output' }).waitFor();
    await page.locator('.part.panel select, .part.panel .monaco-select-box', { hasText: 'Lattice' }).first().waitFor();
    await window.command('View: Hide Panel');
  });
}

export async function testCommands({ command, folders, page, window }) {
  await command('lattice.approveTestCommand', async title => {
    // The first run asks in a dialog: a message would go by itself, and leave the run waiting for it.
    await window.openFile('worker/bookshop/parcels.py', 22, 9);
    await window.command('Lattice: Show Impact');
    await page
      .getByRole('treeitem', { name: /Invoice\.body/ })
      .first()
      .waitFor();
    const results = page.locator('.part.panel .monaco-list-row', { hasText: 'Affected tests' });
    const asks = async text => {
      const dialog = page.locator('.monaco-dialog-box', { hasText: text });
      await retry(async () => {
        // It lies over the rows when it comes late.
        if ((await dialog.count()) > 0) return;
        const tests = page.getByRole('treeitem', { name: /^Tests/ }).first();
        await tests.hover({ timeout: PRESS_MS });
        await tests.getByRole('button', { name: 'Run Affected Tests' }).click({ timeout: PRESS_MS });
        await dialog.waitFor({ timeout: PRESS_MS });
      }, WAIT_MS);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await results.first().waitFor();
    };
    // A run that the user has not allowed asks for it.
    await asks('This executes code from the workspace, and turns on "lattice.tests.allowRun"');
    await changeSettings(folders, { 'lattice.tests.allowRun': true });
    await asks('Approve the command');
    await window.command(`Lattice: ${title}`);
    await window.step('Approve Test Command');
    await window.screenshot('commands-approve');
    await window.pick('pytest');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Approve' }).click();
    await retry(async () => {
      await window.leaveQuickInput();
      await window.command(`Lattice: ${title}`);
      await window.notification('All test commands are already approved.').waitFor({ timeout: PRESS_MS });
    }, WAIT_MS);
    await window.dismissNotifications();
  });

  // Whether pytest is installed here does not matter: the run says what came of it.
  await command('lattice.runTestsThatReach', async title => {
    await window.openFile('worker/bookshop/parcels.py', 22, 9);
    await window.choose(page.locator('.editor-instance .line-numbers', { hasText: /^22$/ }), title);
    const results = page.locator('.part.panel .monaco-list-row');
    await results.filter({ hasText: 'Tests that reach weight' }).first().waitFor();
    await results.filter({ hasText: 'test_heavy_items_are_split' }).first().waitFor();
    await window.screenshot('commands-tests-that-reach');
    await window.command('View: Hide Panel');
    await window.closeEditors();
  });
}
