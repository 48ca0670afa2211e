import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { shapes } from '../../helpers/shapes';
import { workspaceOf } from '../../helpers/workspaceOf';

test('a symbol has its callers and callees with their lines', async () => {
  expect(await outcomeOf('incomingCalls', { id: 'src/pay.ts::total' })).toMatchObject({
    calls: [{ item: { name: 'add' }, lines: [3] }, { item: { name: 'report' } }, {}],
  });
  expect(await outcomeOf('outgoingCalls', { id: 'src/checkout.ts::checkout' })).toMatchObject({
    calls: [
      { item: { name: 'add' }, lines: [5] },
      { item: { name: 'Till' }, lines: [4] },
    ],
  });
});

test('the type around a place has the types above and below it', async () => {
  const place = (line: number) => outcomeOf('typeHierarchyItem', { path: 'a.ts', line, column: 2 }, workspaceOf(shapes));
  expect(await place(7)).toMatchObject({ item: { name: 'Circle' } });
  expect(await place(11)).toEqual({ item: null });
  const above = await outcomeOf('supertypes', { id: 'a.ts::Circle' }, workspaceOf(shapes));
  expect(above.types).toMatchObject([{ item: { name: 'Shape' }, lines: [5] }]);
  expect(await outcomeOf('subtypes', { id: 'a.ts::Shape' }, workspaceOf(shapes))).toMatchObject({ types: [{ item: { name: 'Circle' } }] });
  expect(await outcomeOf('subtypes', { id: 'a.ts::gone' }, workspaceOf(shapes))).toEqual({ types: [] });
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
