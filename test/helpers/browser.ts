import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

/** Longest wait for anything of a browser, in milliseconds: a bound for what hangs, also on a machine that is busy with other things. */
const PATIENCE_MS = 120_000;

/** A page that is patient. */
export async function newPage(browser: Browser, options: Parameters<Browser['newPage']>[0]): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

/** Headless Chromium that talks to nobody. Throws with what to do when there is none. */
export async function openBrowser(): Promise<Browser> {
  const asked = process.env['LATTICE_TEST_BROWSER'];
  const executablePath = (asked === undefined ? PLACES : [asked]).find(place => existsSync(place));
  if (executablePath === undefined) throw new Error('No Chromium found. Install it (Debian: apt-get install chromium), or name it in LATTICE_TEST_BROWSER.');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args, timeout: PATIENCE_MS });
}
