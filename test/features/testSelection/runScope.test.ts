import { expect, test } from 'vitest';
import { runsAtLoad } from '../../../server/src/features/testSelection/runScope';

test.each([
  ['app = files()', true],
  ['class A\n  app = files()', true],
  ['describe "a" do\n  app = files()', true],
  ['describe "a" do\n  before do\n    files()', false],
  ['describe "a" do\n\n  it("b") { files() }', false],
  ['app = lambda do |env|\n  files()', false],
  ["describe('a', function () {\n  if (x)\n    files()", true],
  ["describe('a', () => {\n  beforeEach(() => {\n    files()", false],
  ['def helper():\n    files()', false],
  ['cases = [\n    files(),', true],
  ['lint(files(->(env) { }))', true],
])('whether the last line of %j runs when its file is loaded: %s', (text, isRun) => {
  const lines = text.split('\n');
  expect(runsAtLoad(lines, lines.length, 'files', /^\s*describe\b/)).toBe(isRun);
});
