import { expect, test } from 'vitest';
import { namesakeOf, stemOf } from '../../../../server/src/features/testSelection/reach/testNames';

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
