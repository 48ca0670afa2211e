import { expect, test } from 'vitest';
import { type SelectAnswer } from '../../../server/src/features/testSelection/select';
import { shortNameOf } from '../../../server/src/model/ids';
import { type ChangedFile } from '../../../server/src/workspace/changes';
import { askFeature, outcomeOf } from '../../helpers/askFeature';
import { type FileSketch, type WorkspaceSketch } from '../../helpers/graphOf';
import { LITERAL, LITERAL_TEXTS } from '../../helpers/literalMembers';
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

test.each(['.github/workflows/spelling.yml', 'web/.vscode/settings.json', '.gitignore', '.editorconfig', 'LICENSE'])(
  'no test reads %s, so none is selected for it',
  async path => {
    expect(ids(await select({ files: [path] }, { ...SHOP, [path]: {} }))).toEqual([]);
  },
);

test.each([
  [{ 'go.mod': {}, 'pkg/a.go': { symbols: [{ name: 'A' }] }, 'pkg/a_test.go': { isTest: true } }, 'pkg/a.go', { 'go.mod': 'module x' }, 'go test -v ./pkg'],
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

test('in a project too large to look through for a name, the files next to the change are looked at', async () => {
  const many = Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`a/other${at}.js`, { lines: 1 } satisfies FileSketch]));
  const sketch: WorkspaceSketch = {
    'package.json': {},
    ...many,
    'z/src/reply.js': { symbols: [{ name: 'send', lines: [1, 1] }], lines: 1 },
    'z/test/reply.test.js': { isTest: true, lines: 1, symbols: [{ name: 'sends', lines: [1, 1], modifiers: ['test'] }] },
  };
  const texts = { 'z/src/reply.js': 'reply.send = () => {};\n', 'z/test/reply.test.js': "it('sends', () => reply.send());\n" };
  const hunks = [{ added: { start: 1, end: 1 }, addedText: ['x'], removed: undefined, removedText: [] }];
  const changed: ChangedFile = { path: 'z/src/reply.js', status: 'modified', hunks, before: [] };
  expect((await askTested('selectTests', {}, sketch, texts, [changed])).tests).toMatchObject([{ id: 'z/test/reply.test.js::sends', reason: 'mentions' }]);
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

test('members of an exported literal that no reference leads to are run by code that mentions them, by all who load the literal where none does', async () => {
  const rows = async (at: number) => {
    const hunks = [{ added: { start: at, end: at }, addedText: ['x'], removed: undefined, removedText: [] }];
    const { tests } = await askTested('selectTests', {}, LITERAL, LITERAL_TEXTS, [{ path: 'src/request.js', status: 'modified', hunks, before: [] }]);
    return tests.map(({ id, via }) => [shortNameOf(id), via.length]);
  };
  expect(await rows(2)).toEqual([
    ['types', 2],
    ['lists', 3],
  ]);
  expect((await rows(3)).map(([name]) => name)).toEqual(['types', 'lists', 'ends']);
});

/** A change of `Field.__init__`, which a file of tests calls when it is loaded. */
const LOADED: WorkspaceSketch = {
  'src/fields.py': { symbols: [{ name: 'field', lines: [1, 1] }], lines: 1 },
  'tests/test_form.py': {
    isTest: true,
    symbols: [{ name: 'test_form', modifiers: ['test'] }],
    references: [{ from: '', relation: 'CALLS', to: 'src/fields.py::field' }],
  },
  'tests/test_other.py': { isTest: true, symbols: [{ name: 'test_other', modifiers: ['test'] }] },
};

const LOADS = { 'tests/test_form.py': 'field()\n', 'tests/conftest.py': 'field()\n' };

test.each([
  ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, ['tests/test_other.py']],
  ['a runner that is not known', {}, []],
])('a change that runs when a file of tests loads stops all tests of %s', async (_, texts, stopped) => {
  const sketch = { ...LOADED, ...Object.fromEntries(Object.keys(texts).map(name => [name, {}])) };
  const { tests } = await askTested('selectTests', { files: ['src/fields.py'] }, sketch, { ...LOADS, ...texts });
  expect(tests.map(({ id, reason }) => [id, reason])).toEqual([['tests/test_form.py::test_form', undefined], ...stopped.map(id => [id, 'loads'])]);
  expect(tests.at(-1)?.via.slice(0, 2)).toEqual(['src/fields.py::field', 'tests/test_form.py']);
});

test('what conftest.py runs when it loads stops the tests below its folder', async () => {
  const { 'tests/test_form.py': form, ...rest } = LOADED;
  const sketch: WorkspaceSketch = { ...rest, 'tests/conftest.py': { isTest: true, references: form?.references ?? [] }, 'pyproject.toml': {} };
  const { tests } = await askTested('selectTests', { files: ['src/fields.py'] }, sketch, { ...LOADS, 'pyproject.toml': '[tool.pytest.ini_options]' });
  expect(tests.map(({ id, reason, via }) => ({ id, reason, via }))).toEqual([
    { id: 'tests/test_other.py', reason: 'loads', via: ['src/fields.py::field', 'tests/conftest.py', 'tests/test_other.py'] },
  ]);
});

test('pytest runs classes of tests again in files that import them', async () => {
  const sketch: WorkspaceSketch = {
    'pyproject.toml': {},
    'src/sign.py': { symbols: [{ name: 'sign', lines: [1, 1] }], lines: 1 },
    'tests/test_sign.py': {
      isTest: true,
      symbols: [
        { name: 'TestSign', kind: 'class' },
        { name: 'TestSign.test_sign', kind: 'method', modifiers: ['test'] },
      ],
      references: [{ from: 'TestSign.test_sign', relation: 'CALLS', to: 'src/sign.py::sign' }],
    },
    'tests/test_timed.py': { isTest: true, references: [{ from: '', relation: 'IMPORTS', to: 'tests/test_sign.py' }] },
    'tests/test_safe.py': { isTest: true, references: [{ from: '', relation: 'IMPORTS', to: 'tests/test_sign.py' }] },
  };
  const texts = {
    'pyproject.toml': '[tool.pytest.ini_options]',
    'tests/test_timed.py': 'from tests.test_sign import (\n  TestSign,\n)\n',
    'tests/test_safe.py': 'from tests import test_sign\n',
  };
  const answer = await askTested('selectTests', { files: ['src/sign.py'] }, sketch, texts);
  expect(answer.tests.map(({ id, reason }) => [id, reason])).toEqual([
    ['tests/test_sign.py::TestSign::test_sign', undefined],
    ['tests/test_timed.py', 'reruns'],
  ]);
  expect(answer.commands).toEqual(['pytest -q tests/test_sign.py tests/test_timed.py']);
});

test('the body of a class runs when the file loads', async () => {
  const { 'tests/test_form.py': _form, ...rest } = LOADED;
  const sketch: WorkspaceSketch = {
    ...rest,
    'pyproject.toml': {},
    'tests/test_form.py': {
      isTest: true,
      symbols: [{ name: 'Form', kind: 'class' }],
      references: [{ from: 'Form', relation: 'INSTANTIATES', to: 'src/fields.py::field' }],
    },
  };
  const { tests } = await askTested('selectTests', { files: ['src/fields.py'] }, sketch, { ...LOADS, 'pyproject.toml': '[tool.pytest.ini_options]' });
  expect(tests.map(({ id, reason }) => [id, reason])).toEqual([
    ['tests/test_form.py', undefined],
    ['tests/test_other.py', 'loads'],
  ]);
});

/** The shop with a report of hour 10; its files were written at `written`, now it is hour 20. */
function selectCovered(text: string, written: number, params: object = {}): Promise<SelectAnswer> {
  const coverage = {
    reports: async () => ({ files: [{ path: 'lcov.info', text, modifiedAt: 10 * HOUR }], problems: [] }),
    modifiedAt: async () => written * HOUR,
    now: () => 20 * HOUR,
  };
  return outcomeOf('selectTests', { files: ['src/lonely.ts', 'src/pay.ts'], ...params }, workspaceOf(SHOP, { texts: { 'package.json': PACKAGE }, coverage }));
}

const HOUR = 3_600_000;
const RAN = 'TN:testTotal\nSF:src/lonely.ts\nDA:1,1\nend_of_record\nTN:checkout.test\nSF:src/lonely.ts\nDA:1,1\nend_of_record\n';

test('tests that ran the change are selected by the report that says so, with its age', async () => {
  const row = (answer: SelectAnswer, id: string) => answer.tests.find(each => each.id === id);
  const coverage = { provenance: 'coverage', report: 'lcov.info', ageHours: 10, stale: false };
  const fresh = await selectCovered(RAN, 5, { files: ['src/lonely.ts'] });
  expect(fresh.tests).toMatchObject([
    { id: 'test/checkout.test.ts', score: 0.85, via: ['src/lonely.ts::lonely', 'test/checkout.test.ts'], reason: 'ran', coverage },
    { id: 'test/pay.test.ts::testTotal', reason: 'ran', coverage },
  ]);
  const stale = await selectCovered(RAN, 11, { files: ['src/lonely.ts'] });
  expect(stale.tests).toMatchObject([{ score: 0.425, coverage: { ...coverage, stale: true } }, {}]);
  expect(ids(await selectCovered(RAN, 11, { files: ['src/lonely.ts'], minConfidence: 0.6 }))).toEqual([]);
  // What references lead to as well keeps its way.
  const both = row(await selectCovered(RAN, 5), 'test/pay.test.ts::testTotal');
  expect(both).toMatchObject({ score: 0.85, via: ['src/pay.ts::total', 'test/pay.test.ts::testTotal'], coverage });
  expect(both).not.toHaveProperty('reason');
});

test('of a class that inherits cases those are selected that reach the change, by the name of the class', async () => {
  const sketch: WorkspaceSketch = {
    'src/shop.py': {
      symbols: [
        { name: 'sell', lines: [1, 2] },
        { name: 'open', lines: [3, 4] },
      ],
    },
    'tests/test_shop.py': {
      isTest: true,
      symbols: [
        { name: 'TestShop', kind: 'class' },
        { name: 'TestShop.test_sells', kind: 'method', modifiers: ['test'] },
        { name: 'TestShop.test_opens', kind: 'method', modifiers: ['test'] },
        { name: 'TestKiosk', kind: 'class' },
      ],
      references: [
        { from: 'TestKiosk', relation: 'INHERITS', to: 'tests/test_shop.py::TestShop' },
        { from: 'TestShop.test_sells', relation: 'CALLS', to: 'src/shop.py::sell' },
        { from: 'TestShop.test_opens', relation: 'CALLS', to: 'src/shop.py::open' },
      ],
    },
  };
  const hunks = [{ added: { start: 1, end: 1 }, removed: undefined, addedText: ['x'], removedText: [] }];
  const answer = await askTested('selectTests', {}, sketch, {}, [{ path: 'src/shop.py', status: 'modified', hunks, before: [] }]);
  expect(answer.changes.symbols).toEqual(['src/shop.py::sell']);
  expect(ids(answer)).toEqual(['tests/test_shop.py::TestShop::test_sells', 'tests/test_shop.py::TestKiosk::test_sells']);
});

test('cases that a function declares are selected as the groups that call it', async () => {
  const group = (name: string) => ({ name, signature: `'${name}', function ()` });
  const sketch: WorkspaceSketch = {
    'package.json': {},
    'src/shop.js': { symbols: [{ name: 'sell' }] },
    'test/shop.js': {
      isTest: true,
      symbols: [
        group('a shop'),
        group('a shop.in town'),
        { ...group('a shop.is alone'), modifiers: ['test'] },
        { name: 'shared', signature: 'function shared(shop)' },
        { ...group('shared.sells'), modifiers: ['test'] },
        { ...group('shared.sells more'), modifiers: ['test'] },
      ],
      references: [
        { from: 'a shop.in town', relation: 'CALLS', to: 'test/shop.js::shared' },
        ...['shared.sells', 'shared.sells more'].map(from => ({ from, relation: 'CALLS' as const, to: 'src/shop.js::sell' })),
      ],
    },
  };
  const answer = await askTested('selectTests', { files: ['src/shop.js'] }, sketch, { 'package.json': '{"devDependencies": {"mocha": "1.0.0"}}' });
  expect(ids(answer)).toEqual(['test/shop.js::a shop::in town']);
  expect(answer).toMatchObject({ total: 1, commands: ["npx mocha test/shop.js --grep '^(?:a shop in town .*)$'"] });
});
