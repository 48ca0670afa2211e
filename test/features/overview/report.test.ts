import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { modelOf, servicesOver } from '../../helpers/servicesOf';
import { workspaceOf } from '../../helpers/workspaceOf';

test('users of a class are those of its members too, its callers those who make one of it or call its constructor, and a maybe makes no hotspot', async () => {
  const sketch: WorkspaceSketch = {
    'base.ts': { symbols: [{ name: 'Base', kind: 'class' }, { name: 'Base.constructor', kind: 'constructor' }, { name: 'guessed' }] },
    'use.ts': {
      symbols: [{ name: 'Sub', kind: 'class' }, { name: 'Sub.constructor', kind: 'constructor' }, { name: 'make' }],
      references: [
        { from: 'Sub', relation: 'INHERITS', to: 'base.ts::Base' },
        { from: 'Sub.constructor', relation: 'CALLS', to: 'base.ts::Base::constructor' },
        { from: 'make', relation: 'INSTANTIATES', to: 'base.ts::Base' },
        { from: 'make', relation: 'CALLS', to: 'base.ts::guessed', source: 'heuristic' },
      ],
    },
  };
  const workspace = workspaceOf(sketch);
  const { hotspots } = await outcomeOf('report', {}, workspace);
  expect(hotspots.find(spot => spot.name === 'Base')?.callers).toBe(3);
  expect(hotspots.map(({ name }) => name)).not.toContain('guessed');
  expect(hotspots.map(({ kind }) => kind)).not.toContain('constructor');
  expect(await outcomeOf('explain', { target: 'base.ts::Base' }, workspace)).toMatchObject({ counts: { callers: 2 } });
});

test('arrows of the report point from what is decorated to its decorator', async () => {
  const sketch: WorkspaceSketch = {
    'log.ts': { symbols: [{ name: 'log' }] },
    'a.ts': { symbols: [{ name: 'run' }], references: [{ from: 'log.ts::log', relation: 'DECORATES', to: 'a.ts::run' }] },
  };
  const { graph } = await outcomeOf('report', {}, workspaceOf(sketch));
  const edges = graph.edges.map(({ relation, source, target }) => [graph.nodes[source]?.id, relation, graph.nodes[target]?.id]);
  expect(edges).toEqual([['a.ts::run', 'DECORATED_BY', 'log.ts::log']]);
});

test('the callers of a hotspot are those that are known to call it', async () => {
  const sketch: WorkspaceSketch = {
    'b.ts': {
      symbols: [{ name: 'each' }, { name: 'one' }, { name: 'other' }],
      references: [
        { from: 'one', relation: 'CALLS', to: 'b.ts::each' },
        { from: 'other', relation: 'CALLS', to: 'b.ts::each', source: 'heuristic' },
      ],
    },
  };
  const { hotspots } = await outcomeOf('report', {}, workspaceOf(sketch));
  expect(hotspots.find(spot => spot.name === 'each')?.callers).toBe(1);
});

test('the report has a map of the services where there are several, and none of them can be opened', async () => {
  const code = { 'orders/a.ts': { lines: 30 }, 'web/b.ts': { lines: 20 } };
  const sketch = { code, files: { 'compose.yaml': 'services: {orders: {build: orders}, web: {build: web}}' } };
  const { services } = await outcomeOf('report', {}, workspaceOf(code, { services: servicesOver(await modelOf(sketch), sketch) }));
  expect(services?.nodes.map(({ expand, label }) => [label, expand])).toEqual([
    ['orders', undefined],
    ['web', undefined],
  ]);
  expect((await outcomeOf('report', {}, workspaceOf(code))).services).toBeUndefined();
});
