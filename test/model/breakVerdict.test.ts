import { expect, test } from 'vitest';
import { counted } from '../../server/protocol/figures';
import type { GraphDiffAnswer } from '../../server/src/features/compare/graphDiff';
import { breakVerdict } from '../../server/src/model/breakVerdict';

type Row = GraphDiffAnswer['nodes'][number];

const ROW: Row = { id: 'a.ts#f', kind: 'function', path: 'a.ts', line: 1, change: 'removed', isTest: false, isExported: true };

test.each<[string, readonly Partial<Row>[], string]>([
  ['a public symbol', [{}], 'nothing in the workspace breaks, but 1 public symbol was removed or renamed'],
  ['two of them', [{}, { change: 'renamed' }], 'nothing in the workspace breaks, but 2 public symbols were removed or renamed'],
  [
    'private ones, tests, files and what its holder took along',
    [{ isExported: false }, { isTest: true }, { kind: 'file' }, { withHolder: true }],
    'no breaking changes found',
  ],
  ['what stays', [{ change: 'body' }, { change: 'added' }], 'no breaking changes found'],
])('a comparison without broken code tells of public symbols that are gone: %s', (_, rows, expected) => {
  expect(breakVerdict({ breaking: [], nodes: rows.map(row => ({ ...ROW, ...row })) }, counted)).toBe(expected);
});

test('broken code is all that is told where there is any', () => {
  const breaking: GraphDiffAnswer['breaking'] = [{ id: 'a.ts#f', kind: 'function', reason: 'removed', uses: [], total: 1 }];
  expect(breakVerdict({ breaking, nodes: [ROW] }, counted)).toBe('1 breaking change');
});
