/** A view of the side bar, as checks of commands use it. */
import assert from 'node:assert/strict';
import { retry } from '../workbench.mjs';
import { PRESS_MS, WAIT_MS } from './waits.mjs';

const VIEWS = ['Impact', 'Structure', 'Services', 'Knowledge', 'Work', 'Agents'];

/** The rows of a view; `open` shows it with the others folded. */
export function viewOf(window, name) {
  const { page } = window;
  const pane = page.locator('.pane', { has: page.locator(`.pane-header[aria-label^="${name}" i]`) });
  const row = text => pane.locator('.monaco-list-row', { hasText: text }).first();
  const open = async () => {
    await window.openView(
      name,
      VIEWS.filter(each => each !== name),
    );
    await pane.locator('.monaco-list-row').first().waitFor();
  };
  /** Presses a button of the title, or takes the entry of its menu. */
  const press = async title => {
    const button = pane.locator('.pane-header').getByRole('button', { name: new RegExp(`^${title}(\\.{3})?$`) });
    const entry = page.getByRole('menuitem', { name: title });
    await retry(async () => {
      await pane.locator('.pane-header').first().hover({ timeout: PRESS_MS });
      if ((await button.count()) > 0) return button.first().click({ timeout: PRESS_MS });
      if ((await entry.count()) === 0)
        await pane
          .getByRole('button', { name: /More Actions/ })
          .first()
          .click({ timeout: PRESS_MS });
      await entry.click({ timeout: PRESS_MS });
      await entry.waitFor({ state: 'detached', timeout: PRESS_MS });
    }, WAIT_MS);
  };
  /** Opens the groups above a row until it is there. */
  const reveal = text =>
    retry(async () => {
      if ((await row(text).count()) === 0) {
        const folded = pane.locator('.monaco-list-row[aria-expanded="false"]').first();
        if ((await folded.count()) > 0) await folded.locator('.monaco-tl-twistie').click({ timeout: PRESS_MS });
      }
      await row(text).waitFor({ timeout: PRESS_MS });
    }, WAIT_MS);
  const choose = async (text, title) => {
    await reveal(text);
    await window.choose(row(text), title);
  };
  /** Presses what refreshes the view, and waits until its rows were drawn anew. */
  const refresh = async title => {
    await row(/./).waitFor();
    await page.evaluate(selector => {
      globalThis.drawnAnew = 0;
      const icons = '.custom-view-tree-node-item-icon';
      const observer = new MutationObserver(changes => {
        globalThis.drawnAnew += changes.filter(({ target }) => target instanceof Element && target.matches(icons)).length;
      });
      for (const header of document.querySelectorAll(selector))
        observer.observe(header.closest('.pane'), { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
    }, `.pane-header[aria-label^="${name}" i]`);
    const isDrawnAnew = async () => assert.ok((await page.evaluate(() => globalThis.drawnAnew)) > 0, 'no row was drawn anew');
    // A title that has just moved may miss the press.
    await retry(async () => {
      await press(title);
      await retry(isDrawnAnew, PRESS_MS);
    }, WAIT_MS);
    await row(/./).waitFor();
  };
  return { pane, row, open, press, reveal, choose, refresh };
}
