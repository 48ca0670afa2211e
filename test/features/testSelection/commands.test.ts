import { expect, test } from 'vitest';
import { commandsFor } from '../../../server/src/features/testSelection/commands';
import { frameworkOf, frameworksIn } from '../../../server/src/features/testSelection/frameworks';

const PACKAGE = '{"devDependencies":{"vitest":"4.0.0"}}';

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
