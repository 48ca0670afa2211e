import { expect, test } from 'vitest';
import { ok } from '../../server/src/base/result';
import type { FeatureName } from '../../server/src/features/catalogue/catalogue';
import { globPattern } from '../../server/src/features/shared/globs';
import { namesakeOf, stemOf } from '../../server/src/features/shared/testNames';
import type { CategorizeAnswer } from '../../server/src/features/testSelection/categorize';
import { commandsFor } from '../../server/src/features/testSelection/commands';
import { frameworkOf, frameworksIn } from '../../server/src/features/testSelection/frameworks';
import type { SelectAnswer } from '../../server/src/features/testSelection/select';
import type { ChangedFile } from '../../server/src/workspace/changes';
import { askFeature } from '../helpers/askFeature';
import type { FileSketch, WorkspaceSketch } from '../helpers/graphOf';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

const PACKAGE = '{"devDependencies":{"vitest":"4.0.0"}}';
const SHOP: WorkspaceSketch = { ...shop, 'package.json': {}, 'yarn.lock': {}, 'README.md': {} };

async function ask<T>(
  feature: FeatureName,
  params: unknown,
  sketch: WorkspaceSketch = SHOP,
  texts: Readonly<Record<string, string>> = {},
  files: readonly ChangedFile[] = [],
): Promise<T> {
  const workspace = workspaceOf(sketch, { texts: { 'package.json': PACKAGE, ...texts }, changes: () => ok({ since: 'HEAD', files, truncated: false }) });
  const answer = await askFeature(feature, workspace, params);
  if (!answer.ok) throw new Error(`${answer.error.code} ${answer.error.message}`);
  return answer.value as T;
}
const select = (params: object, sketch?: WorkspaceSketch): Promise<SelectAnswer> => ask('selectTests', params, sketch);
const ids = (answer: SelectAnswer): string[] => answer.tests.map(row => row.id);

test.each([
  ['a.test.ts', { 'package.json': PACKAGE }, 'vitest'],
  ['a.test.ts', { 'package.json': '{"devDependencies":{"jest":"1"}}' }, 'jest'],
  ['__tests__/a.js', { 'jest.config.js': '' }, 'jest'],
  ['test/a.js', { '.mocharc.json': '{}' }, 'mocha'],
  ['e2e/a.spec.ts', { 'playwright.config.ts': '', 'package.json': PACKAGE }, 'playwright'],
  ['cypress/a.ts', { 'cypress.config.ts': '' }, 'cypress'],
  ['tests/test_a.py', { 'pyproject.toml': '[tool.pytest.ini_options]' }, 'pytest'],
  ['a_test.py', { 'requirements-dev.txt': 'pytest==8' }, 'pytest'],
  ['pkg/a_test.go', { 'go.mod': 'module x' }, 'go'],
  ['tests/a.rs', { 'Cargo.toml': '' }, 'cargo'],
  ['src/test/java/AIT.java', { 'pom.xml': '' }, 'maven'],
  ['src/test/java/ATests.java', { 'build.gradle.kts': '' }, 'gradle'],
  ['tests/Unit/AddTests.cs', { 'tests/Unit/Unit.csproj': '<PackageReference Include="NUnit" />' }, 'dotnet'],
  ['src/AddTests.cs', { 'src/App.csproj': '<Project Sdk="Microsoft.NET.Sdk" />' }, undefined],
  ['tests/Unit/AddTest.php', { 'phpunit.xml': '' }, 'phpunit'],
  ['tests/Unit/AddTest.php', { 'composer.json': '{"require-dev":{"phpunit/phpunit":"^11"}}' }, 'phpunit'],
  ['spec/add_spec.rb', { Gemfile: 'gem "rspec-rails"' }, 'rspec'],
  ['spec/support/add.rb', { '.rspec': '' }, undefined],
  ['a.test.ts', {}, undefined],
  ['a.test.ts', { 'package.json': '{"dependencies":{"chai":"1"}}' }, undefined],
  ['api/a.test.ts', { 'web/package.json': PACKAGE }, undefined],
  ['api/a.test.ts', { 'package.json': '{"devDependencies":{"jest":"1"}}', 'api/package.json': PACKAGE }, 'vitest'],
])('%s with %j is run by %s', (path, manifests, framework) => {
  expect(frameworkOf(path, frameworksIn(new Map(Object.entries(manifests))))?.row.id).toBe(framework);
});

test.each([
  [['t/AddTests.cs', 't/SubTests.cs'], { 't/T.csproj': 'xunit' }, "cd t && dotnet test --filter 'FullyQualifiedName~AddTests|FullyQualifiedName~SubTests'"],
  [['tests/AddTest.php'], { 'phpunit.xml': '' }, 'vendor/bin/phpunit --filter AddTest'],
  [['spec/add_spec.rb'], { Gemfile: 'rspec' }, 'bundle exec rspec spec/add_spec.rb'],
  [Array.from({ length: 60 }, (_, i) => `spec/a${i}_spec.rb`), { Gemfile: 'rspec' }, 'bundle exec rspec'],
])('%j with %j are run by typing %s, which test_run does not', (paths, manifests, text) => {
  const used = frameworksIn(new Map(Object.entries(manifests)));
  const files = paths.map(path => ({ node: 0, path, used: frameworkOf(path, used), framework: 'unknown', category: 'unit', reason: '' }) as const);
  expect(commandsFor(files).map(command => command.text)).toEqual([text]);
  expect(commandsFor(files, each => each.row.command)).toEqual([]);
});

test.each([
  ["export default { test: { include: ['checks/**/*.check.ts'] } }", 'checks/a/b.check.ts', 'vitest'],
  ["export default { test: { include: ['checks/**/*.check.ts'] } }", 'src/a.test.ts', undefined],
])('globs of the configuration %j win: %s', (config, path, framework) => {
  expect(frameworkOf(path, frameworksIn(new Map([['vitest.config.ts', config]])))?.row.id).toBe(framework);
});

test.each([
  ['**/*.test.ts', 'a.test.ts', true],
  ['src/**/*.{test,spec}.?(c|m)[jt]s?(x)', 'src/x/a.spec.mtsx', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['./e2e', 'e2e/a.ts', true],
  ['./e2e', 'e2extra/a.ts', false],
  ['check_*.py', 'deep/check_a.py', true],
])('the glob %s takes %s: %s', (glob, path, taken) => {
  expect(globPattern(glob).test(path)).toBe(taken);
});

test.each([
  ['test/pay.test.ts', 'pay'],
  ['tests/test_pay.py', 'pay'],
  ['pay_test.go', 'pay'],
  ['PayTest.java', 'pay'],
  ['src/pay.ts', 'pay'],
  ['test/pay.e2e.spec.ts', 'pay'],
])('%s is called after %s', (path, stem) => {
  expect(stemOf(path)).toBe(stem);
});

test('of namesakes the nearest is meant, and none when two are as near', () => {
  expect(namesakeOf('api/test/pay.test.ts', ['web/src/pay.ts', 'api/src/pay.ts'])).toBe('api/src/pay.ts');
  expect(namesakeOf('test/pay.test.ts', ['web/src/pay.ts', 'api/src/pay.ts'])).toBeUndefined();
});

test.each([
  ['test/a.test.ts', '/** @group e2e */', undefined, 'e2e', 'marked e2e'],
  ['test/unit/a.test.ts', "test('x @integration', f)", undefined, 'integration', 'marked integration'],
  ['test/integration/a.test.ts', '', 'playwright', 'integration', 'path has integration'],
  ['test/a.perf.test.ts', '', undefined, 'performance', 'path has perf'],
  ['test/a.test.ts', '', 'playwright', 'e2e', 'imports playwright'],
  ['test/a.test.ts', '', 'supertest', 'integration', 'imports supertest'],
  ['test/a.test.ts', '', 'vitest', 'unit', 'default'],
  ['test/data.ts', '', undefined, 'unknown', 'no test framework found'],
] as const)('%s with %j that imports %s is %s: %s', async (path, text, imported, category, reason) => {
  const references = imported === undefined ? [] : [{ from: '', relation: 'IMPORTS' as const, to: `external::${imported}` }];
  const sketch: WorkspaceSketch = { 'package.json': {}, [path]: { isTest: true, references } };
  const answer = await ask<CategorizeAnswer>('categorizeTests', {}, sketch, { [path]: text });
  expect(answer.tests).toMatchObject([{ file: path, category, reason }]);
  expect(answer.counts[category]).toBe(1);
});

test('tests are filtered by path, category and framework; those that test nothing are told', async () => {
  const sketch: WorkspaceSketch = { ...SHOP, 'test/e2e/idle.test.ts': { isTest: true }, 'lonely.test.ts': { isTest: true } };
  const files = async (params: object): Promise<string[]> => (await ask<CategorizeAnswer>('categorizeTests', params, sketch)).tests.map(row => row.file);
  expect(await files({})).toEqual(['lonely.test.ts', 'test/checkout.test.ts', 'test/e2e/idle.test.ts', 'test/pay.test.ts']);
  expect(await files({ paths: ['test'], category: 'unit' })).toEqual(['test/checkout.test.ts', 'test/pay.test.ts']);
  expect(await files({ framework: 'jest' })).toEqual([]);
  expect((await ask<CategorizeAnswer>('categorizeTests', {}, sketch)).withoutTargets).toEqual(['test/e2e/idle.test.ts']);
});

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
  const answer = await ask<SelectAnswer>('selectTests', {}, SHOP, {}, [{ path: 'src/pay.ts', status: 'modified', hunks, before: [] }]);
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
  expect((await ask<SelectAnswer>('selectTests', { files: [file] }, sketch as WorkspaceSketch, texts)).commands).toEqual([command]);
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

test.each([
  ['src/+(api|web)/**', ['src/api/a.ts', 'src/web/x/b.ts', 'src/apiweb/c.ts'], ['src/a.ts', 'src/core/a.ts']],
  ['src/@(a|b.c).ts', ['src/a.ts', 'src/b.c.ts'], ['src/bxc.ts', 'src/aa.ts', 'src/.ts']],
  ['src/*(a).ts', ['src/.ts', 'src/aa.ts'], ['src/b.ts']],
  ['**/?(*.)spec.ts', ['spec.ts', 'x/a.spec.ts'], ['a.spec.js']],
  ['**/src/**/(*.)+(spec|test).+(ts|tsx|js)', ['src/hono.test.ts', 'a/src/b/c.d.spec.tsx'], ['src/hono.ts', 'src/test.ts', 'lib/a.test.ts']],
  ['app/(shop)/*.ts', ['app/(shop)/a.ts'], ['app/shop/a.ts']],
  ['src/+(odd', ['src/+(odd'], ['src/odd']],
])('the glob %s takes %j and not %j', (glob, taken, left) => {
  expect(taken.filter(path => !globPattern(glob).test(path))).toEqual([]);
  expect(left.filter(path => globPattern(glob).test(path))).toEqual([]);
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
  const answer = await ask<SelectAnswer>('selectTests', { files: ['src/app.py'] }, sketch, texts);
  expect(ids(answer).sort()).toEqual(['tests/app_spec.rb', 'tests/test_app.py']);
});
