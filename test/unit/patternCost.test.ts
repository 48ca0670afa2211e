import { expect, test } from 'vitest';
import { globCost, globFault, regExpFault, shownPattern } from '../../server/src/base/patternCost';
import { globPattern } from '../../server/src/features/shared/globs';

test.each(['*', '**/a*b*c*/**/x', 'a*/b*/c*/d*/e*', '**/**/**/**/x', 'x'.repeat(1000), '***a***b'])('%s is a fine pattern', pattern => {
  expect(globFault(pattern)).toBeUndefined();
});

test.each(['*a*a*a*a', '{*,*}/x*y*{*,*}', 'x'.repeat(1001), '**a**b**c**d'])('%s is refused', pattern => {
  expect(globFault(pattern)).toBeDefined();
});

test('the worst segment says what a pattern costs', () => {
  expect(['a', 'a*', 'a*/b*', '**/a*b*', '*a*b*'].map(globCost)).toEqual([1, 1, 1, 50, 2000]);
});

test.each([
  '^src/.*\\.ts$',
  '(?:a|b){0,3}c',
  '^(?:ab)+$',
  '[*+]{3}(?:x){2}',
  '^\\(.*\\)$',
  '(?:.*/)?x[^/]*',
  '^(?:get|set|is)?[A-Z]\\w*(?:Test|Spec)?$',
  '^\\p{Lu}[^_]{0,40}$',
  '(?<name>x)(?!y)z?',
])('%s is a fine regular expression', source => {
  expect(regExpFault(source)).toBeUndefined();
});

test.each([
  '^(?:a?){30}a{30}$',
  `^${'a?'.repeat(30)}${'a'.repeat(30)}$`,
  '^((((a{0,3}){0,3}){0,3}){0,3}){0,3}b$',
  '^(?:a|aa){40}$',
  '^(?:(?:a|b|ab){1,9}){1,3}$',
  '^a*a*a*a*b$',
  '(a+)+$',
  '(?:a|aa)+$',
  '(?:(?:a*)b?)*',
  '([a-z]*){5,}',
  '(a+){30}',
  '(x)\\1',
  '.*.*.*.*.*',
  '(?<n>a)\\k<n>',
  'x'.repeat(1001),
])('%s is refused', source => {
  expect(regExpFault(source)).toBeDefined();
});

test('a long pattern is shown in short', () => {
  expect(shownPattern('short')).toBe('short');
  expect(Array.from(shownPattern('😀'.repeat(100_000)))).toHaveLength(61);
});

test('a glob may have any number of wildcards; one that is far too long matches nothing', () => {
  expect(['aaaaaab', 'a'.repeat(250)].map(name => globPattern('*a*a*a*a*a*b').test(name))).toEqual([true, false]);
  expect(globPattern('x'.repeat(1001)).test('x'.repeat(1001))).toBe(false);
  expect(globPattern('+(a|b)c').test('abbc')).toBe(true);
});
