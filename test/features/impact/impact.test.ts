import { expect, test } from 'vitest';
import { impactFigures } from '../../../server/src/features/impact/impactFigures';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(row => row.id);

/** `f0` is called by `f1`, that by `f2` … and the last by a test. */
const chain = (length: number): WorkspaceSketch => ({
  'a.ts': {
    symbols: Array.from({ length }, (_, i) => ({ name: `f${i}` })),
    references: Array.from({ length: length - 1 }, (_, i) => ({ from: `f${i + 1}`, relation: 'CALLS' as const, to: `a.ts::f${i}` })),
  },
  'a.test.ts': { isTest: true, symbols: [{ name: 't', modifiers: ['test'] }], references: [{ from: 't', relation: 'CALLS', to: `a.ts::f${length - 1}` }] },
});

test.each([
  [2, 3],
  [20, 1],
])('a test behind %i functions counts, dependents within %i steps do', async (length, maxDepth) => {
  const { counts, transitiveTests } = await outcomeOf('impact', { target: 'f0', maxDepth }, workspaceOf(chain(length)));
  expect(counts).toMatchObject({ direct: 1, transitive: Math.min(length - 1, maxDepth) - 1, directTests: 0, transitiveTests: 1, possibleTests: 0 });
  expect(transitiveTests[0]).toMatchObject({ id: 'a.test.ts::t', depth: length });
  expect(transitiveTests[0]?.via).toHaveLength(length + 1);
});

test('helpers, types and variables of a test file are no tests; where none is seen the file is one', async () => {
  const uses = (...names: string[]) => names.map(from => ({ from, relation: 'USES_TYPE' as const, to: 'a.ts::T' }));
  const sketch: WorkspaceSketch = {
    'a.ts': { symbols: [{ name: 'T', kind: 'class' }] },
    'a.test.ts': {
      isTest: true,
      symbols: [
        { name: 'A', kind: 'type' },
        { name: 'B', kind: 'type' },
      ],
      references: uses('', 'A', 'B'),
    },
    'b.test.ts': {
      isTest: true,
      symbols: [{ name: 'A', kind: 'type' }, { name: 'works', modifiers: ['test'] }, { name: 'helper' }],
      references: uses('', 'A', 'works', 'helper'),
    },
    'c.test.ts': { isTest: true, symbols: [{ name: 'A', kind: 'type' }, { name: 'helper' }], references: uses('A', 'helper') },
  };
  expect(ids((await outcomeOf('impact', { target: 'a.ts::T' }, workspaceOf(sketch))).directTests)).toEqual(['b.test.ts::works', 'c.test.ts', 'a.test.ts']);
});

test('tests in a file that uses the changed code without an import are direct, and the name that shows is one that needs no run', async () => {
  const sketch: WorkspaceSketch = {
    'db/db.go': { symbols: [{ name: 'Open' }, { name: 'start' }], references: [{ from: 'start', relation: 'CALLS', to: 'db/db.go::Open' }] },
    'db/db_test.go': {
      isTest: true,
      symbols: [
        { name: '${name}', modifiers: ['test'] },
        { name: 'TestOpen', modifiers: ['test'] },
        { name: 'open' },
        { name: 'TestHelped', modifiers: ['test'] },
      ],
      references: [
        { from: '${name}', relation: 'CALLS', to: 'db/db.go::Open' },
        { from: 'TestOpen', relation: 'CALLS', to: 'db/db.go::Open' },
        { from: 'open', relation: 'CALLS', to: 'db/db.go::Open' },
        { from: 'TestHelped', relation: 'CALLS', to: 'db/db_test.go::open' },
      ],
    },
    'db/start_test.go': {
      isTest: true,
      symbols: [{ name: 'TestStart', modifiers: ['test'] }],
      references: [{ from: 'TestStart', relation: 'CALLS', to: 'db/db.go::start' }],
    },
  };
  const workspace = workspaceOf(sketch);
  const answer = await outcomeOf('impact', { target: 'Open' }, workspace);
  expect(ids(answer.directTests).sort()).toEqual(['db/db_test.go::${name}', 'db/db_test.go::TestHelped', 'db/db_test.go::TestOpen']);
  expect(ids(answer.transitiveTests)).toEqual(['db/start_test.go::TestStart']);
  const { graph } = workspace.current() ?? {};
  const open = graph?.find('db/db.go::Open');
  if (graph === undefined || open === undefined) throw new Error('no graph');
  const { firstTest } = impactFigures(graph, open, 3);
  expect(firstTest === undefined ? undefined : graph.idOf(firstTest)).toBe('db/db_test.go::TestOpen');
});

test('impact keeps facts and maybes apart and gives the path of evidence', async () => {
  expect(await outcomeOf('impact', { target: 'total' })).toMatchObject({
    counts: { impacted: 4, direct: 1, transitive: 1, maybe: 1, directTests: 1, transitiveTests: 1, files: 2 },
    directDependents: [{ id: 'src/pay.ts::Till::add', line: 3 }],
    transitiveDependents: [
      { id: 'src/checkout.ts::checkout', confidence: 0.855, via: ['src/pay.ts::total', 'src/pay.ts::Till::add', 'src/checkout.ts::checkout'] },
    ],
    maybe: [{ id: 'src/report.ts::report', confidence: 0.4 }],
    directTests: [{ id: 'test/pay.test.ts::testTotal' }],
    transitiveTests: [{ id: 'test/checkout.test.ts' }],
    blastRadius: 4,
    risk: 'low',
  });
});

test('impact respects its depth and its relations', async () => {
  expect(ids((await outcomeOf('impact', { target: 'total', maxDepth: 1 })).impacted)).toEqual([
    'src/pay.ts::Till::add',
    'test/pay.test.ts::testTotal',
    'test/checkout.test.ts',
  ]);
  expect(ids((await outcomeOf('impact', { files: ['src/pay.ts'], relations: ['imported_by'] })).impacted)).toEqual([
    'src/checkout.ts',
    'test/pay.test.ts::testTotal',
    'test/checkout.test.ts',
  ]);
});

test('an unrelated file never appears', async () => {
  expect(JSON.stringify(await outcomeOf('impact', { files: ['src/pay.ts', 'src/report.ts'], maxDepth: 6 }))).not.toContain('lonely');
});

test('a change of a decorator reaches what it decorates', async () => {
  const decorated: WorkspaceSketch = {
    'log.ts': { symbols: [{ name: 'log' }] },
    'a.ts': { symbols: [{ name: 'run', lines: [2, 3] }], references: [{ from: 'log.ts::log', relation: 'DECORATES', to: 'a.ts::run', line: 2 }] },
  };
  expect(await outcomeOf('impact', { target: 'log' }, workspaceOf(decorated))).toMatchObject({
    impacted: [{ id: 'a.ts::run', relation: 'DECORATES', line: 2 }],
  });
  expect((await outcomeOf('impact', { target: 'a.ts::run' }, workspaceOf(decorated))).impacted).toEqual([]);
});

test('a wide impact is counted whole and listed in part', async () => {
  const users = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `u${i}.ts`,
      { symbols: [{ name: 'use' }], references: [{ from: 'use', relation: 'CALLS' as const, to: 'a.ts::f' }] },
    ]),
  );
  const answer = await outcomeOf('impact', { target: 'a.ts::f', limit: 7, offset: 3 }, workspaceOf({ 'a.ts': { symbols: [{ name: 'f' }] }, ...users }));
  expect(answer).toMatchObject({ blastRadius: 60, risk: 'high', counts: { direct: 60 } });
  expect(ids(answer.impacted)).toHaveLength(7);
  expect(ids(answer.impacted)[0]).toBe('u11.ts::use');
});

test('what a test declares inside itself is part of that test', async () => {
  const sketch: WorkspaceSketch = {
    'src/a.ts': { symbols: [{ name: 'Base', kind: 'class' }] },
    'test/a.ts': {
      isTest: true,
      symbols: [
        { name: 'testBase', modifiers: ['test'] },
        { name: 'testBase.Own', kind: 'class' },
        { name: 'testBase.Own.run', kind: 'method' },
      ],
      references: [
        { from: 'testBase', relation: 'INSTANTIATES', to: 'test/a.ts::testBase::Own', source: 'scope' },
        { from: 'testBase.Own', relation: 'INHERITS', to: 'src/a.ts::Base', source: 'import' },
        { from: 'testBase.Own.run', relation: 'CALLS', to: 'src/a.ts::Base', source: 'import' },
      ],
    },
  };
  const answer = await outcomeOf('impact', { target: 'Base' }, workspaceOf(sketch));
  expect(ids([...answer.directTests, ...answer.transitiveTests])).toEqual(['test/a.ts::testBase']);
});

test('a file that imports or re-exports a name and does nothing else with it depends on it, and hands nothing on', async () => {
  const names = (to: string) => ({ from: '', relation: 'NAMES' as const, to, source: 'import' as const });
  const sketch: WorkspaceSketch = {
    'src/url.ts': { symbols: [{ name: 'getPath' }], references: [names('src/url.ts::getPath')] },
    'src/index.ts': { references: [names('src/url.ts::getPath'), { ...names('src/url.ts::getPath'), relation: 'RE_EXPORTS', line: 2 }] },
    'src/late.ts': { references: [names('src/url.ts::getPath')] },
    'src/far.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'src/index.ts', source: 'import' }] },
    'src/app.ts': {
      symbols: [{ name: 'run' }],
      references: [names('src/url.ts::getPath'), { from: 'run', relation: 'CALLS', to: 'src/url.ts::getPath', source: 'import' }],
    },
  };
  const workspace = workspaceOf(sketch);
  const answer = await outcomeOf('impact', { target: 'getPath' }, workspace);
  expect(ids(answer.directDependents)).toEqual(['src/app.ts::run', 'src/index.ts', 'src/late.ts']);
  expect(answer.directDependents[1]).toMatchObject({ relation: 'RE_EXPORTS', line: 2, via: ['src/url.ts::getPath', 'src/index.ts'] });
  expect(answer.directDependents[2]).toMatchObject({ relation: 'IMPORTS', line: 1, via: ['src/url.ts::getPath', 'src/late.ts'] });
  expect(answer.byRelation['re_exported_by']).toEqual(['src/index.ts']);
  expect(answer.byRelation['imported_by']).toEqual(['src/late.ts']);
  expect(answer.transitiveDependents).toEqual([]);
  expect((await outcomeOf('explain', { target: 'getPath' }, workspace)).counts).toMatchObject({ users: 3 });
  expect(await outcomeOf('impact', { target: 'getPath', relations: ['CALLS'] }, workspace)).toMatchObject({ counts: { direct: 1 } });
});
