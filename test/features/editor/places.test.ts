import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

test('places, symbols and calls for the editor', async () => {
  expect(await outcomeOf('symbolAt', { path: 'src/pay.ts', line: 6, column: 0 })).toMatchObject({ id: 'src/pay.ts::Till' });
  expect(await outcomeOf('documentSymbols', { path: 'src/pay.ts' })).toMatchObject({
    symbols: [
      { name: 'Till', children: [{ name: 'add' }] },
      { name: 'total', children: [] },
    ],
  });
  expect(await outcomeOf('workspaceSymbols', { query: 'total' })).toMatchObject({ symbols: [{ id: 'src/pay.ts::total' }, {}] });
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

test('the name of a type is the type, whatever its methods implement there without saying so', async () => {
  const sketch: WorkspaceSketch = {
    'a.go': {
      symbols: [
        { name: 'Context', kind: 'struct', lines: [1, 3] },
        { name: 'Context.Abort', kind: 'method', lines: [5, 6] },
        { name: 'Aborter', kind: 'interface', lines: [8, 10] },
      ],
      references: [{ from: 'Context', relation: 'OVERRIDES', to: 'a.go::Context::Abort', line: 1, column: 9 }],
      lines: 10,
    },
  };
  expect(await outcomeOf('symbolAt', { path: 'a.go', line: 1, column: 9 }, workspaceOf(sketch))).toMatchObject({ id: 'a.go::Context' });
});

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

test('nodes are found by id, in the order of the question, without those that are not there', async () => {
  const found = await outcomeOf('nodesById', { ids: ['a.ts::make', 'a.ts::gone', 'a.ts'] }, workspaceOf(types));
  expect(names(found.nodes)).toEqual(['make', 'a.ts']);
  expect(await outcomeOf('nodesById', { ids: ['a.ts'] }, workspaceOf(types, { notReady: true }))).toEqual({ nodes: [] });
});
