import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
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

const ring: WorkspaceSketch = {
  'a.ts': {
    symbols: [{ name: 'a' }, { name: 'twice' }],
    references: [
      { from: '', relation: 'IMPORTS', to: 'b.ts', source: 'import' },
      { from: 'a', relation: 'CALLS', to: 'b.ts::b' },
      { from: 'twice', relation: 'CALLS', to: 'b.ts::b' },
    ],
  },
  'b.ts': {
    symbols: [{ name: 'b' }],
    references: [
      { from: '', relation: 'IMPORTS', to: 'a.ts', source: 'import' },
      { from: 'b', relation: 'CALLS', to: 'a.ts::a' },
    ],
  },
};

test('structure tells hotspots, communities and import cycles', async () => {
  const answer = await outcomeOf('structure', {}, workspaceOf(ring));
  expect(answer).toMatchObject({ cycles: [['a.ts', 'b.ts']], cycleCount: 1 });
  // What one node alone depends on is no hotspot.
  expect(names(answer.hotspots)).toEqual(['b']);
  const communities = answer.communities;
  expect(communities[0]?.memberCount).toBe(communities[0]?.members.length);
  expect(await outcomeOf('structure', {}, workspaceOf(types))).toMatchObject({ cycles: [], cycleCount: 0 });
});

/** `size` functions that all call the first, in a file of the folder. */
const cluster = (name: string, size: number) => ({
  symbols: Array.from({ length: size }, (_, i) => ({ name: `${name}${i}` })),
  references: Array.from({ length: size - 1 }, (_, i) => ({ from: `${name}${i + 1}`, relation: 'CALLS' as const, to: `src/jsx/${name}.ts::${name}0` })),
});

test('communities of one folder are told apart by what is central in each', async () => {
  const answer = await outcomeOf('structure', {}, workspaceOf({ 'src/jsx/dom.ts': cluster('dom', 6), 'src/jsx/node.ts': cluster('node', 5) }));
  const labels = answer.communities.map(community => community.label);
  expect(labels).toEqual(['jsx · dom0', 'jsx · node0']);
});
