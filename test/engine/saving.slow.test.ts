import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Checkout } from './checkout';

let checkout: Checkout;
afterEach(() => checkout.dispose());

function checkoutFolder(): string {
  const projects = join(checkout.data, 'projects');
  const checkouts = join(projects, readdirSync(projects)[0] ?? '', 'checkouts');
  return join(checkouts, readdirSync(checkouts)[0] ?? '');
}

test('An index that could not be saved can be asked, and says so', async () => {
  checkout = new Checkout({ 'a.ts': 'export function alpha() {}\n' });
  await (await checkout.open()).close();
  rmSync(join(checkoutFolder(), 'graph.pack'));
  mkdirSync(join(checkoutFolder(), 'graph.pack.new', 'in-the-way'), { recursive: true });
  const again = await checkout.open();
  expect(await again.find('alpha')).toContain('a.ts::alpha');
  expect((await again.health()).progress).toMatchObject({ phase: 'ready', problem: expect.stringContaining('graph') });
});

test('A data folder inside the workspace is not indexed, also when the user sets patterns', async () => {
  checkout = new Checkout({ 'a.ts': 'export function alpha() {}\n', 'odd [data] #1/b.ts': 'export function beta() {}\n' });
  const dataFolder = join(checkout.root, 'odd [data] #1');
  const first = await checkout.open({ dataFolder, settings: { ignorePatterns: ['*.md'] } });
  expect(await first.find('beta')).toEqual([]);
  const before = (await first.call('graph_health', {})).envelope.stamp;
  first.gateway.configure({ ignorePatterns: [] });
  checkout.write({ 'c.md': 'words\n' });
  expect((await first.settled('search_code', { query: 'alpha' })).envelope.stamp?.revision).toBeGreaterThanOrEqual(before?.revision ?? 0);
  expect(await first.find('beta')).toEqual([]);
  await first.close();
  const second = await checkout.open({ dataFolder });
  expect((await second.health()).lastIndex).toMatchObject({ filesParsed: 0 });
});
