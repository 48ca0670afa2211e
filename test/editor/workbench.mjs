/**
 * What a person does and sees in the workbench: one page of the browser, driven by Playwright. Every wait has a bound.
 * A key goes to whatever has the focus, which on a busy machine is not yet what was asked for: each press here waits for a state
 * that proves where it lands, and then for what it changes.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { changeSettings } from './codeServer.mjs';
import { screenOf } from './screen.mjs';

const WAIT_MS = 30_000;
const START_MS = 90_000;
/** A command or a file, with all that may have to be done again. */
const ACTION_MS = 60_000;
/** One step of an action, before it is tried again. */
const STEP_MS = 8000;
const PRESS_MS = 6000;
/** A menu hears no button go up in its first 100 ms. */
const MENU_DEAF_MS = 200;
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

  /** Runs checks of this window: a failure tells what was on the screen, leaves a picture named after the check, and what was open is closed. */
  checks(report) {
    return (name, run) => report.check(name, run, () => this.afterFailure(name));
  }

  async afterFailure(name) {
    const seen = await screenOf(this.page);
    const picture = `failed-${name.replaceAll(/\W+/g, '-').slice(0, 120)}`;
    await this.screenshot(existsSync(join(this.pictures, `${picture}.png`)) ? `${picture}-again` : picture);
    for (let presses = 0; presses < 3; presses++) await this.page.keyboard.press('Escape');
    return seen;
  }

  async screenshot(name) {
    const path = join(this.pictures, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  get quickInput() {
    return this.page.locator('.quick-input-widget');
  }

  get quickInputBox() {
    return this.quickInput.locator('input[type="text"], input[type="password"]');
  }

  get quickInputRows() {
    return this.quickInput.locator('.monaco-list-row');
  }

  /** Rows of the quick pick that hold `text`. */
  quickPickRow(text) {
    return this.quickInputRows.filter({ hasText: text });
  }

  /** `{ title, hint, value, hasFocus }` of the quick input that is open, `undefined` when none is. */
  quickInputState() {
    return this.page.evaluate(() => {
      const widget = document.querySelector('.quick-input-widget');
      const box = widget?.querySelector('input[type="text"], input[type="password"]');
      if (!box || box.getClientRects().length === 0) return undefined;
      const title = widget.querySelector('.quick-input-title')?.textContent?.trim() ?? '';
      return { title, hint: box.placeholder, value: box.value, hasFocus: document.activeElement === box };
    });
  }

  /** Waits for the step with this title and, where several have the same, with this placeholder, prompt or message. */
  async step(title, hint = '') {
    await this.quickInput.locator('.quick-input-title', { hasText: whole(title) }).waitFor();
    await retry(async () => {
      const state = await this.quickInputState();
      const message = await this.quickInput.locator('.quick-input-message').innerText({ timeout: 1000 });
      assert.ok(`${state?.hint} ${message}`.includes(hint), `the step ${title} does not say "${hint}" but "${state?.hint} ${message}"`);
      assert.ok(state?.hasFocus, `the step ${title} has no focus`);
    }, WAIT_MS);
  }

  /** Types into the quick input that is open, in place of what stands there. */
  async type(text, timeout = WAIT_MS) {
    await this.quickInputBox.fill(text, { timeout });
    assert.equal(await this.quickInputBox.inputValue({ timeout }), text);
  }

  /** Presses Enter in the quick input, and waits until what stood there is gone: nothing that follows is taken for an answer to it. */
  async accept() {
    const before = await this.quickInputState();
    assert.ok(before, 'nothing is asked');
    await this.quickInputBox.press('Enter');
    await this.hasLeft(before);
  }

  /** Answers the step with this title; `text` takes the place of what stands there, and `shows` is what it must say before. */
  async answer(title, text, shows) {
    await this.step(title);
    if (text !== undefined) await this.type(text);
    if (shows !== undefined) await this.quickInput.locator('.quick-input-message', { hasText: shows }).waitFor();
    await this.accept();
  }

  /** Chooses a row of the quick pick that is open. */
  async pick(text) {
    const row = this.quickPickRow(text).first();
    await row.waitFor();
    const before = await this.quickInputState();
    await row.click();
    if (before !== undefined) await this.hasLeft(before);
  }

  /** Leaves the quick input, if one is open, as Escape does. */
  async leaveQuickInput() {
    await retry(async () => {
      if ((await this.quickInputState()) === undefined) return;
      await this.quickInputBox.press('Escape', { timeout: PRESS_MS });
      await this.quickInput.waitFor({ state: 'hidden', timeout: PRESS_MS });
    }, WAIT_MS);
  }

  async hasLeft({ title, hint, value }) {
    await retry(async () => {
      // A window that is loading anew shows nothing of it either.
      const now = await this.quickInputState().catch(() => undefined);
      assert.notDeepEqual(now && { title: now.title, hint: now.hint, value: now.value }, { title, hint, value }, `the step "${title}" with "${value}" stays`);
    }, WAIT_MS);
  }

  /** Presses a key that opens the quick input with `value` in it, until it is there and has the focus. */
  async openQuickInput(key, value) {
    await retry(async () => {
      await this.leaveQuickInput();
      await this.page.keyboard.press(key);
      await retry(async () => {
        const state = await this.quickInputState();
        assert.ok(state?.hasFocus && state.value === value, `${key} opened ${JSON.stringify(state)}`);
      }, PRESS_MS);
    }, WAIT_MS);
  }

  openPalette() {
    return this.openQuickInput('F1', '>');
  }

  /** Runs a command by its title, as a user would from the command palette. */
  async command(title) {
    const label = this.page.locator('.label-name', { hasText: whole(title, '(.*: )?', '(…|\\.\\.\\.)?'), has: this.page.locator('.highlight') });
    const row = this.quickInputRows.filter({ has: label }).first();
    let before;
    await retry(async () => {
      await this.openPalette();
      await this.type(`>${title}`, STEP_MS);
      // Marked letters say that the rows are those of what was typed.
      await row.waitFor({ timeout: STEP_MS });
      before = await this.quickInputState();
      assert.equal(before?.value, `>${title}`);
      if ((await row.getAttribute('class', { timeout: STEP_MS })).includes('focused')) await this.quickInputBox.press('Enter', { timeout: STEP_MS });
      else await row.click({ timeout: STEP_MS });
    }, ACTION_MS);
    await this.hasLeft(before);
  }

  /** Whether the command palette has a command; `beside` is one that it lists for the same words. */
  async offers(title, words, beside) {
    await this.openPalette();
    await this.type(`>${words}`);
    await this.quickInputRows
      .filter({ hasText: beside, has: this.page.locator('.highlight') })
      .first()
      .waitFor();
    const count = await this.quickPickRow(title).count();
    await this.leaveQuickInput();
    return count > 0;
  }

  /** Opens a file by its path, with the cursor at a 1-based line and column. */
  async openFile(path, line = 1, column = 1) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const place = this.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col ${column}` });
    await retry(async () => {
      await this.page.keyboard.press('Escape');
      await this.openQuickInput('Control+P', '');
      await this.type(path, STEP_MS);
      // Marked letters say that the rows are those of what was typed: before, the first row is a file opened lately.
      await this.quickInput.locator('.monaco-list-row.focused', { hasText: name, has: this.page.locator('.highlight') }).waitFor({ timeout: STEP_MS });
      await this.accept();
      await this.page.locator('.tab.active', { hasText: name }).first().waitFor({ timeout: STEP_MS });
      // A place behind the path would go to that line of the file before, where the list of files is late.
      await this.openQuickInput('Control+G', ':');
      await this.type(`:${line}:${column}`, STEP_MS);
      await this.accept();
      await place.waitFor({ timeout: STEP_MS });
      await this.page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor({ timeout: STEP_MS });
    }, ACTION_MS);
  }

  /** Text of the hover at the cursor. */
  async hoverText(holding) {
    const hover = this.page.locator('.monaco-hover:not(.hidden)', { hasText: holding }).first();
    await retry(async () => {
      await this.command('Show or Focus Hover');
      await hover.waitFor({ timeout: STEP_MS });
    }, ACTION_MS);
    return await hover.innerText();
  }

  get editorText() {
    return this.page.locator('.editor-instance .view-lines').first();
  }

  /** Types at the end of the editor's text, and waits until it stands there. */
  async write(text) {
    await this.editorText.click();
    await this.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
    await this.page.keyboard.type(text);
    await this.editorText.filter({ hasText: text }).waitFor();
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

  /** Closes all editors, also one that opens late. */
  async closeEditors() {
    await retry(async () => {
      await this.command('View: Close All Editors');
      await this.page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached', timeout: STEP_MS });
    }, ACTION_MS);
  }

  /** Shows the views of Lattice with this one open, and those of `others` folded. */
  async openView(name, others) {
    await this.command(`Focus on ${name} View`);
    await this.page.locator(`.pane-header[aria-label^="${name}"][aria-expanded="true"]`).waitFor();
    for (const other of others) {
      const header = this.page.locator(`.pane-header[aria-label*="${other}"][aria-expanded="true"]`);
      // At its left end: the buttons of a title appear below the pointer, in a narrow side bar up to its middle.
      if ((await header.count()) > 0) await header.first().click({ position: { x: 12, y: 10 } });
    }
  }

  /** Takes an entry of the context menu of `row`; a menu that has just opened may miss the first press. */
  async choose(row, title) {
    const entry = this.page.getByRole('menuitem', { name: title });
    const menu = this.page.locator('.monaco-menu-container');
    await retry(async () => {
      if ((await entry.count()) === 0) {
        // The menu of a row that has changed since lacks the entry, and lies above the row.
        if ((await menu.count()) > 0) await this.escape(menu.first());
        await row.click({ button: 'right', timeout: STEP_MS });
      }
      await entry.click({ timeout: PRESS_MS, delay: MENU_DEAF_MS });
      await entry.waitFor({ state: 'detached', timeout: PRESS_MS });
    }, WAIT_MS);
  }

  /** Presses Escape until `what` is gone: the first press may come before it has the focus. */
  async escape(what) {
    await retry(async () => {
      await this.page.keyboard.press('Escape');
      await what.waitFor({ state: 'hidden', timeout: PRESS_MS });
    }, WAIT_MS);
  }
}

/** The whole of `text`, of spaces any number, or the pattern that it is. */
function whole(text, before = '', after = '') {
  return text instanceof RegExp ? text : new RegExp(`^${before}${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}${after}$`);
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
