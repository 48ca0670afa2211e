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

test('what makes an instance calls the constructor, and not the class beside it', async () => {
  const sketch: WorkspaceSketch = {
    'a.ts': {
      symbols: [
        { name: 'Circle', kind: 'class', lines: [1, 3] },
        { name: 'Circle.constructor', kind: 'constructor', lines: [2, 2] },
        { name: 'Plain', kind: 'class', lines: [5, 5] },
        { name: 'make', lines: [7, 9] },
      ],
      references: [
        { from: 'make', relation: 'INSTANTIATES', to: 'a.ts::Circle', line: 8 },
        { from: 'make', relation: 'CALLS', to: 'a.ts::Circle::constructor', line: 8 },
        { from: 'make', relation: 'INSTANTIATES', to: 'a.ts::Plain', line: 9 },
      ],
      lines: 9,
    },
  };
  const { calls } = await outcomeOf('outgoingCalls', { id: 'a.ts::make' }, workspaceOf(sketch));
  expect(calls.map(row => row.item.id).sort()).toEqual(['a.ts::Circle::constructor', 'a.ts::Plain']);
});
