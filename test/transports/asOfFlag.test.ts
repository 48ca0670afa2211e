import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { err } from '../../server/src/base/result';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-as-of-')));
mkdirSync(join(folder, 'shop', '.git'), { recursive: true });
afterAll(() => removeFolder(folder));

const ARCHITECTURE = {
  violations: [],
  counts: { error: 0, warning: 0, info: 0, baseline: 0, excepted: 0 },
  checkedFiles: 1,
  fixed: 0,
  rulesSource: '',
  status: 'PASS',
};

async function run(...words: string[]) {
  const host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = { exportGraph: () => ({ revision: 1, rows: [] }), impact: () => ({ risk: 'low' }), architecture: () => ARCHITECTURE };
  };
  const { err, exit } = await cli(host, join(folder, 'shop'), words);
  const gateway = host.gateways.size === 0 ? undefined : host.gateway;
  return { err, exit, asked: [...(gateway?.calls ?? []).map(call => call.input), ...(gateway?.queries ?? []).map(query => query.params)] };
}

test.each([['search', 'till'], ['explain', 'Till'], ['neighbors', 'Till'], ['impact', 'Till', '--fail-on', 'high'], ['arch'], ['export']])(
  '%s asks for the code as it was, whenever it asks',
  async (...words) => {
    const { asked, exit } = await run(...words, '--as-of', 'v1.0');
    expect(exit).toBe(0);
    expect(asked.length).toBeGreaterThan(0);
    for (const input of asked) expect(input).toMatchObject({ asOf: 'v1.0' });
    for (const input of (await run(...words)).asked) expect(input).not.toHaveProperty('asOf');
  },
);

test('commands that can only speak of the present do not take it', async () => {
  expect(await run('slice', 'Till', '--as-of', 'v1.0')).toMatchObject({ exit: 2, asked: [] });
  expect(await run('arch', '--accept-baseline', '--as-of', 'v1.0')).toMatchObject({ exit: 2, asked: [] });
});

test.each([['export', '--format', 'json'], ['diff', 'v1.0', '--format', 'markdown'], ['arch']])(
  '%s says of an unknown state what there is instead, and writes nothing else',
  async (...words) => {
    const host = new FakeHost(folder);
    host.prepare = gateway => {
      gateway.query = async () => err({ code: 'NOT_FOUND', message: 'Unknown revision: "v1.0".', hint: 'Newest transactions: tx::1.' });
    };
    const { err: told, exit, out } = await cli(host, join(folder, 'shop'), words);
    expect([exit, out]).toEqual([1, '']);
    expect(told).toContain('Newest transactions: tx::1.');
  },
);
