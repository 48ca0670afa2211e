import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPage, openBrowser } from '../helpers/browser';
import { removeFolder } from '../helpers/removeFolder.mjs';

const root = join(import.meta.dirname, '..', '..');
const sample = join(root, 'test', 'fixtures', 'workspaces', 'sample');
const folder = mkdtempSync(join(tmpdir(), 'lattice-report-'));
const complaints: string[] = [];
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const file = join(folder, 'report.html');
  const made = spawnSync(process.execPath, [join(root, 'dist', 'cli.js'), 'report', '--workspace', sample, '--out', file], {
    encoding: 'utf8',
    env: { ...process.env, LATTICE_HOME: join(folder, 'home') },
  });
  expect(made.stderr + made.stdout, made.stderr).toContain('report.html');
  browser = await openBrowser();
  page = await newPage(browser, { viewport: { width: 1280, height: 900 } });
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => {
    if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) complaints.push(`asked the network for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
});

afterAll(async () => {
  await browser.close();
  removeFolder(folder);
});

test('the page says what was found', async () => {
  await expect.poll(() => page.title()).toBe('sample · Lattice');
  const figures = await page.locator('.figure').allInnerTexts();
  expect(figures.map(text => text.replace(/\s+/g, ' '))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^23 files$/), expect.stringMatching(/^\d+ symbols$/), expect.stringMatching(/^1 import cycle$/)]),
  );
  expect(await page.locator('.cycles li').first().innerText()).toContain('worker/bookshop/invoices.py');
});

test('it begins with the folders of the code, and lists the symbols of the one that is selected', async () => {
  await page.locator('.block', { hasText: /^api/ }).click();
  await expect.poll(() => page.locator('.details h3').innerText()).toBe('api');
  await page.locator('.details .list button', { hasText: 'Money.add' }).click();
  await expect.poll(() => page.locator('.details h3').innerText()).toContain('add');
  await page.getByRole('button', { name: 'Overview', exact: true }).click();
  await page.locator('.block', { hasText: /^api/ }).waitFor();
});

test('a hotspot opens in the graph with who uses it and what it uses', async () => {
  await page.locator('button.link', { hasText: 'Money.add' }).first().click();
  await expect.poll(() => page.locator('.details h3').innerText()).toContain('add');
  const details = await page.locator('.details').innerText();
  expect(details).toMatch(/Used by \(\d+\)/);
  expect(details).toMatch(/api\/src\/money\.ts:\d+/);
});

test('search finds a symbol, Enter opens it, and history goes back and forth', async () => {
  await page.getByRole('searchbox').fill('totalOf');
  await expect.poll(() => page.locator('.results button').count()).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.details h3').innerText()).toContain('totalOf');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(() => page.locator('.details h3').innerText()).toContain('add');
  await page.getByRole('button', { name: 'Forward' }).click();
  await expect.poll(() => page.locator('.details h3').innerText()).toContain('totalOf');
});

test('an unknown word suggests nothing and breaks nothing', async () => {
  await page.getByRole('searchbox').fill('no such thing anywhere');
  await expect.poll(() => page.locator('.results button').count()).toBe(0);
});

test('nothing was fetched, refused by the security policy or thrown', () => {
  expect(complaints).toEqual([]);
});
