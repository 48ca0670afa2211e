import { expect, test } from 'vitest';
import { serviceLines } from '../../../server/src/features/architecture/services/serviceNotes';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { modelOf, servicesOver } from '../../helpers/servicesOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const names = (rows: readonly { readonly name: string }[]): string[] => rows.map(row => row.name);

const types: WorkspaceSketch = {
  'a.ts': {
    symbols: [
      { name: 'Shape', kind: 'interface', lines: [1, 3] },
      { name: 'Circle', kind: 'class', lines: [5, 9], modifiers: ['exported'] },
      { name: 'Circle.area', kind: 'method', lines: [6, 8] },
      { name: 'make', lines: [11, 12], modifiers: ['exported'] },
      { name: 'inner', lines: [14, 15] },
      { name: 'LIMIT', kind: 'constant', lines: [17, 17], modifiers: ['exported'] },
    ],
    references: [
      { from: 'Circle', relation: 'IMPLEMENTS', to: 'a.ts::Shape', line: 5 },
      { from: 'make', relation: 'INSTANTIATES', to: 'a.ts::Circle', line: 12 },
      { from: 'inner', relation: 'CALLS', to: 'a.ts::make', line: 15 },
      { from: 'inner', relation: 'CALLS', to: 'a.ts::Circle::area', source: 'heuristic', line: 15 },
    ],
    lines: 17,
  },
  'a.test.ts': {
    isTest: true,
    symbols: [{ name: 'T', kind: 'class' }, { name: 'works' }],
    references: [{ from: 'works', relation: 'CALLS', to: 'a.ts::make' }],
  },
};

test('lenses stand at types and exported functions, or at everything that can be called', async () => {
  expect(names((await outcomeOf('codeLenses', { path: 'a.ts' }, workspaceOf(types))).symbols)).toEqual(['Shape', 'Circle', 'make']);
  expect(names((await outcomeOf('codeLenses', { path: 'a.ts', all: true }, workspaceOf(types))).symbols)).toEqual(['Shape', 'Circle', 'area', 'make', 'inner']);
  expect(await outcomeOf('codeLenses', { path: 'a.test.ts', all: true }, workspaceOf(types))).toEqual({ symbols: [] });
  expect(await outcomeOf('codeLenses', { path: 'none.ts' }, workspaceOf(types))).toEqual({ symbols: [] });
  expect(await outcomeOf('codeLenses', { path: '../x.ts' }, workspaceOf(types))).toEqual({ failed: 'FORBIDDEN' });
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
  expect(await outcomeOf('lensCounts', { id: 'orders/a.ts::Api::get' }, workspace)).toMatchObject({ serves: 'GET /orders/{id} · called by web' });
  expect(
    serviceLines(
      { ...model, requests: [request] },
      'web/b.ts::show',
      text => `**${text}**`,
      text => text,
    ),
  ).toEqual(['Calls **GET /orders/{id}** of **orders** · orders/a.ts:1']);
});

test.each([
  ['a.ts::make', { callers: 1, refs: 2, maybe: 0, tests: 1, files: 1, complete: true, reach: 'small' }],
  ['a.ts::Circle::area', { callers: 0, refs: 0, maybe: 1, tests: 0 }],
  ['a.ts::Circle', { callers: 1, refs: 1, maybe: 0, tests: 1 }],
])('the lenses of %s count %j', async (id, counts) => {
  expect(await outcomeOf('lensCounts', { id }, workspaceOf(types))).toMatchObject(counts);
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
  expect(await outcomeOf('lensCounts', { id: 'a.ts::gone' }, workspaceOf(types))).toBeNull();
});

test('references are the lines that name a symbol, as many as its lens counts, certain ones first', async () => {
  const workspace = workspaceOf(types);
  expect(await outcomeOf('references', { id: 'a.ts::make' }, workspace)).toEqual({
    places: [
      { path: 'a.test.ts', line: 1, possible: false },
      { path: 'a.ts', line: 15, possible: false },
    ],
  });
  expect(await outcomeOf('references', { id: 'a.ts::Circle::area' }, workspace)).toEqual({ places: [{ path: 'a.ts', line: 15, possible: true }] });
  expect(await outcomeOf('references', { id: 'a.ts::gone' }, workspace)).toEqual({ places: [] });
});
