import { expect, test } from 'vitest';
import { type SelectAnswer } from '../../../server/src/features/testSelection/select';
import { type ChangedFile } from '../../../server/src/workspace/changes';
import { askFeature } from '../../helpers/askFeature';
import { type FileSketch, type WorkspaceSketch } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';
import { askTested, PACKAGE, SHOP } from './testedShop';

const select = (params: object, sketch?: WorkspaceSketch): Promise<SelectAnswer> => askTested('selectTests', params, sketch);

const ids = (answer: SelectAnswer): string[] => answer.tests.map(row => row.id);

test('direct tests come before those behind others, with score, path and command', async () => {
  const answer = await select({ files: ['src/pay.ts'] });
  expect(answer.tests).toEqual(
    [
      { id: 'test/checkout.test.ts', file: 'test/checkout.test.ts', framework: 'vitest', category: 'unit', score: 0.652, via: expect.anything() },
      {
        id: 'test/pay.test.ts::testTotal',
        file: 'test/pay.test.ts',
        framework: 'vitest',
        category: 'unit',
        score: 0.808,
        via: ['src/pay.ts::total', 'test/pay.test.ts::testTotal'],
      },
    ].reverse(),
  );
  expect(answer.counts).toMatchObject({ direct: 1, transitive: 1, unit: 2, fallback: 0 });
  expect(answer.commands).toEqual(['npx vitest run test/pay.test.ts test/checkout.test.ts']);
  expect(ids(await select({ files: ['src/pay.ts'], includeTransitive: false }))).toEqual(['test/pay.test.ts::testTotal']);
  expect(ids(await select({ files: ['src/pay.ts'], minConfidence: 0.95 }))).toEqual(['test/pay.test.ts::testTotal']);
  expect(await select({ files: ['src/pay.ts'], maxTests: 1 })).toMatchObject({ tests: [{}], truncated: true });
  expect(ids(await select({ files: ['src/pay.ts'], categories: ['e2e'] }))).toEqual([]);
});

test('without files the uncommitted changes count, line by line', async () => {
  const hunks = [{ added: { start: 3, end: 3 }, removed: undefined, addedText: ['x'], removedText: [] }];
  const answer = await askTested('selectTests', {}, SHOP, {}, [{ path: 'src/pay.ts', status: 'modified', hunks, before: [] }]);
  expect(ids(answer)).toEqual(['test/checkout.test.ts']);
  expect(answer.changes.symbols).toEqual(['src/pay.ts::Till::add']);
});

test('a changed test is chosen itself', async () => {
  expect((await select({ files: ['test/pay.test.ts'] })).tests).toMatchObject([
    { id: 'test/pay.test.ts::testTotal', score: 1, via: ['test/pay.test.ts::testTotal'] },
  ]);
});

test('an equal stem counts 0.6, only where no reference leads there', async () => {
  const sketch: WorkspaceSketch = { 'package.json': {}, 'src/tax.ts': { symbols: [{ name: 'tax' }] }, 'test/tax.test.ts': { isTest: true } };
  expect((await select({ files: ['src/tax.ts'] }, sketch)).tests).toMatchObject([
    { id: 'test/tax.test.ts', score: 0.51, via: ['src/tax.ts', 'test/tax.test.ts'] },
  ]);
  expect(ids(await select({ files: ['src/tax.ts'], minConfidence: 0.7 }, sketch))).toEqual([]);
});

test('changed code that no test reaches is named', async () => {
  expect((await select({ files: ['src/lonely.ts', 'src/pay.ts'] })).uncovered).toEqual(['src/lonely.ts::lonely']);
});

test('a class is not uncovered when a member of it is tested', async () => {
  const sketch: WorkspaceSketch = {
    'src/box.ts': {
      symbols: [
        { name: 'Box', kind: 'class' },
        { name: 'Box.open', kind: 'method' },
        { name: 'Box.shut', kind: 'method' },
      ],
    },
    'test/open.test.ts': { isTest: true, symbols: [{ name: 'opens' }], references: [{ from: 'opens', relation: 'CALLS', to: 'src/box.ts::Box::open' }] },
  };
  expect((await select({ files: ['src/box.ts'] }, sketch)).uncovered).toEqual(['src/box.ts::Box::shut']);
});

test('a file without symbols selects the tests of its nearest package; prose selects none', async () => {
  const sketch: WorkspaceSketch = { ...SHOP, 'web/package.json': {}, 'web/vite.json': {}, 'web/row.test.ts': { isTest: true } };
  const answer = await select({ files: ['web/vite.json'] }, sketch);
  expect(answer).toMatchObject({ tests: [{ id: 'web/row.test.ts', fallback: true }], fallback: true, counts: { fallback: 1 } });
  expect(ids(await select({ files: ['yarn.lock'] }))).toEqual(['test/checkout.test.ts', 'test/pay.test.ts']);
  expect(ids(await select({ files: ['.npmrc'] }))).toHaveLength(2);
  expect(ids(await select({ files: ['README.md'] }))).toEqual([]);
});

test.each([
  [{ 'go.mod': {}, 'pkg/a.go': { symbols: [{ name: 'A' }] }, 'pkg/a_test.go': { isTest: true } }, 'pkg/a.go', { 'go.mod': 'module x' }, 'go test ./pkg'],
  [
    { 'pom.xml': {}, 'src/Pay.java': { symbols: [{ name: 'Pay' }] }, 'src/PayTest.java': { isTest: true } },
    'src/Pay.java',
    { 'pom.xml': '<project/>' },
    'mvn -q test -Dtest=PayTest',
  ],
  [
    { 'api/package.json': {}, 'api/a b.ts': { symbols: [{ name: 'a' }] }, 'api/a b.test.ts': { isTest: true } },
    'api/a b.ts',
    { 'api/package.json': PACKAGE },
    "cd api && npx vitest run 'a b.test.ts'",
  ],
])('%j is run by its own command', async (sketch, file, texts, command) => {
  expect((await askTested('selectTests', { files: [file] }, sketch as WorkspaceSketch, texts)).commands).toEqual([command]);
});

test.each(['selectTests', 'categorizeTests'] as const)('%s refuses paths outside', async feature => {
  const answer = await askFeature(feature, workspaceOf(SHOP), {
    files: undefined,
    ...(feature === 'selectTests' ? { files: ['../x.ts'] } : { paths: ['/etc'] }),
  });
  expect(answer).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
});

test('helpers of test files are no tests: who calls them is, else their file', async () => {
  const calls = (from: string, to: string) => ({ from, relation: 'CALLS', to, source: 'import' }) as const;
  const sketch: WorkspaceSketch = {
    'package.json': {},
    'src/tax.ts': { symbols: [{ name: 'tax' }] },
    'test/a.test.ts': { isTest: true, symbols: [{ name: 'helper' }], references: [calls('helper', 'src/tax.ts::tax'), calls('', 'test/a.test.ts::helper')] },
    'test/b.test.ts': { isTest: true, symbols: [{ name: 'unused' }], references: [calls('unused', 'src/tax.ts::tax')] },
    'test/test_c.py': {
      isTest: true,
      symbols: [{ name: 'make' }, { name: 'test_tax', modifiers: ['test'] }],
      references: [calls('make', 'src/tax.ts::tax'), calls('test_tax', 'test/test_c.py::make')],
    },
  };
  const answer = await select({ files: ['src/tax.ts'] }, sketch);
  expect(ids(answer).toSorted()).toEqual(['test/a.test.ts', 'test/b.test.ts', 'test/test_c.py::test_tax']);
  expect(answer.tests.find(row => row.id === 'test/b.test.ts')?.via).toEqual(['src/tax.ts::tax', 'test/b.test.ts::unused', 'test/b.test.ts']);
  expect(answer.uncovered).toEqual([]);
});

test('a file that is not there is not found, beside others it is told', async () => {
  const answerTo = async (files: readonly string[]) => askFeature('selectTests', workspaceOf(SHOP), { files });
  expect(await answerTo(['src/payy.ts'])).toMatchObject({ ok: false, error: { code: 'NOT_FOUND', message: expect.stringContaining('src/payy.ts') } });
  expect(await answerTo(['src/payy.ts', 'src/pay.ts'])).toMatchObject({ ok: true, value: { changes: { notIndexed: ['src/payy.ts'] } } });
});

test('what supports tests and is run by nothing is no test to run, unless it is called like one', async () => {
  const uses = (to: string): FileSketch => ({ isTest: true, references: [{ from: '', relation: 'IMPORTS', to, source: 'import' }] });
  const sketch: WorkspaceSketch = {
    'pyproject.toml': {},
    'src/app.py': { symbols: [{ name: 'make' }] },
    'tests/conftest.py': uses('src/app.py'),
    'tests/apps/cli.py': uses('src/app.py'),
    'tests/test_app.py': uses('src/app.py'),
    'tests/app_spec.rb': uses('src/app.py'),
  };
  const texts = { 'pyproject.toml': '[tool.pytest.ini_options]' };
  const answer = await askTested('selectTests', { files: ['src/app.py'] }, sketch, texts);
  expect(ids(answer).sort()).toEqual(['tests/app_spec.rb', 'tests/test_app.py']);
});

test('where no reference leads to a test, code that mentions the name does, then what imports the file, each with its reason', async () => {
  const sketch: WorkspaceSketch = {
    'package.json': {},
    'src/reply.js': {
      symbols: [
        { name: 'send', lines: [1, 1] },
        { name: 'lost', lines: [2, 2] },
      ],
      lines: 2,
    },
    'test/reply.test.js': {
      isTest: true,
      lines: 4,
      symbols: [
        { name: 'a reply', lines: [1, 4] },
        { name: 'a reply.sends', lines: [2, 2], modifiers: ['test'] },
        { name: 'a reply.ends', lines: [3, 3], modifiers: ['test'] },
      ],
      references: [{ from: '', relation: 'IMPORTS', to: 'src/reply.js' }],
    },
  };
  const texts = {
    'src/reply.js': 'reply.send = () => {};\nreply.lost = () => {};\n',
    'test/reply.test.js': "describe('a reply', () => {\n it('sends', () => reply.send());\n it('ends', () => reply.sender());\n});\n",
  };
  const changed = (line: number): ChangedFile => ({
    path: 'src/reply.js',
    status: 'modified',
    hunks: [{ added: { start: line, end: line }, addedText: ['x'], removed: undefined, removedText: [] }],
    before: [],
  });
  const rows = async (line: number) => (await askTested('selectTests', {}, sketch, texts, [changed(line)])).tests.map(({ id, reason }) => [id, reason]);
  expect(await rows(1)).toEqual([['test/reply.test.js::a reply::sends', 'mentions']]);
  expect(await rows(2)).toEqual([
    ['test/reply.test.js::a reply::sends', 'imports'],
    ['test/reply.test.js::a reply::ends', 'imports'],
  ]);
});

test('a member of an object may be called by tests that name it or what calls it, also when others are known to', async () => {
  const line = (at: number): readonly [number, number] => [at, at];
  const sketch: WorkspaceSketch = {
    'package.json': {},
    'src/reply.js': {
      lines: 3,
      symbols: [
        { name: 'reply', kind: 'variable', lines: line(1) },
        { name: 'reply.type', lines: line(2) },
        { name: 'reply.send', lines: line(3) },
      ],
      references: [{ from: 'reply.send', relation: 'CALLS', to: 'src/reply.js::reply::type' }],
    },
    'test/reply.test.js': {
      isTest: true,
      lines: 3,
      symbols: [
        { name: 'types', lines: line(1), modifiers: ['test'] },
        { name: 'sends', lines: line(2), modifiers: ['test'] },
        { name: 'ends', lines: line(3), modifiers: ['test'] },
      ],
      references: [{ from: 'types', relation: 'CALLS', to: 'src/reply.js::reply::type' }],
    },
  };
  const texts = {
    'src/reply.js': 'const reply = {};\nreply.type = () => {};\nreply.send = () => reply.type();\n',
    'test/reply.test.js': "it('types', () => reply.type());\nit('sends', () => make((_, r) => r.send()));\nit('ends', () => make((_, r) => r.end()));\n",
  };
  const change: ChangedFile = {
    path: 'src/reply.js',
    status: 'modified',
    hunks: [{ added: { start: 2, end: 2 }, addedText: ['x'], removed: undefined, removedText: [] }],
    before: [],
  };
  const { tests } = await askTested('selectTests', {}, sketch, texts, [change]);
  expect(tests.map(({ id, reason }) => [id, reason])).toEqual([
    ['test/reply.test.js::types', undefined],
    ['test/reply.test.js::sends', 'mentions'],
  ]);
});
