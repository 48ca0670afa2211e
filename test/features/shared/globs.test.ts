import { expect, test } from 'vitest';
import { globPattern } from '../../../server/src/features/shared/globs';

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
