import { expect, test } from 'vitest';
import { caseNames, commandsFor } from '../../../server/src/features/testSelection/commands';
import { frameworkOf, frameworksIn } from '../../../server/src/features/testSelection/frameworks';
import { NO_NODE } from '../../../server/src/model/ids';
import { graphOf } from '../../helpers/graphOf';
import { readTexts } from '../../helpers/surfaceOf';

const PACKAGE = '{"devDependencies":{"vitest":"4.0.0"}}';

test.each([
  ['a.test.ts', { 'package.json': PACKAGE }, 'vitest'],
  ['a.test.ts', { 'package.json': '{"devDependencies":{"jest":"1"}}' }, 'jest'],
  ['__tests__/a.js', { 'jest.config.js': '' }, 'jest'],
  ['test/a.js', { '.mocharc.json': '{}' }, 'mocha'],
  ['tests/a.test.js', { 'package.json': '{"scripts":{"test":"node --test && npm run types"}}' }, 'node'],
  ['test/a.mjs', { 'package.json': '{"scripts":{"test":"node --import tsx --test"}}' }, 'node'],
  ['test/internals/a.test.js', { 'package.json': '{"devDependencies":{"borp":"1"}}' }, 'node'],
  ['src/latest.js', { 'package.json': '{"scripts":{"test":"node --test"}}' }, undefined],
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
  ['test/add_test.rb', { Gemfile: "gem 'minitest'" }, 'minitest'],
  ['test/spec_add.rb', { Rakefile: 'Rake::TestTask.new' }, 'minitest'],
  ['test/helper.rb', { Rakefile: 'Rake::TestTask.new' }, undefined],
  ['a.test.ts', {}, undefined],
  ['a.test.ts', { 'package.json': '{"dependencies":{"chai":"1"}}' }, undefined],
  ['api/a.test.ts', { 'web/package.json': PACKAGE }, undefined],
  ['api/a.test.ts', { 'package.json': '{"devDependencies":{"jest":"1"}}', 'api/package.json': PACKAGE }, 'vitest'],
])('%s with %j is run by %s', (path, manifests, framework) => {
  expect(frameworkOf(path, frameworksIn(new Map(Object.entries(manifests))))?.row.id).toBe(framework);
});

test.each<[string, Record<string, string>, string]>([
  ['tests/unit/test_a.py', { 'pyproject.toml': '', 'tests/conftest.py': '' }, 'pytest -q tests/unit/test_a.py'],
  ['tests/unit/test_a.py', { 'tests/conftest.py': '', 'tests/unit/conftest.py': '', 'pytest.ini': '' }, 'pytest -q tests/unit/test_a.py'],
  ['tests/unit/test_a.py', { 'tests/unit/conftest.py': '', 'tests/conftest.py': '' }, 'cd tests && pytest -q unit/test_a.py'],
  ['api/tests/test_a.py', { 'api/setup.py': '', 'api/tests/conftest.py': '', 'pyproject.toml': '' }, 'cd api && pytest -q tests/test_a.py'],
  ['api/tests/test_a.py', { 'api/tests/conftest.py': '', 'pyproject.toml': 'pytest' }, 'pytest -q api/tests/test_a.py'],
])('%s with %j is run from where the project is: %s', (path, manifests, text) => {
  const used = frameworkOf(path, frameworksIn(new Map(Object.entries(manifests))));
  const file = { node: NO_NODE, path, used, framework: 'unknown', category: 'unit', reason: '' } as const;
  expect(commandsFor([file]).map(command => [command.text, command.files])).toEqual([[text, [path]]]);
});

test.each([
  [['t/AddTests.cs', 't/SubTests.cs'], { 't/T.csproj': 'xunit' }, "cd t && dotnet test --filter 'FullyQualifiedName~AddTests|FullyQualifiedName~SubTests'"],
  [['tests/AddTest.php'], { 'phpunit.xml': '' }, 'vendor/bin/phpunit --filter AddTest'],
  [['spec/add_spec.rb'], { Gemfile: 'rspec' }, 'bundle exec rspec spec/add_spec.rb'],
  [['test/add_test.rb'], { Rakefile: 'Rake::TestTask.new' }, 'bundle exec rake test TEST=test/add_test.rb'],
  [['test/a_test.rb', 'test/b_test.rb'], { Gemfile: 'minitest' }, "bundle exec rake test 'TEST={test/a_test.rb,test/b_test.rb}'"],
  [Array.from({ length: 60 }, (_, i) => `spec/a${i}_spec.rb`), { Gemfile: 'rspec' }, 'bundle exec rspec'],
])('%j with %j are run by typing %s, which test_run does not', (paths, manifests, text) => {
  const used = frameworksIn(new Map(Object.entries(manifests)));
  const files = paths.map(path => ({ node: NO_NODE, path, used: frameworkOf(path, used), framework: 'unknown', category: 'unit', reason: '' }) as const);
  expect(commandsFor(files).map(command => command.text)).toEqual([text]);
  expect(commandsFor(files, each => each.row.command)).toEqual([]);
});

interface Case {
  readonly names: readonly string[];
  readonly line: number;
  readonly blockOf?: readonly string[];
}
const one = (...names: string[]): Case => ({ names, line: 7 });
const block = (...titles: string[]): Case => ({ ...one('ATest', ...titles), blockOf: ['ATest'] });

test.each<[string, Record<string, string>, readonly Case[], string]>([
  ['test/a.test.ts', { 'package.json': PACKAGE }, [one('a shop', 'opens (at 9)')], String.raw`npx vitest run test/a.test.ts -t '^(?:a shop opens \(at 9\))$'`],
  ['a.test.ts', { 'jest.config.js': '' }, [one('adds %i', 'to ${b}')], "npx jest a.test.ts -t '^(?:adds .* to .*)$'"],
  ['test/a.js', { '.mocharc.json': '{}' }, [one('a', 'b'), one('a', 'c')], "npx mocha test/a.js --grep '^(?:a b|a c)$'"],
  ['test/a.js', { 'package.json': '{"scripts":{"test":"node --test"}}' }, [one('a', 'b')], 'node --test --test-reporter=spec test/a.js'],
  ['e2e/a.spec.ts', { 'playwright.config.ts': '' }, [one('logs in')], 'npx playwright test e2e/a.spec.ts:7'],
  ['tests/test_a.py', { 'pytest.ini': '' }, [one('TestA', 'test_b'), one('test_c')], 'pytest -q tests/test_a.py::TestA::test_b tests/test_a.py::test_c'],
  ['pkg/a_test.go', { 'go.mod': '' }, [one('TestA'), one('TestA', 'sub'), one('ExampleB')], "go test -v ./pkg -run '^(?:TestA|ExampleB)$'"],
  ['pkg/a_test.go', { 'go.mod': '' }, [one('TestA', 'a b'), one('TestA', 'c (d)')], String.raw`go test -v ./pkg -run '^(?:TestA)$/^(?:a_b|c_\(d\))$'`],
  ['pkg/a_test.go', { 'go.mod': '' }, [one('TestA', 'a'), one('TestA', '${tt.name}')], "go test -v ./pkg -run '^(?:TestA)$'"],
  ['pkg/a_test.go', { 'go.mod': '' }, [one('TestA', 'a/b')], "go test -v ./pkg -run '^(?:TestA)$'"],
  ['pkg/a_test.go', { 'go.mod': '' }, [one('TestA', 'a'), one('TestB', 'b')], "go test -v ./pkg -run '^(?:TestA|TestB)$'"],
  ['pkg/a_test.go', { 'go.mod': '' }, [one('Suite', 'TestA')], 'go test -v ./pkg'],
  ['src/a.rs', { 'Cargo.toml': '' }, [one('tests', 'adds')], 'cargo test -- tests::adds'],
  [
    'src/test/java/ATest.java',
    { 'pom.xml': '' },
    [one('ATest', 'a'), one('ATest', 'b'), one('ATest', 'Inner', 'c')],
    "mvn -q test '-Dtest=ATest#a+b,ATest$Inner#c'",
  ],
  ['src/test/java/ATest.java', { 'build.gradle': '' }, [one('ATest', 'a')], "gradle test --tests '*ATest.a'"],
  // Blocks with titles have no name that these take: their class is run.
  [
    'src/test/kotlin/ATest.kt',
    { 'build.gradle': '' },
    [block('a', 'b'), block('c'), one('BTest', 'reads names')],
    "gradle test --tests '*ATest' --tests '*BTest.reads names'",
  ],
  ['src/test/kotlin/ATest.kt', { 'pom.xml': '' }, [one('ATest', 'd'), block('a', 'b'), one('BTest', 'c')], "mvn -q test '-Dtest=ATest,BTest#c'"],
  ['t/ATests.cs', { 't/T.csproj': 'xunit' }, [one('ATests', 'Adds')], "cd t && dotnet test --filter 'FullyQualifiedName~ATests.Adds'"],
  ['tests/ATest.php', { 'phpunit.xml': '' }, [one('ATest', 'testA')], "vendor/bin/phpunit --filter '(?:ATest::testA)(?: with data set .*)?$'"],
  ['spec/a_spec.rb', { '.rspec': '' }, [one('a', 'b')], 'bundle exec rspec spec/a_spec.rb:7'],
  // More than anybody reads: by file.
  ['test_a.py', { 'pytest.ini': '' }, Array.from({ length: 60 }, (_, i) => one(`test_${i}`)), 'pytest -q test_a.py'],
])('cases of %s with %j: %j are run by %s', (path, manifests, cases, text) => {
  const used = frameworkOf(path, frameworksIn(new Map(Object.entries(manifests)))) ?? frameworksIn(new Map(Object.entries(manifests)))[0];
  const file = { node: NO_NODE, path, used, framework: 'unknown', category: 'unit', reason: '' } as const;
  expect(commandsFor([file], undefined, () => cases).map(command => command.text)).toEqual([text]);
});

test('a case is named with all that is around it; a block in a class says which class', () => {
  const { view } = graphOf({
    'test/a.test.ts': {
      isTest: true,
      symbols: [
        { name: 'A', kind: 'class' },
        { name: 'A.method', kind: 'method', modifiers: ['test'], lines: [3, 4] },
        { name: 'A.a group' },
        { name: 'A.a group.opens', modifiers: ['test'], lines: [6, 7] },
        { name: 'outside' },
        { name: 'outside.closes', modifiers: ['test'], lines: [9, 9] },
      ],
    },
  });
  const named = (id: string): unknown => caseNames(view, view.find(`test/a.test.ts::${id}`) ?? NO_NODE);
  expect(named('A::method')).toEqual([{ names: ['A', 'method'], line: 3 }]);
  expect(named('A::a group::opens')).toEqual([{ names: ['A', 'a group', 'opens'], line: 6, blockOf: ['A'] }]);
  expect(named('outside::closes')).toEqual([{ names: ['outside', 'closes'], line: 9 }]);
});

test('cases that `go test` has no name for are run by the tests that run them', async () => {
  const { graph } = await readTexts(
    new Map(
      Object.entries({
        'go.mod': 'module x\n',
        'a_test.go': `package a
type Base struct{ suite.Suite }
func (s *Base) TestOne() {}
type Suite struct{ Base }
func (s *Suite) TestTwo() {
  s.Run("deeply", func() {})
}
type Lost struct{}
func (s *Lost) TestThree() {}
func TestAll(t *testing.T) {
  suite.Run(t, new(Suite))
  t.Run("sub", func(t *testing.T) {})
}
`,
        'b_test.go': 'package a\nimport . "github.com/onsi/ginkgo/v2"\nvar _ = Describe("a group", func() {\n  It("opens", func() {})\n})\n',
        'suite_test.go': 'package a\nimport . "github.com/onsi/ginkgo/v2"\nfunc TestBooks(t *testing.T) {\n  RunSpecs(t, "Books")\n}\n',
      }),
    ),
  );
  const namesOf = (id: string) => caseNames(graph, graph.find(id) ?? NO_NODE).map(({ names }) => names.join('/'));
  expect(namesOf('a_test.go::Base::TestOne')).toEqual(['TestAll']);
  expect(namesOf('a_test.go::Suite::TestTwo::deeply')).toEqual(['TestAll']);
  expect(namesOf('a_test.go::Lost::TestThree')).toEqual(['Lost/TestThree']);
  expect(namesOf('a_test.go::TestAll::sub')).toEqual(['TestAll/sub']);
  expect(namesOf('b_test.go::a group::opens')).toEqual(['TestBooks']);
});
