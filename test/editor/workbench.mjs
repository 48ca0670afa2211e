/** What a person does and sees in the workbench: one page of the browser, driven by Playwright. Every wait has a bound. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { changeSettings } from './codeServer.mjs';

const WAIT_MS = 20_000;
const START_MS = 60_000;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchBrowser(executablePath) {
  return chromium.launch({ executablePath, args: FLAGS });
}

export class Workbench {
  constructor(page, pictures) {
    this.page = page;
    this.pictures = pictures;
  }

  /** Opens a window on `url`; `pictures` is the folder of its screenshots. */
  static async open(browser, url, pictures) {
    mkdirSync(pictures, { recursive: true });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(url, { timeout: START_MS });
    await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: START_MS });
    return new Workbench(page, pictures);
  }

  close() {
    return this.page.context().close();
  }

  async screenshot(name) {
    const path = join(this.pictures, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  get quickInput() {
    return this.page.locator('.quick-input-widget');
  }

  get quickInputRows() {
    return this.quickInput.locator('.monaco-list-row');
  }

  /** Rows of the quick pick that hold `text`. */
  quickPickRow(text) {
    return this.quickInputRows.filter({ hasText: text });
  }

  /** Types into the quick pick that is open, in place of what stands there. */
  async type(text, timeout = WAIT_MS) {
    await this.quickInput.locator('input[type="text"]').fill(text, { timeout });
  }

  /** Runs a command by its title, as a user would from the command palette. A palette that something else closed is opened again. */
  async command(title) {
    await retry(async () => {
      await this.page.keyboard.press('F1');
      await this.type(`>${title}`, 5000);
      await this.quickPickRow(title).first().click({ timeout: 5000 });
    }, WAIT_MS);
  }

  /** Opens a file by its path, with the cursor at a 1-based line and column. */
  async openFile(path, line = 1, column = 1) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const place = this.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` });
    await retry(async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+P');
      await this.type(path, 3000);
      // Marked letters say that the rows are those of what was typed: before, the first row is a file opened lately.
      await this.quickInput.locator('.monaco-list-row.focused', { hasText: name, has: this.page.locator('.highlight') }).waitFor({ timeout: 3000 });
      await this.page.keyboard.press('Enter');
      await this.page.locator('.tab.active', { hasText: name }).first().waitFor({ timeout: 3000 });
      // A place behind the path would go to that line of the file before, where the list of files is late.
      await this.page.keyboard.press('Control+G');
      await this.type(`:${line}:${column}`, 3000);
      await this.page.keyboard.press('Enter');
      await place.waitFor({ timeout: 3000 });
    }, WAIT_MS);
  }

  /** Text of the hover at the cursor. */
  async hoverText(holding) {
    const hover = this.page.locator('.monaco-hover:not(.hidden)', { hasText: holding }).first();
    await retry(async () => {
      await this.command('Show or Focus Hover');
      await hover.waitFor({ timeout: 3000 });
    }, WAIT_MS);
    return await hover.innerText();
  }

  get editorText() {
    return this.page.locator('.editor-instance .view-lines').first();
  }

  /** Asks the chat view as a person would by typing. */
  async askChat(folders, query) {
    await changeSettings(folders, { chat: query });
  }

  notification(text) {
    return this.page.locator('.notification-toast', { hasText: text }).first();
  }

  async dismissNotifications() {
    await this.command('Notifications: Clear All Notifications');
    await this.page.locator('.notification-toast').first().waitFor({ state: 'detached' });
  }

  /** The rendered page of a webview whose body holds `text`. */
  async webview(text) {
    return await retry(async () => {
      for (const frame of this.page.frames()) {
        const body = frame.locator('body', { hasText: text });
        if ((await body.count().catch(() => 0)) > 0 && frame.parentFrame() !== null) return frame;
      }
      throw new Error(`no webview shows "${text}"`);
    }, WAIT_MS);
  }

  /** Rows of a tree view in the side bar. */
  treeRows(view) {
    return this.page.locator('.sidebar .pane', { hasText: view }).locator('.monaco-list-row');
  }

  async closeEditors() {
    await this.command('View: Close All Editors');
  }
}

/** Runs `attempt` until it does not throw. */
export async function retry(attempt, timeoutMs) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
}
