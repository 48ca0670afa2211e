import { readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { type Asking, Checkout, isOfCode } from './checkout';

const fixture = join(import.meta.dirname, '../fixtures/scip/typescript');
const FILES = Object.fromEntries(
  readdirSync(fixture, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => statSync(join(fixture, path)).isFile())
    .map(path => [path, readFileSync(join(fixture, path))]),
);
const INDEX = FILES['index.scip'] ?? Buffer.alloc(0);
const WITHOUT = Object.fromEntries(Object.entries(FILES).filter(([path]) => path !== 'index.scip'));
const text = (path: string): string => FILES[path]?.toString('utf8') ?? '';

let checkouts: Checkout[] = [];
const make = (files: Readonly<Record<string, string | Uint8Array>>): Checkout => {
  const checkout = new Checkout(files);
  checkouts.push(checkout);
  return checkout;
};
afterEach(async () => {
  for (const checkout of checkouts) await checkout.dispose();
  checkouts = [];
});

/** Every edge with where it is known from; asks first what makes the engine look at the disk. */
async function edges(asking: Asking): Promise<string[]> {
  await asking.settled('code_explain', { element: 'src/main.ts' });
  const answer = await asking.gateway.query('exportGraph', { limit: 1000 }, asking.caller(), neverCancelled);
  if (!answer.ok) throw new Error(answer.error.message);
  const { rows } = answer.value as { rows: readonly Record<string, unknown>[] };
  return rows
    .filter(row => isOfCode(row) && row['type'] === 'edge' && row['provenance'] !== 'syntax')
    .map(row => `${String(row['source'])} ${String(row['relation'])} ${String(row['target'])} ${String(row['provenance'])}`)
    .sort();
}

/** What a first index of the same files says. */
async function coldEdges(files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
  return edges(await make(files).open());
}

const COMPILED = 'src/main.ts::run CALLS src/shapes.ts::Circle::area scip';
const covered = (counts: object): object => ({ precise: [{ path: 'index.scip', ...counts }] });

test('An index that comes, changes, is outdated and goes again changes the graph each time, as a first index would have it', async () => {
  const checkout = make(WITHOUT);
  const asking = await checkout.open();
  expect(await edges(asking)).toEqual(await coldEdges(WITHOUT));
  expect(await asking.health()).toMatchObject({ precise: [] });

  checkout.write({ 'index.scip': INDEX });
  const whole = await coldEdges(FILES);
  expect(whole).toContain(COMPILED);
  expect(await edges(asking)).toEqual(whole);
  expect(await asking.health()).toMatchObject(covered({ tool: 'scip-typescript 0.4.0', covered: 4, stale: 0, unknown: 0 }));

  const edited = text('src/main.ts').replace('/** Groups', '\n/** Groups');
  checkout.write({ 'src/main.ts': edited });
  const after = await edges(asking);
  expect(after.filter(edge => edge.startsWith('src/main.ts') && edge.endsWith('scip'))).toEqual([]);
  expect(after).toContain('src/registry.ts::paint USES_TYPE src/shapes.ts::Shape scip');
  expect(await asking.health()).toMatchObject(covered({ covered: 3, stale: 1, staleFiles: ['src/main.ts'] }));

  checkout.write({ 'src/main.ts': text('src/main.ts') });
  expect(await edges(asking)).toEqual(whole);

  checkout.remove('src/registry.ts');
  await edges(asking);
  expect(await asking.health()).toMatchObject(covered({ covered: 3, stale: 0, unknown: 1 }));

  checkout.write({ 'src/registry.ts': text('src/registry.ts') });
  checkout.remove('index.scip');
  expect(await edges(asking)).toEqual(await coldEdges(WITHOUT));
  expect(await asking.health()).toMatchObject({ precise: [] });
});

test('After a restart the same index is not read again, another one is', async () => {
  const checkout = make(FILES);
  const first = await checkout.open();
  const whole = await edges(first);
  await first.close();

  const second = await checkout.open();
  expect(await second.health()).toMatchObject({ ...covered({ covered: 4 }), txCount: 1 });
  expect(await edges(second)).toEqual(whole);
  // The resolver of a warm start knows the index, too.
  checkout.write({ 'src/more.ts': 'export const more = 1;\n' });
  expect((await edges(second)).filter(edge => edge.endsWith('scip'))).toEqual(whole.filter(edge => edge.endsWith('scip')));
  await second.close();

  checkout.remove('index.scip');
  checkout.remove('src/more.ts');
  const third = await checkout.open();
  expect(await edges(third)).toEqual(await coldEdges(WITHOUT));
  expect(await third.health()).toMatchObject({ precise: [], lastIndex: { filesParsed: 0 } });
});

test('A newer file that reads as it was indexed is covered, one that does not is stale', async () => {
  const checkout = make({ ...FILES, 'src/shapes.ts': text('src/shapes.ts').replace('PI = 3', 'PI = 30') });
  const later = new Date(Date.now() + 60_000);
  for (const path of ['src/main.ts', 'src/shapes.ts', 'src/registry.ts']) utimesSync(join(checkout.root, path), later, later);
  checkout.write({ 'src/registry.ts': text('src/registry.ts').replace('function paint', 'function print') });
  utimesSync(join(checkout.root, 'src/registry.ts'), later, later);
  const asking = await checkout.open();
  expect(await asking.health()).toMatchObject(covered({ covered: 3, stale: 1, staleFiles: ['src/registry.ts'] }));
});

test('Unsaved text of a covered file is seen by its window alone', async () => {
  const checkout = make(FILES);
  const asking = await checkout.open();
  const before = await edges(asking);
  asking.gateway.overlay([{ path: 'src/main.ts', version: 1, text: `\n\n${text('src/main.ts')}` }], asking.caller('editor'));
  const seen = async (): Promise<string> => JSON.stringify((await asking.call('code_explain', { element: 'src/main.ts::run' }, 'editor')).envelope.data);
  // An answer waits for unsaved text, but not for ever.
  await expect.poll(seen).not.toContain('Circle::area');
  expect(await edges(asking)).toEqual(before);
});

test('The setting names indexes; those outside are refused and said', async () => {
  const checkout = make({ ...WITHOUT, 'build/ts.scip': INDEX });
  checkout.write({ '../outside.scip': INDEX });
  symlinkSync(join(checkout.base, 'outside.scip'), join(checkout.root, 'link.scip'));
  const asking = await checkout.open({ settings: { preciseIndexes: ['build/ts.scip', '../outside.scip', 'link.scip'] } });
  expect(await edges(asking)).toContain(COMPILED);
  expect(await asking.health()).toMatchObject({
    precise: [
      { path: 'build/ts.scip', covered: 4 },
      { path: '../outside.scip', problem: 'The path is outside the workspace.' },
      { path: 'link.scip', problem: 'The path is a link to a path outside the workspace.' },
    ],
  });
  const { envelope } = await asking.call('graph_health', {});
  expect(JSON.stringify(envelope.data)).toContain('precise index link.scip: The path is a link');
});
