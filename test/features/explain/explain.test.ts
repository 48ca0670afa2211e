import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(row => row.id);

test('explain tells both sides with the line of each use', async () => {
  const answer = await outcomeOf('explain', { target: 'Till.add' });
  expect(answer).toMatchObject({
    type: 'FUNCTION',
    dependencies: [{ id: 'src/pay.ts::total', rel: 'calls', line: 3, confidence: 0.95 }],
    dependents: [{ id: 'src/checkout.ts::checkout', rel: 'called_by', line: 5, confidence: 0.9 }],
    tests: ['test/checkout.test.ts'],
    parent: 'src/pay.ts::Till',
  });
});

test('what has no doc comment says no sentence, and no code in place of one', async () => {
  const bare: WorkspaceSketch = { 'a.ts': { symbols: [{ name: 'f', lines: [1, 3], firstLine: 'return g(1);' }] } };
  expect(await outcomeOf('explain', { target: 'f' }, workspaceOf(bare))).toMatchObject({ sentence: '' });
  expect((await outcomeOf('hover', { path: 'a.ts', line: 1, column: 9 }, workspaceOf(bare))).lines).toEqual([
    '**function `f`**',
    'No dependents in this workspace · uses 0',
  ]);
});

test('a class counts what uses its members as its own', async () => {
  expect(ids((await outcomeOf('explain', { target: 'Till' })).dependents)).toEqual(['src/checkout.ts::checkout']);
});

test('a file that imports a name counts as a user beside code in it that possibly calls it', async () => {
  const sketch: WorkspaceSketch = {
    'a.ts': { symbols: [{ name: 'f' }] },
    'b.ts': {
      symbols: [{ name: 'g' }],
      references: [
        { from: '', relation: 'NAMES', to: 'a.ts::f', source: 'import' },
        { from: 'g', relation: 'CALLS', to: 'a.ts::f', source: 'heuristic' },
      ],
    },
  };
  const { counts, dependents } = await outcomeOf('explain', { target: 'a.ts::f' }, workspaceOf(sketch));
  expect(counts).toMatchObject({ users: 1, dependents: 2, possibleDependents: 1 });
  expect(ids(dependents).sort()).toEqual(['b.ts', 'b.ts::g']);
});
