import { afterEach, expect, test } from 'vitest';
import { closeAll } from '../../engine/repository';
import { ask, branch, MONEY } from './shopBranch';

afterEach(closeAll);

test('what only changes comments and empty lines changes nothing, not even tests to run', async () => {
  const made = branch();
  made.checkout.write({
    'src/money.ts': MONEY.replace('/** Adds. */', '/** Sums up.\n */\n')
      .replace('// both', '/* all\n   of them */\n')
      .replace('// the drawer', '// its drawer'),
    'src/tools.py': 'def stack(boxes):\n    """Puts one on\n    another."""\n\n    return boxes  # all\n',
  });
  const asking = await made.checkout.open();
  expect(await ask(asking, 'branchImpact', {})).toMatchObject({ symbols: [], files: [], fileCount: 0, breaking: [], tests: [], risk: 'low' });
  expect((await ask(asking, 'graphDiff', {})).nodes).toEqual([]);
  made.checkout.write({ 'src/tools.py': 'def stack(boxes):\n    """Stacks."""\n    return list(boxes)\n' });
  await asking.settled('search_code', { query: 'stack' });
  expect((await ask(asking, 'branchImpact', {})).symbols).toMatchObject([{ id: 'src/tools.py::stack', change: 'body' }]);
});

test('all tests to run are listed, however many there are', async () => {
  const made = branch();
  const cases = Array.from({ length: 230 }, (_, at) => `test('adds ${at}', () => { add(1, ${at}); });`);
  made.commit({ 'test/many.test.ts': ["import { add } from '../src/money';", ...cases, ''].join('\n') });
  made.checkout.write({ 'src/money.ts': MONEY.replace('b: number', 'b: string') });
  const { symbols, tests } = await ask(await made.checkout.open(), 'branchImpact', {});
  expect(tests.length).toBeGreaterThan(230);
  expect(symbols.find(({ id }) => id === 'src/money.ts::add')?.tests).toBe(tests.length);
});

test('a branch is its commits, what is not committed, and unsaved text: breaking ones first, then by reach, with tests and authors', async () => {
  const made = branch();
  made.commit({ 'src/money.ts': MONEY.replace('return add(1, 2)', 'return add(2, 2)') });
  made.checkout.write({ 'README.md': 'The shop\n', 'src/new.ts': 'export const fresh = () => 1;\n' });
  const asking = await made.checkout.open();
  const before = await ask(asking, 'branchImpact', {});
  expect(before.symbols.map(({ by, change, id, isBreaking }) => [id, change, isBreaking, ...by])).toEqual([
    ['src/money.ts::Till::open', 'body', false, 'T'],
    ['src/new.ts::fresh', 'added', false],
  ]);
  // What leads to it is public, and only tests use that here.
  expect(before.symbols[0]).toMatchObject({ dependents: 1, tests: 1, reach: 'unknown' });
  expect(before.files.map(({ change, path }) => [path, change])).toEqual([['README.md', 'body']]);
  expect(before.tests.map(({ file }) => file)).toEqual(['test/shop.test.ts']);

  asking.gateway.overlay([{ path: 'src/money.ts', version: 1, text: MONEY.replace('b: number', 'b: string') }], asking.caller('editor'));
  const unsaved = await ask(asking, 'branchImpact', {});
  expect(unsaved.symbols.map(({ change, id, isBreaking }) => [id, change, isBreaking])).toEqual([
    ['src/money.ts::add', 'signature', true],
    ['src/new.ts::fresh', 'added', false],
  ]);
  expect(unsaved.breaking).toMatchObject([
    {
      id: 'src/money.ts::add',
      uses: [
        { path: 'src/money.ts', line: 9 },
        { path: 'src/shop.ts', line: 2 },
      ],
    },
  ]);
  expect(unsaved.tests.map(({ file }) => file)).toEqual(['test/shop.test.ts']);

  const head = made.git('rev-parse', 'HEAD');
  expect((await ask(asking, 'branchImpact', { from: head })).symbols.map(({ id }) => id)).toContain('src/money.ts::add');
  await expect(ask(asking, 'branchImpact', { from: 'nowhere' })).rejects.toThrow('NOT_FOUND');
});
