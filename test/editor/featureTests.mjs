/** What a person sees of code lenses, quick search, trees, source control, chat, agents and the walkthrough, in the window of the sample workspace. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeSettings } from './codeServer.mjs';
import { inRepository } from './gitRepository.mjs';
import { retry } from './workbench.mjs';

const SEARCH = 'Lattice: Search Code';

export async function featureTests(report, { window, folders, workspace }) {
  const { page } = window;
  const check = window.checks(report);
  const row = name => page.getByRole('treeitem', { name });

  await check('a link of a hover shows the impact', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.hoverText('dependent');
    await page.locator('.monaco-hover:not(.hidden) a', { hasText: 'Impact' }).first().click();
    await row(/totalOf/)
      .first()
      .waitFor();
  });

  await check('code lenses stand above types, public functions and methods, and lead to the references', async () => {
    await changeSettings(folders, { 'lattice.codeLens.enable': true });
    await window.openFile('api/src/pricing.ts', 30, 1);
    const lens = text => page.locator('.codelens-decoration a:visible', { hasText: text });
    await lens(/\d+ refs?/)
      .first()
      .waitFor();
    await lens(/reaches (at least )?\d+ files?/)
      .first()
      .waitFor();
    await window.screenshot('code-lens');
    const [users] = /\d+/.exec(
      await lens(/\d+ refs?/)
        .first()
        .innerText(),
    );
    await lens(/\d+ refs?/)
      .first()
      .click();
    // One user needs no count.
    await page.locator('.peekview-widget', { hasText: users === '1' ? '' : `(${users})` }).waitFor();
    await window.screenshot('callers');
    await window.escape(page.locator('.peekview-widget'));
    await changeSettings(folders, { 'lattice.codeLens.enable': null });
    await lens(/reaches (at least )?\d+ files?/)
      .first()
      .waitFor({ state: 'detached' });
  });

  await check('quick search previews the place and gives the editor back on Escape', async () => {
    await window.openFile('api/src/model.ts', 5, 1);
    await page.keyboard.press('Control+K');
    await page.locator('.statusbar-item', { hasText: 'Waiting for second key' }).waitFor();
    await page.keyboard.press('g');
    await window.step('Search Code');
    await window.type('by_weight');
    await window.quickInput.locator('.monaco-list-row.focused', { hasText: 'by_weight' }).waitFor();
    await page.locator('.tab.active', { hasText: 'parcels.py' }).waitFor();
    await window.screenshot('quick-search');
    await window.leaveQuickInput();
    await page.locator('.tab.active', { hasText: 'model.ts' }).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Ln 5, Col 1' }).waitFor();
    await page.locator('.tab', { hasText: 'parcels.py' }).waitFor({ state: 'detached' });
  });

  await check('the buttons of a row copy its source and show its impact', async () => {
    const press = async (text, button) => {
      await window.command(SEARCH);
      await window.step('Search Code');
      await window.type(text);
      const hit = window.quickPickRow(text).first();
      await hit.waitFor();
      await hit.hover();
      await hit.getByRole('button', { name: button }).click();
    };
    await press('formatMoney', 'Copy Source');
    await page.locator('.statusbar-item', { hasText: 'Copied' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /function formatMoney/);
    await press('totalOf', 'Show Impact');
    await row(/calls totalOf/)
      .first()
      .waitFor();
    await row(/^Dependents/).waitFor();
  });

  await check('the evidence of an impact opens below it', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('Lattice: Show Impact');
    const indirect = page
      .locator('.pane', { hasText: 'Impact' })
      .locator('.monaco-list-row[aria-expanded="false"]', { hasText: /calls totalOf|calls total/ })
      .first();
    // The tree may still be filling.
    await retry(async () => {
      await indirect.locator('.monaco-tl-twistie').click();
      await page.locator('.monaco-list-row', { hasText: 'changed ·' }).first().waitFor({ timeout: 2000 });
    }, 20_000);
    await window.screenshot('evidence');
  });

  await check('an impact is pinned beside the next one, exported, and unpinned', async () => {
    const title = page.locator('.pane-header', { hasText: 'Impact' });
    await title.hover();
    await title.getByRole('button', { name: 'Pin' }).click();
    await window.openFile('api/src/pricing.ts', 33, 18);
    await window.command('Lattice: Show Impact');
    const pinned = page.locator('.monaco-list-row', { hasText: /^add\s*6 dependents/ }).first();
    await pinned.waitFor();
    await window.screenshot('impact-pinned');
    await window.command('Lattice: Export Impact');
    await window.pick('Copy as Markdown');
    await page.locator('.statusbar-item', { hasText: 'Copied' }).waitFor();
    await retry(
      async () => assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^# Impact of totalOf[\s\S]*## Dependents\n\n- .*\n {2}- `/),
      5000,
    );
    await pinned.hover();
    await pinned.getByRole('button', { name: 'Unpin' }).click();
    await pinned.waitFor({ state: 'detached' });
  });

  await check('the tree Structure has hotspots, communities and cycles', async () => {
    const header = page.locator('.pane-header', { hasText: 'Structure' });
    if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
    const section = name => page.locator('.monaco-list-row', { hasText: name }).first();
    await section(/^Hotspots/).waitFor();
    await section(/\d+ users? · /).waitFor();
    await section(/^Hotspots/).click();
    await section(/^Import Cycles/).waitFor();
    await section(/^Communities/).click();
    await section(/\d+ members?/).click();
    await window.screenshot('structure');
    await header.click();
  });

  await check('without git the impact of changes says what is missing', async () => {
    assert.equal(existsSync(join(workspace, '.git')), false);
    await window.command('Lattice: Show Impact of Uncommitted Changes');
    await window.notification('This folder is not in a Git repository').waitFor();
    await window.screenshot('without-git');
    await window.dismissNotifications();
  });

  await check('Source Control shows the impact of what is not committed', async () => {
    await inRepository(workspace, 'api/src/pricing.ts', async ({ change }) => {
      change('let total = Money.zero();', "let total = Money.zero('EUR');");
      await page.getByRole('tab', { name: /^Source Control/ }).click();
      const action = page.getByRole('button', { name: 'Show Impact of Uncommitted Changes' }).first();
      await page.locator('.scm-view, .scm-editor').first().waitFor({ timeout: 60_000 });
      await page.locator('.pane-header', { hasText: 'Changes' }).first().hover();
      await action.waitFor();
      await window.screenshot('source-control');
      await action.click();
      await row(/^Changed/).waitFor();
      await row(/^Tests/)
        .first()
        .waitFor();
      await page.mouse.move(900, 700);
      await window.screenshot('impact-of-changes');
    });
  });

  await check('Source Control shows what the branch changes, with unsaved text and without comments', async () => {
    await inRepository(workspace, 'api/src/pricing.ts', async ({ change, git }) => {
      git('checkout', '-q', '-b', 'work');
      change('let total = Money.zero();', "let total = Money.zero('EUR');");
      await window.command('Lattice: Show Impact of My Branch');
      const branch = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Impact of My Branch' }) });
      const line = name => branch.getByRole('treeitem', { name }).first();
      await line(/^Changed Symbols/).waitFor({ timeout: 60_000 });
      await line(/^Tests to Run/).waitFor();
      await window.screenshot('branch-impact');
      await line(/\d+ dependents? · .*changed · pricing/).click();
      await page.locator('.tab.active', { hasText: 'pricing.ts (changes)' }).waitFor();
      await page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
      await window.screenshot('branch-diff');
      await window.closeEditors();
      await branch.locator('.pane-header').hover();
      await branch.getByRole('button', { name: 'Copy Changes as Markdown' }).click();
      await retry(async () => assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^### Changes in the graph from .*\n/), 20_000);
      change('let total = Money.zero();', 'let total = Money.zero(); // nothing yet');
      await branch.getByText('No code has changed').waitFor({ timeout: 60_000 });
      await window.openFile('api/src/pricing.ts', 1, 1);
      await page.keyboard.type('export const unsaved = 1;\n');
      await line(/^constant unsaved, added/).waitFor({ timeout: 60_000 });
      await window.command('File: Revert File');
      await window.closeEditors();
    });
  });

  await check('tests that no framework runs are not run', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('Lattice: Show Impact');
    // Rows move while the tree fills: the buttons of a row are there only below the pointer.
    await retry(async () => {
      const tests = row(/^Tests/).first();
      // The tooltip of another row may cover this one.
      await page.mouse.move(1, 1);
      await tests.hover({ timeout: 5000 });
      await tests.getByRole('button', { name: 'Run Affected Tests' }).click({ timeout: 2000 });
    }, 60_000);
    await window.notification(/no command|framework|no test/i).waitFor();
    await window.screenshot('run-tests');
    await window.dismissNotifications();
  });

  await check('the status item leads to health and actions', async () => {
    // While an index is being updated, the list is shown without its figures.
    await retry(async () => {
      await window.leaveQuickInput();
      await window.command('Lattice: Show Actions');
      await window
        .quickPickRow(/\d+ source files, \d+ symbols/)
        .first()
        .waitFor({ timeout: 5000 });
    }, 60_000);
    await window.quickPickRow('Set Up Agents').first().waitFor();
    await window.screenshot('actions');
    await window.leaveQuickInput();
  });

  await check('agents are set up file by file after a preview, and taken back', async () => {
    const cursor = join(workspace, '.cursor', 'mcp.json');
    const tick = async (agent, tools) => {
      await window.command('Lattice: Set Up Agents');
      await window.quickPickRow('Claude Code').first().waitFor();
      await window.screenshot('set-up-agents');
      const box = window.quickPickRow(agent).first().getByRole('checkbox');
      const wasTicked = await box.isChecked();
      await window.quickPickRow(agent).first().click();
      await retry(async () => assert.equal(await box.isChecked(), !wasTicked), 10_000);
      await window.quickInput.getByRole('button', { name: 'OK' }).click();
      if (tools !== undefined) await window.quickPickRow(tools).first().click();
      await window.quickInput.waitFor({ state: 'hidden' });
    };
    await changeSettings(folders, { 'lattice.mcp.roots': [folders.home] });
    await tick('Cursor', 'Core tools, and tools for agents');
    await window.notification('create .cursor/mcp.json').waitFor();
    // The message goes after some seconds; the question above the text stays.
    await page.locator('.codelens-decoration a', { hasText: 'Write File' }).waitFor();
    assert.equal(existsSync(cursor), false);
    await page.locator('.codelens-decoration a', { hasText: 'Write File' }).click();
    await window.notification('Lattice is set up: Cursor').waitFor();
    const { args, command } = JSON.parse(readFileSync(cursor, 'utf8')).mcpServers.lattice;
    assert.ok(command);
    assert.deepEqual(args.slice(-4), ['--tools', 'agent', '--root', folders.home]);
    await changeSettings(folders, { 'lattice.mcp.roots': null });
    // Its message may still be on the screen: it must not answer for the next file.
    await tick('Cursor');
    await window.notification('delete .cursor/mcp.json').waitFor();
    const stale = window.notification('create .cursor/mcp.json').getByRole('button', { name: 'Write File' });
    if (await stale.isVisible()) await stale.click();
    assert.equal(existsSync(cursor), true);
    await window.notification('delete .cursor/mcp.json').getByRole('button', { name: 'Write File' }).click();
    await window.notification('Lattice was removed: Cursor').waitFor();
    assert.equal(existsSync(cursor), false);
    await window.dismissNotifications();
    await window.closeEditors();
  });

  await check('a command right after a restart of the server waits for the index', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('Lattice: Restart Language Server');
    await window.command('Lattice: Show Impact');
    await row(/totalOf, calls add/)
      .first()
      .waitFor({ timeout: 60_000 });
  });

  await check('the walkthrough has five steps and sees what was done', async () => {
    await window.command('View: Toggle Primary Side Bar Visibility');
    await window.command('Welcome: Open Walkthrough...');
    await window.type('Get Started with Lattice');
    await window.pick('Get Started with Lattice');
    await page.locator('.getting-started-step').first().waitFor();
    assert.equal(await page.locator('.getting-started-step').count(), 5);
    await page.getByText('Search your code', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Search Code' }).first().click();
    await window.step('Search Code');
    await window.leaveQuickInput();
    await page.locator('.getting-started-step .codicon-getting-started-step-checked').first().waitFor();
    await window.screenshot('walkthrough');
    await window.command('View: Toggle Primary Side Bar Visibility');
    await window.closeEditors();
  });
}
