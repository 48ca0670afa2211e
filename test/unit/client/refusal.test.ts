import { expect, test } from 'vitest';
import { Refusal, refusalIn } from '../../../client/src/refusal';

const failure = (data: unknown) => Object.assign(new Error('what happened'), { data });

test.each([
  [failure({ code: 'NOT_FOUND' }), true],
  [failure({ code: 'INTERNAL' }), false],
  [failure(undefined), false],
  [new Error('what happened'), false],
  ['what happened', false],
])('%s is for the user to act on: %s', (error, isRefusal) => {
  const refusal = refusalIn(error);
  expect(refusal instanceof Refusal && refusal.message === 'what happened').toBe(isRefusal);
});
