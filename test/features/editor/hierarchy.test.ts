import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

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

test('the type around a place has the types above and below it', async () => {
  const place = (line: number) => outcomeOf('typeHierarchyItem', { path: 'a.ts', line, column: 2 }, workspaceOf(types));
  expect(await place(7)).toMatchObject({ item: { name: 'Circle' } });
  expect(await place(11)).toEqual({ item: null });
  const above = await outcomeOf('supertypes', { id: 'a.ts::Circle' }, workspaceOf(types));
  expect(above.types).toMatchObject([{ item: { name: 'Shape' }, lines: [5] }]);
  expect(await outcomeOf('subtypes', { id: 'a.ts::Shape' }, workspaceOf(types))).toMatchObject({ types: [{ item: { name: 'Circle' } }] });
  expect(await outcomeOf('subtypes', { id: 'a.ts::gone' }, workspaceOf(types))).toEqual({ types: [] });
});
