import { expect, test } from 'vitest';
import { readGlob } from '../../../server/src/base/globs';

const groups = { hasGroups: true };

test.each([
  ['+(a|b)c', groups, ['ac', 'abbac'], ['c', 'a', 'dc']],
  ['*(a|b*)z', groups, ['z', 'aaz', 'bxyz'], ['cz', 'a']],
  ['?(x)y', groups, ['y', 'xy'], ['xxy']],
  ['@(a|b)', groups, ['a', 'b'], ['ab', '']],
  ['(*.)test.ts', groups, ['a.test.ts', '.test.ts'], ['test.ts']],
  ['@(a|b)', {}, ['@(a|b)'], ['a']],
  ['(a)', groups, ['(a)'], ['a']],
  ['a/{b/c,d}/*.{t,j}s', {}, ['a/b/c/x.ts', 'a/d/x.js'], ['a/b/x.ts', 'a/d/c/x.ts']],
  ['pre*post', {}, ['prepost', 'pre-post'], ['prpost', 'prepos', 'pre/post']],
  ['aba*ba', {}, ['ababa', 'abaxba'], ['aba', 'abba']],
  ['[ab', {}, ['[ab'], ['a']],
  ['{a,b', {}, ['{a,b'], ['a']],
  ['[z-a]', {}, ['[z-a]'], ['z']],
])('the glob %s, read with %j, takes %j and not %j', (glob, reading, taken, left) => {
  const matcher = readGlob(glob, reading);
  expect([taken.filter(path => !matcher.test(path)), left.filter(path => matcher.test(path))]).toEqual([[], []]);
});

test('case is folded on both sides', () => {
  expect(['SRC/a.TS', 'src/A.ts'].map(path => readGlob('Src/*.tS', { caseInsensitive: true }).test(path))).toEqual([true, true]);
  expect(readGlob('Src/*.ts').test('src/a.ts')).toBe(false);
});

test.each([
  [`${'*a'.repeat(200)}b`, 'a'.repeat(250)],
  [`${'*(a|aa)'.repeat(20)}b`, 'a'.repeat(250)],
  [`${'+(a|*)'.repeat(20)}b`, 'a'.repeat(250)],
  [`${'**/a/'.repeat(100)}b`, `${'a/'.repeat(120)}c`],
  [`${'{a,b}'.repeat(40)}c`, 'a'.repeat(40)],
])('a hostile glob ends', (glob, path) => {
  expect(readGlob(glob, groups).test(path)).toBe(false);
});
