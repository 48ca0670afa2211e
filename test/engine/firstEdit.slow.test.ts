import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Resolver } from '../../server/src/code/resolve/resolver';
import type { Asking } from './checkout';
import { Checkout } from './checkout';

let checkouts: Checkout[] = [];
const { update } = Resolver.prototype;
afterEach(async () => {
  Resolver.prototype.update = update;
  for (const checkout of checkouts) await checkout.dispose();
  checkouts = [];
});

const FILES = 40;
const SOURCES = Object.fromEntries(
  Array.from({ length: FILES }, (_, at) => [
    `src/f${at}.ts`,
    at === 0
      ? 'export class Base { act(): Base { return this; } }\nexport function made(): Base { return new Base(); }\n'
      : `import { made } from './f${at < 3 ? 0 : at - 2}';\nexport { made };\nexport function use${at}() { return made().act(); }\n`,
  ]),
);

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}

/** Files that resolvers of this process resolve from now on, by update. */
function resolvedCounts(): number[] {
  const counts: number[] = [];
  Resolver.prototype.update = async function (...given) {
    const result = await update.apply(this, given);
    counts.push(result.resolved);
    return result;
  };
  return counts;
}

/** All edges there are, as text. */
async function edges(asking: Asking): Promise<string> {
  const answers = await Promise.all(Object.keys(SOURCES).map(path => asking.call('impact_analyze', { target: path })));
  const used = await Promise.all(['f9.ts::other', 'f8.ts::use8', 'f39.ts::use39'].map(id => asking.call('code_explain', { target: `src/${id}` })));
  // Since when code is as it is, only an index knows that was there when it changed.
  return JSON.stringify([...answers, ...used].map(({ envelope }) => ({ ...(envelope.data as object), validFrom: undefined })));
}

async function indexed(): Promise<Checkout> {
  const checkout = new Checkout(SOURCES);
  checkouts.push(checkout);
  await (await checkout.open()).close();
  return checkout;
}

test('the first edit after a start resolves what it touches, and ends where an index made anew does', async () => {
  const checkout = await indexed();
  const counts = resolvedCounts();
  const first = await checkout.open();
  checkout.write({ 'src/f9.ts': "import { made } from './f7';\nexport { made };\nexport function other() { return made().act(); }\n" });
  await first.settled('code_explain', { target: 'src/f9.ts' });
  expect(counts).toEqual([1]);
  checkout.write({
    'src/f0.ts': 'export class Base { act(): void {} }\nexport class Odd { act(): Odd { return this; } }\nexport function made(): Odd { return new Odd(); }\n',
  });
  await first.settled('code_explain', { target: 'src/f0.ts' });
  const after = await edges(first);
  expect(after.includes('src/f0.ts::Odd::act')).toBe(true);
  await first.close();
  const second = await checkout.open();
  expect((await edges(second)) === after).toBe(true);
  await second.close();
  rmSync(checkout.data, { recursive: true });
  expect((await edges(await checkout.open())) === after).toBe(true);
});

test.each(['missing', 'damaged', 'of another graph'])("with the resolver's links %s everything is resolved once more, and nothing else changes", async harm => {
  const checkout = await indexed();
  const folder = readdirSync(checkout.data, { recursive: true, encoding: 'utf8' }).find(path => path.endsWith('graph.pack.links')) ?? '';
  const links = join(checkout.data, folder);
  if (harm === 'missing') rmSync(links);
  if (harm === 'damaged') flipByte(links);
  if (harm === 'of another graph') rmSync(links.replace('.links', ''));
  const counts = resolvedCounts();
  const asking = await checkout.open();
  checkout.write({ 'src/f9.ts': "import { made } from './f7';\nexport function other() { return made().act(); }\n" });
  await asking.settled('code_explain', { target: 'src/f9.ts' });
  // The files behind it lose what it passed on.
  expect(counts).toEqual([FILES, 16]);
  expect(await asking.has('src/f9.ts::other')).toBe(true);
});
