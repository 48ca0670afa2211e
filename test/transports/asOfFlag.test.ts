import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { err } from '../../server/src/base/result';
import { transportHost } from '../../server/src/main/transportHost';
import { AS_OF_FLAG } from '../../server/src/transports/cli/flags';
import { commandsOf } from '../../server/src/transports/commandLine';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-as-of-')));
mkdirSync(join(folder, 'shop', '.git'), { recursive: true });
afterAll(() => removeFolder(folder));

const STAMP = { revision: 1, head: 'a1b2c3d4e5f6', pendingFiles: 0, asOf: Date.parse('2026-01-31T10:00Z') };

const ARCHITECTURE = {
  violations: [],
  counts: { error: 0, warning: 0, info: 0, baseline: 0, excepted: 0 },
  checkedFiles: 1,
  fixed: 0,
  rulesSource: '',
  status: 'PASS',
  stamp: STAMP,
};

const NO_SERVICES = { stamp: STAMP, calls: [], endpoints: [], events: [], problems: [], services: [], skipped: 0 };

async function run(...words: string[]) {
  const host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = {
      exportGraph: () => ({ revision: 1, rows: [] }),
      impact: () => ({ risk: 'low' }),
      architecture: () => ARCHITECTURE,
      services: () => NO_SERVICES,
    };
  };
  const { err, exit, out } = await cli(host, join(folder, 'shop'), words);
  const gateway = host.gateways.size === 0 ? undefined : host.gateway;
  return { err, exit, out, asked: [...(gateway?.calls ?? []).map(call => call.input), ...(gateway?.queries ?? []).map(query => query.params)] };
}

test.each([
  ['search', 'till'],
  ['explain', 'Till'],
  ['neighbors', 'Till'],
  ['slice', 'Till'],
  ['impact', 'Till', '--fail-on', 'high'],
  ['arch'],
  ['export'],
  ['services'],
  ['services', 'check'],
])('%s asks for the code as it was, whenever it asks', async (...words) => {
  const { asked, exit } = await run(...words, '--as-of', 'v1.0');
  expect(exit).toBe(0);
  expect(asked.length).toBeGreaterThan(0);
  for (const input of asked) expect(input).toMatchObject({ asOf: 'v1.0' });
  for (const input of (await run(...words)).asked) expect(input).not.toHaveProperty('asOf');
});

test.each([['arch'], ['arch', '--format', 'markdown'], ['services'], ['services', 'check', '--format', 'markdown']])(
  '%s %s %s names the state that it is about',
  async (...words) => {
    expect((await run(...words, '--as-of', 'v1.0')).out).toContain('[as of 2026-01-31 10:00 · a1b2c3d4e5f6]');
  },
);

/** Commands that read the graph of the code and take it, and all others: they compare states themselves, or read no graph of the code. */
const TAKING = ['arch', 'context', 'explain', 'export', 'impact', 'neighbors', 'pattern', 'place', 'report', 'search', 'services', 'slice'];
const OTHERS = ['diff', 'doctor', 'gc', 'index', 'knowledge', 'mcp', 'reset', 'start', 'status', 'tool'];

test('every command that reads the graph of the code takes --as-of', () => {
  const commands = commandsOf(transportHost(folder));
  const taking = commands.filter(({ flags }) => flags.includes(AS_OF_FLAG)).map(({ name }) => name);
  expect(taking.sort()).toEqual(TAKING);
  expect(commands.map(({ name }) => name).sort()).toEqual([...TAKING, ...OTHERS].sort());
});

test('commands that can only speak of the present do not take it', async () => {
  expect(await run('status', '--as-of', 'v1.0')).toMatchObject({ exit: 2, asked: [] });
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
