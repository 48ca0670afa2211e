import { afterEach, expect, test } from 'vitest';
import { COMPARED } from '../../../server/protocol/graphView';
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { Answer, FeatureName, ParamsOf } from '../../../server/src/features/catalogue/catalogue';
import type { Asking } from '../../engine/checkout';
import { closeAll, type Repository, repository } from '../../engine/repository';

afterEach(closeAll);

async function ask<Name extends FeatureName>(asking: Asking, name: Name, params: ParamsOf<Name>): Promise<Answer<Name>> {
  const answer = await asking.gateway.query(name, params, asking.caller('editor'), neverCancelled);
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value as Answer<Name>;
}

const MONEY = `/** Adds. */
export function add(a: number, b: number) {
  // both
  return a + b;
}
export class Till {
  // the drawer
  open() {
    return add(1, 2);
  }
}
`;
const BEFORE = {
  'package.json': '{"name":"shop","devDependencies":{"vitest":"1"}}',
  'README.md': 'Shop\n',
  'src/money.ts': MONEY,
  'src/shop.ts': "import { add, Till } from './money';\nexport const pay = () => add(1, new Till().open());\n",
  'src/tools.py': 'def stack(boxes):\n    """Stacks."""\n    return boxes\n',
  'test/shop.test.ts': "import { test } from 'vitest';\nimport { pay } from '../src/shop';\ntest('pays', () => {\n  pay();\n});\n",
};

function branch(): Repository {
  const made = repository();
  made.commit(BEFORE);
  made.git('checkout', '-q', '-b', 'work');
  return made;
}

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
  expect(before.symbols[0]).toMatchObject({ dependents: 1, tests: 1, reach: 'small' });
  expect(before.files.map(({ change, path }) => [path, change])).toEqual([['README.md', 'body']]);
  expect(before.tests.map(({ file }) => file)).toEqual(['test/shop.test.ts']);

  asking.gateway.overlay([{ path: 'src/money.ts', version: 1, text: MONEY.replace('b: number', 'b: string') }], asking.caller('editor'));
  const unsaved = await ask(asking, 'branchImpact', {});
  expect(unsaved.symbols.map(({ change, id, isBreaking }) => [id, change, isBreaking])).toEqual([
    ['src/money.ts::add', 'signature', true],
    ['src/new.ts::fresh', 'added', false],
  ]);
  expect(unsaved.breaking).toMatchObject([{ id: 'src/money.ts::add', uses: [{ path: 'src/shop.ts', line: 2 }] }]);
  expect(unsaved.tests.map(({ file }) => file)).toEqual(['test/shop.test.ts']);

  const head = made.git('rev-parse', 'HEAD');
  expect((await ask(asking, 'branchImpact', { from: head })).symbols.map(({ id }) => id)).toContain('src/money.ts::add');
  await expect(ask(asking, 'branchImpact', { from: 'nowhere' })).rejects.toThrow('NOT_FOUND');
});

test('a file is read as it was, and not outside of the workspace', async () => {
  const made = branch();
  made.commit({ 'src/money.ts': 'export const none = 0;\n' });
  const asking = await made.checkout.open();
  expect(await ask(asking, 'pastText', { path: 'src/money.ts', at: 'main' })).toEqual({ text: MONEY });
  expect(await ask(asking, 'pastText', { path: 'src/money.ts', at: 'HEAD' })).toEqual({ text: 'export const none = 0;\n' });
  expect(await ask(asking, 'pastText', { path: 'src/none.ts', at: 'main' })).toEqual({ text: null });
  expect(await ask(asking, 'pastText', { path: 'src', at: 'main' })).toEqual({ text: null });
  await expect(ask(asking, 'pastText', { path: '../money.ts', at: 'main' })).rejects.toThrow('FORBIDDEN');
  await expect(ask(asking, 'pastText', { path: 'src/money.ts', at: 'nowhere' })).rejects.toThrow('NOT_FOUND');
});

test('the history of a symbol has its commits and transactions, and each commit tells where the symbol stood', async () => {
  const made = branch();
  const moved = made.commit({ 'src/cash.ts': MONEY.replace('return a + b', 'return b + a'), 'src/shop.ts': BEFORE['src/shop.ts'].replace('money', 'cash') }, [
    'src/money.ts',
  ]);
  made.commit({ 'README.md': 'Cash\n' });
  const asking = await made.checkout.open();
  made.checkout.write({ 'src/cash.ts': `${MONEY.replace('return a + b', 'return b - a')}\n` });
  await asking.settled('search_code', { query: 'add' });
  const { items, ...history } = await ask(asking, 'history', { id: 'src/cash.ts::add' });
  expect(history).toEqual({ id: 'src/cash.ts::add', name: 'add', path: 'src/cash.ts', total: 2, commits: 3 });
  expect(items.map(({ by, files, kind }) => [kind, files, by])).toEqual([
    ['transaction', 1, undefined],
    ['commit', 2, 'T'],
    ['commit', 6, 'T'],
  ]);
  const [, second, first] = items;
  expect(second?.ref).toBe(moved);
  expect(await ask(asking, 'commitChange', { id: 'src/cash.ts::add', commit: moved })).toEqual({
    at: `commit:${moved}`,
    before: `commit:${moved}^`,
    path: 'src/cash.ts',
    oldPath: 'src/money.ts',
    line: 2,
  });
  // It was called otherwise in the first commit, and is found there by its own name.
  await expect(ask(asking, 'commitChange', { id: 'src/cash.ts::add', commit: first?.ref ?? '' })).rejects.toThrow('NOT_FOUND');
  await expect(ask(asking, 'history', { id: 'src/none.ts' })).rejects.toThrow('NOT_FOUND');
});

test('the graph of a comparison shows what came, went and changed in columns and by file, with the code that breaks', async () => {
  const made = branch();
  made.checkout.write({
    'src/money.ts': `export function add(a: number, b: string) {\n  return a + b;\n}\nexport function fresh() {\n  return add(1, '2');\n}\n`,
  });
  const asking = await made.checkout.open();
  const scene = await ask(asking, 'graphScene', { start: 'compare' });
  expect(scene.nodes.map(({ breaking, change, id, parent }) => [id, change, breaking, parent])).toEqual([
    ['src/money.ts::add', 'signature', true, 'frame:src/money.ts'],
    ['src/money.ts::Till', 'removed', true, 'frame:src/money.ts'],
    ['src/money.ts::fresh', 'added', undefined, 'frame:src/money.ts'],
    ['src/shop.ts::pay', undefined, undefined, 'frame:src/shop.ts'],
  ]);
  expect(scene.layout).toBe('sheet');
  expect(scene.nodes.map(({ column }) => COMPARED[column - 1])).toEqual(['Breaking', 'Breaking', 'Added', 'Code that breaks']);
  expect(scene.groups.map(({ label, size }) => [label, size])).toEqual([
    ['src/money.ts', 3],
    ['src/shop.ts', 1],
  ]);
  expect(scene.edges.map(({ change, source, target }) => [source, target, change])).toEqual([
    ['src/money.ts::fresh', 'src/money.ts::add', 'added'],
    ['src/shop.ts::pay', 'src/money.ts::add', undefined],
    ['src/shop.ts::pay', 'src/money.ts::Till', 'removed'],
  ]);
  expect(scene.summary).toBe('1 added, 1 removed, 1 changed; 3 breaking changes.');
  const breaking = await ask(asking, 'graphScene', { start: 'compare', target: 'main', to: 'working', breaking: true });
  expect(breaking.nodes.map(({ id }) => id)).not.toContain('src/money.ts::fresh');
});

test('what the current code can be compared with: branches, tags, commits and clean transactions, each by a word that is understood', async () => {
  const made = branch();
  const head = made.git('rev-parse', 'HEAD');
  made.git('tag', '-a', 'v1', '-m', 'one');
  const asking = await made.checkout.open();
  const { commits, head: shown, references, transactions } = await ask(asking, 'points', {});
  expect(references.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(['branch main', 'branch work', 'tag v1']);
  expect(commits.map(({ commit, subject }) => [commit, subject])).toEqual([[head, 'more']]);
  expect(shown).toBe(head.slice(0, 12));
  expect(transactions.map(({ commit }) => commit)).toEqual([head]);
  for (const { word } of [...references, ...commits, ...transactions]) expect((await ask(asking, 'branchImpact', { from: word })).symbols).toEqual([]);
});
