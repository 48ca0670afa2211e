/** What a person sees in the window of the sample workspace, after the suite in the extension host has run there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeSettings } from './codeServer.mjs';
import { inRepository } from './gitRepository.mjs';
import { retry } from './workbench.mjs';

/** `[theme, class of the workbench, file name]` */
const THEMES = [
  ['Light Modern', 'vs', 'light'],
  ['Default High Contrast', 'hc-black', 'high-contrast'],
  ['Dark Modern', 'vs-dark', 'dark'],
];

export async function pageTests(report, { window, folders, workspace }) {
  const { page } = window;
  const check = window.checks(report);

  await check('a hover tells who depends on the symbol', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    // Above stands what the language's own provider says, which may come later.
    await retry(async () => assert.match(await window.hoverText('dependent'), /add[^]*dependent/), 60_000);
    await window.screenshot('hover');
    await page.keyboard.press('Escape');
  });

  await check('search shows results while typing, and Enter opens the place', async () => {
    await window.command('Lattice: Search Code');
    await window.step('Search Code');
    await window.type('format money');
    await window.quickInputRows.filter({ hasText: 'formatMoney' }).first().waitFor();
    await window.screenshot('search');
    await window.type('formatMoney');
    await window.quickInput.locator('.monaco-list-row.focused', { hasText: 'formatMoney' }).waitFor();
    await window.accept();
    await page.locator('.statusbar-item', { hasText: 'Ln 29,' }).waitFor();
  });

  await check('impact fills the tree, whose rows select the name', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('Lattice: Show Impact');
    const row = name => page.getByRole('treeitem', { name });
    await row(/^Dependents/).waitFor();
    await row(/pricing\.ts/)
      .first()
      .waitFor();
    await row(/totalOf, calls add/)
      .first()
      .click();
    await page.locator('.tab.active', { hasText: 'pricing.ts' }).waitFor();
    await page.locator('.statusbar-item', { hasText: '(3 selected)' }).waitFor();
    const tests = row(/^Tests/);
    if ((await tests.count()) > 0) await tests.first().click();
    await window.screenshot('impact');
  });

  await check('the impact of git changes fills the tree', async () => {
    await inRepository(workspace, 'api/src/money.ts', async ({ change }) => {
      change('new Money(this.amount + other.amount', 'new Money(other.amount + this.amount');
      await window.command('Lattice: Show Impact of Uncommitted Changes');
      await page.getByText('uncommitted changes:').first().waitFor();
      await window.screenshot('impact-git');
    });
  });

  await check('a symbol is explained on a page', async () => {
    await window.openFile('api/src/pricing.ts', 33, 18);
    await window.command('Lattice: Explain Symbol');
    const frame = await window.webview('Used by');
    const text = await frame.locator('body').innerText();
    assert.match(text, /totalOf/);
    assert.match(text, /OrderService\.total/);
    await window.screenshot('explain');
  });

  await check('health is a page with languages and figures', async () => {
    await window.command('Lattice: Show Index Health');
    const frame = await window.webview('The index is up to date');
    const text = await frame.locator('body').innerText();
    for (const expected of ['TypeScript', 'Python', 'Hotspots', 'Size on disk']) assert.ok(text.includes(expected), `no "${expected}" in ${text}`);
    await window.screenshot('health');
    await window.closeEditors();
  });

  await check('the language status says what the index holds', async () => {
    await window.openFile('api/src/money.ts', 1, 1);
    await page.locator('[id="status.languageStatus"]').click();
    await page.locator('.hover-language-status', { hasText: 'Lattice index' }).first().waitFor();
    const text = await page.locator('.monaco-hover, .hover-language-status').allInnerTexts();
    assert.match(text.join(' '), /\d+ source files, \d+ symbols/);
    await window.screenshot('status');
    await page.keyboard.press('Escape');
  });

  await check('the report is written outside the workspace', async () => {
    await window.command('Lattice: Open Index Report');
    const notice = window.notification('Report saved to');
    await notice.waitFor({ timeout: 60_000 });
    const path = /\S+\.html/.exec(await notice.innerText())?.[0] ?? '';
    assert.ok(path.startsWith(folders.data), path);
    assert.match(readFileSync(path, 'utf8'), /<html/i);
    await window.dismissNotifications();
  });

  await check('the MCP server is offered to the editor when the setting says so', async () => {
    assert.equal(await offered(window, 'before'), false);
    await changeSettings(folders, { 'lattice.mcp.inEditor': true });
    await until('the server in the list', () => offered(window, 'mcp-in-editor'));
    await changeSettings(folders, { 'lattice.mcp.inEditor': null });
  });

  const configuration = join(workspace, '.mcp.json');
  await check('an MCP configuration is previewed, and nothing written when it is discarded', async () => {
    await window.closeEditors();
    await window.command('Lattice: Copy MCP Configuration');
    await window.step('Copy MCP Configuration');
    await window.pick('Claude Code');
    await window.pick('Core');
    await window.notification('create .mcp.json').waitFor();
    await window.screenshot('mcp-preview');
    await window.closeEditors();
    assert.equal(existsSync(configuration), false);
    await window.dismissNotifications();
  });

  await check('an MCP configuration is merged into the file after confirmation', async () => {
    writeFileSync(configuration, '{\n  // keep me\n  "mcpServers": {\n    "other": { "command": "other" }\n  }\n}\n');
    await window.command('Lattice: Copy MCP Configuration');
    await window.step('Copy MCP Configuration');
    await window.pick('Claude Code');
    await window.pick('Core');
    await window.notification('changes to .mcp.json').waitFor();
    await window.screenshot('mcp-merge');
    await window.notification('changes to .mcp.json').getByRole('button', { name: 'Write File' }).click();
    await window.notification('Lattice is set up: ').waitFor();
    const written = readFileSync(configuration, 'utf8');
    assert.match(written, /\/\/ keep me/);
    const { mcpServers } = JSON.parse(written.replace('// keep me', ''));
    assert.deepEqual(mcpServers.other, { command: 'other' });
    assert.equal(mcpServers.lattice.command, join(folders.data, 'bin', 'lattice-mcp'));
    await window.dismissNotifications();
    await window.closeEditors();
  });

  await check('a broken configuration is named and left alone', async () => {
    const broken = '{ "mcpServers": ';
    const good = readFileSync(configuration, 'utf8');
    writeFileSync(configuration, broken);
    await window.command('Lattice: Copy MCP Configuration');
    await window.step('Copy MCP Configuration');
    await window.pick('Claude Code');
    await window.pick('Core');
    await window.notification('was not changed').waitFor();
    assert.equal(readFileSync(configuration, 'utf8'), broken);
    writeFileSync(configuration, good);
    await window.dismissNotifications();
  });

  await check('the views look right in light, dark and high contrast', async () => {
    await window.openFile('api/src/pricing.ts', 30, 20);
    const tests = page.getByRole('treeitem', { name: /^Tests/ }).first();
    // The text names the target, so that no row of another list is taken for one of this.
    await retry(async () => {
      await window.leaveQuickInput();
      await window.command('Lattice: Show Impact');
      await page
        .getByRole('treeitem', { name: /calls totalOf/ })
        .first()
        .waitFor({ timeout: 8000 });
      await tests.waitFor({ timeout: 8000 });
    }, 40_000);
    await tests.click();
    await window.command('Focus on Structure View');
    await page.getByRole('treeitem', { name: /^Hotspots/ }).waitFor();
    await window.openFile('api/src/pricing.ts', 30, 20);
    await changeSettings(folders, { 'lattice.codeLens.enable': true });
    await page.locator('.codelens-decoration a', { hasText: 'reaches' }).first().waitFor();
    for (const [theme, className, name] of THEMES) {
      await changeSettings(folders, { 'workbench.colorTheme': theme });
      await page.locator(`.monaco-workbench.${className}`).waitFor();
      await window.screenshot(`theme-${name}`);
      await window.hoverText('user');
      await window.screenshot(`hover-${name}`);
      await page.keyboard.press('Escape');
      await window.command('Lattice: Search Code');
      await window.step('Search Code');
      await window.type('order total');
      await window.quickInputRows.first().waitFor();
      await window.screenshot(`quick-search-${name}`);
      await window.leaveQuickInput();
    }
    await changeSettings(folders, { 'lattice.codeLens.enable': null });
  });
}

/** Whether the editor's list of MCP servers names Lattice. */
async function offered(window, picture) {
  await window.command('MCP: List Servers');
  await window.quickPickRow('Add Server').first().waitFor();
  await window.screenshot(picture);
  const count = await window.quickPickRow('Lattice').count();
  await window.leaveQuickInput();
  return count > 0;
}

async function until(what, probe, timeoutMs = 40_000) {
  const end = Date.now() + timeoutMs;
  while (!(await probe())) {
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}
