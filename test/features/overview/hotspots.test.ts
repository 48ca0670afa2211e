import { expect, test, vi } from 'vitest';
import { impactFigures } from '../../../server/src/features/impact/impactFigures';
import { hotspotsOf } from '../../../server/src/features/overview/hotspots';
import { testsReaching } from '../../../server/src/features/testSelection/reach/reachedTests';
import { outcomeOf } from '../../helpers/askFeature';
import { graphOf, type WorkspaceSketch } from '../../helpers/graphOf';
import { pastChangesOf } from '../../helpers/pastChangesOf';
import { workspaceOf } from '../../helpers/workspaceOf';

vi.mock(import('../../../server/src/features/testSelection/reach/reachedTests'), async original => {
  const actual = await original();
  return { ...actual, testsReaching: vi.fn(actual.testsReaching) };
});

const uses = (from: string, ...to: readonly string[]) => to.map(name => ({ from, relation: 'CALLS' as const, to: `a.ts::${name}` }));
const SKETCH: WorkspaceSketch = {
  'a.ts': {
    symbols: [
      { name: 'hot', complexity: 8 },
      { name: 'simple', complexity: 1 },
      { name: 'still', complexity: 20 },
      { name: 'unused', complexity: 50 },
    ],
  },
  'b.ts': {
    symbols: [{ name: 'one' }, { name: 'two' }, { name: 'three' }],
    references: [...uses('one', 'hot', 'simple', 'still'), ...uses('two', 'hot', 'simple', 'still'), ...uses('three', 'simple', 'still')],
  },
};
const [hot, simple, unused] = ['a.ts::hot', 'a.ts::simple', 'a.ts::unused'];
const CHANGES = pastChangesOf([
  { subject: 'a', changed: [hot, unused] },
  { subject: 'b', changed: [hot, simple] },
  { subject: 'c', changed: [simple] },
  { subject: 'everything', changed: [simple, 'a.ts::still'], files: 400 },
]);

test('hotspots are what changes often, is complex and is used; what no commit changed comes after', () => {
  const { view } = graphOf(SKETCH);
  const rows = hotspotsOf(view, 3, CHANGES).map(({ changes, complexity, dependents, name, score }) => [name, changes, complexity, dependents, score]);
  expect(rows).toEqual([
    ['hot', 2, 8, 2, 32],
    ['simple', 2, 1, 3, 6],
    ['still', 0, 20, 3, 0],
  ]);
});

test('commits of more than a year before the newest do not count', () => {
  const { view } = graphOf(SKETCH);
  const old = { ...CHANGES, commits: CHANGES.commits.map((commit, at) => (at === 1 ? { ...commit, time: commit.time - 366 * 24 * 3600 } : commit)) };
  expect(hotspotsOf(view, 1, old)).toMatchObject([{ name: 'hot', changes: 1 }]);
});

test('fields, members of enums, constructors and values are no hotspots: their types are', () => {
  const sketch: WorkspaceSketch = {
    'a.ts': {
      symbols: [
        { name: 'Shop', kind: 'class', complexity: 3 },
        { name: 'Shop.open', kind: 'field', complexity: 2 },
        { name: 'Shop.constructor', kind: 'constructor', complexity: 2 },
        { name: 'limit', kind: 'variable' },
      ],
    },
    'b.ts': {
      symbols: [{ name: 'one' }],
      references: ['Shop', 'Shop::open', 'Shop::constructor', 'limit'].map(name => ({ from: 'one', relation: 'CALLS' as const, to: `a.ts::${name}` })),
    },
  };
  const changes = pastChangesOf([{ subject: 'a', changed: ['a.ts::Shop', 'a.ts::Shop::open', 'a.ts::Shop::constructor'] }]);
  expect(hotspotsOf(graphOf(sketch).view, 10, changes).map(({ name }) => name)).toEqual(['Shop']);
});

test('without history they are the most used of the central ones, and nothing is said of changes', () => {
  const spots = hotspotsOf(graphOf(SKETCH).view, 10, undefined);
  expect(spots.map(({ name }) => name)).toEqual(['simple', 'still', 'hot']);
  expect(spots[0]).not.toHaveProperty('changes');
});

test('structure, health and the report show the same hotspots', async () => {
  const workspace = workspaceOf(SKETCH, { pastChanges: CHANGES });
  const names = (rows: readonly { readonly name: string }[] | undefined) => rows?.map(({ name }) => name);
  const expected = ['hot', 'simple', 'still'];
  expect(names((await outcomeOf('structure', {}, workspace)).hotspots)).toEqual(expected);
  expect(names((await outcomeOf('health', {}, workspace)).graph?.hotspots)).toEqual(expected);
  expect(names((await outcomeOf('report', {}, workspace)).hotspots)).toEqual(expected);
});

test('hotspots count their users as impact does, without looking for the tests that reach them', () => {
  const tested: WorkspaceSketch = {
    ...SKETCH,
    'a.test.ts': { symbols: [{ name: 'tests hot' }], references: uses('tests hot', 'hot') },
  };
  const { view } = graphOf(tested);
  vi.mocked(testsReaching).mockClear();
  const spots = hotspotsOf(view, 10, CHANGES);
  expect(testsReaching).not.toHaveBeenCalled();
  const figures = spots.map(({ id }) => impactFigures(view, view.find(id)!, 1));
  expect(figures.map(({ counts }) => counts.direct)).toEqual(spots.map(({ dependents }) => dependents));
  expect(testsReaching).toHaveBeenCalled();
});
