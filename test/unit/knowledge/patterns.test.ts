import { expect, test } from 'vitest';
import { matchesPath } from '../../../server/src/base/globs';
import { compilePattern, normalizePattern, patternProblem } from '../../../server/src/knowledge/patterns';

function covers(pattern: string, path: string): boolean {
  return compilePattern(pattern).alternatives.some(alternative => matchesPath(alternative, path.split('/')));
}

test.each<[string, string[], string[]]>([
  ['src/*.ts', ['src/a.ts', 'src/.ts', 'src/.hidden.ts'], ['src/b/a.ts', 'src/a.tsx', 'a.ts', 'SRC/a.ts', 'src/A.TS']],
  [
    'src/pages/checkout/**',
    ['src/pages/checkout/a.ts', 'src/pages/checkout/b/.c/d.ts'],
    ['src/pages/checkout2/a.ts', 'src/pages/a.ts', 'x/src/pages/checkout/a'],
  ],
  ['**/a.ts', ['a.ts', 'x/a.ts', 'x/.y/a.ts'], ['x/b.ts', 'xa.ts']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/x', 'b', 'a/b/c']],
  ['**', ['a', 'a/b', '.a/.b'], []],
  ['src/payments/stripe-*.ts', ['src/payments/stripe-.ts', 'src/payments/stripe-api.ts'], ['src/payments/stripe.ts', 'src/payments/x/stripe-a.ts']],
  ['a?c', ['abc', 'a.c', 'a😀c'], ['ac', 'abbc', 'a/c']],
  ['[a-c]x[!0-9]', ['axy', 'cx.'], ['dxy', 'ax1', 'axyz']],
  ['[]x-]', [']', 'x', '-'], ['y']],
  ['[^a]', ['b'], ['a']],
  ['{a,b/**/c}.{ts,js}', ['a.ts', 'a.js', 'b/c.ts', 'b/x/c.js'], ['b.ts', 'a.tsx']],
  ['{a,{b,c}}{,d}', ['a', 'b', 'c', 'ad', 'cd'], ['d', 'abc']],
  ['app/(auth)/[[]id]/*.tsx', ['app/(auth)/[id]/page.tsx'], ['app/auth/[id]/page.tsx']],
  ['a**b', ['ab', 'axxb'], ['a/b', 'a/x/b']],
  ['a.ts', ['a.ts'], ['xats', 'axts', 'b/a.ts']],
  ['*a*b*', ['ab', 'xaxbx', 'aab'], ['ba', 'a', 'x']],
])('%s covers what it should and nothing else', (pattern, inside, outside) => {
  expect(patternProblem(pattern)).toBeUndefined();
  expect([inside.filter(path => !covers(pattern, path)), outside.filter(path => covers(pattern, path))]).toEqual([[], []]);
});

test.each([
  '',
  '/abs/**',
  '{a,/b}',
  'C:/x',
  'c:x',
  '!src/**',
  'a/../b',
  '..',
  '{a,..}/b',
  'a//b',
  'a/',
  './a/./b',
  'a[b',
  'a[z-a]',
  'a/[b/c]',
  'a{b',
  'a}b',
  'x'.repeat(513),
  `{${Array.from({ length: 65 }, (_, at) => at).join(',')}}`,
  '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
])('%j is refused and covers nothing', pattern => {
  expect(patternProblem(normalizePattern(pattern) === pattern ? pattern : pattern)).toEqual(expect.any(String));
  expect(compilePattern(pattern).alternatives).toEqual([]);
});

test.each(['x'.repeat(512), `{${Array.from({ length: 64 }, (_, at) => at).join(',')}}`, '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'])('%j is just allowed', pattern => {
  expect(patternProblem(pattern)).toBeUndefined();
});

test('patterns are stored with slashes and without ./', () => {
  expect([' ./src\\a\\** ', '././x', 'a/./b'].map(normalizePattern)).toEqual(['src/a/**', 'x', 'a/./b']);
});

test.each([
  [`${'*a'.repeat(200)}b`, 'a'.repeat(250)],
  [`${'**/a/'.repeat(100)}b`, `${'a/'.repeat(120)}c`],
  [`${'{a,b}'.repeat(6)}${'*a'.repeat(200)}b`, 'a'.repeat(250)],
])('a hostile pattern takes time in proportion to its length', (pattern, path) => {
  expect(covers(pattern, path)).toBe(false);
});
