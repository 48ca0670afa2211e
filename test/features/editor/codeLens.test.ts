import { expect, test } from 'vitest';
import { serviceLines } from '../../../server/src/features/architecture/services/serviceNotes';
import { outcomeOf } from '../../helpers/askFeature';
import { modelOf, servicesOver } from '../../helpers/servicesOf';
import { shapes } from '../../helpers/shapes';
import { workspaceOf } from '../../helpers/workspaceOf';

const names = (rows: readonly { readonly name: string }[]): string[] => rows.map(row => row.name);

test('lenses stand at types, public functions and methods, or at everything that can be called', async () => {
  expect(names((await outcomeOf('codeLenses', { path: 'a.ts' }, workspaceOf(shapes))).symbols)).toEqual(['Shape', 'Circle', 'area', 'make']);
  expect(names((await outcomeOf('codeLenses', { path: 'a.ts', all: true }, workspaceOf(shapes))).symbols)).toEqual([
    'Shape',
    'Circle',
    'area',
    'make',
    'inner',
  ]);
  expect(await outcomeOf('codeLenses', { path: 'a.test.ts', all: true }, workspaceOf(shapes))).toEqual({ symbols: [] });
  expect(await outcomeOf('codeLenses', { path: 'none.ts' }, workspaceOf(shapes))).toEqual({ symbols: [] });
  expect(await outcomeOf('codeLenses', { path: '../x.ts' }, workspaceOf(shapes))).toEqual({ failed: 'FORBIDDEN' });
});

test('what serves an endpoint has a lens of its own with the callers from other services', async () => {
  const sketch = {
    code: {
      'orders/a.ts': {
        symbols: [
          { name: 'Api', kind: 'class' as const },
          { name: 'Api.get', kind: 'method' as const },
        ],
      },
      'web/b.ts': { symbols: [{ name: 'show' }] },
    },
    files: { 'docker-compose.yml': 'services: {orders: {build: orders}, web: {build: web}}' },
    interfaces: { orders: { endpoints: [{ method: 'GET', path: '/orders/{id}', handler: 'orders/a.ts::Api::get', file: 'orders/a.ts', line: 1 }] } },
  };
  const model = await modelOf(sketch);
  const [endpoint] = model.endpoints;
  const request = { endpoint: endpoint?.id ?? '', source: 'web', caller: 'web/b.ts::show', place: { file: 'web/b.ts', line: 1 }, confidence: 1 };
  const workspace = workspaceOf(sketch.code, { services: servicesOver({ ...model, requests: [request] }, sketch) });
  const found = await outcomeOf('codeLenses', { path: 'orders/a.ts' }, workspace);
  expect([names(found.symbols), found.serving]).toEqual([['Api', 'get'], ['orders/a.ts::Api::get']]);
  expect(await outcomeOf('lensCounts', { id: 'orders/a.ts::Api::get' }, workspace)).toMatchObject({
    serves: 'GET /orders/{id} · called by web',
    servedFor: [{ file: 'web/b.ts', line: 1 }],
  });
  expect((await outcomeOf('codeLenses', { path: 'web/b.ts' }, workspace)).noted).toEqual([
    { line: 1, text: 'calls GET /orders/{id} · orders', places: [{ file: 'orders/a.ts', line: 1 }] },
  ]);
  expect(
    serviceLines(
      { ...model, requests: [request] },
      'web/b.ts::show',
      text => `**${text}**`,
      text => text,
    ),
  ).toEqual(['Calls **GET /orders/{id}** of **orders** · orders/a.ts:1']);
});

test('handlers without a name have a lens that says what they serve', async () => {
  const sketch = {
    code: { 'orders/a.ts': { symbols: [{ name: 'setUp' }] } },
    files: { 'docker-compose.yml': 'services: {orders: {build: orders}}' },
    interfaces: {
      orders: {
        endpoints: [
          { method: 'GET', path: '/orders', file: 'orders/a.ts', line: 7 },
          { method: 'POST', path: '/orders', file: 'orders/a.ts', line: 3 },
        ],
      },
    },
  };
  const workspace = workspaceOf(sketch.code, { services: servicesOver(await modelOf(sketch), sketch) });
  const found = await outcomeOf('codeLenses', { path: 'orders/a.ts' }, workspace);
  expect(found.noted).toEqual([
    { line: 3, text: 'POST /orders', places: [] },
    { line: 7, text: 'GET /orders', places: [] },
  ]);
});

test.each([
  ['a.ts::make', { callers: 1, refs: 2, maybe: 0, tests: 1, files: 1, complete: true, reach: 'small' }],
  ['a.ts::Circle::area', { callers: 0, refs: 0, maybe: 1, tests: 0 }],
  ['a.ts::Circle', { callers: 1, refs: 1, maybe: 0, tests: 1 }],
])('the lenses of %s count %j', async (id, counts) => {
  expect(await outcomeOf('lensCounts', { id }, workspaceOf(shapes))).toMatchObject(counts);
});

test.each(['src/pay.ts::Till', 'src/pay.ts::Till::add', 'src/pay.ts::total', 'src/checkout.ts::checkout', 'src/lonely.ts::lonely'])(
  'the figures of %s are those of its impact',
  async id => {
    const impact = await outcomeOf('impact', { target: id, maxDepth: 3 });
    const { blastRadius, reach, tests } = await outcomeOf('lensCounts', { id });
    expect({ blastRadius, reach, tests }).toEqual({
      blastRadius: impact.blastRadius,
      reach: impact.reach,
      tests: impact.counts.directTests + impact.counts.transitiveTests,
    });
  },
);

test('a symbol that went has no counts', async () => {
  expect(await outcomeOf('lensCounts', { id: 'a.ts::gone' }, workspaceOf(shapes))).toBeNull();
});
