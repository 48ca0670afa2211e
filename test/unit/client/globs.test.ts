import { expect, test } from 'vitest';
import { proposeName, proposePatterns, type Selected, splitPatterns } from '../../../client/src/knowledge/globs';
import { matchesPath } from '../../../server/src/base/globs';
import { compilePattern } from '../../../server/src/knowledge/patterns';

const file = (path: string): Selected => ({ path, isFolder: false });
const folder = (path: string): Selected => ({ path, isFolder: true });

test.each<[readonly Selected[], string[], string]>([
  [[folder('src/checkoutPage')], ['src/checkoutPage/**'], 'Checkout Page'],
  [[folder('')], ['**'], ''],
  [[file('src/email-client.test.ts')], ['src/email-client.test.ts'], 'Email Client Test'],
  [[file('a/x.ts'), file('a/y.ts')], ['a/x.ts', 'a/y.ts'], 'A'],
  [[file('a/b/x.ts'), file('a/b/y.ts'), file('a/b/z.ts'), file('a/c.css')], ['a/b/*.ts', 'a/c.css'], 'A'],
  [[file('app/[id]/page.tsx')], ['app/[[]id[]]/page.tsx'], 'Page'],
  [[folder('a'), folder('a')], ['a/**'], ''],
])('a selection %j', (selection, patterns, name) => {
  expect(proposePatterns(selection)).toEqual(patterns);
  expect(proposeName(selection)).toBe(name);
});

test.each(['app/[id]/{x}.ts', '!a.ts', 'a*b?.ts', ']'])('the pattern of the file %s means that file', path => {
  const [pattern = ''] = proposePatterns([file(path)]);
  expect(compilePattern(pattern).alternatives.some(alternative => matchesPath(alternative, path.split('/')))).toBe(true);
});

test('patterns are told apart at commas outside braces', () => {
  expect(splitPatterns(' src/{a,b}/**,, lib/*.ts ,{x,{y,z}} ')).toEqual(['src/{a,b}/**', 'lib/*.ts', '{x,{y,z}}']);
});
