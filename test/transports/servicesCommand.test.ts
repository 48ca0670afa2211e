import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-services-')));
const checkout = join(folder, 'shop');
mkdirSync(join(checkout, '.git'), { recursive: true });
afterAll(() => removeFolder(folder));

const nowhere = { file: '', line: 0 };
const service = (name: string, language: string): object => ({ name, role: 'service', root: name, language, framework: '', ...nowhere, stores: [] });
const ANSWER = {
  services: [service('orders', 'Go'), service('web', 'TypeScript')],
  endpoints: [
    {
      id: 'e',
      service: 'orders',
      method: 'GET',
      path: '/orders/{id}',
      handler: 'orders/a.go::get',
      file: 'orders/a.go',
      line: 3,
      contractFile: 'api.yaml',
      contractLine: 4,
      callers: [{ service: 'web', file: 'web/b.ts', line: 1 }],
    },
  ],
  events: [{ name: 'paid|x', publishers: [{ service: 'orders', ...nowhere }], consumers: [{ service: 'web', ...nowhere }] }],
  stores: [{ name: 'db', product: 'postgresql', kind: 'database', usedBy: ['orders'], file: 'compose.yaml', line: 5 }],
  entities: [],
  calls: [{ source: 'web', target: 'orders', kinds: ['http'], endpoints: ['GET /orders/{id}'], file: 'web/b.ts', line: 1 }],
  problems: [{ code: 'missing-endpoint', severity: 'warning', message: 'web calls GET /x | y.', service: 'web', file: 'web/b.ts', line: 9 }],
  flow: [
    { depth: 0, kind: 'endpoint', name: 'GET /orders/{id}', service: 'orders', file: 'orders/a.go', line: 3 },
    { depth: 1, kind: 'handler', name: 'get', service: 'orders', file: 'orders/a.go', line: 3 },
  ],
  skipped: 0,
  stamp: { revision: 1, head: '', pendingFiles: 0 },
};

let host: FakeHost;
let asked: unknown[];
beforeEach(() => {
  asked = [];
  host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = {
      services: params => {
        asked.push(params);
        return ANSWER;
      },
    };
  };
});

const run = (...words: readonly string[]) => cli(host, checkout, ['services', ...words]);

test('the list has a line per service with what it calls', async () => {
  const { exit, out } = await run();
  expect(exit).toBe(0);
  expect(out.split('\n')).toEqual([
    'orders  orders · Go · 1 endpoint · 1 caller',
    'web     web · TypeScript · 0 endpoints · → orders',
    '2 services, 1 endpoint, 1 event, 1 call, 1 problem.',
    '',
  ]);
});

test('one service is shown with places, its contract and callers; an endpoint with its flow', async () => {
  const { out } = await run('show', 'orders');
  expect(out).toContain('  GET /orders/{id}  orders/a.go:3  contract api.yaml:4  called by web\n');
  expect((await run('flow', 'GET /orders/{id}')).out).toBe('GET /orders/{id} (orders)  orders/a.go:3\n  handler get  orders/a.go:3\n');
  expect(asked).toEqual([{ service: 'orders' }, { endpoint: 'GET /orders/{id}' }]);
});

test('a name alone is shown, an endpoint alone is followed', async () => {
  expect((await run('orders')).out).toBe((await run('show', 'orders')).out);
  expect((await run('GET /orders/{id}')).out).toBe((await run('flow', 'GET /orders/{id}')).out);
  expect((await run('/orders/{id}')).exit).toBe(0);
  expect(asked).toEqual([
    { service: 'orders' },
    { service: 'orders' },
    { endpoint: 'GET /orders/{id}' },
    { endpoint: 'GET /orders/{id}' },
    { endpoint: '/orders/{id}' },
  ]);
});

test('the map is a flowchart whose labels cannot break it', async () => {
  const { out } = await run('map');
  expect(out).toContain('flowchart LR\n  s0["orders<br>Go"]\n');
  expect(out).toContain('  s1 -->|"http: 1"| s0\n');
  expect(out).toContain('  s0 -.->|"paid#124;x"| s1\n');
});

test('of a past state the map says which, and stays a diagram', async () => {
  const past = { ...ANSWER, stamp: { ...ANSWER.stamp, head: 'abc123def456', asOf: Date.UTC(2026, 0, 31) } };
  host.prepare = gateway => {
    gateway.answers = { services: () => past };
  };
  const now = await run('map', '--as-of', 'v1.0');
  expect(now.out.split('\n').at(-2)).toBe('%% [as of 2026-01-31 00:00 · abc123def456]');
  expect((await run('map', '--as-of', 'v1.0', '--format', 'markdown')).out).toMatch(/\n```\n\n\[as of 2026-01-31 /);
});

test.each([
  [[], 0],
  [['--fail-on', 'warning'], 5],
  [['--fail-on', 'never'], 0],
] as const)('check %j exits %i', async (words, exit) => {
  const result = await run('check', ...words);
  expect(result.exit).toBe(exit);
  expect(result.out).toBe('web/b.ts:9: warning missing-endpoint: web calls GET /x | y.\n1 warning in 2 services.\n');
});

test('Markdown of a check is a table whose cells stay cells', async () => {
  const { out } = await run('check', '--format', 'markdown');
  expect(out).toContain('| warning | `missing-endpoint` | `web/b.ts:9` | web calls GET /x \\| y. |');
});

test.each([[['draw', 'orders']], [['show']], [['flow']]])('%j is refused as usage', async words => {
  expect((await run(...words)).exit).toBe(2);
});
