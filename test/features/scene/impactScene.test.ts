import { expect, test } from 'vitest';
import { ok } from '../../../server/src/base/result';
import { bigShop } from '../../helpers/bigShop';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import type { WorkspaceOptions } from '../../helpers/workspaceOf';

/** A change of the fourth line of a file. */
const ONE_LINE = { added: { start: 4, end: 4 }, removed: { start: 4, end: 4 }, addedText: ['  pay();'], removedText: ['  // pay();'] };

import { add, checkout, ids, places, report, scene, testTotal, total } from './sceneOf';

test('impact is in columns by distance with the way to each node, maybes and tests marked', async () => {
  const found = await scene({ start: 'impact', target: total });
  expect(places(found)).toEqual([`${total}@0`, `${add}@1`, `${report}@1`, `${testTotal}@1/tests`, `${checkout}@2`, 'test/checkout.test.ts@3/tests']);
  expect(found.nodes.find(node => node.id === checkout)?.via).toEqual({ id: add, relation: 'CALLS', line: 5 });
  expect(found.nodes.find(node => node.id === report)?.confidence).toBe(0.4);
  expect(found.summary).toBe('2 dependents in 2 files, 2 tests, 1 possible. Reach: small.');
  expect(found.risk).toBe('low');
  expect(found.groups.map(group => group.label)).toEqual(['src/pay.ts', 'src/report.ts', 'test/pay.test.ts', 'src/checkout.ts', 'test/checkout.test.ts']);
  expect(found.spread).toEqual({ dependents: 2, parts: expect.any(Array), tests: 2, testFiles: 2 });
});

test('a reach that cannot be known says why', async () => {
  const sketch: WorkspaceSketch = {
    'src/app.py': {
      symbols: [
        { name: 'App', kind: 'class' },
        { name: 'App.run', kind: 'method' },
        { name: 'App.__call__', kind: 'method' },
      ],
      references: [{ from: 'App.__call__', relation: 'CALLS', to: 'src/app.py::App::run' }],
    },
  };
  const found = await scene({ start: 'impact', target: 'src/app.py::App::run' }, sketch);
  expect(found.summary).toBe('1 dependent in 1 file, 0 tests. Reach: unknown (called by a framework).');
});

test('the way to an impacted node is whole whatever the budget', async () => {
  const found = await scene(
    { start: 'impact', target: 'round', edgeBudget: 25, depth: 6 },
    bigShop({ areas: 4, filesPerArea: 4, functionsPerFile: 5, calls: 2 }),
  );
  const shown = new Set(ids(found));
  for (const { via } of found.nodes) expect(via === undefined || shown.has(via.id)).toBe(true);
  expect(found.edges.length).toBeLessThanOrEqual(25);
  expect(found.nodes.filter(node => node.role === 'box').length).toBeGreaterThan(0);
});

test('impact of changes starts from what changed since a revision, code before tests', async () => {
  const changes: WorkspaceOptions['changes'] = since =>
    ok({
      since: since ?? '',
      truncated: false,
      files: [
        { path: 'test/pay.test.ts', status: 'modified', hunks: [ONE_LINE], before: [{ id: testTotal, start: 3, end: 5, nameLine: 3 }] },
        {
          path: 'src/pay.ts',
          status: 'modified',
          hunks: [{ added: { start: 12, end: 12 }, removed: { start: 12, end: 12 }, addedText: ['  return 1;'], removedText: ['  return 2;'] }],
          before: [{ id: total, start: 11, end: 13, nameLine: 11 }],
        },
      ],
    });
  const found = await scene({ start: 'changes', target: 'main..HEAD' }, shop, { changes });
  expect(found.title).toBe('Impact of changes since main..HEAD');
  const nothing = await scene({ start: 'changes' }, shop, { changes: () => ok({ since: 'HEAD', truncated: false, files: [] }) });
  expect([nothing.nodes, nothing.summary]).toEqual([[], 'No indexed code has changed.']);
  expect(found.starts).toEqual([total, testTotal]);
});

test('an impact begins with what changed and nothing else, however much depends on it', async () => {
  // More than an answer tells of: the ways of some lead over others that it leaves out.
  const users = Array.from({ length: 3200 }, (_, at) => ({ name: `user${1000 + at}` }));
  const last = users.slice(3150);
  const sketch: WorkspaceSketch = {
    'src/hub.ts': { symbols: [{ name: 'hub' }] },
    'src/users.ts': {
      symbols: users,
      references: users.map(({ name }, at) => ({
        from: name,
        relation: 'CALLS' as const,
        to: { 'src/hub.ts::hub': at < 3150 ? 1 : 0.9 },
        line: at + 1,
      })),
    },
    'src/far.ts': {
      symbols: last.map(({ name }) => ({ name: `far${name}` })),
      references: last.map(({ name }, at) => ({ from: `far${name}`, relation: 'CALLS' as const, to: { [`src/users.ts::${name}`]: 0.5 }, line: at + 1 })),
    },
  };
  const found = await scene({ start: 'impact', target: 'src/hub.ts::hub', groupBy: 'none' }, sketch);
  expect(found.nodes.filter(one => one.role === 'start').map(one => one.id)).toEqual(['src/hub.ts::hub']);
  for (const one of found.nodes) if (one.role === 'step') expect(one.column, one.id).toBeGreaterThan(0);
});

test('what depends in certain steps is certain however many they are, and groups count it apart from what is possible', async () => {
  const steps = ['first', 'second', 'third'];
  const sketch: WorkspaceSketch = {
    'src/hub.ts': { symbols: [{ name: 'hub' }] },
    'src/far.ts': {
      symbols: [...steps, 'maybe'].map(name => ({ name })),
      references: [
        ...steps.map((name, at) => ({
          from: name,
          relation: 'CALLS' as const,
          to: { [at === 0 ? 'src/hub.ts::hub' : `src/far.ts::${steps[at - 1]}`]: 0.9 },
          line: at + 1,
        })),
        { from: 'maybe', relation: 'CALLS', to: { 'src/hub.ts::hub': 0.4 }, line: 9 },
      ],
    },
  };
  const found = await scene({ start: 'impact', target: 'src/hub.ts::hub' }, sketch);
  expect(found.summary).toMatch(/^3 dependents in 1 file, 0 tests, 1 possible/);
  const isPossible = (one: { readonly confidence: number }): boolean => one.confidence < 0.8;
  expect(found.nodes.filter(isPossible).map(one => one.label)).toEqual(['maybe']);
  expect(found.edges.filter(isPossible).map(one => one.source)).toEqual(['src/far.ts::maybe']);
  const grouped = await scene({ start: 'impact', target: 'src/hub.ts::hub', edgeBudget: 4 }, sketch);
  expect(grouped.nodes.flatMap(one => one.counts ?? [])).toEqual([{ dependents: 3, tests: 0, possible: 1 }]);
});

test('evidence through what is not shown leads to the next thing that is', async () => {
  const sketch: WorkspaceSketch = {
    'src/app.py': {
      symbols: [
        { name: 'App', kind: 'class' },
        { name: 'App.run', kind: 'method' },
        { name: 'App.__call__', kind: 'method' },
      ],
      references: [{ from: 'App.__call__', relation: 'CALLS', to: 'src/app.py::App::run', line: 3 }],
    },
    'test/test_app.py': {
      isTest: true,
      symbols: [{ name: 'starts', modifiers: ['test'] }],
      references: [{ from: 'starts', relation: 'INSTANTIATES', to: 'src/app.py::App', line: 5 }],
    },
  };
  const found = await scene({ start: 'impact', target: 'src/app.py::App::run' }, sketch);
  expect(found.nodes.map(({ column, id, via }) => [column, id, via?.id])).toEqual([
    [0, 'src/app.py::App::run', undefined],
    [1, 'src/app.py::App::__call__', 'src/app.py::App::run'],
    [3, 'test/test_app.py::starts', 'src/app.py::App::__call__'],
  ]);
});

/** `hub` is used by so many functions of two folders, and through one of them by a third. */
const crowded: WorkspaceSketch = {
  'src/hub.ts': { symbols: [{ name: 'hub' }] },
  ...Object.fromEntries(
    ['near', 'other'].map(folder => [
      `src/${folder}/users.ts`,
      {
        symbols: Array.from({ length: 50 }, (_, at) => ({ name: `${folder}${at}` })),
        references: Array.from({ length: 50 }, (_, at) => ({ from: `${folder}${at}`, relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: at + 1 })),
      },
    ]),
  ),
  'src/far/users.ts': {
    symbols: [{ name: 'far' }],
    references: [{ from: 'far', relation: 'CALLS', to: 'src/near/users.ts::near7', line: 3 }],
  },
  'test/hub.test.ts': {
    isTest: true,
    symbols: Array.from({ length: 9 }, (_, at) => ({ name: `test${at}`, modifiers: ['test'] as const })),
    references: Array.from({ length: 9 }, (_, at) => ({ from: `test${at}`, relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: at + 1 })),
  },
};

test('an impact on many is shown in groups, each behind what it is reached through, with what it holds', async () => {
  const found = await scene({ start: 'impact', target: 'src/hub.ts::hub' }, crowded);
  const boxes = found.nodes.filter(node => node.role === 'box');
  expect(boxes.map(({ label, column, lane, counts }) => [label, column, lane, counts])).toEqual([
    ['src/near/users.ts', 1, 'main', { dependents: 50, tests: 0, possible: 0 }],
    ['src/other/users.ts', 1, 'main', { dependents: 50, tests: 0, possible: 0 }],
    ['src/far/users.ts', 2, 'main', { dependents: 1, tests: 0, possible: 0 }],
    ['test/hub.test.ts', 1, 'tests', { dependents: 0, tests: 9, possible: 0 }],
  ]);
  expect(boxes[2]?.via?.id).toBe(boxes[0]?.id);
  expect(found.spread).toEqual({
    dependents: 101,
    parts: [
      { label: 'src/near/users.ts', count: 50, isRest: false },
      { label: 'src/other/users.ts', count: 50, isRest: false },
      { label: 'src/far/users.ts', count: 1, isRest: false },
    ],
    tests: 9,
    testFiles: 1,
  });
});

test('what is only possible neither leads the groups of an impact nor counts where it goes', async () => {
  const doubted: WorkspaceSketch = {
    'src/hub.ts': { symbols: [{ name: 'hub' }] },
    ...Object.fromEntries(
      [
        ['doubt', 60, 0.4],
        ['sure', 20, 0.9],
      ].map(([folder, count, confidence]) => [
        `src/${folder}/users.ts`,
        {
          symbols: Array.from({ length: Number(count) }, (_, at) => ({ name: `${folder}${at}` })),
          references: Array.from({ length: Number(count) }, (_, at) => ({
            from: `${folder}${at}`,
            relation: 'CALLS' as const,
            to: { 'src/hub.ts::hub': Number(confidence) },
            line: at + 1,
          })),
        },
      ]),
    ),
  };
  const found = await scene({ start: 'impact', target: 'src/hub.ts::hub' }, doubted);
  expect(found.nodes.filter(node => node.role === 'box').map(node => [node.label, node.counts])).toEqual([
    ['src/sure/users.ts', { dependents: 20, tests: 0, possible: 0 }],
    ['src/doubt/users.ts', { dependents: 0, tests: 0, possible: 60 }],
  ]);
  expect(found.spread).toMatchObject({ dependents: 20, parts: [{ label: 'src/sure/users.ts', count: 20 }] });
  const { 'src/sure/users.ts': _sure, ...onlyDoubted } = doubted;
  expect((await scene({ start: 'impact', target: 'src/hub.ts::hub' }, onlyDoubted)).spread).toMatchObject({ dependents: 60 });
});

test('a group of an impact opens in place, with the closest first: what most is reached through', async () => {
  const found = await scene({ start: 'impact', target: 'src/hub.ts::hub', expand: ['open:group:src/near/users.ts'] }, crowded);
  const rows = found.nodes.filter(node => node.role === 'step');
  expect(rows).toHaveLength(24);
  expect(rows[0]?.id).toBe('src/near/users.ts::near7');
  expect(found.nodes.find(node => node.role === 'bundle')).toMatchObject({ size: 26, parent: 'group:src/near/users.ts' });
  expect(found.nodes.find(node => node.label === 'src/far/users.ts')?.via?.id).toBe('src/near/users.ts::near7');
});

test('an impact is put together by what is asked for', async () => {
  const crowd = bigShop({ areas: 6, filesPerArea: 4, functionsPerFile: 6, calls: 2 });
  const found = await scene({ start: 'impact', target: 'Money.add', depth: 4, groupBy: 'community' }, crowd);
  const boxes = found.nodes.filter(node => node.role === 'box');
  expect(boxes.length).toBeGreaterThan(1);
  expect(boxes.every(box => box.kind === 'community')).toBe(true);
});
