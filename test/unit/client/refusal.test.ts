import { expect, test } from 'vitest';
import { Refusal, refusalIn, refusalText } from '../../../client/src/refusal';
import { refusedFor } from '../../../server/protocol/refusals';
import { paramRef, phrase, toolRef } from '../../../server/src/model/hints';
import { hintFields } from '../../../server/src/tools/envelope';

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

test('a refusal keeps the data of the failure, which tells the reason', () => {
  const refusal = refusalIn(failure({ code: 'UNAVAILABLE', data: { reason: 'noGit' } }));
  expect([refusedFor('noGit', refusal?.data), refusedFor('severalCommands', refusal?.data), refusedFor('noGit', undefined)]).toEqual([
    { reason: 'noGit' },
    undefined,
    undefined,
  ]);
});

test.each([
  ['There are no tests to run.', phrase`Use ${toolRef('test_select')} to see which tests a change needs.`, 'There are no tests to run.'],
  ['No runner was found.', 'Install it, then run the tests again.', 'No runner was found. Install it, then run the tests again.'],
  ['Not allowed.', 'Set lattice.tests.env_file first.', 'Not allowed. Set lattice.tests.env_file first.'],
  ['The file is gone.', phrase`Call again with a valid ${paramRef('path')}.`, 'The file is gone.'],
  ['The index is not ready.', undefined, 'The index is not ready.'],
])('%s is said with a hint that a person can follow', (summary, hint, said) => {
  expect(refusalText({ summary, ...(hint === undefined ? {} : hintFields(hint)) })).toBe(said);
});
