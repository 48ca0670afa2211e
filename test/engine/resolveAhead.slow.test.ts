/** What the first question about one of the newest commits need not do. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { err } from '../../server/src/base/result';
import { Resolver } from '../../server/src/code/resolve/resolver';
import { ResolveAhead } from '../../server/src/engine/changes/past/resolveAhead';
import { PackedSurfaces } from '../../server/src/engine/indexing/services/savedSurface';
import { FairQueue } from '../../server/src/engine/scheduling/fairQueue';
import { PackFile } from '../../server/src/store/packs';
import { closeAll, cold, exported, type Repository, repository } from './repository';

beforeEach(() => {
  vi.spyOn(ResolveAhead.prototype, 'complete');
  vi.spyOn(Resolver.prototype, 'preview');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeAll();
});

const user = (at: number): string => `import { make } from './lib';\nexport function use${at}() {\n  return make().run();\n}\n`;
const lib = (version: number): string =>
  `export class Made${version} {\n  run() {\n    return ${version};\n  }\n}\nexport function make() {\n  return new Made${version}();\n}\n`;

/** A class that others use is another one in each commit; one commit has a file less. */
function history(): { readonly made: Repository; readonly commits: readonly string[] } {
  const made = repository();
  const users = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`user${at}.ts`, user(at)]));
  const commits = [made.commit({ ...users, 'lib.ts': lib(0), 'alone.ts': 'export const alone = 1;\n', 'package.json': '{"name":"a"}' })];
  for (let version = 1; version < 5; version++) commits.push(made.commit({ 'lib.ts': lib(version) }, version === 3 ? ['user0.ts'] : []));
  return { made, commits };
}

const resolvedAhead = (): Promise<unknown> =>
  vi.waitFor(
    async () => {
      const { results } = vi.mocked(ResolveAhead.prototype.complete).mock;
      expect(results.length).toBeGreaterThan(0);
      await Promise.all(results.map(({ value }) => value));
    },
    { timeout: 60_000, interval: 20 },
  );

test('where the references of the newest commits lead is known before anybody asks, and after a restart', async () => {
  const { commits, made } = history();
  const asking = await made.checkout.open({ longLived: true, watch: 'editor' });
  await resolvedAhead();
  vi.mocked(Resolver.prototype.preview).mockClear();
  for (const commit of commits) expect(await exported(asking, { asOf: commit })).toBe(await cold(made.checkout.root, commit));
  expect(await exported(asking, {})).toBe(await cold(made.checkout.root, 'HEAD'));
  await asking.close();
  const again = await made.checkout.open();
  expect(await exported(again, { asOf: commits[0] ?? '' })).toBe(await cold(made.checkout.root, commits[0] ?? ''));
  expect(Resolver.prototype.preview).not.toHaveBeenCalled();
});

test('what was resolved ahead is used for a later HEAD, for which files that were as they are now are resolved by themselves', async () => {
  const { commits, made } = history();
  const first = commits[0] ?? '';
  const asking = await made.checkout.open({ longLived: true, watch: 'editor' });
  await resolvedAhead();
  vi.mocked(ResolveAhead.prototype.complete).mockResolvedValue();
  const head = made.commit({ 'alone.ts': 'export const alone = 2;\n', 'lib.ts': lib(9) });
  await asking.call('graph_rebuild', { mode: 'incremental' });
  const expected = await cold(made.checkout.root, head);
  await vi.waitFor(async () => expect(await exported(asking, {})).toBe(expected), { timeout: 30_000, interval: 50 });
  vi.mocked(Resolver.prototype.preview).mockClear();
  expect(await exported(asking, { asOf: first })).toBe(await cold(made.checkout.root, first));
  expect(vi.mocked(Resolver.prototype.preview).mock.calls.map(([, , , only]) => [...(only ?? [])])).toEqual([['alone.ts']]);
  expect(await exported(asking, {})).toBe(expected);
});

test('where nothing can be kept it ends, says so once, and questions are answered', async () => {
  const { commits, made } = history();
  const flush = vi.spyOn(PackFile.prototype, 'flush');
  const { complete } = ResolveAhead.prototype;
  vi.mocked(ResolveAhead.prototype.complete).mockRestore();
  vi.spyOn(ResolveAhead.prototype, 'complete').mockImplementation(function (this: ResolveAhead, token) {
    flush.mockResolvedValue(err({ code: 'STORE_FULL', message: 'The disk is full.' }));
    return complete.call(this, token);
  });
  const asking = await made.checkout.open({ longLived: true, watch: 'editor' });
  await resolvedAhead();
  expect(Resolver.prototype.preview).not.toHaveBeenCalled();
  const told = (): readonly string[] => made.checkout.logged.filter(line => line.includes('The disk is full.'));
  expect(told()).toEqual(['error: references of past commits: The disk is full.']);
  for (const commit of commits) expect(await exported(asking, { asOf: commit })).toBe(await cold(made.checkout.root, commit));
  expect(told()).toHaveLength(1);
});

test('it stands back while an answer is found', async () => {
  const { made } = history();
  const isAnswering = vi.spyOn(FairQueue.prototype, 'isAnswering', 'get').mockReturnValue(true);
  await made.checkout.open({ longLived: true, watch: 'editor' });
  await vi.waitFor(() => expect(isAnswering.mock.calls.length).toBeGreaterThan(3), { timeout: 60_000, interval: 20 });
  expect(Resolver.prototype.preview).not.toHaveBeenCalled();
  isAnswering.mockReturnValue(false);
  await resolvedAhead();
  expect(Resolver.prototype.preview).toHaveBeenCalled();
});

test('what the code offered and used where the branch began is known before anybody compares, and kept', async () => {
  const made = repository();
  const orders = (path: string): string =>
    `const express = require('express');\nconst app = express();\napp.get('${path}', (req, res) => res.json([]));\napp.listen(3000);\n`;
  const manifest = (name: string): string => `{"name":"${name}","scripts":{"start":"node server.js"},"dependencies":{"express":"4","axios":"1"}}`;
  made.commit({
    'docker-compose.yml': 'services:\n  orders:\n    build: ./orders\n  web:\n    build: ./web\n',
    'orders/package.json': manifest('orders'),
    'orders/server.js': orders('/orders'),
    'web/package.json': manifest('web'),
    'web/server.js': "const axios = require('axios');\nmodule.exports = { show: () => axios.get('http://orders:3000/orders') };\n",
  });
  made.git('checkout', '-q', '-b', 'work');
  made.commit({ 'orders/server.js': orders('/purchases') });
  const keep = vi.spyOn(PackedSurfaces.prototype, 'keep');
  const asking = await made.checkout.open({ longLived: true, watch: 'editor' });
  await resolvedAhead();
  expect(keep).toHaveBeenCalledTimes(1);
  const keys = await Promise.all(vi.mocked(PackedSurfaces.prototype.keep).mock.results.map(({ value }) => value));
  expect(keys).toHaveLength(1);
  const compared = await asking.call('graph_diff', {});
  expect(compared.text).toContain('/orders');
  expect(keep).toHaveBeenCalledTimes(1);
  const [ahead] = vi.mocked(ResolveAhead.prototype.complete).mock.contexts as readonly (ResolveAhead | undefined)[];
  const kept = new Set([...((await ahead?.keys()) ?? [])].map(key => key.split(':')[0]));
  expect(kept.has('surface') && kept.has('surfaceOf')).toBe(true);
  await asking.close();
});
