import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { shapes } from '../../helpers/shapes';
import { workspaceOf } from '../../helpers/workspaceOf';

test('the symbol at a place, the symbols of a file, and those of the workspace by name', async () => {
  expect(await outcomeOf('symbolAt', { path: 'src/pay.ts', line: 6, column: 0 })).toMatchObject({ id: 'src/pay.ts::Till' });
  expect(await outcomeOf('documentSymbols', { path: 'src/pay.ts' })).toMatchObject({
    symbols: [
      { name: 'Till', children: [{ name: 'add' }] },
      { name: 'total', children: [] },
    ],
  });
  expect(await outcomeOf('workspaceSymbols', { query: 'total' })).toMatchObject({ symbols: [{ id: 'src/pay.ts::total' }, {}] });
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

test('the name of a method is the method, whatever it overrides there without saying so', async () => {
  const sketch: WorkspaceSketch = {
    'api.go': {
      symbols: [
        { name: 'Server', kind: 'interface' },
        { name: 'Server.Place', kind: 'method' },
      ],
    },
    'main.go': {
      symbols: [{ name: 'Place', kind: 'method' }],
      references: [{ from: 'Place', relation: 'OVERRIDES', to: 'api.go::Server::Place', line: 1, column: 9 }],
    },
  };
  expect(await outcomeOf('symbolAt', { path: 'main.go', line: 1, column: 9 }, workspaceOf(sketch))).toMatchObject({ id: 'main.go::Place' });
});

const names = (rows: readonly { readonly name: string }[]): string[] => rows.map(row => row.name);

test('nodes are found by id, in the order of the question, without those that are not there', async () => {
  const found = await outcomeOf('nodesById', { ids: ['a.ts::make', 'a.ts::gone', 'a.ts'] }, workspaceOf(shapes));
  expect(names(found.nodes)).toEqual(['make', 'a.ts']);
  expect(await outcomeOf('nodesById', { ids: ['a.ts'] }, workspaceOf(shapes, { notReady: true }))).toEqual({ nodes: [] });
});
