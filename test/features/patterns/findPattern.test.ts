import { expect, test } from 'vitest';
import type { PatternAnswer } from '../../../server/src/features/patterns/findPattern';
import { parameterCount } from '../../../server/src/features/patterns/parameters';
import { askFeature } from '../../helpers/askFeature';
import type { FileSketch, SymbolSketch, WorkspaceSketch } from '../../helpers/graphOf';
import { type WorkspaceOptions, workspaceOf } from '../../helpers/workspaceOf';

type Reference = NonNullable<FileSketch['references']>[number];
const link = (from: string, relation: Reference['relation'], to: string, line = 1): Reference => ({ from, relation, to, source: 'import', line });
const methods = (owner: string, ...names: readonly string[]): SymbolSketch[] => names.map(name => ({ name: `${owner}.${name}`, kind: 'method' }));

const SKETCH: WorkspaceSketch = {
  'src/a.ts': { references: [link('', 'IMPORTS', 'src/b.ts', 3)] },
  'src/b.ts': { references: [link('', 'IMPORTS', 'src/a.ts')] },
  'src/types/a.ts': { references: [link('', 'IMPORTS', 'src/types/b.ts')] },
  'src/types/b.ts': { references: [link('', 'IMPORTS', 'src/types/a.ts'), link('', 'IMPORTS_TYPES', 'src/types/a.ts')] },
  'src/big.ts': {
    symbols: [
      { name: 'Big', kind: 'class', lines: [1, 9] },
      ...methods('Big', 'one', 'two', 'three'),
      { name: 'Long', kind: 'class', lines: [10, 40] },
      {
        name: 'wide',
        kind: 'function',
        signature: 'function wide<T extends (x: number) => void>(a: T, b: Map<string, number>, c = [1, 2], d: { e: string, f: string })',
      },
    ],
  },
  'src/tree.ts': {
    symbols: ['A', 'B', 'C', 'D'].map(name => ({ name, kind: 'class' as const })),
    references: [link('B', 'INHERITS', 'src/tree.ts::A'), link('C', 'INHERITS', 'src/tree.ts::B'), link('D', 'INHERITS', 'src/tree.ts::C')],
  },
  'src/hub.ts': { symbols: [{ name: 'hub' }] },
  ...Object.fromEntries(
    Array.from({ length: 4 }, (_, at) => [
      `src/user${at}.ts`,
      { symbols: [{ name: `user${at}` }], references: [link(`user${at}`, 'CALLS', 'src/hub.ts::hub')] },
    ]),
  ),
  'src/exports.ts': {
    symbols: [
      { name: 'idle', modifiers: ['exported'], lines: [2, 4] },
      { name: 'passedOn', modifiers: ['exported'] },
      { name: 'busy', modifiers: ['exported'] },
      { name: 'own' },
      { name: 'perhaps', modifiers: ['exported'] },
    ],
  },
  'src/index.ts': { symbols: [{ name: 'publicThing', modifiers: ['exported'] }], references: [link('', 'IMPORTS', 'src/exports.ts')] },
  'src/uses.ts': {
    symbols: [{ name: 'f' }],
    references: [link('f', 'CALLS', 'src/exports.ts::busy'), { from: 'f', relation: 'CALLS', to: 'src/exports.ts::perhaps', source: 'heuristic' }],
  },
  'test/t.test.ts': { isTest: true, symbols: [{ name: 'helper', modifiers: ['exported'] }] },
  'src/shapes.ts': {
    symbols: [
      { name: 'makeShip', kind: 'function' },
      { name: 'Ship', kind: 'class' },
      { name: 'Fleet', kind: 'class' },
      { name: 'Fleet.instance', kind: 'field', modifiers: ['static'] },
      { name: 'Fleet.get', kind: 'method', modifiers: ['static'] },
      { name: 'Fleet.constructor', kind: 'constructor', modifiers: ['private'] },
      { name: 'ShipStore', kind: 'class' },
      ...methods('ShipStore', 'findAll', 'save'),
      { name: 'Bell', kind: 'class' },
      ...methods('Bell', 'subscribe', 'notify'),
      { name: 'Engine', kind: 'interface' },
      ...methods('Engine', 'run'),
      { name: 'Steam', kind: 'class' },
      { name: 'Sail', kind: 'class' },
      { name: 'sailAway', kind: 'function' },
    ],
    references: [
      link('makeShip', 'INSTANTIATES', 'src/shapes.ts::Ship'),
      link('Fleet.get', 'INSTANTIATES', 'src/shapes.ts::Fleet'),
      link('Steam', 'IMPLEMENTS', 'src/shapes.ts::Engine'),
      link('Sail', 'IMPLEMENTS', 'src/shapes.ts::Engine'),
      link('sailAway', 'USES_TYPE', 'src/shapes.ts::Engine'),
    ],
  },
};

const OPTIONS: WorkspaceOptions = {
  texts: { 'src/index.ts': "export { passedOn } from './exports';" },
  thresholds: { godClassMethods: 2, godClassLines: 30, inheritanceDepth: 2, parameters: 3, hubFanIn: 3 },
};

async function find(params: object, sketch = SKETCH): Promise<PatternAnswer> {
  const found = await askFeature('findPattern', workspaceOf(sketch, OPTIONS), params);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value as PatternAnswer;
}

test.each([
  ['circular-dependency', 'error', [['src/a.ts', '3-3', 'src/a.ts → src/b.ts → src/a.ts']]],
  ['type-cycle', 'info', [['src/types/a.ts', '1-1', 'src/types/a.ts → src/types/b.ts → src/types/a.ts']]],
  [
    'god-class',
    'warning',
    [
      ['src/big.ts::Big', '1-9', '3 methods, 9 lines'],
      ['src/big.ts::Long', '10-40', '0 methods, 31 lines'],
    ],
  ],
  ['hub', 'warning', [['src/hub.ts::hub', '1-1', '4 direct dependents']]],
  ['deep-inheritance', 'warning', [['src/tree.ts::D', '1-1', '3 levels: D → C → B → A']]],
  ['long-parameter-list', 'info', [['src/big.ts::wide', '1-1', '4 parameters']]],
  ['unused-export', 'warning', [['src/exports.ts::idle', '2-4', 'no references in the workspace']]],
  ['factory', 'info', [['src/shapes.ts::makeShip', '1-1', 'creates Ship']]],
  ['singleton', 'info', [['src/shapes.ts::Fleet', '1-1', 'instance, hidden constructor, get']]],
  ['repository', 'info', [['src/shapes.ts::ShipStore', '1-1', 'methods to find, save']]],
  ['observer', 'info', [['src/shapes.ts::Bell', '1-1', 'subscribe and notify']]],
  ['strategy', 'info', [['src/shapes.ts::Engine', '1-1', '2 variants: Sail, Steam; 1 user']]],
])('%s', async (pattern, severity, matches) => {
  const { groups, total } = await find({ pattern });
  expect(groups).toMatchObject([{ patternId: pattern, severity, count: matches.length }]);
  expect(groups[0]?.matches.map(match => [match.id, match.lines, match.evidence])).toEqual(matches);
  expect(total).toBe(matches.length);
});

test('names of operators are looked for as they are', async () => {
  const names = ['operator++', 'operator*', 'operator[]', 'operator()', '(a+)+('];
  const symbols = names.map(name => ({ name, modifiers: ['exported' as const] }));
  const { groups } = await find({ pattern: 'unused-export' }, { 'src/numbers.ts': { symbols } });
  expect(groups[0]?.matches.map(({ id }) => id.split('::')[1]).sort()).toEqual([...names].sort());
});

test.each([
  ['Circular Dependencies', 'circular-dependency'],
  ['cycles', 'circular-dependency'],
  ['type-only cycles', 'type-cycle'],
  ['god_class', 'god-class'],
  ['singletons', 'singleton'],
  ["MATCH (a:function)-[:CALLS]->(b {name: 'hub'}) RETURN a, b.name AS callee", 'query'],
  ['ship store that saves', 'search'],
])('%s asks for %s', async (pattern, patternId) => {
  expect((await find({ pattern })).groups).toMatchObject([{ patternId }]);
});

test('a query gives the nodes that it returns, the rest of the record as evidence', async () => {
  const { groups } = await find({ pattern: "MATCH (a:function)-[:CALLS]->(b {name: 'hub'}) RETURN a, b.name AS callee" });
  expect(groups[0]?.matches[0]).toEqual({ id: 'src/user0.ts::user0', file: 'src/user0.ts', lines: '1-1', evidence: 'callee: "hub"' });
});

test('paths, severity, limit and offset', async () => {
  expect((await find({ pattern: 'god-class', paths: ['src/*.ts'] })).total).toBe(2);
  expect((await find({ pattern: 'god-class', paths: ['lib'] })).total).toBe(0);
  expect((await find({ pattern: 'god-class', minSeverity: 'error' })).groups).toEqual([]);
  expect(await find({ pattern: 'god-class', limit: 1 })).toMatchObject({ truncated: true, groups: [{ count: 2, matches: [{ id: 'src/big.ts::Big' }] }] });
  expect(await find({ pattern: 'god-class', limit: 1, offset: 1 })).toMatchObject({ truncated: false, groups: [{ matches: [{ id: 'src/big.ts::Long' }] }] });
});

test.each(['dead-endpoint', 'orphan-event', 'ADV-001', 'adv-002'])('%s says what is missing', async pattern => {
  expect(await find({ pattern })).toMatchObject({ groups: [], total: 0, degraded: ['services'] });
});

test.each([
  [{ pattern: ' ' }, 'VALIDATION_ERROR'],
  [{ pattern: 'hub', minSeverity: 'loud' }, 'VALIDATION_ERROR'],
  [{ pattern: 'MATCH (a) DELETE a' }, 'READ_ONLY'],
  [{ pattern: 'MATCH (a RETURN a' }, 'VALIDATION_ERROR'],
])('%j fails with %s', async (params, code) => {
  expect(await askFeature('findPattern', workspaceOf(SKETCH), params)).toMatchObject({ ok: false, error: { code } });
});

test.each([
  ['def pay(self, a, *, b: int = 1, **more)', 'pay', 3],
  ['func (s *Store) Get(ctx context.Context, id string) (Item, error)', 'Get', 2],
  ['pub fn run(&mut self, f: impl Fn(u8, u8) -> u8)', 'run', 1],
  ['get value(): string', 'value', 0],
  ['class A', 'A', 0],
])('%s has %s parameters', (signature, name, count) => {
  expect(parameterCount(signature, name)).toBe(count);
});
