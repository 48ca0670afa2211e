import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { shapes } from '../../helpers/shapes';
import { workspaceOf } from '../../helpers/workspaceOf';

const names = (rows: readonly { readonly name: string }[]): string[] => rows.map(row => row.name);

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
  expect(names(answer.hotspots)).toEqual(['b', 'a']);
  const communities = answer.communities;
  expect(communities[0]?.memberCount).toBe(communities[0]?.members.length);
  expect(await outcomeOf('structure', {}, workspaceOf(shapes))).toMatchObject({ cycles: [], cycleCount: 0 });
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
