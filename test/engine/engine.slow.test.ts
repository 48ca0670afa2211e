import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { Gateway, ToolAnswer } from '../../server/src/session/gateway';
import { type Asking, Checkout } from './checkout';

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

const SHOP = {
  'src/cart.ts': 'import { price } from "./price";\nexport function total(): number { return price() * 2; }\n',
  'src/price.ts': 'export function price(): number { return 3; }\n',
  'tool.py': 'def build():\n    return 1\n',
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
}

function packsOf(checkout: Checkout, name: string): string {
  const found = filesBelow(checkout.data).find(path => path.endsWith(name));
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

test('A folder is indexed, answers carry a stamp, and nothing is written into it', async () => {
  const shop = make(SHOP);
  const asking = await shop.open();
  expect(await asking.find('price')).toContain('src/price.ts::price');
  const { envelope } = await asking.call('code_explain', { element: 'src/cart.ts::total' });
  expect(envelope).toMatchObject({ ok: true, stamp: { revision: 1, head: '', pendingFiles: 0 } });
  const health = await asking.health();
  expect(health).toMatchObject({ role: 'owner', progress: { phase: 'ready' }, txCount: 1, lastIndex: { filesParsed: 3, filesFromCache: 0 }, recovered: [] });
  expect(health.languages.map(({ language, files }) => [language, files])).toEqual([
    ['python', 1],
    ['typescript', 2],
  ]);
  expect(filesBelow(shop.root)).toHaveLength(3);
});

test('A restart parses nothing, and finds what changed meanwhile', async () => {
  const shop = make(SHOP);
  await (await shop.open()).close();
  const again = await shop.open();
  expect((await again.health()).lastIndex).toMatchObject({ filesParsed: 0 });
  expect(await again.find('price')).toContain('src/price.ts::price');
  expect((await again.health()).txCount).toBe(1);
  await again.close();
  shop.write({ 'src/cart.ts': 'export function sum(): number { return 1; }\n', 'src/fresh.ts': 'export class Fresh {}\n' });
  shop.remove('tool.py');
  const third = await shop.open();
  expect((await third.health()).lastIndex).toMatchObject({ filesParsed: 2 });
  expect(await third.has('src/cart.ts::sum')).toBe(true);
  expect(await third.has('src/cart.ts::total')).toBe(false);
  expect(await third.has('src/fresh.ts::Fresh')).toBe(true);
  expect(await third.has('tool.py::build')).toBe(false);
  expect((await third.health()).txCount).toBe(2);
});

test('A change of content that keeps size and time is found when the editor tells of the file', async () => {
  const shop = make(SHOP);
  const asking = await shop.open({ longLived: true, watch: 'editor' });
  const path = join(shop.root, 'src/price.ts');
  const { atime, mtime } = statSync(path);
  writeFileSync(path, readFileSync(path, 'utf8').replace('price', 'prize'));
  utimesSync(path, atime, mtime);
  asking.gateway.notifyFiles([{ path: 'src/price.ts', kind: 'changed' }]);
  await expect.poll(() => asking.has('src/price.ts::prize')).toBe(true);
  expect(await asking.has('src/price.ts::price')).toBe(false);
});

test.each(['none', 'files', 'editor'] as const)('What was just written is in the next answer (watching: %s)', async watch => {
  const shop = make(SHOP);
  const asking = await shop.open({ longLived: watch !== 'none', watch });
  await asking.find('price');
  shop.write({ 'src/cart.ts': 'export function total(): number { return 1; }\nexport function discount(): number { return 2; }\n' });
  const { envelope } = await asking.settled('code_explain', { element: 'src/cart.ts::total' });
  expect(envelope.stamp).toMatchObject({ pendingFiles: 0, revision: 2 });
  expect(await asking.has('src/cart.ts::discount')).toBe(true);
  shop.write({ 'src/new.ts': 'export function brandNew(): void {}\n' });
  expect(await asking.has('src/new.ts::brandNew')).toBe(true);
  shop.remove('src/new.ts');
  expect(await asking.has('src/new.ts::brandNew')).toBe(false);
});

test('Catching up ends when everything in the folder is indexed, also what no watcher has told of', async () => {
  const shop = make(SHOP);
  const asking = await shop.open({ longLived: true, watch: 'none' });
  const ask = (feature: string): ReturnType<Gateway['query']> => asking.gateway.query(feature, {}, asking.caller(), neverCancelled);
  shop.write({ 'src/cart.ts': 'export function sum(): number { return 1; }\n', 'src/fresh.ts': 'export class Fresh {}\n' });
  expect(await ask('indexStatus')).toMatchObject({ value: { files: 3, stamp: { revision: 1 } } });
  expect(await ask('catchUp')).toEqual({ ok: true, value: { status: 'UP_TO_DATE' } });
  expect(await ask('indexStatus')).toMatchObject({ value: { files: 4, stamp: { revision: 2 } } });
  expect(await asking.health()).toMatchObject({ txCount: 2, pendingFiles: 0 });
  expect(await ask('catchUp')).toMatchObject({ ok: true });
  expect(await asking.health()).toMatchObject({ txCount: 2 });
});

test('A watcher of our own sees edits, new folders and removed folders', async () => {
  const shop = make(SHOP);
  const asking = await shop.open({ longLived: true, watch: 'files' });
  await expect.poll(async () => (await asking.health()).watcherState).toBe('idle');
  const changed: string[] = [];
  asking.gateway.onRevision(event => changed.push(...event.changed));
  shop.write({ 'lib/deep/one.ts': 'export function deep(): void {}\n' });
  await expect.poll(() => changed).toContain('lib/deep/one.ts');
  expect(await asking.has('lib/deep/one.ts::deep')).toBe(true);
  shop.remove('lib');
  await expect.poll(() => asking.has('lib/deep/one.ts::deep')).toBe(false);
});

/** `one` moves down, its neighbor below is deleted, and what stands above cannot be parsed. */
const TWO = 'export function one(): number {\n  return 1;\n}\n\nexport function two(): number {\n  return 2;\n}\n';
const BROKEN = '// moved\n// down\nexport function broken(a: { ((\n\nexport function one(): number {\n  return 1;\n}\n';
const SOURCE_OF_ONE = 'export function one(): number {\n  return 1;\n}';

test('A folder that another one of its name replaces takes its files along', async () => {
  const shop = make(SHOP);
  const asking = await shop.open({ watch: 'editor' });
  renameSync(join(shop.root, 'src'), join(shop.base, 'old'));
  shop.write({ 'src/fresh.ts': 'export function fresh(): number { return 1; }\n' });
  asking.gateway.notifyFiles([{ path: 'src', kind: 'changed' }]);
  await expect.poll(() => asking.find('fresh'), { timeout: 20_000 }).toContain('src/fresh.ts::fresh');
  expect(await asking.find('total')).not.toContain('src/cart.ts::total');
});

test('A file on disk with syntax errors is what a first index of it would be: what parses, where it stands, and it is named', async () => {
  const shop = make({ ...SHOP, 'src/two.ts': TWO });
  const asking = await shop.open();
  shop.write({ 'src/two.ts': BROKEN });
  const slice = await asking.settled('semantic_slice', { symbol: 'src/two.ts::one' });
  expect(slice.envelope.data).toMatchObject({ code: SOURCE_OF_ONE, startLine: 5 });
  expect(await asking.has('src/two.ts::two')).toBe(false);
  expect((await asking.health()).problems).toEqual([expect.objectContaining({ path: 'src/two.ts', code: 'syntax_errors' })]);
  const { envelope } = await asking.call('graph_health', {});
  expect(envelope.data?.['problemFiles']).toEqual([{ path: 'src/two.ts', code: 'syntax_errors' }]);
  const symbols = (await asking.health()).languages;
  shop.remove('src/two.ts');
  await asking.settled('code_explain', { target: 'src/price.ts' });
  shop.write({ 'src/two.ts': BROKEN });
  await asking.settled('code_explain', { target: 'src/two.ts' });
  expect((await asking.health()).languages).toEqual(symbols);
  shop.write({ 'src/two.ts': TWO });
  expect(await asking.has('src/two.ts::two')).toBe(true);
  expect((await asking.health()).problems).toEqual([]);
});

test('Unsaved text with syntax errors says so, in lines of that text, without what was deleted', async () => {
  const shop = make({ ...SHOP, 'src/two.ts': `${TWO}\nexport function last(): number {\n  return two();\n}\n` });
  const window = await shop.open({ longLived: true, watch: 'editor' });
  const text = `// moved\n${SOURCE_OF_ONE}\n\nexport function last(): number {\n  return one(((;\n}\n`;
  window.gateway.overlay([{ path: 'src/two.ts', version: 1, text }], window.caller('editor'));
  const sliced = async (symbol: string): Promise<ToolAnswer['envelope']> => (await window.call('semantic_slice', { symbol }, 'editor')).envelope;
  await expect.poll(async () => (await sliced('src/two.ts::one')).data).toMatchObject({ code: SOURCE_OF_ONE, startLine: 2, stale: true });
  const last = await sliced('src/two.ts::last');
  expect(last).toMatchObject({ stamp: { staleFiles: 1 }, data: { code: 'export function last(): number {\n  return one(((;\n}', stale: true } });
  expect((await window.call('search_code', { query: 'last' }, 'editor')).envelope.data?.['results']).toContainEqual(
    expect.objectContaining({ chunk_id: 'src/two.ts::last', stale: true }),
  );
  expect(await window.has('src/two.ts::two', 'editor')).toBe(false);
  window.gateway.overlay([{ path: 'src/two.ts', version: 2, text: text.replace('(((', '()') }], window.caller('editor'));
  await expect.poll(async () => (await sliced('src/two.ts::last')).stamp?.staleFiles).toBeUndefined();
  expect((await sliced('src/two.ts::last')).data).not.toHaveProperty('stale');
});

const DAMAGES: readonly { readonly name: string; readonly pack: string; harm(path: string): void; readonly parses: number }[] = [
  { name: 'a graph cut short', pack: 'graph.pack', harm: path => truncateSync(path, Math.floor(statSync(path).size / 2)), parses: 0 },
  { name: 'a graph of noise', pack: 'graph.pack', harm: path => writeFileSync(path, Buffer.alloc(5_000, 7)), parses: 0 },
  { name: 'an empty graph', pack: 'graph.pack', harm: path => truncateSync(path, 0), parses: 0 },
  { name: 'facts of noise', pack: 'facts.pack', harm: path => writeFileSync(path, Buffer.alloc(5_000, 7)), parses: 0 },
];

test.each(DAMAGES)('Damage is survived and said: $name', async ({ pack, harm, parses }) => {
  const shop = make(SHOP);
  await (await shop.open()).close();
  harm(packsOf(shop, pack));
  const asking = await shop.open();
  const health = await asking.health();
  expect(health.recovered).toHaveLength(1);
  expect(health.lastIndex).toMatchObject({ filesParsed: parses });
  expect(await asking.find('price')).toContain('src/price.ts::price');
  shop.write({ 'src/price.ts': 'export function price(): number { return 4; }\nexport function extra(): void {}\n' });
  await asking.settled('code_explain', { element: 'src/price.ts::price' });
  expect(await asking.has('src/price.ts::extra')).toBe(true);
  expect(await asking.has('src/cart.ts::total')).toBe(true);
});

test('A journal with garbage at its end loses nothing that was acknowledged', async () => {
  const shop = make(SHOP);
  await (await shop.open()).close();
  for (const segment of filesBelow(shop.data).filter(path => path.includes('journal'))) appendFileSync(segment, 'garbage');
  const asking = await shop.open();
  expect((await asking.health()).txCount).toBe(1);
  expect(await asking.find('price')).toContain('src/price.ts::price');
});

test('Files that cannot be read as source are indexed around, counted and named', async () => {
  const shop = make({
    ...SHOP,
    'empty.ts': '',
    'binary.ts': Buffer.from([0x47, 0, 0, 0x10, 0, 1, 2]),
    'latin.ts': Buffer.from('export function caf\xe9(): void {}\nexport function fine(): void {}\n', 'latin1'),
    'long.js': `var a = "${'x'.repeat(10_000_000)}";`,
    'line.js': `const b = [${'1,'.repeat(400_000)}];`,
    'deep.ts': `${'('.repeat(20_000)}1${')'.repeat(20_000)};\nexport function afterDeep(): void {}\n`,
    'garbage.py': 'def ((((:::\n\x07\x1b[ class\n'.repeat(50),
  });
  symlinkSync('..', join(shop.root, 'src', 'loop'));
  symlinkSync('/nowhere/at/all', join(shop.root, 'dangling.ts'));
  // A folder in place of a file cannot be read by anyone; one that is closed could be by root.
  mkdirSync(join(shop.root, '.git', 'info', 'exclude'), { recursive: true });
  shop.write({ '.git/HEAD': 'ref: refs/heads/main\n' });
  const asking = await shop.open();
  const health = await asking.health();
  expect(health.progress.phase).toBe('ready');
  expect(await asking.find('price')).toContain('src/price.ts::price');
  expect(await asking.has('latin.ts::fine')).toBe(true);
  const codes = new Set(Object.keys(health.problemCounts));
  expect(codes).toContain('too_large');
  expect(health.problems).toContainEqual(expect.objectContaining({ path: '.git/info/exclude', code: 'unreadable' }));
});

test('A rebuild answers at once with its transaction and leaves it committed', async () => {
  const shop = make(SHOP);
  const asking = await shop.open();
  const before = (await asking.health()).latestTxId;
  const { envelope } = await asking.call('graph_rebuild', { mode: 'full' });
  expect(envelope).toMatchObject({ ok: true, data: { status: 'QUEUED', txId: expect.any(String) } });
  expect(await endOf(asking, envelope.data?.['txId'])).toMatchObject({ ok: true, value: { status: 'COMMITTED' } });
  expect((await asking.health()).latestTxId).toBe(envelope.data?.['txId']);
  expect(envelope.data?.['txId']).not.toBe(before);
  expect((await asking.health()).lastIndex).toMatchObject({ filesParsed: 3 });
  expect(await endOf(asking, 'tx-of-nobody')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});

test('A rebuild that fails says why to who waits for it, and is aborted', async () => {
  const shop = make(SHOP);
  const asking = await shop.open();
  renameSync(shop.root, `${shop.root}-away`);
  const { envelope } = await asking.call('graph_rebuild', { mode: 'full' });
  const txId = envelope.data?.['txId'];
  const failed = await endOf(asking, txId);
  renameSync(`${shop.root}-away`, shop.root);
  expect(failed).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
  // The same for who asks later.
  expect(await endOf(asking, txId)).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE', message: expect.stringContaining('was interrupted') } });
});

test('Processes that wait for a rebuild are notified by the next owner if its owner exits', async () => {
  const shop = make(SHOP);
  const owner = await shop.open();
  const guest = await shop.open();
  expect(await guest.health()).toMatchObject({ role: 'guest' });
  const heard: string[] = [];
  guest.gateway.onProgress(({ phase }) => heard.push(phase));
  const { envelope } = await owner.call('graph_rebuild', { mode: 'full' });
  const end = endOf(guest, envelope.data?.['txId']);
  await owner.close();
  // Whether it was done in time is the owner's luck; what counts is that somebody tells.
  const ended = await end;
  expect(ended.ok ? ended.value : ended.error).toMatchObject(ended.ok ? { status: 'COMMITTED' } : { message: expect.stringContaining('was interrupted') });
  expect(await guest.health()).toMatchObject({ role: 'owner' });
  await expect.poll(() => heard.at(-1)).toBe('ready');
});

function endOf(asking: Asking, txId: unknown): ReturnType<Gateway['query']> {
  return asking.gateway.query('rebuildEnd', { txId }, asking.caller(), neverCancelled);
}

test('Unsaved text is seen by its own window only, with the calls it makes', async () => {
  const shop = make(SHOP);
  const window = await shop.open({ longLived: true, watch: 'editor' });
  const agent = await shop.open({ longLived: true, watch: 'files' });
  const other = await shop.open({ longLived: true, watch: 'editor' });
  const text =
    'import { price } from "./price";\nexport function total(): number { return price() * 2; }\nexport function draft(): number { return price(); }\n';
  window.gateway.overlay([{ path: 'src/cart.ts', version: 1, text }], window.caller('editor'));
  // An answer waits for unsaved text, but not for ever.
  await expect.poll(() => window.has('src/cart.ts::draft', 'editor')).toBe(true);
  const explained = await window.call('code_explain', { element: 'src/price.ts::price' }, 'editor');
  expect(explained.text).toContain('draft');
  for (const [asking, kind] of [
    [agent, 'agent'],
    [other, 'editor'],
  ] as const) {
    expect(await asking.has('src/cart.ts::draft', kind)).toBe(false);
    expect((await asking.settled('code_explain', { element: 'src/price.ts::price' }, kind)).text).not.toContain('draft');
  }
  expect((await agent.call('graph_health', {})).envelope.stamp?.unsavedFiles).toBe(1);
  window.gateway.overlay([{ path: 'src/cart.ts', version: 2, text: undefined }], window.caller('editor'));
  await expect.poll(() => window.has('src/cart.ts::draft', 'editor')).toBe(false);
  expect((await agent.call('graph_health', {})).envelope.stamp?.unsavedFiles).toBeUndefined();
  expect(await agent.has('src/cart.ts::total')).toBe(true);
});

test('A second worktree starts without parsing what the first has parsed', async () => {
  const shop = make(SHOP);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], { cwd: shop.root, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('commit', '-m', 'one');
  const first = await shop.open();
  const tree = join(shop.base, 'tree');
  git('worktree', 'add', tree);
  shop.write({ 'src/price.ts': 'export function priceInTree(): number { return 3; }\n' }, tree);
  const second = await shop.open({ root: tree });
  expect((await second.health()).ownerPid).toBe((await first.health()).ownerPid);
  expect((await second.health()).lastIndex).toMatchObject({ filesParsed: 1, filesFromCache: 2 });
  expect(await second.has('src/price.ts::priceInTree')).toBe(true);
  expect(await first.has('src/price.ts::price')).toBe(true);
});

test('A move of HEAD is a transaction, also without changed files, and shows in the stamp', async () => {
  const shop = make(SHOP);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], { cwd: shop.root, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('commit', '-m', 'one');
  const asking = await shop.open({ longLived: true, watch: 'editor' });
  const before = await asking.call('graph_health', {});
  const { txCount } = await asking.health();
  git('commit', '--allow-empty', '-m', 'two');
  await expect.poll(async () => (await asking.health()).txCount).toBe(txCount + 1);
  const after = await asking.call('graph_health', {});
  expect(after.envelope.stamp?.head).toMatch(/^[0-9a-f]{12}$/);
  expect(after.envelope.stamp?.head).not.toBe(before.envelope.stamp?.head);
});

test('A new ignore rule takes files out, and taking it back brings them in again', async () => {
  const shop = make(SHOP);
  const asking = await shop.open({ longLived: true, watch: 'editor' });
  asking.gateway.configure({ ignorePatterns: ['*.py'] });
  await expect.poll(() => asking.has('tool.py::build')).toBe(false);
  asking.gateway.configure({ ignorePatterns: [] });
  await expect.poll(() => asking.has('tool.py::build')).toBe(true);
});

test('Only files of the workspace are read', async () => {
  const shop = make(SHOP);
  writeFileSync(join(shop.base, 'secret.txt'), 'secret');
  const asking = await shop.open();
  for (const element of ['../secret.txt', join(shop.base, 'secret.txt'), '/etc/passwd']) {
    const { envelope } = await asking.call('semantic_slice', { file: element });
    expect(envelope.ok).toBe(false);
  }
});

test('A workspace that goes away and comes back is stale meanwhile, and current again', async () => {
  const shop = make(SHOP);
  const asking = await shop.open();
  renameSync(shop.root, `${shop.root}-away`);
  expect((await asking.call('code_explain', { element: 'src/price.ts::price' })).envelope.stamp?.pendingFiles).toBeGreaterThan(0);
  renameSync(`${shop.root}-away`, shop.root);
  expect((await asking.settled('code_explain', { element: 'src/price.ts::price' })).envelope).toMatchObject({ ok: true });
});

test('A community and a transaction are explained by their ids', async () => {
  const asking = await make(SHOP).open();
  const { envelope: listed } = await asking.call('community_list', { minMembers: 2 });
  const [first] = (listed.data?.['communities'] ?? []) as readonly { readonly id: number; readonly label: string }[];
  const community = await asking.call('code_explain', { target: `community::${first?.id}` });
  expect(community.envelope).toMatchObject({ ok: true, data: { id: `community::${first?.id}` } });
  expect(community.text).toContain(first?.label);
  const { latestTxId } = await asking.health();
  const transaction = await asking.call('code_explain', { target: `tx::${latestTxId}` });
  expect(transaction.envelope).toMatchObject({ ok: true, data: { id: `tx::${latestTxId}` } });
  expect(transaction.text).toContain('rebuild');
});

test('Invalid interfaces of services from an agent do not affect queries of services', async () => {
  const files = make({ ...SHOP, 'docker-compose.yml': 'services:\n  web:\n    build: ./web\n', 'web/Dockerfile': 'FROM scratch\n' });
  const asking = await files.open();
  for (const given of [' ', '\n{ }\n']) {
    const built = await asking.call('build_knowledge_graph', { service_interfaces_json: given });
    expect(built.envelope).toMatchObject({ ok: true, data: { services_indexed: ['web'], errors: [] } });
  }
  expect(files.logged.filter(line => line.startsWith('error'))).toEqual([]);
});
