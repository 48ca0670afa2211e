import { expect, test } from 'vitest';
import { Interner } from '../../server/src/base/interner';
import { searchDocumentsOf } from '../../server/src/engine/indexing/searchDocuments';
import type { NodeHandle } from '../../server/src/model/ids';
import { upsertOf } from '../helpers/graphOf';

test.each([
  ['Loads the file. Missing ones are empty.', 'Loads the file.', ' Missing ones are empty.'],
  ['Loads v1.2 of the file', 'Loads v1.2 of the file', ''],
  ['Loads\nthe file\n\nof a user', 'Loads\nthe file\n', '\nof a user'],
  ['Loads the file\n@param path Where it is.', 'Loads the file\n', '@param path Where it is.'],
  ['Is it loaded? As far as known.', 'Is it loaded?', ' As far as known.'],
  ['Loads the file\n  :param path: Where it is.', 'Loads the file\n', '  :param path: Where it is.'],
  ['', '', ''],
])('what a comment says first is apart from the rest: %j', (comment, doc, remarks) => {
  const { facts } = upsertOf('src/a.ts', { symbols: [{ name: 'load', doc: comment }] }, new Interner<NodeHandle>());
  expect(searchDocumentsOf('src/a.ts', facts)[1]).toMatchObject({ name: 'load', doc, remarks });
});

test('blocks of tests are not searched for themselves, also if they are named after the code that they test', () => {
  const symbols = [
    { name: 'Linter', signature: "('Linter', () =>" },
    { name: 'reports every problem', signature: "('reports every problem', async () =>" },
    { name: 'createLinter', signature: 'function createLinter(): Linter' },
  ];
  const { facts } = upsertOf('test/linter.test.ts', { symbols }, new Interner<NodeHandle>());
  expect(searchDocumentsOf('test/linter.test.ts', facts).map(({ name }) => name)).toEqual(['linter.test.ts', 'createLinter']);
});
